// How far the product of two motions is from its chord (RM-8).
#pragma once

#include "graze/rigid/motion.hpp"

namespace graze::rigid::detail {

// A motion between two times: the enclosures at both, and its deviation between them.
struct MotionEnds {
    PoseEnclosure first;
    PoseEnclosure last;
    ChordDeviation deviation;
};
// Of x -> outer(inner(x)).
[[nodiscard]] ChordDeviation deviation_of_product(const MotionEnds& outer,
                                                  const MotionEnds& inner) noexcept;

}  // namespace graze::rigid::detail
