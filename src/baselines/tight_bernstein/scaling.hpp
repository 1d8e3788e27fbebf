// Powers of two that bring a query to size 1.
#pragma once

#include "baselines/tight_bernstein/polynomials.hpp"

namespace graze::bernstein {

// The largest coordinate of b - a, c - a and d - a at both ends.
[[nodiscard]] inline double extent_of(const std::array<MovingPoint, 4>& corners) noexcept {
    double extent = 0.0;
    for (std::size_t corner = 1; corner < 4; ++corner) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            extent =
                std::max({extent, std::fabs(corners[corner].start[axis] - corners[0].start[axis]),
                          std::fabs(corners[corner].end[axis] - corners[0].end[axis])});
        }
    }
    return extent;
}

// Corners with the factor that brings their extent to [1, 2), or near it at the ends of the range.
// Where differences overflow, the corners are divided by 8 first. Subnormal ones then lose at most
// 2^-1075 each; the factor is below 1, and eta pays for it.
[[nodiscard]] inline FourCorners brought_to_size_one(
    const std::array<MovingPoint, 4>& corners) noexcept {
    constexpr double kLargest = 0x1p+1022;
    const double extent = extent_of(corners);
    if (extent < kLargest) return {corners, inverse_power_of_two(extent)};
    FourCorners smaller{corners, 1.0};
    for (MovingPoint& corner : smaller.at) {
        corner.start = 0.125 * corner.start;
        corner.end = 0.125 * corner.end;
    }
    smaller.factor = inverse_power_of_two(extent_of(smaller.at));
    return smaller;
}

}  // namespace graze::bernstein
