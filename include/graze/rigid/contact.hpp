// A contact of two rigid bodies.
#pragma once

#include <cstdint>

#include "graze/core/vec3.hpp"
#include "graze/rigid/polyhedron.hpp"

namespace graze::rigid {

// Which faces meet, and where. The faces are proved to come within the bracket of the impact where
// the verdict is Contact; point and normal are estimates in doubles. In the world, at `time`.
struct Contact {
    std::uint32_t face_a = kNoFace;
    std::uint32_t face_b = kNoFace;
    double time = 0.0;  // [fraction of the step] of point and normal: the last that is proved free
    Vec3 point;         // the middle between the nearest points of the two faces
    // From A to B, of unit length: along the nearest points, or across the features where these
    // coincide within rounding errors. 0 where no faces are known.
    Vec3 normal;
};

}  // namespace graze::rigid
