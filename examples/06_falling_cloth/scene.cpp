#include "scene.hpp"

#include <cmath>
#include <random>

namespace falling_cloth {
namespace {

using graze::Vec3;

constexpr std::uint32_t kQuads = 7;  // along a side of a sheet
constexpr double kStretch = 1e4;
constexpr double kBend = 1e2;

class SceneMaker {
public:
    explicit SceneMaker(std::uint64_t seed) : random_(seed) {}

    void add_box(double half) {
        const auto first = static_cast<std::uint32_t>(scene_.start.size());
        for (std::uint32_t i = 0; i < 8; ++i) {
            add_vertex({(i & 1U) != 0 ? half : -half, (i & 2U) != 0 ? half : -half,
                        (i & 4U) != 0 ? half : -half},
                       true);
        }
        // For each axis the two sides across it.
        for (const auto& [p, q, r] : {graze::FaceIndices{1, 2, 4}, {2, 4, 1}, {4, 1, 2}}) {
            for (const std::uint32_t side : {0U, p}) {
                const std::uint32_t o = first + side;
                faces_.push_back({o, o + q, o + q + r});
                faces_.push_back({o, o + q + r, o + r});
            }
        }
    }

    void add_octahedron(const Vec3& centre, double radius) {
        const auto first = static_cast<std::uint32_t>(scene_.start.size());
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (const double sign : {-1.0, 1.0}) {
                Vec3 corner = centre;
                corner[axis] += sign * radius;
                add_vertex(corner, true);
            }
        }
        for (std::uint32_t i = 0; i < 8; ++i)
            faces_.push_back({first + (i & 1U), first + 2 + (i >> 1U & 1U), first + 4 + (i >> 2U)});
    }

    // Horizontal, turned by `angle` about its middle.
    void add_sheet(const Vec3& middle, double angle) {
        const auto first = static_cast<std::uint32_t>(scene_.start.size());
        std::uniform_real_distribution<double> crumple(-5e-3, 5e-3);
        for (std::uint32_t j = 0; j <= kQuads; ++j) {
            for (std::uint32_t i = 0; i <= kQuads; ++i) {
                const double x = i / double{kQuads} - 0.5;
                const double y = j / double{kQuads} - 0.5;
                add_vertex(
                    middle + Vec3{std::cos(angle) * x - std::sin(angle) * y,
                                  std::sin(angle) * x + std::cos(angle) * y, crumple(random_)},
                    false);
            }
        }
        const auto at = [&](std::uint32_t i, std::uint32_t j) {
            return first + j * (kQuads + 1) + i;
        };
        for (std::uint32_t j = 0; j < kQuads; ++j) {
            for (std::uint32_t i = 0; i < kQuads; ++i) {
                faces_.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
                faces_.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
            }
        }
        for (std::uint32_t j = 0; j <= kQuads; ++j) {
            for (std::uint32_t i = 0; i + 2 <= kQuads; ++i) {
                add_spring(at(i, j), at(i + 2, j), kBend);
                add_spring(at(j, i), at(j, i + 2), kBend);
            }
        }
    }

    // Edges that can move are springs.
    [[nodiscard]] Scene finish() {
        scene_.mesh = *graze::make_topology(scene_.start.size(), faces_);
        for (const auto& [a, b] : scene_.mesh.edges)
            if (scene_.fixed[a] == 0) add_spring(a, b, kStretch);
        return std::move(scene_);
    }

private:
    void add_vertex(const Vec3& position, bool fixed) {
        scene_.start.push_back(position);
        scene_.fixed.push_back(fixed ? 1 : 0);
    }
    void add_spring(std::uint32_t a, std::uint32_t b, double stiffness) {
        const double length = graze::norm(scene_.start[a] - scene_.start[b]);
        scene_.springs.push_back({a, b, length, stiffness});
    }

    std::mt19937_64 random_;
    std::vector<graze::FaceIndices> faces_;
    Scene scene_;
};

}  // namespace

Scene make_scene(std::uint64_t seed) {
    SceneMaker maker(seed);
    maker.add_box(1.25);
    maker.add_octahedron({0, 0, -0.5}, 0.5);
    maker.add_sheet({0.05, 0, 0.25}, 0.3);
    maker.add_sheet({-0.1, 0.1, 0.5}, 1.0);
    return maker.finish();
}

}  // namespace falling_cloth
