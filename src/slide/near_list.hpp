// The triangles near a shape, in its frame, ready for tests: a list of fixed size.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "graze/core/vec3.hpp"

namespace graze::slide {

inline constexpr std::size_t kMaxNear = 1024;

// u = 2^-53. Each sum of products below has an error of at most 16 u times the sum of the products'
// magnitudes, errors of the local coordinates included (docs/derivations/slide_sweep.md, D2).
inline constexpr double kSumError = 0x1p-49;

struct NearFace {
    std::uint32_t part = 0;
    std::uint32_t face = 0;
    std::uint32_t tag = 0;
    bool one_sided = false;
};

// A triangle in the frame. Plain arrays without initial values: a list of them costs nothing.
struct NearTriangle {
    double corner[3][3];
    double normal[3];    // at most one unit long; zero where there is no area to speak of
    double plane_lower;  // of normal . corner, errors included
    double plane_upper;
    double lower[3];  // of the corners, errors included
    double upper[3];
    std::uint32_t part;
    std::uint32_t face;
    std::uint32_t tag;
    bool thin;

    [[nodiscard]] Vec3 corner_at(std::size_t k) const noexcept {
        return {corner[k][0], corner[k][1], corner[k][2]};
    }
    [[nodiscard]] Vec3 normal_vector() const noexcept { return {normal[0], normal[1], normal[2]}; }
    // The largest magnitude of a corner's coordinate on each axis.
    [[nodiscard]] Vec3 largest() const noexcept {
        return {std::max(-lower[0], upper[0]), std::max(-lower[1], upper[1]),
                std::max(-lower[2], upper[2])};
    }
};

struct NearList {
    std::uint32_t count;
    NearTriangle triangle[kMaxNear];
};

// Puts a triangle into the list, unless it is one-sided and the origin is provably behind it.
// Requires: count < kMaxNear.
void add_near(NearList& list, const std::array<Vec3, 3>& corners, const NearFace& face) noexcept;

}  // namespace graze::slide
