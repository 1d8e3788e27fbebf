// Numbers of some 105 bits with a proved radius: the arithmetic of the set-up of a motion.
//
// A Ball stands for some real within `radius` of hi + lo. Every operation gives a ball around all
// results of the exact operation on its operands. u = 2^-53; |lo| <= u |hi|.
// Fails closed: what overflows or is divided by a ball that may hold 0 has an infinite or NaN
// radius, which no comparison takes for small.
#pragma once

#include <cmath>

#include "graze/core/rounding.hpp"
#include "graze/core/vec3.hpp"

namespace graze::rigid::detail {

// Pays for the handful of rounding errors in a radius itself, each relatively 2^-53.
inline constexpr double kRadiusSlack = 1.0 + 0x1p-48;
// Pays for products that underflow: each loses at most 2^-1074, and no operation has 2^70 of them.
inline constexpr double kUnderflow = 0x1p-1000;

struct Ball {
    double hi = 0.0;
    double lo = 0.0;
    double radius = 0.0;

    constexpr Ball() noexcept = default;
    constexpr Ball(double number) noexcept : hi(number) {}
    constexpr Ball(double high, double low, double error) noexcept
        : hi(high), lo(low), radius(error) {}
};

// Bounds of the magnitude of every number in the ball.
[[nodiscard]] inline double magnitude_upper(const Ball& a) noexcept {
    return (std::fabs(a.hi) + std::fabs(a.lo) + a.radius) * kRadiusSlack;
}
[[nodiscard]] inline double magnitude_lower(const Ball& a) noexcept {
    return (std::fabs(a.hi) * (1.0 - 0x1p-51) - a.radius) * (1.0 - 0x1p-51);
}
// How far every number in the ball is from `hi` at most.
[[nodiscard]] inline double error_of_hi(const Ball& a) noexcept {
    return (std::fabs(a.lo) + a.radius) * kRadiusSlack;
}

[[nodiscard]] inline Ball operator-(const Ball& a) noexcept {
    return {-a.hi, -a.lo, a.radius};
}

// Rounding errors: lo + lo, which is u^2 (|a| + |b|) at most times 2u; the tail's sum, a tail below
// 2u (|a| + |b|) times u: together below 4 u^2 (|a| + |b|). Both two_sum are exact.
[[nodiscard]] inline Ball operator+(const Ball& a, const Ball& b) noexcept {
    const ValueAndError sum = two_sum(a.hi, b.hi);
    const ValueAndError result = two_sum(sum.value, sum.error + (a.lo + b.lo));
    const double rounding = 0x1p-104 * (std::fabs(a.hi) + std::fabs(b.hi));
    return {result.value, result.error, (a.radius + b.radius + rounding) * kRadiusSlack};
}
[[nodiscard]] inline Ball operator-(const Ball& a, const Ball& b) noexcept {
    return a + (-b);
}

// Left out: lo lo, u^2 |a b|. Rounding errors of the two cross terms u^2 each, of their sum 2 u^2,
// of the tail 3 u^2: 8 u^2 |a b| in all.
[[nodiscard]] inline Ball operator*(const Ball& a, const Ball& b) noexcept {
    const ValueAndError product = two_prod(a.hi, b.hi);
    const ValueAndError result =
        two_sum(product.value, product.error + (a.hi * b.lo + a.lo * b.hi));
    const double size_a = std::fabs(a.hi);
    const double size_b = std::fabs(b.hi);
    // |a| <= (1 + u) size_a: the slack pays for u.
    const double spread = size_a * b.radius + size_b * a.radius + a.radius * b.radius;
    const double rounding = 0x1p-103 * (size_a * size_b) + kUnderflow;
    return {result.value, result.error, (spread + rounding) * kRadiusSlack};
}

// q = q1 + q2 by the schoolbook; the radius comes from the remainder: a/b - q = (a - q b) / b.
[[nodiscard]] inline Ball operator/(const Ball& a, const Ball& b) noexcept {
    const double first = a.hi / b.hi;
    const double second = (a - Ball(first) * b).hi / b.hi;
    const ValueAndError q = two_sum(first, second);
    const double remainder = magnitude_upper(a - Ball(q.value, q.error, 0.0) * b);
    const double divisor = magnitude_lower(b);
    const double radius = divisor > 0.0 ? remainder / divisor : graze::detail::kInfinite;
    return {q.value, q.error, radius * kRadiusSlack + kUnderflow};
}

// s = s1 + s2 by Newton's step; the radius from the remainder: sqrt(a) - s = (a - s^2) /
// (sqrt(a) + s), whose divisor is at least s. Requires: the ball holds positive numbers only (else
// the radius is infinite).
[[nodiscard]] inline Ball square_root(const Ball& a) noexcept {
    if (!(a.hi > 0.0 && magnitude_lower(a) > 0.0)) return {0.0, 0.0, graze::detail::kInfinite};
    const double first = std::sqrt(a.hi);
    const double second = (a - Ball(first) * Ball(first)).hi / (2.0 * first);
    const ValueAndError s = two_sum(first, second);
    const Ball root(s.value, s.error, 0.0);
    const double remainder = magnitude_upper(a - root * root);
    return {s.value, s.error, remainder / magnitude_lower(root) * kRadiusSlack + kUnderflow};
}

// Vectors and quaternions of balls: each operation is that of its components.
struct BallVector {
    Ball x;
    Ball y;
    Ball z;
};
struct BallQuaternion {
    Ball w;
    BallVector v;
};

[[nodiscard]] inline BallVector operator+(const BallVector& a, const BallVector& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] inline BallVector operator-(const BallVector& a, const BallVector& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] inline BallVector operator*(const Ball& s, const BallVector& a) noexcept {
    return {s * a.x, s * a.y, s * a.z};
}
[[nodiscard]] inline Ball dot(const BallVector& a, const BallVector& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline BallVector cross(const BallVector& a, const BallVector& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] inline Vec3 nearest(const BallVector& a) noexcept {
    return {a.x.hi, a.y.hi, a.z.hi};
}
// How far nearest(a) is from every vector in `a` at most, in the Euclidean norm (by the sum of the
// coordinates' errors, which is no less).
[[nodiscard]] inline double error_of_nearest(const BallVector& a) noexcept {
    return (error_of_hi(a.x) + error_of_hi(a.y) + error_of_hi(a.z)) * kRadiusSlack;
}
// The same without the rounding of the last operation.
[[nodiscard]] inline double radius_of(const BallVector& a) noexcept {
    return (a.x.radius + a.y.radius + a.z.radius) * kRadiusSlack;
}

// Hamilton's product, (w, v)(w', v') = (w w' - v . v', w v' + w' v + v x v'), and |q|^2.
[[nodiscard]] inline BallQuaternion conjugate(const BallQuaternion& q) noexcept {
    return {q.w, {-q.v.x, -q.v.y, -q.v.z}};
}
[[nodiscard]] inline BallQuaternion operator*(const BallQuaternion& a,
                                              const BallQuaternion& b) noexcept {
    return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
}
[[nodiscard]] inline Ball norm_sq(const BallQuaternion& q) noexcept {
    return q.w * q.w + dot(q.v, q.v);
}

}  // namespace graze::rigid::detail
