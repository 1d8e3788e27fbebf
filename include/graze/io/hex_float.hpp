// Doubles as text that reads back to the same bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graze/io/query_file.hpp"

namespace graze::io {

// C++ hex float literal: "0x1.8p+1", "-0x0p+0", "inf".
[[nodiscard]] std::string to_hex(double value);
// Shortest decimal that reads back to the same double: "0.1", "5e-324", "inf", "-inf".
[[nodiscard]] std::string to_shortest(double value);
// Reads decimal or hex, the whole text or nothing. Refused: NaN, a leading plus or blank, and a
// number that overflows, or that is not zero but would be read as zero.
[[nodiscard]] std::optional<double> parse_double(std::string_view text);
// The corners of a query as C++ initialisers, one corner a line: for messages and regressions.
[[nodiscard]] std::string to_hex(const QueryRecord& record, QueryKind kind);

}  // namespace graze::io
