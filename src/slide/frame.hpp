// The space in which a shape is a ball: its centre at the start is the origin, and lengths are
// measured along each axis in radii, about.
//
// Error of a local coordinate (docs/derivations/slide_sweep.md, SS-1): at most 3.01 u of itself,
// u = 2^-53: one rounding for the difference, one for the scale, one for the product. How far the
// level lies from the origin of its own coordinates does not matter.
//
// A capsule is a ball around each point of a segment, its core. Its centre keeps from a triangle
// what a ball keeps from the sum of the triangle and the core, a prism (SS-7).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "graze/broad/box.hpp"
#include "graze/core/rounding.hpp"
#include "graze/core/vec3.hpp"
#include "graze/slide/sweep.hpp"

namespace graze::slide {

struct Frame {
    Vec3 origin;
    Vec3 scale;               // local = (true - origin) * scale
    Vec3 radii;               // of the shape, in true lengths
    double ball = 1.0;        // local radius of the shape, exact or rounded up
    double per_length = 1.0;  // local radius for a margin of 1: 1 / (smallest radius), rounded up
    double smallest_radius = 0.0;
    double largest_radius = 0.0;
    Vec3 half_axis;                 // of the core, in true lengths, exact
    double largest_reach = 0.0;     // [length] at least that of the shape from its centre
    std::array<Vec3, 2> side_axes;  // of a core that is a box, likewise
    bool has_core = false;          // the half axis is not zero
    bool is_box = false;            // nor are all side axes
    bool valid = false;             // radii within [2^-1000, 2^1000], all numbers finite

    // The radius of the ball with a margin around it, rounded up: four rounding errors at most, 8 u
    // are put on. The ellipsoid grown by the factor 1 + m / r_min is the sum of the ellipsoid and
    // of a copy m / r_min as large, which holds a sphere of radius m: the true gap is at least m
    // (SS-1).
    // Requires: margin >= 0.
    [[nodiscard]] double radius_with(double margin) const noexcept {
        return (ball + margin * per_length) * (1.0 + 0x1p-50);
    }
    [[nodiscard]] Vec3 local(const Vec3& point) const noexcept {
        return {(point.x - origin.x) * scale.x, (point.y - origin.y) * scale.y,
                (point.z - origin.z) * scale.z};
    }
    // Of point + by, with the same error (SS-7).
    [[nodiscard]] Vec3 local_shifted(const Vec3& point, const Vec3& by) const noexcept {
        return {shifted(point.x, origin.x, by.x) * scale.x,
                shifted(point.y, origin.y, by.y) * scale.y,
                shifted(point.z, origin.z, by.z) * scale.z};
    }
    // Of point + sign * half_axis.
    // Requires: sign is 1 or -1.
    [[nodiscard]] Vec3 local_shifted(const Vec3& point, double sign) const noexcept {
        return local_shifted(point, sign * half_axis);
    }
    // Exact: a frame whose sums are not is refused.
    [[nodiscard]] Vec3 corner_of_core(unsigned corner) const noexcept {
        const auto signed_axis = [&](const Vec3& axis, unsigned bit) {
            return (corner & bit) != 0 ? axis : -axis;
        };
        return (signed_axis(half_axis, 1U) + signed_axis(side_axes[0], 2U)) +
               signed_axis(side_axes[1], 4U);
    }
    // [length] How far the core extends along each axis of space, but for rounding.
    [[nodiscard]] Vec3 core_extent() const noexcept {
        Vec3 extent;
        for (std::size_t axis = 0; axis < 3; ++axis)
            extent[axis] = std::fabs(half_axis[axis]) + std::fabs(side_axes[0][axis]) +
                           std::fabs(side_axes[1][axis]);
        return extent;
    }
    [[nodiscard]] Vec3 local_vector(const Vec3& v) const noexcept {
        return {v.x * scale.x, v.y * scale.y, v.z * scale.z};
    }
    // Estimates: rounded.
    [[nodiscard]] Vec3 true_point(const Vec3& p) const noexcept {
        return {origin.x + p.x / scale.x, origin.y + p.y / scale.y, origin.z + p.z / scale.z};
    }
    // A normal of a surface, mapped back and made one unit long.
    [[nodiscard]] Vec3 true_normal(const Vec3& n) const noexcept {
        // Scales of any size: first all to at most one.
        const double largest = norm_max(scale);
        const Vec3 v{n.x * (scale.x / largest), n.y * (scale.y / largest),
                     n.z * (scale.z / largest)};
        const double length = norm(v);
        return length > 0.0 ? (1.0 / length) * v : Vec3{};
    }

private:
    // x - o + b with an error of at most 1.01 u of itself, also where the terms cancel: what the
    // difference and the sum lose is added at the end (SS-7). Were it u of the terms instead, a
    // long core would widen every bound of a vertex near its end.
    [[nodiscard]] static double shifted(double x, double o, double b) noexcept {
        const ValueAndError difference = two_diff(x, o);
        const ValueAndError sum = two_sum(difference.value, b);
        return sum.value + (sum.error + difference.error);
    }
};

namespace detail {

[[gnu::noinline]] inline void add_core(Frame& frame, const Vec3& half_axis) noexcept {
    frame.half_axis = half_axis;
    frame.has_core = true;
    frame.largest_reach += norm_one(half_axis);
    frame.valid = frame.valid && is_finite(half_axis) && norm_max(half_axis) <= 0x1p1000;
}

// A box is refused unless its axes are perpendicular, nearly, and its corners are sums without
// rounding (SS-9): then a corner is as exact as the end of a half axis.
[[gnu::noinline]] inline void add_box_core(Frame& frame,
                                           const std::array<Vec3, 2>& sides) noexcept {
    constexpr double kSquareness = 0x1p-10;
    frame.side_axes = sides;
    frame.is_box = true;
    frame.has_core = true;
    frame.largest_reach += norm_one(sides[0]) + norm_one(sides[1]);
    const std::array<Vec3, 3> axes{frame.half_axis, sides[0], sides[1]};
    bool valid = frame.valid;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& a = axes[k];
        const Vec3& b = axes[(k + 1) % 3];
        // Of at most one unit, so that no product leaves the range of doubles.
        const double size = std::max(norm_max(a), norm_max(b));
        valid = valid && is_finite(a) && size <= 0x1p1000;
        if (!valid || !(size > 0.0)) continue;
        const Vec3 a_unit = (1.0 / std::max(norm_max(a), size * 0x1p-500)) * a;
        const Vec3 b_unit = (1.0 / std::max(norm_max(b), size * 0x1p-500)) * b;
        const double cosine = dot(a_unit, b_unit);
        valid = cosine * cosine <= kSquareness * kSquareness * norm_sq(a_unit) * norm_sq(b_unit);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const double q : {-1.0, 1.0}) {
            for (const double r : {-1.0, 1.0}) {
                const ValueAndError two = two_sum(axes[0][axis], q * axes[1][axis]);
                const ValueAndError all = two_sum(two.value, r * axes[2][axis]);
                valid = valid && two.error == 0.0 && all.error == 0.0;
            }
        }
    }
    frame.valid = valid;
}

}  // namespace detail

// The frame of a shape around `origin`.
[[nodiscard]] inline Frame frame_of(const Vec3& radii, const Vec3& origin,
                                    const Vec3& half_axis = {},
                                    const std::array<Vec3, 2>& side_axes = {}) noexcept {
    Frame frame;
    frame.origin = origin;
    frame.radii = radii;
    frame.smallest_radius = std::min({radii.x, radii.y, radii.z});
    frame.largest_radius = std::max({radii.x, radii.y, radii.z});
    frame.largest_reach = frame.largest_radius;
    frame.valid = is_finite(radii) && is_finite(origin) && frame.smallest_radius >= 0x1p-1000 &&
                  frame.largest_radius <= 0x1p1000;
    if (!(half_axis == Vec3{})) [[unlikely]]
        detail::add_core(frame, half_axis);
    if (!(side_axes[0] == Vec3{} && side_axes[1] == Vec3{})) [[unlikely]]
        detail::add_box_core(frame, side_axes);
    if (!frame.valid) return frame;
    if (radii.x == radii.y && radii.y == radii.z) {
        // A power of two: multiplying by it is exact.
        const double power = std::ldexp(1.0, -std::ilogb(radii.x));
        frame.scale = {power, power, power};
        frame.ball = radii.x * power;
        frame.per_length = power;
        return frame;
    }
    frame.scale = {1.0 / radii.x, 1.0 / radii.y, 1.0 / radii.z};
    frame.per_length = (1.0 / frame.smallest_radius) * (1.0 + 0x1p-50);
    return frame;
}

// A straight path of the centre, s in [0, 1]: the exact point at s lies within the error of local
// coordinates of (1 - s) from + s to.
struct Path {
    Vec3 from;  // local
    Vec3 to;
};

[[nodiscard]] inline Path path_between(const Frame& frame, const Vec3& from,
                                       const Vec3& to) noexcept {
    return {frame.local(from), frame.local(to)};
}
// From the origin of the frame along a vector: the end is not rounded.
[[nodiscard]] inline Path path_along(const Frame& frame, const Vec3& move) noexcept {
    return {{}, frame.local_vector(move)};
}

// The part of a path from begin to end, where 0 <= begin <= end <= 1; its ends are rounded, by at
// most 9 u of the largest coordinate of the path on each axis.
[[nodiscard]] inline Path cut(const Path& path, double begin, double end) noexcept {
    const Vec3 move = path.to - path.from;
    return {begin > 0.0 ? path.from + begin * move : path.from,
            end < 1.0 ? path.from + end * move : path.to};
}

// Around all within `radius` (local) of a path between two points that were found by sums of terms
// of at most `largest`, in true coordinates and rounded outward: what rounding takes is below 2^-51
// of the terms.
[[nodiscard]] inline Box box_around(const Frame& frame, const Vec3& from, const Vec3& to,
                                    double radius, const Vec3& largest = {}) noexcept {
    Box box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double by = radius / frame.scale[axis];
        const double low = std::min(from[axis], to[axis]);
        const double high = std::max(from[axis], to[axis]);
        box.lower[axis] = (low - by) - 0x1p-50 * (std::fabs(low) + by + largest[axis]);
        box.upper[axis] = (high + by) + 0x1p-50 * (std::fabs(high) + by + largest[axis]);
    }
    return box;
}

}  // namespace graze::slide
