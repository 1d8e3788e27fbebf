// Searches of pairs that were found before.
#pragma once

#include "graze/mesh/candidates.hpp"
#include "mesh/kept_directions.hpp"
#include "mesh/pair_search.hpp"

namespace graze::mesh_detail {

struct CandidatesAccess {
    static std::vector<IndexPair>& pairs(Candidates& candidates, QueryKind kind) noexcept {
        return candidates.pairs_[kind_index(kind)];
    }
    static std::vector<KeptDirection>& directions(const Candidates& candidates,
                                                  QueryKind kind) noexcept {
        return candidates.directions_[kind_index(kind)];
    }
    static void set_cover(Candidates& candidates, const Grid& grid, std::vector<GridBox> covered,
                          std::uint64_t topology) {
        candidates.grid_ = grid;
        candidates.covered_ = std::move(covered);
        candidates.topology_ = topology;
    }
    static const Grid& grid(const Candidates& candidates) noexcept { return candidates.grid_; }
    static std::span<const GridBox> covered(const Candidates& candidates) noexcept {
        return candidates.covered_;
    }
    static std::uint64_t topology(const Candidates& candidates) noexcept {
        return candidates.topology_;
    }
};

// Do the candidates of the options hold every pair that can come within its separation while the
// vertices move as the step says, each enlarged by `margin`? Without candidates: yes.
// `id`: of the stepper that asks.
[[nodiscard]] Expected<void> check_cover(const StepQuery& step, std::uint64_t id, double margin);

template <class Motion, class Answers>
void ask_listed_kind(const StepQuery& step, const Candidates& listed, Answers& answers,
                     Progress& progress, StepWork& work) {
    const std::span<const IndexPair> pairs = listed.pairs(Motion::kKind);
    const std::span<KeptDirection> directions = CandidatesAccess::directions(listed, Motion::kKind);
    PerThread<PairQueries<Motion, typename Answers::Local>> queries([&] {
        return PairQueries<Motion, typename Answers::Local>(step, answers.local(), progress);
    });
    for_each_range(pairs.size(), kPairsAtATime, [&](std::size_t begin, std::size_t end) {
        as_sound_task([&] {
            queries.local().take_listed(pairs.subspan(begin, end - begin),
                                        directions.subspan(begin, end - begin));
        });
        if (!progress.is_cancelled()) progress.add(end - begin);
    });
    for (const auto& local : queries)
        work.candidates[kind_index(Motion::kKind)] += local.candidates();
}

// In the order of ask_all(). False after a stop.
template <class Answers>
bool ask_listed(const StepQuery& step, Answers& answers, StepWork& work) {
    const Candidates& listed = *step.options.candidates;
    Progress progress(step.options, listed.size());
    const auto ask = [&]<class Motion>(std::type_identity<Motion>) {
        ask_listed_kind<Motion>(step, listed, answers, progress, work);
    };
    ask(std::type_identity<EdgeEdgeMotion>{});
    ask(std::type_identity<VertexFaceMotion>{});
    ask(std::type_identity<VertexVertexMotion>{});
    ask(std::type_identity<VertexEdgeMotion>{});
    return !progress.is_cancelled();
}

// Every pair that the boxes leave, or the candidates of the options. False after a stop.
template <class Answers>
bool ask_pairs(const StepQuery& step, const StepBoxes& boxes, Answers& answers, StepWork& work) {
    if (step.options.candidates != nullptr) return ask_listed(step, answers, work);
    return ask_all(step, boxes, answers, work);
}

}  // namespace graze::mesh_detail
