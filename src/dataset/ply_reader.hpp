// The PLY reader over any source of bytes.
#pragma once

#include "dataset/byte_reader.hpp"
#include "graze/dataset/ply.hpp"

namespace graze::dataset {

[[nodiscard]] Expected<PlyMesh> read_ply(ByteReader reader);

}  // namespace graze::dataset
