#include "scene.hpp"

#include <cmath>
#include <cstdlib>
#include <random>
#include <utility>

#include "graze/generate/models.hpp"

namespace tumbling {
namespace {

using graze::Pose;
using graze::Vec3;
using graze::io::PolygonMesh;
using graze::rigid::Polyhedron;
using graze::rigid::RigidBody;

Polyhedron build(const PolygonMesh& mesh) {
    auto surface = Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners());
    if (!surface) std::abort();  // the models are ours
    return std::move(*surface);
}

// Scaled to this radius, with the centre of its ball at the origin, which it then turns about.
Polyhedron centred(PolygonMesh model, double radius) {
    const Polyhedron raw = build(model);
    for (Vec3& x : model.positions)
        x = (radius / raw.radius()) * (x - raw.centre());
    return build(model);
}

void add_shell(PolygonMesh& mesh, double half, bool is_outer) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int i = 0; i < 8; ++i)
        mesh.positions.push_back({(i & 1) != 0 ? half : -half, (i & 2) != 0 ? half : -half,
                                  (i & 4) != 0 ? half : -half});
    // Counterclockwise as seen from outside the shell.
    constexpr std::uint32_t kFaces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                            {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (const auto& face : kFaces) {
        for (std::size_t i = 0; i < 4; ++i)
            mesh.polygons.add_corner(first + face[is_outer ? i : 3 - i]);
        mesh.polygons.close();
    }
}

// A solid with a hollow: what is in the hollow is outside of it.
Polyhedron hollow_box() {
    PolygonMesh mesh;
    add_shell(mesh, kHalfBox + 0.5, true);
    add_shell(mesh, kHalfBox, false);
    return build(mesh);
}

void add(Scene& scene, Polyhedron surface, const Pose& pose) {
    // As if a ball of density 1 filled half of the body's own ball.
    const double r = surface.radius();
    const double mass = 2.0 * r * r * r;
    const double inverse_inertia = 1.0 / (0.3 * mass * r * r);
    scene.masses.push_back({1.0 / mass, {inverse_inertia, inverse_inertia, inverse_inertia}});
    scene.bodies.emplace_back(std::move(surface));
    scene.start.push_back(pose);
}

Pose random_pose(const Vec3& place, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    const graze::Quaternion q{normal(random), normal(random), normal(random), normal(random)};
    return {graze::normalised(q), place};
}

}  // namespace

Scene make_scene(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Scene scene;
    scene.masses.push_back({});
    scene.bodies.emplace_back(hollow_box());
    scene.start.push_back({});
    // Balls of radius 1.2 on a grid of spacing 2.6 are apart.
    constexpr double kSpacing = 2.6;
    int number = 0;
    for (int z = -1; z <= 0; ++z) {
        for (int y = -1; y <= 1; ++y) {
            for (int x = 0; x <= 1; ++x, ++number) {
                const Vec3 place{kSpacing * (x - 0.5), kSpacing * y, kSpacing * (z + 0.5)};
                const Pose pose = random_pose(place, random);
                if (number % 4 == 0) add(scene, centred(graze::generate::car(), 1.2), pose);
                if (number % 4 == 1) {
                    add(scene, centred(graze::generate::torus(16, 10, 1.0, 0.35), 1.1), pose);
                }
                if (number % 4 == 2) add(scene, centred(graze::generate::comb(4), 1.2), pose);
                if (number % 4 == 3) add(scene, centred(graze::generate::cube(), 0.9), pose);
            }
        }
    }
    return scene;
}

}  // namespace tumbling
