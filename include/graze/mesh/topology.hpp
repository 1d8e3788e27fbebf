// The connectivity of a mesh, without positions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/surface/faces.hpp"

namespace graze {

// Triangles, and edges and points that belong to none.
// Invariant: indices are below vertex_count; edges are those of unique_edges(); points are ascending.
struct MeshTopology {
    std::size_t vertex_count = 0;
    std::vector<EdgeIndices> edges;
    std::vector<FaceIndices> faces;
    std::vector<std::uint32_t> points;  // vertices without an edge
};

// Completes faces and loose edges to a topology. Sides from a vertex to itself are no edges: a face
// without area keeps the others.
// Errors: IndexOutOfRange, an index that is not below vertex_count, with that of the face or edge;
// WrongSize, 2^32 - 1 or more of anything.
[[nodiscard]] Expected<MeshTopology> make_topology(std::size_t vertex_count,
                                                   std::span<const FaceIndices> faces,
                                                   std::span<const EdgeIndices> loose_edges = {});

}  // namespace graze
