// How this thread rounds, told by arithmetic: std::fegetround() may read the control word of a unit
// that does none of it.
#pragma once

#include <cfenv>

namespace graze::testing {

// FE_TONEAREST, FE_UPWARD, FE_DOWNWARD or FE_TOWARDZERO.
[[nodiscard]] inline int rounding_mode() {
    const volatile double one = 1.0;
    const volatile double little = 0x1p-60;
    const volatile double above = one + little;
    const volatile double below = one - little;
    const volatile double minus_above = -one - little;
    if (above > one) return FE_UPWARD;
    if (minus_above < -one) return FE_DOWNWARD;
    return below < one ? FE_TOWARDZERO : FE_TONEAREST;
}

}  // namespace graze::testing
