// Boxes of floats, conservatively rounded: half the memory of doubles, and twice as many at a time.
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

// An interval on each axis. The default holds nothing, and overlaps nothing.
template <std::size_t kAxes>
struct FloatBox {
    static constexpr float kInfinite = std::numeric_limits<float>::infinity();

    std::array<float, kAxes> lower;
    std::array<float, kAxes> upper;

    constexpr FloatBox() noexcept {
        lower.fill(kInfinite);
        upper.fill(-kInfinite);
    }
    constexpr void add(const FloatBox& box) noexcept {
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            lower[axis] = std::min(lower[axis], box.lower[axis]);
            upper[axis] = std::max(upper[axis], box.upper[axis]);
        }
    }
    friend constexpr bool operator==(const FloatBox&, const FloatBox&) noexcept = default;
};

// To touch is to overlap.
template <std::size_t kAxes>
[[nodiscard]] constexpr bool overlap(const FloatBox<kAxes>& a, const FloatBox<kAxes>& b) noexcept {
    bool result = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
        result &= a.lower[axis] <= b.upper[axis] && b.lower[axis] <= a.upper[axis];
    return result;
}

// Maps each axis to floats, the scene to [-1, 1], about: results do not depend on units or on where
// the scene is. Monotone, since a subtraction, a multiplication by a positive number, clamping and
// rounding to float each are: boxes that overlap still do.
template <std::size_t kAxes>
struct FloatMap {
    std::array<double, kAxes> middle{};
    std::array<double, kAxes> scale;

    constexpr FloatMap() noexcept { scale.fill(1.0); }
    [[nodiscard]] float map(double x, std::size_t axis) const noexcept {
        const double mapped = (x - middle[axis]) * scale[axis];
        // Beyond the range of floats a conversion would not be defined.
        return static_cast<float>(std::clamp(mapped, -0x1p100, 0x1p100));
    }
    [[nodiscard]] FloatBox<kAxes> map(const Box& box) const noexcept requires(kAxes == 3) {
        FloatBox<3> mapped;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            mapped.lower[axis] = map(box.lower[axis], axis);
            mapped.upper[axis] = map(box.upper[axis], axis);
        }
        return mapped;
    }
};

// x, y and z with one scale for all, that of the widest, so that extents compare. Requires: a finite
// box, or one that holds nothing.
[[nodiscard]] FloatMap<3> float_map_around(const Box& scene) noexcept;

}  // namespace graze
