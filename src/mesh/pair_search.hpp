// All candidate pairs of a mesh, in parallel.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "mesh/pair_queries.hpp"
#include "mesh/step_boxes.hpp"

namespace graze {

// --- Searching -----------------------------------------------------------------------------------

inline constexpr std::size_t kBlocksAtATime = 16;

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
        tbb::parallel_for(tbb::blocked_range<std::size_t>(0, tree.blocks(), kBlocksAtATime),
                          [&](const tbb::blocked_range<std::size_t>& range) {
                              auto& queries = queries_.local();
                              queries.first_names = first_names;
                              queries.second_names = second_names;
                              for (std::size_t block = range.begin(); block < range.end();
                                   ++block) {
                                  if (progress_.is_cancelled()) return;
                                  if (other == nullptr) {
                                      tree.search_self(block, queries);
                                  } else {
                                      tree.search(block, *other, queries);
                                  }
                              }
                              progress_.add(range.size());
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

template <class Body>
auto in_arena(int threads, const Body& body) {
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    return arena.execute(body);
}

}  // namespace graze
