// From corners to what the tests work on: relative positions and velocities, scaled such that B is
// in [1/2, 1), and the boxes of the whole step on the way.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "graze/narrow/motion.hpp"
#include "narrow/safe_cubic/triple.hpp"

namespace graze::safe_cubic {

// Ranges of coordinates over some corners: x, y, z at the start, then at the end of the step.
struct Extent {
    std::array<double, 6> lower;
    std::array<double, 6> upper;
};

using CornerCoordinates = std::array<double, 6>;
static_assert(sizeof(MovingPoint) == sizeof(CornerCoordinates));

[[nodiscard]] inline Extent extent_of(const MovingPoint& corner) noexcept {
    const auto c = std::bit_cast<CornerCoordinates>(corner);
    return {c, c};
}
[[nodiscard]] inline Extent hull(const Extent& a, const Extent& b) noexcept {
    Extent both;
    for (std::size_t i = 0; i < 6; ++i) {
        both.lower[i] = smaller(a.lower[i], b.lower[i]);
        both.upper[i] = larger(a.upper[i], b.upper[i]);
    }
    return both;
}
template <std::size_t Count>
[[nodiscard]] Extent extent_of(const std::array<MovingPoint, Count>& corners) noexcept {
    Extent all = extent_of(corners[0]);
    for (std::size_t k = 1; k < Count; ++k)
        all = hull(all, extent_of(corners[k]));
    return all;
}

// Do the boxes of the whole step have a gap between them? Exact: it only compares. Without
// branches: which axis has the gap cannot be foretold.
[[nodiscard]] inline bool are_apart(const Extent& a, const Extent& b) noexcept {
    bool apart = false;
    for (std::size_t i = 0; i < 3; ++i) {
        const double a_upper = larger(a.upper[i], a.upper[i + 3]);
        const double b_upper = larger(b.upper[i], b.upper[i + 3]);
        const double a_lower = smaller(a.lower[i], a.lower[i + 3]);
        const double b_lower = smaller(b.lower[i], b.lower[i + 3]);
        apart |= (a_upper < b_lower) | (b_upper < a_lower);
    }
    return apart;
}

// The largest difference of two of the corners' displacements, on any axis, rounded up.
// A displacement is computed with a relative error of u, so that the difference of two is off by at
// most 2 u times the largest (plus one rounding of its own, which pair_bound() covers).
template <std::size_t Count>
[[nodiscard]] double displacement_range(const std::array<MovingPoint, Count>& corners) noexcept {
    std::array<double, 3> lower{};
    std::array<double, 3> upper{};
    for (std::size_t k = 0; k < Count; ++k) {
        const auto c = std::bit_cast<CornerCoordinates>(corners[k]);
        for (std::size_t i = 0; i < 3; ++i) {
            const double moved = c[i + 3] - c[i];
            lower[i] = k == 0 ? moved : smaller(lower[i], moved);
            upper[i] = k == 0 ? moved : larger(upper[i], moved);
        }
    }
    double range = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        range = larger(range, upper[i] - lower[i]);
        largest = larger(largest, larger(upper[i], -lower[i]));
    }
    return range + 0x1p-52 * largest;
}

// B (W1): the largest of the differences of corners at both ends, as computed (rounding is
// monotonous, so that the difference of the extremes is the largest), and of relative velocities,
// which are also at most the two sizes together. 16 u more for all roundings.
template <std::size_t Count>
[[nodiscard]] double pair_bound(const std::array<MovingPoint, Count>& corners,
                                const Extent& all) noexcept {
    double start = 0.0;
    double end = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        start = larger(start, all.upper[i] - all.lower[i]);
        end = larger(end, all.upper[i + 3] - all.lower[i + 3]);
    }
    const double moved = displacement_range(corners);
    const double both = start + end;
    // NaN (inf - inf among displacements) loses against the sum.
    const double velocity = moved < both ? moved : both;
    return larger(larger(start, end), velocity) * (1.0 + 0x1p-49);
}

// The power of two that brings B into [1/2, 1), or into [2^-75, 1) where B is below 2^-999 and the
// power would overflow. Requires: B finite, > 0.
[[nodiscard]] inline double scale_for(double bound) noexcept {
    const std::uint64_t biased = std::bit_cast<std::uint64_t>(bound) >> 52;
    constexpr std::uint64_t kSmallestBiased = 23;
    const std::uint64_t used = biased < kSmallestBiased ? kSmallestBiased : biased;
    return std::bit_cast<double>((std::uint64_t{2045} - used) << 52);
}

// A power of two for lengths, and the fraction of the step that is looked at.
struct Frame {
    double scale = 1.0;
    double t_max = 1.0;
};

[[nodiscard]] inline Vector scaled_difference(const Vec3& a, const Vec3& b, double scale) noexcept {
    return {(a.x - b.x) * scale, (a.y - b.y) * scale, (a.z - b.z) * scale};
}

// b as seen from a, and where it is at the end of the whole step.
struct RelativeMotion {
    Moving path;  // velocity for t in [0, 1] from the start to t_max
    Vector end;
};
[[nodiscard]] inline RelativeMotion seen_from(const MovingPoint& a, const MovingPoint& b,
                                              const Frame& frame) noexcept {
    const Vector start = scaled_difference(b.start, a.start, frame.scale);
    const Vector end = scaled_difference(b.end, a.end, frame.scale);
    return {{start, frame.t_max * (end - start)}, end};
}

}  // namespace graze::safe_cubic
