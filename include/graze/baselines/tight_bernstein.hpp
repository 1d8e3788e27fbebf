// `tight-bernstein`: signs of Bernstein coefficients with running error bounds (Wang, Tang, Tong,
// Manocha: TightCCD: Efficient and robust continuous collision detection using tight error bounds,
// Computer Graphics Forum 2015).
//
// Contact needs a time at which the four corners lie in one plane, a root of a cubic f, and three
// quartics that are not negative there. Both are known by their Bernstein coefficients, each with a
// bound of its rounding error; from certain signs alone the test counts the roots of f, without
// calculating one, and tells whether some quartic is negative at each. What is not certain is
// Contact.
#pragma once

#include <cstdint>

#include "graze/narrow/method.hpp"

namespace graze {

enum class BernsteinArithmetic : std::uint8_t {
    // Coefficients are brought to size 1 by powers of two, and the bounds cover underflow and the
    // rounding of the bounds themselves.
    Guarded,
    // As published: no scaling, no term for underflow (which starts at lengths of about 0.1), and a
    // slope that is not known taken for known. Misses contacts; here to reproduce published counts.
    Published,
};

struct TightBernsteinOptions {
    BernsteinArithmetic arithmetic = BernsteinArithmetic::Guarded;
    // Not in the paper: where the reduced quadratic of a condition has coefficients of one sign,
    // believe it instead of dividing by it. As sound, faster, and spares most false positives of
    // simulations.
    bool reads_one_sign = false;
};

// Guarantee (Guarded): Separated is a proof, for every finite motion. Contact: not excluded; there
// is no bound on how far apart the primitives then are, and motion in one plane is always Contact.
// The verdict does not depend on a common power of two of all lengths (unless it makes coordinates
// underflow). No time of contact: toi_lower is 0 unless Separated. The whole step is looked at,
// whatever t_max. One query is one check.
// Cost: some 100 ns where the cubic has no root, some microseconds otherwise; no heap.
template <CoplanarityMotion Motion>
[[nodiscard]] CcdResult tight_bernstein(const Motion& motion,
                                        const TightBernsteinOptions& options = {}) noexcept;

[[nodiscard]] Method make_tight_bernstein() noexcept;
// `tight-bernstein-published`: with BernsteinArithmetic::Published. Proves nothing.
[[nodiscard]] Method make_tight_bernstein_published() noexcept;

}  // namespace graze
