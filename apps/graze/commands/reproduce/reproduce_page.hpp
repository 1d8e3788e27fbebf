// The page of `graze reproduce`: every item of the papers, our numbers beside the published ones.
#pragma once

#include <string>

#include "reproduce_run.hpp"

namespace graze::app {

// Links are relative to the folder of the page. Nothing is a script, and nothing comes from
// elsewhere but the drawings in that folder.
[[nodiscard]] std::string reproduce_page(const ReproduceReport& report,
                                         const ReproduceSettings& settings);

}  // namespace graze::app
