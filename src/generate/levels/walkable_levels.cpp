// Ground as games and scanners make it, and a small town to walk through.
#include <algorithm>
#include <cmath>

#include "generate/levels/makers.hpp"
#include "graze/generate/grounds.hpp"

namespace graze::generate {
namespace {

LevelPart box_between(const Vec3& low, const Vec3& high) {
    return part_of(block({low.y, {low.x, high.x}, {low.z, high.z}},
                         {high.y, {low.x, high.x}, {low.z, high.z}}));
}

void append(LevelPart& to, const LevelPart& part) {
    const auto first = static_cast<std::uint32_t>(to.positions.size());
    to.positions.insert(to.positions.end(), part.positions.begin(), part.positions.end());
    for (const auto& [a, b, c] : part.faces)
        to.faces.push_back({a + first, b + first, c + first});
}

void add_box(LevelPart& to, const Vec3& low, const Vec3& high) {
    append(to, box_between(low, high));
}

// A wedge that rises along x from nothing to the height.
LevelPart ramp(double from_x, double to_x, double from_z, double to_z, double height) {
    LevelPart part;
    part.positions = {{from_x, 0, from_z},    {from_x, 0, to_z},    {to_x, 0, from_z},
                      {to_x, height, from_z}, {to_x, height, to_z}, {to_x, 0, to_z}};
    part.faces = {{0, 1, 4}, {0, 4, 3}, {0, 3, 2}, {1, 5, 4}, {2, 3, 4}, {2, 4, 5}};
    return part;
}

// Steps that lead down along z from `height` to the ground, each a box.
void add_steps_down(LevelPart& to, double from_x, double to_x, double from_z, double height,
                    int count, double run) {
    for (int i = 0; i + 1 < count; ++i) {
        const double top = height * (count - 1 - i) / count;
        add_box(to, {from_x, 0, from_z + run * i}, {to_x, top, from_z + run * (i + 1)});
    }
}

// A roof of 1.3 over a path along x, between two walls: a character of 1.8 has to crouch.
void add_tunnel(LevelPart& to) {
    add_box(to, {6, 0, 5.5}, {10, 1.6, 6});
    add_box(to, {6, 0, 10}, {10, 1.6, 10.5});
    add_box(to, {6, 1.3, 6}, {10, 1.6, 10});
}

// Four walls with a doorway of 1.2 by 2.2 to the north, and a roof.
void add_house(LevelPart& to) {
    add_box(to, {-14, 0, 4}, {-13.75, 3, 12});
    add_box(to, {-6.25, 0, 4}, {-6, 3, 12});
    add_box(to, {-13.75, 0, 11.75}, {-6.25, 3, 12});
    add_box(to, {-13.75, 0, 4}, {-10.6, 3, 4.25});
    add_box(to, {-9.4, 0, 4}, {-6.25, 3, 4.25});
    add_box(to, {-10.6, 2.2, 4}, {-9.4, 3, 4.25});
    add_box(to, {-14, 3, 4}, {-6, 3.25, 12});
}

// Around the square, and against the walls.
std::vector<LevelMove> errands() {
    MoveList moves;
    moves.settle({0, -0.125, 0}, 8);
    constexpr int kHeadings = 10;
    for (int i = 0; i < kHeadings; ++i) {
        const Vec3 along = 0.125 * heading((2.0 * i + 1.0) / kHeadings - 1.0);
        moves.travel(along + Vec3{0, -0.0625, 0}, 48);
        moves.travel(-along + Vec3{0, -0.0625, 0}, 48);
    }
    moves.press({0, -0.125, 0}, 60);
    return moves.take();
}

}  // namespace

// Columns of cubes with all of their walls, their tops on steps of 1/4, in a closed box.
LevelScene voxels(std::uint64_t seed) {
    constexpr int kHalf = 16;
    LevelScene scene;
    LevelPart columns;
    for (int i = -kHalf; i < kHalf; ++i) {
        for (int k = -kHalf; k < kHalf; ++k) {
            const double x = i;
            const double z = k;
            const double top = 0.25 * std::floor(2.0 * hill_height(seed, 3.0 * x, 3.0 * z));
            // What is level about the start.
            const bool is_centre = i >= -4 && i < 4 && k >= -4 && k < 4;
            add_open_box(columns, {x, -4, z}, {x + 1, is_centre ? 0.0 : top, z + 1},
                         ((i + k) & 1) == 0);
        }
    }
    scene.parts = {box_between({-16, -5, -16}, {16, 16, 16}), std::move(columns)};
    scene.shell_parts = 1;
    scene.start = {0.125, 1.5, 0.375};
    scene.moves = errands();
    return scene;
}

// Boxes that do not quite meet, as a level is put together by hand.
LevelScene box_seams(std::uint64_t seed) {
    LevelScene scene;
    scene.parts = {box_ground({-24, 23, -24, 23}, {1.0, 1.0 / 64, 3.0 / 256}, seed)};
    scene.start = {-7.84375, 1.5, -0.21875};
    scene.moves = crossings();
    return scene;
}

// Hills with noise at each vertex, whose slopes are up to 0.4: as cameras see ground.
LevelScene scanned(std::uint64_t seed) {
    constexpr double kSide = 0.375;
    constexpr double kSteepest = 0.4;
    constexpr double kSqrtHalf = 0.7071067811865476;
    LevelScene scene;
    LevelPart ground =
        facetted_ground({-24, 24, -24, 24}, kSide, kSide * kSteepest * kSqrtHalf, seed);
    double top = 0.0;
    for (Vec3& p : ground.positions) {
        p.y += 0.5 * hill_height(seed, p.x, p.z);
        if (std::fabs(p.x) < 2.5 && std::fabs(p.z) < 2.5) top = std::max(top, p.y);
    }
    scene.parts = {std::move(ground)};
    scene.start = {0.125, top + 1.5, 0.375};
    scene.moves = errands();
    return scene;
}

// For a character of 1.8. North of the square a ramp leads up to a terrace of height 2; a gap of ten
// follows, which a platform crosses (examples/town), a tower, and stairs down from it. Then a pavement of boxes with
// seams, a tunnel to crouch through, a house, crates, and a ramp that is too steep.
LevelScene town(std::uint64_t seed) {
    LevelPart buildings;
    append(buildings, ramp(6, 12, -2, 2, 2));
    add_box(buildings, {12, 0, -2}, {16, 2, 2});
    add_box(buildings, {26, 0, -2}, {30, 2, 2});
    add_steps_down(buildings, 26, 30, 2, 2, 10, 0.35);
    add_tunnel(buildings);
    add_house(buildings);
    append(buildings, ramp(-8, -6, -12, -8, 4));
    for (int i = 0; i < 3; ++i)
        add_box(buildings, {-20.0 + 0.25 * i, 0.8 * i, -6.0 + 0.125 * i},
                {-18.5 - 0.25 * i, 0.8 * (i + 1), -4.5});
    LevelPart pavement = box_ground({14, 22, 6, 9}, {1.0, 1.0 / 64, 3.0 / 256}, seed);
    for (Vec3& p : pavement.positions)
        p.y += 0.25;
    LevelScene scene;
    scene.parts = {part_of(sheet({-40, 40}, {-40, 40}, 16, 16)), std::move(buildings),
                   std::move(pavement)};
    scene.start = {0, 1.5, 0};
    scene.moves = errands();
    return scene;
}

}  // namespace graze::generate
