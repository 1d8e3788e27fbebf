// Which closed components of a surface are wholly inside which others.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze::detail {

struct NestedTriangle {
    std::array<std::uint32_t, 3> vertices;
    std::uint32_t component;  // below the number of components
};

// By component, how many others it is wholly inside (graze/surface/orientation.hpp says when).
// The triangles of a component form a closed surface and turn consistently.
// Nothing: kMaxNestingTests are spent.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> nesting_depths(
    std::span<const Vec3> positions, std::span<const NestedTriangle> triangles,
    std::size_t component_count);

}  // namespace graze::detail
