#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>

#include "checked_run.hpp"
#include "graze/sim/cloth_shapes.hpp"
#include "graze/sim/scene.hpp"
#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

Model small_scene(std::string_view name, double resolution) {
    for (const NamedScene& scene : cloth_scenes())
        if (scene.name == name) return scene.make({resolution});
    return {};
}

// A sheet between two plates that close on it, by more than there is room: no motion that scripts
// ask for is possible.
Model pinched() {
    ModelBuilder builder("pinched");
    const SurfaceMesh upper = placed(plane_surface(1.0, 1.0, 1, 1), {.translation = {0, 0, 0.05}});
    const SurfaceMesh lower = placed(plane_surface(1.0, 1.0, 1, 1), {.translation = {0, 0, -0.05}});
    ClothMaterial stiff;
    stiff.bending = 1e-2;
    builder.add_cloth(sheet({0.5, 0.5, 3, 3}), stiff);
    const std::uint32_t a = builder.add_obstacle(upper);
    const std::uint32_t b = builder.add_obstacle(lower);
    Script down;
    Script up;
    for (std::uint32_t i = 0; i < 4; ++i) {
        down.vertices.push_back(a + i);
        up.vertices.push_back(b + i);
    }
    down.keys = {{0.0, {}, 0.0}, {0.1, {0, 0, -0.08}, 0.0}};
    up.keys = {{0.0, {}, 0.0}, {0.1, {0, 0, 0.08}, 0.0}};
    Model& model = builder.model();
    for (const Script& script : {down, up})
        for (const std::uint32_t v : script.vertices) {
            model.fixed[v] = 0;
            model.mass[v] = 1.0;
        }
    model.scripts = {down, up};
    model.contact.response = ContactResponse::Impulses;
    model.contact.distance = 0.01;
    model.solver.dt = 0.02;
    return builder.finish();
}

TEST(ImpulseResponseTest, StopsAPinchInsteadOfLettingItThrough) {
    const Model model = pinched();
    State state = start_state(model);
    const FrameStats stats = checked_run(model, 10, state);
    EXPECT_EQ(stats.crossings, 0u);
    EXPECT_EQ(stats.intersections, 0u);
    EXPECT_GT(stats.fail_safes, 0u);
    // The plates are still on either side of the cloth.
    for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_LT(state.x[i].z, state.x[16].z);
        EXPECT_GT(state.x[i].z, state.x[20].z);
    }
}

TEST(ImpulseResponseTest, FallsFreelyWithoutContact) {
    ModelBuilder builder("fall");
    builder.add_cloth(sheet({1, 1, 4, 4}), {});
    Model model = builder.finish();
    model.contact.response = ContactResponse::Impulses;
    State state = start_state(model);
    checked_run(model, 10, state);
    // Implicit Euler: g dt^2 n (n + 1) / 2.
    for (const Vec3& x : state.x)
        EXPECT_NEAR(x.z, -9.81 * 1e-4 * 55.0, 1e-9);
}

TEST(ImpulseResponseTest, KeepsTheThicknessOfClothThatLies) {
    ModelBuilder builder("lie");
    builder.add_cloth(placed(sheet({0.5, 0.5, 4, 4}), {.translation = {0.01, 0.02, 0.03}}), {},
                      0.01);
    builder.add_obstacle(plane_surface(1.0, 1.0, 1, 1));
    Model model = builder.finish();
    model.contact.response = ContactResponse::Impulses;
    model.contact.distance = 0.002;
    model.contact.friction = 0.3;
    State state = start_state(model);
    const FrameStats stats = checked_run(model, 60, state);
    EXPECT_EQ(stats.crossings, 0u);
    for (std::size_t i = 0; i < 25; ++i) {
        EXPECT_GT(state.x[i].z, 0.5 * 0.012);
        EXPECT_LT(state.x[i].z, 1.5 * 0.012);
    }
}

TEST(ImpulseResponseTest, KeepsMomentumWhereSheetsCollide) {
    const Model model = small_scene("colliding-tablecloths", 0.3);
    State state = start_state(model);
    const auto momentum = [&] {
        Vec3 sum{};
        for (std::size_t i = 0; i < state.v.size(); ++i)
            sum += model.mass[i] * state.v[i];
        return sum;
    };
    const Vec3 before = momentum();
    const FrameStats stats = checked_run(model, 8, state);
    EXPECT_GT(stats.positive, 0u);
    EXPECT_LT(norm(momentum() - before), 1e-6);
}

class ClothSceneTest : public testing::TestWithParam<std::string_view> {};

TEST_P(ClothSceneTest, HasNoContactInAnyMotionThatItAccepts) {
    const Model model = small_scene(GetParam(), 0.35);
    State state = start_state(model);
    const FrameStats stats = checked_run(model, 12, state);
    EXPECT_EQ(stats.crossings, 0u);
    EXPECT_EQ(stats.intersections, 0u);
    EXPECT_EQ(stats.stuck, 0u);
}

TEST_P(ClothSceneTest, HasTheSameBitsForAnyNumberOfThreads) {
    const Model model = small_scene(GetParam(), 0.3);
    State one = start_state(model);
    State three = one;
    checked_run(model, 4, one, 1);
    checked_run(model, 4, three, 3);
    EXPECT_EQ(one, three);
}

INSTANTIATE_TEST_SUITE_P(All, ClothSceneTest,
                         testing::Values("bow-knot", "lifted-tablecloth", "colliding-tablecloths",
                                         "garment", "mat-twist", "ball-in-cloth", "hair"),
                         [](const testing::TestParamInfo<std::string_view>& scene) {
                             std::string name(scene.param);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// What Wang 2014 found with the tests that all had (section 5, "Safety"): contacts are missed, and
// from then on impulses do not converge.
TEST(CollidingTableclothsTest, PassThroughEachOtherWithoutTolerances) {
    Model model = small_scene("colliding-tablecloths", 1.0);
    model.contact.method = "cubic";
    State state = start_state(model);
    const FrameStats stats = checked_run(model, 10, state);
    EXPECT_GT(stats.crossings, 0u);
    EXPECT_GT(stats.intersections, 0u);
    EXPECT_GT(stats.stuck, 0u);
}

TEST(ClothShapesTest, HaveFacesOfOneOrientation) {
    for (const SurfaceMesh& mesh : {sheet({1, 1, 3, 4}), tube({}), plate(0.5, 0.1, 8),
                                    capsule({{0, 0, 0}, {1, 2, 3}, 0.5, 0.3})}) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> sides;
        for (const FaceIndices& f : mesh.faces)
            for (std::size_t i = 0; i < 3; ++i)
                sides.emplace_back(f[i], f[(i + 1) % 3]);
        std::sort(sides.begin(), sides.end());
        EXPECT_EQ(std::adjacent_find(sides.begin(), sides.end()), sides.end());
    }
}

TEST(ClothShapesTest, CloseCapsulesOutward) {
    const SurfaceMesh mesh = capsule({{0, 0, 0}, {0, 0, 2}, 0.5, 0.5, 48, 16});
    double six_volumes = 0.0;
    for (const FaceIndices& f : mesh.faces)
        six_volumes += dot(mesh.positions[f[0]], cross(mesh.positions[f[1]], mesh.positions[f[2]]));
    const double pi = std::numbers::pi;
    EXPECT_NEAR(six_volumes / 6.0, pi * 0.25 * 2.0 + 4.0 / 3.0 * pi * 0.125, 0.03);
}

TEST(ClothShapesTest, LayTheBowWithLittleStretch) {
    const Bow bow = loose_bow({});
    ASSERT_EQ(bow.rest.size(), bow.start.size());
    EXPECT_FALSE(bow.left_tip.empty());
    EXPECT_FALSE(bow.right_tip.empty());
    double largest = 0.0;
    for (const FaceIndices& f : bow.faces)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = f[i];
            const std::uint32_t b = f[(i + 1) % 3];
            const double ratio =
                norm(bow.start[a] - bow.start[b]) / norm(bow.rest[a] - bow.rest[b]);
            largest = std::max(largest, std::fabs(ratio - 1.0));
        }
    EXPECT_LT(largest, 0.4);
}

}  // namespace
}  // namespace graze::sim
