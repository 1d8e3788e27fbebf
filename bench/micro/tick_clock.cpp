#include "tick_clock.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

namespace graze::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

double measured_ns_per_tick() {
    constexpr std::chrono::milliseconds kSpan(50);
    const SteadyClock::time_point start = SteadyClock::now();
    const std::uint64_t first = ticks_before();
    SteadyClock::time_point end = start;
    while (end - start < kSpan)
        end = SteadyClock::now();
    const std::uint64_t last = ticks_after();
    const std::chrono::duration<double, std::nano> ns = end - start;
    return ns.count() / static_cast<double>(last - first);
}

}  // namespace

double ns_per_tick() {
    static const double ratio = measured_ns_per_tick();
    return ratio;
}

TickCost tick_cost() {
    std::vector<std::uint64_t> ticks(10'001);
    for (std::uint64_t& tick : ticks) {
        const std::uint64_t start = ticks_before();
        tick = ticks_after() - start;
    }
    std::sort(ticks.begin(), ticks.end());
    // Durations are multiples of the clock's step, and among so many two neighbours are one apart.
    std::uint64_t step = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t last = 0;
    for (const std::uint64_t tick : ticks) {
        if (tick != last) step = std::min(step, tick - last);
        last = tick;
    }
    return {static_cast<double>(ticks[ticks.size() / 2]) * ns_per_tick(),
            static_cast<double>(step) * ns_per_tick()};
}

}  // namespace graze::bench
