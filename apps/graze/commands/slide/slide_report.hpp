// What `graze slide` found, as JSON and text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "graze/verify/slide_run.hpp"
#include "graze/verify/stats.hpp"

namespace graze::app {
using namespace verify;

// A move, what it touched, and the gap afterwards, measured afresh.
struct JudgedFrame {
    SlideFrame frame;
    std::vector<Touch> touches;  // with faces counted over the whole level
    double penetration = 0.0;    // [length] exactly 0 iff there is none
    std::optional<double> gap;   // [length] rounded; none where nothing is within 4 skins
    bool keeps_skin = true;      // exactly
};

struct SlideOutcome {
    SlideSettings settings;
    Vec3 start;         // as rounded
    double skin = 0.0;  // [length] as used, the largest of all frames
    std::size_t faces = 0;
    double start_penetration = 0.0;
    std::vector<JudgedFrame> frames;
    double seconds_build = 0.0;

    [[nodiscard]] double max_penetration() const noexcept;
    [[nodiscard]] std::vector<Vec3> path() const;  // the start, then each position
};

[[nodiscard]] Json outcome_json(const SlideOutcome& outcome);
[[nodiscard]] std::string outcome_text(const SlideOutcome& outcome);

}  // namespace graze::app
