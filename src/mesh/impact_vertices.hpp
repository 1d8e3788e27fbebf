// The vertices of a pair that touches.
#pragma once

#include "graze/mesh/step.hpp"

namespace graze::mesh_detail {

// Calls body(vertex) for those of a, then those of b.
template <class Body>
void for_each_vertex(const MeshTopology& mesh, const Impact& impact, const Body& body) {
    const auto edge = [&](std::uint32_t index) {
        for (const std::uint32_t vertex : mesh.edges[index])
            body(vertex);
    };
    if (impact.kind == QueryKind::EdgeEdge) {
        edge(impact.a);
    } else {
        body(impact.a);
    }
    if (impact.kind == QueryKind::VertexFace) {
        for (const std::uint32_t vertex : mesh.faces[impact.b])
            body(vertex);
    } else if (impact.kind == QueryKind::VertexVertex) {
        body(impact.b);
    } else {
        edge(impact.b);
    }
}

}  // namespace graze::mesh_detail
