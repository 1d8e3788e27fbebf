// `graze robot`: is the path of a robot free of collision?
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "cli/build_info.hpp"
#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "cli/path_file.hpp"
#include "cli/progress.hpp"
#include "commands/commands.hpp"
#include "graze/io/rigid_body.hpp"
#include "graze/urdf/urdf.hpp"
#include "pictures/robot_pictures.hpp"
#include "robot_report.hpp"

namespace graze::app {
namespace {

struct NamedPath {
    std::string name;
    std::string path;
};

struct RobotRequest {
    std::string urdf;
    std::string path;
    std::vector<std::string> environment;
    std::vector<std::string> packages;
    std::vector<std::string> on_environment;
    std::string srdf;
    std::string rest;
    std::string picture;
    double margin = 0.0;
    robot::CheckOptions check;
    CommonOptions common;
    // Filled once the command line is understood.
    std::vector<NamedPath> obstacles;
    urdf::UrdfOptions urdf_options;
};

constexpr std::string_view kRobotExamples =
    "Q.csv has a header with the names of the joints and a row per waypoint; between two of them\n"
    "joint values go in straight lines. Every segment is proved free, for the exact motion, or "
    "has\n"
    "its first contact. Links that may touch: those of --srdf (disable_collisions) or, without "
    "it,\n"
    "neighbours and those that touch at --rest. Exit code: 0 if the path is proved free, 3 if "
    "there\n"
    "is a contact, 4 if neither is proved.\n"
    "\n"
    "Examples:\n"
    "  graze generate --robot arm --environment passage --out arm\n"
    "  graze robot arm/arm.urdf --path arm/path.csv --environment arm/passage.obj\n"
    "  graze robot arm.urdf --path q.csv --environment wall=scan.ply --margin 0.01 --json -\n"
    "  graze robot arm.urdf --path q.csv --srdf arm.srdf --package arm_description=../arm\n"
    "  graze robot arm.urdf --path q.csv --environment cell.stl --picture contacts\n";

#if defined(GRAZE_HAS_URDF)
Expected<urdf::UrdfRobot> read_robot_file(const RobotRequest& request) {
    return urdf::read_urdf(request.urdf, request.urdf_options);
}

// Warns of names that the robot does not have.
Expected<std::vector<robot::LinkPair>> read_allowed(const RobotRequest& request,
                                                    const robot::Robot& robot,
                                                    std::vector<std::string>& warnings) {
    const auto names = urdf::read_srdf(request.srdf);
    if (!names) return names.error();
    urdf::AllowedPairs allowed = urdf::allowed_pairs(robot, *names);
    for (const std::string& name : allowed.unknown)
        warnings.push_back(
            fmt::format("{}: a pair with '{}' is ignored: the robot has no such two "
                        "links",
                        request.srdf, name));
    return std::move(allowed.pairs);
}
#else
Error without_urdfdom() {
    return {
        "this program was built without urdfdom: install it (liburdfdom-dev) and build with "
        "-DGRAZE_BUILD_URDF=ON",
        ErrorCode::Unsupported};
}
Expected<urdf::UrdfRobot> read_robot_file(const RobotRequest& /*request*/) {
    return without_urdfdom();
}
Expected<std::vector<robot::LinkPair>> read_allowed(const RobotRequest& /*request*/,
                                                    const robot::Robot& /*robot*/,
                                                    std::vector<std::string>& /*warnings*/) {
    return without_urdfdom();
}
#endif

// What was read, in the order in which it is needed.
struct RobotInput {
    robot::Robot robot;
    PathFile path;
    std::vector<std::string> warnings;
};

Expected<RobotInput> read_robot_input(const RobotRequest& request) {
    auto read = read_robot_file(request);
    if (!read) return read.error();
    auto robot = robot::Robot::create(std::move(read->description));
    if (!robot) return located(request.urdf, robot.error());
    auto path = read_path(request.path, *robot);
    if (!path) return path.error();
    std::vector<std::string> warnings = std::move(read->warnings);
    warnings.insert(warnings.end(), path->warnings.begin(), path->warnings.end());
    return RobotInput{std::move(*robot), std::move(*path), std::move(warnings)};
}

Expected<std::vector<robot::Obstacle>> read_obstacles(const RobotRequest& request,
                                                      std::vector<std::string>& warnings) {
    std::vector<robot::Obstacle> obstacles;
    for (const NamedPath& named : request.obstacles) {
        auto read = io::read_body(named.path);
        if (!read) return read.error();
        warnings.insert(warnings.end(), read->warnings.begin(), read->warnings.end());
        obstacles.push_back(
            {named.name,
             {std::make_shared<const rigid::RigidBody>(std::move(read->body)), Pose{}}});
    }
    return obstacles;
}

Expected<robot::SceneOptions> scene_options(const RobotRequest& request, RobotInput& input) {
    robot::SceneOptions options;
    options.margin = request.margin;
    if (!request.srdf.empty()) {
        auto allowed = read_allowed(request, input.robot, input.warnings);
        if (!allowed) return allowed.error();
        options.allowed = std::move(*allowed);
        options.derive_allowed = false;
    }
    if (!request.rest.empty()) {
        auto rest = read_path(request.rest, input.robot, 1);
        if (!rest) return rest.error();
        options.rest = std::move(rest->waypoints.front());
    }
    for (const std::string& name : request.on_environment) {
        const auto link = input.robot.find_link(name);
        if (!link) return Error{"--on-environment: the robot has no link '" + name + "'"};
        options.on_environment.push_back(*link);
    }
    return options;
}

Expected<robot::Scene> make_scene(const RobotRequest& request, RobotInput& input) {
    auto options = scene_options(request, input);
    if (!options) return options.error();
    auto obstacles = read_obstacles(request, input.warnings);
    if (!obstacles) return obstacles.error();
    return robot::Scene::create(input.robot, std::move(*obstacles), std::move(*options));
}

Expected<robot::PathResult> certify(const RobotRequest& request, const robot::Scene& scene,
                                    const PathFile& path) {
    ShareProgress progress(terminal_screen("checking the path"));
    robot::CheckOptions options = request.check;
    options.stop = stop_token();
    const std::size_t all = std::max(std::thread::hardware_concurrency(), 1U);
    return scene.certify_path(path.waypoints, options,
                              request.common.threads == 0 ? all : request.common.threads, {},
                              progress.sink());
}

// DIR/segment_0003.svg for each segment that is not free.
Expected<void> add_pictures(const RobotRequest& request, const RobotOutcome& outcome,
                            const PathFile& path, OutputBatch& batch) {
    if (request.picture.empty()) return {};
    std::error_code failed;
    std::filesystem::create_directories(request.picture, failed);
    if (failed) return Error{request.picture + ": " + failed.message()};
    for (std::size_t i = 0; i < outcome.path.segments.size(); ++i) {
        const robot::SegmentResult& segment = outcome.path.segments[i];
        if (!segment.contact || segment.verdict == Verdict::Separated) continue;
        if (stop_requested()) return stopped();
        const double t = std::clamp(segment.toi_lower, 0.0, 1.0);
        const DrawnContact drawn{outcome.scene,
                                 configuration_at(path.waypoints[i], path.waypoints[i + 1], t),
                                 segment, fmt::format("segment {}, t = {:.6g}", i, t)};
        const auto file =
            std::filesystem::path(request.picture) / fmt::format("segment_{:04}.svg", i);
        auto created = create_if_named(file.string(), "");
        if (!created) return created.error();
        if (auto added = batch.add(*created, contact_svg(drawn)); !added) return added;
    }
    return {};
}

Json robot_summary(const RobotRequest& request, const RobotInput& input,
                   const RobotOutcome& outcome) {
    Json json = outcome_json(outcome);
    json["robot"] = request.urdf;
    json["path"] = request.path;
    Json environment = Json::array();
    for (const NamedPath& named : request.obstacles)
        environment.push_back(Json{{"name", named.name}, {"file", named.path}});
    json["environment"] = environment;
    json["margin"] = request.margin;
    json["time_width"] = request.check.time_width;
    json["warnings"] = input.warnings;
    json["build"] = to_json(build_info());
    return json;
}

ExitCode robot_exit_code(const robot::PathResult& path) {
    const auto any = [&](Verdict verdict) {
        return std::any_of(path.segments.begin(), path.segments.end(),
                           [&](const auto& segment) { return segment.verdict == verdict; });
    };
    return exit_code_of(verdict_of(any(Verdict::Contact), any(Verdict::Unresolved)), true);
}

Expected<ExitCode> run_robot(const RobotRequest& request) {
    Expected<JsonOutput> json = JsonOutput::open(request.common.json);
    if (!json) return json.error();
    auto input = read_robot_input(request);
    if (!input) return input.error();
    const auto scene = make_scene(request, *input);
    if (!scene) return scene.error();
    if (stop_requested()) return stopped();
    const auto begin = std::chrono::steady_clock::now();
    auto path = certify(request, *scene, input->path);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (stop_requested()) return stopped();
    if (!path) return located(request.path, path.error());
    const RobotOutcome outcome{*scene, std::move(*path), seconds.count()};
    OutputBatch batch;
    if (auto added = add_pictures(request, outcome, input->path, batch); !added)
        return added.error();
    if (auto written = json->write(robot_summary(request, *input, outcome), batch); !written)
        return written.error();
    if (auto finished = batch.finish(); !finished) return finished.error();
    warn(input->warnings);
    const ExitCode code = robot_exit_code(outcome.path);
    if (json->owns_stdout()) return code;
    return succeeded(print_report(outcome_text(outcome)), code);
}

// "NAME=PATH".
std::optional<NamedPath> named_path(const std::string& text) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) return std::nullopt;
    return NamedPath{text.substr(0, sign), text.substr(sign + 1)};
}

// The name of the file without folders and extensions.
std::string stem_of(const std::string& file) {
    std::filesystem::path stem = std::filesystem::path(file).filename();
    if (stem.extension() == ".gz") stem = stem.stem();
    return stem.stem().string();
}

void name_obstacles(RobotRequest& request) {
    request.obstacles.clear();
    std::set<std::string> names;
    for (const std::string& text : request.environment) {
        const NamedPath named = named_path(text).value_or(NamedPath{stem_of(text), text});
        if (!names.insert(named.name).second)
            fail_usage("--environment: two are named '" + named.name + "'; say NAME=FILE");
        request.obstacles.push_back(named);
    }
}

void name_packages(RobotRequest& request) {
    request.urdf_options.packages.clear();
    for (const std::string& text : request.packages) {
        const auto named = named_path(text);
        if (!named) fail_usage("--package: '" + text + "' is not NAME=DIR");
        request.urdf_options.packages.push_back({named->name, named->path});
    }
}

void check_robot_request(RobotRequest& request) {
    name_obstacles(request);
    name_packages(request);
    if (!(request.margin >= 0.0) || !is_finite(request.margin))
        fail_usage("--margin must be finite and >= 0");
    if (!(request.check.time_width > 0.0) || !is_finite(request.check.time_width))
        fail_usage("--time-width must be finite and > 0");
    if (!(request.check.clearance_accuracy >= 0.0) || !(request.check.clearance_accuracy < 1.0))
        fail_usage("--clearance must be in [0, 1)");
    std::vector<std::string> inputs = {request.urdf, request.path, request.srdf, request.rest};
    for (const NamedPath& named : request.obstacles)
        inputs.push_back(named.path);
    std::erase(inputs, "");
    check_places({{"--picture", request.picture}, {"--json", request.common.json}}, inputs);
}

void add_robot_inputs(App& app, RobotRequest& request) {
    app.add_option("ROBOT", request.urdf, "URDF; meshes OBJ, STL or PLY")
        ->required()
        ->type_name("");
    app.add_option("--path", request.path, "CSV of waypoints")->required()->type_name("Q.csv");
    app.add_option("--environment", request.environment,
                   "OBJ, PLY or STL at rest in the world; may be repeated")
        ->one_value_each()
        ->type_name("[NAME=]MESH");
    app.add_option("--package", request.packages, "Where package://NAME/ is; may be repeated")
        ->one_value_each()
        ->type_name("NAME=DIR");
    app.add_option("--srdf", request.srdf, "Links that may touch: its disable_collisions alone")
        ->type_name("FILE");
    app.add_option("--rest", request.rest,
                   "CSV of one waypoint: links that touch there may; all zero without it")
        ->type_name("Q.csv");
    app.add_option(
           "--on-environment", request.on_environment,
           "A link that may touch the environment, as a base on the ground; may be repeated")
        ->one_value_each()
        ->type_name("LINK");
}

}  // namespace

Command add_robot_command(App& app) {
    App* sub = app.add_command("robot", "Prove that the path of a robot is free of collision");
    const auto request = std::make_shared<RobotRequest>();
    add_robot_inputs(*sub, *request);
    add_number_option(*sub, "--margin", request->margin, "Contact means distance <= this length");
    add_number_option(*sub, "--time-width", request->check.time_width,
                      "Target width of [toi_lower, toi_upper], as a fraction of the segment");
    add_natural_option(*sub, "--max-checks", request->check.max_checks,
                       "Work that a segment may take before it is unresolved");
    add_number_option(*sub, "--clearance", request->check.clearance_accuracy,
                      "Also prove the clearance of each segment, to within this fraction; 0: not");
    sub->add_option("--picture", request->picture, "A folder for an SVG of each contact")
        ->type_name("DIR");
    add_common_options(*sub, request->common);
    sub->footer(std::string(kRobotExamples));
    sub->callback([request] { check_robot_request(*request); });
    return {sub, [request] { return run_robot(*request); }};
}

}  // namespace graze::app
