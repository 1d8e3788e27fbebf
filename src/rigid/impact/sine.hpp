// Sine and cosine on [0, pi/2 + 2^-20] with proved bounds: no library function is trusted.
//
// sin x = x (1 - z/6 (1 - z/20 (1 - ...))), cos x = 1 - z/2 (1 - z/12 (1 - ...)), z = x^2.
// Derivation of the bounds: docs/derivations/rigid_impact.md, section RI-2.
#pragma once

#include <array>
#include <cstddef>

namespace graze::rigid::detail {

struct SineCosine {
    double sine = 0.0;
    double cosine = 1.0;
};

// Terms beyond the leading one. What is left out, at x = 1.571: 1.571^25 / 25! < 2^-67 of the sine,
// 1.571^24 / 24! < 2^-63 of the cosine.
inline constexpr std::size_t kSineTerms = 11;
// At x = 1/2: 2^-17 / 17! < 2^-64 of the sine, 2^-16 / 16! < 2^-60 of the cosine.
inline constexpr std::size_t kFewSineTerms = 7;
inline constexpr double kFewSineLargest = 0.5;
// |error| <= kSineRoundoffs u, for the sine even relatively, for the cosine absolutely.
inline constexpr double kSineRoundoffs = 10.0;
inline constexpr double kSineLargest = 1.571;

namespace series {

// 1 / (2k (2k + 1)) and 1 / ((2k - 1) 2k), k = 1 ... 11.
consteval std::array<double, kSineTerms> reciprocals(bool of_sine) {
    std::array<double, kSineTerms> result{};
    for (std::size_t i = 0; i < kSineTerms; ++i) {
        const double k = static_cast<double>(2 * (i + 1));
        result[i] = of_sine ? 1.0 / (k * (k + 1.0)) : 1.0 / ((k - 1.0) * k);
    }
    return result;
}
inline constexpr std::array<double, kSineTerms> kSine = reciprocals(true);
inline constexpr std::array<double, kSineTerms> kCosine = reciprocals(false);

// The nested bracket: b = 1; b <- 1 - (z r_k) b from the last term to the first.
template <std::size_t kTerms>
constexpr double nested(double z, const std::array<double, kSineTerms>& r) noexcept {
    double b = 1.0;
    for (std::size_t i = kTerms; i-- > 0;)
        b = 1.0 - (z * r[i]) * b;
    return b;
}

// The error of the bracket in units of u, by the same recursion: z has a relative error of 1 (its
// own rounding), r 1, the two products 1 each, so that z r b is off by (4 + e/b) of itself with
// b <= 1; the difference adds 1. The factor 1.001 pays for squares of u.
constexpr double nested_roundoffs(const std::array<double, kSineTerms>& r) noexcept {
    const double z = kSineLargest * kSineLargest;
    double e = 0.0;
    for (std::size_t i = kSineTerms; i-- > 0;)
        e = z * r[i] * (e + 4.0) * 1.001 + 1.0;
    return e;
}
// The sine's bracket is at least sin(1.571)/1.571 > 0.636; one rounding for the product with x, and
// 2^-67 / 2^-53 for what is left out.
static_assert(nested_roundoffs(kSine) / 0.636 + 1.0 + 0x1p-13 <= kSineRoundoffs);
static_assert(nested_roundoffs(kCosine) + 0x1p-9 <= kSineRoundoffs);
// Fewer terms have fewer roundings; what is left out is 2^-64 / 2^-53 and 2^-60 / 2^-53 at most.
static_assert(nested_roundoffs(kSine) / 0.636 + 1.0 + 0x1p-11 <= kSineRoundoffs);
static_assert(nested_roundoffs(kCosine) + 0x1p-7 <= kSineRoundoffs);

}  // namespace series

// Requires: 0 <= x <= kSineLargest.
[[nodiscard]] constexpr SineCosine sine_cosine(double x) noexcept {
    const double z = x * x;
    if (x <= kFewSineLargest) {
        return {x * series::nested<kFewSineTerms>(z, series::kSine),
                series::nested<kFewSineTerms>(z, series::kCosine)};
    }
    return {x * series::nested<kSineTerms>(z, series::kSine),
            series::nested<kSineTerms>(z, series::kCosine)};
}

}  // namespace graze::rigid::detail
