// `graze rigid --shape-a --shape-b`: the first impact of two convex bodies under a motion of choice.
#pragma once

#include <string>

#include "cli/options.hpp"
#include "graze/rigid/convex.hpp"

namespace graze::app {

struct ConvexRequest {
    std::string shape_a;
    std::string shape_b;
    std::string poses;
    std::string motion = "screw";
    std::string spin_a;  // radians per step, "X,Y,Z"; empty: as the poses say, by the smaller angle
    std::string spin_b;
    rigid::ImpactOptions impact;
    bool exit_code = false;
    CommonOptions common;

    [[nodiscard]] bool is_asked_for() const noexcept {
        return !shape_a.empty() || !shape_b.empty();
    }
};

// "sphere:R", "box:X,Y,Z" (half sizes), "capsule:R,H", "cylinder:R,H" (along z, half lengths),
// "hull:FILE" (the vertices of a mesh). Error: anything else.
[[nodiscard]] Expected<rigid::ConvexShape> convex_shape_named(const std::string& text);

// Wrong use: one shape alone, a motion that there is not.
void check_convex_request(const ConvexRequest& request);

[[nodiscard]] Expected<ExitCode> run_convex_impact(const ConvexRequest& request);

}  // namespace graze::app
