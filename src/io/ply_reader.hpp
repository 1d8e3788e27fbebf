// Meshes from PLY files, over any source of bytes: ascii and binary of either endianness.
#pragma once

#include "graze/io/byte_reader.hpp"
#include "graze/io/polygon_mesh.hpp"

namespace graze::io {

// Guarantee: binary coordinates keep their exact value; ascii ones are the number of the declared
// type (float or double) nearest to the text. Properties and elements that a mesh has no use for
// are skipped. Memory grows with the data that is there, not with the counts that a header states.
// Polygons may have any number of vertices, also fewer than three.
// Errors name the line of the header, or the element and its index: a coordinate that is not
// finite, an index without vertex, data that ends early or goes on after the last element, and
// triangle strips, which are not supported.
[[nodiscard]] Expected<PolygonMesh> read_ply(ByteReader reader);

}  // namespace graze::io
