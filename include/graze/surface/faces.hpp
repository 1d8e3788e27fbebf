// The faces of a surface as lists of vertices, and which of them share an edge.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace graze {

using EdgeIndices = std::array<std::uint32_t, 2>;
using FaceIndices = std::array<std::uint32_t, 3>;

// Faces with any number of corners; a view. Face f names vertices in order around it.
class FaceView {
public:
    FaceView(std::span<const FaceIndices> triangles) noexcept : triangles_(triangles) {}
    FaceView(const std::vector<FaceIndices>& triangles) noexcept : triangles_(triangles) {}
    // All corners end to end, and where the corners of each face end.
    FaceView(std::span<const std::size_t> ends, std::span<const std::uint32_t> corners) noexcept
        : ends_(ends), corners_(corners), is_mixed_(true) {}

    [[nodiscard]] std::size_t size() const noexcept {
        return is_mixed_ ? ends_.size() : triangles_.size();
    }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t f) const noexcept {
        if (!is_mixed_) return triangles_[f];
        return corners_.subspan(first_corner(f), ends_[f] - first_corner(f));
    }
    // How many corners all faces before f have.
    [[nodiscard]] std::size_t first_corner(std::size_t f) const noexcept {
        if (!is_mixed_) return 3 * f;
        return f == 0 ? 0 : ends_[f - 1];
    }
    [[nodiscard]] std::size_t corner_count() const noexcept {
        return is_mixed_ ? corners_.size() : 3 * triangles_.size();
    }

private:
    std::span<const FaceIndices> triangles_;
    std::span<const std::size_t> ends_;
    std::span<const std::uint32_t> corners_;
    bool is_mixed_ = false;
};

// Where the corners of each face end, for faces by the number of their corners.
[[nodiscard]] std::vector<std::size_t> face_ends(std::span<const std::uint32_t> corner_counts);

// A side of a face, from a corner to the next one: its vertices sorted into one number, its
// direction, and the number of its first corner among those of all faces.
struct FaceSide {
    std::uint64_t key;  // smaller vertex 2^32 + larger vertex
    std::uint32_t slot;
    std::uint32_t face;
    bool forward;  // from the smaller to the larger vertex
};
// The sides of all faces by (key, slot): those of one edge come together, in the order of the
// faces. Sides from a vertex to itself are left out.
// Requires: fewer than 2^32 corners. Cost: a sort.
[[nodiscard]] std::vector<FaceSide> sorted_sides(const FaceView& faces);

// Calls visit(sides of one edge) for each edge.
template <class Visit>
void for_each_edge(std::span<const FaceSide> sides, Visit visit) {
    for (std::size_t first = 0; first < sides.size();) {
        std::size_t last = first;
        while (last < sides.size() && sides[last].key == sides[first].key)
            ++last;
        visit(sides.subspan(first, last - first));
        first = last;
    }
}

// The edges of a mesh, in the one order that numbers them: the unique vertex pairs (i, j), i < j, of
// the faces' sides and of the loose edges, sorted by i, then by j. Pairs of one vertex are left out.
// Cost: a sort.
[[nodiscard]] std::vector<EdgeIndices> unique_edges(std::span<const FaceIndices> faces,
                                                    std::span<const EdgeIndices> loose_edges = {});

// "1 face", "2 faces".
[[nodiscard]] std::string counted(std::size_t count, const char* one, const char* many);

}  // namespace graze
