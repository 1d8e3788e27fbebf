// Two boxes at one time: the gaps along the normals of their faces and the crosses of their edges. The
// largest is an estimate of their distance's sign; complete for boxes as polyhedra are exact.
#pragma once

#include <array>
#include <cstddef>

#include "rigid/convex/support.hpp"

namespace graze::rigid::detail {

// One of the fifteen directions: 0 to 2 the normals of A's faces, 3 to 5 those of B's, 6 + 3 i + j the
// cross of A's edge i and B's edge j.
struct BoxAxis {
    unsigned id = 0;
    double gap = 0.0;  // < 0: the boxes overlap along it; of the largest: they overlap
};

// In the frame of A: B's axes (the columns of c), their magnitudes, the difference of the centres; half
// sizes. Rows have a fourth lane, which is 0.
struct BoxLanes {
    using Row = std::array<double, 4>;
    std::array<Row, 3> c;
    std::array<Row, 3> size;
    Row half_a;
    Row half_b;
    Row d;
};

// The frame of a pair of boxes as these directions see it. Requires: both cores are boxes.
class BoxAxes {
public:
    BoxAxes(const MovingShape& a, const MovingShape& b, const PairFrame& f) noexcept;
    // That of the largest gap. Crosses of nearly parallel edges are left out.
    [[nodiscard]] BoxAxis best() const noexcept;
    [[nodiscard]] double gap(unsigned id) const noexcept;
    // From A to B, of unit length within 2^-50; 0 where the edges of a cross are parallel. `f` is the
    // frame that this was made of.
    [[nodiscard]] Vec3 direction(unsigned id, const PairFrame& f) const noexcept;

private:
    BoxLanes lanes_;
};

}  // namespace graze::rigid::detail
