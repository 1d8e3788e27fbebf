// Levels that surround what moves in them.
#include <algorithm>

#include "generate/levels/makers.hpp"

namespace graze::generate {
namespace {

constexpr double kRoom = 20.0;  // half the width

// A triangle by its vertices.
using Corners = std::array<Vec3, 3>;

// Its box does not come within `reach` of the point. Enough to choose a start by.
bool is_far(const Corners& t, const Vec3& point, double reach) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double low = std::min({t[0][axis], t[1][axis], t[2][axis]});
        const double high = std::max({t[0][axis], t[1][axis], t[2][axis]});
        if (low - point[axis] > reach || point[axis] - high > reach) return true;
    }
    return false;
}

// Well away from every axis, so that nothing slides along a wall for ever so long.
Vec3 slanting_wish(std::uint64_t seed) {
    Random random(seed);
    Vec3 wish;
    for (std::size_t axis = 0; axis < 3; ++axis)
        wish[axis] = (random.chance(2) ? 0.5 : -0.5) + 0.125 * random.uniform();
    return wish;
}

std::vector<LevelMove> random_moves(std::uint64_t seed, std::uint64_t count) {
    MoveList moves;
    for (std::uint64_t i = 0; i < count; ++i) {
        moves.settle(random_wish(seed, i), 1);
        // Now and then repeat one displacement until it rests.
        if (i % 250 != 249) continue;
        moves.press(slanting_wish(seed + 1 + i), 240);
    }
    return moves.take();
}

}  // namespace

// Triangles with sides of up to 6, none of them where it starts.
LevelScene soup(std::uint64_t seed) {
    constexpr int kTriangles = 2000;
    constexpr double kClear = 1.25;
    Random random(seed);
    LevelScene scene;
    scene.parts = {part_of(block({-kRoom, {-kRoom, kRoom}, {-kRoom, kRoom}},
                                 {kRoom, {-kRoom, kRoom}, {-kRoom, kRoom}}))};
    scene.start = {0, 0, 0};
    LevelPart part;
    const auto vector = [&](double size) {
        const double x = random.uniform();
        const double y = random.uniform();
        return size * Vec3{x, y, random.uniform()};
    };
    while (part.faces.size() < kTriangles) {
        const Vec3 at = vector(kRoom);
        const Corners t = {at, at + vector(3.0), at + vector(3.0)};
        if (!is_far(t, scene.start, kClear)) continue;
        const auto a = static_cast<std::uint32_t>(part.positions.size());
        part.positions.insert(part.positions.end(), t.begin(), t.end());
        part.faces.push_back({a, a + 1, a + 2});
    }
    scene.parts.push_back(std::move(part));
    scene.shell_parts = 1;
    scene.moves = random_moves(seed, 2000);
    return scene;
}

// A ball seen from inside, its vertices drawn in or out by up to a sixth.
LevelScene cave(std::uint64_t seed) {
    constexpr double kRadius = 16.0;
    constexpr std::uint32_t kCellsOfEdge = 24;  // 8 * 24^2 = 4608 triangles
    Random random(seed);
    Body body = ball(kRadius, kCellsOfEdge);
    for (Vec3& p : body.points)
        p = (1.0 + random.uniform() / 6.0) * p;
    LevelScene scene;
    scene.parts = {part_of(body)};
    scene.shell_parts = 1;
    scene.start = {0, 0, 0};
    scene.moves = random_moves(seed, 2000);
    return scene;
}

}  // namespace graze::generate
