#include "graze/robot/robot.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "graze/core/norm_bounds.hpp"
#include "robot/topology.hpp"

namespace graze::robot {

namespace {

using detail::is_moving;

[[nodiscard]] Error at_joint(const Joint& joint, const std::string& what,
                             ErrorCode code = ErrorCode::InvalidInput) {
    return Error{"joint '" + joint.name + "': " + what, code};
}
[[nodiscard]] Error at_link(const Link& link, const std::string& what,
                            ErrorCode code = ErrorCode::InvalidInput) {
    return Error{"link '" + link.name + "': " + what, code};
}

[[nodiscard]] Expected<void> check_links(std::span<const Link> links) {
    if (links.empty()) return Error{"a robot needs a link", ErrorCode::InvalidInput};
    std::set<std::string_view> names;
    for (const Link& link : links) {
        if (!names.insert(link.name).second) return at_link(link, "the name is there twice");
        for (const Geometry& geometry : link.geometry) {
            if (const auto good = graze::check(geometry.pose, "the pose of a geometry"); !good)
                return located("link '" + link.name + "'", good.error());
            const auto* surface =
                std::get_if<std::shared_ptr<const rigid::RigidBody>>(&geometry.shape);
            if (surface != nullptr && !*surface) return at_link(link, "a surface is missing");
        }
    }
    return {};
}

[[nodiscard]] Expected<void> check_mimic(std::span<const Joint> joints, const Joint& joint) {
    if (!joint.mimic) return {};
    if (joint.mimic->joint >= joints.size())
        return at_joint(joint, "mimics a joint that is not there", ErrorCode::IndexOutOfRange);
    if (!is_finite(joint.mimic->multiplier) || !is_finite(joint.mimic->offset))
        return at_joint(joint, "a number of the mimic is not finite", ErrorCode::NotFinite);
    if (!is_moving(joint.kind)) return at_joint(joint, "does not move, and mimics another");
    const Joint* next = &joint;
    for (std::size_t steps = 0; next->mimic; ++steps) {
        if (steps > joints.size()) return at_joint(joint, "mimics itself, by others");
        const JointId id = next->mimic->joint;
        if (id >= joints.size()) break;  // reported at that joint
        next = &joints[id];
        if (next == &joint) return at_joint(joint, "mimics itself");
    }
    if (!is_moving(joints[joint.mimic->joint].kind)) return at_joint(joint, "mimics a fixed joint");
    return {};
}

[[nodiscard]] Expected<void> check_joint(std::size_t links, const Joint& joint) {
    if (joint.parent >= links || joint.child >= links)
        return at_joint(joint, "names a link that is not there", ErrorCode::IndexOutOfRange);
    if (const auto good = graze::check(joint.origin, "the origin"); !good)
        return located("joint '" + joint.name + "'", good.error());
    if (is_moving(joint.kind)) {
        if (!is_finite(joint.axis))
            return at_joint(joint, "the axis is not finite", ErrorCode::NotFinite);
        if (!(norm_max(joint.axis) > 0.0)) return at_joint(joint, "the axis has no length");
    }
    if (!(joint.lower <= joint.upper))
        return at_joint(joint, "the lower limit is above the upper one");
    return {};
}

[[nodiscard]] Expected<void> check_joints(std::span<const Link> links,
                                          std::span<const Joint> joints) {
    std::set<std::string_view> names;
    std::vector<bool> has_parent(links.size(), false);
    for (const Joint& joint : joints) {
        if (!names.insert(joint.name).second) return at_joint(joint, "the name is there twice");
        if (const auto good = check_joint(links.size(), joint); !good) return good.error();
        if (has_parent[joint.child])
            return at_joint(joint, "link '" + links[joint.child].name + "' has two parents");
        has_parent[joint.child] = true;
    }
    for (const Joint& joint : joints)
        if (const auto good = check_mimic(joints, joint); !good) return good.error();
    const auto roots = std::count(has_parent.begin(), has_parent.end(), false);
    if (roots == 0) return Error{"no link is the root: the joints make a cycle"};
    if (roots > 1) return Error{"more than one link has no parent"};
    return {};
}

}  // namespace

detail::Topology::Topology(std::span<const Link> links, std::span<const Joint> joints)
    : joint_to_parent(links.size()), depth(links.size()), variable_of(joints.size()) {
    std::vector<std::vector<JointId>> children(links.size());
    for (JointId j = 0; j < joints.size(); ++j) {
        joint_to_parent[joints[j].child] = j;
        children[joints[j].parent].push_back(j);
        if (!is_moving(joints[j].kind) || joints[j].mimic) continue;
        variable_of[j] = variables.size();
        variables.push_back(j);
    }
    while (root < links.size() && joint_to_parent[root])
        ++root;
    std::vector<LinkId> open = {root};
    for (std::size_t i = 0; i < open.size() && open[i] < links.size(); ++i) {
        for (const JointId j : children[open[i]]) {
            outward.push_back(j);
            depth[joints[j].child] = depth[open[i]] + 1;
            open.push_back(joints[j].child);
        }
    }
    const auto mimics = [&](JointId j) {
        std::size_t steps = 0;
        for (; joints[j].mimic && steps <= joints.size(); ++steps)
            j = joints[j].mimic->joint;
        return steps;
    };
    for (JointId j = 0; j < joints.size(); ++j)
        if (is_moving(joints[j].kind)) valued.push_back(j);
    std::stable_sort(valued.begin(), valued.end(),
                     [&](JointId i, JointId j) { return mimics(i) < mimics(j); });
}

struct Robot::State {
    RobotDescription description;
    detail::Topology topology;
};

Expected<Robot> Robot::create(RobotDescription description) {
    if (const auto good = check_links(description.links); !good) return good.error();
    if (const auto good = check_joints(description.links, description.joints); !good)
        return good.error();
    detail::Topology topology(description.links, description.joints);
    if (topology.outward.size() != description.joints.size())
        return Error{"links hang on each other in a cycle", ErrorCode::InvalidInput};
    Robot robot;
    robot.state_ =
        std::make_shared<const State>(State{std::move(description), std::move(topology)});
    return robot;
}

const std::string& Robot::name() const noexcept {
    return state_->description.name;
}
std::span<const Link> Robot::links() const noexcept {
    return state_->description.links;
}
std::span<const Joint> Robot::joints() const noexcept {
    return state_->description.joints;
}
LinkId Robot::root() const noexcept {
    return state_->topology.root;
}
std::span<const JointId> Robot::variables() const noexcept {
    return state_->topology.variables;
}

std::optional<LinkId> Robot::find_link(std::string_view name) const noexcept {
    for (LinkId i = 0; i < links().size(); ++i)
        if (links()[i].name == name) return i;
    return std::nullopt;
}

std::optional<std::size_t> Robot::find_variable(std::string_view joint) const noexcept {
    for (std::size_t i = 0; i < variables().size(); ++i)
        if (joints()[variables()[i]].name == joint) return i;
    return std::nullopt;
}

Expected<std::vector<Pose>> Robot::link_poses(const Configuration& q) const {
    if (q.size() != variables().size()) {
        return Error{"a configuration has " + std::to_string(q.size()) + " values, the robot " +
                         std::to_string(variables().size()) + " variables",
                     ErrorCode::WrongSize};
    }
    std::vector<double> values(joints().size(), 0.0);
    for (const JointId j : state_->topology.valued) {
        const Joint& joint = joints()[j];
        const auto variable = state_->topology.variable_of[j];
        values[j] =
            variable ? q[*variable]
                     : joint.mimic->multiplier * values[joint.mimic->joint] + joint.mimic->offset;
        if (!is_finite(values[j]))
            return at_joint(joint, "a value that is not finite", ErrorCode::NotFinite);
    }
    std::vector<Pose> poses(links().size());
    for (const JointId j : state_->topology.outward) {
        const Joint& joint = joints()[j];
        Pose local;
        if (joint.kind == JointKind::Prismatic) {
            local.translation = (values[j] / norm(joint.axis)) * joint.axis;
        } else if (is_moving(joint.kind)) {
            local.rotation = rotation_about(joint.axis, values[j]);
        }
        poses[joint.child] = compose(poses[joint.parent], compose(joint.origin, local));
    }
    return poses;
}

Expected<void> Robot::check(const Configuration& q) const {
    if (const auto poses = link_poses(q); !poses) return poses.error();
    for (std::size_t i = 0; i < q.size(); ++i) {
        const Joint& joint = joints()[variables()[i]];
        if (joint.kind == JointKind::Continuous) continue;
        if (!(joint.lower <= q[i] && q[i] <= joint.upper))
            return at_joint(joint, "the value is beyond its limits");
    }
    return {};
}

}  // namespace graze::robot
