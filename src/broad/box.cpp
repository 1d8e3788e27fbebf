// Intervals on nine axes (18-DOPs) that never separate what touches: MESH-1 in
// docs/derivations/mesh.md.
//   Each axis l is linear, so a point of an element at t <= T has l between the least and the largest
//   l of its vertices at 0 and at T. For p, q within r + s of each other, with margins r and s,
//     lower of the first <= l(p) - c r <= l(q) + c s <= upper of the second,   c = 1, diagonals 2.
//   float(clamp((beta - m) s)) is monotone in beta: bounds that met still meet, whatever is lost.
#include "graze/broad/box.hpp"

#include <algorithm>
#include <cmath>

namespace graze {
namespace {

struct Interval {
    double lower = 0.0;
    double upper = 0.0;
};

// One rounding costs u = 2^-53 of the result; 4u are taken off, and the subtraction may give one
// back: 3u >= u remain, below the exact value. Sums that are subnormal are exact.
double down(double x) noexcept {
    return x - 0x1p-51 * std::fabs(x);
}
double up(double x) noexcept {
    return x + 0x1p-51 * std::fabs(x);
}

Interval widened(double x, double by) noexcept {
    return by > 0.0 ? Interval{down(x - by), up(x + by)} : Interval{x, x};
}

// x s + y t with s = 1 - t: each product has at most two rounding errors, and the sum one: 3u (|x| +
// |y|), here 8u; what underflow takes away is below 2^-1070.
Interval position_at(double x, double y, double t) noexcept {
    if (t == 0.0) return {x, x};
    if (t == 1.0) return {y, y};
    return widened(x * (1.0 - t) + y * t, 0x1p-50 * (std::fabs(x) + std::fabs(y)) + 0x1p-1070);
}

// Bounds by axis, so that several axes are computed at a time.
struct Intervals {
    std::array<double, kGridAxes> lower;
    std::array<double, kGridAxes> upper;
};

// Within `radius` of the box of x, y and z in the max-norm, and so in the Euclidean one: on a
// diagonal twice that. (Exact sums would do with the root of two for the Euclidean.)
Intervals around_point(const Interval& x, const Interval& y, const Interval& z,
                       double radius) noexcept {
    Intervals all = {{x.lower, y.lower, z.lower, x.lower + y.lower, x.lower - y.upper,
                      x.lower + z.lower, x.lower - z.upper, y.lower + z.lower, y.lower - z.upper},
                     {x.upper, y.upper, z.upper, x.upper + y.upper, x.upper - y.lower,
                      x.upper + z.upper, x.upper - z.lower, y.upper + z.upper, y.upper - z.lower}};
    for (std::size_t axis = 3; axis < kGridAxes; ++axis) {
        all.lower[axis] = down(all.lower[axis]);
        all.upper[axis] = up(all.upper[axis]);
    }
    if (!(radius > 0.0)) return all;
    for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
        const double by = axis < 3 ? radius : 2.0 * radius;
        all.lower[axis] = down(all.lower[axis] - by);
        all.upper[axis] = up(all.upper[axis] + by);
    }
    return all;
}

// A power of two that brings `range` to 2, about; 1 for 0. Never subnormal, never above 2^1023.
double scale_for(double range) noexcept {
    if (!(range > 0.0)) return 1.0;
    return std::ldexp(1.0, std::clamp(-std::ilogb(range), -1022, 1023));
}

}  // namespace

Grid::Grid(const Box& scene) noexcept {
    if (!(scene.lower.x <= scene.upper.x)) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double largest = std::max(std::fabs(scene.lower[axis]), std::fabs(scene.upper[axis]));
        // Sums of two coordinates and a margin of twice their size stay below 2^1024.
        if (largest > 0x1p1020) before_ = 0x1p-8;
    }
    const auto span = [&](std::size_t axis) {
        return Interval{before_ * scene.lower[axis], before_ * scene.upper[axis]};
    };
    const Intervals all = around_point(span(0), span(1), span(2), 0.0);
    for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
        const double range = all.upper[axis] - all.lower[axis];
        // Any constant would do: what is monotone needs no exact centre. This one spends the bits
        // of a float on the extent of the scene instead of on its distance from the origin.
        map_.middle[axis] = all.lower[axis] + 0.5 * range;
        map_.scale[axis] = scale_for(range);
    }
}

GridBox Grid::around(const Vec3& start, const Vec3& end, double t_end,
                     double radius) const noexcept {
    // Multiplication by a power of two is exact, or loses what is below 2^-1074 (before_ is 1 where
    // numbers are small).
    const Vec3 p = before_ * start;
    const Vec3 q = before_ * end;
    const double r = before_ < 1.0 ? up(before_ * radius) + 0x1p-1074 : radius;
    const Intervals first = around_point({p.x, p.x}, {p.y, p.y}, {p.z, p.z}, r);
    const Intervals last = around_point(position_at(p.x, q.x, t_end), position_at(p.y, q.y, t_end),
                                        position_at(p.z, q.z, t_end), r);
    GridBox box;
    for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
        box.lower[axis] = map_.map(std::min(first.lower[axis], last.lower[axis]), axis);
        box.upper[axis] = map_.map(std::max(first.upper[axis], last.upper[axis]), axis);
    }
    return box;
}

}  // namespace graze
