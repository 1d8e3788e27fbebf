#include "robot/path.hpp"

#include <algorithm>

#include "robot/lengths.hpp"

namespace graze::robot::detail {

namespace {

constexpr double kPathSlack = 1.0 + 0x1p-40;

// Joints from the link up to the root, the nearest first.
[[nodiscard]] std::vector<JointId> ancestors(const Robot& robot, const Topology& topology,
                                             LinkId link) {
    std::vector<JointId> joints;
    while (topology.joint_to_parent[link]) {
        joints.push_back(*topology.joint_to_parent[link]);
        link = robot.joints()[joints.back()].parent;
    }
    return joints;
}

// Calls `up` and `down` with the joints from both links to where their ways to the root meet, each from its
// link on.
template <class Up, class Down>
void climb(const Robot& robot, const Topology& topology, LinkId from, LinkId to, const Up& up,
           const Down& down) {
    const std::span<const Joint> joints = robot.joints();
    while (from != to) {
        const bool is_up = topology.depth[from] >= topology.depth[to];
        const JointId joint = *topology.joint_to_parent[is_up ? from : to];
        if (is_up) {
            up(joint);
            from = joints[joint].parent;
        } else {
            down(joint);
            to = joints[joint].parent;
        }
    }
}

// Walks over frames of links; `at` is the point where the step before ended, in the current frame.
struct Walk {
    const Robot& robot;
    Path path;
    Vec3 at;
    bool has_steps = false;

    void go_to(const Vec3& point, double error = 0.0) {
        const double gap = add_up(distance_upper(at, point), error);
        if (path.steps.empty()) {
            path.start_gap = gap;
        } else {
            path.steps.back().gap = gap;
        }
    }
    void step(JointId j, bool is_up) {
        const Joint& joint = robot.joints()[j];
        const Vec3& outer = joint.origin.translation;
        go_to(is_up ? Vec3{} : outer);
        path.steps.push_back({j, joint.child, joint.kind, 0.0});
        at = is_up ? outer : Vec3{};
    }
};

[[nodiscard]] Path walk(const Robot& robot, std::span<const JointId> up,
                        std::span<const JointId> down, const Body& body) {
    Walk walk{robot, {}, {}};
    for (const JointId j : up)
        walk.step(j, true);
    for (auto j = down.rbegin(); j != down.rend(); ++j)
        walk.step(*j, false);
    walk.go_to(body.centre_in_owner, body.centre_error);
    return walk.path;
}

// (d(a) + d(b) + v (b - a)) / 2 bounds a distance that changes by v at most.
[[nodiscard]] double distance_between(const PoseEnclosure& p0, const PoseEnclosure& q0,
                                      const PoseEnclosure& p1, const PoseEnclosure& q1,
                                      double travel) noexcept {
    const double errors =
        p0.translation_error + q0.translation_error + p1.translation_error + q1.translation_error;
    return 0.5 * (quick_distance_upper(p0.translation, q0.translation) +
                  quick_distance_upper(p1.translation, q1.translation) + travel + errors);
}

}  // namespace

Path path_between(const Robot& robot, const Topology& topology, LinkId from, LinkId to,
                  const Body& body) {
    std::vector<JointId> up;
    std::vector<JointId> down;
    climb(
        robot, topology, from, to, [&](JointId j) { up.push_back(j); },
        [&](JointId j) { down.push_back(j); });
    return walk(robot, up, down, body);
}

std::size_t step_count(const Robot& robot, const Topology& topology, LinkId from, LinkId to) {
    std::size_t count = 0;
    const auto add = [&](JointId /*joint*/) { ++count; };
    climb(robot, topology, from, to, add, add);
    return count;
}

Path path_from_root(const Robot& robot, const Topology& topology, LinkId to, const Body& body) {
    return walk(robot, {}, ancestors(robot, topology, to), body);
}

double speed_of(const Path& path, const JointRates& rates,
                std::span<const ValueTrack> tracks) noexcept {
    double distance = 0.0;
    double speed = 0.0;
    for (auto step = path.steps.rbegin(); step != path.steps.rend(); ++step) {
        distance = (distance + step->gap) * kPathSlack;
        if (step->kind == JointKind::Fixed) continue;
        const bool is_shift = step->kind == JointKind::Prismatic;
        if (is_shift) distance = (distance + tracks[step->joint].size()) * kPathSlack;
        speed = (speed + rates.speed[step->joint] * (is_shift ? 1.0 : distance)) * kPathSlack;
    }
    return speed;
}

// RB-4, from B to A: `distance` is from the nearest point of the step to the centre of B.
PathBounds bounds_of(const Path& path, const JointRates& rates, std::span<const ValueTrack> tracks,
                     const PathEnds& ends, std::vector<double>& scratch) {
    scratch.clear();
    double before = 0.0;  // rotation of what is nearer to A
    for (const PathStep& step : path.steps) {
        scratch.push_back(before);
        if (step.kind == JointKind::Revolute || step.kind == JointKind::Continuous)
            before += rates.speed[step.joint];
    }
    PathBounds b;
    for (std::size_t i = path.steps.size(); i-- > 0;) {
        const PathStep& step = path.steps[i];
        b.distance = (b.distance + step.gap) * kPathSlack;
        if (step.kind == JointKind::Fixed) continue;
        const double speed = rates.speed[step.joint];
        const double acceleration = rates.acceleration[step.joint];
        if (step.kind == JointKind::Prismatic) {
            b.distance = (b.distance + tracks[step.joint].size()) * kPathSlack;
            b.acceleration =
                (b.acceleration + acceleration + 2.0 * speed * scratch[i]) * kPathSlack;
            b.speed = (b.speed + speed) * kPathSlack;
            continue;
        }
        if (!(speed > 0.0)) continue;
        const double straight =
            distance_between(ends.first[step.child], ends.body_first, ends.last[step.child],
                             ends.body_last, b.speed * ends.length) *
            kPathSlack;
        b.distance = std::min(b.distance, straight);
        const double rate = (acceleration + speed * (speed + 2.0 * scratch[i])) * kPathSlack;
        b.acceleration = (b.acceleration + rate * b.distance) * kPathSlack;
        b.linear_acceleration = (b.linear_acceleration + rate) * kPathSlack;
        b.speed = (b.speed + speed * b.distance) * kPathSlack;
        b.linear_speed = (b.linear_speed + speed) * kPathSlack;
    }
    b.distance = (b.distance + path.start_gap) * kPathSlack;
    return b;
}

}  // namespace graze::robot::detail
