// Two bodies over a slab of time, and what is proved about pairs of their nodes and leaves.
// Derivation: docs/derivations/robot.md, RB-5 to RB-7.
#pragma once

#include "rigid/convex/simplex.hpp"
#include "rigid/impact/directions.hpp"
#include "rigid/impact/slab.hpp"
#include "robot/body.hpp"
#include "robot/swept_box.hpp"

namespace graze::robot::detail {

// B in the coordinates of A, relative to their centres, at both ends of a slab.
struct PairSlab {
    PoseEnclosure first;
    PoseEnclosure last;
    double t_first = 0.0;
    double t_last = 0.0;
    // Every point of B at the distance r from its centre is within (deviation.translation +
    // deviation.linear r) s (1 - s) of its chord.
    rigid::ChordDeviation deviation;
    double separation = 0.0;  // what a gap must exceed, beside the error
    double error = 0.0;       // RB-5
    rigid::detail::Slab boxes;
};
// RB-5: how far n . (b - a) is off for corners or boxes of B and of a body whose radius this is. Twice
// what it can be: the other half is for points that are mapped the other way (RB-7).
[[nodiscard]] double projection_error(double radius_a, const Body& b,
                                      const PoseEnclosure& pose) noexcept;
// Around a box of the body, or a point of it, that is mapped by this pose.
[[nodiscard]] AxisBox box_around(const Body& body, const PoseEnclosure& pose, const Vec3& centre,
                                 const Vec3& half) noexcept;
// `radius_a` is that of A.
[[nodiscard]] PairSlab make_pair_slab(double radius_a, const Body& b, const PoseEnclosure& first,
                                      double t_first, const PoseEnclosure& last, double t_last,
                                      const rigid::ChordDeviation& deviation,
                                      double separation) noexcept;

// A pair of nodes that is not proved separated, and what separated it best.
struct NodePair {
    std::uint32_t pair = 0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    rigid::detail::Source source = rigid::detail::Source::None;
    bool are_leaves = false;  // the boxes of two leaves do not separate them
    Vec3 direction;
};

// Is a leaf of a surface and a box of the other body proved separated in all of the slab? By directions
// that fit the leaf: long thin triangles fill their boxes badly. False where both or none are such leaves.
// `swept` is what the box of B sweeps; it and the hint are of the same slab.
[[nodiscard]] bool leaf_and_box_are_free(const Body& a, const Body& b, const PairSlab& slab,
                                         std::uint32_t a_node, std::uint32_t b_node,
                                         const SweptBox& swept, SeparatingHint& hint) noexcept;

// Is the pair of leaves proved separated in all of the slab? Keeps the best direction; tries few where
// it need not be thorough.
[[nodiscard]] bool leaves_are_free(const Body& a, const Body& b, const PairSlab& slab,
                                   NodePair& pair, bool is_thorough) noexcept;

// Which end of the slab.
enum class SlabEnd : std::uint8_t { First, Last };
// Have the leaves a common point (or, with a margin, points within it) at an end of the slab, or do they
// pass through each other in it (Last alone), by proof?
[[nodiscard]] bool leaves_meet(const Body& a, const Body& b, const PairSlab& slab,
                               const NodePair& pair, double margin, SlabEnd end) noexcept;

// Estimates, at the start of the slab: the middle between the nearest points, in the coordinates of A,
// the direction from A to B, and the distance.
struct NearestEstimate {
    Vec3 point;
    Vec3 direction;
    double distance = 0.0;
};
[[nodiscard]] NearestEstimate nearest_estimate(const Body& a, const Body& b, const PairSlab& slab,
                                               const NodePair& pair, SlabEnd end) noexcept;

}  // namespace graze::robot::detail
