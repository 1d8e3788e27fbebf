#include "rigid/pixels/sub_edges.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/elementary.hpp"

namespace graze::rigid::pixels {
namespace {

using raster::Facing;
using raster::kPi;
using raster::kTurn;
using raster::Range;

constexpr Range kAll{0.0, 1.0};

bool is_empty(const Range& r) noexcept {
    return r.lower > r.upper;
}
bool contains(const Range& r, double u) noexcept {
    return r.lower <= u && u <= r.upper;
}

// Where a linear function with these values at both ends is 0; they are on different sides.
double zero_between(double from, double to) noexcept {
    return std::clamp(from / (from - to), 0.0, 1.0);
}

}  // namespace

SubEdges::SubEdges(const PixelBody& of, const Flow& flow, const raster::LocalTwist& twist,
                   PixelPen& pen)
    : of_(of), body_(of.body), flow_(flow), twist_(twist), pen_(pen) {
    begin_ = {0.0, 1.0, -kPi, -kPi, 1.0};
    end_ = {sine(of.theta), cosine(of.theta), of.theta - kPi, kPi + of.theta, -1.0};
}

void SubEdges::draw_all(StopPoll& stop) {
    const auto edges = static_cast<std::uint32_t>(body_.shape->edges().size());
    for (std::uint32_t e = 0; e < edges; ++e) {
        if (stop() || pen_.is_full()) return;
        draw_edge(e);
    }
    for (const std::uint32_t f : body_.facing_faces) {
        if (stop() || pen_.is_full()) return;
        if (body_.faces[f] == Facing::Part) draw_fold(f);
        if (!of_.across_cut) continue;
        draw_cut(f, begin_);
        draw_cut(f, end_);
    }
}

Range SubEdges::facing_range(std::uint32_t face, std::uint32_t edge) const noexcept {
    if (face == kNoFace || body_.faces[face] == Facing::None) return {};
    if (body_.faces[face] == Facing::All) return kAll;
    const raster::FacingFunction value = facing_function(twist_, body_.shape->normal(face));
    const auto at = body_.shape->positions();
    const double from = value(at[body_.edge(edge).from]);
    const double to = value(at[body_.edge(edge).to]);
    if (value.faces(from) && value.faces(to)) return kAll;
    if (!value.faces(from) && !value.faces(to)) return {};
    const double cut = zero_between(from, to);
    return value.faces(from) ? Range{0.0, cut} : Range{cut, 1.0};
}

void SubEdges::draw_edge(std::uint32_t edge) {
    const PolyhedronEdge& e = body_.edge(edge);
    Stretch stretch;
    stretch.left = facing_range(e.left, edge);
    stretch.right = facing_range(e.right, edge);
    if (is_empty(stretch.left) && is_empty(stretch.right)) return;
    stretch.from = body_.position[e.from];
    stretch.to = body_.position[e.to];
    stretch.as.edge = edge;
    stretch.as.left = e.left;
    stretch.as.right = e.right;
    stretch.as.from_vertex = true;
    stretch.as.to_vertex = true;
    draw_split(stretch);
}

template <class Value, class Inside>
void SubEdges::find_crossings(std::uint32_t face, const Vec3& d, Value value, Inside inside) {
    crossings_.clear();
    for (const std::uint32_t i : body_.shape->face_edges(face)) {
        const PolyhedronEdge& e = body_.edge(i);
        const double from = value(e.from);
        const double to = value(e.to);
        if (inside(from) == inside(to)) continue;
        // As the edge itself is split, so that the chains of pixels meet.
        const Vec3& x = body_.position[e.from];
        crossings_.push_back(x + zero_between(from, to) * (body_.position[e.to] - x));
    }
    std::stable_sort(crossings_.begin(), crossings_.end(),
                     [&](const Vec3& x, const Vec3& y) { return dot(d, x) < dot(d, y); });
}

// Where a face stops to face along the motion. The kept side is on the left of a line that runs
// along gradient x normal.
void SubEdges::draw_fold(std::uint32_t face) {
    const raster::FacingFunction value = facing_function(twist_, body_.shape->normal(face));
    const Vec3 d = cross(body_.map.direction(value.gradient), body_.normal(face));
    const auto at = body_.shape->positions();
    find_crossings(
        face, d, [&](std::uint32_t v) { return value(at[v]); },
        [&](double x) { return value.faces(x); });
    for (std::size_t i = 0; i + 1 < crossings_.size(); i += 2) {
        Stretch stretch;
        stretch.from = crossings_[i];
        stretch.to = crossings_[i + 1];
        stretch.left = kAll;
        stretch.as.left = face;
        draw_split(stretch);
    }
}

// Where a face leaves the strip. The half plane begins at the axis: a face that the axis pierces
// is cut from there outwards.
void SubEdges::draw_cut(std::uint32_t face, const Cut& cut) {
    const Vec3 d = cross(cut.kept_side * cut.gradient(), body_.normal(face));
    find_crossings(
        face, d, [&](std::uint32_t v) { return cut.side(body_.position[v]); },
        [](double x) { return x >= 0.0; });
    const raster::FacingFunction value = facing_function(twist_, body_.shape->normal(face));
    for (std::size_t i = 0; i + 1 < crossings_.size(); i += 2) {
        Vec3 from = crossings_[i];
        Vec3 to = crossings_[i + 1];
        const double ahead_from = cut.ahead(from);
        const double ahead_to = cut.ahead(to);
        if (!(ahead_from > 0.0) && !(ahead_to > 0.0)) continue;
        if (!(ahead_from > 0.0) || !(ahead_to > 0.0)) {
            const double u = zero_between(ahead_from, ahead_to);
            (ahead_from > 0.0 ? to : from) = {0.0, from.y + u * (to.y - from.y), 0.0};
        }
        if (body_.faces[face] == Facing::Part) {
            const double facing_from = value(body_.map.back(from));
            const double facing_to = value(body_.map.back(to));
            if (!value.faces(facing_from) && !value.faces(facing_to)) continue;
            if (value.faces(facing_from) != value.faces(facing_to)) {
                const Vec3 x = from + zero_between(facing_from, facing_to) * (to - from);
                (value.faces(facing_from) ? to : from) = x;
            }
        }
        SubEdge edge;
        edge.from = from;
        edge.to = to;
        edge.start = screen_point(flow_, from, cut.drawn_at);
        edge.end = screen_point(flow_, to, cut.drawn_at);
        edge.left = face;
        edge.fixed_angle = true;
        pen_.draw(edge);
    }
}

void SubEdges::add_split(const Stretch& stretch, const Cut& cut) {
    const double from = cut.side(stretch.from);
    const double to = cut.side(stretch.to);
    if ((from >= 0.0) == (to >= 0.0)) return;
    const double u = zero_between(from, to);
    if (cut.ahead(stretch.from + u * (stretch.to - stretch.from)) > 0.0)
        splits_.push_back({u, cut.angle, true});
}

void SubEdges::draw_split(const Stretch& stretch) {
    splits_.clear();
    for (const Range* range : {&stretch.left, &stretch.right}) {
        if (is_empty(*range)) continue;
        splits_.push_back({range->lower, 0.0, false});
        splits_.push_back({range->upper, 0.0, false});
    }
    if (of_.across_cut) {
        add_split(stretch, begin_);
        if (of_.theta > 0.0) add_split(stretch, end_);
    }
    std::stable_sort(splits_.begin(), splits_.end(), [](const Split& x, const Split& y) {
        return x.u != y.u ? x.u < y.u : x.at_cut > y.at_cut;
    });
    for (std::size_t i = 0; i + 1 < splits_.size(); ++i) {
        // The one at a cut comes first of those at one place.
        if (splits_[i].u < splits_[i + 1].u) draw_piece(stretch, splits_[i], splits_[i + 1]);
        if (splits_[i].at_cut && splits_[i].u == splits_[i + 1].u) splits_[i + 1] = splits_[i];
    }
}

ScreenPoint SubEdges::point_of(const Vec3& x, const Split& split, double near) const noexcept {
    if (!flow_.turns) return raster::project(flow_, x);
    const double angle = split.at_cut ? split.angle : raster::fast_angle(x.x, x.z);
    return screen_point(flow_, x, raster::unwrapped(angle, near));
}

void SubEdges::draw_piece(const Stretch& stretch, const Split& from, const Split& to) {
    const double middle = 0.5 * (from.u + to.u);
    SubEdge edge = stretch.as;
    if (!contains(stretch.left, middle)) edge.left = kNoFace;
    if (!contains(stretch.right, middle)) edge.right = kNoFace;
    if (edge.left == kNoFace && edge.right == kNoFace) return;
    const Vec3 along = stretch.to - stretch.from;
    edge.from = from.u == 0.0 ? stretch.from : stretch.from + from.u * along;
    edge.to = to.u == 1.0 ? stretch.to : stretch.from + to.u * along;
    edge.from_vertex = edge.from_vertex && from.u == 0.0;
    edge.to_vertex = edge.to_vertex && to.u == 1.0;
    const Vec3 x = stretch.from + middle * along;
    const double near = flow_.turns ? raster::fast_angle(x.x, x.z) : 0.0;
    edge.start = point_of(edge.from, from, near);
    edge.end = point_of(edge.to, to, near);
    pen_.draw(edge);
    if (!of_.across_cut || !(near < end_.angle)) return;
    has_doppeled_ = true;
    edge.start = screen_point(flow_, edge.from, edge.start.phi + kTurn);
    edge.end = screen_point(flow_, edge.to, edge.end.phi + kTurn);
    pen_.draw(edge);
}

void add_vertex_pixels(PixelBody& of, const Flow& flow, const PenSettings& settings) {
    const double inverse = 1.0 / settings.pixel;
    of.vertices.clear();
    const auto add = [&](std::uint32_t v, const ScreenPoint& p) {
        const std::int64_t row = pixel_of(p.r, inverse);
        if (!settings.rows.contains(row)) return;
        of.vertices.push_back({static_cast<std::int32_t>(row),
                               static_cast<std::int32_t>(pixel_of(p.h, inverse)), v, p.t});
    };
    for (std::uint32_t v = 0; v < of.body.candidate.size(); ++v) {
        if (of.body.candidate[v] == 0) continue;
        const Vec3& x = of.body.position[v];
        const ScreenPoint p = flow.turns ? screen_point(flow, x, raster::fast_angle(x.x, x.z))
                                         : raster::project(flow, x);
        add(v, p);
        if (of.across_cut && p.phi <= of.theta - kPi && of.theta > 0.0)
            add(v, screen_point(flow, x, p.phi + kTurn));
    }
}

}  // namespace graze::rigid::pixels
