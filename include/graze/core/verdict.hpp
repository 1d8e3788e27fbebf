// The one answer of every query of the library.
#pragma once

#include <cstdint>

namespace graze {

enum class Verdict : std::uint8_t {
    Separated,   // no contact in [0, t_max]: a proof, for every method that claims no false
                 // negatives
    Contact,     // a proof or "could not be excluded at the tolerance": see the method's Guarantee
    Unresolved,  // neither: budget spent, input not finite, or an option the method does not honour
};

}  // namespace graze
