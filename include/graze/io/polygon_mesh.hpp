// A mesh as its file has it: polygons stay whole. From and to files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
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

struct PolygonMesh {
    std::vector<Vec3> positions;     // finite
    PolygonList polygons;            // every index is below positions.size()
    std::vector<EdgeIndices> edges;  // those that belong to no polygon, in the file's order

    // The number of corners of each polygon, and all corners end to end.
    [[nodiscard]] std::vector<std::uint32_t> corner_counts() const;
    [[nodiscard]] std::vector<std::uint32_t> corners() const;
    friend bool operator==(const PolygonMesh&, const PolygonMesh&) = default;
};

// Reads OBJ, PLY and STL as read_mesh() does (graze/io/mesh_file.hpp), but leaves polygons as
// they are.
[[nodiscard]] Expected<PolygonMesh> read_polygon_mesh(const std::filesystem::path& path);

// An OBJ file: `comment` in its first line unless it is empty, then vertices, polygons and edges.
// Guarantee: each coordinate is the shortest text that reads back to the same double.
// Requires: finite positions, no line break in the comment.
[[nodiscard]] std::string to_obj(const PolygonMesh& mesh, const std::string& comment = {});
// The same text in pieces of about a megabyte, so that a long one can be stopped, and need not be
// in memory: `take` gets each piece, with the fraction of the text that is done. Its first error
// ends the work.
using TextTaker = std::function<Expected<void>(std::string_view piece, double fraction)>;
[[nodiscard]] Expected<void> to_obj(const PolygonMesh& mesh, const std::string& comment,
                                    const TextTaker& take);
// The bytes of a PLY file, binary little-endian, with x y z as doubles: reads back to the same mesh.
// `comment` is a line of the header unless it is empty.
[[nodiscard]] std::string to_ply(const PolygonMesh& mesh, const std::string& comment = {});
// The same as to_obj() as a file, which appears whole or not at all; a name ending in .gz is packed.
[[nodiscard]] Expected<void> write_obj(const std::filesystem::path& path, const PolygonMesh& mesh,
                                       const std::string& comment = {});

}  // namespace graze::io
