// Robots from URDF files, and the pairs of links that an SRDF file allows to touch.
//
//   Expected<urdf::UrdfRobot> read = urdf::read_urdf("arm.urdf", {.packages = {{"arm", "meshes"}}});
//
// What counts is `collision`: links without it are not checked, and a warning names those that have a
// `visual` alone. Poses are the unit quaternions of roll, pitch and yaw rounded to some ulps, and the
// vertices of a scaled mesh are rounded once: all guarantees refer to these doubles.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/io/rigid_body.hpp"
#include "graze/robot/check.hpp"
#include "graze/robot/robot.hpp"

namespace graze::urdf {

// Files beyond these sizes are refused unread.
inline constexpr std::size_t kMaxTextBytes = std::size_t{16} << 20;  // unpacked
inline constexpr std::size_t kMaxMeshBytes = std::size_t{1} << 30;

// Where package://NAME/... leads to.
struct Package {
    std::string name;
    std::filesystem::path folder;
};
struct UrdfOptions {
    std::vector<Package> packages;
};

struct UrdfRobot {
    robot::RobotDescription description;
    // One line each, for people: links that are seen but not checked, meshes that are odd.
    std::vector<std::string> warnings;
};

// Links and joints in the order of the file. Meshes: OBJ, STL and PLY, with a scale; a path is relative to
// the folder of the file, package://NAME/PATH or file:///PATH.
// Errors name the file, and the link or joint: XML that is malformed, nested or long beyond reason;
// whatever urdfdom refuses; numbers that are not finite, negative sizes, a scale or an axis of 0; joints
// that are floating or planar; names that are not there; meshes that are missing, too large, of another
// format (COLLADA) or of an unknown package; whatever robot::Robot::create() refuses (cycles, two roots).
// May be called from several threads at once; one after the other is in urdfdom.
[[nodiscard]] Expected<UrdfRobot> read_urdf(const std::filesystem::path& path,
                                            const UrdfOptions& options = {});

// The same over a text; `mesh` reads what the text names, as it names it.
using MeshReader = std::function<Expected<io::BodyFromFile>(const std::string& uri,
                                                            const io::BodyOptions& options)>;
[[nodiscard]] Expected<UrdfRobot> parse_urdf(std::string_view text, const std::string& name,
                                             const MeshReader& mesh);

// Two links that may touch, by name.
using NamePair = std::pair<std::string, std::string>;

// The pairs of `disable_collisions`, in the order of the file. Everything else is ignored.
// Errors: as of read_urdf(), an element without its two names.
[[nodiscard]] Expected<std::vector<NamePair>> read_srdf(const std::filesystem::path& path);
[[nodiscard]] Expected<std::vector<NamePair>> parse_srdf(std::string_view text,
                                                         const std::string& name);

// Pairs as ids. Those that name a link that the robot does not have, or one link twice, allow nothing:
// `unknown` lists these names.
struct AllowedPairs {
    std::vector<robot::LinkPair> pairs;
    std::vector<std::string> unknown;
};
[[nodiscard]] AllowedPairs allowed_pairs(const robot::Robot& robot,
                                         const std::vector<NamePair>& names);

}  // namespace graze::urdf
