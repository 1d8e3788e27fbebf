// About how near the primitives come, in plain doubles: where an exact search may begin.
//
// Nothing is proved, and nothing needs to be: a bad estimate costs the search time alone.
#pragma once

#include "graze/oracle/oracle.hpp"

namespace graze::oracle {

// The least distance over the step, about; NaN, 0 or infinity where doubles do not reach.
[[nodiscard]] double estimated_minimum_distance(const Query& query, Norm norm);

}  // namespace graze::oracle
