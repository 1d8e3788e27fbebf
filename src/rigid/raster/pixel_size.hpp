// The resolution of the screen where the caller names none, and the least that doubles can bear.
#pragma once

#include <vector>

#include "graze/core/expected.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid::raster {

// A twelfth of a typical short edge of the two bodies. `lengths` is memory to work with.
[[nodiscard]] double default_pixel(const Polyhedron& a, const Polyhedron& b,
                                   std::vector<double>& lengths);

// The time in which a point of this speed crosses a pixel, at most the whole step.
[[nodiscard]] double default_time_resolution(double pixel, double speed) noexcept;

// Error (InvalidOption): one of them is not finite, or negative where it is a size.
[[nodiscard]] Expected<void> check_resolution(double pixel, double time_resolution,
                                              double min_properness);

// Error: rounding errors of positions are not small beside a pixel.
[[nodiscard]] Expected<void> check_reach(const Polyhedron& a, const Polyhedron& b,
                                         const PairStep& step, double pixel);

}  // namespace graze::rigid::raster
