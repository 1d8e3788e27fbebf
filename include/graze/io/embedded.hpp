// The data set that ships inside the library: a few hundred queries with exact truth and times.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "graze/core/expected.hpp"
#include "graze/io/query_file.hpp"

namespace graze::io {

struct EmbeddedSet {
    std::string_view group;  // "ordinary", "near", "degenerate", ...
    QueryKind kind = QueryKind::VertexFace;
    std::span<const unsigned char> bytes;  // a query file in the binary form
};

[[nodiscard]] std::span<const EmbeddedSet> embedded_sets() noexcept;

// Opens the set's queries. Errors name it by group and kind.
[[nodiscard]] Expected<std::unique_ptr<QueryStream>> open_embedded(const EmbeddedSet& set);

}  // namespace graze::io
