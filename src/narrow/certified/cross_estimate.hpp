// The sign of u_j w_k - u_k w_j at a time of a bracket, in floating point, where it is certain
// (docs/derivations/certified_exact.md, CE-9). Spares the exact product for nearly all sides of a
// polygon; a zero is never certain unless it holds at all times.
//
// Notation
//   u_j, ...    coordinates, linear in t with integer coefficients c0, c1 of at most two limbs
//   size        |c0| + |c1|: an upper bound of the coordinate on [0, 1]
//   w           the width of the bracket
//   u           2^-53; an operation errs by at most 2u of its result, u in rounding to nearest
#pragma once

#include <cmath>
#include <optional>

#include "graze/core/strict_arithmetic.hpp"

namespace graze::certified {

// Where the sign is wanted: at some time of [lower, upper].
struct SignBracket {
    double lower = 0.0;
    double upper = 0.0;
};

struct CrossEstimate {
    double value = 0.0;
    double error = 0.0;  // |value - exact| is less at all times of the bracket, or all are zero
};

// A coordinate at the lower end of the bracket.
struct CoordinateEstimate {
    double value = 0.0;
    double size = 0.0;
};
template <class Linear>
[[nodiscard]] CoordinateEstimate coordinate_est(const Linear& p, double t) noexcept {
    const double c0 = p[0].nearest();
    const double c1 = p[1].nearest();
    return {c0 + c1 * t, std::abs(c0) + std::abs(c1)};
}

// CE-9: the error is below (56u + 3w) (size_uj size_wk + size_uk size_wj), in any rounding mode.
inline constexpr double kCrossRounding = 64.0 * 0x1p-53;
inline constexpr double kCrossMotion = 4.0;
static_assert(kCrossRounding > 56.0 * 0x1p-53 && kCrossMotion > 3.0);

template <class Linear>
[[nodiscard]] CrossEstimate cross_est(const Linear& uj, const Linear& uk, const Linear& wj,
                                      const Linear& wk, const SignBracket& bracket) noexcept {
    const CoordinateEstimate a = coordinate_est(uj, bracket.lower);
    const CoordinateEstimate b = coordinate_est(uk, bracket.lower);
    const CoordinateEstimate c = coordinate_est(wj, bracket.lower);
    const CoordinateEstimate d = coordinate_est(wk, bracket.lower);
    const double width = bracket.upper - bracket.lower;
    return {a.value * d.value - b.value * c.value,
            (kCrossRounding + kCrossMotion * width) * (a.size * d.size + b.size * c.size)};
}

// The sign, where it is certain.
[[nodiscard]] inline std::optional<int> certain_sign(const CrossEstimate& estimate) noexcept {
    if (estimate.error == 0.0) return 0;  // each product has a factor that is zero at all times
    if (estimate.value > estimate.error) return 1;
    if (estimate.value < -estimate.error) return -1;
    return std::nullopt;
}

}  // namespace graze::certified
