// Roots in [0, 1] of quadratics and cubics, with proved bounds: the solvers below `safe-cubic`
// (Wang 2014, "Defending continuous collision detection against errors", appendices A and B).
//
// Notation (derivations and departures from the paper: docs/derivations/safe_cubic_solvers.md)
//   eps    2^-52, as in the paper
//   q, F   the exact quadratic and cubic, whose coefficients are given up to an error
//   B      bound of the coordinates of the vectors that a cubic is made of
//   mu     threshold of the cubic solver, "mu hat" in the paper
//
// No returned root is promised to be near an exact root of F: a double root moves by sqrt(eps)
// when coefficients move by eps. What is proved, and what the tests for contact need, is that the
// polynomial stays small all the way from an exact root to a returned one.
//
// Callers have 0 and 1 among their candidates (algorithms 2 to 4). So a root of a quadratic that
// rounding moves out of [0, 1] is dropped instead of clamped.
#pragma once

#include <array>

namespace graze::safe_cubic {

// Ascending, distinct, in [0, 1].
struct RootList {
    std::array<double, 4> values{};
    int count = 0;
};

// The roots in [0, 1] of a t^2 + b t + c (appendix A). The polynomial zero has the root 1, another
// constant none. If the discriminant is negative as computed, the only root is -b / 2a, be it
// one or not ("clamped").
// Guarantee: (SCS-1) unless the exact discriminant is negative, every returned t has
//              |a t^2 + b t + c| <= 1.001 (4.5 |a| + 2.5 |b| + 0.5 |c|) eps
//            (at most 7.6 max(|a|, |b|, |c|) eps; the paper: 16), and there is a root s with
//              |t - s| <= 1.001 eps^(1/2) s  (the paper: 2 eps^(1/2)).
//            (SCS-2) Let q have coefficients within da, db, dc of a, b, c and a root s in [0, 1]. Then
//            0, 1 or a returned root is a t such that everywhere between s and t
//              |q| <= 1.001 (2 (da + db + dc) + (4.5 |a| + 2.75 |b| + |c|) eps) + 2^-480.
// Requires:  |a|, |b|, |c| <= 2^500; for (SCS-1) also that each of them is 0 or at least 2^-500.
//            Without: values in [0, 1], none for NaN.
// Cost:      a square root and two divisions.
[[nodiscard]] RootList quadratic_roots(double a, double b, double c) noexcept;

// All in units of B^3 eps; derived at compile time where the code is.
inline constexpr int kOuterError = 31;                    // of a and d, as computed
inline constexpr int kInnerError = 127;                   // of b and c
inline constexpr int kValueError = 746;                   // of F(t), as computed
inline constexpr int kExtremumError = 1200;               // of F between an extremum and its cut
inline constexpr int kLeastThreshold = 2 * 746 + 1200;    // (the paper: 32746)
inline constexpr int kExcess = 746 + 2 * kExtremumError;  // of |F| over mu on the way to a root

// Newton's iteration is free for 8 steps, then every second step halves the bracket. 48 halvings
// make it 2^-48, and then |F| is below every permitted threshold all over it (SCS-4).
inline constexpr int kFreeIterations = 8;
inline constexpr int kHalvings = 48;
inline constexpr int kMaxIterations = kFreeIterations + 2 * kHalvings;

// mu = 64 B^3 eps^(3/4) = 2^-33 B^3, which is 2^19 B^3 eps.
[[nodiscard]] constexpr double convergence_threshold(double bound) noexcept {
    return 0x1p-33 * (bound * bound * bound);
}

// Candidates for the roots in [0, 1] of F(t) = a t^3 + b t^2 + c t + d (appendix B): [0, 1] is cut
// where F' vanishes; a cut or an end with |F| <= mu is a candidate, and so is a point with
// |F| <= mu between any two neighbours that are none and have different signs.
// Guarantee: (SCS-3) for every root s of F in [0, 1] there is a returned t such that everywhere
//            between s and t |F| <= mu + kExcess B^3 eps: below 2 mu for convergence_threshold(B).
//            Every returned t has |F(t)| <= mu + kValueError B^3 eps. For the polynomial zero, 1 is
//            among them.
// Requires:  B in [1/2, 1], by scaling the motion with a power of two, so that nothing overflows
//            and underflow (some 2^-1070) drowns in what the constants were rounded up by;
//            |a|, |d| <= 6 B^3 and |b|, |c| <= 18 B^3 before rounding, the errors of the computed
//            ones as above; threshold >= kLeastThreshold B^3 eps.
//            Without: values in [0, 1] in bounded time; where F is NaN, ends and cuts are returned.
// Cost:      at most 3 kMaxIterations values of F; as a rule 5 for each root.
[[nodiscard]] RootList cubic_roots(double a, double b, double c, double d,
                                   double threshold) noexcept;

// The same solver without protection, for comparison: signs as computed tell where roots are, and
// Newton's iteration runs until it stands still. Proves nothing.
[[nodiscard]] RootList plain_cubic_roots(double a, double b, double c, double d) noexcept;

}  // namespace graze::safe_cubic
