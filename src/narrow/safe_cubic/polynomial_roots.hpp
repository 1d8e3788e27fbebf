// Roots in [0, 1] of quadratics and cubics, with proved bounds: the solvers below `safe-cubic`
// (Wang 2014, "Defending continuous collision detection against errors", appendices A and B).
//
// Notation (derivations and departures from the paper: docs/derivations/safe_cubic_solvers.md)
//   eps       2^-52, as in the paper; u = 2^-53
//   q, F      the exact quadratic and cubic; the coefficients given are those of q, F up to an error
//   B         bound of the coordinates of the vectors from which a cubic is made
//   mu        threshold of the cubic solver
//
// No root is promised to be near an exact root: a double root moves by sqrt(eps) for an error of
// eps. What is proved, and what the tests for contact need, is that the polynomial stays small all
// the way from an exact root to a returned one.
//
// Both ends of [0, 1] belong to what is promised: callers have 0 and 1 among their candidates
// already (algorithms 2 to 4), so that a root which rounding moves out of [0, 1] is dropped, not
// clamped.
#pragma once

#include <array>

namespace graze::safe_cubic {

// Ascending, distinct, in [0, 1].
struct RootList {
    std::array<double, 4> values{};
    int count = 0;
};

// The roots in [0, 1] of a t^2 + b t + c (appendix A). The polynomial zero has the root 1, another
// constant has none. A negative discriminant counts as zero: one root, -b / 2a, if that is in
// [0, 1], true or not.
// Guarantee: (S1) a returned t, unless the exact discriminant is negative: |a t^2 + b t + c|
//            <= (6 |a| + 3.5 |b| + |c|) eps 1.001 <= 10.6 max eps (the paper: 16 max eps), and a
//            root s >= 0 of the polynomial has |t - s| <= 2 eps^(1/2) max(s, t) + 2^-1074.
//            (S2) Let q have coefficients within da, db, dc of a, b, c, and a root s in [0, 1]. Then
//            one of the returned roots, 0 and 1 is a t with
//              |q| <= 2 (da + db + dc) + (6 |a| + 4 |b| + 2 |c|) eps 1.001   between s and t.
// Requires:  finite coefficients, at most 2^500, and max(|a|, |b|) >= 2^-490 for (S1). Below that
//            the discriminant may underflow; (S2) then holds with 2^-480 more.
// Cost:      one square root, two divisions.
[[nodiscard]] RootList quadratic_roots(double a, double b, double c) noexcept;

// mu = 64 B^3 eps^(3/4) = 2^-33 B^3, the paper's.
[[nodiscard]] constexpr double convergence_threshold(double bound) noexcept {
    return 0x1p-33 * (bound * bound * bound);
}

// Candidates for the roots in [0, 1] of F(t) = a t^3 + b t^2 + c t + d (appendix B): [0, 1] is cut
// where F' vanishes; a cut or end with |F| <= mu is a candidate, and so is one point with |F| <= mu
// between two neighbours that are none and have different signs.
// Guarantee: (S3) for every root s of F in [0, 1] there is a returned t with |F| <= 2 mu between s
//            and t, and every returned t has |F(t)| <= mu + 746 B^3 eps. (The paper's rule for
//            existence of roots.) The polynomial zero returns 1 among others.
// Requires:  what algorithms 3 and 4 compute, with no |coordinate| above B: the errors of a and d
//            are at most 31 B^3 eps, those of b and c 127 B^3 eps, |a|, |d| <= 6 B^3, |b|, |c| <=
//            18 B^3 (plus their errors), and threshold >= convergence_threshold(B). B in [1/2, 1],
//            by scaling the motion with a power of two, so that nothing overflows and underflow,
//            at most some 2^-1070, drowns in the roundings of the error bounds.
//            Otherwise: values in [0, 1] all the same, in bounded time; NaN are candidates.
// Cost:      at most 3 times kMaxIterations values of F; 4 or 5 for each root as a rule.
[[nodiscard]] RootList cubic_roots(double a, double b, double c, double d,
                                   double threshold) noexcept;

// The same solver without protection, for comparison: signs as computed decide whether there is a
// root, and Newton's iteration runs until it stands still. Proves nothing.
[[nodiscard]] RootList plain_cubic_roots(double a, double b, double c, double d) noexcept;

// Newton's iteration is free for 8 steps, then every second step halves the bracket. In 40 halvings
// it is at most 2^-40 wide, and |F| <= mu all over it (S4).
inline constexpr int kFreeIterations = 8;
inline constexpr int kHalvings = 40;
inline constexpr int kMaxIterations = kFreeIterations + 2 * kHalvings;

}  // namespace graze::safe_cubic
