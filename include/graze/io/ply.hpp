// Meshes from PLY files: positions, polygons, and edges that belong to no polygon.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/surface/faces.hpp"

namespace graze::io {

// Lists of vertex indices of any lengths, stored end to end.
class PolygonList {
public:
    [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t i) const noexcept {
        const std::size_t first = i == 0 ? 0 : ends_[i - 1];
        return std::span(indices_).subspan(first, ends_[i] - first);
    }
    // Corners are added to the polygon that the next close() ends.
    void add_corner(std::uint32_t vertex) { indices_.push_back(vertex); }
    void close() { ends_.push_back(indices_.size()); }
    [[nodiscard]] FaceView faces() const noexcept { return {ends_, indices_}; }
    friend bool operator==(const PolygonList&, const PolygonList&) = default;

private:
    std::vector<std::uint32_t> indices_;
    std::vector<std::size_t> ends_;
};

struct PlyMesh {
    std::vector<Vec3> vertices;                       // finite
    PolygonList polygons;                             // every index is below vertices.size()
    std::vector<std::array<std::uint32_t, 2>> edges;  // the element `edge`, in the file's order
};

// Reads ascii and binary PLY of either endianness, plain or gzip.
// Guarantee: binary coordinates keep their exact value; ascii ones are the number of the declared
// type (float or double) nearest to the text. Properties and elements that a mesh has no use for
// are skipped. Memory grows with the data that is there, not with the counts that a header states.
// Errors name the line of the header, or the element and its index: a coordinate that is not
// finite, an index without vertex, data that ends early or goes on after the last element, and
// triangle strips, which are not supported.
[[nodiscard]] Expected<PlyMesh> read_ply(const std::filesystem::path& path);

}  // namespace graze::io
