// Two boxes at one time: the gaps along the normals of their faces and the crosses of their edges. The
// largest is an estimate of their distance's sign; complete for boxes as polyhedra are exact.
#pragma once

#include "rigid/convex/support.hpp"

namespace graze::rigid::detail {

// One of the fifteen directions: 0 to 2 the normals of A's faces, 3 to 5 those of B's, 6 + 3 i + j the
// cross of A's edge i and B's edge j.
struct BoxAxis {
    unsigned id = 0;
    double gap = 0.0;  // < 0: the boxes overlap along it; of the largest: they overlap
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
    [[nodiscard]] double face_gap_of_a(unsigned i) const noexcept;
    [[nodiscard]] double face_gap_of_b(unsigned j) const noexcept;
    // Along the cross of edges i and j, times its length.
    [[nodiscard]] double edge_gap(unsigned i, unsigned j) const noexcept;
    [[nodiscard]] double edge_length_sq(unsigned i, unsigned j) const noexcept;

    Vec3 half_a_;
    Vec3 half_b_;
    // In the frame of A: B's axes (columns), their magnitudes, the difference of the centres.
    double c_[3][3];
    double size_[3][3];
    Vec3 d_;
};

}  // namespace graze::rigid::detail
