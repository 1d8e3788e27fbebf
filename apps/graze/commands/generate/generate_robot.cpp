#include "generate_robot.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/text_layout.hpp"
#include "graze/generate/robots.hpp"

namespace graze::app {
namespace {

using generate::NamedFile;

template <class Ids>
std::string names_of(const Ids& ids) {
    std::string names;
    for (const auto id : ids)
        names += (names.empty() ? "" : ", ") + std::string(generate::name(id));
    return names;
}

// The robot with its path; in the passage the arm has a path through the wall too.
Expected<std::vector<NamedFile>> files_of_robot(const RobotFiles& files) {
    const generate::RobotId id = *generate::robot_from_name(files.robot);
    robot::RobotDescription description = generate::make_robot(id, files.triangles);
    auto made = generate::urdf_files(description);
    if (!made) return made;
    const auto robot = robot::Robot::create(std::move(description));
    if (!robot) return robot.error();
    made->push_back({"path.csv", generate::path_csv(*robot, generate::free_path(id))});
    if (id == generate::RobotId::Arm && files.environment == "passage") {
        const auto ends = generate::passage_ends();
        made->push_back({"blocked.csv", generate::path_csv(*robot, {ends[0], ends[1]})});
    }
    return made;
}

Expected<std::vector<NamedFile>> all_files(const RobotFiles& files) {
    std::vector<NamedFile> all;
    if (!files.robot.empty()) {
        auto made = files_of_robot(files);
        if (!made) return made;
        all = std::move(*made);
    }
    if (!files.environment.empty()) {
        const auto mesh = generate::make_environment(
            *generate::environment_from_name(files.environment), files.triangles);
        all.push_back({files.environment + ".obj",
                       to_obj(mesh, "graze generate --environment " + files.environment)});
    }
    return all;
}

}  // namespace

void add_robot_options(App& app, RobotFiles& files) {
    app.add_option("--robot", files.robot,
                   "A robot for `graze robot` instead, as URDF with a path: " +
                       names_of(generate::kAllRobots))
        ->type_name("NAME");
    app.add_option("--environment", files.environment,
                   "What stands around it: " + names_of(generate::kAllEnvironments))
        ->type_name("NAME");
    add_natural_option(app, "--triangles", files.triangles,
                       "About that many of the robot and of the environment; 0: their usual number",
                       {0, generate::kMaxRobotTriangles});
}

void check_robot_files(const RobotFiles& files, const std::string& folder) {
    if (!files.robot.empty() && !generate::robot_from_name(files.robot))
        fail_usage(fmt::format("--robot: '{}' is none of {}", files.robot,
                               names_of(generate::kAllRobots)));
    if (!files.environment.empty() && !generate::environment_from_name(files.environment))
        fail_usage(fmt::format("--environment: '{}' is none of {}", files.environment,
                               names_of(generate::kAllEnvironments)));
    if (folder == "-") fail_usage("--out: a folder");
}

Expected<void> write_robot_files(const RobotFiles& files, const std::string& folder,
                                 JsonOutput& json) {
    const auto made = all_files(files);
    if (!made) return made.error();
    std::error_code failed;
    std::filesystem::create_directories(files.robot.empty()
                                            ? std::filesystem::path(folder)
                                            : std::filesystem::path(folder) / "meshes",
                                        failed);
    if (failed) return Error{folder + ": " + failed.message(), ErrorCode::CannotWrite};
    OutputBatch batch;
    Json names = Json::array();
    for (const NamedFile& file : *made) {
        names.push_back(file.path);
        auto out = OutputFile::create((std::filesystem::path(folder) / file.path).string());
        if (!out) return out.error();
        if (auto written = out->write(file.text); !written) return written;
        if (auto added = batch.add(std::move(*out)); !added) return added;
    }
    const Json summary = {
        {"out", folder}, {"files", std::move(names)}, {"build", to_json(build_info())}};
    if (auto written = json.write(summary, batch); !written) return written;
    if (auto finished = batch.finish(); !finished) return finished;
    if (json.owns_stdout()) return {};
    return print_report(fmt::format("{}: {}\n", printable(folder), counted(made->size(), "file")));
}

}  // namespace graze::app
