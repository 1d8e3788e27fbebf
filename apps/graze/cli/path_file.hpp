// Waypoints of a robot, from a CSV file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/robot/robot.hpp"

namespace graze::app {

// More than this is no path that anybody checks.
inline constexpr std::size_t kMaxPathBytes = std::size_t{256} << 20;

struct PathFile {
    std::vector<robot::Configuration> waypoints;  // in the order of Robot::variables()
    std::vector<std::string> warnings;  // a value beyond the limits of its joint: the first one
};

// The header names joints, in any order; then a row per waypoint. Blanks around cells and empty lines are
// skipped. Numbers are the nearest doubles, decimal or hex.
// Errors begin with `name` and state the line: a joint that the robot does not have, that does not move or
// that follows another; one that is named twice or not at all; a row of another length; what is no finite
// number; fewer waypoints than `least`.
[[nodiscard]] Expected<PathFile> parse_path(std::string_view text, const std::string& name,
                                            const robot::Robot& robot, std::size_t least = 2);
// The same from a file, plain or gzip.
[[nodiscard]] Expected<PathFile> read_path(const std::filesystem::path& path,
                                           const robot::Robot& robot, std::size_t least = 2);

}  // namespace graze::app
