// Line searches, attacked with exact answers about the motion that they allow.
// Defends G-MESH-5, G-MESH-6 (docs/GUARANTEES.md).
#include "graze/mesh/line_search.hpp"

#include "free_scenes.hpp"

namespace graze {
namespace {

// The point is drawn through the triangle: every step is shorter than the last, none is zero, and
// it never gets there.
TEST(LineSearch, ApproachesAContactWithoutReachingIt) {
    const Expected<MeshTopology> mesh = make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});
    std::vector<Vec3> x = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}};
    const Vec3 goal{1, 1, -1};
    const auto energy = [&](std::span<const Vec3> p) { return norm_sq(p[3] - goal); };
    MeshStepper stepper(*mesh);
    double height = 1.0;
    for (int i = 0; i < 30; ++i) {
        std::vector<Vec3> end = x;
        end[3] = goal;
        const Expected<LineSearchResult> step = line_search(stepper, x, end, energy);
        ASSERT_TRUE(step);
        EXPECT_GT(step->alpha, 0.0);
        EXPECT_LT(step->positions[3].z, height);
        EXPECT_GT(step->positions[3].z, 0.0);
        EXPECT_TRUE(is_free({*mesh, x, end}, step->positions));
        x = step->positions;
        height = x[3].z;
    }
    EXPECT_LT(height, 1e-6);
}

TEST(LineSearch, GoesBackUntilTheEnergyDecreases) {
    MeshStepper stepper(*make_topology(1, {}));
    const std::vector<Vec3> start = {{1, 0, 0}};
    const std::vector<Vec3> end = {{-9, 0, 0}};
    const auto energy = [](std::span<const Vec3> p) { return norm_sq(p[0]); };
    const Expected<LineSearchResult> step = line_search(stepper, start, end, energy);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->alpha, 0.125);
    EXPECT_LT(step->energy, 1.0);
    const auto uphill = [](std::span<const Vec3> p) { return -norm_sq(p[0]) + 10.0 * p[0].y; };
    const Expected<LineSearchResult> stuck =
        line_search(stepper, start, std::vector<Vec3>{{1, 1, 0}}, uphill);
    EXPECT_EQ(stuck->alpha, 0.0);
    EXPECT_EQ(stuck->positions, start);
}

// Among subnormal numbers what is kept rounds to the distance itself: no step then, and no error.
TEST(LineSearch, TakesEveryFractionBelowOne) {
    MeshStepper stepper(*make_topology(2, {}));
    const auto energy = [](std::span<const Vec3> p) { return norm_sq(p[0] - p[1]); };
    for (const double x : {1e-4, 0x1p-1060, 0x1.8p-1050}) {
        const std::vector<Vec3> start = {{0, 0, 0}, {x, 0, 0}};
        const std::vector<Vec3> end = {{x, 0, 0}, {x, 0, 0}};
        const Expected<LineSearchResult> step =
            line_search(stepper, start, end, energy, {.step = {}, .kept_fraction = 1.0 - 0x1p-53});
        ASSERT_TRUE(step) << step.error().message;
        EXPECT_LT(step->alpha, 1.0);
    }
}

TEST(LineSearch, SaysWhatIsWrongWithItsOptions) {
    MeshStepper stepper(*make_topology(1, {}));
    const std::vector<Vec3> x = {{1, 0, 0}};
    const auto energy = [](std::span<const Vec3>) { return 0.0; };
    EXPECT_FALSE(line_search(stepper, x, x, energy, {.step = {}, .kept_fraction = 1.0}));
    EXPECT_FALSE(line_search(stepper, x, x, energy, {.step = {}, .max_kept = 0.0}));
    EXPECT_FALSE(line_search(stepper, x, x, [](std::span<const Vec3>) { return std::nan(""); }));
}

}  // namespace
}  // namespace graze
