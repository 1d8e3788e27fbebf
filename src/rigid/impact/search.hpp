// The search for the first impact: slabs of time, earliest first, each with the pairs of nodes and
// pieces that no direction separates in it. Derivation: docs/derivations/rigid_impact.md, RI-6.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graze/rigid/impact.hpp"
#include "rigid/impact/directions.hpp"
#include "rigid/impact/slab.hpp"

namespace graze::rigid::detail {

// Two nodes, one of each body, that are not proved separated in the slab of their list.
struct SearchPair {
    std::uint32_t a;
    std::uint32_t b;
    Vec3 direction{};  // that did best in the last slab; 0 for none
    FreeFraction fraction{};
    Source source = Source::None;  // of the direction
    bool as_pieces = false;        // the pieces were tested, not only their boxes
};

// Two nodes whose boxes are to be tested.
struct NodePair {
    std::uint32_t a;
    std::uint32_t b;
};

// A slab that ends at `end`, with its list of pairs: SearchState::pairs[first ... last - 1].
struct SearchLevel {
    double end;
    std::size_t first;
    std::size_t last;
};

// All that an iteration of the search knows of those before it. With
//     free = now.t while all_free holds, free_until afterwards,
// and e_1 ... e_n the ends of the levels, from the bottom of the stack to its top:
//
//   I1 proved   No contact in [0, free): the surfaces do not meet and, where free > 0, no solid
//               body is inside the other. (Where that is not decided finished() claims nothing.)
//   I2 pending  e_1 = t_max and e_1 >= ... >= e_n. What is left to search is [now.t, e_n], then
//               (e_n, e_n-1], and so on: together [now.t, t_max]. A level whose end is not after
//               now.t is popped next.
//   I3 pairs    Two pieces that can meet in [now.t, e_k] lie below a pair of list k. A pair leaves
//               a list only where (1) of RI-5 separates it in all of that slab, its end included,
//               and a list is made from that of a longer slab.
//   I4 contact  None is proved yet: toi_upper is infinite. Every proof of contact ends the search.
//   I5 storage  The lists lie end to end in `pairs`, in the order of the levels. A level has a list
//               of its own, or first and last of the level below.
//
// So whoever ends the search as Unresolved may report `free` (I1), and an empty stack means that
// now.t = t_max (I2): with all_free that is the proof of Separated.
//
// The loop ends: an iteration that tests a list that is not empty costs checks, of which there are
// max_checks. One whose list is empty proves its slab free, and pops it. Then comes at most one
// push (stride) of a slab that is four times as long: from 2^-53 up to 1 there are at most 27 of
// those.
struct SearchState {
    Frame now;
    std::vector<SearchLevel> levels;
    std::vector<SearchPair> pairs;
    double stride = 0.0;          // requested length of the next slab, after a free one; 0: none
    double shortest = 0.0;        // a slab of up to 1.5 of it is not divided any more
    bool all_free = true;         // every slab up to now was proved free
    double free_until = 0.0;      // where the first that was not begins
    bool start_tested = false;    // by exact arithmetic, at most once
    bool start_disjoint = false;  // and the surfaces were found to have no common point at t = 0
    bool nesting_tested = false;  // result.start is as good as it gets

    [[nodiscard]] double free() const noexcept { return all_free ? now.t : free_until; }
};

class Search {
public:
    Search(const RigidBody& a, const RigidBody& b, const PairStep& step,
           const ImpactOptions& options, const RelativeMotion& motion);

    // From where the covers of both bodies leave off. May throw std::bad_alloc.
    [[nodiscard]] ImpactResult run(const CoverTime& covered);

private:
    using Pair = SearchPair;
    using Level = SearchLevel;
    // Nothing: the search goes on.
    using Outcome = std::optional<Verdict>;
    // What a pass over the pairs of a level found.
    struct Pass {
        FreeFraction least{kAllFree, kAllFree};
        bool limited_by_nodes = false;  // `least` is that of boxes
        bool too_long = false;          // some pairs wait for a shorter slab
    };

    // search.cpp: the transitions of the state. Each keeps I1 to I5.
    [[nodiscard]] Outcome begin_after(const CoverTime& covered);
    [[nodiscard]] Outcome iterate();
    [[nodiscard]] bool pop_slab_behind();
    [[nodiscard]] bool push_stride();
    [[nodiscard]] Outcome leave_free_slab(const Slab& slab);
    [[nodiscard]] Outcome enter_slab(const Slab& slab, const Pass& found);
    void keep_pairs();
    [[nodiscard]] double time_after(const Slab& slab, const Pass& found) const noexcept;
    [[nodiscard]] Outcome settle_start(const Slab& slab, const Pass& found, double next);
    [[nodiscard]] Outcome leave_undecided_slab(const Slab& slab);
    void push_shorter_slab(const Slab& slab, const Pass& found);
    [[nodiscard]] ImpactResult finished(Verdict verdict);

    // search_pairs.cpp: which pairs are separated in a slab.
    [[nodiscard]] Pass pass(const Level& level, const Slab& slab);
    void descend(const Slab& slab, const Pair& pair, Pass& found);
    [[nodiscard]] bool wait_or_split(const Slab& slab, const NodePair& pair, Pass& found);
    void split(const NodePair& pair);
    void split_both(const NodePair& pair);
    void keep(const NodePair& pair, const FreeFraction& fraction);
    void keep_pieces(const Slab& slab, Pair pair);
    void test_pieces(const Slab& slab, Pair& pair) noexcept;
    void refine(const Slab& slab, Pair& pair) noexcept;
    void find_least(const Slab& slab, std::size_t first, Pass& found);

    // search_proofs.cpp: proofs of contact, and exact answers at the start and at the end.
    [[nodiscard]] bool prove_contact(const Level& level, const Frame& frame);
    [[nodiscard]] bool prove_passage(const Level& level, const Frame& end);
    [[nodiscard]] bool prove_later(const Level& level, const Frame& end);
    void lower_upper_bound(const Level& level);
    [[nodiscard]] bool overlaps_at_start();
    [[nodiscard]] bool touches_at_start(const Level& level);
    [[nodiscard]] bool touches_at_end(const Level& level, const Frame& end) noexcept;
    [[nodiscard]] bool begins_inside();
    [[nodiscard]] std::optional<bool> share_a_point(const Pair& pair, const Pose& pose_a,
                                                    const Pose& pose_b) const noexcept;
    void name_faces(const Pair& pair) noexcept;
    [[nodiscard]] bool is_separated_by_boxes() const noexcept;
    [[nodiscard]] StartState state_of_separated() const;

    // Slabs of up to this many of the shortest are not divided: halves of longer ones are no
    // shorter than three quarters of it.
    static constexpr double kIndivisible = 1.5;
    // Pairs kept at a time at most: 56 bytes each.
    static constexpr std::size_t kMaxPairs = 20'000'000;
    [[nodiscard]] bool out_of_budget() noexcept {
        return result_.checks >= options_.max_checks || state_.pairs.size() >= kMaxPairs || stop_();
    }
    [[nodiscard]] const Piece& piece_a(const Pair& pair) const noexcept {
        return a_.pieces[a_.nodes[pair.a].child];
    }
    [[nodiscard]] const Piece& piece_b(const Pair& pair) const noexcept {
        return b_.pieces[b_.nodes[pair.b].child];
    }

    const BodyTree& a_;
    const BodyTree& b_;
    const PairStep& step_;
    const ImpactOptions& options_;
    const RelativeMotion& motion_;
    SearchState state_;
    ImpactResult result_;  // what is proved; verdict and toi_lower are set by finished()
    StopPoll stop_;
    // Buffers of descend() and of find_least(): empty between calls.
    std::vector<NodePair> todo_;
    std::vector<std::size_t> order_;
};

}  // namespace graze::rigid::detail
