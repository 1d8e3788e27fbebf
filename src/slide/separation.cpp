#include "slide/separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graze::slide {
namespace {

double product_size(const Vec3& w, const Vec3& v) noexcept {
    return std::fabs(w.x * v.x) + std::fabs(w.y * v.y) + std::fabs(w.z * v.z);
}

Direction from_corner(const LocalTriangle& t, std::size_t k, const Vec3& point) noexcept {
    return {point - t.corner[k], t.corner[k], Feature::Vertex};
}

// Twice, so that what is left along the edge is a rounding of w, and not of the longer way to the
// corner: for long edges that counts.
Direction from_edge(const Vec3& a, const Vec3& b, const Vec3& point) noexcept {
    const Vec3 edge = b - a;
    const Vec3 way = point - a;
    const double length_sq = norm_sq(edge);
    const double along = dot(way, edge) / length_sq;
    const Vec3 first = way - along * edge;
    const Vec3 w = first - (dot(first, edge) / length_sq) * edge;
    return {w, a + along * edge, Feature::Edge};
}

Direction from_face(const LocalTriangle& t, const Vec3& point) noexcept {
    const double height = dot(t.normal, point - t.corner[0]);
    return {height < 0.0 ? -t.normal : t.normal, point - height * t.normal, Feature::Face};
}

// A proved distance along w, for a choice between directions.
double reach_of(const LocalTriangle& t, const Vec3& w, const Vec3& point) noexcept {
    const SlackLine line = slack_line(t, w, {point, point}, 0.0);
    return line.at_from / line.length;
}

// Of thin triangles: the best of all edges and the face, since signs of areas tell nothing there.
Direction from_thin(const LocalTriangle& t, const Vec3& point) noexcept {
    Direction best = from_face(t, point);
    double reach = reach_of(t, best.w, point);
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& a = t.corner[k];
        const Vec3& b = t.corner[(k + 1) % 3];
        const Vec3 edge = b - a;
        const double along = dot(point - a, edge);
        Direction next;
        if (!(along > 0.0)) {
            next = from_corner(t, k, point);
        } else if (!(along < norm_sq(edge))) {
            next = from_corner(t, (k + 1) % 3, point);
        } else {
            next = from_edge(a, b, point);
        }
        const double next_reach = reach_of(t, next.w, point);
        if (!(next_reach <= reach)) {
            best = next;
            reach = next_reach;
        }
    }
    return best;
}

}  // namespace

// The region of the triangle that the point is over (Ericson, Real-Time Collision Detection, 5.1.5).
Direction direction_to(const LocalTriangle& t, const Vec3& point) noexcept {
    if (t.thin) return from_thin(t, point);
    const Vec3 ab = t.corner[1] - t.corner[0];
    const Vec3 ac = t.corner[2] - t.corner[0];
    const Vec3 ap = point - t.corner[0];
    const double d1 = dot(ab, ap);
    const double d2 = dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) return from_corner(t, 0, point);
    const Vec3 bp = point - t.corner[1];
    const double d3 = dot(ab, bp);
    const double d4 = dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) return from_corner(t, 1, point);
    if (d1 * d4 - d3 * d2 <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
        return from_edge(t.corner[0], t.corner[1], point);
    const Vec3 cp = point - t.corner[2];
    const double d5 = dot(ab, cp);
    const double d6 = dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) return from_corner(t, 2, point);
    if (d5 * d2 - d1 * d6 <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
        return from_edge(t.corner[0], t.corner[2], point);
    if (d3 * d6 - d5 * d4 <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
        return from_edge(t.corner[1], t.corner[2], point);
    return from_face(t, point);
}

SlackLine slack_line(const LocalTriangle& t, const Vec3& w, const Path& path,
                     double radius) noexcept {
    // At most four roundings short of the length; eight are put on.
    const double length = std::sqrt(norm_sq(w)) * (1.0 + 0x1p-50);
    // So that no underflow counts beside radius * length.
    if (!(length >= 0x1p-400)) return {-std::numeric_limits<double>::infinity(), 0.0, 1.0};
    const double top = std::max({dot(w, t.corner[0]), dot(w, t.corner[1]), dot(w, t.corner[2])});
    const double taken = radius * length + (top + kSumError * product_size(w, t.largest));
    const double from = dot(w, path.from) - kSumError * product_size(w, path.from);
    const double to = dot(w, path.to) - kSumError * product_size(w, path.to);
    const double at_from = from - taken;
    const double slope = to - from;
    // One rounding each, two taken off.
    return {at_from - 0x1p-52 * std::fabs(at_from), slope - 0x1p-52 * std::fabs(slope), length};
}

}  // namespace graze::slide
