// The methods that can be compared: those of the library, the baselines, those that were added, and
// the oracle.
#pragma once

#include <array>
#include <string_view>

#include "graze/narrow/method.hpp"

namespace graze::verify {

// The method of a command that names none: the first of these that is registered.
inline constexpr std::array<std::string_view, 2> kDefaultMethod = {"certified", "oracle"};

[[nodiscard]] MethodRegistry all_methods();
// Adds a method to all_methods() of this process, before the oracle. An error where its name is
// taken or it answers no kind of query. To be called before other threads ask for the methods.
[[nodiscard]] Expected<void> add_method(const Method& method);
[[nodiscard]] std::string_view default_method_name();

}  // namespace graze::verify
