// `min-separation-cubic`: times at which a distance is exactly d, as roots of polynomials (Harmon,
// Panozzo, Sorkine, Zorin: Interference-aware geometric modeling, ACM TOG 2011, as implemented by
// Lu et al. and compared with by Wang et al. 2021, see tight_inclusion.hpp).
//
// "Squared distance = d^2" is a polynomial in time for a point and a plane or two lines (degree 6),
// a point and a line (degree 4), two points (degree 2). Their roots are candidates; the first at
// which the primitives themselves are about as near as d is the answer.
#pragma once

#include <cstdint>

#include "graze/narrow/method.hpp"

namespace graze {

// What the method takes where none is asked for: it needs a distance > 0.
inline constexpr double kDefaultMinSeparation = 1e-8;  // [length]

// A candidate counts if the squared distance of the primitives is at most d^2 and this much more.
enum class SeparationSlack : std::uint8_t {
    Published,  // 0.1 d: mixes units; for d = 1e-8 it takes distances up to 3.2e-5
    SameUnits,  // 0.1 d^2
};

// The defaults are the published method.
struct MinSeparationCubicOptions {
    double min_separation = kDefaultMinSeparation;  // [length] > 0, Euclidean
    double t_max = 1.0;                             // only candidates in [0, t_max]
    SeparationSlack slack = SeparationSlack::Published;
    // Corrections: t = 0 as a candidate (a step that starts nearer than d, or does not move, has no
    // root), and the corners of two edges against each other (parallel edges have no sextic).
    bool looks_at_start = false;
    bool looks_at_edge_corners = false;
};

struct MinSeparationCubicAnswer {
    // Unresolved only where a coefficient overflows.
    Verdict verdict = Verdict::Unresolved;
    // The first candidate that counts; infinity if Separated. An estimate: proves nothing.
    double time_est = kInfinity;
};

// Guarantee: none; neither verdict is a proof.
// Requires: a finite motion, min_separation > 0, 0 <= t_max <= 1; otherwise Unresolved.
// Cost: some microseconds; no heap.
template <QueryMotion Motion>
[[nodiscard]] MinSeparationCubicAnswer min_separation_cubic(
    const Motion& motion, const MinSeparationCubicOptions& options = {}) noexcept;

// As a method: a separation of 0 means kDefaultMinSeparation. One query is one check.
[[nodiscard]] Method make_min_separation_cubic() noexcept;

}  // namespace graze
