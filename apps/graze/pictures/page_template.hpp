// The page of the viewer, as the build of web/ makes it.
#pragma once

#include <string_view>

namespace graze::app {

// One HTML file with the marker line <!--GRAZE-DOCUMENT-->; empty where the tool was built without it.
[[nodiscard]] std::string_view page_template();

}  // namespace graze::app
