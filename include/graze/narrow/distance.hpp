// How far apart two primitives are at least: a proved lower bound.
#pragma once

#include "graze/narrow/ccd.hpp"
#include "graze/narrow/motion.hpp"

namespace graze {

// A lower bound of the distance at the start of the motion, in that norm; its end does not matter.
// Guarantee: never above the distance. 0 where they touch, or where no direction proves more: below
// some 20 ulps (2^-53) of the largest difference of vertices. Otherwise nearly always within
// that of the distance in the Euclidean norm. Where coordinates are not finite: 0.
// A power of two on all lengths gives the bound the same factor. Cost: about 60 ns, 100 in the max-norm.
template <QueryMotion Motion>
[[nodiscard]] double distance_lower(const Motion& motion, Norm norm = Norm::Euclidean) noexcept;

}  // namespace graze
