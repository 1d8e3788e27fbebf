// Screw motions: a rotation about an axis and a translation along it, both at constant speed.
//
// Every rigid map is one (Chasles). Used here for the motion of B as seen from A, and for the
// motion of A itself in the world. Numbers to the nearest double: the certified search has its own
// enclosures.
#pragma once

#include "graze/core/vec3.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

// x(t) = point + R(t angle; direction) (x - point) + t pitch direction, for t in [0, 1].
// A pure translation has angle 0, and its whole displacement is pitch * direction; no motion has
// both 0. Close to it (an axis many sizes of the step away) positions still come from `twist`,
// which loses no digits there: x'(t) = angular x x + linear.
struct ScrewMotion {
    Vec3 direction{0.0, 1.0, 0.0};  // unit length
    Vec3 point;                     // of the axis, the nearest to the origin
    double angle = 0.0;             // [radians] in [0, pi]
    double pitch = 0.0;             // [length] shift along the axis in the whole step; any sign
    Vec3 angular;                   // angle * direction
    Vec3 linear;                    // velocity of the (moving) point at the origin at t = 0

    [[nodiscard]] bool is_translation() const noexcept { return angle == 0.0; }
    // The map at time t.
    [[nodiscard]] Pose at(double t) const noexcept;
    // Where the point that starts at x is at time t.
    [[nodiscard]] Vec3 position(const Vec3& x, double t) const noexcept;
    // The velocity of the flow at the position x: the same at all times.
    [[nodiscard]] Vec3 velocity(const Vec3& x) const noexcept;
};

// The screw that takes the identity to `map` in the unit of time, by the smaller angle. The sense
// of a rotation by pi is that of the quaternion's sign. An axis whose position no double can hold
// (an angle below 10^-308 of the shift) is a translation.
[[nodiscard]] ScrewMotion screw_of(const Pose& map) noexcept;
// The motion of B in the coordinates of A at the start (Buss 2005, equation 1: M_f^-1 N_f N_i^-1
// M_i acts on points of B given in A's local frame). What does not move or rotate has exactly no
// motion.
[[nodiscard]] ScrewMotion relative_screw(const PairStep& step) noexcept;
// The start pose of B in the local frame of A: M_i^-1 N_i.
[[nodiscard]] Pose relative_start(const PairStep& step) noexcept;
// The world pose of A and of B at time t; at 0 and 1 those of the step, bit by bit.
[[nodiscard]] Pose world_pose_a(const PairStep& step, double t) noexcept;
[[nodiscard]] Pose world_pose_b(const PairStep& step, double t) noexcept;

// How far a screw may be from another interpolation of the same ends (a rotation about the centre
// while the centre goes straight), as a fraction of the arc: (1 - cos(angle / 2)) / angle; 0 for 0.
[[nodiscard]] double interpolation_error(double angle) noexcept;
// Above this angle a step deserves a warning: the fraction is near a tenth.
inline constexpr double kLargeAngle = 0.78539816339744830962;  // 45 degrees

}  // namespace graze::rigid
