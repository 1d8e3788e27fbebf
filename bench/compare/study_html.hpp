// The experiments as sections of the page.
#pragma once

#include <string>

#include "bench_request.hpp"

namespace graze::app {

// Links to the sections that study_html() makes.
[[nodiscard]] std::string study_links(const Study& study);
// Curves over the values of each sweep with their numbers below, then the ratios. Empty where no
// experiment was made.
[[nodiscard]] std::string study_html(const BenchRequest& request, const Study& study);

}  // namespace graze::app
