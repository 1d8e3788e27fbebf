// The first contact of all pairs of bodies in a segment, in the order of time. Derivation:
// docs/derivations/robot.md, RB-6 to RB-8.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graze/robot/check.hpp"
#include "robot/leaf_pair.hpp"
#include "robot/model.hpp"

namespace graze::robot::detail {

// Every body of the robot at one time, in the frame of the root, and the root in the world.
struct TimeFrame {
    double t = 0.0;
    std::vector<PoseEnclosure> links;
    std::vector<PoseEnclosure> bodies;
    PoseEnclosure base;
};

// Nodes of A and B.
struct NodeIndices {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};

// What is asked of a search.
struct SearchGoal {
    double t_end = 1.0;  // 0: the configuration at the start alone
    // A gap is proved to exceed this, beside the margin: the clearance that is to be shown. Lowered to
    // clearance_fraction of what is seen where that is less.
    double clearance = 0.0;
    double clearance_fraction = 0.0;
};

// Invariant: [0, begin of the slab at hand) is proved free for all pairs, unless is_undecided_: then
// [0, result_.toi_lower) is. A slab is free when its list of pairs of nodes has become empty: each pair
// of the list was proved separated in all of the slab, or replaced by the pairs below it.
class SegmentSearch {
public:
    // Checks every group of the environment, and these pairs of links.
    SegmentSearch(const SceneModel& model, const Segment& segment, const CheckOptions& options,
                  std::span<const std::uint32_t> pairs);

    [[nodiscard]] SegmentResult run(const SearchGoal& goal);
    // What the last run proved, beside the margin.
    [[nodiscard]] double clearance() const noexcept { return goal_.clearance; }
    // The least distance of pairs that greedy descents find, at the start, middle and end: an estimate.
    [[nodiscard]] double clearance_estimate();

private:
    enum class Progress : std::uint8_t { Continue, Finished };

    void set_frame(TimeFrame& frame, double t);
    [[nodiscard]] PoseEnclosure relative(const BodyPair& pair,
                                         const TimeFrame& frame) const noexcept;
    [[nodiscard]] rigid::ChordDeviation deviation(const BodyPair& pair, const TimeFrame& first,
                                                  const TimeFrame& last);
    [[nodiscard]] rigid::ChordDeviation new_deviation(const BodyPair& pair, const TimeFrame& first,
                                                      const TimeFrame& last);
    [[nodiscard]] PoseEnclosure in_world(std::uint32_t body, const TimeFrame& frame) const noexcept;
    [[nodiscard]] PairSlab slab_of(const BodyPair& pair, const TimeFrame& first,
                                   const TimeFrame& last);
    void set_rates(double a, double b);
    void set_speeds();

    [[nodiscard]] Progress solve(std::size_t first, std::size_t last, std::size_t begin,
                                 std::size_t end, std::size_t depth);
    void pass(const TimeFrame& first, const TimeFrame& last, std::size_t begin, std::size_t end,
              bool is_short);
    void descend(const BodyPair& pair, PairSlab& slab, const NodePair& from, bool is_short);
    void test_boxes(const Body& body_a, const Body& body_b, const PairSlab& slab,
                    std::span<const NodeIndices> nodes);
    void test_leaves(const BodyPair& pair, PairSlab& slab, NodePair leaves, bool is_short);
    void keep(const NodePair& pair);
    void list_pairs(const TimeFrame& first, const TimeFrame& last);
    void forget_boxes() noexcept;
    void list_parts(const EnvironmentGroup& group, const TimeFrame& first, const TimeFrame& last);
    [[nodiscard]] PairSlab slab_in_world(const EnvironmentGroup& group, const TimeFrame& first,
                                         const TimeFrame& last);
    void list_near_pairs(const TimeFrame& start);
    [[nodiscard]] bool balls_are_free(const BodyPair& pair, const TimeFrame& first,
                                      const TimeFrame& last) const noexcept;
    [[nodiscard]] bool lower_clearance(const BodyPair& pair, PairSlab& slab,
                                       const NodePair& leaves);
    [[nodiscard]] std::optional<NodePair> find_contact(const TimeFrame& first,
                                                       const TimeFrame& last, std::size_t begin,
                                                       SlabEnd end, std::size_t most);
    // Is a body inside another at the start? Nothing where that is not decided. Requires: the surfaces
    // are proved disjoint at the start.
    [[nodiscard]] std::optional<bool> is_nested();
    [[nodiscard]] std::optional<bool> is_nested(std::uint32_t index);
    [[nodiscard]] double distance_estimate(std::uint32_t index, const TimeFrame& frame) const;
    [[nodiscard]] Progress accept_free_slab(const TimeFrame& first);
    [[nodiscard]] Progress finish(Verdict verdict, double lower, double upper) noexcept;
    void blame(const NodePair& pair, const TimeFrame& first, const TimeFrame& last);
    [[nodiscard]] bool is_spent() noexcept;

    const SceneModel& model_;
    const Segment& segment_;
    const CheckOptions& options_;
    std::span<const std::uint32_t> pairs_;
    std::vector<ValueTrack> tracks_;
    JointRates rates_;
    std::vector<double> speeds_;  // of each path
    std::vector<double> scratch_;
    std::vector<TimeFrame> frames_;
    std::vector<NodePair> front_;
    std::vector<NodeIndices> todo_;
    std::vector<ObstacleIndex::Part> parts_;  // that are near a body
    std::vector<std::uint32_t> near_pairs_;   // whose boxes may overlap at the start
    SweptBoxCache swept_;
    SeparatingHint hint_;
    // What deviation() returned last, as paths are shared by all pairs of a group.
    struct KnownDeviation {
        std::optional<std::uint32_t> path;
        double t_first = 0.0;
        double t_last = 0.0;
        rigid::ChordDeviation deviation;
    } known_;
    bool is_long_ = true;
    bool must_halve_ = false;  // a pair is left that cannot be separated in the slab
    SearchGoal goal_;
    StopPoll poll_;
    SegmentResult result_;
    bool is_undecided_ = false;
    bool is_nesting_decided_ = false;
    bool is_out_of_memory_ = false;
    double shortest_ = 0.0;  // slabs up to this are not halved any more
};

}  // namespace graze::robot::detail
