// Bounds over a slab of time: how much of it is free of contact, along one direction.
//
// Between t0 and t1 a point of B is within K s (1 - s) of the point that goes straight from its
// position at t0 to its position at t1, s being the fraction of the slab and K = |acceleration|
// dt^2 / 2. So a gap along a unit direction is at least (1 - s) G0 + s G1 - K s (1 - s), G0 and G1
// being lower bounds at the ends. Derivation: docs/derivations/rigid_impact.md, section RI-5.
#pragma once

#include <array>
#include <cmath>

#include "rigid/impact/relative_motion.hpp"
#include "rigid/impact/tree.hpp"

namespace graze::rigid::detail {

// Stands for a fraction: the whole slab is proved free, its end included. 1 is without its end.
inline constexpr double kAllFree = 2.0;

// What is proved free of a slab, from its start, and a guess of where the gap closes.
struct FreeFraction {
    double proved = 0.0;
    double closes_est = 0.0;
};

// RI-5 (1): gap(s) >= (1 - s) G0 + s G1 - K s (1 - s). The whole slab is free if G0, G1 > 0 and
// either |G1 - G0| >= K, where the bound is monotone, or its least value is positive; else the
// fraction s < G0 / (K + G0 - G1) is. Every number that is compared with 0 below is off by less
// than 12 u (K + |G0| + |G1|), and so is the bound that a fraction is taken from: `margin` is 64 u
// of that. Fails closed: what is not a number proves nothing.
[[nodiscard]] inline FreeFraction free_fraction(double gap0, double gap1, double bulge) noexcept {
    const double margin = 0x1p-47 * (bulge + std::fabs(gap0) + std::fabs(gap1));
    const double g0 = gap0 - margin;
    const double g1 = gap1 - margin;
    if (!(g0 > 0.0)) return {};
    const double rise = g1 - g0;
    if (g1 > 0.0) {
        if (std::fabs(rise) >= bulge) return {kAllFree, kAllFree};
        // Within the slab the bound is least at s = 1/2 - rise / (2 K).
        // rise^2 / (4 K) is at most |rise| / 4, which does not underflow as the square may.
        const double size = std::fabs(rise);
        const double sag = size > 0x1p-500 ? size * size / (4.0 * bulge) : 0.25 * size;
        const double least = 0.5 * (g0 + g1) - 0.25 * bulge - sag;
        if (least > 0.0) return {kAllFree, kAllFree};
    }
    // G0 - s (K - rise) + K s^2 > 0 for s < G0 / (K - rise).
    const double closing = bulge - rise;
    const double fraction = g0 / closing * (1.0 - 0x1p-40);
    return {fraction < 1.0 ? fraction : 1.0, g1 < 0.0 ? g0 / (g0 - g1) : 1.0};
}

// Six vectors, coordinate by coordinate, so that they are worked on side by side.
struct AxisLanes {
    static constexpr std::size_t kCount = 6;
    std::array<double, kCount> x{};
    std::array<double, kCount> y{};
    std::array<double, kCount> z{};

    void set(std::size_t k, const Vec3& v) noexcept {
        x[k] = v.x;
        y[k] = v.y;
        z[k] = v.z;
    }
    [[nodiscard]] Vec3 vector(std::size_t k) const noexcept { return {x[k], y[k], z[k]}; }
    [[nodiscard]] double along(std::size_t k, const Vec3& v) const noexcept {
        return x[k] * v.x + y[k] * v.y + z[k] * v.z;
    }
};

struct Slab {
    Frame first;
    Frame last;
    double length = 0.0;  // an upper bound of t1 - t0
    double slack = 0.0;   // what a gap must exceed: the error, and the separation
    double centre_bulge = 0.0;
    double rotation_bulge = 0.0;
    // Six directions of unit length, A's axes and B's mean axes; the magnitudes of their coordinates in
    // the frames of A and, at both ends, of B: what a box reaches along them is the product with its
    // half sizes.
    AxisLanes axes;
    AxisLanes in_a;
    AxisLanes in_b_first;
    AxisLanes in_b_last;

    [[nodiscard]] double bulge(double reach) const noexcept {
        return centre_bulge + rotation_bulge * reach;
    }
};

[[nodiscard]] Slab make_slab(const RelativeMotion& motion, const Frame& first, const Frame& last,
                             double separation) noexcept;

// Sets the directions, from the rotations at both ends.
void set_axes(Slab& slab) noexcept;

// By balls, or the best of six directions, the axes of both boxes; and how far B's box is displaced in the slab.
struct NodeBound {
    FreeFraction fraction;
    double displacement_sq_est = 0.0;
};
[[nodiscard]] NodeBound free_fraction(const Slab& slab, const Node& a, const Node& b) noexcept;

// The corners of a piece of B at both ends of a slab, beside a piece of A.
struct Corners {
    std::array<double, 4> x;
    std::array<double, 4> y;
    std::array<double, 4> z;
    [[nodiscard]] Vec3 corner(std::size_t i) const noexcept { return {x[i], y[i], z[i]}; }
};
[[nodiscard]] inline Corners corners_of(const Piece& piece) noexcept {
    return {piece.x, piece.y, piece.z};
}
[[nodiscard]] Corners transformed(const Frame& frame, const Piece& piece) noexcept;

struct PieceSlab {
    Corners a;
    Corners first;
    Corners last;
    double slack = 0.0;
    double bulge = 0.0;
};

// Along n (unit length within 2^-45), in the better of both senses; n is reversed to that sense.
[[nodiscard]] FreeFraction free_fraction(const PieceSlab& pair, Vec3& n) noexcept;

// From any vector to unit length within 2^-50; 0 where it has none.
[[nodiscard]] inline Vec3 unit(const Vec3& v) noexcept {
    const double size = std::sqrt(norm_sq(v));
    if (!(size > 0x1p-500 && size < 0x1p+500)) return {};
    const double inverse = 1.0 / size;
    return {v.x * inverse, v.y * inverse, v.z * inverse};
}

}  // namespace graze::rigid::detail
