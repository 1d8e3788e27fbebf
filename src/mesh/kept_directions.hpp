// Directions that separated a pair in one search are tried first in the next one.
//
// Proved (MESH-13 in docs/derivations/mesh.md): if n.(q - c) > n.(p - c) for all vertices p of one
// element and q of the other, at the start and at the end, then no t in [0, 1] brings them together:
// both sides are linear in t. c is any fixed point, here a vertex, so that numbers are as large as
// the pair is, and not as its place. How n is found is no part of the proof.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "graze/core/vec3.hpp"
#include "graze/narrow/motion.hpp"

namespace graze::mesh_detail {

// From the first element to the second, of any length; zero where none is known yet, NaN where none of
// those that were tried separates.
using KeptDirection = std::array<float, 3>;
inline constexpr float kNoFloat = std::numeric_limits<float>::quiet_NaN();
inline constexpr KeptDirection kHopeless = {kNoFloat, kNoFloat, kNoFloat};

[[nodiscard]] inline bool is_known(const KeptDirection& n) noexcept {
    return std::fabs(n[0]) + std::fabs(n[1]) + std::fabs(n[2]) > 0.0F;
}
[[nodiscard]] inline bool is_hopeless(const KeptDirection& n) noexcept {
    return std::isnan(n[0]);
}

// A difference of coordinates, its product with n_k and two sums: four rounding errors to each of three
// terms, 4u of their magnitudes to first order, for each side of the comparison. Tested against 16u of
// the sum of all magnitudes; what underflow takes away, 2^-1075 a product, is far below 2^-1060.
inline constexpr double kDirectionError = 16.0 * 0x1p-53;
inline constexpr double kDirectionUnderflow = 0x1p-1060;

// n.(p - c) at both ends of the step.
struct AlongAtEnds {
    double start = 0.0;
    double end = 0.0;
    double magnitude = 0.0;  // of the terms at both ends; NaN where one is
};
[[nodiscard]] inline AlongAtEnds along(const std::array<double, 3>& n, const MovingPoint& p,
                                       const Vec3& c) noexcept {
    AlongAtEnds sum;
    double start_magnitude = 0.0;
    double end_magnitude = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double start = n[k] * (p.start[k] - c[k]);
        const double end = n[k] * (p.end[k] - c[k]);
        sum.start += start;
        sum.end += end;
        start_magnitude += std::fabs(start);
        end_magnitude += std::fabs(end);
    }
    sum.magnitude = start_magnitude + end_magnitude;
    return sum;
}

// Does n separate the first `kFirst` vertices from the others throughout the step?
template <std::size_t kFirst, std::size_t kCount>
[[nodiscard]] bool separates_step(const KeptDirection& direction,
                                  const std::array<MovingPoint, kCount>& vertices) noexcept {
    const std::array<double, 3> n = {direction[0], direction[1], direction[2]};
    const Vec3& c = vertices[0].start;
    AlongAtEnds most{-HUGE_VAL, -HUGE_VAL, 0.0};
    AlongAtEnds least{HUGE_VAL, HUGE_VAL, 0.0};
    double magnitude = 0.0;
    for (std::size_t i = 0; i < kCount; ++i) {
        const AlongAtEnds at = along(n, vertices[i], c);
        // A sum, since a maximum could lose a NaN: 0 times a difference that overflowed.
        magnitude += at.magnitude;
        if (i < kFirst) {
            most.start = std::max(most.start, at.start);
            most.end = std::max(most.end, at.end);
        } else {
            least.start = std::min(least.start, at.start);
            least.end = std::min(least.end, at.end);
        }
    }
    const double error = kDirectionError * magnitude + kDirectionUnderflow;
    // False for NaN, and for what overflows: infinity is not below itself.
    return least.start - most.start > error && least.end - most.end > error;
}

// How many vertices the first element of a pair has.
template <class Motion>
inline constexpr std::size_t kFirstVertices = Motion::kKind == QueryKind::EdgeEdge ? 2 : 1;

template <class Motion>
[[nodiscard]] bool separates_step(const KeptDirection& direction, const Motion& motion) noexcept {
    return separates_step<kFirstVertices<Motion>>(direction, vertices(motion));
}

// Lengths do not matter: brought to where floats hold them. Zero where there is none.
[[nodiscard]] inline KeptDirection as_kept(const Vec3& n) noexcept {
    const double largest = std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)});
    if (!(largest > 0.0) || !std::isfinite(largest)) return {};
    return {static_cast<float>(n.x / largest), static_cast<float>(n.y / largest),
            static_cast<float>(n.z / largest)};
}

// One that separates a pair, of those that are tried: perpendicular to both elements in the middle of
// the step, and between their centres.
template <class Motion>
[[nodiscard]] KeptDirection separating_direction(const Motion& motion) noexcept {
    const auto all = vertices(motion);
    constexpr std::size_t kFirst = kFirstVertices<Motion>;
    constexpr std::size_t kSecond = all.size() - kFirst;
    const auto middle = [&](std::size_t i) { return 0.5 * all[i].start + 0.5 * all[i].end; };
    if constexpr (all.size() == 4) {
        const Vec3 side = kFirst == 2 ? middle(1) - middle(0) : middle(2) - middle(1);
        const Vec3 normal = cross(side, middle(3) - middle(2));
        for (const KeptDirection& n : {as_kept(normal), as_kept(-1.0 * normal)})
            if (separates_step(n, motion)) return n;
    }
    Vec3 between{};
    for (std::size_t i = 0; i < all.size(); ++i)
        between = between + (i < kFirst ? -1.0 / kFirst : 1.0 / kSecond) * middle(i);
    const KeptDirection n = as_kept(between);
    return separates_step(n, motion) ? n : kHopeless;
}

}  // namespace graze::mesh_detail
