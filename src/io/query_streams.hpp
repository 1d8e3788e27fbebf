// Query streams over any source of bytes: what open_queries() does behind the file system.
#pragma once

#include <memory>

#include "graze/io/byte_reader.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io {

// CSV or binary form, detected by the first byte.
[[nodiscard]] Expected<std::unique_ptr<QueryStream>> query_stream(ByteReader reader,
                                                                  QueryKind kind);

// The same queries with the truths of a JSON list.
[[nodiscard]] std::unique_ptr<QueryStream> join_truth(std::unique_ptr<QueryStream> queries,
                                                      ByteReader truths, TruthConflict conflict);

}  // namespace graze::io
