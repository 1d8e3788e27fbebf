// What a broad phase hands to the narrow phase: the pairs of a moving mesh whose swept boxes
// overlap.
//
// A swept box is the smallest box around a primitive's vertices at both ends of the step; it is
// closed and made of the vertices' own coordinates, so that every comparison here is exact.
#pragma once

#include <cstdint>
#include <vector>

#include "graze/io/mesh_file.hpp"

namespace graze::bench {

// Vertex and face, or two edges with first < second: indices into faces and edges of the step.
struct IndexPair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    friend constexpr auto operator<=>(const IndexPair&, const IndexPair&) noexcept = default;
};

// Both orders depend on the mesh alone. A narrow phase meets the same vertices again and again in
// either; what differs is their distance in memory and in time.
enum class PairOrder : std::uint8_t {
    Spatial,  // by the first primitive's position on a Morton curve, then by the second's
    Sweep,    // as a sweep along one axis finds them
};

// All pairs whose swept boxes overlap and that share no vertex.
// Requires: finite coordinates, indices that are in range, and edges as unique_edges() orders them.
// Cost: a sort, and a comparison of boxes for each pair whose intervals overlap on the one axis
// where the fewest do.
[[nodiscard]] std::vector<IndexPair> vertex_face_pairs(const io::MeshPair& frames, PairOrder order);
[[nodiscard]] std::vector<IndexPair> edge_edge_pairs(const io::MeshPair& frames, PairOrder order);

// The same pairs in ascending order, from a comparison of each primitive with each: what --check
// holds the sweep to. Cost: quadratic.
[[nodiscard]] std::vector<IndexPair> vertex_face_pairs_by_exhaustion(const io::MeshPair& frames);
[[nodiscard]] std::vector<IndexPair> edge_edge_pairs_by_exhaustion(const io::MeshPair& frames);

}  // namespace graze::bench
