// What stands around a robot.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "generate/robots/shapes.hpp"
#include "graze/core/assert.hpp"
#include "graze/generate/models.hpp"
#include "graze/generate/robots.hpp"

namespace graze::generate {
namespace {

// [length] Between things that would touch: surfaces of one mesh are disjoint.
constexpr double kJoint = 0.001;

std::vector<SolidBox> shelf_boxes() {
    constexpr double kFront = 0.55;
    constexpr double kBack = 0.90;
    constexpr double kHalfWidth = 0.50;
    constexpr double kBoard = 0.02;
    constexpr double kHeight = 1.40;
    std::vector<SolidBox> boxes = {
        {{kFront, -kHalfWidth - kBoard, 0.0}, {kBack, -kHalfWidth, kHeight}},
        {{kFront, kHalfWidth, 0.0}, {kBack, kHalfWidth + kBoard, kHeight}},
        {{kBack + kJoint, -kHalfWidth, 0.0}, {kBack + kJoint + kBoard, kHalfWidth, kHeight}}};
    for (const double z : {0.15, 0.55, 0.95, 1.35})
        boxes.push_back(
            {{kFront, -kHalfWidth + kJoint, z}, {kBack, kHalfWidth - kJoint, z + kBoard}});
    return boxes;
}

// In the plane y = 0, thinner than any step of a sampled path. The shoulder of the arm is at the height
// of the slot: it fits through stretched out flat, and straight up between the two walls.
std::vector<SolidBox> passage_boxes() {
    constexpr double kHalfThickness = 0.0005;
    constexpr double kNear = 0.2;
    constexpr double kFar = 1.5;
    constexpr double kTop = 1.7;
    constexpr double kSlotLow = 0.24;
    constexpr double kSlotHigh = 0.44;
    return {{{-kFar, -kHalfThickness, 0.0}, {-kNear, kHalfThickness, kTop}},
            {{kNear, -kHalfThickness, 0.0}, {kFar, kHalfThickness, kSlotLow}},
            {{kNear, -kHalfThickness, kSlotHigh}, {kFar, kHalfThickness, kTop}}};
}

constexpr double kTableTop = 0.30;

std::vector<SolidBox> table_boxes() {
    std::vector<SolidBox> boxes = {{{0.35, -0.6, kTableTop - 0.03}, {1.1, 0.6, kTableTop}}};
    for (const double x : {0.38, 1.02})
        for (const double y : {-0.57, 0.52})
            boxes.push_back({{x, y, 0.0}, {x + 0.05, y + 0.05, kTableTop - 0.03 - kJoint}});
    const double z = kTableTop + kJoint;
    boxes.insert(boxes.end(), {{{0.45, -0.45, z}, {0.57, -0.35, z + 0.30}},
                               {{0.80, -0.50, z}, {0.95, -0.20, z + 0.12}},
                               {{0.50, 0.10, z}, {0.56, 0.16, z + 0.25}},
                               {{0.62, 0.30, z}, {0.90, 0.34, z + 0.20}},
                               {{0.42, 0.40, z}, {0.52, 0.50, z + 0.10}},
                               {{0.95, 0.00, z}, {1.05, 0.10, z + 0.40}}});
    return boxes;
}

struct TableBall {
    double radius;
    double x;
    double y;
};
constexpr std::array<TableBall, 4> kBalls = {
    {{0.06, 0.70, -0.05}, {0.05, 0.48, -0.15}, {0.08, 0.75, 0.15}, {0.04, 0.60, 0.52}}};

io::PolygonMesh table_mesh(std::uint32_t triangles) {
    // A third of the triangles for the balls: 20 * 4^levels of each.
    std::uint32_t levels = 1;
    while (levels < 7 && kBalls.size() * (20ULL << (2 * (levels + 1))) <= triangles / 3)
        ++levels;
    const std::uint64_t of_balls = kBalls.size() * (20ULL << (2 * levels));
    const auto of_boxes =
        static_cast<std::uint32_t>(triangles > of_balls ? triangles - of_balls : 0);
    io::PolygonMesh mesh = boxes_of(table_boxes(), of_boxes);
    const io::PolygonMesh ball = sphere(levels);
    for (const TableBall& b : kBalls)
        add_mesh(mesh, ball, b.radius, {b.x, b.y, kTableTop + kJoint + b.radius});
    return mesh;
}

constexpr std::array<std::string_view, 3> kEnvironmentNames = {"shelf", "passage", "table"};

}  // namespace

std::string_view name(EnvironmentId id) noexcept {
    return kEnvironmentNames[static_cast<std::size_t>(id)];
}

std::optional<EnvironmentId> environment_from_name(std::string_view name_of_it) noexcept {
    for (const EnvironmentId id : kAllEnvironments)
        if (name(id) == name_of_it) return id;
    return std::nullopt;
}

io::PolygonMesh make_environment(EnvironmentId id, std::uint32_t triangles) {
    switch (id) {
        case EnvironmentId::Shelf:
            return boxes_of(shelf_boxes(), triangles);
        case EnvironmentId::Passage:
            return boxes_of(passage_boxes(), triangles);
        case EnvironmentId::Table:
            break;
    }
    return table_mesh(triangles);
}

robot::Obstacle make_obstacle(EnvironmentId id, std::uint32_t triangles) {
    const io::PolygonMesh mesh = make_environment(id, triangles);
    auto surface = rigid::Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    GRAZE_ASSERT(surface.has_value());
    return {std::string(name(id)),
            {std::make_shared<const rigid::RigidBody>(std::move(*surface)), Pose{}}};
}

}  // namespace graze::generate
