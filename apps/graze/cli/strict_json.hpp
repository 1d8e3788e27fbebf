// JSON from files: what is odd is an error with its place.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "graze/core/expected.hpp"

namespace graze::app {

// Of lists and objects within each other.
inline constexpr std::size_t kMaxJsonDepth = 100;

// Errors: no JSON (with line, column and reason), an object that names a member twice (with the way
// to it), a number beyond the doubles (with line and column), more levels than kMaxJsonDepth.
[[nodiscard]] Expected<void> check_json(std::string_view text);
[[nodiscard]] Expected<nlohmann::json> parse_strictly(std::string_view text);

}  // namespace graze::app
