#include <array>
#include <numbers>
#include <stdexcept>
#include <string>

#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

// All that is not fixed begins with this velocity.
void throw_all(Model& model, const Vec3& velocity) {
    model.start_velocity.clear();
    for (const std::uint8_t is_fixed : model.fixed)
        model.start_velocity.push_back(is_fixed != 0 ? Vec3{} : velocity);
}

// Wang et al. 2021, Figure 12.
Model torus_on_cone(const SceneSize& size) {
    ModelBuilder builder("torus-on-cone");
    builder.add_obstacle(cone_surface(0.6, 1.0, size.elements(16, 5), size.elements(4, 1)));
    const Placement tilted{{1, 0, 0}, 0.25, {0.03, 0.02, 0.86}};
    ElasticMaterial rubber;
    rubber.young = 2e5;
    rubber.poisson = 0.4;
    const TetrahedralMesh torus =
        solid_torus(0.36, 0.12, size.elements(18, 6), size.elements(3, 1));
    builder.add_elastic(placed(torus, tilted), rubber);
    Model model = builder.finish();
    throw_all(model, {0, 0, -1.0});
    model.solver.dt = 0.02;
    model.frames = 24;
    return model;
}

// Wang et al. 2021, Figure 13, with a figure of our own.
Model figure_on_plane(const SceneSize& size) {
    ModelBuilder builder("figure-on-plane");
    builder.add_obstacle(plane_surface(1.0, 1.0, size.elements(8, 1), size.elements(8, 1)));
    const Placement leaning{{0.6, 0.8, 0}, 0.3, {0.0, 0.0, 0.47}, 0.4};
    ElasticMaterial soft;
    soft.young = 1e5;
    soft.poisson = 0.4;
    builder.add_elastic(placed(solid_figure(size.elements(14, 8)), leaning), soft);
    Model model = builder.finish();
    throw_all(model, {0, 0, -2.0});
    model.solver.dt = 0.02;
    model.contact.friction = 0.3;
    model.frames = 24;
    return model;
}

// Soft bodies that land on each other, with friction.
Model stack(const SceneSize& size) {
    ModelBuilder builder("stack");
    builder.add_obstacle(plane_surface(0.8, 0.8, size.elements(4, 1), size.elements(4, 1)));
    ElasticMaterial stiff;
    stiff.young = 2e5;
    ElasticMaterial soft;
    soft.young = 5e4;
    soft.poisson = 0.3;
    const int cells = size.elements(3, 1);
    builder.add_elastic(placed(solid_block({0.25, 0.25, 0.1}, {cells, cells, size.elements(2, 1)}),
                               {{0, 0, 1}, 0.1, {0, 0, 0.11}}),
                        stiff);
    builder.add_elastic(
        placed(solid_ball(0.16, size.elements(4, 2)), {{0, 0, 1}, 0.3, {0.03, 0.02, 0.40}}), soft);
    builder.add_elastic(placed(solid_block({0.2, 0.2, 0.06}, {cells, cells, size.elements(1, 1)}),
                               {{0, 0, 1}, 0.7, {-0.02, 0.01, 0.66}}),
                        stiff);
    Model model = builder.finish();
    model.solver.dt = 0.02;
    model.contact.friction = 0.5;
    model.frames = 24;
    return model;
}

// Interlocked rings; the upper side of the first one is held.
Model ring_chain(const SceneSize& size) {
    ModelBuilder builder("ring-chain");
    ElasticMaterial rubber;
    rubber.young = 5e5;
    const int rings = 4;
    const TetrahedralMesh ring = solid_torus(0.2, 0.045, size.elements(14, 8), size.elements(2, 1));
    for (int i = 0; i < rings; ++i) {
        // Standing rings, each turned by a right angle against the last.
        Placement upright{{1, 0, 0}, 0.5 * std::numbers::pi, {}};
        const Placement around{{0, 0, 1}, 0.5 * std::numbers::pi * i, {0, 0, -0.28 * i}};
        builder.add_elastic(placed(placed(ring, upright), around), rubber);
    }
    Model model = builder.finish();
    for (std::size_t v = 0; v < model.rest.size(); ++v)
        if (model.body[v] == 0 && model.rest[v].z > 0.12) model.fixed[v] = 1;
    model.solver.dt = 0.02;
    model.frames = 24;
    return model;
}

// A stiff block on an inclined plane, rotated against its edges, so that edges and vertices of both
// meet all along the slope. It begins just above the reach of the contact.
Model sliding_block(const SceneSize& size) {
    ModelBuilder builder("sliding-block");
    const double reach = 1e-3;
    const Placement slope{{0, 1, 0}, kSlidingSlope, {}};
    builder.add_obstacle(
        placed(plane_surface(0.6, 0.3, size.elements(8, 1), size.elements(4, 1)), slope));
    const Vec3 half{0.1, 0.1, 0.05};
    const Placement rotated{{0, 0, 1}, 0.3, {-0.4, 0.0, half.z + reach}};
    ElasticMaterial stiff;
    stiff.young = 2e6;
    stiff.poisson = 0.3;
    const int cells = size.elements(2, 1);
    builder.add_elastic(
        placed(placed(solid_block(half, {cells, cells, size.elements(1, 1)}), rotated), slope),
        stiff);
    Model model = builder.finish();
    model.solver.dt = 0.01;
    model.solver.newton_tolerance = 1e-7;
    model.contact.distance = reach;
    model.contact.friction_iterations = 3;
    model.frames = 50;
    return model;
}

constexpr std::array<NamedScene, 5> kElasticScenes = {{
    {"torus-on-cone", "a soft torus falls on a fixed cone", torus_on_cone},
    {"figure-on-plane", "a soft figure falls on a triangulated plane", figure_on_plane},
    {"ring-chain", "interlocked rings hang and swing", ring_chain},
    {"stack", "soft bodies land on each other, with friction", stack},
    {"sliding-block", "a stiff block slides down an inclined plane", sliding_block},
}};

}  // namespace

std::span<const NamedScene> elastic_scenes() noexcept {
    return kElasticScenes;
}

std::vector<NamedScene> all_scenes() {
    std::vector<NamedScene> scenes(elastic_scenes().begin(), elastic_scenes().end());
    scenes.insert(scenes.end(), cloth_scenes().begin(), cloth_scenes().end());
    scenes.insert(scenes.end(), benchmark_scenes().begin(), benchmark_scenes().end());
    return scenes;
}

Expected<Model> make_scene(std::string_view name, const SceneSize& size) {
    std::string names;
    for (const NamedScene& scene : all_scenes()) {
        if (scene.name == name) {
            try {
                return scene.make(size);
            } catch (const std::length_error& too_large) {
                return Error{too_large.what(), ErrorCode::WrongSize};
            }
        }
        names += (names.empty() ? "" : ", ") + std::string(scene.name);
    }
    return Error{"there is no scene '" + std::string(name) + "', but " + names,
                 ErrorCode::InvalidInput};
}

}  // namespace graze::sim
