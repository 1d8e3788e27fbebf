// Flat ground in four tessellations, and hills.
#include <algorithm>
#include <cmath>

#include "generate/levels/makers.hpp"

namespace graze::generate {
namespace {

constexpr std::uint32_t kCells = 48;  // of side 1, about the origin
constexpr double kHalf = kCells / 2.0;

LevelPart flat_grid() {
    return part_of(sheet({-kHalf, kHalf}, {-kHalf, kHalf}, kCells, kCells));
}

// Vertices moved by up to 0.45, diagonals at random, and one in four cells cut about a point.
LevelPart flat_random(std::uint64_t seed) {
    Random random(seed);
    LevelPart part;
    constexpr std::uint32_t kRow = kCells + 1;
    for (std::uint32_t i = 0; i < kRow; ++i) {
        for (std::uint32_t k = 0; k < kRow; ++k) {
            part.positions.push_back(
                {i - kHalf + 0.45 * random.uniform(), 0.0, k - kHalf + 0.45 * random.uniform()});
        }
    }
    for (std::uint32_t i = 0; i < kCells; ++i) {
        for (std::uint32_t k = 0; k < kCells; ++k) {
            const std::uint32_t a = i * kRow + k;
            const std::array<std::uint32_t, 4> corner = {a, a + 1, a + kRow + 1, a + kRow};
            if (random.chance(4)) {
                const auto middle = static_cast<std::uint32_t>(part.positions.size());
                // Inside whatever the vertices do: each is within 0.45 of a unit square.
                part.positions.push_back({i - kHalf + 0.5, 0.0, k - kHalf + 0.5});
                for (std::size_t n = 0; n < 4; ++n)
                    part.faces.push_back({corner[n], corner[(n + 1) % 4], middle});
                continue;
            }
            const std::size_t n = random.chance(2) ? 0 : 1;
            part.faces.push_back({corner[n], corner[n + 1], corner[n + 2]});
            part.faces.push_back({corner[n], corner[n + 2], corner[(n + 3) % 4]});
        }
    }
    return part;
}

// Strips along x that meet along lines of equal z, each cut at positions of its own.
LevelPart flat_t_junctions(std::uint64_t seed) {
    Random random(seed);
    LevelPart part;
    for (std::uint32_t strip = 0; strip < kCells; ++strip) {
        const double z = strip - kHalf;
        double x = -kHalf;
        while (x < kHalf) {
            const double next = std::min(x + 0.25 + 1.5 * (random.uniform() + 1.0), kHalf);
            const auto a = static_cast<std::uint32_t>(part.positions.size());
            for (const Vec3& p :
                 {Vec3{x, 0, z}, Vec3{next, 0, z}, Vec3{next, 0, z + 1}, Vec3{x, 0, z + 1}})
                part.positions.push_back(p);
            const bool turn = random.chance(2);
            part.faces.push_back({a, a + (turn ? 2U : 3U), a + 1});
            part.faces.push_back({a + (turn ? 0U : 1U), a + 3, a + 2});
            x = next;
        }
    }
    return part;
}

// One mesh up to x = 0, another from 1/1024 on, which lies 1/4096 higher.
std::vector<LevelPart> flat_two_meshes() {
    constexpr double kGap = 1.0 / 1024;
    constexpr double kStep = 1.0 / 4096;
    const LevelPart left = part_of(sheet({-kHalf, 0.0}, {-kHalf, kHalf}, kCells / 2, kCells));
    LevelPart right = part_of(sheet({kGap, kHalf}, {-kHalf, kHalf}, kCells / 3, kCells + 5));
    for (Vec3& p : right.positions)
        p.y += kStep;
    return {left, right};
}

// --- Hills ---------------------------------------------------------------------------------------

// In [-1, 1), the same for the same position.
double lattice_value(std::uint64_t seed, std::int64_t i, std::int64_t k) {
    Random random(seed + static_cast<std::uint64_t>(i) * 0x632be59bd9b4e019U +
                  static_cast<std::uint64_t>(k) * 0x9e3779b97f4a7c15U);
    return random.uniform();
}

// Value noise, twice continuously differentiable.
double smooth_noise(std::uint64_t seed, double x, double z) {
    const double i = std::floor(x);
    const double k = std::floor(z);
    const auto fade = [](double t) { return t * t * t * (t * (6.0 * t - 15.0) + 10.0); };
    const auto at = [&](int di, int dk) {
        return lattice_value(seed, static_cast<std::int64_t>(i) + di,
                             static_cast<std::int64_t>(k) + dk);
    };
    const double u = fade(x - i);
    const double v = fade(z - k);
    const double low = (1.0 - u) * at(0, 0) + u * at(1, 0);
    const double high = (1.0 - u) * at(0, 1) + u * at(1, 1);
    return (1.0 - v) * low + v * high;
}

std::vector<LevelMove> wanderings(std::uint64_t seed) {
    Random random(seed);
    MoveList moves;
    moves.settle({0, -0.5, 0}, 30);
    constexpr int kLegs = 15;
    for (int i = 0; i < kLegs; ++i) {
        const Vec3 way = heading(random.uniform());
        const double length = i % 5 == 4 ? 0.5 : 0.125;
        const Vec3 down{0, -0.0625, 0};
        moves.travel(length * way + down, 80);
        moves.travel(-length * way + down, 80);
    }
    return moves.take();
}

}  // namespace

std::vector<LevelMove> crossings() {
    MoveList moves;
    moves.settle({0, -0.25, 0}, 8);
    moves.press({0, -0.25, 0}, 30);
    constexpr int kHeadings = 24;
    for (int i = 0; i < kHeadings; ++i) {
        // Half tangents over (-1, 1): the half of the circle around +x; the other half leads back.
        const Vec3 way = heading((2.0 * i + 1.0) / kHeadings - 1.0);
        const double weight = i % 3 == 0 ? 0.0 : i % 3 == 1 ? 0.125 : 1.0;
        const double length = i % 4 == 3 ? 2.0 : 0.25;
        const int count = static_cast<int>(16.0 / length);
        const Vec3 down{0, -weight, 0};
        if (weight == 0.0) moves.settle({0, -0.25, 0}, 2);
        moves.travel(length * way + down, count);
        moves.travel(-length * way + down, count);
    }
    moves.press({0.0, -1.0, 0.0}, 60);
    return moves.take();
}

double hill_height(std::uint64_t seed, double x, double z) {
    return 4.0 * smooth_noise(seed, x / 48.0, z / 48.0) +
           smooth_noise(seed + 1, x / 12.0, z / 12.0);
}

LevelScene flat_ground(LevelId id, std::uint64_t seed) {
    LevelScene scene;
    if (id == LevelId::FlatRandom) {
        scene.parts = {flat_random(seed)};
    } else if (id == LevelId::FlatTJunctions) {
        scene.parts = {flat_t_junctions(seed)};
    } else if (id == LevelId::FlatTwoMeshes) {
        scene.parts = flat_two_meshes();
    } else {
        scene.parts = {flat_grid()};
    }
    // So that the path out and back crosses x = 0, where two meshes meet.
    scene.start = {-7.84375, 1.5, -0.21875};
    scene.moves = crossings();
    return scene;
}

// Squares of side 1: more of them reach farther.
LevelScene terrain_level(std::uint64_t seed, std::uint32_t faces, const StopToken& stop) {
    auto cells = static_cast<std::uint32_t>(std::sqrt(0.5 * faces));
    cells += 2 * cells * cells < faces ? 1U : 0U;
    cells = std::max(cells, 2U);
    const double half = 0.5 * cells;
    LevelScene scene;
    LevelPart part = part_of(sheet({-half, half}, {-half, half}, cells, cells));
    StopPoll poll(stop);
    for (Vec3& p : part.positions) {
        if (poll()) break;
        p.y = hill_height(seed, p.x, p.z);
    }
    double top = 0.0;
    for (const Vec3& p : part.positions) {
        if (std::fabs(p.x) < 2.5 && std::fabs(p.z) < 2.5) top = std::max(top, p.y);
    }
    scene.parts = {std::move(part)};
    scene.start = {0.125, top + 1.5, 0.375};
    scene.moves = wanderings(seed);
    return scene;
}

}  // namespace graze::generate
