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
#include "graze/io/ply.hpp"

namespace graze::io {

// Triangles, and edges that belong to none. A vertex that neither names is a point.
struct MeshFile {
    std::vector<Vec3> positions;                      // finite, at least one
    std::vector<std::array<std::uint32_t, 3>> faces;  // every index is below positions.size()
    std::vector<std::array<std::uint32_t, 2>> edges;  // the loose ones, in the file's order
};

// One mesh at both ends of a step.
struct MeshPair {
    std::vector<Vec3> start;
    std::vector<Vec3> end;  // as many as start
    std::vector<std::array<std::uint32_t, 3>> faces;
    std::vector<std::array<std::uint32_t, 2>> edges;
};

// Reads a mesh, plain or gzip. The ending of the name says which format (.obj, .ply, .stl, any
// letter case, before .gz); where it says nothing, the first bytes do (PLY and ascii STL).
// Guarantee: coordinates are the exact value (binary), or the number of the declared type nearest
// to the text; OBJ and ascii STL are read as doubles. Order of vertices and faces as in the file.
//   OBJ: v, f, l and p in every form, comments, continued lines; groups, materials, normals and
//   texture coordinates are skipped, curves and surfaces are refused.
//   STL has no indices: corners at equal coordinates are one vertex (0 and -0 are equal), numbered
//   by their first appearance.
//   Polygons are cut by triangulate() (graze/surface/triangulation.hpp). Memory grows with the data
//   that is there.
// Errors name file and line (or element): index out of range, a coordinate that is not finite,
// a face with fewer than three corners, a file that is cut short where that shows, no vertex.
[[nodiscard]] Expected<MeshFile> read_mesh(const std::filesystem::path& path);

// Reads both ends of a step. Polygons are cut by where they are at the start, so that both ends
// have the same triangles; corners of two STL files are one vertex iff they are equal at both ends.
// Errors, beside those of read_mesh: the first vertex, face or edge in which the two differ.
[[nodiscard]] Expected<MeshPair> read_mesh_pair(const std::filesystem::path& start,
                                                const std::filesystem::path& end);

// A mesh with a colour and a time for each vertex.
struct PaintedMesh {
    std::span<const Vec3> positions;
    std::span<const std::array<std::uint32_t, 3>> faces;
    std::span<const std::array<std::uint32_t, 2>> edges;
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
