// Which tier of `certified` decides a query, and what the queries of each tier cost.
#pragma once

#include <array>
#include <string_view>

#include "graze/narrow/certified.hpp"
#include "list_timing.hpp"
#include "narrow/certified/fast_tiers.hpp"

namespace graze::bench {

// In the order in which they are asked: without a separation all but the last two, with one these.
inline constexpr std::array<std::string_view, 9> kTierNames = {
    "axis", "coincident", "normal", "cubic", "plane", "slabs", "exact", "quick", "search"};
inline constexpr std::size_t kQuickTier = 7;  // axis or normal, for a separation
inline constexpr std::size_t kSearchTier = 8;

struct TierTimes {
    std::array<tools::TimeSample, kTierNames.size()> of{};  // one by one, of whole calls
};

// The tier that decides this query.
template <class Motion>
std::size_t deciding_tier(const Motion& motion, const CcdOptions& options) {
    static_assert(static_cast<std::size_t>(certified::Tier::Exact) + 1 == kQuickTier);
    const InstructionSet set = best_instruction_set();
    if (options.min_separation > 0.0) {
        const bool is_quick =
            certified::fast_separation<Motion>(set)(motion, options.min_separation, options.norm);
        return is_quick ? kQuickTier : kSearchTier;
    }
    const certified::FastOptions asked{options.t_max, options.time_width};
    return static_cast<std::size_t>(certified::fast_tiers<Motion>(set)(motion, asked).tier);
}

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
        times.of[deciding_tier(motion, options)].add(static_cast<std::uint64_t>(ns + 0.5));
    }
    return times;
}

}  // namespace graze::bench
