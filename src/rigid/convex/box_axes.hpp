// Two boxes at one time: the direction among the normals of their faces and the crosses of their edges
// along which the gap is largest. An estimate; complete for boxes as polyhedra are exact.
#pragma once

#include "rigid/convex/support.hpp"

namespace graze::rigid::detail {

struct BestAxis {
    Vec3 n;            // from A to B, of unit length within 2^-50
    double gap = 0.0;  // < 0: they overlap, as far as these directions show
};

// Requires: the cores of both shapes are boxes.
[[nodiscard]] BestAxis best_box_axis(const MovingShape& a, const MovingShape& b,
                                     const PairFrame& f) noexcept;

}  // namespace graze::rigid::detail
