// Queries rebuilt from two frames and a list of box pairs.
#pragma once

#include <memory>

#include "graze/io/query_file.hpp"

namespace graze::io {

// The frames are held in memory; the list is streamed. It may be empty: a step without candidates.
[[nodiscard]] Expected<std::unique_ptr<QueryStream>> frame_stream(const QuerySource& source);

}  // namespace graze::io
