// Pack: one number of each of several queries, and the functions on it that proofs for several
// queries at a time are written in. Plain C++ is one form of it and the reference; an instruction set
// has more lanes, and the same bits in each, because a lane does the same IEEE operations in the same
// order and none is fused.
//
// Notation
//   lane         the query that a number belongs to; lanes do not know of each other
//   kLanes       how many
//   Mask         a truth value of each lane
//
// Contract: +, -, *, / and the square root are rounded once; all others are exact. Comparisons with
// NaN are false; smaller() and larger() give the second where the two are equal or one is NaN, as
// those of Quad do.
#if defined(GRAZE_TIERS_PACK_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_PACK_INL_HPP
#undef GRAZE_TIERS_PACK_INL_HPP
#else
#define GRAZE_TIERS_PACK_INL_HPP
#endif

#if defined(GRAZE_TIERS_AVX512)
#include "narrow/certified/tiers/pack_avx512-inl.hpp"
#elif defined(GRAZE_TIERS_AVX2)
#include "narrow/certified/tiers/pack_avx2-inl.hpp"
#else
#include "narrow/certified/tiers/pack_portable-inl.hpp"
#endif

#endif  // GRAZE_TIERS_PACK_INL_HPP
