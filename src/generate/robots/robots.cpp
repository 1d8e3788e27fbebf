// The arm, and the torso with two of them.
#include "graze/generate/robots.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "generate/models/makers.hpp"
#include "generate/robots/shapes.hpp"
#include "graze/core/assert.hpp"

namespace graze::generate {
namespace {

using robot::Geometry;
using robot::Joint;
using robot::JointKind;
using robot::LinkId;
using robot::RobotDescription;

std::shared_ptr<const rigid::RigidBody> body_of(const io::PolygonMesh& mesh) {
    auto surface = rigid::Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    GRAZE_ASSERT(surface.has_value());
    return std::make_shared<const rigid::RigidBody>(std::move(*surface));
}

// What rotates about its own axis, and what bends. [radians]
constexpr double kTwistLimit = 2.9;
constexpr double kBendLimit = 2.1;

// A limb of the arm in the frame of its joint, and where the next joint is.
struct ArmLink {
    Limb limb;
    bool bends;   // about y, else about z
    double next;  // height of the next joint
};
constexpr std::array<ArmLink, 7> kArmLinks = {{
    {{0.070, 0.000, 0.160}, false, 0.19},
    {{0.065, -0.065, 0.180}, true, 0.21},
    {{0.060, 0.000, 0.170}, false, 0.19},
    {{0.060, -0.060, 0.160}, true, 0.19},
    {{0.055, 0.000, 0.160}, false, 0.19},
    {{0.050, -0.050, 0.050}, true, 0.07},
    {{0.045, 0.000, 0.040}, false, 0.05},
}};
constexpr Limb kArmBase{0.100, 0.000, 0.140};
constexpr double kFirstJoint = 0.15;

// A palm; the fingers are of the hand or of joints of their own.
constexpr SolidBox kPalm{{-0.030, -0.050, 0.000}, {0.030, 0.050, 0.040}};
constexpr SolidBox kFinger{{-0.010, -0.045, 0.041}, {0.010, -0.030, 0.110}};

SolidBox scaled(SolidBox box, double scale) {
    return {scale * box.low, scale * box.high};
}

SolidBox mirrored(const SolidBox& box) {
    return {{box.low.x, -box.high.y, box.low.z}, {box.high.x, -box.low.y, box.high.z}};
}

// A robot that grows link by link.
class RobotMaker {
public:
    explicit RobotMaker(std::string robot_name) { description_.name = std::move(robot_name); }

    LinkId add_link(std::string link_name, std::vector<Geometry> geometry) {
        description_.links.push_back({std::move(link_name), std::move(geometry)});
        return static_cast<LinkId>(description_.links.size() - 1);
    }
    LinkId add_link(std::string link_name, const io::PolygonMesh& mesh) {
        return add_link(std::move(link_name), {Geometry{body_of(mesh), Pose{}}});
    }
    robot::JointId add_joint(Joint joint) {
        description_.joints.push_back(std::move(joint));
        return static_cast<robot::JointId>(description_.joints.size() - 1);
    }
    void add_fixed(std::string joint_name, LinkId parent, LinkId child, const Pose& origin) {
        Joint joint;
        joint.name = std::move(joint_name);
        joint.parent = parent;
        joint.child = child;
        joint.origin = origin;
        add_joint(std::move(joint));
    }
    [[nodiscard]] RobotDescription take() { return std::move(description_); }

private:
    RobotDescription description_;
};

struct ArmPlan {
    std::string prefix;
    double scale = 1.0;
    std::uint32_t triangles = 100;  // of each link
    bool has_gripper = false;       // fingers that move
};

Limb scaled(const Limb& limb, double scale) {
    return {scale * limb.radius, scale * limb.bottom, scale * limb.top};
}

// Two fingers that close and open together: the second one mimics the first.
void add_fingers(RobotMaker& maker, const ArmPlan& plan, LinkId palm) {
    const SolidBox finger = scaled(kFinger, plan.scale);
    std::optional<robot::JointId> first;
    for (const bool is_first : {true, false}) {
        const std::string finger_name = plan.prefix + (is_first ? "finger_1" : "finger_2");
        const SolidBox box = is_first ? finger : mirrored(finger);
        Joint joint;
        joint.name = finger_name + "_joint";
        joint.kind = JointKind::Prismatic;
        joint.parent = palm;
        joint.child = maker.add_link(finger_name, boxes_of({box}, plan.triangles / 4));
        joint.axis = {0.0, is_first ? 1.0 : -1.0, 0.0};
        joint.lower = 0.0;
        joint.upper = plan.scale * 0.025;
        if (first) joint.mimic = robot::Mimic{*first, 1.0, 0.0};
        const robot::JointId id = maker.add_joint(std::move(joint));
        if (is_first) first = id;
    }
}

// The arm upon its base; returns the base.
LinkId add_arm(RobotMaker& maker, const ArmPlan& plan) {
    const double s = plan.scale;
    const LinkId base =
        maker.add_link(plan.prefix + "base", limb_of(scaled(kArmBase, s), plan.triangles));
    LinkId parent = base;
    double height = s * kFirstJoint;
    for (std::size_t i = 0; i < kArmLinks.size(); ++i) {
        const ArmLink& link = kArmLinks[i];
        const std::string number = std::to_string(i + 1);
        Joint joint;
        joint.name = plan.prefix + "joint_" + number;
        joint.kind = JointKind::Revolute;
        joint.parent = parent;
        joint.child = maker.add_link(plan.prefix + "link_" + number,
                                     limb_of(scaled(link.limb, s), plan.triangles));
        joint.origin.translation = {0.0, 0.0, height};
        joint.axis = link.bends ? Vec3{0.0, 1.0, 0.0} : Vec3{0.0, 0.0, 1.0};
        joint.upper = link.bends ? kBendLimit : kTwistLimit;
        joint.lower = -joint.upper;
        parent = joint.child;
        height = s * link.next;
        maker.add_joint(std::move(joint));
    }
    std::vector<SolidBox> hand = {scaled(kPalm, s)};
    if (!plan.has_gripper) {
        hand.push_back(scaled(kFinger, s));
        hand.push_back(mirrored(scaled(kFinger, s)));
    }
    const LinkId palm = maker.add_link(plan.prefix + "hand", boxes_of(hand, plan.triangles));
    maker.add_fixed(plan.prefix + "hand_joint", parent, palm, {{}, {0.0, 0.0, height}});
    if (plan.has_gripper) add_fingers(maker, plan, palm);
    return base;
}

// Nine links have a mesh.
constexpr std::uint32_t kUsualLinkTriangles = 120;
constexpr std::uint32_t kArmMeshes = 9;

std::uint32_t link_triangles(std::uint32_t all, std::uint32_t meshes) {
    return all == 0 ? kUsualLinkTriangles : std::max(all / meshes, 12U);
}

RobotDescription make_arm(std::uint32_t triangles) {
    RobotMaker maker("arm");
    add_arm(maker, {"", 1.0, link_triangles(triangles, kArmMeshes), false});
    return maker.take();
}

Geometry shape_at(Expected<rigid::ConvexShape> shape, const Vec3& centre) {
    GRAZE_ASSERT(shape.has_value());
    return {std::move(*shape), {{}, centre}};
}

// The lift, the waist and the neck; returns the chest.
LinkId add_trunk(RobotMaker& maker) {
    using rigid::ConvexShape;
    const LinkId base =
        maker.add_link("base", {shape_at(ConvexShape::cylinder(0.18, 0.1), {0.0, 0.0, 0.1})});
    const LinkId column =
        maker.add_link("column", {shape_at(ConvexShape::cylinder(0.06, 0.3), {})});
    Joint lift;
    lift.name = "lift";
    lift.kind = JointKind::Prismatic;
    lift.parent = base;
    lift.child = column;
    lift.origin.translation = {0.0, 0.0, 0.51};
    lift.axis = {0.0, 0.0, 1.0};
    lift.lower = 0.0;
    lift.upper = 0.3;
    maker.add_joint(std::move(lift));
    const LinkId chest =
        maker.add_link("chest", {shape_at(ConvexShape::box({0.12, 0.17, 0.22}), {0.0, 0.0, 0.25})});
    Joint waist;
    waist.name = "waist";
    waist.kind = JointKind::Revolute;
    waist.parent = column;
    waist.child = chest;
    waist.origin.translation = {0.0, 0.0, 0.31};
    waist.axis = {0.0, 0.0, 1.0};
    waist.lower = -kBendLimit;
    waist.upper = kBendLimit;
    maker.add_joint(std::move(waist));
    const LinkId head =
        maker.add_link("head", {shape_at(ConvexShape::sphere(0.1), {0.0, 0.0, 0.12})});
    Joint neck;
    neck.name = "neck";
    neck.kind = JointKind::Continuous;
    neck.parent = chest;
    neck.child = head;
    neck.origin.translation = {0.0, 0.0, 0.5};
    neck.axis = {0.0, 0.0, 1.0};
    maker.add_joint(std::move(neck));
    return chest;
}

RobotDescription make_torso(std::uint32_t triangles) {
    constexpr double kArmScale = 0.7;
    constexpr Vec3 kShoulder{0.0, 0.2, 0.4};
    RobotMaker maker("torso");
    const LinkId chest = add_trunk(maker);
    for (const bool is_left : {true, false}) {
        const std::string prefix = is_left ? "left_" : "right_";
        const double side = is_left ? 1.0 : -1.0;
        const LinkId arm =
            add_arm(maker, {prefix, kArmScale, link_triangles(triangles, 2 * kArmMeshes), true});
        // z of the arm leads away from the chest.
        const Pose mount{rotation_about({1.0, 0.0, 0.0}, -side * kTurn / 4.0),
                         {kShoulder.x, side * kShoulder.y, kShoulder.z}};
        maker.add_fixed(prefix + "shoulder", chest, arm, mount);
    }
    return maker.take();
}

constexpr std::array<std::string_view, 2> kRobotNames = {"arm", "torso"};

}  // namespace

std::string_view name(RobotId id) noexcept {
    return kRobotNames[static_cast<std::size_t>(id)];
}

std::optional<RobotId> robot_from_name(std::string_view name_of_robot) noexcept {
    for (const RobotId id : kAllRobots)
        if (name(id) == name_of_robot) return id;
    return std::nullopt;
}

RobotDescription make_robot(RobotId id, std::uint32_t triangles) {
    return id == RobotId::Arm ? make_arm(triangles) : make_torso(triangles);
}

std::vector<robot::Configuration> free_path(RobotId id) {
    if (id == RobotId::Arm) {
        return {{-1.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                {-1.2, -0.5, 0.2, -0.7, 0.2, -0.4, 0.5},
                {-0.9, -0.9, -0.3, -0.9, -0.4, -0.3, -0.5},
                {-1.1, -0.3, 0.2, -1.2, 0.3, 0.5, 1.0}};
    }
    // lift, waist, neck; then the left arm with its finger, and the right one.
    return {{0.0, 0.0, 0.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
            {0.1, 0.2, 1.0, 0.3, -0.4, 0.2, -0.5, 0.1, -0.3, 0.4, 0.01,  //
             -0.3, -0.4, 0.2, -0.5, 0.1, -0.3, 0.4, 0.01},
            {0.3, -0.2, 7.0, -0.2, -0.6, -0.3, -0.8, 0.5, 0.2, -0.4, 0.0,  //
             0.2, -0.5, 0.3, -0.9, -0.5, 0.2, 0.4, 0.015}};
}

std::array<robot::Configuration, 2> passage_ends() {
    return {{{0.9, 1.1, 0.0, 0.4, 0.0, 0.3, 0.0}, {-0.9, 1.1, 0.0, 0.4, 0.0, 0.3, 0.0}}};
}

}  // namespace graze::generate
