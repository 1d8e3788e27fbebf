// Pairs that can meet in a step, kept: found once for a line from `start` to `end`, used by as many
// searches within it as a solver makes.
//
//   const auto candidates = stepper.candidates(start, end, inflation, options);
//   options.candidates = &*candidates;
//   largest_safe_step(stepper, start, end, options);   // no trees are built
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/broad/box_tree.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze {

namespace mesh_detail {
struct CandidatesAccess;
}

// A value: it can be copied (not while it is searched) and outlives the positions that it was made
// from. It belongs to the topology of the stepper that made it.
class Candidates {
public:
    Candidates() = default;
    Candidates(const Candidates&) = default;
    // What is left is that of no mesh: a step that is given it is refused.
    Candidates(Candidates&&) noexcept = default;
    Candidates& operator=(Candidates&&) noexcept = default;
    // Those of before, where memory runs out: never a part of each.
    Candidates& operator=(const Candidates& other) { return *this = Candidates(other); }
    ~Candidates() = default;

    // By kind, ascending: vertex and face, edge and edge (first < second), and so on, as in Impact.
    // Pairs that share a vertex are not among them.
    [[nodiscard]] std::span<const IndexPair> pairs(QueryKind kind) const noexcept {
        return pairs_[static_cast<std::size_t>(kind)];
    }
    // Of all kinds.
    [[nodiscard]] std::uint64_t size() const noexcept;

private:
    friend struct mesh_detail::CandidatesAccess;
    std::array<std::vector<IndexPair>, kAllQueryKinds.size()> pairs_;
    // By pair: what separated it in the last search, tried first in the next one. Changes no answer,
    // and is written while a stepper searches, which does one thing at a time.
    mutable std::array<std::vector<std::array<float, 3>>, kAllQueryKinds.size()> directions_;
    // Every vertex was enclosed in its k-DOP: a motion is covered iff its own are inside of these.
    Grid grid_;
    std::vector<GridBox> covered_;
    std::uint64_t topology_ = 0;  // MeshStepper::State::id
};

}  // namespace graze
