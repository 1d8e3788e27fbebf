#include "graze/rigid/pixels.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "graze/core/fp_environment.hpp"
#include "rigid/pixels/pen.hpp"
#include "rigid/pixels/resolve.hpp"
#include "rigid/pixels/scan.hpp"
#include "rigid/pixels/sub_edges.hpp"
#include "rigid/raster/facing.hpp"
#include "rigid/raster/pixel_size.hpp"

namespace graze::rigid {

struct PixelSearch::State {
    raster::Frame frame;
    pixels::PixelBody a;
    pixels::PixelBody b;
    pixels::Scan scan;
    std::vector<double> lengths;
    double pixel = 0.0;
};

namespace {

using pixels::PixelBody;

// [pixels] Coordinates of r and h fit into 32 bits: |h| <= |y| + r |phi| with |phi| < 3 pi.
constexpr double kMostPixelsAcross = 0x1p+26;

// Records and pairs are counted in 32 bits.
constexpr std::size_t kMostIndices = 0x7fff'ffff;

double largest(const raster::Range& r) noexcept {
    return std::max(std::fabs(r.lower), std::fabs(r.upper));
}

// Of straight motions `phi` is a coordinate of the screen.
double extent_of(const raster::Extent& e, bool turns) noexcept {
    const double most = std::max(largest(e.r), largest(e.y));
    return turns ? most : std::max(most, largest(e.phi));
}

Expected<void> check_extent(const raster::Frame& frame, double pixel) {
    const double most =
        std::max(extent_of(frame.a, frame.flow.turns), extent_of(frame.b, frame.flow.turns));
    if (most <= kMostPixelsAcross * pixel) return {};
    return Error{
        "the collision screen would be more than 2^26 pixels wide, as seen from the axis of the "
        "motion: take a larger pixel (option pixel)",
        ErrorCode::InvalidOption};
}

pixels::RowRange common_rows(const raster::Frame& frame, double pixel) {
    const double inverse = 1.0 / pixel;
    // A row more on either side, for rounding errors of the balls around the bodies.
    const auto first = pixels::pixel_of(frame.common_r.lower, inverse) - 1;
    const auto last = pixels::pixel_of(frame.common_r.upper, inverse) + 1;
    return {static_cast<std::int32_t>(first), static_cast<std::int32_t>(last)};
}

void prepare_body(PixelBody& of, const Polyhedron& shape, const raster::RigidMap& map,
                  const raster::Extent& extent, const raster::Flow& flow, double sign) {
    of.body.shape = &shape;
    of.body.map = map;
    of.body.sign = sign;
    of.theta = sign < 0.0 ? flow.theta : 0.0;
    // An ulp or so of doubt about the ball's angles.
    constexpr double kDoubt = 1e-9;
    of.across_cut = flow.turns && (extent.around || extent.phi.upper > raster::kPi - kDoubt ||
                                   extent.phi.lower < of.theta - raster::kPi + kDoubt);
    of.records.clear();
    of.vertices.clear();
}

// Facing parts (section 4.2), positions and normals in the coordinates of the screen.
void find_facing_parts(PixelBody& of, const raster::LocalTwist& twist) {
    raster::Body& body = of.body;
    raster::find_facing(body, twist);
    const auto at = body.shape->positions();
    body.position.resize(at.size());
    // All of them: the properness of a vertex looks at its neighbours.
    for (std::size_t v = 0; v < at.size(); ++v)
        body.position[v] = body.map(at[v]);
    body.normals.resize(body.faces.size());
    for (std::size_t f = 0; f < body.faces.size(); ++f)
        body.normals[f] = body.map.direction(body.shape->normal(f));
}

struct DrawnBody {
    bool is_full = false;
    bool has_doppeled = false;
};

DrawnBody draw_body(PixelBody& of, const raster::Flow& flow, const pixels::PenSettings& settings,
                    StopPoll& stop) {
    const raster::LocalTwist twist = raster::local_twist(of.body, flow);
    find_facing_parts(of, twist);
    pixels::PixelPen pen(flow, settings, of.records);
    pixels::SubEdges edges(of, flow, twist, pen);
    edges.draw_all(stop);
    pixels::add_vertex_pixels(of, flow, settings);
    return {pen.is_full(), edges.has_doppeled()};
}

Error too_many_pixels(std::size_t most) {
    return Error{"the edges of a body need more than " + std::to_string(most) +
                     " pixels: take a larger pixel (option pixel) or raise the option max_pixels",
                 ErrorCode::InvalidOption};
}

Error too_many_pairs(std::size_t most) {
    return Error{
        "more than " + std::to_string(most) +
            " pairs of features share a pixel: raise the option max_pairs, or take a smaller "
            "pixel (option pixel)",
        ErrorCode::InvalidOption};
}

}  // namespace

PixelSearch::PixelSearch() : state_(std::make_unique<State>()) {}
PixelSearch::~PixelSearch() = default;
PixelSearch::PixelSearch(PixelSearch&&) noexcept = default;
PixelSearch& PixelSearch::operator=(PixelSearch&&) noexcept = default;

Expected<PixelResult> PixelSearch::collisions(const Polyhedron& a, const Polyhedron& b,
                                              const PairStep& step, const PixelOptions& options) {
    return with_sound_arithmetic([&] { return sound_collisions(a, b, step, options); });
}

Expected<PixelResult> PixelSearch::sound_collisions(const Polyhedron& a, const Polyhedron& b,
                                                    const PairStep& step,
                                                    const PixelOptions& options) {
    if (const auto ok = check(step); !ok) return ok.error();
    if (const auto ok = raster::check_resolution(options.pixel, options.time_resolution,
                                                 options.min_properness);
        !ok)
        return ok.error();
    if (state_ == nullptr) state_ = std::make_unique<State>();
    State& s = *state_;
    s.a.records.clear();
    s.b.records.clear();
    s.a.vertices.clear();
    s.b.vertices.clear();
    PixelResult result;
    result.screw = relative_screw(step);
    const double pixel =
        options.pixel > 0.0 ? options.pixel : raster::default_pixel(a, b, s.lengths);
    s.pixel = pixel;
    if (const auto ok = raster::check_reach(a, b, step, pixel); !ok) return ok.error();
    s.frame = raster::choose_frame(a, b, result.screw, relative_start(step), pixel);
    const raster::Flow& flow = s.frame.flow;
    if (const auto ok = check_extent(s.frame, pixel); !ok) return ok.error();
    PixelStatistics& counts = result.statistics;
    counts.pixel = pixel;
    counts.time_resolution = options.time_resolution > 0.0
                                 ? options.time_resolution
                                 : raster::default_time_resolution(pixel, s.frame.max_speed);
    if (!raster::can_meet(s.frame, pixel)) {
        counts.stopped_early = true;
        return result;
    }
    StopPoll stop(options.stop);
    prepare_body(s.a, a, s.frame.of_a, s.frame.a, flow, -1.0);
    prepare_body(s.b, b, s.frame.of_b, s.frame.b, flow, 1.0);
    pixels::PenSettings pen{pixel, counts.time_resolution, common_rows(s.frame, pixel),
                            std::min(options.max_pixels, kMostIndices), true};
    counts.rows = pen.rows.count();
    if (counts.rows > options.max_pixels) return too_many_pixels(options.max_pixels);
    const DrawnBody drawn_a = draw_body(s.a, flow, pen, stop);
    pen.overlap_rows = false;
    const DrawnBody drawn_b = draw_body(s.b, flow, pen, stop);
    if (stop.now()) return Error{"cancelled", ErrorCode::Cancelled};
    if (drawn_a.is_full || drawn_b.is_full) return too_many_pixels(options.max_pixels);
    counts.doppeled = drawn_a.has_doppeled;
    counts.records_a = s.a.records.size();
    counts.records_b = s.b.records.size();

    pixels::sort_pixels(s.a, pen.rows);
    pixels::sort_pixels(s.b, pen.rows);
    s.scan.rows = pen.rows;
    s.scan.most_pairs = std::min(options.max_pairs, kMostIndices);
    s.scan.compared = 0;
    s.scan.in_faces.clear();
    for (pixels::PairTable* table :
         {&s.scan.edges, &s.scan.vertex_edges, &s.scan.edge_vertices, &s.scan.vertices})
        table->clear();
    pixels::find_vertices_in_faces(s.a, s.b, true, s.scan, stop);
    pixels::find_vertices_in_faces(s.b, s.a, false, s.scan, stop);
    pixels::find_crossings(s.a, s.b, s.scan, stop);
    if (stop.now()) return Error{"cancelled", ErrorCode::Cancelled};
    counts.compared = s.scan.compared;
    counts.pairs = s.scan.pairs();
    if (counts.pairs > s.scan.most_pairs) return too_many_pairs(options.max_pairs);
    pixels::Resolved resolved =
        pixels::resolve(s.a, s.b, flow, s.scan, pixel, options.min_properness, stop);
    if (stop.now()) return Error{"cancelled", ErrorCode::Cancelled};
    counts.not_converged = resolved.not_converged;
    result.collisions = std::move(resolved.collisions);
    return result;
}

RasterSearch::ScreenPlace PixelSearch::screen_place(const Vec3& position_in_a) const noexcept {
    if (state_ == nullptr || !(state_->pixel > 0.0)) return {0.0, 0.0};
    const raster::ScreenPoint p =
        raster::project(state_->frame.flow, state_->frame.of_a(position_in_a));
    return {p.r / state_->pixel, p.h / state_->pixel};
}

std::vector<RasterSearch::DrawnPixel> PixelSearch::drawn() const {
    std::vector<RasterSearch::DrawnPixel> all;
    if (state_ == nullptr) return all;
    for (const PixelBody* of : {&state_->a, &state_->b}) {
        const bool of_a = of == &state_->a;
        for (const pixels::PixelRecord& r : of->records)
            all.push_back({r.row, r.h_min, r.h_max, of_a, false, r.is_virtual()});
        for (const pixels::VertexPixel& v : of->vertices)
            all.push_back({v.row, v.h, v.h, of_a, true, false});
    }
    return all;
}

}  // namespace graze::rigid
