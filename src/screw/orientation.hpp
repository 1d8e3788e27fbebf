// Which way three points of the plane turn: exactly.
#pragma once

#include <algorithm>
#include <cmath>

#include "graze/core/big_integer.hpp"

namespace graze::screw {

struct Point2 {
    double x;
    double y;
};

namespace detail {

// Coordinates times 2^1074 are integers below 2^2098; differences below 2^2099, products below
// 2^4198, and the difference of two below 2^4199.
using TurnInteger = BigInteger<4199>;
static_assert(2 * (1024 + 1074 + 1) + 1 <= TurnInteger::kCapacityBits);

[[nodiscard]] inline int exact_turn(const Point2& a, const Point2& b, const Point2& c) noexcept {
    // The common power of two is as small as the coordinates allow: fewer limbs.
    int lowest = 0;
    for (const double x : {a.x, a.y, b.x, b.y, c.x, c.y})
        if (x != 0.0) lowest = std::min(lowest, dyadic_parts(x).exponent);
    const auto integer = [&](double x) { return TurnInteger::from_scaled(x, -lowest); };
    const TurnInteger cx = integer(c.x);
    const TurnInteger cy = integer(c.y);
    const TurnInteger left = (integer(a.x) - cx) * (integer(b.y) - cy);
    const TurnInteger right = (integer(a.y) - cy) * (integer(b.x) - cx);
    return (left - right).sign();
}

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

}  // namespace graze::screw
