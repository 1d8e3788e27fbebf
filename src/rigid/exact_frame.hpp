// Points of two posed bodies in one frame as exact integers, and what can be asked of them.
//
// The frame is A's local one, with every length multiplied by |q_A|^2 |q_B|^2 and a power of two:
// then all coordinates are integers, and signs of determinants are those of the true points. With
// q = conj(q_A) q_B, N(q) the matrix of x -> q x conj(q) and D = T_B - T_A:
//   A's x is at |q|^2 x,   B's y at N(q) y + |q_B|^2 N(conj(q_A)) D.
// Derivation: docs/derivations/rigid_start.md, RS-1 to RS-3.
#pragma once

#include <array>
#include <cstddef>

#include "graze/core/big_integer.hpp"
#include "graze/core/vec3.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid::detail {

// Widths in bits. A double times the power of two is below 2^2098; components of q below 2^4198
// (four products), entries of N(q) below 2^8398; a coordinate of B is three products with 2^2098
// and another three of 2^4198 2^4198 2^2099: below 2^10499. Differences then have 10500, a normal
// 21001 and a determinant 31503.
inline constexpr int kInputBits = 1024 + 1074;
inline constexpr int kProductBits = 2 * kInputBits + 2;
inline constexpr int kRotationBits = 2 * kProductBits + 2;
inline constexpr int kPointBits = kRotationBits + kInputBits + 3;
static_assert(2 * kProductBits + (kInputBits + 1) + 2 < kPointBits, "the shift is no wider");
inline constexpr int kDeterminantBits = 3 * (kPointBits + 1) + 3;
using Integer = BigInteger<31552>;
static_assert(kDeterminantBits <= Integer::kCapacityBits);

using ExactVector = std::array<Integer, 3>;
using ExactTriangle = std::array<ExactVector, 3>;
using Triangle = std::array<Vec3, 3>;

class ExactFrame {
public:
    // Requires: finite poses, quaternions that are not 0.
    ExactFrame(const Pose& pose_a, const Pose& pose_b);

    // Two triangles, or a point (thrice) and a triangle, at one scale.
    struct Pair {
        ExactTriangle a;
        ExactTriangle b;
    };
    void transform(const Triangle& a, const Triangle& b, Pair& pair) const;

private:
    [[nodiscard]] ExactVector position_a(const Vec3& x, int k) const;
    [[nodiscard]] ExactVector position_b(const Vec3& y, int k, const ExactVector& shift) const;

    Integer scale_;
    std::array<ExactVector, 3> rotation_;
    ExactVector shift_;  // at the scale 2^shift_power_
    int shift_power_ = 0;
};

// Do the two closed triangles have a point in common? Those without area are segments or points.
[[nodiscard]] bool have_common_point(const ExactTriangle& a, const ExactTriangle& b);

// How often the ray from p along x leaves through the triangle: 1 where it leaves at the side from
// which the corners are counterclockwise, -1 where it enters there, 0 where it misses. Over all
// triangles of a closed surface the sum is the winding number about p. Corners and edges that the
// ray hits count for one side: p is taken to be off by an infinitely small (0, e, e^2).
// Requires: p is not a point of the triangle.
[[nodiscard]] int ray_crossing(const ExactVector& p, const ExactTriangle& triangle);

}  // namespace graze::rigid::detail
