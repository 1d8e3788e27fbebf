// All candidate pairs of a mesh, in parallel.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <type_traits>

#include "mesh/pair_queries.hpp"
#include "mesh/sound_task.hpp"
#include "mesh/step_boxes.hpp"

namespace graze {

// --- Searching -----------------------------------------------------------------------------------

inline constexpr std::size_t kBlocksAtATime = 16;

// body(begin, end) for parts of the tree's blocks, in parallel.
template <class Body>
void for_each_block(const BoxTree& tree, Progress& progress, const Body& body) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, tree.blocks(), kBlocksAtATime),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                          as_sound_task([&] { body(range.begin(), range.end()); });
                          if (!progress.is_cancelled()) progress.add(range.size());
                      });
}

// Every pair of two trees, or of one with itself where `other` is null: queries of one kind.
template <class Motion, class Answers>
class TreeQueries {
public:
    TreeQueries(const StepQuery& step, Answers& answers, Progress& progress)
        : queries_([&step, &answers, &progress] {
              return PairQueries<Motion, typename Answers::Local>(step, answers.local(), progress);
          }),
          progress_(progress) {}

    void run(const BoxTree& tree, const BoxTree* other,
             std::span<const std::uint32_t> first_names = {},
             std::span<const std::uint32_t> second_names = {}) {
        for_each_block(tree, progress_, [&](std::size_t begin, std::size_t end) {
            auto& queries = queries_.local();
            queries.first_names = first_names;
            queries.second_names = second_names;
            for (std::size_t block = begin; block < end; ++block) {
                if (progress_.is_cancelled()) return;
                if (other == nullptr) {
                    tree.search_self(block, queries);
                } else {
                    tree.search(block, *other, queries);
                }
            }
        });
    }

    [[nodiscard]] std::uint64_t candidates() const {
        std::uint64_t sum = 0;
        for (const auto& queries : queries_)
            sum += queries.candidates();
        return sum;
    }

private:
    tbb::enumerable_thread_specific<PairQueries<Motion, typename Answers::Local>> queries_;
    Progress& progress_;
};

inline std::size_t kind_index(QueryKind kind) noexcept {
    return static_cast<std::size_t>(kind);
}

template <class Motion, class Answers, class... Arguments>
void ask_kind(const StepQuery& step, Answers& answers, Progress& progress, StepWork& work,
              const Arguments&... arguments) {
    TreeQueries<Motion, Answers> queries(step, answers, progress);
    queries.run(arguments...);
    work.candidates[kind_index(Motion::kKind)] += queries.candidates();
}

// Edges first: they have the most pairs, and find the first impact more often than not.
template <class Answers>
bool ask_all(const StepQuery& step, const StepBoxes& boxes, Answers& answers, StepWork& work) {
    Progress progress(step.options, boxes.edges().blocks() + boxes.vertices().blocks());
    const std::span<const std::uint32_t> points = step.mesh.points;
    ask_kind<EdgeEdgeMotion>(step, answers, progress, work, boxes.edges(), nullptr);
    ask_kind<VertexFaceMotion>(step, answers, progress, work, boxes.vertices(), &boxes.faces());
    if (!points.empty()) {
        ask_kind<VertexVertexMotion>(step, answers, progress, work, boxes.points(), nullptr, points,
                                     points);
        ask_kind<VertexEdgeMotion>(step, answers, progress, work, boxes.points(), &boxes.edges(),
                                   points);
    }
    return !progress.is_cancelled();
}

// As many threads as are asked for, or as there are cores (0); but no more than oneTBB may use,
// which would print a warning and give no more.
inline int arena_size(int threads) {
    const std::size_t most =
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    const int wanted = threads > 0 ? threads : tbb::info::default_concurrency();
    return static_cast<int>(std::min(static_cast<std::size_t>(wanted), most));
}

// body(), which gives an Expected<>, by at most so many threads, this one or another.
template <class Body>
auto in_arena(int threads, const Body& body) -> std::invoke_result_t<const Body&> {
    try {
        tbb::task_arena arena(arena_size(threads));
        return arena.execute([&] { return with_sound_arithmetic(body); });
    } catch (const UnsoundThread&) {
        return Error{"a thread cannot be set to round to nearest with gradual underflow"};
    }
}

}  // namespace graze
