// Which tier of `certified` decides a query, and what the queries of each tier cost.
#pragma once

#include <array>

#include "graze/narrow/certified.hpp"
#include "list_timing.hpp"

namespace graze::bench {

struct TierTimes {
    std::array<verify::TimeSample, kAllCertifiedTiers.size()> of{};  // one by one, of whole calls
};

// Whole calls of `certified`, each query's smallest time over the passes, by the tier that decided.
// A tier's time includes what the tiers before it took to pass the query on.
template <class List>
TierTimes tier_times(const List& list, const CcdOptions& options, unsigned repeat) {
    MethodTiming timing;
    timing.method = make_certified();
    std::vector<std::uint64_t> ticks(list.size(), std::numeric_limits<std::uint64_t>::max());
    for (unsigned pass = 0; pass < repeat; ++pass)
        timed_pass(list, timing, options, ticks, [](std::size_t, const CcdResult&) {});
    TierTimes times;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto motion = list.motion(i);
        if (!is_finite_motion(motion)) continue;
        const double ns = static_cast<double>(ticks[i]) * ns_per_tick();
        times.of[static_cast<std::size_t>(certify_with_tier(motion, options).tier)].add(
            static_cast<std::uint64_t>(ns + 0.5));
    }
    return times;
}

}  // namespace graze::bench
