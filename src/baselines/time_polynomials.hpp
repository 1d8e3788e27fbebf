// Distances between moving primitives as polynomials in time, in floating point: coefficient i is
// that of t^i. What overflows shows in the coefficients.
#pragma once

#include <array>
#include <cstddef>

#include "graze/core/vec3.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::baselines {

// A vector x + v t.
struct Line {
    Vec3 x;
    Vec3 v;
};
[[nodiscard]] inline Line between(const MovingPoint& from, const MovingPoint& to) noexcept {
    return {to.start - from.start, (to.end - from.end) - (to.start - from.start)};
}

// A vector P + Q t + R t^2.
struct Parabola {
    Vec3 p;
    Vec3 q;
    Vec3 r;
};
[[nodiscard]] inline Parabola cross(const Line& a, const Line& b) noexcept {
    return {cross(a.x, b.x), cross(a.v, b.x) + cross(a.x, b.v), cross(a.v, b.v)};
}

// Coefficients of 1, t, ..., t^degree.
template <std::size_t degree>
using TimePolynomial = std::array<double, degree + 1>;

[[nodiscard]] inline TimePolynomial<2> norm_sq(const Line& a) noexcept {
    return {norm_sq(a.x), 2.0 * dot(a.x, a.v), norm_sq(a.v)};
}
[[nodiscard]] inline TimePolynomial<4> norm_sq(const Parabola& n) noexcept {
    return {norm_sq(n.p), 2.0 * dot(n.p, n.q), 2.0 * dot(n.p, n.r) + norm_sq(n.q),
            2.0 * dot(n.q, n.r), norm_sq(n.r)};
}
[[nodiscard]] inline TimePolynomial<3> dot(const Line& q, const Parabola& n) noexcept {
    return {dot(q.x, n.p), dot(q.x, n.q) + dot(q.v, n.p), dot(q.x, n.r) + dot(q.v, n.q),
            dot(q.v, n.r)};
}

// |a|^2 - d^2: two points that `a` leads from one to the other.
[[nodiscard]] inline TimePolynomial<2> point_point(const Line& a, double d_sq) noexcept {
    TimePolynomial<2> result = norm_sq(a);
    result[0] -= d_sq;
    return result;
}

// |a x b|^2 - d^2 |b|^2, with a from a point of the line to the point and b along the line.
[[nodiscard]] inline TimePolynomial<4> point_line(const Line& a, const Line& b,
                                                  double d_sq) noexcept {
    TimePolynomial<4> result = norm_sq(cross(a, b));
    const TimePolynomial<2> along = norm_sq(b);
    for (std::size_t i = 0; i < along.size(); ++i)
        result[i] -= d_sq * along[i];
    return result;
}

// (q.N)^2 - d^2 |N|^2: the distance along N of two points that q leads from one to the other.
[[nodiscard]] inline TimePolynomial<6> along_normal(const Line& q, const Parabola& n,
                                                    double d_sq) noexcept {
    const TimePolynomial<3> f = dot(q, n);
    TimePolynomial<6> result{};
    for (std::size_t i = 0; i < f.size(); ++i) {
        for (std::size_t j = 0; j < f.size(); ++j)
            result[i + j] += f[i] * f[j];
    }
    const TimePolynomial<4> normal = norm_sq(n);
    for (std::size_t i = 0; i < normal.size(); ++i)
        result[i] -= d_sq * normal[i];
    return result;
}

}  // namespace graze::baselines
