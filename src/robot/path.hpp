// The joints between two bodies, and how fast the one moves as seen from the other. Derivation:
// docs/derivations/robot.md, RB-4.
#pragma once

#include <span>
#include <vector>

#include "robot/body.hpp"
#include "robot/kinematics.hpp"

namespace graze::robot::detail {

// A joint on the way from A to B. Its points are the origin of its child's frame and, in the parent's
// frame, where that is at the value 0: one and the same but for a prismatic joint.
struct PathStep {
    JointId joint = 0;
    LinkId child = 0;
    JointKind kind = JointKind::Fixed;
    double gap = 0.0;  // to the nearest point of the next step, or to the centre of B; at most
};

// From a link, or from the frame of the root for the environment, to a body of a link.
struct Path {
    double start_gap = 0.0;  // from the root to the first step
    std::vector<PathStep> steps;
};
[[nodiscard]] Path path_between(const Robot& robot, const Topology& topology, LinkId from,
                                LinkId to, const Body& body);
// Steps of the path between two links.
[[nodiscard]] std::size_t step_count(const Robot& robot, const Topology& topology, LinkId from,
                                     LinkId to);
[[nodiscard]] Path path_from_root(const Robot& robot, const Topology& topology, LinkId to,
                                  const Body& body);

// A point of B at the distance r from its centre, as seen from A: |x''| <= acceleration +
// linear_acceleration r, |x'| <= speed + linear_speed r; the centre is within `distance` of the first
// point of the path.
struct PathBounds {
    double acceleration = 0.0;
    double linear_acceleration = 0.0;
    double speed = 0.0;
    double linear_speed = 0.0;
    double distance = 0.0;
};

// Of each joint, at most, in a slab.
struct JointRates {
    std::vector<double> speed;
    std::vector<double> acceleration;
};

// Both ends of a slab: links in the frame of the root, and the centre of B there.
struct PathEnds {
    std::span<const PoseEnclosure> first;
    std::span<const PoseEnclosure> last;
    PoseEnclosure body_first;
    PoseEnclosure body_last;
    double length = 0.0;  // of the slab, at most
};

[[nodiscard]] PathBounds bounds_of(const Path& path, const JointRates& rates,
                                   std::span<const ValueTrack> tracks, const PathEnds& ends,
                                   std::vector<double>& scratch);

// The speed alone, from lengths of the chain.
[[nodiscard]] double speed_of(const Path& path, const JointRates& rates,
                              std::span<const ValueTrack> tracks) noexcept;

}  // namespace graze::robot::detail
