// Where a rigid body is: a rotation and a translation, taken as they are given.
#pragma once

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"

namespace graze::rigid {

// w + x i + y j + z k. It stands for the rotation x -> q x q^-1, which does not depend on its
// length: nothing is lost by a quaternion that is off unit length by a rounding.
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

// The quaternion of a turn by `angle` about `axis` (right-hand rule; any length but 0).
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
// the quaternion that differs from 1 by more than 1e-6. `name` says whose pose it is.
[[nodiscard]] Expected<void> check(const Pose& pose, const char* name);

// Both ends of a step of one body, and of two.
struct BodyStep {
    Pose start;
    Pose end;
};
// A moves by its own screw from start to end; B(t) = A(t) * relative screw(t). What meets what, and
// when, follows from the relative screw alone.
struct PairStep {
    BodyStep a;
    BodyStep b;
};
[[nodiscard]] Expected<void> check(const PairStep& step);

}  // namespace graze::rigid
