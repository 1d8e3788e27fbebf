// Robots: links that hang on each other by joints, and their motion from one configuration to another
// as proved enclosures (graze/rigid/motion.hpp).
//
// Values and declarations only. Derivation: docs/derivations/robot.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/pose.hpp"
#include "graze/core/vec3.hpp"
#include "graze/rigid/convex.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/motion.hpp"

namespace graze::robot {

using LinkId = std::uint32_t;
using JointId = std::uint32_t;

// A solid in the frame of its owner: a surface, whose copies share its tree, or a convex shape.
struct Geometry {
    std::variant<std::shared_ptr<const rigid::RigidBody>, rigid::ConvexShape> shape;
    Pose pose;
};

struct Link {
    std::string name;
    std::vector<Geometry> geometry;
};

enum class JointKind : std::uint8_t {
    Fixed,
    Revolute,    // [radians] about the axis, within limits
    Continuous,  // [radians] about the axis, any number of rotations
    Prismatic,   // [length] along the axis
};

// The value of a joint is multiplier * (value of `joint`) + offset.
struct Mimic {
    JointId joint = 0;
    double multiplier = 1.0;
    double offset = 0.0;
};

struct Joint {
    std::string name;
    JointKind kind = JointKind::Fixed;
    LinkId parent = 0;
    LinkId child = 0;
    Pose origin;               // of the child in the frame of the parent, at the value 0
    Vec3 axis{1.0, 0.0, 0.0};  // in the frame of the child; any length but 0
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    std::optional<Mimic> mimic;
};

struct RobotDescription {
    std::string name;
    std::vector<Link> links;
    std::vector<Joint> joints;
};

// One value per variable, in the order of Robot::variables().
using Configuration = std::vector<double>;

class Robot {
public:
    // Errors, each naming the link or joint: no link, a name twice, an id that is not there, a link with
    // two parents, a cycle, more than one root, an axis of length 0, numbers that are not finite or
    // poses that check() refuses, limits in the wrong order, a mimic of itself, of a fixed joint or in a
    // cycle.
    [[nodiscard]] static Expected<Robot> create(RobotDescription description);

    [[nodiscard]] const std::string& name() const noexcept;
    [[nodiscard]] std::span<const Link> links() const noexcept;
    [[nodiscard]] std::span<const Joint> joints() const noexcept;
    [[nodiscard]] LinkId root() const noexcept;
    // Joints with a value of their own: those that move and mimic no other, in the order of joints().
    [[nodiscard]] std::span<const JointId> variables() const noexcept;
    [[nodiscard]] std::optional<LinkId> find_link(std::string_view name) const noexcept;
    // The index in variables().
    [[nodiscard]] std::optional<std::size_t> find_variable(std::string_view joint) const noexcept;
    // Every link in the frame of the root, to some ulps: what pictures and samples work with.
    // Error: another number of values, or one that is not finite.
    [[nodiscard]] Expected<std::vector<Pose>> link_poses(const Configuration& q) const;
    // Errors as of link_poses(), and a value beyond its limits, by name.
    [[nodiscard]] Expected<void> check(const Configuration& q) const;

private:
    struct State;
    std::shared_ptr<const State>
        state_;  // immutable: copies are cheap and may be used by any thread
};

// How joint values get from one configuration to the next for t in [0, 1].
struct Segment {
    Configuration start;
    Configuration end;
    // With both: the cubic with these derivatives by t at its ends; else linear.
    std::optional<std::pair<Configuration, Configuration>> velocities;
    // The root in the world: a motion that outlives the segment, or at rest at the identity.
    const rigid::Motion* base = nullptr;
};

}  // namespace graze::robot
