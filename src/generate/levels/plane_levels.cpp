// Levels of few planes: corners, wedges, grooves, stairs, a thin wall.
#include "generate/levels/makers.hpp"

namespace graze::generate {
namespace {

constexpr double kSqrtThree = 1.7320508075688772;
constexpr double kTanFiveDegrees = 0.08748866352592401;

// A polygon in the plane z = 0, drawn out along z from -half_width to half_width in `strips`; or a
// surface over a polyline. Neighbouring quadrangles share their vertices.
LevelPart extruded(const std::vector<Vec3>& line, double half_width, std::uint32_t strips) {
    LevelPart part;
    for (std::uint32_t k = 0; k <= strips; ++k) {
        const double z = half_width * (2.0 * k / strips - 1.0);
        for (const Vec3& p : line)
            part.positions.push_back({p.x, p.y, z});
    }
    const auto row = static_cast<std::uint32_t>(line.size());
    for (std::uint32_t k = 0; k < strips; ++k) {
        for (std::uint32_t i = 0; i + 1 < row; ++i) {
            const std::uint32_t a = k * row + i;
            part.faces.push_back({a, a + row, a + 1});
            part.faces.push_back({a + 1, a + row, a + row + 1});
        }
    }
    return part;
}

}  // namespace

// Linahan's figure of the jittery problem: down on the ramp, which leads into the corner.
LevelScene obtuse_corner() {
    LevelScene scene;
    scene.parts = {extruded({{-40, 0, 0}, {0, 0, 0}, {20, 20 * kSqrtThree, 0}}, 40, 1)};
    scene.start = {3, 9, 0};
    MoveList moves;
    moves.settle({0, -0.25, 0}, 60);
    moves.press({0, -0.25, 0}, 120);
    moves.press({0.1875, -0.25, 0}, 120);
    moves.travel({0.0625, -0.125, 0.1875}, 80);
    moves.press({0.25, -0.25, 0}, 120);
    moves.travel({0.0625, -0.125, -0.1875}, 80);
    moves.press({0.03125, -0.03125, 0}, 120);
    scene.moves = moves.take();
    return scene;
}

// A ball of radius 1 fits up to 1 / tan(2.5 degrees) = 22.9 from where the planes meet.
LevelScene acute_wedge() {
    LevelScene scene;
    scene.parts = {extruded({{60, 0, 0}, {0, 0, 0}, {60, 60 * kTanFiveDegrees, 0}}, 40, 1)};
    scene.start = {32, 1.375, 0};
    MoveList moves;
    moves.settle({-0.25, -0.015625, 0}, 60);
    moves.press({-0.25, -0.015625, 0}, 120);
    moves.press({-0.5, 0.125, 0}, 120);
    moves.press({-4, -0.25, 0}, 120);
    moves.settle({-0.125, 0, 0.25}, 80);
    moves.press({-0.25, 0.0078125, 0}, 120);
    scene.moves = moves.take();
    return scene;
}

LevelScene three_planes() {
    // The corner of a box, rotated so that no plane lies along the axes; (1, 1, 1) leads inside.
    const Quaternion askew{5, 1, 2, -1};
    LevelScene scene;
    const std::vector<Vec3> points = {{0, 0, 0},  {30, 0, 0},  {30, 0, 30}, {0, 0, 30},
                                      {0, 30, 0}, {30, 30, 0}, {0, 30, 30}};
    LevelPart part;
    for (const Vec3& p : points)
        part.positions.push_back(rotated(askew, p));
    part.faces = {{0, 2, 1}, {0, 3, 2}, {0, 1, 5}, {0, 5, 4}, {0, 4, 6}, {0, 6, 3}};
    scene.parts = {part};
    scene.start = rotated(askew, {6, 5, 7});
    const auto into = [&](const Vec3& v) { return rotated(askew, v); };
    MoveList moves;
    moves.settle(into({-0.25, -0.25, -0.25}), 40);
    moves.press(into({-0.25, -0.25, -0.25}), 120);
    moves.press(into({-1, -0.03125, -0.0625}), 120);
    moves.press(into({-0.0078125, -0.5, -0.25}), 120);
    moves.travel(into({0.125, -0.0625, -0.0625}), 100);
    moves.press(into({-4, -4, -4}), 120);
    moves.travel(into({-0.0625, 0.125, -0.03125}), 100);
    moves.press(into({-0.015625, -0.0625, -0.015625}), 240);
    scene.moves = moves.take();
    return scene;
}

// A right-angled groove along z; every second of its cross-sections is drawn back by 1/32.
LevelScene saw_tooth() {
    constexpr std::uint32_t kStrips = 320;
    LevelScene scene;
    LevelPart part =
        extruded({{-12, 12, 0}, {-1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {12, 12, 0}}, 40, kStrips);
    constexpr std::size_t kRow = 5;
    for (std::size_t k = 1; k <= kStrips; k += 2) {
        for (std::size_t i = 0; i < kRow; ++i)
            part.positions[k * kRow + i].y -= 0.03125;
    }
    scene.parts = {std::move(part)};
    scene.start = {0.5, 4, -30};
    MoveList moves;
    moves.settle({0, -0.25, 0}, 40);
    moves.press({0, -0.125, 0}, 120);
    moves.travel({0, -0.0625, 0.125}, 160);
    moves.press({0.0625, -0.125, 0}, 120);
    moves.travel({0.03125, -0.0625, 0.25}, 80);
    moves.press({0, -0.5, 0.03125}, 200);
    scene.moves = moves.take();
    return scene;
}

// Up twenty steps, along the landing and down again. Steps are low enough for a ball of radius 1 to
// slide over their edges, and the weight small enough for a tall ellipsoid to do so.
LevelScene stairs() {
    constexpr int kSteps = 20;
    constexpr double kRise = 0.1875;
    std::vector<Vec3> line = {{-20, 0, 0}};
    for (int i = 0; i < kSteps; ++i) {
        line.push_back({1.0 * i, kRise * i, 0});
        line.push_back({1.0 * i, kRise * (i + 1), 0});
    }
    line.push_back({1.0 * kSteps + 20, kRise * kSteps, 0});
    LevelScene scene;
    scene.parts = {extruded(line, 12, 6)};
    scene.start = {-6, 1.5, 0};
    MoveList moves;
    moves.settle({0, -0.125, 0}, 12);
    moves.travel({0.0625, -0.0078125, 0}, 520);
    moves.press({0, -0.0625, 0}, 240);
    moves.travel({-0.0625, -0.03125, 0.03125}, 260);
    moves.press({0, -0.0625, 0}, 240);
    moves.travel({0.0625, -0.0078125, -0.03125}, 200);
    moves.travel({-0.0625, -0.03125, 0}, 300);
    moves.press({0, -0.125, 0}, 240);
    scene.moves = moves.take();
    return scene;
}

// A wall without thickness across a box; the moves are up to fifty times as long as the box.
LevelScene thin_wall(std::uint64_t seed) {
    LevelScene scene;
    const Body room = block({-16.0, {-16, 16}, {-16, 16}}, {16.0, {-16, 16}, {-16, 16}});
    LevelPart wall;
    wall.positions = {{2, -16, -16}, {2, 16, -16}, {2, 16, 16}, {2, -16, 16}};
    wall.faces = {{0, 1, 2}, {0, 2, 3}};
    scene.parts = {part_of(room), wall};
    scene.shell_parts = 2;
    scene.start = {-6, 0, 0};
    MoveList moves;
    moves.settle({1000, 0, 0}, 2);
    moves.press({1000, 0, 0}, 60);
    moves.press({100, 3, -2}, 60);
    for (std::uint64_t i = 0; i < 800; ++i)
        moves.settle(256.0 * random_wish(seed, i), 1);
    moves.press({1000, -1000, 10}, 120);
    scene.moves = moves.take();
    return scene;
}

}  // namespace graze::generate
