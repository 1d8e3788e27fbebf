// All candidate pairs of a mesh, in parallel.
#pragma once

#include "mesh/pair_queries.hpp"
#include "mesh/step_boxes.hpp"
#include "mesh/threads.hpp"

namespace graze::mesh_detail {

// A task searches so many leaves of eight boxes: enough to pay for its start, few enough to spread.
inline constexpr std::size_t kBlocksAtATime = 16;
inline constexpr std::size_t kPairsAtATime = 1024;

// body(begin, end) for ranges of the tree's blocks, in parallel.
template <class Body>
void for_each_block(const BoxTree& tree, Progress& progress, const Body& body) {
    for_each_range(tree.blocks(), kBlocksAtATime, [&](std::size_t begin, std::size_t end) {
        as_sound_task([&] { body(begin, end); });
        if (!progress.is_cancelled()) progress.add(end - begin);
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
    PerThread<PairQueries<Motion, typename Answers::Local>> queries_;
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

// Surfaces that start disjoint meet first where a vertex meets a face or two edges meet; points
// without an edge are tested against points and edges, too. Each pair once.
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

}  // namespace graze::mesh_detail
