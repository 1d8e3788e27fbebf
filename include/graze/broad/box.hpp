// 18-DOPs around moving points: intervals on x, y, z and six diagonals, conservatively rounded to
// float.
//
// Bounds are rounded outward, or by a monotone map: elements that meet have k-DOPs that overlap.
#pragma once

#include <array>
#include <cstddef>

#include "graze/broad/float_box.hpp"

namespace graze {

// x, y, z and the six diagonals x + y, x - y, x + z, x - z, y + z, y - z: of the pairs of mesh
// elements whose boxes overlap, the diagonals cull six to eight of ten.
inline constexpr std::size_t kGridAxes = 9;

// The k-DOP (k = 18) of an element; the default holds nothing.
using GridBox = FloatBox<kGridAxes>;

// Maps each of the nine axes to floats, the scene to [-1, 1], about: scale- and
// translation-invariant.
class Grid {
public:
    Grid() = default;
    // Requires: a finite box, or one that holds nothing.
    explicit Grid(const Box& scene) noexcept;

    // Around the path of a point from `start` to its position at `t_end` on the segment to `end`,
    // and all within `radius` of it in the Euclidean or in the max-norm.
    // Guarantee: where a point of one element (a convex combination of its vertices at the same
    // time) and one of another come within the sum of their radii of each other at a time in
    // [0, t_end], the k-DOPs of the elements, which are those of their vertices put together,
    // overlap.
    // Requires: finite points, 0 <= t_end <= 1, radius >= 0.
    [[nodiscard]] GridBox around(const Vec3& start, const Vec3& end, double t_end,
                                 double radius) const noexcept;

private:
    double before_ = 1.0;  // a power of two on all lengths, so that no sum overflows
    FloatMap<kGridAxes> map_;
};

}  // namespace graze
