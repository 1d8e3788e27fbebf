// Proved bounds of lengths and distances, at any scale.
//
// Notation: u = 2^-53. Derivation of the tightness: docs/derivations/rounding.md, section RD-7.
// Fails to the safe side: coordinates that are not finite give 0 from x_lower, +inf from x_upper.
#pragma once

#include <algorithm>
#include <array>

#include "graze/core/power_of_two.hpp"
#include "graze/core/rounding.hpp"
#include "graze/core/vec3.hpp"

namespace graze {

// Where the exact length is a normal number and does not overflow:
//   (1 - kNormRoundoffs u) |v| <= norm_lower(v) <= |v| <= norm_upper(v) <= (1 + kNormRoundoffs u)
//   |v|
// squares 1, two sums 2 directed roundings of 2u each, halved by the root: 3u; root 2u; and one
// unit for terms in u^2 and for squares that underflow (RD-7).
inline constexpr int kNormRoundoffs = 6;
static_assert(kNormRoundoffs == (3 * 2) / 2 /*squares, sums*/ + 2 /*root*/ + 1 /*higher order*/);

namespace detail {

struct RoundDown {
    static double add(double a, double b) noexcept { return add_down(a, b); }
    static double mul(double a, double b) noexcept { return mul_down(a, b); }
    static double root(double a) noexcept { return sqrt_down(a); }
};
struct RoundUp {
    static double add(double a, double b) noexcept { return add_up(a, b); }
    static double mul(double a, double b) noexcept { return mul_up(a, b); }
    static double root(double a) noexcept { return sqrt_up(a); }
};

template <class Round>
[[nodiscard]] double root_of_squares(const Vec3& v) noexcept {
    const double xy = Round::add(Round::mul(v.x, v.x), Round::mul(v.y, v.y));
    return Round::root(Round::add(xy, Round::mul(v.z, v.z)));
}

// The length of (x, y, z) >= 0, each operation rounded one way. Squares of the largest coordinate
// are kept in [2^-900, 2^1002] by a power of two where need be; the others may underflow, which
// directed rounding covers.
// Requires: coordinates that are finite and not negative.
template <class Round>
[[nodiscard]] double directed_norm(const Vec3& v) noexcept {
    const double largest = std::max({v.x, v.y, v.z});
    if (0x1p-450 <= largest && largest <= 0x1p+500) return root_of_squares<Round>(v);
    const std::optional<int> exponent = binary_exponent(largest);
    if (!exponent) return 0.0;
    const int k = std::clamp(*exponent, -kMaxExponent, kMaxExponent);
    const double down = power_of_two(-k);
    const Vec3 near_one = {Round::mul(v.x, down), Round::mul(v.y, down), Round::mul(v.z, down)};
    return Round::mul(root_of_squares<Round>(near_one), power_of_two(k));
}

[[nodiscard]] constexpr Vec3 magnitudes(const Vec3& v) noexcept {
    return {magnitude(v.x), magnitude(v.y), magnitude(v.z)};
}

// |a - b| rounded one way; the larger number comes first, so that the difference is not negative.
[[nodiscard]] constexpr double gap_down(double a, double b) noexcept {
    return a >= b ? sub_down(a, b) : sub_down(b, a);
}
[[nodiscard]] constexpr double gap_up(double a, double b) noexcept {
    return a >= b ? sub_up(a, b) : sub_up(b, a);
}

}  // namespace detail

// Bounds of the Euclidean length. Cost: three to four times the unproved norm().
[[nodiscard]] inline double norm_lower(const Vec3& v) noexcept {
    if (!is_finite(v)) return 0.0;
    return detail::directed_norm<detail::RoundDown>(detail::magnitudes(v));
}
[[nodiscard]] inline double norm_upper(const Vec3& v) noexcept {
    if (!is_finite(v)) return detail::kInfinite;
    return detail::directed_norm<detail::RoundUp>(detail::magnitudes(v));
}

// At least |x| + |y| + |z|.
[[nodiscard]] inline double norm_one_upper(const Vec3& v) noexcept {
    const Vec3 m = detail::magnitudes(v);
    return add_up(add_up(m.x, m.y), m.z);
}

// The largest magnitude, exactly; +inf if a coordinate is not finite.
[[nodiscard]] inline double norm_max_upper(const Vec3& v) noexcept {
    return is_finite(v) ? norm_max(v) : detail::kInfinite;
}

// Bounds of the Euclidean distance of two points, the rounding of their difference included.
[[nodiscard]] inline double distance_lower(const Vec3& a, const Vec3& b) noexcept {
    if (!is_finite(a) || !is_finite(b)) return 0.0;
    const Vec3 gap = {detail::gap_down(a.x, b.x), detail::gap_down(a.y, b.y),
                      detail::gap_down(a.z, b.z)};
    return norm_lower(gap);
}
[[nodiscard]] inline double distance_upper(const Vec3& a, const Vec3& b) noexcept {
    if (!is_finite(a) || !is_finite(b)) return detail::kInfinite;
    return norm_upper(
        {detail::gap_up(a.x, b.x), detail::gap_up(a.y, b.y), detail::gap_up(a.z, b.z)});
}

}  // namespace graze
