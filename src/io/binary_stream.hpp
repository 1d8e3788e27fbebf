// Queries from the binary form (docs/FORMATS.md).
#pragma once

#include <memory>

#include "graze/io/byte_reader.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io {

// True if the reader stands before bytes that no CSV begins with: the binary form's first one.
[[nodiscard]] bool is_binary_form(ByteReader& reader);

// Checks the header, which states the kind.
// The number of records and the checksum stand at the end of the file: a consumer that must not act
// on damaged records waits for nullopt.
[[nodiscard]] Expected<std::unique_ptr<QueryStream>> binary_stream(ByteReader reader,
                                                                   QueryKind expected_kind);

}  // namespace graze::io
