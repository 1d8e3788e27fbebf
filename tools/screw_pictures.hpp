// Pictures of two rigid bodies in screw motion, as SVG that needs nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graze/screw/collision.hpp"
#include "graze/screw/polyhedron.hpp"
#include "graze/screw/pose.hpp"
#include "graze/screw/raster.hpp"

namespace graze::tools {

// [degrees] From where the bodies are seen: the eye is that far around the y-axis, from z towards
// x, and that far up.
struct View {
    double azimuth = 30.0;
    double elevation = 25.0;
};

// Both bodies at one time, with what happens there.
struct BodyPanel {
    std::string title;
    double time = 0.0;
    std::vector<screw::Collision> collisions;  // in the world
};

// The panels of a step: the start, one for each group of collisions (at most `most`, the first
// ones), the end. Collisions are in the world, sorted by time; `groups` holds the first of each.
[[nodiscard]] std::vector<BodyPanel> panels_of(const std::vector<screw::Collision>& sorted,
                                               const std::vector<std::size_t>& groups,
                                               std::size_t most);

// Side by side, all in one scale; faces are painted from the back to the front. Collisions are
// marked by a ring, and their normals by a line from A to B.
[[nodiscard]] std::string bodies_svg(const screw::Polyhedron& a, const screw::Polyhedron& b,
                                     const screw::PairStep& step,
                                     const std::vector<BodyPanel>& panels, const View& view = {});

// A collision's place on the screen, in pixels.
struct ScreenMark {
    double r = 0.0;
    double h = 0.0;
    std::string label;
};
// The collision screen as in Buss 2005, Figure 14: r to the right, h up, each pixel a square.
// Pixels of A and of B in two colours, vertices darker, virtual edges pale.
[[nodiscard]] std::string screen_svg(const std::vector<screw::RasterSearch::DrawnPixel>& drawn,
                                     const std::vector<ScreenMark>& marks);

// Both bodies at a time as one OBJ file, A and B as objects of these names.
[[nodiscard]] std::string bodies_obj(const screw::Polyhedron& a, const screw::Polyhedron& b,
                                     const screw::PairStep& step, double time);

}  // namespace graze::tools
