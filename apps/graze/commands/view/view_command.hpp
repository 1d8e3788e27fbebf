// `graze view`, and what it takes from the commands whose results it shows.
#pragma once

#include <string>

#include "cli/options.hpp"
#include "pictures/view_document.hpp"

namespace graze::app {

[[nodiscard]] Command add_view_command(App& app);

// As `graze rigid A B --poses POSES` finds it, with its defaults.
[[nodiscard]] Expected<ViewObject> rigid_view(const std::string& a, const std::string& b,
                                              const std::string& poses);
// As `graze slide LEVEL --moves MOVES` moves, with its defaults.
[[nodiscard]] Expected<ViewObject> slide_view(const std::string& level, const std::string& moves);

}  // namespace graze::app
