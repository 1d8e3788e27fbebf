// `bernstein-sign`: exact signs of Bernstein coefficients (Tang, Tong, Wang, Manocha: Fast and
// exact continuous collision detection with Bernstein sign classification, ACM Transactions on
// Graphics 2014).
//
// The roots of the coplanarity cubic f are counted, and three quartics are read at each of them,
// from signs alone, as in tight-bernstein; but a sign that floating point does not prove is
// calculated with integers, so that no sign is ever unknown.
#pragma once

#include "graze/narrow/method.hpp"

namespace graze {

// What is done where f has an inflection within the step, so that its shape does not tell its
// roots.
enum class AtInflection : std::uint8_t {
    // As Wang et al. 2021 count it: the code that it measures gives up there. A source of false
    // positives.
    Contact,
    // Not in the paper: the step is cut there, without a division, and each part is classified.
    Cut,
};

struct BernsteinSignOptions {
    AtInflection at_inflection = AtInflection::Contact;
};

// Exact for [0, t_max] if f is not identically zero, the triangle (edge-edge: the first edge and
// the first corner of the second) has area at every root of f, and, for AtInflection::Contact, f
// has no inflection between the ends. Where the second fails, or the third, the answer errs towards
// Contact.
// Wrong by design: where f vanishes identically (motion within a plane, contact at rest, edges that
// stay parallel) the answer is Separated. So no verdict is a proof, unless the caller knows more.
// Boolean: toi_lower and toi_upper say nothing. `checks` is 1. Unresolved where memory runs out.
// Cost: some 100 ns where f has no root, microseconds otherwise; tens of them where integers are
// needed, and some hundredths of a second (with a cut: tenths) where exponents are spread over the
// whole range.
template <CoplanarityMotion Motion>
[[nodiscard]] CcdResult bernstein_sign(const Motion& motion, const CcdOptions& options = {},
                                       const BernsteinSignOptions& own = {}) noexcept;

[[nodiscard]] Method make_bernstein_sign() noexcept;

}  // namespace graze
