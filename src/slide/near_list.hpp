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
// magnitudes, errors of the local coordinates included (docs/derivations/slide_sweep.md, SS-2).
inline constexpr double kSumError = 0x1p-49;

struct NearFace {
    std::uint32_t part = 0;
    std::uint32_t face = 0;
    std::uint32_t tag = 0;
    bool one_sided = false;
    // Of a round obstacle: the half axes, in the frame, of the ellipsoid around each of its points.
    // Only as long as the face is added.
    const Vec3* round = nullptr;
};

// A triangle in the frame. Plain arrays without initial values: a list of them costs nothing.
struct NearTriangle {
    double vertex[3][3];
    double normal[3];    // at most one unit long; zero where there is no area to speak of
    double plane_lower;  // of normal . vertex, errors included
    double plane_upper;
    double bounds[6];  // of the vertices, errors included: the lower ones, and minus the upper ones
    std::uint32_t part;
    std::uint32_t face;
    std::uint32_t tag;
    bool thin;
    bool is_round;    // the obstacle is the sum of the triangle and an ellipsoid (SS-10),
    double round[3];  // with these half axes, rounded up; bounds and planes hold the sum

    // Is that ellipsoid a ball? Requires: is_round.
    [[nodiscard]] bool has_ball() const noexcept {
        return round[0] == round[1] && round[1] == round[2];
    }
    [[nodiscard]] Vec3 vertex_at(std::size_t k) const noexcept {
        return {vertex[k][0], vertex[k][1], vertex[k][2]};
    }
    [[nodiscard]] Vec3 normal_vector() const noexcept { return {normal[0], normal[1], normal[2]}; }
    [[nodiscard]] double lower(std::size_t axis) const noexcept { return bounds[axis]; }
    [[nodiscard]] double upper(std::size_t axis) const noexcept { return -bounds[3 + axis]; }
    // The largest magnitude of a vertex's coordinate on each axis.
    [[nodiscard]] Vec3 largest() const noexcept {
        return {std::max(-bounds[0], -bounds[3]), std::max(-bounds[1], -bounds[4]),
                std::max(-bounds[2], -bounds[5])};
    }
};

struct NearList {
    std::uint32_t count;
    NearTriangle triangle[kMaxNear];
};

// Makes a triangle ready for tests. False: it is one-sided, and the origin is provably behind it.
[[nodiscard]] bool set_near(NearTriangle& t, const std::array<Vec3, 3>& vertices,
                            const NearFace& face) noexcept;

// Puts a triangle into the list, unless it is one-sided and the origin is provably behind it.
// Requires: count < kMaxNear.
void add_near(NearList& list, const std::array<Vec3, 3>& vertices, const NearFace& face) noexcept;

}  // namespace graze::slide
