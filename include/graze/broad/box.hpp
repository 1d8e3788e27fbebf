// Boxes around moving things, with their edges cut off, on a grid of floats.
//
// Bounds are rounded outward, or by a function that never exchanges two numbers: things that meet
// have boxes that overlap.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "graze/core/vec3.hpp"

namespace graze {

// Closed. The default holds nothing.
struct Box {
    static constexpr double kInfinite = std::numeric_limits<double>::infinity();

    Vec3 lower{kInfinite, kInfinite, kInfinite};
    Vec3 upper{-kInfinite, -kInfinite, -kInfinite};

    constexpr void add(const Vec3& point) noexcept {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            lower[axis] = std::min(lower[axis], point[axis]);
            upper[axis] = std::max(upper[axis], point[axis]);
        }
    }
    friend constexpr bool operator==(const Box&, const Box&) noexcept = default;
};

// x, y, z and the six diagonals x + y, x - y, x + z, x - z, y + z, y - z: of the pairs of mesh
// parts whose boxes overlap, the diagonals part six to eight of ten.
inline constexpr std::size_t kGridAxes = 9;

// An interval on each axis, in floats: half the memory of doubles, and twice as many at a time.
// The default holds nothing.
struct GridBox {
    static constexpr float kInfinite = std::numeric_limits<float>::infinity();

    std::array<float, kGridAxes> lower;
    std::array<float, kGridAxes> upper;

    constexpr GridBox() noexcept {
        lower.fill(kInfinite);
        upper.fill(-kInfinite);
    }
    constexpr void add(const GridBox& box) noexcept {
        for (std::size_t axis = 0; axis < kGridAxes; ++axis) {
            lower[axis] = std::min(lower[axis], box.lower[axis]);
            upper[axis] = std::max(upper[axis], box.upper[axis]);
        }
    }
    friend constexpr bool operator==(const GridBox&, const GridBox&) noexcept = default;
};

// To touch is to overlap.
[[nodiscard]] constexpr bool overlap(const GridBox& a, const GridBox& b) noexcept {
    bool result = true;
    for (std::size_t axis = 0; axis < kGridAxes; ++axis)
        result &= a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis];
    return result;
}

// Maps each axis to floats, those in the scene to [-1, 1], about: units and the place of the scene
// do not matter.
class Grid {
public:
    Grid() = default;
    // Requires: a finite box, or one that holds nothing.
    explicit Grid(const Box& scene) noexcept;

    // Around the way of a point from `start` to where it is at `t_end` on its way to `end`, and all
    // within `radius` of it in the Euclidean or in the max-norm.
    // Guarantee: where a point of one element (a convex combination of its vertices at the same
    // time) and one of another come within the sum of their radii of each other at a time in
    // [0, t_end], the boxes of the elements, which are those of their vertices put together,
    // overlap.
    // Requires: finite points, 0 <= t_end <= 1, radius >= 0.
    [[nodiscard]] GridBox around(const Vec3& start, const Vec3& end, double t_end,
                                 double radius) const noexcept;

private:
    // Never exchanges two numbers: subtraction, multiplication by a positive number, clamping and
    // the rounding to float do not.
    [[nodiscard]] float map(double x, std::size_t axis) const noexcept {
        const double place = (x - middle_[axis]) * scale_[axis];
        // Beyond the range of floats a conversion would not be defined.
        return static_cast<float>(std::clamp(place, -0x1p100, 0x1p100));
    }

    double before_ = 1.0;  // a power of two on all lengths, so that no sum overflows
    std::array<double, kGridAxes> middle_{};
    std::array<double, kGridAxes> scale_{1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
};

}  // namespace graze
