// The nearest points of two convex cores at one time (Gilbert, Johnson, Keerthi), and the proof that
// they overlap. Nearest points are estimates; overlap is proved (RC-4).
#pragma once

#include <array>
#include <cstdint>

#include "rigid/convex/support.hpp"

namespace graze::rigid::detail {

// A difference of points, one of each body: of B in the world less of A in the world.
struct SimplexPoint {
    Vec3 on_a;  // in the frames of the bodies
    Vec3 on_b;
    Vec3 difference;
};

// Up to four differences, whose hull is near the origin, from one time to the next.
struct Simplex {
    std::array<SimplexPoint, 4> points;
    std::array<double, 4> weights{};
    std::size_t size = 0;

    // Sum of weights times differences.
    [[nodiscard]] Vec3 nearest() const noexcept;
};

struct NearestDifference {
    Vec3 v;  // from A to B, of the cores; 0 where they overlap
    bool overlaps = false;
    std::uint32_t steps = 0;
};

// Begins with what `simplex` held at another time. Ends where |v| is below `margin`, or where the gap
// along v and |v|, both less the margin, differ by no more than a small fraction.
[[nodiscard]] NearestDifference nearest_difference(const MovingShape& a, const MovingShape& b,
                                                   const PairFrame& f, Simplex& simplex,
                                                   double margin) noexcept;

// Adds the difference that is farthest along n to a simplex of fewer than four: with it, one that lies
// at the border of what the bodies have in common reaches into it.
void add_farthest(const MovingShape& a, const MovingShape& b, const PairFrame& f, const Vec3& n,
                  Simplex& simplex) noexcept;

// True only if the cores have a common point, or points within `within` of each other, at the time
// of the frame. `simplex` is that of the frame.
[[nodiscard]] bool certainly_meet(const MovingShape& a, const MovingShape& b, const PairFrame& f,
                                  const Simplex& simplex, double within) noexcept;

// The same of two boxes whose gap along n, from A to B, has closed a moment ago, by the vertex and the
// face or the two edges that meet there: one tetrahedron, without a search. `simplex` becomes it, with the
// weights of the point of contact. False, too, where other features meet along n.
// Requires: both cores are boxes and move rigidly.
[[nodiscard]] bool boxes_meet_along(const MovingShape& a, const MovingShape& b, const PairFrame& f,
                                    const Vec3& n, Simplex& simplex) noexcept;

}  // namespace graze::rigid::detail
