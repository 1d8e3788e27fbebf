// Squared Euclidean distances of points, segments and triangles at rest: estimates.
//
// Primitives without length or area are no special case: the feature whose place cannot be told is
// left to its corners and edges. No division by zero.
#pragma once

#include <algorithm>

#include "graze/core/vec3.hpp"

namespace graze::additive {

// From the point w to the segment from 0 along e.
[[nodiscard]] inline double from_segment_sq(const Vec3& w, const Vec3& e) noexcept {
    const double ahead = dot(w, e);
    if (!(ahead > 0.0)) return norm_sq(w);
    const double length_sq = norm_sq(e);
    if (ahead >= length_sq) return norm_sq(w - e);
    return norm_sq(w - (ahead / length_sq) * e);
}

[[nodiscard]] inline double point_point_sq(const Vec3& p, const Vec3& q) noexcept {
    return norm_sq(p - q);
}
[[nodiscard]] inline double point_segment_sq(const Vec3& p, const Vec3& a, const Vec3& b) noexcept {
    return from_segment_sq(p - a, b - a);
}

// |w . n|^2 / |n|^2: from the plane through 0 with the normal n.
[[nodiscard]] inline double from_plane_sq(const Vec3& w, const Vec3& n) noexcept {
    const double height = dot(w, n);
    return height / norm_sq(n) * height;
}

// In the order of the regions: above the inside of the triangle, else next to one of its edges.
[[nodiscard]] inline double point_triangle_sq(const Vec3& p, const Vec3& a, const Vec3& b,
                                              const Vec3& c) noexcept {
    const Vec3 e = b - a;
    const Vec3 g = c - a;
    const Vec3 w = p - a;
    const Vec3 n = cross(e, g);
    const double size = norm_sq(n);
    const double at_b = dot(cross(w, g), n);
    const double at_c = dot(cross(e, w), n);
    if (at_b > 0.0 && at_c > 0.0 && at_b + at_c < size) return from_plane_sq(w, n);
    return std::min({from_segment_sq(w, e), from_segment_sq(w, g), from_segment_sq(p - b, c - b)});
}

// Where the lines are nearest within both segments, else at an end of one. Of nearly parallel lines
// neither place nor distance is well known; but then an end is about as near as any other point.
[[nodiscard]] inline double segment_segment_sq(const Vec3& a, const Vec3& b, const Vec3& c,
                                               const Vec3& d) noexcept {
    const Vec3 e = b - a;
    const Vec3 g = d - c;
    const Vec3 w = c - a;
    const double ends = std::min({from_segment_sq(w, e), from_segment_sq(d - a, e),
                                  from_segment_sq(-w, g), from_segment_sq(b - c, g)});
    const Vec3 n = cross(e, g);
    const double size = norm_sq(n);
    const double on_first = dot(cross(w, g), n);
    const double on_second = dot(cross(w, e), n);
    const bool within = on_first > 0.0 && on_first < size && on_second > 0.0 && on_second < size;
    return within ? std::min(ends, from_plane_sq(w, n)) : ends;
}

}  // namespace graze::additive
