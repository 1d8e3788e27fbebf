// Which files are the frames of a sequence, and in which order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"

namespace graze::app {

// Does a text with '*', '?' or '[' name several files? Not where a file of this very name is there.
[[nodiscard]] bool is_frame_pattern(const std::string& text);

// The meshes (.obj, .ply, .stl, plain or .gz) of a folder, or the files that match a pattern in its last
// part, in the order of comes_before_frame(). Errors: a folder that cannot be read, fewer than two.
[[nodiscard]] Expected<std::vector<std::string>> find_frames(const std::string& folder_or_pattern);

// By name, numbers in it by value: frame_9 before frame_10. A strict weak order; names that differ in
// zeros before a number alone are in the order of their bytes.
[[nodiscard]] bool comes_before_frame(std::string_view a, std::string_view b);

}  // namespace graze::app
