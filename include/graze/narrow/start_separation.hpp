// How long two primitives that are separated at the start certainly stay separated: exact, for any doubles.
//
// A method whose first doubtful interval begins at t = 0 has proved no free time at all, although
// the primitives may be separated there, if only by 2^-1074. This is the way out: one direction that
// separates them at t = 0 goes on doing so for a while, and that while is a quotient of integers.
// Derivation: docs/derivations/start_separation.md.
#pragma once

#include "graze/narrow/motion.hpp"

namespace graze {

// A time t such that the distance (max-norm) is > min_separation during [0, t). Infinity: during
// the whole step, its end included.
// Guarantee: in [0, 1] or infinity. Zero only where
//   - the distance at the start is <= min_separation, or the input is not as required, or
//   - no single direction separates the primitives during [0, 2^-1074]: they are not separated for that
//     long, or turn by much within it. The motion is then some 2^1074 times larger than the gap.
// Otherwise the largest time that one of the directions of the derivation gives, rounded down. It
// does not depend on the order of corners and axes, nor on a common power of two. Holds for the
// Euclidean norm as well, which is never smaller (but may be zero though that distance is larger).
// Requires: a finite motion, 0 <= min_separation < infinity.
// Cost: integers as long as the span of the exponents. Some microseconds for coordinates of like
// size, milliseconds at worst; no heap, at most 128 kB of stack.
template <QueryMotion Motion>
[[nodiscard]] double free_time_from_start(const Motion& motion, double min_separation) noexcept;

}  // namespace graze
