#include "rigid_scene_file.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "graze/core/shown_text.hpp"
#include "graze/io/rigid_body.hpp"
#include "scene_object.hpp"
#include "strict_json.hpp"
#include "text_file.hpp"

namespace graze::app {
namespace {

constexpr double kLargestLength = 1e30;

Expected<rigid::ConvexShape> hull_shape(SceneObject& object, double rounding) {
    const SceneJson& list = *object.find("hull");
    std::vector<Vec3> points;
    if (!list.is_array()) return Error{"'" + object.place_of("hull") + "' is not a list of points"};
    if (list.size() > kMaxHullPoints)
        return Error{"'" + object.place_of("hull") + "' has more than 4096 points"};
    for (const SceneJson& json : list) {
        std::array<double, 3> p{};
        if (!SceneObject::read_numbers(json, p))
            return Error{"'" + object.place_of("hull") + "' has an entry that is no point"};
        points.push_back({p[0], p[1], p[2]});
    }
    return rigid::ConvexShape::hull(points, rounding);
}

Expected<rigid::ConvexShape> convex_shape(SceneObject& object, const char* kind) {
    double rounding = 0.0;
    double radius = 0.0;
    double half = 0.0;
    const std::string_view name = kind;
    if (name == "sphere") {
        object.know({"sphere"});
        object.number("sphere", radius, 0.0, kLargestLength);
        if (object.error()) return *object.error();
        return rigid::ConvexShape::sphere(radius);
    }
    if (name == "box") {
        object.know({"box", "rounding"});
        Vec3 half_sizes;
        object.vector("box", half_sizes);
        object.number("rounding", rounding, 0.0, kLargestLength);
        if (object.error()) return *object.error();
        return rigid::ConvexShape::box(half_sizes, {}, rounding);
    }
    if (name == "hull") {
        object.know({"hull", "rounding"});
        object.number("rounding", rounding, 0.0, kLargestLength);
        if (object.error()) return *object.error();
        return hull_shape(object, rounding);
    }
    object.know({kind, "rounding"});
    std::array<double, 2> sizes{};
    object.numbers(kind, sizes);
    if (name == "cylinder") object.number("rounding", rounding, 0.0, kLargestLength);
    if (object.error()) return *object.error();
    radius = sizes[0];
    half = sizes[1];
    if (name == "cylinder") return rigid::ConvexShape::cylinder(radius, half, {}, rounding);
    return rigid::ConvexShape::capsule({0.0, 0.0, -half}, {0.0, 0.0, half}, radius);
}

Expected<RigidSceneShape> scene_shape(const SceneJson& json, const std::string& place,
                                      const std::filesystem::path& folder) {
    SceneObject object(json, place);
    if (object.error()) return *object.error();
    if (object.find("mesh") != nullptr) {
        object.know({"mesh"});
        std::string file;
        object.file_name("mesh", file);
        if (object.error()) return *object.error();
        auto surface = io::read_surface(folder / file);
        if (!surface) return Error{"'" + place + "': " + surface.error().message};
        auto centred = centred_shape(surface->surface);
        if (!centred) return Error{"'" + place + "': " + centred.error().message};
        return centred;
    }
    for (const char* kind : {"sphere", "box", "capsule", "cylinder", "hull"}) {
        if (object.find(kind) == nullptr) continue;
        const auto shape = convex_shape(object, kind);
        if (!shape) {
            if (object.error()) return shape.error();
            return Error{"'" + place + "': " + shape.error().message};
        }
        auto centred = centred_shape(*shape);
        if (!centred) return Error{"'" + place + "': " + centred.error().message};
        return centred;
    }
    return Error{"'" + place + "' has none of sphere, box, capsule, cylinder, hull, mesh"};
}

struct BodyDefaults {
    double density = 1.0;
    double friction = 0.5;
    double restitution = 0.0;
};

Expected<rigid::DynamicBody> scene_body(const SceneJson& json, const std::string& place,
                                        const std::map<std::string, std::size_t>& names,
                                        const std::vector<RigidSceneShape>& shapes,
                                        const BodyDefaults& defaults) {
    SceneObject object(json, place);
    object.know({"shape", "position", "rotation", "kind", "velocity", "angular_velocity", "freedom",
                 "axis", "density", "friction", "restitution", "group", "mask"});
    rigid::DynamicBody body;
    body.density = defaults.density;
    body.friction = defaults.friction;
    body.restitution = defaults.restitution;
    std::string shape;
    if (!object.text("shape", shape)) object.fail("has no 'shape'");
    const auto found = names.find(shape);
    if (found == names.end()) object.fail_at("shape", "names no shape of the file");
    if (!object.vector("position", body.pose.translation)) object.fail("has no 'position'");
    std::array<double, 4> q = {1.0, 0.0, 0.0, 0.0};
    object.numbers("rotation", q);
    body.pose.rotation = {q[0], q[1], q[2], q[3]};
    choose<rigid::BodyKind>(object, "kind", body.kind,
                            {{"dynamic", rigid::BodyKind::Dynamic},
                             {"static", rigid::BodyKind::Static},
                             {"driven", rigid::BodyKind::Driven}});
    choose<rigid::Freedom>(object, "freedom", body.freedom,
                           {{"all", rigid::Freedom::All},
                            {"hinge", rigid::Freedom::Hinge},
                            {"slider", rigid::Freedom::Slider}});
    object.vector("velocity", body.velocity.linear);
    object.vector("angular_velocity", body.velocity.angular);
    object.vector("axis", body.axis);
    object.number("density", body.density, 1e-30, 1e30);
    object.number("friction", body.friction, 0.0, 1e6);
    object.number("restitution", body.restitution, 0.0, 1.0);
    std::uint64_t bits = body.filter.group;
    if (object.natural("group", bits, 0xffff'ffff)) {
        body.filter.group = static_cast<std::uint32_t>(bits);
    }
    if (object.natural("mask", bits, 0xffff'ffff)) {
        body.filter.mask = static_cast<std::uint32_t>(bits);
    }
    if (object.error()) return *object.error();
    if (const auto good = check(body.pose, place.c_str()); !good) return good.error();
    body.shape = static_cast<rigid::ShapeId>(found->second);
    const RigidSceneShape& own = shapes[found->second];
    body.pose.translation = body.pose.translation - rotate(body.pose.rotation, own.moved_by);
    return body;
}

void read_options(SceneObject& file, RigidScene& scene, BodyDefaults& defaults) {
    rigid::DynamicsOptions& o = scene.options;
    constexpr double kMost = 1e30;
    file.text("name", scene.name);
    file.natural("steps", scene.steps, kMaxSceneSteps);
    file.vector("gravity", o.gravity);
    if (file.number("time_step", o.time_step, 0.0, kMost) && !(o.time_step > 0.0))
        file.fail_at("time_step", "is out of its range");
    file.number("resting_gap", o.resting_gap, 0.0, kMost);
    file.number("linear_damping", o.linear_damping, 0.0, kMost);
    file.number("angular_damping", o.angular_damping, 0.0, kMost);
    file.flag("sleeping", o.sleeping);
    std::uint64_t iterations = static_cast<std::uint64_t>(o.velocity_iterations);
    if (file.natural("iterations", iterations, 10'000)) {
        if (iterations == 0) file.fail_at("iterations", "is out of its range");
        o.velocity_iterations = static_cast<int>(iterations);
    }
    file.number("density", defaults.density, 1e-30, 1e30);
    file.number("friction", defaults.friction, 0.0, 1e6);
    file.number("restitution", defaults.restitution, 0.0, 1.0);
}

// Surfaces and convex shapes have no common search: a file has one kind alone.
Expected<void> check_kinds(const std::vector<RigidSceneShape>& shapes) {
    const auto is_convex = [](const RigidSceneShape& shape) { return shape.convex.has_value(); };
    if (std::any_of(shapes.begin(), shapes.end(), is_convex) &&
        !std::all_of(shapes.begin(), shapes.end(), is_convex))
        return Error{"'shapes' has meshes and convex shapes: one scene has one kind alone"};
    return {};
}

Expected<RigidScene> scene_of(std::string_view text, const std::filesystem::path& folder) {
    const auto json = parse_strictly(text);
    if (!json) return json.error();
    SceneObject file(*json, "");
    file.know({"name", "steps", "gravity", "time_step", "resting_gap", "linear_damping",
               "angular_damping", "sleeping", "iterations", "density", "friction", "restitution",
               "shapes", "bodies"});
    RigidScene scene;
    BodyDefaults defaults;
    read_options(file, scene, defaults);
    const SceneJson* shapes = file.find("shapes");
    if (shapes == nullptr || !shapes->is_object()) file.fail("has no object 'shapes'");
    const SceneJson* bodies = file.find("bodies");
    if (bodies == nullptr || !bodies->is_array()) file.fail("has no list 'bodies'");
    if (file.error()) return *file.error();
    if (bodies->size() > kMaxSceneBodies) return Error{"'bodies' has more than 100000 entries"};
    std::map<std::string, std::size_t> names;
    for (const auto& member : shapes->items()) {
        auto shape = scene_shape(member.value(), "shapes." + shown_text(member.key()), folder);
        if (!shape) return shape.error();
        names[member.key()] = scene.shapes.size();
        scene.shapes.push_back(std::move(*shape));
    }
    if (const auto good = check_kinds(scene.shapes); !good) return good.error();
    for (std::size_t i = 0; i < bodies->size(); ++i) {
        auto body = scene_body((*bodies)[i], "bodies[" + std::to_string(i) + "]", names,
                               scene.shapes, defaults);
        if (!body) return body.error();
        scene.bodies.push_back(std::move(*body));
    }
    return scene;
}

}  // namespace

Expected<RigidSceneShape> centred_shape(const rigid::ConvexShape& shape) {
    RigidSceneShape result;
    result.convex = shape;
    if (shape.core() != rigid::ConvexShape::Core::Hull) return result;
    std::vector<Vec3> points(shape.points().begin(), shape.points().end());
    // The second time removes what rounding errors have left.
    for (int i = 0; i < 2; ++i) {
        const auto mass = rigid::mass_properties(*result.convex);
        if (!mass) return mass.error();
        for (Vec3& p : points)
            p = p - mass->centre;
        result.moved_by = result.moved_by - mass->centre;
        auto moved = rigid::ConvexShape::hull(points, shape.rounding());
        if (!moved) return moved.error();
        result.convex = std::move(*moved);
    }
    return result;
}

Expected<RigidSceneShape> centred_shape(const rigid::Polyhedron& surface) {
    RigidSceneShape result;
    std::vector<Vec3> points(surface.positions().begin(), surface.positions().end());
    std::vector<std::uint32_t> counts;
    std::vector<std::uint32_t> corners;
    for (std::size_t f = 0; f < surface.face_count(); ++f) {
        const std::span<const std::uint32_t> face = surface.face(f);
        counts.push_back(static_cast<std::uint32_t>(face.size()));
        corners.insert(corners.end(), face.begin(), face.end());
    }
    result.surface = surface;
    for (int i = 0; i < 2; ++i) {
        const auto mass = rigid::mass_properties(*result.surface);
        if (!mass) return mass.error();
        for (Vec3& p : points)
            p = p - mass->centre;
        result.moved_by = result.moved_by - mass->centre;
        auto moved = rigid::Polyhedron::build(points, counts, corners);
        if (!moved) return moved.error();
        result.surface = *std::move(moved);
    }
    return result;
}

Expected<RigidScene> parse_rigid_scene(std::string_view text, const std::string& name,
                                       const std::filesystem::path& folder) {
    auto scene = scene_of(text, folder);
    if (!scene) return Error{name + ": " + scene.error().message, scene.error().code};
    if (scene->name.empty()) scene->name = name;
    return scene;
}

Expected<RigidScene> read_rigid_scene(const std::filesystem::path& path) {
    auto reader = io::ByteReader::open(path);
    if (!reader) return reader.error();
    const auto text = read_whole(*reader, kMaxSceneBytes, "larger than a scene can be (64 MiB)");
    if (!text) return text.error();
    return parse_rigid_scene(*text, reader->name(), path.parent_path());
}

Expected<rigid::Dynamics> dynamics_of(const RigidScene& scene) {
    rigid::Dynamics dynamics(scene.options);
    std::vector<rigid::ShapeId> ids;
    for (const RigidSceneShape& shape : scene.shapes) {
        ids.push_back(shape.convex ? dynamics.add_shape(*shape.convex)
                                   : dynamics.add_shape(rigid::RigidBody(*shape.surface)));
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        rigid::DynamicBody body = scene.bodies[i];
        body.shape = ids[body.shape];
        const auto added = dynamics.add_body(body);
        if (!added)
            return Error{"body " + std::to_string(i) + ": " + added.error().message,
                         added.error().code, i};
    }
    return dynamics;
}

}  // namespace graze::app
