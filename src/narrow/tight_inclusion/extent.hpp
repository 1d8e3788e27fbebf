// What both arithmetics tell the search about boxes of F.
#pragma once

#include <limits>

#include "narrow/tight_inclusion/level.hpp"

namespace graze::inclusion {

// How fast the box of F grows with the widths of the domain: kappa of Eq. 7, without the factor 3
// there. w(B) <= t w(I_t) + u w(I_u) + v w(I_v), which is Proposition 2.
struct Rates {
    double t = 0.0;
    double u = 0.0;
    double v = 0.0;

    [[nodiscard]] double width(const Widths& w) const noexcept {
        return t * w.t + u * w.u + v * w.v;
    }
};

// [t0, t1] x [u, u + widths.u] x [v, v + widths.v].
struct BoxOfDomain {
    double t0 = 0.0;
    double t1 = 0.0;
    double u = 0.0;
    double v = 0.0;
    Widths widths;
};

// The values of F along one axis. The default is empty.
struct Range {
    double lower = std::numeric_limits<double>::infinity();
    double upper = -std::numeric_limits<double>::infinity();
};

// The box B of F over one box of the domain.
struct Extent {
    double width = 0.0;      // w(B): the largest of its sides
    bool contained = false;  // B lies within the target: splitting cannot exclude it
};

}  // namespace graze::inclusion
