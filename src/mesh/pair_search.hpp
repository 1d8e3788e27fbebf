// All candidate pairs of a mesh, in parallel.
#pragma once

#include "mesh/pair_queries.hpp"
#include "mesh/step_boxes.hpp"
#include "mesh/threads.hpp"

namespace graze::mesh_detail {

// A task searches so many groups of 64 boxes: enough to pay for its start, few enough to spread.
inline constexpr std::size_t kGroupsAtATime = 2;
inline constexpr std::size_t kPairsAtATime = 1024;

// body(begin, end) for ranges of so many groups, in parallel.
template <class Body>
void for_each_group(std::size_t groups, Progress& progress, const Body& body) {
    for_each_range(groups, kGroupsAtATime, [&](std::size_t begin, std::size_t end) {
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
        search_every(1, tree, other, first_names, second_names);
    }
    // One group of `stride` only.
    void sample(std::size_t stride, const BoxTree& tree, const BoxTree* other) {
        search_every(stride, tree, other, {}, {});
    }

    [[nodiscard]] std::uint64_t candidates() const {
        std::uint64_t sum = 0;
        for (const auto& queries : queries_)
            sum += queries.candidates();
        return sum;
    }

private:
    void search_every(std::size_t stride, const BoxTree& tree, const BoxTree* other,
                      std::span<const std::uint32_t> first_names,
                      std::span<const std::uint32_t> second_names) {
        const std::size_t groups = (tree.groups() + stride - 1) / stride;
        for_each_group(groups, progress_, [&](std::size_t begin, std::size_t end) {
            auto& queries = queries_.local();
            queries.first_names = first_names;
            queries.second_names = second_names;
            for (std::size_t i = begin; i < end; ++i) {
                if (progress_.is_cancelled()) return;
                if (other == nullptr) {
                    tree.search_self_group(i * stride, queries);
                } else {
                    tree.search_group(i * stride, *other, queries);
                }
            }
        });
    }

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
    Progress progress(step.options, boxes.edges().groups() + boxes.vertices().groups());
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

// One group of kSampleStride of the two kinds that surfaces have. False after a stop.
inline constexpr std::size_t kSampleStride = 32;
template <class Answers>
bool ask_sample(const StepQuery& step, const StepBoxes& boxes, Answers& answers, StepWork& work) {
    Progress progress(step.options, boxes.edges().groups() + boxes.vertices().groups());
    const auto ask = [&]<class Motion>(std::type_identity<Motion>, const BoxTree& tree,
                                       const BoxTree* other) {
        TreeQueries<Motion, Answers> queries(step, answers, progress);
        queries.sample(kSampleStride, tree, other);
        work.candidates[kind_index(Motion::kKind)] += queries.candidates();
    };
    ask(std::type_identity<EdgeEdgeMotion>{}, boxes.edges(), nullptr);
    ask(std::type_identity<VertexFaceMotion>{}, boxes.vertices(), &boxes.faces());
    return !progress.is_cancelled();
}

}  // namespace graze::mesh_detail
