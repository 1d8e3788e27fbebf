// Is a point inside of a closed surface? By exact signs along a ray.
#pragma once

#include <optional>

#include "rigid/impact/tree.hpp"

namespace graze::robot::detail {

// Does the surface of the pieces wind around p? Both in coordinates relative to the body's centre, as
// exact numbers. Nothing where every ray that is tried meets an edge or a vertex, or p is on it.
// Requires: a closed surface.
[[nodiscard]] std::optional<bool> winds_around(const rigid::detail::BodyTree& tree,
                                               const Vec3& p) noexcept;

}  // namespace graze::robot::detail
