// Where the pieces of two motions end.
#pragma once

#include <algorithm>
#include <cmath>

#include "graze/rigid/motion.hpp"

namespace graze::rigid {

// No joint of a motion is between t and this, which is t_max at most. Not after t where a motion gives
// a number that is none: it is not followed then.
[[nodiscard]] inline double smooth_end_of(const Motion& a, const Motion& b, double t,
                                          double t_max) noexcept {
    const double joint_a = a.next_joint(t);
    const double joint_b = b.next_joint(t);
    if (std::isnan(joint_a) || std::isnan(joint_b)) return t;
    return std::min({joint_a, joint_b, t_max});
}

}  // namespace graze::rigid
