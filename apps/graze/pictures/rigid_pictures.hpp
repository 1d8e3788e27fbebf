// Pictures of two rigid bodies in screw motion, as SVG that needs nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graze/rigid/contact.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/rigid/step.hpp"

namespace graze::app {

// Both bodies at one time, with what happens there.
struct BodyPanel {
    std::string title;
    double time = 0.0;
    std::vector<rigid::Contact> collisions;  // in the world
};

// The panels of a step: the start, one for each group of collisions (at most `most`, the first
// ones), the end. Collisions are in the world, sorted by time; `groups` holds the first of each.
[[nodiscard]] std::vector<BodyPanel> panels_of(const std::vector<rigid::Contact>& sorted,
                                               const std::vector<std::size_t>& groups,
                                               std::size_t most);

struct DrawnBodies {
    const rigid::Polyhedron& a;
    const rigid::Polyhedron& b;
    std::string name_a;  // of the file, without folders
    std::string name_b;
    rigid::PairStep step;
    rigid::ImpactResult first;
};

// Side by side, all in one scale, seen from where the first contact is seen best. Collisions are
// marked by a ring, and their normals by an arrow from A to B; the first one that is proved has a
// mark of its own and a close-up. At most about 2 MB: bodies of many faces are drawn coarser.
[[nodiscard]] std::string bodies_svg(const DrawnBodies& bodies,
                                     const std::vector<BodyPanel>& panels);

// A collision's place on the screen, in pixels.
struct ScreenMark {
    double r = 0.0;
    double h = 0.0;
    std::string label;
};
// The collision screen as in Buss 2005, Figure 14: r to the right, h up, each pixel a square.
// Pixels of A and of B in two colours, vertices darker, virtual edges pale. `pixel`: its length.
// At most about 2 MB: where pixels are too many, squares of several are one.
[[nodiscard]] std::string screen_svg(const std::vector<rigid::RasterSearch::DrawnPixel>& drawn,
                                     const std::vector<ScreenMark>& marks, double pixel);

// Both bodies at a time as one OBJ file, A and B as objects of these names.
[[nodiscard]] std::string bodies_obj(const rigid::Polyhedron& a, const rigid::Polyhedron& b,
                                     const rigid::PairStep& step, double time);

}  // namespace graze::app
