// How long two convex bodies stay separated: the search of graze/rigid/convex.hpp without a verdict.
#pragma once

#include <cstdint>

#include "graze/rigid/convex.hpp"
#include "rigid/convex/support.hpp"

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

// Where the search begins. The guesses change what it costs, and nothing that is proved.
struct FreeTimeStart {
    double from = 0.0;
    Vec3 direction;               // that may separate the bodies, from A to B
    bool is_near_at_end = false;  // t_max is a time at which the bodies are near each other
    // Poses that are known, relative to motion_a.start().
    KnownPoses at_begin;
    KnownPoses at_end;  // of t_max
};

// Where it ends before t_max the bodies meet soon after `until`, within options.time_width mostly, or
// graze each other, or the budget is spent.
// Requires: sound arithmetic, valid motions and options, 0 <= from < options.t_max.
[[nodiscard]] ConvexFreeTime convex_free_time(const ConvexShape& a, const Motion& motion_a,
                                              const ConvexShape& b, const Motion& motion_b,
                                              const FreeTimeStart& start,
                                              const ImpactOptions& options) noexcept;

}  // namespace graze::rigid::detail
