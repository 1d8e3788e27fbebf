// Pairs of moving elements that x, y or z separates throughout a step: most candidates of a fast one.
//
// If all of one element is above all of the other on an axis at the start and at the end, then so it is
// in between: differences of coordinates are linear in t. Coordinates are compared as they are, so that
// nothing is rounded (MESH-12 in docs/derivations/mesh.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "graze/broad/box_tree.hpp"
#include "graze/mesh/topology.hpp"
#include "graze/narrow/motion.hpp"

namespace graze::mesh_detail {

#if defined(__SSE2__)

// Six coordinates, two at a time: x y, z x', y' z', the last three at the end of the step.
struct EndCoordinates {
    __m128d at[3];
};

inline EndCoordinates load_ends(const MovingPoint& point) noexcept {
    static_assert(sizeof(MovingPoint) == 6 * sizeof(double));
    const auto* from = reinterpret_cast<const double*>(&point);
    return {{_mm_loadu_pd(from), _mm_loadu_pd(from + 2), _mm_loadu_pd(from + 4)}};
}

struct EndBounds {
    EndCoordinates lower;
    EndCoordinates upper;

    template <std::size_t kCount>
    EndBounds(std::span<const MovingPoint> points,
              const std::array<std::uint32_t, kCount>& element) noexcept
        : lower(load_ends(points[element[0]])), upper(lower) {
        for (std::size_t i = 1; i < kCount; ++i) {
            const EndCoordinates point = load_ends(points[element[i]]);
            for (std::size_t k = 0; k < 3; ++k) {
                lower.at[k] = _mm_min_pd(lower.at[k], point.at[k]);
                upper.at[k] = _mm_max_pd(upper.at[k], point.at[k]);
            }
        }
    }
};

// On x and y, and on z in the lower half: is `upper` below `lower` at both ends?
struct BelowAtEnds {
    __m128d on_xy;
    __m128d on_z;
};
inline BelowAtEnds below_at_ends(const EndCoordinates& upper,
                                 const EndCoordinates& lower) noexcept {
    const __m128d xy = _mm_cmplt_pd(upper.at[0], lower.at[0]);
    const __m128d zx = _mm_cmplt_pd(upper.at[1], lower.at[1]);
    const __m128d yz = _mm_cmplt_pd(upper.at[2], lower.at[2]);
    return {_mm_and_pd(xy, _mm_shuffle_pd(zx, yz, 1)), _mm_and_pd(zx, _mm_unpackhi_pd(yz, yz))};
}

template <std::size_t kCountA, std::size_t kCountB>
[[nodiscard]] inline bool is_separated_on_axis(
    std::span<const MovingPoint> points, const std::array<std::uint32_t, kCountA>& a,
    const std::array<std::uint32_t, kCountB>& b) noexcept {
    const EndBounds of_a(points, a);
    const EndBounds of_b(points, b);
    const BelowAtEnds first = below_at_ends(of_a.upper, of_b.lower);
    const BelowAtEnds second = below_at_ends(of_b.upper, of_a.lower);
    const int on_xy = _mm_movemask_pd(_mm_or_pd(first.on_xy, second.on_xy));
    const int on_z = _mm_movemask_pd(_mm_or_pd(first.on_z, second.on_z));
    return (on_xy | (on_z & 1)) != 0;
}

#else

template <std::size_t kCountA, std::size_t kCountB>
[[nodiscard]] inline bool is_separated_on_axis(
    std::span<const MovingPoint> points, const std::array<std::uint32_t, kCountA>& a,
    const std::array<std::uint32_t, kCountB>& b) noexcept {
    const auto is_below = [&](const auto& low, const auto& high, std::size_t axis) {
        return std::all_of(low.begin(), low.end(), [&](std::uint32_t i) {
            return std::all_of(high.begin(), high.end(), [&](std::uint32_t k) {
                return points[i].start[axis] < points[k].start[axis] &&
                       points[i].end[axis] < points[k].end[axis];
            });
        });
    };
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (is_below(a, b, axis) || is_below(b, a, axis)) return true;
    return false;
}

#endif

// How many of some pairs share no vertex, and how many of those no axis separates.
struct CulledPairs {
    std::size_t disjoint = 0;
    std::size_t left = 0;
};

// Writes the pairs that need a query, in their order, behind `left`, which has room for all of them.
template <class Motion>
[[nodiscard]] CulledPairs cull_pairs(const MeshTopology& mesh, std::span<const MovingPoint> points,
                                     std::span<const IndexPair> pairs, IndexPair* left) noexcept;

// The same with planes (plane_culling.hpp) in the place of axes: pairs that are left may touch while
// everything moves by at most `moved` on each axis relative to each other.
template <class Motion>
[[nodiscard]] CulledPairs cull_pairs_by_plane(const MeshTopology& mesh,
                                              std::span<const MovingPoint> points,
                                              std::span<const IndexPair> pairs, const Vec3& moved,
                                              IndexPair* left) noexcept;

}  // namespace graze::mesh_detail
