// A recording for the page of the viewer.
#pragma once

#include <string>
#include <vector>

#include "pictures/view_document.hpp"

namespace graze::app {

// Its frames as a run, and the first of its steps with impacts, each as a step of a mesh. A recording that
// is cut or damaged is shown up to there, and said so.
[[nodiscard]] Expected<std::vector<ViewObject>> recording_views(const std::string& path);

}  // namespace graze::app
