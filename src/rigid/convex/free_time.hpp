// How long two convex bodies stay separated: the search of graze/rigid/convex.hpp without a verdict.
#pragma once

#include <cstdint>

#include "graze/rigid/convex.hpp"

namespace graze::rigid::detail {

struct ConvexFreeTime {
    double until = 0.0;     // the bodies are disjoint in [from, until)
    bool all_free = false;  // and in all of [from, options.t_max]
    std::uint64_t checks = 0;
    // Estimates, where not all is free: the nearest points of the cores at `until`, in the frames of
    // the bodies, and the direction from A to B.
    Vec3 on_a;
    Vec3 on_b;
    Vec3 direction;
};

// `direction` is a first guess, from A to B. Where it ends before t_max the bodies meet soon after
// `until`, within options.time_width mostly, or graze each other, or the budget is spent.
// Requires: sound arithmetic, valid motions and options, 0 <= from < options.t_max.
[[nodiscard]] ConvexFreeTime convex_free_time(const ConvexShape& a, const Motion& motion_a,
                                              const ConvexShape& b, const Motion& motion_b,
                                              double from, const Vec3& direction,
                                              const ImpactOptions& options) noexcept;

}  // namespace graze::rigid::detail
