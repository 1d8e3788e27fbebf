// Queries from the rational CSV (docs/FORMATS.md).
#pragma once

#include <memory>

#include "graze/io/byte_reader.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io {

[[nodiscard]] std::unique_ptr<QueryStream> csv_stream(ByteReader reader, QueryKind kind);

}  // namespace graze::io
