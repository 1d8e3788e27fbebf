// The methods that others use and compare with: what the field had before, written from its papers.
//
// A baseline may be wrong where the method itself is wrong; each declares in its Guarantee what it
// proves, which is often nothing. Not part of graze::graze: nobody should link them by accident.
#pragma once

#include "graze/narrow/method.hpp"

namespace graze {

// Every baseline, in the order of tables.
[[nodiscard]] MethodRegistry baseline_methods();

}  // namespace graze
