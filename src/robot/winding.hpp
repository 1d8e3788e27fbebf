// Is a point inside of a closed surface?
#pragma once

#include <optional>

#include "robot/body.hpp"

namespace graze::robot::detail {

// Does the closed surface of the body wind around the point, in the coordinates of its tree? Exact, as
// sums of crossings of segments that end outside of a component; nothing where all of them meet edges or
// vertices. Requires: body.is_closed.
[[nodiscard]] std::optional<bool> winds_around(const Body& body, const Vec3& p) noexcept;

}  // namespace graze::robot::detail
