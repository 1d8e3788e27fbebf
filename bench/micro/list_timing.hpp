// Measures a method over a list of queries: streamed, as a mesh step would ask, and one by one.
//
// A list has a type Motion, size(), and motion(i), which gathers query i into a value. No more than
// a block of motions is there at a time.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "graze/io/mesh_file.hpp"
#include "graze/narrow/method.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/stats.hpp"
#include "pair_sweep.hpp"
#include "tick_clock.hpp"

namespace graze::bench {

template <class M>
struct PairList {
    using Motion = M;
    const io::MeshPair& frames;
    std::span<const IndexPair> pairs;

    [[nodiscard]] std::size_t size() const noexcept { return pairs.size(); }
    [[nodiscard]] MovingPoint corner(std::uint32_t vertex) const noexcept {
        return {frames.start[vertex], frames.end[vertex]};
    }
    [[nodiscard]] Motion motion(std::size_t i) const noexcept {
        if constexpr (Motion::kKind == QueryKind::VertexFace) {
            const auto& face = frames.faces[pairs[i].second];
            return {corner(pairs[i].first), {corner(face[0]), corner(face[1]), corner(face[2])}};
        } else {
            static_assert(Motion::kKind == QueryKind::EdgeEdge);
            const auto& a = frames.edges[pairs[i].first];
            const auto& b = frames.edges[pairs[i].second];
            return {{corner(a[0]), corner(a[1])}, {corner(b[0]), corner(b[1])}};
        }
    }
};

template <class M>
struct StoredList {
    using Motion = M;
    std::span<const Motion> motions;

    [[nodiscard]] std::size_t size() const noexcept { return motions.size(); }
    [[nodiscard]] Motion motion(std::size_t i) const noexcept { return motions[i]; }
};

struct VerdictCounts {
    std::uint64_t separated = 0;
    std::uint64_t contact = 0;
    std::uint64_t unresolved = 0;
    friend constexpr bool operator==(const VerdictCounts&, const VerdictCounts&) noexcept = default;
};

// The fastest of some passes over a list.
struct StreamTime {
    double ns = 0.0;  // a query, CPU time of the thread, all that the pass does included
    unsigned passes = 0;
};

struct MethodTiming {
    Method method;
    StreamTime stream;
    VerdictCounts counts;
    verify::TimeSample misses;      // queries answered Separated, one by one
    verify::TimeSample hits;        // all others
    std::vector<Verdict> verdicts;  // one a query
    std::string hash;               // of verdicts and times of impact, in the list's order
    bool steady = true;             // every pass, streamed or one by one, had the same verdicts
};

// 64 motions are 12 KiB and their results 2.5 KiB: both stay in the first-level cache, and what
// run_batch() does once a batch costs little a query.
inline constexpr std::size_t kBlockSize = 64;

// Gathers block after block, and calls use(motions) for each. Motions are made in their place: an
// assignment would gather into a temporary first, and copy 192 bytes.
template <class List, class Use>
void for_each_block(const List& list, Use&& use) {
    using Motion = typename List::Motion;
    static_assert(std::is_trivially_destructible_v<Motion>);
    std::array<Motion, kBlockSize> motions;
    for (std::size_t first = 0; first < list.size(); first += kBlockSize) {
        const std::size_t count = std::min(kBlockSize, list.size() - first);
        for (std::size_t k = 0; k < count; ++k)
            ::new (&motions[k]) Motion(list.motion(first + k));
        use(std::span<const Motion>(motions).first(count));
    }
}

// At least `repeat` passes, and more until they have taken a tenth of a second together: a pass
// over a few queries is over before caches and clock frequency have settled.
template <class Pass>
StreamTime best_pass(std::size_t queries, unsigned repeat, Pass&& pass) {
    constexpr double kEnoughSeconds = 0.1;
    double best = std::numeric_limits<double>::infinity();
    double total = 0.0;
    unsigned passes = 0;
    for (; passes < repeat || (total < kEnoughSeconds && passes < 10'000); ++passes) {
        const double start = thread_cpu_seconds();
        pass();
        const double seconds = thread_cpu_seconds() - start;
        best = std::min(best, seconds);
        total += seconds;
    }
    return {1e9 * best / static_cast<double>(queries), passes};
}

// What it costs to gather the motions and to do nothing with them.
// Requires: a list that is not empty.
template <class List>
StreamTime gathering_time(const List& list, unsigned repeat) {
    return best_pass(list.size(), repeat,
                     [&list] { for_each_block(list, [](auto motions) { keep(motions.data()); }); });
}

inline VerdictCounts counts_of(std::span<const Verdict> verdicts) {
    const auto count = [verdicts](Verdict verdict) {
        return static_cast<std::uint64_t>(std::count(verdicts.begin(), verdicts.end(), verdict));
    };
    return {count(Verdict::Separated), count(Verdict::Contact), count(Verdict::Unresolved)};
}

// Sums instead of a table of counters: an add to the place of the last add waits for it.
inline void add(VerdictCounts& counts, std::span<const CcdResult> results) noexcept {
    for (const CcdResult& result : results) {
        counts.separated += result.verdict == Verdict::Separated;
        counts.contact += result.verdict == Verdict::Contact;
        counts.unresolved += result.verdict == Verdict::Unresolved;
    }
}

// One pass through run_batch().
template <class List>
VerdictCounts stream(const List& list, const Method& method, const CcdOptions& options) {
    using Motion = typename List::Motion;
    std::array<CcdResult, kBlockSize> results;
    VerdictCounts counts;
    for_each_block(list, [&](std::span<const Motion> motions) {
        run_batch<Motion>(method, motions, options, results);
        add(counts, std::span(results).first(motions.size()));
    });
    return counts;
}

// Requires: timing.counts.
template <class List>
void time_stream(const List& list, const CcdOptions& options, unsigned repeat,
                 MethodTiming& timing) {
    timing.stream = best_pass(list.size(), repeat, [&] {
        const VerdictCounts counts = stream(list, timing.method, options);
        timing.steady = timing.steady && counts == timing.counts;
    });
}

// What a pass costs with a method that does nothing: gathering, the checks of run_batch() (is the
// input finite, is the arithmetic sound), a call, and the counting of verdicts.
template <class List>
StreamTime asking_time(const List& list, unsigned repeat) {
    constexpr auto nothing_known = [](const void*, const auto&, const CcdOptions&) noexcept {
        return CcdResult{};
    };
    const Method nothing{.name = "nothing",
                         .summary = "",
                         .guarantee = {},
                         .vertex_face = {nothing_known},
                         .edge_edge = {nothing_known},
                         .vertex_vertex = {nothing_known},
                         .vertex_edge = {nothing_known}};
    return best_pass(list.size(), repeat, [&] {
        const VerdictCounts counts = stream(list, nothing, {});
        keep(&counts);
    });
}

// One timed call, of what run_batch() does for a query that it may ask.
struct TimedResult {
    CcdResult result;
    std::uint64_t ticks = 0;
};
template <class Motion>
TimedResult timed(const Method& method, const Motion& motion, const CcdOptions& options) {
    const auto query = functions_of<Motion>(method).query;
    keep(&motion);
    const std::uint64_t start = ticks_before();
    const CcdResult result =
        is_finite_motion(motion) ? query(method.context, motion, options) : CcdResult{};
    keep(&result);
    const std::uint64_t end = ticks_after();
    return {result, end > start ? end - start : 0};
}

// Asks every query once, and keeps the smaller of its time and the one in `ticks`.
// Calls see(i, result) outside the clock.
template <class List, class See>
void timed_pass(const List& list, const MethodTiming& timing, const CcdOptions& options,
                std::vector<std::uint64_t>& ticks, See&& see) {
    using Motion = typename List::Motion;
    const bool answerable = is_answerable<Motion>(timing.method, options);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const TimedResult answer =
            answerable ? timed(timing.method, list.motion(i), options) : TimedResult{};
        ticks[i] = std::min(ticks[i], answer.ticks);
        see(i, answer.result);
    }
}

// A query's time is its smallest over the passes: an interruption seldom meets one query twice.
template <class List>
void time_one_by_one(const List& list, const CcdOptions& options, unsigned repeat,
                     MethodTiming& timing) {
    std::vector<std::uint64_t> ticks(list.size(), std::numeric_limits<std::uint64_t>::max());
    timing.verdicts.resize(list.size());
    verify::ResultHash hash;
    timed_pass(list, timing, options, ticks, [&](std::size_t i, const CcdResult& result) {
        timing.verdicts[i] = result.verdict;
        hash.add(result);
    });
    for (unsigned pass = 1; pass < repeat; ++pass) {
        timed_pass(list, timing, options, ticks, [&](std::size_t i, const CcdResult& result) {
            timing.steady = timing.steady && timing.verdicts[i] == result.verdict;
        });
    }
    timing.counts = counts_of(timing.verdicts);
    timing.hash = hash.hex();
    for (std::size_t i = 0; i < list.size(); ++i) {
        const double ns = static_cast<double>(ticks[i]) * ns_per_tick();
        verify::TimeSample& sample =
            timing.verdicts[i] == Verdict::Separated ? timing.misses : timing.hits;
        sample.add(static_cast<std::uint64_t>(ns + 0.5));
    }
}

// Requires: a list that is not empty, of a kind that the method has.
template <class List>
MethodTiming method_timing(const List& list, const Method& method, const CcdOptions& options,
                           unsigned repeat) {
    MethodTiming timing;
    timing.method = method;
    time_one_by_one(list, options, repeat, timing);
    time_stream(list, options, repeat, timing);
    return timing;
}

}  // namespace graze::bench
