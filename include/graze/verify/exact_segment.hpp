// Distances of points, segments and triangles in rationals. Shares nothing with what it verifies.
#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <array>

#include "graze/slide/precision.hpp"

namespace graze::slide::test {

using Exact = std::array<mpq_class, 3>;
using ExactTriangle = std::array<Exact, 3>;

template <class Real>
Exact exact(const Vec<Real>& v) {
    return {mpq_class(double{v.x}), mpq_class(double{v.y}), mpq_class(double{v.z})};
}
inline Exact operator-(const Exact& a, const Exact& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Exact at(const Exact& a, const mpq_class& s, const Exact& along) {
    return {a[0] + s * along[0], a[1] + s * along[1], a[2] + s * along[2]};
}
inline mpq_class dot(const Exact& a, const Exact& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Exact cross(const Exact& a, const Exact& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

inline mpq_class point_segment_sq(const Exact& p, const Exact& a, const Exact& b) {
    const Exact edge = b - a;
    const mpq_class length_sq = dot(edge, edge);
    mpq_class s = 0;
    if (length_sq > 0) s = dot(p - a, edge) / length_sq;
    if (s < 0) s = 0;
    if (s > 1) s = 1;
    const Exact way = p - at(a, s, edge);
    return dot(way, way);
}

// Is a point of the plane of the triangle (which has area) in it?
inline bool is_inside(const Exact& p, const ExactTriangle& t, const Exact& normal) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (dot(normal, cross(t[(k + 1) % 3] - t[k], p - t[k])) < 0) return false;
    }
    return true;
}

inline mpq_class point_triangle_sq(const Exact& p, const ExactTriangle& t) {
    mpq_class best = point_segment_sq(p, t[0], t[1]);
    best = std::min(best, point_segment_sq(p, t[1], t[2]));
    best = std::min(best, point_segment_sq(p, t[2], t[0]));
    const Exact normal = cross(t[1] - t[0], t[2] - t[0]);
    const mpq_class normal_sq = dot(normal, normal);
    if (normal_sq == 0) return best;
    const mpq_class height = dot(normal, p - t[0]);
    const Exact foot = at(p, -height / normal_sq, normal);
    if (is_inside(foot, t, normal)) best = std::min(best, mpq_class(height * height / normal_sq));
    return best;
}

inline mpq_class segment_segment_sq(const Exact& a, const Exact& b, const Exact& c,
                                    const Exact& d) {
    mpq_class best = std::min(point_segment_sq(a, c, d), point_segment_sq(b, c, d));
    best = std::min(best, point_segment_sq(c, a, b));
    best = std::min(best, point_segment_sq(d, a, b));
    const Exact u = b - a;
    const Exact v = d - c;
    const Exact n = cross(u, v);
    const mpq_class n_sq = dot(n, n);
    if (n_sq == 0) return best;
    const Exact way = c - a;
    const mpq_class s = dot(cross(way, v), n) / n_sq;
    const mpq_class t = dot(cross(way, u), n) / n_sq;
    if (s < 0 || s > 1 || t < 0 || t > 1) return best;
    const mpq_class height = dot(way, n);
    return std::min(best, mpq_class(height * height / n_sq));
}

inline mpq_class segment_triangle_sq(const Exact& a, const Exact& b, const ExactTriangle& t) {
    mpq_class best = std::min(point_triangle_sq(a, t), point_triangle_sq(b, t));
    for (std::size_t k = 0; k < 3; ++k)
        best = std::min(best, segment_segment_sq(a, b, t[k], t[(k + 1) % 3]));
    const Exact normal = cross(t[1] - t[0], t[2] - t[0]);
    const mpq_class side_a = dot(normal, a - t[0]);
    const mpq_class side_b = dot(normal, b - t[0]);
    if (side_a == side_b || side_a * side_b > 0) return best;
    if (is_inside(at(a, side_a / (side_a - side_b), b - a), t, normal)) return 0;
    return best;
}

// Divides each axis by a radius: the space in which an ellipsoid is a ball.
inline Exact divided(const Exact& p, const Exact& radii) {
    return {p[0] / radii[0], p[1] / radii[1], p[2] / radii[2]};
}

}  // namespace graze::slide::test
