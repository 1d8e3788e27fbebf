// Exact scaling by powers of two: the way to keep squares and products away from both ends of the
// range of doubles without spending a rounding.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "graze/core/assert.hpp"
#include "graze/core/rounding.hpp"

namespace graze {

// Exponents of the doubles that are powers of two, and of the normal ones among them.
inline constexpr int kMinExponent = -1074;
inline constexpr int kMinNormalExponent = -1022;
inline constexpr int kMaxExponent = 1023;

// 2^k. Requires: kMinExponent <= k <= kMaxExponent.
[[nodiscard]] constexpr double power_of_two(int k) noexcept {
    GRAZE_ASSERT(kMinExponent <= k && k <= kMaxExponent);
    const bool normal = k >= kMinNormalExponent;
    const int shift = normal ? 52 : k - kMinExponent;
    const std::uint64_t significand = normal ? static_cast<std::uint64_t>(k + kMaxExponent) : 1U;
    return std::bit_cast<double>(significand << shift);
}

// e with 2^e <= |x| < 2^(e+1), subnormal x included; nothing for zero, infinities and NaN.
[[nodiscard]] constexpr std::optional<int> binary_exponent(double x) noexcept {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(detail::magnitude(x));
    if (bits == 0 || !detail::finite(x)) return std::nullopt;
    const int biased = static_cast<int>(bits >> 52);
    if (biased > 0) return biased - kMaxExponent;
    return kMinExponent + static_cast<int>(std::bit_width(bits)) - 1;
}

// binary_exponent of the largest magnitude; nothing if all are zero or if any is not finite.
[[nodiscard]] constexpr std::optional<int> largest_exponent(
    std::span<const double> values) noexcept {
    double largest = 0.0;
    for (const double value : values) {
        if (!detail::finite(value)) return std::nullopt;
        largest = std::max(largest, detail::magnitude(value));
    }
    return binary_exponent(largest);
}

// RN(x 2^k) for any k: rounded at most once, infinite or zero where the range ends.
// Guarantee: exact where scales_exactly(x, k), in particular wherever the result is normal.
// Why at most once: what a single factor cannot do is done in three of at least 2^341 or at most
// 2^-341 each. An inexact step on the way down leaves less than 2^-1022, and the next step at most
// 2^-1363, which rounds to zero as the exact result does; a step that overflows on the way up does
// so because the result does. Beyond |k| = 2100 every result is zero or infinite.
[[nodiscard]] constexpr double scaled(double x, int k) noexcept {
    if (kMinNormalExponent <= k && k <= kMaxExponent) return x * power_of_two(k);
    const int total = std::clamp(k, -2100, 2100);
    const int third = total / 3;
    return x * power_of_two(third) * power_of_two(third) * power_of_two(total - 2 * third);
}

// True iff x 2^k is a double, so that scaled(x, k) rounds nothing: it does not overflow, and its
// last set bit is not below 2^-1074. Zero always is; what is not finite never is.
[[nodiscard]] constexpr bool scales_exactly(double x, int k) noexcept {
    if (x == 0.0) return true;
    const std::optional<int> exponent = binary_exponent(x);
    if (!exponent) return false;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x) & 0x000f'ffff'ffff'ffffU;
    const int unit = std::max(*exponent, kMinNormalExponent) - 52;
    const int last_bit = bits == 0 ? *exponent : unit + std::countr_zero(bits);
    return *exponent + k <= kMaxExponent && last_bit + k >= kMinExponent;
}

static_assert(power_of_two(0) == 1.0 && power_of_two(-1074) == 0x1p-1074);
static_assert(power_of_two(1023) == 0x1p+1023 && power_of_two(-1022) == 0x1p-1022);
static_assert(binary_exponent(3.0) == 1 && binary_exponent(0x1p-1074) == -1074);
static_assert(scaled(0x1p-1074, 2097) == 0x1p+1023 && scaled(0x1p+1023, -2097) == 0x1p-1074);

}  // namespace graze
