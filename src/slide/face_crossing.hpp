// Does a straight path between two positions go through a triangle? Decided without rounding.
#pragma once

#include <array>

#include "graze/core/vec3.hpp"

namespace graze::slide {

// The side of the plane through the first three points that the last one is on: the sign of
// (a - d) . ((b - d) x (c - d)); 0 in the plane, and for three points on a line.
// Requires: finite coordinates. Cost: of big integers where a filter cannot tell.
[[nodiscard]] int side_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept;

// False is a proof: no point of the path but its begin is in the triangle. A path that begins in
// the plane of the triangle and leaves it is let pass; one within that plane is not distinguished
// from a path through it, and so is every path in a plane with a triangle that has no area.
// Requires: finite coordinates.
[[nodiscard]] bool may_cross(const Vec3& from, const Vec3& to,
                             const std::array<Vec3, 3>& triangle) noexcept;

}  // namespace graze::slide
