// What `graze verify` found, as a table for people and as JSON.
#pragma once

#include <string>

#include "cli/output.hpp"
#include "commands/repro/regression_source.hpp"
#include "verify_run.hpp"

namespace graze::app {

// One row per method and kind, at most 120 columns; then every guarantee that is broken, and the first
// query on which one is, in hex floats.
[[nodiscard]] std::string report_text(const VerifyReport& report);

[[nodiscard]] Json report_json(const VerifyReport& report);

// An error iff a guarantee is broken, the oracle was at a loss, or there was nothing to verify.
[[nodiscard]] Expected<void> outcome_of(const VerifyReport& report);

// "scaled by 2^20, shifted by 1000"; empty where neither was.
[[nodiscard]] std::string text_of(const generate::Placement& placement);

// The broken answer as a test that fails until the method keeps its word.
// Requires: the query is finite.
[[nodiscard]] Regression regression_of(const BrokenAnswer& broken,
                                       const generate::Placement& placement);

}  // namespace graze::app
