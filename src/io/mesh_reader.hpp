// What the readers of mesh files have in common, over any source of bytes.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "graze/core/expected.hpp"
#include "graze/io/byte_reader.hpp"
#include "graze/io/polygon_mesh.hpp"

namespace graze::io {

enum class MeshFormat : std::uint8_t { Obj, Ply, Stl };

[[nodiscard]] Expected<PolygonMesh> read_obj(ByteReader reader);
// STL has no indices: triangle i has the vertices 3 i, 3 i + 1 and 3 i + 2, which it shares with no
// other.
[[nodiscard]] Expected<PolygonMesh> read_stl_ascii(ByteReader reader);
[[nodiscard]] Expected<PolygonMesh> read_stl_binary(ByteReader reader);

// Reads a mesh of the given format; `name` stands at the start of every message.
[[nodiscard]] Expected<PolygonMesh> read_polygons(std::unique_ptr<ByteStream> bytes,
                                                  const std::string& name, MeshFormat format);
// Reads a mesh file as read_mesh() does, before triangulation; equal vertices of an STL are welded.
[[nodiscard]] Expected<PolygonMesh> read_polygons(const std::filesystem::path& path);
// Both ends of a step, as read_mesh_pair() does: they have the same polygons and edges.
[[nodiscard]] Expected<std::array<PolygonMesh, 2>> read_polygon_pair(
    const std::filesystem::path& start, const std::filesystem::path& end);

}  // namespace graze::io
