// Buss 2005, section 9.1, by the published algorithm (graze/rigid/pixels.hpp): what it costs, how
// that grows, and what it misses, beside the search by chords and the certified first impact.
#pragma once

#include <cstddef>
#include <vector>

#include "graze/rigid/pixels.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/raster.hpp"
#include "graze/rigid/step.hpp"
#include "reproduce/item.hpp"

namespace graze::app {

// The table of section 9.1: time per test of cubes, cars and tori at 6, 12 and 24 pixels per edge.
[[nodiscard]] Expected<Reproduction> reproduce_pixel_table(const ReproduceOptions& options);
// O(n log n) + O(m): tori of 100 to 100,000 faces.
[[nodiscard]] Expected<Reproduction> reproduce_pixel_growth(const ReproduceOptions& options);
// "Clearly there is a direct tradeoff between runtime and resolution": cost and misses from 3 to 96
// pixels per edge.
[[nodiscard]] Expected<Reproduction> reproduce_pixel_misses(const ReproduceOptions& options);

// B comes from the side, rotates on its path by up to 40 degrees, and goes into A: at the end of
// the step its centre is less than half its size away from A's.
[[nodiscard]] rigid::PairStep colliding_step(const rigid::Polyhedron& shape, int index);
// The lower quartile of the lengths of the edges.
[[nodiscard]] double typical_short_edge(const rigid::Polyhedron& shape);

// Of one body against itself, over some steps.
struct ScreenCost {
    double us = 0.0;       // median over the steps of the least of a few runs
    double records = 0.0;  // mean over the steps: pixels: records; chords: pixels
    double pairs = 0.0;    // that were compared
    double collisions = 0.0;
};
[[nodiscard]] Expected<ScreenCost> cost_by_pixels(const rigid::Polyhedron& shape, double pixel,
                                                  const std::vector<rigid::PairStep>& steps,
                                                  int repeat, const StopToken& stop = {});
[[nodiscard]] Expected<ScreenCost> cost_by_chords(const rigid::Polyhedron& shape, double pixel,
                                                  const std::vector<rigid::PairStep>& steps,
                                                  int repeat, bool robust,
                                                  const StopToken& stop = {});

// What pixels of one size miss of what chords of a 96th of an edge and the certified search find.
// A collision counts as found where pixels report one within half an edge of its position, and of
// its time as the fastest point crosses that length.
struct PixelMisses {
    std::size_t first_impacts = 0;  // that are proved
    std::size_t first_missed = 0;   // no collision is reported at about that time
    std::size_t nothing = 0;        // of these: none is reported at all
    std::size_t collisions = 0;     // by chords, of properness -0.1 and more
    std::size_t missed = 0;
    std::size_t inaccurate = 0;      // found, but by more than a sixth of an edge away, or later
    std::size_t other_features = 0;  // found, but of other vertices, edges or faces
    std::size_t reported = 0;        // by pixels
    std::size_t unmatched = 0;       // where chords have none
    double time_error = 0.0;         // [fraction of the step] mean, of first impacts that are found
    double us = 0.0;                 // mean of the least of a few runs
};
[[nodiscard]] Expected<PixelMisses> misses_by_pixels(const rigid::Polyhedron& shape,
                                                     double pixels_per_edge,
                                                     const std::vector<rigid::PairStep>& steps,
                                                     const StopToken& stop = {});

}  // namespace graze::app
