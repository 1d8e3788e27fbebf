// About how near the primitives come, in plain doubles: where an exact search may begin.
//
// Nothing is proved, and nothing needs to be: a bad estimate costs the search time alone.
#pragma once

#include "graze/oracle/oracle.hpp"

namespace graze::oracle {

// The least distance on [0, end], about, and never below it but for rounding errors: that of some time.
// NaN, 0 or infinity where doubles do not reach.
[[nodiscard]] double estimated_minimum_distance(const Query& query, Norm norm, double end = 1.0);

}  // namespace graze::oracle
