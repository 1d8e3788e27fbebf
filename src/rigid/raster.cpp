#include "graze/rigid/raster.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "rigid/raster/doppel.hpp"
#include "rigid/raster/draw.hpp"
#include "rigid/raster/pixel_size.hpp"
#include "rigid/raster/project.hpp"
#include "rigid/raster/resolve.hpp"
#include "rigid/raster/search.hpp"

namespace graze::rigid {

struct RasterSearch::State {
    raster::Search search;
    std::vector<double> lengths;
};

namespace {

using raster::Body;
using raster::Search;

// Contacts of the plain mode are true ones: the slack only keeps what is on the boundary of two
// faces
// from falling between them, and is above the error that Newton leaves. The robust mode takes every
// approach within a pixel. Chords are within a quarter of a pixel of their edges, so that what is
// within the slack has chords within the slack and two quarters.
raster::Settings settings_of(const RasterOptions& o, double pixel) {
    raster::Settings s;
    s.pixel = pixel;
    s.robust = o.robust;
    s.slack = o.robust ? pixel : pixel / 1024.0;
    s.coincident = 0.25 * pixel;
    s.flatness = 0.25 * pixel;
    // A sixteenth for the turn that a straight motion leaves out.
    s.reach = s.slack + 2.0 * s.flatness + pixel / 16.0;
    s.near_axis = 2.0 * s.reach;
    s.min_properness = o.min_properness;
    s.cull = o.cull;
    return s;
}

void prepare(Body& body, const Polyhedron& shape, const raster::RigidMap& map,
             const raster::Extent& extent, double sign) {
    body.shape = &shape;
    body.map = map;
    body.sign = sign;
    body.phi_near = extent.around ? 0.0 : 0.5 * (extent.phi.lower + extent.phi.upper);
}

void bound_bending(Body& body, const raster::Frame& frame, const raster::Extent& extent) {
    const raster::Bending b = raster::bending(frame.flow, extent.r.lower, frame.q);
    body.r_least = extent.r.lower;
    body.bend = b.bend;
    body.bend_t = b.bend_t;
}

void keep_near_each_other(Search& s) {
    const raster::Range all = {-raster::kFar, raster::kFar};
    const raster::ScreenBox everywhere{all, all, all};
    // Copies are at other heights and times than the boxes.
    const bool plain = s.frame.copies.first == 0 && s.frame.copies.last == 0;
    const double reach_h = s.settings.reach * s.slopes.slope_h;
    const double reach_t = 2.0 * (s.settings.time_resolution + s.settings.reach * s.slopes.slope_t);
    const auto reached = [&](const raster::ScreenBox& box) {
        return raster::ScreenBox{box.r.widened(s.settings.reach), box.h.widened(reach_h),
                                 box.t.widened(reach_t)};
    };
    const bool bounded = plain && reach_h < raster::kFar && reach_t < raster::kFar;
    raster::keep_near(s.b, bounded ? reached(s.a.box) : everywhere, {-1.0, 0.0});
    raster::keep_near(s.a, bounded ? reached(s.b.box) : everywhere, {0.0, 1.0});
    // Once more, for less of A is left than there was.
    if (bounded) raster::keep_near(s.b, reached(s.a.box), {-1.0, 0.0});
}

// Bounds of both bodies in their places: what lies outside the common stretch of r meets nothing.
void find_common_rows(Search& s) {
    s.frame.common_r = {std::max(s.a.box.r.lower - s.settings.reach, s.b.box.r.lower),
                        std::min(s.a.box.r.upper + s.settings.reach, s.b.box.r.upper)};
}

bool run(Search& s, std::size_t most) {
    const raster::Flow& flow = s.frame.flow;
    s.step = flow.turn(1.0);
    s.step_back = flow.turn(-1.0);
    const raster::LocalTwist twist_a = raster::local_twist(s.a, flow);
    const raster::LocalTwist twist_b = raster::local_twist(s.b, flow);
    bound_bending(s.a, s.frame, s.frame.a);
    bound_bending(s.b, s.frame, s.frame.b);
    raster::find_facing(s.a, twist_a);
    raster::find_facing(s.b, twist_b);
    raster::project_vertices(s.a, flow, s.settings, s.frame.q);
    raster::project_vertices(s.b, flow, s.settings, s.frame.q);
    find_common_rows(s);
    if (!(s.frame.common_r.lower <= s.frame.common_r.upper)) return true;
    s.slopes = raster::bending(flow, s.frame.common_r.lower - s.settings.reach, s.frame.q);
    if (flow.turns && s.frame.common_r.lower < 2.0 * s.settings.near_axis) {
        s.slopes.slope_h = raster::kFar;
        s.slopes.slope_t = raster::kFar;
    }
    keep_near_each_other(s);
    raster::cull_groups(s);
    find_common_rows(s);
    if (!(s.frame.common_r.lower <= s.frame.common_r.upper)) return true;
    const auto most_pixels = static_cast<double>(most);
    if (!raster::draw_edges(s.b, flow, s.settings, s.frame.q, most_pixels, s.stop)) return false;
    if (!raster::draw_edges(s.a, flow, s.settings, s.frame.q, most_pixels, s.stop)) return false;
    if (s.stop.now()) return true;
    s.drawn = true;
    // Pierced faces are wanted for a whole turn.
    if (s.frame.b.around) {
        s.frame.phi_b = raster::drawn_angles(s.b, flow);
        s.frame.phi_b.include(-raster::kPi);
        s.frame.phi_b.include(raster::kPi);
    }
    // r is kept in floats as well, from the lower end of the common rows on.
    s.rounding_r = 2e-7 * std::max(s.a.box.r.upper, s.b.box.r.upper);
    raster::cross_edges(s);
    raster::scan_faces(s, twist_a, twist_b);
    return true;
}

void reset(Search& s) {
    s.touches.clear();
    s.counts = {};
    s.drawn = false;
    for (Body* body : {&s.a, &s.b}) {
        body->chords.clear();
        body->virtual_chords.clear();
        body->pixels = 0.0;
        body->candidate.clear();
    }
}

}  // namespace

RasterSearch::RasterSearch() : state_(std::make_unique<State>()) {}
RasterSearch::~RasterSearch() = default;
RasterSearch::RasterSearch(RasterSearch&&) noexcept = default;
RasterSearch& RasterSearch::operator=(RasterSearch&&) noexcept = default;

Expected<RasterResult> RasterSearch::collisions(const Polyhedron& a, const Polyhedron& b,
                                                const PairStep& step,
                                                const RasterOptions& options) {
    return with_sound_arithmetic([&] { return sound_collisions(a, b, step, options); });
}

Expected<RasterResult> RasterSearch::sound_collisions(const Polyhedron& a, const Polyhedron& b,
                                                      const PairStep& step,
                                                      const RasterOptions& options) {
    if (const auto ok = check(step); !ok) return ok.error();
    if (const auto ok = raster::check_resolution(options.pixel, options.time_resolution,
                                                 options.min_properness);
        !ok)
        return ok.error();
    if (state_ == nullptr) state_ = std::make_unique<State>();
    Search& s = state_->search;
    reset(s);
    RasterResult result;
    result.screw = relative_screw(step);
    const auto is_drawn_as_it_is = [](const Polyhedron& body) {
        return body.report().is_oriented() && body.report().is_flat();
    };
    result.may_miss = !is_drawn_as_it_is(a) || !is_drawn_as_it_is(b);
    const double pixel =
        options.pixel > 0.0 ? options.pixel : raster::default_pixel(a, b, state_->lengths);
    if (const auto ok = raster::check_reach(a, b, step, pixel); !ok) return ok.error();
    s.settings = settings_of(options, pixel);
    s.stop = StopPoll(options.stop);
    s.frame = raster::choose_frame(a, b, result.screw, relative_start(step), pixel);
    s.settings.time_resolution = options.time_resolution > 0.0
                                     ? options.time_resolution
                                     : raster::default_time_resolution(pixel, s.frame.max_speed);
    result.statistics.pixel = pixel;
    result.statistics.time_resolution = s.settings.time_resolution;
    if (!raster::can_meet(s.frame, s.settings.reach)) {
        result.statistics.stopped_early = true;
        return result;
    }
    prepare(s.a, a, s.frame.of_a, s.frame.a, -1.0);
    prepare(s.b, b, s.frame.of_b, s.frame.b, 1.0);
    if (!run(s, kMaxPixels)) {
        return Error{"the edges of a body are longer than " + std::to_string(kMaxPixels) +
                         " pixels: take a larger pixel",
                     ErrorCode::InvalidOption};
    }
    if (s.stop.now()) return Error{"cancelled", ErrorCode::Cancelled};
    result.statistics.pixels_a = static_cast<std::size_t>(s.a.pixels);
    result.statistics.pixels_b = static_cast<std::size_t>(s.b.pixels);
    result.statistics.pairs = s.counts.pairs;
    result.statistics.candidates = s.counts.candidates;
    result.statistics.doppeled = s.counts.doppeled;
    result.collisions = raster::resolve(s.pair(), s.touches, options.min_properness);
    return result;
}

RasterSearch::ScreenPlace RasterSearch::screen_place(const Vec3& position_in_a) const noexcept {
    if (state_ == nullptr || !(state_->search.settings.pixel > 0.0)) return {0.0, 0.0};
    const Search& s = state_->search;
    const raster::ScreenPoint p =
        raster::project(s.frame.flow, s.frame.of_a(position_in_a), s.a.phi_near);
    return {p.r / s.settings.pixel, p.h / s.settings.pixel};
}

std::vector<RasterSearch::DrawnPixel> RasterSearch::drawn() const {
    std::vector<DrawnPixel> pixels;
    if (state_ == nullptr || !(state_->search.settings.pixel > 0.0)) return pixels;
    if (state_->search.drawn) raster::draw_virtual_edges(state_->search);
    const Search& s = state_->search;
    const double inverse = 1.0 / s.settings.pixel;
    const auto cell = [&](double x) { return static_cast<int>(std::floor(x * inverse)); };
    const auto add = [&](const raster::Chord& c, bool of_a, bool virtual_edge) {
        const raster::ChordRows rows(c.from, c.to);
        const int last = cell(rows.r().upper);
        for (int r = cell(rows.r().lower); r <= last; ++r) {
            const raster::Stretch part =
                rows.over(r * s.settings.pixel, (r + 1) * s.settings.pixel);
            pixels.push_back(
                {r, cell(part.h.lower), cell(part.h.upper), of_a, false, virtual_edge});
        }
    };
    for (const Body* body : {&s.a, &s.b}) {
        const bool of_a = body == &s.a;
        for (const raster::Chord& c : body->chords)
            add(c, of_a, false);
        for (const raster::Chord& c : body->virtual_chords)
            add(c, of_a, true);
        for (std::size_t v = 0; v < body->candidate.size(); ++v) {
            if (body->candidate[v] == 0) continue;
            const raster::ScreenPoint& p = body->point[v];
            pixels.push_back({cell(p.r), cell(p.h), cell(p.h), of_a, true, false});
        }
    }
    return pixels;
}

}  // namespace graze::rigid
