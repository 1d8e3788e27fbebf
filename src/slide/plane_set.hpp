// The move nearest to a was requested one among those that a few half-spaces allow.
//
// Notation: w the displacement, d the move, n_i the unit normals, b_i the least that d must gain
// along n_i.
//   minimise |d - w|^2  subject to  n_i.d >= b_i.
// The answer is w + sum of l_i n_i with l_i >= 0 over the planes that it touches, of which three
// suffice in space: with at most eight planes all sets of one, two and three are tried, so that
// there is nothing to iterate and no order of the planes that could make a difference.
#pragma once

#include <array>
#include <span>

#include "graze/core/vec3.hpp"

namespace graze::slide {

struct HalfSpace {
    Vec3 normal;         // unit length
    double least = 0.0;  // [length] of what a move gains along the normal; at most 0: it may stay
};

inline constexpr int kMostPlanes = 8;

struct AllowedMove {
    // False: the half-spaces have no point in common, as far as can be told; the move is zero.
    bool found = false;
    Vec3 move;
    int active_count = 0;  // of the planes that hold the move back
    std::array<int, 3> active{};
};

// Guarantee: n_i.move >= least_i - kLoosest (|displacement| + the largest |least|), and usually
// with kTightest in position of kLoosest: only planes that are parallel but for some 2^-30 take
// more.
// For rest: with all least = 0 and a displacement that the planes hold altogether the move is at
// most kStill |displacement|.
// Requires: at most kMostPlanes planes, finite numbers.
[[nodiscard]] AllowedMove nearest_allowed(std::span<const HalfSpace> planes,
                                          const Vec3& displacement) noexcept;

// [fraction of the lengths in play] 8 units of 2^-53: what the sums of three products lose. Where
// more is lost, the set that fits best is taken.
inline constexpr double kTightest = 0x1p-50;
// A valley whose sides fall by an angle a holds a displacement straight down; the move along one
// side alone is a |displacement| long and goes a^2 |displacement| into the other. Below a = 2^-25
// this fits.
inline constexpr double kStill = 0x1p-24;
static_assert(kStill * kStill >= 4.0 * kTightest,
              "a move that fits by rounding must count as still");
// What is left to be violated where planes are too nearly parallel to be told apart.
inline constexpr double kLoosest = 0x1p-28;

}  // namespace graze::slide
