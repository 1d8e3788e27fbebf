// JSON from files: what is odd is an error with its place.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "graze/core/expected.hpp"

namespace graze::app {

// Errors: no JSON (with line, column and reason), an object that names a member twice (with the way
// to it), a number beyond the doubles (with line and column).
[[nodiscard]] Expected<nlohmann::json> parse_strictly(std::string_view text);

}  // namespace graze::app
