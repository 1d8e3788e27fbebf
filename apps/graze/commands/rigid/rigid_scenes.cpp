#include "rigid_scenes.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "graze/core/elementary.hpp"
#include "graze/generate/models.hpp"

namespace graze::app {
namespace {

using rigid::BodyKind;
using rigid::ConvexShape;
using rigid::DynamicBody;
using rigid::Freedom;

constexpr std::array kBuiltIn = {
    BuiltInScene{"pile", "boxes, balls, capsules, cylinders and hulls fall into a box"},
    BuiltInScene{"rolling", "a ball, a cylinder and a capsule roll down a slope"},
    BuiltInScene{"gears", "a driven gear and one on a hinge that it turns"},
    BuiltInScene{"chain", "rings that hang from each other"},
    BuiltInScene{"screw-nut", "a screw that is driven, and a nut that slides along it"},
};

// The same numbers for every compiler and library: a linear generator.
class SceneNumbers {
public:
    explicit SceneNumbers(std::uint64_t seed) noexcept
        : state_(seed * 0x9e37'79b9'7f4a'7c15U + 0x1234'5678U) {
        for (int i = 0; i < 8; ++i)
            static_cast<void>(unit());
    }
    [[nodiscard]] double between(double low, double high) noexcept {
        return low + (high - low) * unit();
    }

private:
    [[nodiscard]] double unit() noexcept {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<double>(state_ >> 11) * 0x1p-53;
    }
    std::uint64_t state_;
};

class SceneBuilder {
public:
    explicit SceneBuilder(std::string name) { scene_.name = std::move(name); }

    [[nodiscard]] rigid::ShapeId shape(const Expected<ConvexShape>& convex) {
        return keep(convex ? centred_shape(*convex) : Expected<RigidSceneShape>(convex.error()));
    }
    [[nodiscard]] rigid::ShapeId shape(const io::PolygonMesh& mesh) {
        const auto surface =
            rigid::Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
        return keep(surface ? centred_shape(*surface) : Expected<RigidSceneShape>(surface.error()));
    }
    DynamicBody& body(rigid::ShapeId shape_id, const Vec3& position, BodyKind kind) {
        DynamicBody made;
        made.shape = shape_id;
        made.pose.translation = position;
        made.kind = kind;
        scene_.bodies.push_back(made);
        return scene_.bodies.back();
    }
    void wall(const Vec3& half, const Vec3& centre) {
        body(shape(ConvexShape::box(half)), centre, BodyKind::Static);
    }
    [[nodiscard]] RigidScene& scene() noexcept { return scene_; }
    [[nodiscard]] Expected<RigidScene> finish() {
        if (error_) return *error_;
        return std::move(scene_);
    }

private:
    [[nodiscard]] rigid::ShapeId keep(Expected<RigidSceneShape> made) {
        if (made) {
            scene_.shapes.push_back(*std::move(made));
        } else {
            if (!error_) error_ = made.error();
            scene_.shapes.emplace_back();
        }
        return static_cast<rigid::ShapeId>(scene_.shapes.size() - 1);
    }

    RigidScene scene_;
    std::optional<Error> error_;
};

// Layers above each other, with some play, in a container that is a fifth wider than high when all has
// come to rest.
Expected<RigidScene> pile(std::uint64_t count, std::uint64_t seed) {
    SceneBuilder builder("pile");
    SceneNumbers random(seed);
    RigidScene& scene = builder.scene();
    scene.steps = 600;
    scene.options.angular_damping = 0.5;
    scene.options.linear_damping = 0.02;
    const double half = std::max(1.2, 3.0 * cube_root(static_cast<double>(count) / 100.0));
    constexpr double kCell = 1.1;
    const auto across = static_cast<std::uint64_t>((2.0 * half - 0.2) / kCell);
    const std::uint64_t layers = count / (across * across) + 1;
    const double height = 0.5 * (kCell * static_cast<double>(layers) + 2.0);
    builder.wall({half + 1.0, half + 1.0, 0.5}, {0.0, 0.0, -0.5});
    for (const double side : {-1.0, 1.0}) {
        builder.wall({0.5, half + 1.0, height}, {side * (half + 0.5), 0.0, height});
        builder.wall({half, 0.5, height}, {0.0, side * (half + 0.5), height});
    }
    const std::vector<Vec3> octahedron = {{0.4, 0.0, 0.0},  {-0.4, 0.0, 0.0}, {0.0, 0.4, 0.0},
                                          {0.0, -0.4, 0.0}, {0.0, 0.0, 0.4},  {0.0, 0.0, -0.4}};
    const std::array shapes = {
        builder.shape(ConvexShape::box({0.35, 0.3, 0.25})),
        builder.shape(ConvexShape::sphere(0.35)),
        builder.shape(ConvexShape::capsule({0.0, 0.0, -0.25}, {0.0, 0.0, 0.25}, 0.22)),
        builder.shape(ConvexShape::cylinder(0.3, 0.3)),
        builder.shape(ConvexShape::hull(octahedron))};
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto cell = [&](std::uint64_t index) {
            return -half + 0.1 + kCell * (static_cast<double>(index) + 0.5) +
                   random.between(-0.04, 0.04);
        };
        const double x = cell(i % across);
        const double y = cell(i / across % across);
        const double z = 0.8 + kCell * static_cast<double>(i / (across * across));
        DynamicBody& body = builder.body(shapes[i % shapes.size()], {x, y, z}, BodyKind::Dynamic);
        const double ax = random.between(-1.0, 1.0);
        const double ay = random.between(-1.0, 1.0);
        const double az = random.between(0.1, 1.0);
        body.pose.rotation = rotation_about({ax, ay, az}, random.between(0.0, 3.0));
        body.restitution = 0.1;
    }
    return builder.finish();
}

Expected<RigidScene> rolling() {
    SceneBuilder builder("rolling");
    builder.scene().steps = 240;
    constexpr double kSlope = 0.2;  // [radians]
    const Quaternion tilt = rotation_about({0.0, 1.0, 0.0}, kSlope);
    DynamicBody& slope = builder.body(builder.shape(ConvexShape::box({20.0, 3.0, 0.5})),
                                      rotate(tilt, {0.0, 0.0, -0.5}), BodyKind::Static);
    slope.pose.rotation = tilt;
    const std::array shapes = {
        builder.shape(ConvexShape::sphere(0.5)), builder.shape(ConvexShape::cylinder(0.5, 0.4)),
        builder.shape(ConvexShape::capsule({0.0, 0.0, -0.4}, {0.0, 0.0, 0.4}, 0.5))};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        DynamicBody& body =
            builder.body(shapes[i], rotate(tilt, {-10.0, 2.0 * static_cast<double>(i) - 2.0, 0.51}),
                         BodyKind::Dynamic);
        // Their axes across the slope.
        body.pose.rotation = rotation_about({1.0, 0.0, 0.0}, 0.5 * std::numbers::pi);
    }
    return builder.finish();
}

// A spur gear about z: trapezoids on a circle of the pitch radius.
io::PolygonMesh spur_gear(std::uint32_t teeth, double pitch_radius, double half_width) {
    io::PolygonMesh mesh;
    const double module = 2.0 * pitch_radius / static_cast<double>(teeth);
    const double pitch = 2.0 * std::numbers::pi / static_cast<double>(teeth);
    struct RimPoint {
        double angle;  // as a fraction of the pitch
        double radius;
    };
    // Gaps are wider than teeth at the pitch radius: backlash.
    const std::array profile = {
        RimPoint{-0.28, pitch_radius - 1.1 * module}, RimPoint{-0.22, pitch_radius - 0.1 * module},
        RimPoint{-0.10, pitch_radius + 0.8 * module}, RimPoint{0.10, pitch_radius + 0.8 * module},
        RimPoint{0.22, pitch_radius - 0.1 * module},  RimPoint{0.28, pitch_radius - 1.1 * module}};
    std::vector<std::array<double, 2>> rim;
    for (std::uint32_t tooth = 0; tooth < teeth; ++tooth) {
        for (const RimPoint& p : profile) {
            const double angle = pitch * (static_cast<double>(tooth) + p.angle);
            rim.push_back({p.radius * cosine(angle), p.radius * sine(angle)});
        }
    }
    const auto n = static_cast<std::uint32_t>(rim.size());
    for (const double z : {-half_width, half_width})
        for (const auto& p : rim)
            mesh.positions.push_back({p[0], p[1], z});
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        for (const std::uint32_t corner : {i, j, n + j, n + i})
            mesh.polygons.add_corner(corner);
        mesh.polygons.close();
    }
    for (std::uint32_t i = 0; i < n; ++i)
        mesh.polygons.add_corner(n - 1 - i);
    mesh.polygons.close();
    for (std::uint32_t i = 0; i < n; ++i)
        mesh.polygons.add_corner(n + i);
    mesh.polygons.close();
    return mesh;
}

Expected<RigidScene> gears() {
    SceneBuilder builder("gears");
    RigidScene& scene = builder.scene();
    scene.steps = 240;
    scene.options.gravity = {};
    scene.options.resting_gap = 0.004;
    scene.options.angular_damping = 0.5;
    const rigid::ShapeId large = builder.shape(spur_gear(16, 1.6, 0.2));
    const rigid::ShapeId small = builder.shape(spur_gear(12, 1.2, 0.2));
    DynamicBody& driven = builder.body(large, {}, BodyKind::Driven);
    driven.velocity.angular = {0.0, 0.0, 1.0};
    DynamicBody& other = builder.body(small, {2.84, 0.0, 0.0}, BodyKind::Dynamic);
    // A gap of it faces the tooth at the angle 0 of the other.
    other.pose.rotation =
        rotation_about({0.0, 0.0, 1.0}, std::numbers::pi + std::numbers::pi / 12.0);
    other.freedom = Freedom::Hinge;
    other.friction = 0.0;
    return builder.finish();
}

// Rings whose planes alternate; the first is fixed.
Expected<RigidScene> chain(std::uint64_t links) {
    SceneBuilder builder("chain");
    RigidScene& scene = builder.scene();
    scene.steps = 240;
    scene.options.resting_gap = 0.01;
    scene.options.angular_damping = 1.0;
    scene.options.linear_damping = 0.2;
    constexpr double kMajor = 0.5;
    constexpr double kMinor = 0.14;
    const rigid::ShapeId ring = builder.shape(generate::torus(16, 8, kMajor, kMinor));
    // As tight as they hang, with a gap of some percent.
    constexpr double kStep = 2.0 * (kMajor - kMinor) - 0.05;
    for (std::uint64_t i = 0; i < links; ++i) {
        DynamicBody& body = builder.body(ring, {kStep * static_cast<double>(i), 0.0, 0.0},
                                         i == 0 ? BodyKind::Static : BodyKind::Dynamic);
        if (i % 2 == 1)
            body.pose.rotation = rotation_about({1.0, 0.0, 0.0}, 0.5 * std::numbers::pi);
        body.friction = 0.3;
    }
    return builder.finish();
}

Expected<RigidScene> screw_nut() {
    SceneBuilder builder("screw-nut");
    RigidScene& scene = builder.scene();
    scene.steps = 240;
    scene.options.gravity = {};
    scene.options.resting_gap = 0.004;
    scene.options.linear_damping = 2.0;
    generate::ThreadShape thread;
    thread.turns = 5.0;
    thread.around = 24;
    thread.along = 8;
    generate::ThreadShape inner = thread;
    inner.turns = 2.0;
    const rigid::ShapeId screw = builder.shape(generate::screw_thread(thread));
    const rigid::ShapeId nut = builder.shape(generate::threaded_hole(inner, 0.08));
    // Positions are those of the files: their centres are elsewhere.
    const Vec3 screw_centre = -builder.scene().shapes[screw].moved_by;
    const Vec3 nut_centre = -builder.scene().shapes[nut].moved_by;
    DynamicBody& driven = builder.body(screw, screw_centre, BodyKind::Driven);
    driven.velocity.angular = {0.0, 1.0, 0.0};
    DynamicBody& slides = builder.body(nut, nut_centre + Vec3{0.0, 1.0, 0.0}, BodyKind::Dynamic);
    slides.freedom = Freedom::Slider;
    slides.axis = {0.0, 1.0, 0.0};
    slides.friction = 0.0;
    return builder.finish();
}

}  // namespace

std::span<const BuiltInScene> built_in_scenes() noexcept {
    return kBuiltIn;
}

Expected<RigidScene> built_in_scene(std::string_view name, std::uint64_t bodies,
                                    std::uint64_t seed) {
    if (name == "pile") return pile(bodies == 0 ? 200 : bodies, seed);
    if (name == "rolling") return rolling();
    if (name == "gears") return gears();
    if (name == "chain") return chain(bodies == 0 ? 8 : bodies);
    if (name == "screw-nut") return screw_nut();
    std::string names;
    for (const BuiltInScene& scene : kBuiltIn)
        names += (names.empty() ? "" : ", ") + std::string(scene.name);
    return Error{"there is no scene '" + std::string(name) + "', but " + names};
}

}  // namespace graze::app
