#include "graze/sim/scene.hpp"

#include <gtest/gtest.h>

#include "graze/sim/response.hpp"
#include "graze/sim/shapes.hpp"

namespace graze::sim {
namespace {

double least_volume(const TetrahedralMesh& mesh) {
    double least = kInfinity;
    const auto& x = mesh.positions;
    for (const auto& t : mesh.tetrahedra)
        least =
            std::min(least, dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]));
    return least;
}

TEST(ShapesTest, HaveTetrahedraOfPositiveVolume) {
    for (int n = 1; n < 6; ++n) {
        EXPECT_GT(least_volume(solid_block({1, 2, 3}, {n, n, n})), 0.0);
        EXPECT_GT(least_volume(solid_ball(1.0, n)), 0.0) << n;
        EXPECT_GT(least_volume(solid_torus(1.0, 0.3, 5 + n, n)), 0.0) << n;
        EXPECT_GT(least_volume(solid_figure(8 + 2 * n)), 0.0) << n;
    }
}

TEST(ScenesTest, CanStart) {
    for (const NamedScene& scene : all_scenes()) {
        SCOPED_TRACE(scene.name);
        const Model model = scene.make({});
        const auto good = check_model(model);
        ASSERT_TRUE(good) << good.error().message;
        EXPECT_EQ(model.name, scene.name);
        MeshStepper stepper(model.surface);
        const StepOptions options = collision_options(model);
        const auto found = stepper.intersections(start_state(model).x, options);
        ASSERT_TRUE(found);
        EXPECT_TRUE(found->empty());
    }
}

TEST(ScenesTest, AreNamedInTheErrorForAnUnknownOne) {
    const auto scene = make_scene("torus");
    ASSERT_FALSE(scene);
    EXPECT_NE(scene.error().message.find("torus-on-cone"), std::string::npos);
}

}  // namespace
}  // namespace graze::sim
