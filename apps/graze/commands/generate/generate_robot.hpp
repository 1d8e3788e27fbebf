// Robots, environments and paths of `graze generate`, as files.
#pragma once

#include <string>

#include "cli/options.hpp"
#include "cli/output.hpp"

namespace graze::app {

struct RobotFiles {
    std::string robot;        // by name; empty: none
    std::string environment;  // likewise
    std::uint32_t triangles = 0;
    [[nodiscard]] bool is_wanted() const noexcept { return !robot.empty() || !environment.empty(); }
};

// "--robot", "--environment", "--triangles".
void add_robot_options(App& app, RobotFiles& files);
// Wrong use: names that there are not.
void check_robot_files(const RobotFiles& files, const std::string& folder);

// ROBOT.urdf, meshes/, path.csv and, for the arm in the passage, blocked.csv; ENVIRONMENT.obj.
[[nodiscard]] Expected<void> write_robot_files(const RobotFiles& files, const std::string& folder,
                                               JsonOutput& json);

}  // namespace graze::app
