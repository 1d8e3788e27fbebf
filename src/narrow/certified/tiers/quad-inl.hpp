// Quad: four doubles, and the handful of functions on it that all tiers are written in. Plain C++
// is one form of it and the reference; an instruction set has the same functions with the same bits,
// because each lane does the same IEEE operations in the same order and none is fused.
//
// Notation
//   a, b, c, d   Quads of four lanes
//   by axis      lanes are x, y, z, 0 of one point or difference
//   by vertex    lanes are one coordinate of the four vertices of the difference polygon
//   masks        bit i stands for lane i; 15 is all four
//
// Contract: each lane is rounded as often as the expression that the function is named after: +, -,
// * and the square root once; sum and cross as quad_portable-inl.hpp writes them; all others are
// exact. Comparisons with NaN are false, so that what is not a number never decides anything.
#if defined(GRAZE_TIERS_QUAD_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_QUAD_INL_HPP
#undef GRAZE_TIERS_QUAD_INL_HPP
#else
#define GRAZE_TIERS_QUAD_INL_HPP
#endif

#include "narrow/certified/tiers/scalar-inl.hpp"
#ifdef GRAZE_TIERS_AVX2
#include "narrow/certified/tiers/quad_avx2-inl.hpp"
#else
#include "narrow/certified/tiers/quad_portable-inl.hpp"
#endif

#endif  // GRAZE_TIERS_QUAD_INL_HPP
