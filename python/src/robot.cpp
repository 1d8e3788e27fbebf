// Robots: from URDF files, made-up ones, descriptions; and the check of their motions.
#include <pybind11/stl.h>

#include <array>
#include <memory>

#include "arrays.hpp"
#include "bodies.hpp"
#include "calls.hpp"
#include "errors.hpp"
#include "graze/generate/robots.hpp"
#include "graze/robot/check.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "rigid_rows.hpp"
#if defined(GRAZE_PYTHON_HAS_URDF)
#include "graze/urdf/urdf.hpp"
#endif

namespace graze::python {
namespace {

using robot::Configuration;
using robot::Robot;
using robot::Scene;

// "mesh" with a body; "box", "cylinder" or "sphere" with half sizes, (radius, half height), (radius).
robot::Geometry geometry_of(const py::tuple& given) {
    const auto kind = given[0].cast<std::string>();
    const Pose pose = pose_of(given[2].cast<PoseRow>());
    if (kind == "mesh") {
        return {std::shared_ptr<const rigid::RigidBody>(given[1].cast<SharedBody>()), pose};
    }
    const auto sizes = given[1].cast<std::vector<double>>();
    const auto size = [&](std::size_t i) { return i < sizes.size() ? sizes[i] : -1.0; };
    if (kind == "box")
        return {value_of(rigid::ConvexShape::box({size(0), size(1), size(2)})), pose};
    if (kind == "cylinder") return {value_of(rigid::ConvexShape::cylinder(size(0), size(1))), pose};
    if (kind == "sphere") return {value_of(rigid::ConvexShape::sphere(size(0))), pose};
    throw py::value_error("a geometry is a mesh, a box, a cylinder or a sphere, not '" + kind +
                          "'");
}

robot::JointKind joint_kind(const std::string& kind) {
    if (kind == "fixed") return robot::JointKind::Fixed;
    if (kind == "revolute") return robot::JointKind::Revolute;
    if (kind == "continuous") return robot::JointKind::Continuous;
    if (kind == "prismatic") return robot::JointKind::Prismatic;
    throw py::value_error("a joint is fixed, revolute, continuous or prismatic, not '" + kind +
                          "'");
}

const char* joint_kind_name(robot::JointKind kind) noexcept {
    switch (kind) {
        case robot::JointKind::Revolute:
            return "revolute";
        case robot::JointKind::Continuous:
            return "continuous";
        case robot::JointKind::Prismatic:
            return "prismatic";
        case robot::JointKind::Fixed:
            break;
    }
    return "fixed";
}

// (name, kind, parent, child, origin, axis, lower, upper, mimic or None)
robot::Joint joint_of(const py::tuple& given) {
    robot::Joint joint;
    joint.name = given[0].cast<std::string>();
    joint.kind = joint_kind(given[1].cast<std::string>());
    joint.parent = given[2].cast<robot::LinkId>();
    joint.child = given[3].cast<robot::LinkId>();
    joint.origin = pose_of(given[4].cast<PoseRow>());
    const auto axis = given[5].cast<std::array<double, 3>>();
    joint.axis = {axis[0], axis[1], axis[2]};
    joint.lower = given[6].cast<double>();
    joint.upper = given[7].cast<double>();
    if (!given[8].is_none()) {
        const auto mimic = given[8].cast<std::tuple<robot::JointId, double, double>>();
        joint.mimic = {std::get<0>(mimic), std::get<1>(mimic), std::get<2>(mimic)};
    }
    return joint;
}

Robot robot_from_description(
    const std::string& name,
    const std::vector<std::pair<std::string, std::vector<py::tuple>>>& links,
    const std::vector<py::tuple>& joints) {
    robot::RobotDescription description;
    description.name = name;
    for (const auto& [link, geometry] : links) {
        robot::Link made{link, {}};
        for (const py::tuple& shape : geometry)
            made.geometry.push_back(geometry_of(shape));
        description.links.push_back(std::move(made));
    }
    for (const py::tuple& joint : joints)
        description.joints.push_back(joint_of(joint));
    return value_of(Robot::create(std::move(description)), "description");
}

#if defined(GRAZE_PYTHON_HAS_URDF)
py::tuple robot_from_urdf(const std::string& path,
                          const std::vector<std::pair<std::string, std::string>>& packages) {
    const Interrupt interrupt;
    urdf::UrdfOptions options;
    for (const auto& [name, folder] : packages)
        options.packages.push_back({name, folder});
    urdf::UrdfRobot read =
        value_of(released(interrupt, [&] { return urdf::read_urdf(path, options); }));
    return py::make_tuple(value_of(Robot::create(std::move(read.description))), read.warnings);
}

std::vector<urdf::NamePair> srdf_pairs(const std::string& path) {
    return value_of(urdf::read_srdf(path));
}
#endif

Robot generated_robot(const std::string& name, std::uint32_t triangles) {
    const auto id = generate::robot_from_name(name);
    if (!id) throw py::value_error("robot: there is no '" + name + "'; there are: arm, torso");
    if (triangles > generate::kMaxRobotTriangles)
        throw py::value_error("triangles: at most a million");
    return value_of(Robot::create(generate::make_robot(*id, triangles)));
}

SharedBody generated_environment(const std::string& name, std::uint32_t triangles) {
    const auto id = generate::environment_from_name(name);
    if (!id)
        throw py::value_error("environment: there is no '" + name +
                              "'; there are: shelf, passage, table");
    if (triangles > generate::kMaxRobotTriangles)
        throw py::value_error("triangles: at most a million");
    const io::PolygonMesh mesh = generate::make_environment(*id, triangles);
    return std::make_shared<rigid::RigidBody>(
        value_of(rigid::Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners())));
}

std::vector<Configuration> generated_path(const std::string& name) {
    if (name == "blocked") {
        const auto ends = generate::passage_ends();
        return {ends[0], ends[1]};
    }
    const auto id = generate::robot_from_name(name);
    if (!id) throw py::value_error("path: there is no '" + name + "'");
    return generate::free_path(*id);
}

// The robot as names and limits: (links, [(joint, kind, lower, upper)] of the variables).
py::tuple robot_names(const Robot& robot) {
    std::vector<std::string> links;
    for (const robot::Link& link : robot.links())
        links.push_back(link.name);
    py::list variables;
    for (const robot::JointId id : robot.variables()) {
        const robot::Joint& joint = robot.joints()[id];
        variables.append(
            py::make_tuple(joint.name, joint_kind_name(joint.kind), joint.lower, joint.upper));
    }
    return py::make_tuple(robot.name(), links, variables);
}

std::vector<PoseRow> robot_link_poses(const Robot& robot, const Configuration& q) {
    std::vector<PoseRow> rows;
    for (const Pose& pose : value_of(robot.link_poses(q), "q"))
        rows.push_back(row_of_pose(pose));
    return rows;
}

robot::LinkId link_named(const Robot& robot, const std::string& name) {
    const auto found = robot.find_link(name);
    if (!found) throw py::value_error("the robot has no link '" + name + "'");
    return *found;
}

Scene make_scene(const Robot& robot,
                 const std::vector<std::pair<std::string, py::tuple>>& environment,
                 const py::dict& given) {
    const Interrupt interrupt;
    std::vector<robot::Obstacle> obstacles;
    for (const auto& [name, geometry] : environment)
        obstacles.push_back({name, geometry_of(geometry)});
    Options options(given);
    robot::SceneOptions scene;
    std::vector<std::pair<std::string, std::string>> allowed;
    std::vector<std::string> on_environment;
    Configuration rest;
    options.take("margin", scene.margin);
    options.take("derive_allowed", scene.derive_allowed);
    options.take("allowed", allowed);
    options.take("on_environment", on_environment);
    if (options.take("rest", rest)) scene.rest = rest;
    options.finish();
    for (const auto& [a, b] : allowed)
        scene.allowed.push_back(std::minmax(link_named(robot, a), link_named(robot, b)));
    for (const std::string& name : on_environment)
        scene.on_environment.push_back(link_named(robot, name));
    return value_of(released(
        interrupt, [&] { return Scene::create(robot, std::move(obstacles), std::move(scene)); }));
}

robot::CheckOptions check_options(Options& options, const Interrupt& interrupt) {
    robot::CheckOptions check;
    options.take("time_width", check.time_width);
    options.take("max_checks", check.max_checks);
    options.take("clearance_accuracy", check.clearance_accuracy);
    check.stop = interrupt.token();
    return check;
}

// (name, is_link, geometry, triangle or None)
py::tuple party_tuple(const Scene& scene, const robot::ContactParty& party) {
    const std::string& name = party.link ? scene.robot().links()[*party.link].name
                                         : scene.obstacles()[party.obstacle.value_or(0)].name;
    return py::make_tuple(name, party.link.has_value(), party.geometry, party.triangle);
}

py::tuple segment_tuple(const Scene& scene, const robot::SegmentResult& r) {
    py::object contact = py::none();
    if (r.contact) {
        contact = py::make_tuple(party_tuple(scene, r.contact->a), party_tuple(scene, r.contact->b),
                                 tuple_of(r.contact->point), tuple_of(r.contact->normal));
    }
    return py::make_tuple(static_cast<int>(r.verdict), r.toi_lower, r.toi_upper, contact,
                          r.clearance_lower, r.checks);
}

py::tuple scene_check_motion(const Scene& scene, const Configuration& start,
                             const Configuration& end, const py::dict& given) {
    const Interrupt interrupt;
    Options options(given);
    const robot::CheckOptions check = check_options(options, interrupt);
    options.finish();
    return segment_tuple(
        scene,
        value_of(released(interrupt, [&] { return scene.check_motion(start, end, check); })));
}

py::tuple scene_check_state(const Scene& scene, const Configuration& q, const py::dict& given) {
    const Interrupt interrupt;
    Options options(given);
    const robot::CheckOptions check = check_options(options, interrupt);
    options.finish();
    return segment_tuple(
        scene, value_of(released(interrupt, [&] { return scene.check_state(q, check); })));
}

py::tuple scene_certify_path(const Scene& scene, const std::vector<Configuration>& waypoints,
                             std::size_t threads, const py::dict& given) {
    const Interrupt interrupt;
    Options options(given);
    const robot::CheckOptions check = check_options(options, interrupt);
    options.finish();
    const robot::PathResult path = value_of(
        released(interrupt, [&] { return scene.certify_path(waypoints, check, threads); }));
    py::list segments;
    for (const robot::SegmentResult& segment : path.segments)
        segments.append(segment_tuple(scene, segment));
    return py::make_tuple(segments, path.is_free(), path.free_length());
}

std::vector<std::pair<std::string, std::string>> scene_allowed(const Scene& scene) {
    std::vector<std::pair<std::string, std::string>> names;
    const auto links = scene.robot().links();
    for (const robot::LinkPair& pair : scene.allowed())
        names.emplace_back(links[pair.first].name, links[pair.second].name);
    return names;
}

}  // namespace

void add_robot(py::module_& m) {
    py::class_<Robot>(m, "Robot")
        .def(py::init(&robot_from_description))
        .def("names", &robot_names)
        .def("link_poses", &robot_link_poses)
        .def("check",
             [](const Robot& robot, const Configuration& q) { check_value(robot.check(q), "q"); });
    py::class_<Scene>(m, "RobotScene")
        .def(py::init(&make_scene))
        .def("allowed", &scene_allowed)
        .def("check_motion", &scene_check_motion)
        .def("check_state", &scene_check_state)
        .def("certify_path", &scene_certify_path);
    m.def("generated_robot", &generated_robot);
    m.def("generated_environment", &generated_environment);
    m.def("generated_path", &generated_path);
#if defined(GRAZE_PYTHON_HAS_URDF)
    m.def("robot_from_urdf", &robot_from_urdf);
    m.def("srdf_pairs", &srdf_pairs);
#endif
}

}  // namespace graze::python
