// Quaternions and their matrices, with the error of each (RM-2).
#pragma once

#include <cmath>

#include "graze/core/quaternion.hpp"
#include "graze/rigid/motion.hpp"

namespace graze::rigid::detail {

// RM-2: unit length within 5u.
inline constexpr double kNormalisedError = 5.0 * 0x1p-53;
[[nodiscard]] inline Quaternion unit_of(const Quaternion& q) noexcept {
    const double inverse = std::sqrt(norm_sq(q));
    return {q.w / inverse, q.x / inverse, q.y / inverse, q.z / inverse};
}

// RM-2: the matrix of x -> q x q*, off by 2 e (1 + e) + 7.2u for a q that is off by e.
[[nodiscard]] inline Matrix3 matrix_of(const Quaternion& q) noexcept {
    const auto [w, x, y, z] = q;
    return {Vec3{(w * w + x * x) - (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
            Vec3{2.0 * (x * y + w * z), (w * w + y * y) - (x * x + z * z), 2.0 * (y * z - w * x)},
            Vec3{2.0 * (x * z - w * y), 2.0 * (y * z + w * x), (w * w + z * z) - (x * x + y * y)}};
}
[[nodiscard]] constexpr double error_of_matrix(double e) noexcept {
    return 2.0 * e * (1.0 + 0x1p-20) + 8.0 * 0x1p-53;
}

}  // namespace graze::rigid::detail
