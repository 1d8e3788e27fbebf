// What a search for all collisions reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

enum class CollisionType : std::uint8_t { VertexFace, FaceVertex, EdgeEdge };
// "vf", "fv", "ee": the first letter is A's feature.
[[nodiscard]] std::string_view short_name(CollisionType type) noexcept;

// The place and the normal are in the local frame of A, at the time of the collision; the normal
// has unit length and points from A to B.
struct Collision {
    CollisionType type = CollisionType::VertexFace;
    std::uint32_t a = 0;  // vertex, face or edge of A, by type
    std::uint32_t b = 0;  // and of B
    double time = 0.0;    // [fraction of the step]
    Vec3 position;
    Vec3 normal;
    // >= 0: the bodies face each other there, as at every first contact; below 0: they already
    // overlap nearby. For vertex and face min e_i . n over the edges at the vertex; for two edges
    // Buss 2005, equation 7, which is the true value where they are perpendicular.
    double properness = 0.0;
};

// The same in the world, at the time of the collision.
[[nodiscard]] Collision to_world(const Collision& collision, const PairStep& step) noexcept;

// Indices of the first collision of each group: collisions, sorted by time, are in one group while
// each comes within `time_gap` of the first of the group.
[[nodiscard]] std::vector<std::size_t> simultaneous_groups(std::span<const Collision> sorted,
                                                           double time_gap);

}  // namespace graze::rigid
