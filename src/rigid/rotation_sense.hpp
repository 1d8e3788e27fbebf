// The sense of the relative rotation of a step: decided exactly (RI-1).
#pragma once

#include "graze/rigid/step.hpp"

namespace graze::rigid {

// The sign of the scalar part of (a1* b1) (a0* b0)*, q being the quaternions of the step as given
// and the indices 0 and 1 its start and end: -1, 0 or 1. Where it is negative, the smaller angle is
// that of the negated product.
// Requires: all components are finite. Cost: some microseconds.
[[nodiscard]] int exact_sign_of_scalar(const PairStep& step) noexcept;

}  // namespace graze::rigid
