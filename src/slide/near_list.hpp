// The triangles near a shape, in its frame, ready for tests: a list of fixed size.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "graze/core/vec3.hpp"

namespace graze::slide {

inline constexpr std::size_t kMaxNear = 512;

// u = 2^-53. Each sum of products below has an error of at most 16 u times the sum of the products'
// magnitudes, errors of the local coordinates included (docs/derivations/slide_sweep.md, D2).
inline constexpr double kSumError = 0x1p-49;

struct LocalTriangle {
    std::array<Vec3, 3> corner;
    Vec3 normal;   // at most one unit long; zero where there is no area to speak of
    Vec3 largest;  // magnitude of a coordinate of a corner, on each axis
    bool thin = false;
};

// Arrays without initial values, so that a list on the stack costs nothing.
struct NearList {
    std::uint32_t count;
    alignas(32) double corner[9][kMaxNear];
    double normal[3][kMaxNear];
    double plane_lower[kMaxNear];  // of normal . corner, errors included
    double plane_upper[kMaxNear];
    double lower[3][kMaxNear];  // of the corners, errors included
    double upper[3][kMaxNear];
    std::uint32_t part[kMaxNear];
    std::uint32_t face[kMaxNear];
    std::uint32_t tag[kMaxNear];
    bool thin[kMaxNear];

    [[nodiscard]] LocalTriangle triangle(std::size_t i) const noexcept {
        LocalTriangle t;
        for (std::size_t k = 0; k < 3; ++k)
            t.corner[k] = {corner[3 * k][i], corner[3 * k + 1][i], corner[3 * k + 2][i]};
        t.normal = {normal[0][i], normal[1][i], normal[2][i]};
        for (std::size_t axis = 0; axis < 3; ++axis)
            t.largest[axis] = std::max(std::fabs(lower[axis][i]), std::fabs(upper[axis][i]));
        t.thin = thin[i];
        return t;
    }
};

struct NearFace {
    std::uint32_t part = 0;
    std::uint32_t face = 0;
    std::uint32_t tag = 0;
    bool one_sided = false;
};

// Puts a triangle into the list, unless it is one-sided and the origin is provably behind it.
// Requires: count < kMaxNear.
void add_near(NearList& list, const std::array<Vec3, 3>& corners, const NearFace& face) noexcept;

}  // namespace graze::slide
