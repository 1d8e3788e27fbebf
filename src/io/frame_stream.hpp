// Queries rebuilt from two frames and a list of box pairs.
//
// A list of candidate pairs names boxes: the vertices are numbered first, then the edges as
// box_edges() orders them, then the faces.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graze/io/mesh_file.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io {

// Primitives by the numbers of their boxes.
struct BoxedStep {
    MeshPair mesh;
    std::vector<EdgeIndices> edges;  // all of them, by box_edges()
};

// Reads both frames. Errors, beside those of read_mesh_pair(): a face that is not a triangle.
[[nodiscard]] Expected<BoxedStep> read_boxed_step(const std::filesystem::path& start,
                                                  const std::filesystem::path& end);

// The query between two boxes: vf = (vertex, face), ee = (edge, edge), vv, ve = (vertex, edge).
// An edge's vertices come in the order (smaller index, larger index), a face's in that of the file.
// An error, without location, if a number names no box of the right sort.
[[nodiscard]] Expected<QueryRecord> query_of_boxes(const BoxedStep& step, QueryKind kind,
                                                   const std::array<std::uint64_t, 2>& boxes);

// The frames are held in memory; the list is streamed. It may be empty: a step without candidates.
[[nodiscard]] Expected<std::unique_ptr<QueryStream>> frame_stream(const QuerySource& source);

}  // namespace graze::io
