// `floating-point-roots`: roots of polynomials in floating point, with a thickness (Provot:
// Collision and self-collision handling in cloth model dedicated to design garments, 1997, as the
// library CTCD tests it and Wang et al. 2021, see tight_inclusion.hpp, compare with: FPRF).
//
// "The distance to the plane (of the lines) is at most eta" and "the foot is inside" are signs of
// polynomials in time. Each holds in some intervals of [0, 1], whose ends are roots that a general
// solver finds; where one of each overlap there is contact.
#pragma once

#include <cstdint>

#include "graze/narrow/method.hpp"

namespace graze {

// The normal of the triangle in the conditions "inside".
enum class FootNormal : std::uint8_t {
    Exact,  // n(t), so that the conditions are of degree 4
    // As the library has it: n(0) + t (change of one edge x change of the other), degree 3. Equal
    // to n(t) for translations only.
    Published,
};

// The defaults are the published method.
struct FloatingPointRootsOptions {
    double thickness = 0.0;  // [length] >= 0, Euclidean: the published eta
    double t_max = 1.0;      // only contacts in [0, t_max]
    FootNormal normal = FootNormal::Published;
    // [length^2] Edges whose cross product is shorter at the middle of an interval are parallel
    // there, and contact within it is never reported.
    double parallel_below = 1e-8;
};

struct FloatingPointRootsAnswer {
    // Unresolved only where a coefficient overflows.
    Verdict verdict = Verdict::Unresolved;
    // Where the first common interval begins; infinity if Separated. An estimate: proves nothing,
    // and is early where the triangle has no area.
    double time_est = kInfinity;
};

// Guarantee: none; neither verdict is a proof.
//   - With thickness 0 every root of the distance's polynomial is double, and whether the
//     polynomial comes out as <= 0 there is up to rounding: a third of all contacts are missed.
//   - Parallel edges are never in contact.
//   - parallel_below is a length squared: verdicts depend on the unit of length.
// Requires: a finite motion, thickness >= 0, 0 <= t_max <= 1; otherwise Unresolved.
// Cost: some microseconds, at most about a millisecond (the solver gives up on a polynomial); no heap.
template <QueryMotion Motion>
[[nodiscard]] FloatingPointRootsAnswer floating_point_roots(
    const Motion& motion, const FloatingPointRootsOptions& options = {}) noexcept;

// As a method: the minimum separation is the thickness. One query is one check.
[[nodiscard]] Method make_floating_point_roots() noexcept;

}  // namespace graze
