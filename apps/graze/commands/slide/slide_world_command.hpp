// What `graze slide` does with --world and --character.
#pragma once

#include <optional>
#include <string>

#include "slide_world.hpp"

namespace graze::app {

struct SlideWorldRequest {
    std::string world;  // WORLD.json, or
    std::string level;  // one mesh
    std::string moves;  // empty: those of the world
    std::string json;
    std::string csv;
    std::string svg;
    std::string html;
    std::string side;
    // Where they are given they count more than what the world states.
    std::optional<slide::Shape<double>> shape;
    double skin = 0.0;
    std::optional<double> slope_degrees;
    std::optional<double> step_height;
    std::optional<double> snap_distance;
    bool stops_at_ledges = false;
    WorldRunOptions run;
};

// Errors: of the files; a frame whose proof an exact check contradicts, once all is written.
[[nodiscard]] Expected<void> run_slide_world(const SlideWorldRequest& request);

}  // namespace graze::app
