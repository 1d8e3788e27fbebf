// What `graze robot` reports.
#pragma once

#include <string>
#include <vector>

#include "cli/output.hpp"
#include "graze/robot/check.hpp"

namespace graze::app {

struct RobotOutcome {
    const robot::Scene& scene;
    robot::PathResult path;
    double seconds = 0.0;
};

// "segments" first: {"verdict", "toi_lower", "toi_upper", "a", "b", ...}.
[[nodiscard]] Json outcome_json(const RobotOutcome& outcome);
[[nodiscard]] std::string outcome_text(const RobotOutcome& outcome);

}  // namespace graze::app
