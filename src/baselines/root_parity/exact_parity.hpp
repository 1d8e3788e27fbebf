// Parity of the roots of F in exact arithmetic, for every finite input.
#pragma once

#include "baselines/root_parity/boundary_image.hpp"

namespace graze::parity {

// Even, Odd or OnImage for [0, t_max] (t_max = 0: the start alone, where Odd cannot be).
// Guarantee: exact. Odd and OnImage prove a root: where the origin is not on the image of the
// boundary, the degree of F modulo 2 is the parity, and it is 0 if F has no root.
// Requires: finite motion, 0 <= t_max <= 1. Cost: no heap, some tens of kilobytes of stack.
template <class Motion>
[[nodiscard]] Parity exact_parity(const Motion& motion, double t_max) noexcept;

}  // namespace graze::parity
