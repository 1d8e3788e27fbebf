// A method comparison as one HTML page that opens offline.
#pragma once

#include <string>

#include "bench_request.hpp"
#include "cli/build_info.hpp"

namespace graze::app {

// Times as bars on a common logarithmic scale and as histograms, mistakes in colour, the curves of
// the experiments, each figure with its numbers and with the command that makes it, and at the foot
// the result hashes and the machine. No script, nothing loaded from elsewhere.
[[nodiscard]] std::string page_html(const BenchRequest& request, const BenchRun& run,
                                    const Study& study, const BuildInfo& build);

}  // namespace graze::app
