// Common points of two convex cores at given poses, by exact arithmetic (RC-4).
#pragma once

#include "graze/core/pose.hpp"
#include "rigid/convex/simplex.hpp"

namespace graze::rigid::detail {

// True only if the cores have a common point at the poses, in exact numbers: one of triangles whose
// corners are vertices of the cores that the simplex was made from. For points, segments, boxes and
// hulls; false for cylinders, and where a vertex of a box is no double. Some 50 microseconds.
[[nodiscard]] bool have_common_point_exactly(const ConvexShape& a, const Pose& pose_a,
                                             const ConvexShape& b, const Pose& pose_b,
                                             const Simplex& simplex) noexcept;

}  // namespace graze::rigid::detail
