// The pose of a rigid body: a rotation and a translation, taken as they are given.
//
// Values and declarations only; the arithmetic is in src/core/pose.cpp.
#pragma once

#include <array>
#include <span>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"

namespace graze {

// w + x i + y j + z k. It stands for the rotation x -> q x q^-1, which does not depend on its
// length: nothing is lost by a quaternion that is off unit length by a rounding error.
struct Quaternion {
    double w = 1.0;
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
    friend constexpr bool operator==(const Quaternion&, const Quaternion&) noexcept = default;
};

// The rigid map x -> q x q^-1 + translation, of exact numbers.
struct Pose {
    Quaternion rotation;
    Vec3 translation;
    friend constexpr bool operator==(const Pose&, const Pose&) noexcept = default;
};

// The quaternion of a rotation by `angle` about `axis` (right-hand rule; any length but 0).
[[nodiscard]] Quaternion rotation_about(const Vec3& axis, double angle) noexcept;

// To the nearest double, each: what pictures and unproved steps work with.
[[nodiscard]] Vec3 rotate(const Quaternion& rotation, const Vec3& v) noexcept;
[[nodiscard]] Vec3 apply(const Pose& pose, const Vec3& point) noexcept;
[[nodiscard]] Quaternion normalised(const Quaternion& q) noexcept;
[[nodiscard]] Pose inverse(const Pose& pose) noexcept;
// x -> first(second(x)).
[[nodiscard]] Pose compose(const Pose& first, const Pose& second) noexcept;

// [length] Translations beyond it have squares and products that leave the range of doubles.
inline constexpr double kMaxTranslation = 0x1p+300;

// Error: a number that is not finite, a translation beyond kMaxTranslation, or a squared length of
// the quaternion that differs from 1 by more than 1e-6. `name` is whose pose it is.
[[nodiscard]] Expected<void> check(const Pose& pose, const char* name);

// How far a matrix may be off a rotation: the scalar products of its rows from those of an
// orthonormal frame, and the last row of a 4 x 4 matrix from (0, 0, 0, 1).
inline constexpr double kMatrixTolerance = 1e-6;

// The pose of a 3 x 4 (12 numbers) or 4 x 4 (16 numbers) matrix [R | t], row by row, which acts on
// columns. A matrix within the tolerance becomes the unit quaternion that is nearest to within the
// tolerance; the pose is that of the returned doubles, to which all guarantees refer.
// Errors: another count of numbers, a number that is not finite, and what is no rotation within
// kMatrixTolerance (the message names the row, from 0), a reflection, a translation beyond
// kMaxTranslation.
[[nodiscard]] Expected<Pose> pose_from_matrix(std::span<const double> row_major);
// The 4 x 4 matrix of a pose, row by row, each number to the nearest few ulps.
[[nodiscard]] std::array<double, 16> matrix_from_pose(const Pose& pose) noexcept;

}  // namespace graze
