// The PLY reader over any source of bytes.
#pragma once

#include "graze/io/byte_reader.hpp"
#include "graze/io/ply.hpp"

namespace graze::io {

[[nodiscard]] Expected<PlyMesh> read_ply(ByteReader reader);

}  // namespace graze::io
