// JSON from files: what is odd is an error with its place.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "graze/core/expected.hpp"

namespace graze::tools {

// Errors: no JSON (with line and column), an object that names a member twice, a number beyond the
// doubles.
[[nodiscard]] Expected<nlohmann::json> parse_strictly(std::string_view text);

}  // namespace graze::tools
