// Which way three points of the plane turn, and on which side of a plane a point lies: exactly.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "graze/core/big_integer.hpp"
#include "graze/core/vec3.hpp"

namespace graze {

struct Point2 {
    double x;
    double y;
};

namespace detail {

// Coordinates times 2^1074 are integers below 2^2098; differences below 2^2099, products below
// 2^4198, and the difference of two below 2^4199.
inline constexpr int kDifferenceBits = 1024 + 1074 + 1;
using TurnInteger = BigInteger<4199>;
static_assert(2 * kDifferenceBits + 1 <= TurnInteger::kCapacityBits);

// The least exponent of the numbers, at most 0: times 2 to its negative they are integers, of as
// few limbs as the numbers allow.
[[nodiscard]] inline int least_exponent(std::initializer_list<double> numbers) noexcept {
    int lowest = 0;
    for (const double x : numbers)
        if (x != 0.0) lowest = std::min(lowest, dyadic_parts(x).exponent);
    return lowest;
}

[[nodiscard]] inline int exact_turn(const Point2& a, const Point2& b, const Point2& c) noexcept {
    const int lowest = least_exponent({a.x, a.y, b.x, b.y, c.x, c.y});
    const auto integer = [&](double x) { return TurnInteger::from_scaled(x, -lowest); };
    const TurnInteger cx = integer(c.x);
    const TurnInteger cy = integer(c.y);
    const TurnInteger left = (integer(a.x) - cx) * (integer(b.y) - cy);
    const TurnInteger right = (integer(a.y) - cy) * (integer(b.x) - cx);
    return (left - right).sign();
}

// A determinant of three vectors of differences: six products of three, each below 2^6297.
inline constexpr int kDeterminantBits = 3 * kDifferenceBits + 3;
using DeterminantInteger = BigInteger<kDeterminantBits>;

template <class Integer>
[[nodiscard]] Integer determinant(const std::array<Integer, 3>& a, const std::array<Integer, 3>& b,
                                  const std::array<Integer, 3>& c) noexcept {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// p - q times 2^-lowest. Requires: lowest is not above an exponent of a coordinate.
template <class Integer>
[[nodiscard]] std::array<Integer, 3> exact_difference(const Vec3& p, const Vec3& q,
                                                      int lowest) noexcept {
    const auto integer = [&](double x) { return Integer::from_scaled(x, -lowest); };
    return {integer(p.x) - integer(q.x), integer(p.y) - integer(q.y), integer(p.z) - integer(q.z)};
}

[[nodiscard]] inline int exact_side(const Vec3& a, const Vec3& b, const Vec3& c,
                                    const Vec3& p) noexcept {
    using Integer = DeterminantInteger;
    const int lowest = least_exponent({a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, p.x, p.y, p.z});
    return determinant(exact_difference<Integer>(b, a, lowest),
                       exact_difference<Integer>(c, a, lowest),
                       exact_difference<Integer>(p, a, lowest))
        .sign();
}

// det(a, b, c), rounded, and the sum of the magnitudes of its six products.
struct RoundedDeterminant {
    double value;
    double magnitude;
};
[[nodiscard]] inline RoundedDeterminant rounded_determinant(const Vec3& a, const Vec3& b,
                                                            const Vec3& c) noexcept {
    const Vec3 bc = cross(b, c);
    const auto size = [&](double x, double y, double z, double w) {
        return std::fabs(x * y) + std::fabs(z * w);
    };
    return {dot(a, bc), std::fabs(a.x) * size(b.y, c.z, b.z, c.y) +
                            std::fabs(a.y) * size(b.z, c.x, b.x, c.z) +
                            std::fabs(a.z) * size(b.x, c.y, b.y, c.x)};
}

// Where the vectors are differences below this, no product of three overflows, and what underflow
// takes from a determinant (below 2^-1074 from a product of two, times the third, a few times) is
// below kUnderflow.
inline constexpr double kLargestFiltered = 0x1p+300;
inline constexpr double kUnderflow = 0x1p-700;

}  // namespace detail

// The sign of (a - c) x (b - c): 1 where a, b, c turn counterclockwise, 0 on a line.
// The filter: each product carries the roundings of two differences and its own, 3u and a bit, and
// the difference one more, so that 4u (|left| + |right|) bounds the error and 5u leaves room for
// the rounding of the bound; 2^-1070 covers products that underflow.
// Requires: finite coordinates.
[[nodiscard]] inline int turn(const Point2& a, const Point2& b, const Point2& c) noexcept {
    const double left = (a.x - c.x) * (b.y - c.y);
    const double right = (a.y - c.y) * (b.x - c.x);
    const double bound = 5.0 * 0x1p-53 * (std::fabs(left) + std::fabs(right)) + 0x1p-1070;
    const double value = left - right;
    // False where anything overflowed to infinity or to no number.
    if (std::fabs(value) > bound && bound < 0x1p+1000) return value > 0.0 ? 1 : -1;
    return detail::exact_turn(a, b, c);
}

// The side of the plane of a, b, c on which p lies: 1 where their normal points to (from there they
// turn counterclockwise), -1 on the other side, 0 on the plane or where a, b, c are on a line.
// The filter: a product of three carries the roundings of three differences, of two products and of
// the sums around it, three at most: 8u of its magnitude; the sum of magnitudes is itself rounded
// eight times, so that 9u of it is enough, and 12u leaves room for the rounding of the bound.
// Requires: finite coordinates.
[[nodiscard]] inline int plane_side(const Vec3& a, const Vec3& b, const Vec3& c,
                                    const Vec3& p) noexcept {
    const Vec3 ab = b - a;
    const Vec3 ac = c - a;
    const Vec3 ap = p - a;
    const double largest = std::max({norm_max(ab), norm_max(ac), norm_max(ap)});
    if (largest < detail::kLargestFiltered) {
        const detail::RoundedDeterminant d = detail::rounded_determinant(ab, ac, ap);
        const double bound = 12.0 * 0x1p-53 * d.magnitude + detail::kUnderflow;
        if (std::fabs(d.value) > bound) return d.value > 0.0 ? 1 : -1;
    }
    return detail::exact_side(a, b, c, p);
}

}  // namespace graze
