#include "rigid/raster/cull.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/elementary.hpp"
#include "rigid/face_cones.hpp"
#include "rigid/raster/doppel.hpp"
#include "rigid/raster/search.hpp"

namespace graze::rigid::raster {
namespace {

constexpr std::size_t kGroupSize = 8;
// A group whose normals differ by more than this would hardly ever be left out for its normals.
constexpr double kLeastCosine = 0.97;
// [radians] What rounding errors of directions may come to, and far more.
constexpr double kAngleRounding = 1e-6;
// Cones do not help for thresholds near -1, and asin is steep there.
constexpr double kLeastThreshold = -0.99;

// min(p, 0): how far below 0 a term of a properness may be that is reported.
double shortfall(const Settings& s) noexcept {
    return std::max(0.0, -s.min_properness);
}
bool knows_directions(const Settings& s) noexcept {
    return s.min_properness > kLeastThreshold;
}

Range known_or_everywhere(const Range& range, double by) noexcept {
    const Range wide = range.widened(by);
    return wide.lower <= wide.upper ? wide : Range{-kFar, kFar};
}

// Where points are that come within the reach of the box.
ScreenBox within_reach(const Search& s, const ScreenBox& box) noexcept {
    double h_most = std::max(std::fabs(box.h.lower), std::fabs(box.h.upper));
    // Copies of A are at other heights.
    const int most = std::max(std::abs(s.frame.copies.first), std::abs(s.frame.copies.last));
    if (most > 0) h_most += kTurn * most * box.r.upper;
    const Bending slope = slopes_at(s, box.r.lower, h_most);
    const double reach = s.settings.reach;
    Range r = known_or_everywhere(box.r, reach);
    if (s.frame.flow.turns) r.lower = std::max(0.0, r.lower);
    return {r, known_or_everywhere(box.h, reach * slope.slope_h),
            known_or_everywhere(box.t, 2.0 * (s.settings.time_resolution + reach * slope.slope_t))};
}

// The largest of the cones of all its faces, from the axis of the group on. Two unit vectors whose
// difference is c long are 2 asin(c / 2) from each other.
void bound_directions(const Search& s, const Body& body, std::span<const std::uint32_t> faces,
                      FaceGroup& group) {
    group.faces = group.vertices = kAnyNormal;
    Vec3 sum;
    for (const std::uint32_t f : faces)
        sum = sum + body.normal(f);
    const double length = norm(sum);
    if (!(length > 0.0) || !knows_directions(s.settings)) return;
    group.axis = (1.0 / length) * sum;
    double off_sq = 0.0;
    FaceCone cone{0.0F, 0.0F, 0.0F, 0.0F};
    for (const std::uint32_t f : faces) {
        off_sq = std::max(off_sq, norm_sq(body.normal(f) - group.axis));
        const FaceCone& own = body.shape->cone(f);
        cone = {std::max(cone.faces, own.faces), std::max(cone.tilt, own.tilt),
                std::max(cone.slope, own.slope), std::max(cone.gain, own.gain)};
    }
    if (cone.faces >= kAnyNormal || !(off_sq < 2.0)) return;
    const double off = 2.0 * arc_sine(0.5 * std::sqrt(off_sq)) + kAngleRounding;
    group.faces = off + cone.faces;
    const double sine = (shortfall(s.settings) + double{cone.slope}) * double{cone.gain};
    if (sine < 1.0) group.vertices = off + cone.tilt + arc_sine(sine);
}

void close_group(const Search& s, const Body& body, FaceGroups& of, std::size_t first) {
    FaceGroup group;
    group.first = static_cast<std::uint32_t>(first);
    group.last = static_cast<std::uint32_t>(of.list.size());
    const auto faces = std::span(of.list).subspan(first);
    for (const std::uint32_t f : faces)
        group.box.include(body.face_box[f]);
    group.box = within_reach(s, group.box);
    bound_directions(s, body, faces, group);
    of.groups.push_back(group);
}

void make_groups(const Search& s, const Body& body, FaceGroups& of) {
    of.list.clear();
    of.groups.clear();
    std::size_t first = 0;
    for (const std::uint32_t f : body.shape->spatial_order()) {
        if (body.wanted_face[f] == 0) continue;
        const std::size_t count = of.list.size() - first;
        const bool differs =
            count > 0 && dot(body.normal(of.list[first]), body.normal(f)) < kLeastCosine;
        if (count == kGroupSize || differs) {
            close_group(s, body, of, first);
            first = of.list.size();
        }
        of.list.push_back(f);
    }
    if (first < of.list.size()) close_group(s, body, of, first);
    of.kept.assign(of.groups.size(), 0);
}

Box box_of(const ScreenBox& b) noexcept {
    return {{b.r.lower, b.h.lower, b.t.lower}, {b.r.upper, b.h.upper, b.t.upper}};
}

// Of what is finite: the rest is clamped.
FloatMap<3> map_around(std::span<const FaceGroup> groups) {
    Box all;
    for (const FaceGroup& group : groups) {
        const Box box = box_of(group.box);
        if (is_finite(box.lower)) all.add(box.lower);
        if (is_finite(box.upper)) all.add(box.upper);
    }
    return float_map_around(all);
}

// Whether a normal can be within the angles of both groups at a time at which their boxes meet. A
// collision has a face and a vertex, or two edges, whose normal is within asin of the shortfall of
// an arc between normals of faces.
class Directions {
public:
    explicit Directions(const Search& s) noexcept
        : flow_(s.frame.flow),
          known_(knows_directions(s.settings)),
          of_edges_(known_ ? 2.0 * arc_sine(shortfall(s.settings)) : kPi) {
        rotation_ = flow_.turns ? flow_.theta : norm(flow_.angular);
    }
    [[nodiscard]] bool meet(const FaceGroup& a, const FaceGroup& b, const Range& t_a) const {
        if (!known_) return true;
        const double lower = std::clamp(t_a.lower - b.box.t.upper, 0.0, 1.0);
        const double upper = std::clamp(t_a.upper - b.box.t.lower, 0.0, 1.0);
        const double limit =
            std::max({a.vertices + b.faces, a.faces + b.vertices, a.faces + b.faces + of_edges_}) +
            0.5 * rotation_ * (upper - lower) + kAngleRounding;
        if (!(limit < 0.5 * kPi)) return true;
        // 1 - x^2 / 2 <= cos x.
        const Vec3 axis = flow_.turned(b.axis, flow_.turn(0.5 * (lower + upper)));
        return std::fabs(dot(a.axis, axis)) >= 1.0 - 0.5 * limit * limit;
    }

private:
    const Flow& flow_;
    bool known_;
    double of_edges_;
    double rotation_ = 0.0;  // [radians] of B in the whole step
};

// Marks the groups of both bodies that can meet.
void mark_groups(Search& s) {
    Culling& c = s.culling;
    const FloatMap<3> map = map_around(c.b.groups);
    c.tree.resize(c.b.groups.size());
    c.tree.fit([&](std::size_t i) { return map.map(box_of(c.b.groups[i].box)); });
    const Directions directions(s);
    for (std::size_t i = 0; i < c.a.groups.size() && !s.stop(); ++i) {
        const FaceGroup& a = c.a.groups[i];
        for (int k = s.frame.copies.first; k <= s.frame.copies.last; ++k) {
            ScreenBox box = doppeled(s.frame.flow, a.box, k);
            const Range t_a = box.t;
            box.t.lower -= 1.0;
            c.tree.search(map.map(box_of(box)), [&](std::uint32_t j) {
                if (c.a.kept[i] != 0 && c.b.kept[j] != 0) return true;
                if (directions.meet(a, c.b.groups[j], t_a)) c.a.kept[i] = c.b.kept[j] = 1;
                return true;
            });
        }
    }
}

void keep_marked(Body& body, const FaceGroups& of, std::vector<std::uint8_t>& needed_vertex) {
    std::fill(body.wanted_face.begin(), body.wanted_face.end(), std::uint8_t{0});
    std::fill(body.wanted_edge.begin(), body.wanted_edge.end(), std::uint8_t{0});
    needed_vertex.assign(body.candidate.size(), 0);
    body.box = {};
    for (std::size_t i = 0; i < of.groups.size(); ++i) {
        if (of.kept[i] == 0) continue;
        const FaceGroup& group = of.groups[i];
        for (std::uint32_t k = group.first; k < group.last; ++k) {
            const std::uint32_t f = of.list[k];
            body.wanted_face[f] = 1;
            body.box.include(body.face_box[f]);
            for (const std::uint32_t e : body.shape->face_edges(f))
                body.wanted_edge[e] = 1;
            for (const std::uint32_t v : body.shape->face(f))
                needed_vertex[v] = 1;
        }
    }
    for (std::size_t v = 0; v < needed_vertex.size(); ++v)
        body.candidate[v] &= needed_vertex[v];
}

std::size_t wanted_faces(const Body& body) noexcept {
    return static_cast<std::size_t>(
        std::count(body.wanted_face.begin(), body.wanted_face.end(), std::uint8_t{1}));
}

}  // namespace

void cull_groups(Search& s) {
    if (!s.settings.cull || wanted_faces(s.a) + wanted_faces(s.b) < kManyFaces) return;
    make_groups(s, s.a, s.culling.a);
    make_groups(s, s.b, s.culling.b);
    mark_groups(s);
    if (s.stop.now()) return;
    keep_marked(s.a, s.culling.a, s.culling.needed_vertex);
    keep_marked(s.b, s.culling.b, s.culling.needed_vertex);
}

}  // namespace graze::rigid::raster
