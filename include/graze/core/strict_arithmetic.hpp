// Included by every header whose inline arithmetic counts rounding errors: refuses to compile where
// the compiler was told to round otherwise.
//
// Those headers are the component graze::numerics, which also passes on -ffp-contract=off (no fused
// multiply-add). No header that declares queries, meshes, bodies or movers includes one.
//
// Not noticed: clang's -fassociative-math, -freciprocal-math and -funsafe-math-optimizations when
// given without -ffast-math, since clang defines no macro for them.
#pragma once

#include <cfloat>
#include <limits>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST) ||                                            \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__ASSOCIATIVE_MATH__) || \
    defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "graze: its proofs need IEEE 754 arithmetic; compile without -ffast-math, -Ofast or /fp:fast"
#endif

namespace graze {

static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53,
              "the error bounds are derived for IEEE 754 binary64");
static_assert(FLT_EVAL_METHOD == 0,
              "doubles are evaluated with excess precision (x87): results are rounded twice");

}  // namespace graze
