// Two frames of a mesh, its boxes by number, and the queries between them.
//
// A list of candidate pairs names boxes: the vertices are numbered first, then the edges, then the
// faces. The edges are the unique vertex pairs of the faces and of the mesh's loose edges, ordered
// by (larger index, smaller index).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io {

// A triangle mesh at the start and at the end of one step.
struct FramePair {
    std::vector<Vec3> start;
    std::vector<Vec3> end;                            // as many as start
    std::vector<std::array<std::uint32_t, 2>> edges;  // (smaller, larger), in the order of boxes
    std::vector<std::array<std::uint32_t, 3>> faces;
};

// Reads both frames (PLY). Errors: a face that is not a triangle; frames that differ in the number
// of vertices, in faces or in edges.
[[nodiscard]] Expected<FramePair> read_frame_pair(const std::filesystem::path& start,
                                                  const std::filesystem::path& end);

// The unique edges of triangles and loose edges, each (smaller, larger), in the order of boxes.
// Degenerate ones, from a vertex to itself, are left out.
[[nodiscard]] std::vector<std::array<std::uint32_t, 2>> box_edges(
    const std::vector<std::array<std::uint32_t, 3>>& faces,
    const std::vector<std::array<std::uint32_t, 2>>& loose_edges);

// The query between two boxes: vf = (vertex, face), ee = (edge, edge), vv, ve = (vertex, edge).
// An edge's corners come in the order (smaller index, larger index), a face's in that of the file.
// An error, without place, if a number names no box of the right sort.
[[nodiscard]] Expected<QueryRecord> query_of_boxes(const FramePair& frames, QueryKind kind,
                                                   const std::array<std::uint64_t, 2>& boxes);

}  // namespace graze::io
