// Directed rounding and error-free transformations in round-to-nearest arithmetic.
//
// Notation
//   u = 2^-53        unit roundoff: |fl(x) - x| <= u |x| for results that are normal
//   eta = 2^-1074    smallest subnormal; every double is a multiple of it
//   Omega            largest finite double, (2 - 2^-52) 2^1023
//   RN, RD, RU       the real number rounded to nearest, down, up
//
// Derivations: docs/derivations/rounding.md, sections RD-1 to RD-6.
// Needs: std::fma rounded once (IEEE 754 fusedMultiplyAdd), with or without hardware for it.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "graze/core/strict_arithmetic.hpp"

namespace graze {

namespace detail {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
inline constexpr double kLargest = std::numeric_limits<double>::max();
inline constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

// constexpr forms of std::fabs and std::isfinite.
[[nodiscard]] constexpr double magnitude(double x) noexcept {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7fff'ffff'ffff'ffffU);
}
[[nodiscard]] constexpr bool finite(double x) noexcept {
    return magnitude(x) <= kLargest;
}
[[nodiscard]] constexpr bool finite(double a, double b) noexcept {
    return finite(a) && finite(b);
}

}  // namespace detail

// The next double above x. next_up(0) = next_up(-0) = 2^-1074, next_up(-2^-1074) = -0,
// next_up(Omega) = inf, next_up(-inf) = -Omega; inf and NaN stay what they are.
[[nodiscard]] constexpr double next_up(double x) noexcept {
    if (!(x < detail::kInfinite)) return x;
    if (x == 0.0) return detail::kSmallest;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    return std::bit_cast<double>(x > 0.0 ? bits + 1 : bits - 1);
}

// The next double below x: -next_up(-x).
[[nodiscard]] constexpr double next_down(double x) noexcept {
    return -next_up(-x);
}

static_assert(next_up(0.0) == 0x1p-1074 && next_down(0.0) == -0x1p-1074);
static_assert(next_up(-0x1p-1074) == 0.0 && next_down(0x1p-1022) == 0x1p-1022 - 0x1p-1074);
static_assert(next_up(detail::kLargest) == detail::kInfinite);
static_assert(next_down(detail::kInfinite) == detail::kLargest);
static_assert(next_up(1.0) == 1.0 + 0x1p-52 && next_down(1.0) == 1.0 - 0x1p-53);

namespace detail {

// a b + c, rounded once, by integers. Cost: some 30 ns.
[[nodiscard]] double software_fma(double a, double b, double c) noexcept;

// The fma of mingw-w64 rounds twice: a tenth of all errors of products would be wrong.
// GRAZE_SOFTWARE_FMA selects the integers everywhere, so that they are tested.
[[nodiscard]] inline double fused(double a, double b, double c) noexcept {
#if defined(GRAZE_SOFTWARE_FMA) || (defined(__MINGW32__) && !defined(__FMA__))
    return software_fma(a, b, c);
#else
    return std::fma(a, b, c);
#endif
}

}  // namespace detail

// A rounded result and what the rounding took away.
struct ValueAndError {
    double value = 0.0;
    double error = 0.0;
    friend constexpr bool operator==(const ValueAndError&, const ValueAndError&) noexcept = default;
};

// value = RN(a + b), value + error = a + b.
// Guarantee: exact unless the sum overflows; underflow does no harm (RD-2).
// Requires: |a| >= |b| or a = 0, for this form. Cost: 3 operations.
[[nodiscard]] constexpr ValueAndError fast_two_sum(double a, double b) noexcept {
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

// The same for operands in any order. Cost: 6 operations, no branch (Knuth).
// Guarantee: exact unless the sum overflows or |a| = Omega, where the error may be NaN.
[[nodiscard]] constexpr ValueAndError two_sum(double a, double b) noexcept {
    const double sum = a + b;
    const double a_part = sum - b;
    const double b_part = sum - a_part;
    return {sum, (a - a_part) + (b - b_part)};
}

// value = RN(a - b), value + error = a - b; as two_sum.
[[nodiscard]] constexpr ValueAndError two_diff(double a, double b) noexcept {
    return two_sum(a, -b);
}

// value = RN(a b), value + error = a b.
// Guarantee: exact where a b = 0 or 2^-968 <= |a b| and the product does not overflow: a b is a
// multiple of 2^-106 times a power of two near |a b|, so the error is a multiple of eta (RD-3).
[[nodiscard]] inline ValueAndError two_prod(double a, double b) noexcept {
    const double product = a * b;
    return {product, detail::fused(a, b, -product)};
}

namespace detail {

// Residuals: numbers with the sign of (exact result - nearest), zero iff the two are equal.
// All require finite operands and a finite `nearest`.

// Below this magnitude a residual could underflow to zero, so that operands are scaled first.
// Nonzero residuals are at least 2^-107 times the magnitude tested (RD-3 to RD-5): 2^-1067 >= eta.
inline constexpr int kResidualBits = 107;
inline constexpr double kResidualSafe = 0x1p-960;
static_assert(-960 - kResidualBits >= -1074, "a residual must not underflow");

// Exact: with the larger operand first nothing overflows unless the sum does (RD-2).
[[nodiscard]] constexpr double sum_residual(double a, double b, double nearest) noexcept {
    return magnitude(a) >= magnitude(b) ? b - (nearest - a) : a - (nearest - b);
}

// RD-3. A product that rounds to zero keeps the sign of its factors. Another one exceeds 2^-1075, so
// that 2^300 lifts the residual above 2^(-1075 + 300 - 107); the smaller factor is below 2^-479.
[[nodiscard]] inline double product_residual(double a, double b, double nearest) noexcept {
    if (magnitude(nearest) >= kResidualSafe) [[likely]]
        return detail::fused(a, b, -nearest);
    if (nearest == 0.0) {
        if (a == 0.0 || b == 0.0) return 0.0;
        return (a < 0.0) == (b < 0.0) ? 1.0 : -1.0;
    }
    const bool scale_a = magnitude(a) <= magnitude(b);
    const double small = (scale_a ? a : b) * 0x1p+300;
    return detail::fused(small, scale_a ? b : a, -nearest * 0x1p+300);
}
static_assert(-1075 + 300 - kResidualBits >= -1074);

// RD-4. a - q b has the sign of (a/b - q) b. Where |a| < 2^-960 and q is not zero, |b| < 2^115, so
// that a and b can both be scaled by 2^200.
[[nodiscard]] inline double quotient_residual(double a, double b, double nearest) noexcept {
    if (nearest == 0.0) {
        if (a == 0.0) return 0.0;
        return (a < 0.0) == (b < 0.0) ? 1.0 : -1.0;
    }
    const double scale = magnitude(a) >= kResidualSafe ? 1.0 : 0x1p+200;
    const double remainder = detail::fused(-nearest, b * scale, a * scale);
    return b > 0.0 ? remainder : -remainder;
}
static_assert(-1074 + 200 - kResidualBits >= -1074);

// RD-5. x - s^2 has the sign of sqrt(x) - s.
[[nodiscard]] inline double root_residual(double x, double nearest) noexcept {
    const double scale = x >= kResidualSafe ? 1.0 : 0x1p+100;
    const double root = nearest * scale;
    return detail::fused(-root, root, x * scale * scale);
}

[[nodiscard]] constexpr double step_down(double nearest, double residual) noexcept {
    return residual < 0.0 ? next_down(nearest) : nearest;
}
[[nodiscard]] constexpr double step_up(double nearest, double residual) noexcept {
    return residual > 0.0 ? next_up(nearest) : nearest;
}

// RD where the nearest result is not finite: finite operands have overflowed, beyond Omega.
[[nodiscard]] constexpr double overflowed_down(double nearest, bool operands_finite) noexcept {
    return operands_finite && nearest > 0.0 ? kLargest : -kInfinite;
}

}  // namespace detail

// Directed rounding of the four operations and the square root.
//
// Guarantee, for all finite operands: x_down gives RD and x_up gives RU of the exact result, that
// is the tightest bound there is; subnormal results, signed zeros and overflow included (RD of a
// result beyond Omega is Omega, RU is inf). A zero may come with either sign.
// Fails to the safe side: an operand that is not finite, a zero divisor or the root of a negative
// number gives -inf from x_down and +inf from x_up.
// Requires: fp_environment() is Sound. Cost: one to three times the plain operation for sums, one
// fused multiply-add more for the others.
[[nodiscard]] constexpr double add_down(double a, double b) noexcept {
    const double sum = a + b;
    if (!detail::finite(sum)) return detail::overflowed_down(sum, detail::finite(a, b));
    return detail::step_down(sum, detail::sum_residual(a, b, sum));
}
[[nodiscard]] constexpr double add_up(double a, double b) noexcept {
    return -add_down(-a, -b);
}

[[nodiscard]] constexpr double sub_down(double a, double b) noexcept {
    return add_down(a, -b);
}
[[nodiscard]] constexpr double sub_up(double a, double b) noexcept {
    return add_up(a, -b);
}

[[nodiscard]] inline double mul_down(double a, double b) noexcept {
    const double product = a * b;
    if (!detail::finite(product)) return detail::overflowed_down(product, detail::finite(a, b));
    return detail::step_down(product, detail::product_residual(a, b, product));
}
[[nodiscard]] inline double mul_up(double a, double b) noexcept {
    return -mul_down(-a, b);
}

[[nodiscard]] inline double div_down(double a, double b) noexcept {
    const double quotient = a / b;
    if (!detail::finite(quotient, b)) {
        return detail::overflowed_down(quotient, detail::finite(a, b) && b != 0.0);
    }
    return detail::step_down(quotient, detail::quotient_residual(a, b, quotient));
}
[[nodiscard]] inline double div_up(double a, double b) noexcept {
    return -div_down(-a, b);
}

[[nodiscard]] inline double sqrt_down(double x) noexcept {
    if (!(x >= 0.0 && detail::finite(x))) return -detail::kInfinite;
    const double root = std::sqrt(x);
    return detail::step_down(root, detail::root_residual(x, root));
}
[[nodiscard]] inline double sqrt_up(double x) noexcept {
    if (!(x >= 0.0 && detail::finite(x))) return detail::kInfinite;
    const double root = std::sqrt(x);
    return detail::step_up(root, detail::root_residual(x, root));
}

static_assert(add_down(1.0, 0x1p-60) == 1.0 && add_up(1.0, 0x1p-60) == 1.0 + 0x1p-52);
static_assert(sub_down(1.0, 0x1p-60) == 1.0 - 0x1p-53 && sub_up(1.0, 0x1p-60) == 1.0);

}  // namespace graze
