// `box-separation`: the simplest sound method, and the pattern for every other one.
//
// A corner on a straight path stays in the box of its two end points, and every point of a
// primitive stays in the box of its corners. If the boxes of the two primitives, each over the
// whole step, are further apart than the separation, there is no contact; otherwise nothing is
// known.
#pragma once

#include "graze/narrow/method.hpp"

namespace graze {

// Guarantee: Separated is exact for both norms (no false negative); never says Contact.
// Where the boxes meet: Unresolved with toi_lower = 0.
// Cost: at most 48 comparisons, no rounding for min_separation = 0; one query is one check.
template <QueryMotion Motion>
[[nodiscard]] CcdResult box_separation(const Motion& motion,
                                       const CcdOptions& options = {}) noexcept;

[[nodiscard]] Method make_box_separation() noexcept;

}  // namespace graze
