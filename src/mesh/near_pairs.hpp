// Pairs that are near each other at the start of a step, and for how long the others stay away: a line
// search has measured distances when it asks for the first time at which one of them is too small
// (MESH-14 in docs/derivations/mesh.md).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "graze/narrow/query_kind.hpp"
#include "mesh/pair_queries.hpp"
#include "mesh/pair_search.hpp"
#include "mesh/threads.hpp"

namespace graze::mesh_detail {

struct NearPair {
    double distance = 0.0;  // proved: not nearer than this, Euclidean
    QueryKind kind = QueryKind::VertexFace;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};
[[nodiscard]] inline bool is_nearer(const NearPair& first, const NearPair& second) noexcept {
    return std::tuple(first.distance, first.kind, first.a, first.b) <
           std::tuple(second.distance, second.kind, second.a, second.b);
}

// The nearest of a list stand before all others, in order; the others in none.
inline constexpr std::size_t kNearestPairs = 32;

struct NearPairs {
    double reach = 0.0;
    double least = 0.0;  // of all distances, or the reach
    // All that are nearer than the reach; where there are too many of them to be kept, one of the nearest.
    std::vector<NearPair> pairs;
    bool has_all = false;

    [[nodiscard]] std::span<const NearPair> nearest() const noexcept {
        return std::span(pairs).first(std::min(pairs.size(), kNearestPairs));
    }
};

// How far a vertex goes in the step, at most: the sum of three coordinates, which no square can lose.
[[nodiscard]] inline double path_length(const MovingPoint& p) noexcept {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k)
        sum += std::fabs(p.end[k] - p.start[k]);
    return sum * (1.0 + 0x1p-48);
}

// Is a pair, `distance` apart at the start, proved to stay farther apart than `far` up to t, while a
// point of either element goes at most `paths` of both together in all of the step?
// A product with 1 +- 2^-40 pays for the few rounding errors. False where something overflows.
[[nodiscard]] inline bool stays_beyond(double far, double distance, double paths,
                                       double t) noexcept {
    return distance * (1.0 - 0x1p-40) - t * paths * (1.0 + 0x1p-40) > far * (1.0 + 0x1p-40);
}

template <class Motion>
[[nodiscard]] bool stays_beyond(double far, double distance, double t, const StepQuery& step,
                                const PairVertices<Motion>& v) noexcept {
    const auto longest = [&](const auto& element) {
        double most = 0.0;
        for (const std::uint32_t vertex : element)
            most = std::max(most, path_length(step.vertices[vertex]));
        return most;
    };
    return stays_beyond(far, distance, longest(v.a) + longest(v.b), t);
}

// Asks those that may come within `far` of each other up to t_end. False after a stop.
template <class Answers>
bool ask_near(const StepQuery& step, std::span<const NearPair> pairs, double far, double t_end,
              Answers& answers, StepWork& work) {
    constexpr std::size_t kNearAtATime = 64;
    Progress progress(step.options, pairs.size());
    std::array<std::atomic<std::uint64_t>, kAllQueryKinds.size()> asked{};
    const auto ask = [&]<class Motion>(std::type_identity<Motion>, const NearPair& pair,
                                       typename Answers::Local& local) {
        const PairVertices<Motion> vertices(step.mesh, pair.a, pair.b);
        if (stays_beyond(far, pair.distance, t_end, step, vertices)) return;
        asked[kind_index(Motion::kKind)].fetch_add(1, std::memory_order_relaxed);
        local.see(step, vertices, pair.a, pair.b);
    };
    for_each_range(pairs.size(), kNearAtATime, [&](std::size_t begin, std::size_t end) {
        as_sound_task([&] {
            auto& local = answers.local();
            for (std::size_t i = begin; i < end && !progress.is_cancelled(); ++i)
                visit(pairs[i].kind, [&](auto motion) { ask(motion, pairs[i], local); });
        });
        if (!progress.is_cancelled()) progress.add(end - begin);
    });
    for (const QueryKind kind : kAllQueryKinds)
        work.candidates[kind_index(kind)] += asked[kind_index(kind)].load();
    return !progress.is_cancelled();
}

}  // namespace graze::mesh_detail
