// The methods the tool knows: those of the library, the baselines and the oracle.
#pragma once

#include <array>
#include <string_view>

#include "graze/narrow/method.hpp"

namespace graze {

// Methods of somebody else: defined by the source file that GRAZE_EXTRA_METHODS names when graze is
// configured (docs/benchmark.md), and nowhere else.
[[nodiscard]] MethodRegistry extra_methods();

}  // namespace graze

namespace graze::verify {

// The method of a command that names none: the first of these that is registered.
inline constexpr std::array<std::string_view, 2> kDefaultMethod = {"certified", "oracle"};

[[nodiscard]] MethodRegistry tool_methods();
[[nodiscard]] std::string_view default_method_name();

}  // namespace graze::verify
