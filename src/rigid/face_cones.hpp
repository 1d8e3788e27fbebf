// Which normals contacts on the features of a face can have (docs/derivations/rigid_raster.md, RR-8).
#pragma once

#include <vector>

#include "graze/rigid/polyhedron.hpp"

namespace graze::rigid {

// One per face; of a body whose edges, neighbours and normals are found.
[[nodiscard]] std::vector<FaceCone> face_cones(const Polyhedron& body);

// No cone: any normal.
inline constexpr float kAnyNormal = 3.1415927F;

// A normal may be off the perpendicular of its face's edges by a sine of this much, for corners that
// are off the plane; then cones are wider by twice that. What is farther off has no cone.
inline constexpr double kLargestSkew = 1e-3;

}  // namespace graze::rigid
