// A method comparison as one HTML page that opens offline.
#pragma once

#include <string>
#include <vector>

#include "bench_request.hpp"
#include "build_info.hpp"

namespace graze::tools {

// Times as bars on a common logarithmic scale and as histograms, errors in colour, and at the foot
// the command, the result hashes and the machine that made it. No script, nothing loaded from
// elsewhere.
[[nodiscard]] std::string page_html(const BenchRequest& request, const BenchRun& run,
                                    const Study& study, const BuildInfo& build);

}  // namespace graze::tools
