// Meshes from files: OBJ, PLY and STL, one frame or the two frames of a step.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/io/polygon_mesh.hpp"

namespace graze::io {

// Triangles, and edges that belong to none. A vertex that neither names is a point. All edges, with
// those of the triangles, are numbered by unique_edges() (graze/surface/faces.hpp).
struct TriangleMesh {
    std::vector<Vec3> positions;     // finite, at least one
    std::vector<FaceIndices> faces;  // every index is below positions.size()
    std::vector<EdgeIndices> edges;  // the loose ones, in the file's order
};

// The same at both ends of a step.
struct MeshPair {
    std::vector<Vec3> start;
    std::vector<Vec3> end;  // as many as start
    std::vector<FaceIndices> faces;
    std::vector<EdgeIndices> edges;
};

// Reads a mesh, plain or gzip. The extension decides the format (.obj, .ply, .stl, any letter case,
// before .gz); where it is another one, the first bytes do (PLY and ascii STL).
// Guarantee: coordinates are the exact value (binary), or the number of the declared type nearest
// to the text; OBJ and ascii STL are read as doubles. Order of vertices and faces as in the file.
//   OBJ: v, f, l and p in every form, comments, continued lines; groups, materials, normals and
//   texture coordinates are skipped, curves and surfaces are refused.
//   STL has no indices: corners at equal coordinates are one vertex (0 and -0 are equal), numbered
//   by their first appearance.
//   Polygons are triangulated by triangulate() (graze/surface/triangulation.hpp). Memory grows with
//   the data that is there.
// Errors name file and line (or element, which is Error::index): CannotRead; IndexOutOfRange;
// NotFinite; WrongSize (no vertex, a face with fewer than three corners, more than 32-bit indices
// can name); Unsupported (curves, triangle strips, an unknown format); else Malformed, also for a
// file that is cut short where that shows.
[[nodiscard]] Expected<TriangleMesh> read_mesh(const std::filesystem::path& path);

// Reads both ends of a step. Polygons are triangulated by their positions at the start, so that both
// ends have the same triangles; corners of two STL files are one vertex iff they are equal at both ends.
// Errors, beside those of read_mesh(): the first face or edge in which the two differ (InvalidInput,
// with its index), or the numbers of vertices, faces or edges (WrongSize).
[[nodiscard]] Expected<MeshPair> read_mesh_pair(const std::filesystem::path& start,
                                                const std::filesystem::path& end);

// unique_edges() in the order in which the published pair lists number them: by (larger, smaller)
// vertex. The reader of those lists translates; generated scenes keep to it, so that their springs
// and pairs, and with them every bit of their queries, stay as they were made.
[[nodiscard]] std::vector<EdgeIndices> box_edges(std::span<const FaceIndices> faces,
                                                 std::span<const EdgeIndices> loose_edges);

// A mesh with a colour and a time for each vertex.
struct PaintedMesh {
    std::span<const Vec3> positions;
    std::span<const FaceIndices> faces;
    std::span<const EdgeIndices> edges;
    std::span<const std::array<std::uint8_t, 3>> colours;  // red, green, blue; one per vertex
    std::span<const double> times;                         // one per vertex
};

// The bytes of a PLY file, binary little-endian: x y z and `toi` as doubles, red green blue as
// bytes. `comment` is one line of the header.
[[nodiscard]] std::string to_ply(const PaintedMesh& mesh, const std::string& comment);
// The same as a file, which appears whole or not at all; a name ending in .gz is packed.
[[nodiscard]] Expected<void> write_ply(const std::filesystem::path& path, const PaintedMesh& mesh,
                                       const std::string& comment);

}  // namespace graze::io
