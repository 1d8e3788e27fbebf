// What is odd about a mesh, found exactly, and how to mend it.
//
// Exporters double vertices, faces and corners. A detector that takes a mesh at its word then finds
// neighbours in contact that are one surface: look for it first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/surface/faces.hpp"

namespace graze {

// --- Vertices at one place -----------------------------------------------------------------------

// Vertices at one place become one, which is numbered as the first of them was.
struct Weld {
    std::vector<std::uint32_t> to_new;  // by old vertex: the vertex that it has become
    std::vector<std::uint32_t> kept;    // by new vertex: the old one that it is; ascending

    // Old vertices that are no longer there.
    [[nodiscard]] std::size_t repeated() const noexcept { return to_new.size() - kept.size(); }
    [[nodiscard]] std::vector<Vec3> positions(std::span<const Vec3> old) const;
    // Elements (faces, edges) by their new vertices, in the same order.
    template <class Elements>
    [[nodiscard]] Elements renamed(Elements elements) const {
        for (auto& element : elements)
            for (std::uint32_t& vertex : element)
                vertex = to_new[vertex];
        return elements;
    }
};

// Equal means equal: no tolerance, but 0 is -0. The same on every machine.
// Requires: finite positions, fewer than 2^32. Cost: a sort.
[[nodiscard]] Weld weld(std::span<const Vec3> positions);
// Of one mesh at both ends of a step: vertices are one iff they are equal at both, for the others move
// separately. Requires: as many of each.
[[nodiscard]] Weld weld(std::span<const Vec3> start, std::span<const Vec3> end);

// --- Faces ---------------------------------------------------------------------------------------

// Faces without corners that repeat the one before them (the last one before the first counts).
struct CleanFaces {
    std::vector<std::uint32_t> corner_counts;
    std::vector<std::uint32_t> corners;
    std::vector<std::uint32_t> kept;  // by face: which one it was; ascending
    std::size_t dropped = 0;          // faces of which fewer than three corners are left
};
// Nothing else changes: a face that loses its last side to this had no area, and its neighbours
// have each other on that edge. Slivers of three vertices on a line stay, for without them the
// surface would be open.
[[nodiscard]] CleanFaces without_doubled_corners(const FaceView& faces);

// Counts. Edges and components go by the vertices that faces name, all else by where these are.
struct SurfaceDefects {
    std::size_t repeated_vertices = 0;   // at the same place as an earlier one
    std::size_t unused_vertices = 0;     // in no face
    std::size_t degenerate_faces = 0;    // all corners on a line, exactly; no area
    std::size_t duplicate_faces = 0;     // the same places as an earlier face, in any order
    std::size_t open_edges = 0;          // one face
    std::size_t non_manifold_edges = 0;  // three faces or more
    std::size_t disagreeing_edges = 0;   // two faces that run through it the same way
    std::size_t components = 0;          // of faces that share edges
    friend bool operator==(const SurfaceDefects&, const SurfaceDefects&) = default;
};

// Requires: finite positions, indices below their number, fewer than 2^32 corners.
// Cost: sorts of vertices, sides and faces.
[[nodiscard]] SurfaceDefects find_defects(std::span<const Vec3> positions, const FaceView& faces);
// Of one mesh at both ends of a step: at one place means at both ends, a face is degenerate where
// it is so at both.
[[nodiscard]] SurfaceDefects find_defects(std::span<const Vec3> start, std::span<const Vec3> end,
                                          const FaceView& faces);

// All corners are on one line, exactly. Requires: finite positions.
[[nodiscard]] bool is_degenerate(std::span<const Vec3> positions,
                                 std::span<const std::uint32_t> face) noexcept;

// For each face a number that those of one component share: that of its first face.
[[nodiscard]] std::vector<std::uint32_t> components_of(std::size_t face_count,
                                                       std::span<const FaceSide> sides);

}  // namespace graze
