// Lengths and determinants where products underflow (RI-6).
#pragma once

#include <cmath>

#include "graze/core/vec3.hpp"

namespace graze::rigid::detail {

// |v| less 4.1u of it, or more: squares that underflow lose less than 2^-536 of the length.
[[nodiscard]] inline double length_with_underflow(const Vec3& v) noexcept {
    return std::sqrt(norm_sq(v)) + 0x1p-530;
}

// By how much dot(p, cross(q, r)) may be off for products that underflow, beside its rounding errors: at
// most 2^-1073 (|p| + 1), since each of two products in a coordinate of the cross is off by 2^-1075, and
// each of three in the dot. What underflows in the bounds themselves is no more than that.
[[nodiscard]] inline double underflow_of_det(double length_of_p) noexcept {
    return 0x1p-1000 * (1.0 + length_of_p);
}

}  // namespace graze::rigid::detail
