// Bounds of distances, a little less tight and at a fraction of the cost of those of
// graze/core/norm_bounds.hpp.
#pragma once

#include <cmath>

#include "graze/core/norm_bounds.hpp"

namespace graze::robot::detail {

// Differences u each, squares and sums 3u, halved by the root, which has u: 3u, where no square overflows
// and those that underflow are below 2^-100 of the sum. 2^-48 is 32u.
[[nodiscard]] inline bool is_quick_square(double square) noexcept {
    return square > 0x1p-900 && square < 0x1p+1000;
}
[[nodiscard]] inline double quick_distance_lower(const Vec3& a, const Vec3& b) noexcept {
    const double square = norm_sq(a - b);
    return is_quick_square(square) ? std::sqrt(square) * (1.0 - 0x1p-48) : distance_lower(a, b);
}
[[nodiscard]] inline double quick_distance_upper(const Vec3& a, const Vec3& b) noexcept {
    const double square = norm_sq(a - b);
    return is_quick_square(square) ? std::sqrt(square) * (1.0 + 0x1p-48) : distance_upper(a, b);
}

}  // namespace graze::robot::detail
