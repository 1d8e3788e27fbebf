// The experiments as tables for people, as CSV and as JSON.
#pragma once

#include <string>

#include "cli/build_info.hpp"
#include "study.hpp"

namespace graze::app {

// One section a sweep, group and kind, at most 120 columns wide.
[[nodiscard]] std::string study_text(const Study& study);
// One row per method, group, kind and value of every sweep, with the distribution of its times: how
// many answers took at least so many nanoseconds and less than the next bound.
[[nodiscard]] std::string study_csv(const Study& study, const BuildInfo& build);
// {"sample", "budget_s", "complete", "sweeps": [...], "claims": [...]}
[[nodiscard]] Json study_json(const Study& study);

// "1e-08", "0.01": a value of a sweep.
[[nodiscard]] std::string value_text(double value);
// "1.3x", "250x"; "-" for none.
[[nodiscard]] std::string ratio_text(const std::optional<double>& ratio);

}  // namespace graze::app
