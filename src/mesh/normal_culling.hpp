// Pairs that a plane keeps apart throughout a step: half of those that axes leave where surfaces slide
// along each other.
//
// The normal of the face, or across both edges, in the middle of the step: if all of one element is above
// all of the other along it at the start and at the end, then so it is in between (MESH-16 in
// docs/derivations/mesh.md). Four pairs at a time, which costs a sixth of a query.
#pragma once

#include <cstddef>
#include <span>

#include "graze/broad/box_tree.hpp"
#include "graze/core/instruction_set.hpp"
#include "graze/mesh/topology.hpp"
#include "graze/narrow/motion.hpp"

namespace graze::mesh_detail {

// Writes the pairs that need a query, in their order, behind `left`, which may be where the pairs are; how
// many they are. A pair that is left out does not touch on [0, 1]. Requires: pairs without a common vertex.
template <class Motion>
[[nodiscard]] std::size_t cull_pairs_by_normal(
    const MeshTopology& mesh, std::span<const MovingPoint> points, std::span<const IndexPair> pairs,
    IndexPair* left, InstructionSet set = best_instruction_set()) noexcept;

}  // namespace graze::mesh_detail
