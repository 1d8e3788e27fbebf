// Estimates of the nearest points of segments and triangles, each on what it is said to lie on.
#pragma once

#include <algorithm>
#include <array>

#include "graze/core/vec3.hpp"

namespace graze::rigid::detail {

using Triangle = std::array<Vec3, 3>;

// Two points whose distance proves that the triangles they lie on are no farther from each other.
struct Witness {
    Vec3 a;
    Vec3 b;
};

[[nodiscard]] inline double clamp01(double x) noexcept {
    return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

// An estimate (Ericson 2005, section 5.1.9): any s and t in [0, 1] give a witness.
[[nodiscard]] inline Witness nearest_of_segments(const Vec3& p, const Vec3& p2, const Vec3& q,
                                                 const Vec3& q2) noexcept {
    const Vec3 d1 = p2 - p;
    const Vec3 d2 = q2 - q;
    const Vec3 r = p - q;
    const double a = norm_sq(d1);
    const double e = norm_sq(d2);
    const double b = dot(d1, d2);
    const double c = dot(d1, r);
    const double f = dot(d2, r);
    const double det = a * e - b * b;
    double s = det > 0.0 ? clamp01((b * f - c * e) / det) : 0.0;
    const double t = e > 0.0 ? clamp01((b * s + f) / e) : 0.0;
    if (a > 0.0) s = clamp01((b * t - c) / a);
    return {p + s * d1, q + t * d2};
}

// An estimate, too: any barycentric weights that are not negative give a point of the triangle.
[[nodiscard]] inline Vec3 nearest_on_triangle(const Vec3& p, const Triangle& t) noexcept {
    const Vec3 ab = t[1] - t[0];
    const Vec3 ac = t[2] - t[0];
    const Vec3 ap = p - t[0];
    const double d00 = norm_sq(ab);
    const double d01 = dot(ab, ac);
    const double d11 = norm_sq(ac);
    const double d20 = dot(ap, ab);
    const double d21 = dot(ap, ac);
    const double det = d00 * d11 - d01 * d01;
    if (!(det > 0.0)) return t[0];
    // The nearest inside only: what is nearest to an edge is found by nearest_of_segments.
    const double v = clamp01((d11 * d20 - d01 * d21) / det);
    const double w = std::min(clamp01((d00 * d21 - d01 * d20) / det), 1.0 - v);
    return t[0] + v * ab + w * ac;
}

}  // namespace graze::rigid::detail
