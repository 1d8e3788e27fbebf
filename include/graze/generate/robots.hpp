// Robots and environments of our own making, with paths to try them with, and their files.
//
// z is up, lengths are metres as in URDF. A robot stands at the origin; environments begin in front of
// it, at x > 0.2. docs/robot_command.md describes each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/io/polygon_mesh.hpp"
#include "graze/robot/check.hpp"
#include "graze/robot/robot.hpp"

namespace graze::generate {

enum class RobotId : std::uint8_t {
    Arm,  // seven joints and a hand, every link a mesh
    Torso,  // a lift, a waist, a head, and two such arms with a gripper: boxes, cylinders, a sphere too
};
enum class EnvironmentId : std::uint8_t {
    Shelf,    // boards, sides and a back
    Passage,  // a thin wall with a slot, the only way to the other side
    Table,    // with things on it
};

inline constexpr std::array<RobotId, 2> kAllRobots = {RobotId::Arm, RobotId::Torso};
inline constexpr std::array<EnvironmentId, 3> kAllEnvironments = {
    EnvironmentId::Shelf, EnvironmentId::Passage, EnvironmentId::Table};

// "arm", "torso"; "shelf", "passage", "table".
[[nodiscard]] std::string_view name(RobotId id) noexcept;
[[nodiscard]] std::string_view name(EnvironmentId id) noexcept;
[[nodiscard]] std::optional<RobotId> robot_from_name(std::string_view name) noexcept;
[[nodiscard]] std::optional<EnvironmentId> environment_from_name(std::string_view name) noexcept;

inline constexpr std::uint32_t kMaxRobotTriangles = 1'000'000;

// Of about that many triangles in all; 0 is the usual number, a thousand or two.
// Guarantee: Robot::create() takes it. Requires: triangles <= kMaxRobotTriangles.
[[nodiscard]] robot::RobotDescription make_robot(RobotId id, std::uint32_t triangles = 0);

// One mesh of closed surfaces that are disjoint, of about that many triangles; 0: no more than it needs.
// Requires: triangles <= kMaxRobotTriangles.
[[nodiscard]] io::PolygonMesh make_environment(EnvironmentId id, std::uint32_t triangles = 0);
// The same to check a robot against, under the name of the environment.
[[nodiscard]] robot::Obstacle make_obstacle(EnvironmentId id, std::uint32_t triangles = 0);

// Waypoints behind the robot, free of collision with itself and with every environment.
[[nodiscard]] std::vector<robot::Configuration> free_path(RobotId id);
// From one side of the wall of the passage to the other, straight: the arm goes through the wall.
// Both ends are free.
[[nodiscard]] std::array<robot::Configuration, 2> passage_ends();

// A file by the path that it has in its folder.
struct NamedFile {
    std::string path;
    std::string text;
};
// NAME.urdf, and each surface as meshes/LINK_NUMBER.obj; NAME is that of the description.
// Poses read back to some ulps (URDF has roll, pitch and yaw).
// Error: a shape that URDF has no word for (a hull, a capsule, a rounded box or cylinder).
[[nodiscard]] Expected<std::vector<NamedFile>> urdf_files(
    const robot::RobotDescription& description);
// The header with the names of the joints, and a row for each waypoint; reads back to the same doubles.
// Requires: as many values in each as the robot has variables.
[[nodiscard]] std::string path_csv(const robot::Robot& robot,
                                   const std::vector<robot::Configuration>& waypoints);

}  // namespace graze::generate
