// Queries from the rational CSV (docs/FORMATS.md).
#pragma once

#include <memory>

#include "dataset/byte_reader.hpp"
#include "graze/dataset/query_file.hpp"

namespace graze::dataset {

[[nodiscard]] std::unique_ptr<QueryStream> csv_stream(ByteReader reader, QueryKind kind);

}  // namespace graze::dataset
