// The two clocks of a benchmark: one for a single query, one for a whole pass.
#pragma once

#include <time.h>

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <chrono>
#endif

namespace graze::bench {

// Ticks of a clock that is read in a few nanoseconds: the time stamp counter where there is one. It
// runs at a constant rate, whatever the core does; wall time, so that an interruption counts.
// The fences keep what is measured between the two readings.
[[nodiscard]] inline std::uint64_t ticks_before() noexcept {
#if defined(__x86_64__)
    _mm_lfence();
    const std::uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}
[[nodiscard]] inline std::uint64_t ticks_after() noexcept {
#if defined(__x86_64__)
    unsigned core = 0;
    const std::uint64_t ticks = __rdtscp(&core);
    _mm_lfence();
    return ticks;
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Measured against the steady clock when first asked for, which takes 50 ms.
[[nodiscard]] double ns_per_tick();

// What the clock adds to a query's time, and how finely it tells times apart.
struct TickCost {
    double overhead_ns = 0.0;  // between two readings with nothing between them; median of many
    double step_ns = 0.0;      // the smallest difference seen between readings that differ
};
[[nodiscard]] TickCost tick_cost();

// Seconds that this thread has spent on a core: what others do with it meanwhile does not count.
[[nodiscard]] inline double thread_cpu_seconds() noexcept {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The compiler must take it that all memory is looked at here, what `data` points to included.
inline void keep(const void* data) noexcept {
    asm volatile("" : : "r"(data) : "memory");
}

}  // namespace graze::bench
