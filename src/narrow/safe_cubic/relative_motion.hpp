// From corners to what the tests work on: relative positions and velocities, scaled where need be,
// and the boxes of the whole step on the way.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "graze/narrow/query_kind.hpp"
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
[[nodiscard, gnu::always_inline]] inline Extent hull(const Extent& a, const Extent& b) noexcept {
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

// The largest difference of two corners on any axis at either end, as computed: rounding is
// monotonous, so that the difference of the extremes is the largest.
[[nodiscard]] inline double largest_difference(const Extent& all) noexcept {
    double largest = 0.0;
    for (std::size_t i = 0; i < 6; ++i)
        largest = larger(largest, all.upper[i] - all.lower[i]);
    return largest;
}

// The range of four numbers, and the largest range of the three components of four vectors.
[[nodiscard]] inline double range_of(double a, double b, double c, double d) noexcept {
    return larger(larger(a, b), larger(c, d)) - smaller(smaller(a, b), smaller(c, d));
}
[[nodiscard]] inline double largest_range(const Vector& a, const Vector& b, const Vector& c,
                                          const Vector& d) noexcept {
    return larger(larger(range_of(a.x, b.x, c.x, d.x), range_of(a.y, b.y, c.y, d.y)),
                  range_of(a.z, b.z, c.z, d.z));
}

// B (SC-1) from the largest differences of positions and of velocities; 128 u more for all roundings.
[[nodiscard]] inline double bound_from(double positions, double velocities) noexcept {
    return larger(positions, velocities) * (1.0 + 0x1p-46);
}

// The power of two that brings a length into [1/4, 1/2), so that velocities, at most twice as
// large, are below 1; or as near as a power of two that is a normal double does: [2^-76, 1/2) and
// [1/4, 4). Requires: finite, > 0.
[[nodiscard]] inline double scale_for(double length) noexcept {
    constexpr std::uint64_t kSmallest = 23;
    constexpr std::uint64_t kLargest = 2043;
    const std::uint64_t biased = std::bit_cast<std::uint64_t>(length) >> 52;
    const std::uint64_t used = biased < kSmallest ? kSmallest : biased;
    return std::bit_cast<double>((kLargest + 1 - (used > kLargest ? kLargest : used)) << 52);
}

// A power of two for lengths, and the fraction of the step that is looked at.
struct Frame {
    double scale = 1.0;
    double t_max = 1.0;
};

// b as seen from a, and where it is at the end of the whole step.
struct RelativeMotion {
    Moving path;  // velocity for t in [0, 1] from the start to t_max
    Vector end;
};
// Component by component: vectors that are stored by halves and copied as a whole wait for memory.
[[nodiscard]] inline RelativeMotion seen_from(const MovingPoint& a, const MovingPoint& b,
                                              const Frame& frame) noexcept {
    const double x = (b.start.x - a.start.x) * frame.scale;
    const double y = (b.start.y - a.start.y) * frame.scale;
    const double z = (b.start.z - a.start.z) * frame.scale;
    const double end_x = (b.end.x - a.end.x) * frame.scale;
    const double end_y = (b.end.y - a.end.y) * frame.scale;
    const double end_z = (b.end.z - a.end.z) * frame.scale;
    return {{{x, y, z},
             {frame.t_max * (end_x - x), frame.t_max * (end_y - y), frame.t_max * (end_z - z)}},
            {end_x, end_y, end_z}};
}

}  // namespace graze::safe_cubic
