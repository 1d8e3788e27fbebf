// The search for the first impact: slabs of time, earliest first, each with the pairs of nodes and
// pieces that no direction separates in it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graze/rigid/impact.hpp"
#include "rigid/impact/directions.hpp"
#include "rigid/impact/slab.hpp"

namespace graze::rigid::detail {

class Search {
public:
    Search(const RigidBody& a, const RigidBody& b, const PairStep& step,
           const ImpactOptions& options, const RelativeMotion& motion);

    // May throw std::bad_alloc.
    [[nodiscard]] ImpactResult run();

private:
    struct Pair {
        std::uint32_t a;  // nodes
        std::uint32_t b;
        Vec3 direction{};  // that did best in the last slab; 0 for none
        FreeShare share{};
        Source source = Source::None;  // of the direction
        bool as_pieces = false;        // the pieces were looked at, not only their boxes
    };
    // Slab [now, end] and its pairs: every pair that is not among them is apart in all of it.
    struct Level {
        double end;
        std::size_t first;  // of pairs_
        std::size_t last;
    };
    // What a pass over the pairs of a level found.
    struct Pass {
        FreeShare least{kAllFree, kAllFree};
        bool too_long = false;  // some pairs wait for a shorter slab
    };

    [[nodiscard]] Pass pass(const Level& level, const Slab& slab);
    void descend(const Slab& slab, Pair pair, Pass& found);
    void split(const Pair& pair);
    void keep(Pair pair, const FreeShare& share);
    void look_at_pieces(const Slab& slab, Pair& pair) noexcept;
    void refine(const Slab& slab, Pair& pair) noexcept;
    [[nodiscard]] FreeShare least_share(const Slab& slab, std::size_t first);
    [[nodiscard]] bool prove_contact(const Level& level, const Frame& frame);
    [[nodiscard]] bool prove_passage(const Level& level, const Frame& end);
    [[nodiscard]] bool out_of_budget() noexcept;
    [[nodiscard]] bool settle_start(const Level& level);
    [[nodiscard]] bool begins_inside();
    [[nodiscard]] bool touches_at_end(const Level& level, const Frame& end) noexcept;
    [[nodiscard]] bool prove_later(const Level& level, const Frame& end);
    void lower_upper_bound(const Level& level);
    [[nodiscard]] std::optional<bool> share_a_point(const Pair& pair, const Pose& pose_a,
                                                    const Pose& pose_b) const noexcept;
    void name_faces(const Pair& pair) noexcept;
    [[nodiscard]] bool is_apart_by_boxes() const noexcept;
    [[nodiscard]] StartState state_of_apart() const;
    [[nodiscard]] ImpactResult finished(Verdict verdict);

    const BodyTree& a_;
    const BodyTree& b_;
    const PairStep& step_;
    const ImpactOptions& options_;
    const RelativeMotion& motion_;
    std::vector<Pair> pairs_;
    std::vector<Pair> todo_;
    std::vector<Level> levels_;
    std::vector<std::size_t> order_;
    Frame now_;
    double shortest_ = 0.0;  // slabs of this length are not split any more
    double stride_ = 0.0;    // wished length of the next slab; 0: no wish
    double free_until_ = 0.0;
    bool all_free_ = true;  // every slab up to now was proved free
    bool start_settled_ = false;
    bool state_asked_ = false;  // result_.start is as good as it gets
    StopPoll stop_;
    bool apart_at_start_ = false;    // no common point at the start, by exact arithmetic
    bool limited_by_nodes_ = false;  // the least share of the last pass is that of boxes
    ImpactResult result_;
};

}  // namespace graze::rigid::detail
