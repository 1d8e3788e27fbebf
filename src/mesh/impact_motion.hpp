// The motion of the pair of an impact, vertex by vertex.
#pragma once

#include <array>
#include <span>

#include "graze/mesh/step.hpp"
#include "mesh/impact_vertices.hpp"

namespace graze::mesh_detail {

// Of the vertices of a, then of b: as many as the kind has.
using ImpactVertices = std::array<MovingPoint, 4>;

// `motion_of(vertex)` gives the start and end of a vertex.
template <class MotionOf>
[[nodiscard]] ImpactVertices vertices_of(const MeshTopology& mesh, const Impact& impact,
                                         const MotionOf& motion_of) {
    ImpactVertices vertices{};
    std::size_t count = 0;
    for_each_vertex(mesh, impact, [&](std::uint32_t v) { vertices[count++] = motion_of(v); });
    return vertices;
}

// At the impact's toi_lower, with the normal that contact_of() describes.
[[nodiscard]] ContactPoint contact_of(const ImpactVertices& vertices, const Impact& impact);

}  // namespace graze::mesh_detail
