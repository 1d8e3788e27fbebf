// What the readers of mesh files have in common, over any source of bytes.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/io/byte_reader.hpp"
#include "graze/io/ply.hpp"

namespace graze::io {

// A mesh as its file has it: polygons are not cut yet.
struct RawMesh {
    std::vector<Vec3> positions;  // finite
    PolygonList polygons;         // every index is below positions.size()
    std::vector<std::array<std::uint32_t, 2>> edges;
    // The format has no indices: positions are the corners of triangles, three each, and there are
    // no polygons yet.
    bool is_soup = false;
};

enum class MeshFormat : std::uint8_t { Obj, Ply, Stl };

[[nodiscard]] Expected<RawMesh> read_obj(ByteReader reader);
[[nodiscard]] Expected<RawMesh> read_stl_ascii(ByteReader reader);
[[nodiscard]] Expected<RawMesh> read_stl_binary(ByteReader reader);

// Reads a mesh of the given format; `name` stands at the start of every message.
[[nodiscard]] Expected<RawMesh> read_polygons(std::unique_ptr<ByteStream> bytes,
                                              const std::string& name, MeshFormat format);
// Reads a mesh file as read_mesh() does, up to the cutting; corners of an STL are joined.
[[nodiscard]] Expected<RawMesh> read_polygons(const std::filesystem::path& path);

}  // namespace graze::io
