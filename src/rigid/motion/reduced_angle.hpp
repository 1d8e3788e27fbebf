// Sine and cosine of angles up to many full rotations, with proved bounds (RM-3).
#pragma once

#include <cmath>
#include <cstdint>

#include "rigid/impact/sine.hpp"

namespace graze::rigid::detail {

// pi/2 = kHalfPiHigh + kHalfPiLow + less than 2^-86: 33 bits, so that a multiple by an integer below
// 2^20 is a double, and the rest to the nearest.
inline constexpr double kHalfPiHigh = 0x1.921fb544p+0;
inline constexpr double kHalfPiLow = 0x1.0b4611a626331p-34;
inline constexpr double kLargestReduced = 0x1p+20;
// |error| of each at most, in units of u.
inline constexpr double kReducedRoundoffs = 12.0;

// Requires: 0 <= x <= kLargestReduced. Small x (below 0.78): the sine's error is relative.
[[nodiscard]] inline SineCosine reduced_sine_cosine(double x) noexcept {
    constexpr double kInverseHalfPi = 0.63661977236758134;
    const auto k = static_cast<std::int64_t>(x * kInverseHalfPi + 0.5);
    const auto quarters = static_cast<double>(k);
    const double r = (x - quarters * kHalfPiHigh) - quarters * kHalfPiLow;
    const SineCosine of_size = sine_cosine(std::fabs(r));
    const double s = r < 0.0 ? -of_size.sine : of_size.sine;
    const double c = of_size.cosine;
    switch (k & 3) {
        case 0:
            return {s, c};
        case 1:
            return {c, -s};
        case 2:
            return {-s, -c};
        default:
            return {-c, s};
    }
}

}  // namespace graze::rigid::detail
