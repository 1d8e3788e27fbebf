// The instruction set of this pass over the tiers, after the manner of Google Highway: every file
// named -inl.hpp may be included once for each set. Alone it compiles for the portable one.
//
//   GRAZE_TIERS_TOGGLE      flipped between passes (defined, undefined, ...): the include guards of
//                           the files are open when they differ from it
//   GRAZE_TIERS_AVX2        defined for the pass for AVX2; requires GRAZE_X86_DISPATCH
//   GRAZE_TIERS_AVX512      the same for AVX-512, of files for several queries at a time alone
//   GRAZE_TIERS_NAMESPACE   where the functions of the pass live, within an unnamed namespace
//   GRAZE_TIERS_BEGIN, END  around everything but includes: compile for the set
//   GRAZE_FAST              how functions are declared; with CUDA for host and device
//   GRAZE_PIECE             the same for those that are always inlined: parts of an expression that
//                           have a name for their reader alone, and what usual_answer() consists of
//   GRAZE_RARE              the same for those that are better not inlined
#if defined(GRAZE_TIERS_TARGET_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_TARGET_INL_HPP
#undef GRAZE_TIERS_TARGET_INL_HPP
#else
#define GRAZE_TIERS_TARGET_INL_HPP
#endif

#include "graze/core/target_pragmas.hpp"

#undef GRAZE_TIERS_NAMESPACE
#undef GRAZE_TIERS_BEGIN
#undef GRAZE_TIERS_END
#if defined(GRAZE_TIERS_AVX512)
#define GRAZE_TIERS_NAMESPACE avx512
#define GRAZE_TIERS_BEGIN GRAZE_TARGET_BEGIN("avx512f,avx512dq,avx512vl")
#define GRAZE_TIERS_END GRAZE_TARGET_END
#elif defined(GRAZE_TIERS_AVX2)
#define GRAZE_TIERS_NAMESPACE avx2
#define GRAZE_TIERS_BEGIN GRAZE_TARGET_BEGIN("avx2")
#define GRAZE_TIERS_END GRAZE_TARGET_END
#else
#define GRAZE_TIERS_NAMESPACE portable
#define GRAZE_TIERS_BEGIN
#define GRAZE_TIERS_END
#endif

#ifndef GRAZE_FAST
#ifdef __CUDACC__
#define GRAZE_FAST __host__ __device__ inline
#define GRAZE_PIECE GRAZE_FAST
#define GRAZE_RARE GRAZE_FAST
#else
#define GRAZE_FAST inline
#define GRAZE_PIECE [[gnu::always_inline]] inline
#define GRAZE_RARE [[gnu::noinline]] inline
#endif
#endif

#endif  // GRAZE_TIERS_TARGET_INL_HPP
