// Radii and fractions by vertex, attacked with exact answers about the motion that they allow.
// Defends G-MESH-5, G-MESH-6, G-MESH-7 (docs/GUARANTEES.md).
#include "graze/mesh/vertex_bounds.hpp"

#include "free_scenes.hpp"

namespace graze {
namespace {

// A unit vector, about, and never longer.
Vec3 direction(std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    const Vec3 v{normal(random), normal(random), normal(random)};
    return ((1.0 - 0x1p-40) / norm(v)) * v;
}

TEST(FreeRadii, AllowEveryMotionWithinThem) {
    std::mt19937_64 random(17);
    for (const Scene& scene : free_scenes(kSparse, 8)) {
        MeshStepper stepper(scene.mesh);
        const Expected<std::vector<double>> radii = free_radii(stepper, scene.start, 0.5);
        ASSERT_TRUE(radii);
        for (int attempt = 0; attempt < 12; ++attempt) {
            std::vector<Vec3> end = scene.start;
            for (std::size_t i = 0; i < end.size(); ++i) {
                ASSERT_GT((*radii)[i], 0.0);
                // Towards another vertex, or anywhere.
                const Vec3 to = scene.start[random() % end.size()] - scene.start[i];
                const double distance = norm(to);
                const Vec3 way = attempt % 2 == 0 && distance > 0.0
                                     ? ((1.0 - 0x1p-40) / distance) * to
                                     : direction(random);
                end[i] = end[i] + (*radii)[i] * way;
            }
            EXPECT_TRUE(is_free(scene, end)) << attempt;
            EXPECT_TRUE(stepper.intersections(end)->empty());
        }
    }
}

// Two points that fly at each other: their radii are half their distance, not more.
TEST(FreeRadii, ShareTheDistanceOfAPair) {
    MeshStepper stepper(*make_topology(2, {}));
    const std::vector<Vec3> start = {{0, 0, 0}, {1, 0, 0}};
    const Expected<std::vector<double>> radii = free_radii(stepper, start, 4.0);
    ASSERT_TRUE(radii);
    EXPECT_LT((*radii)[0] + (*radii)[1], 1.0);
    EXPECT_NEAR((*radii)[0] + (*radii)[1], 1.0, 1e-8);
    StepOptions options;
    options.query.min_separation = 0.5;
    EXPECT_NEAR((*free_radii(stepper, start, 4.0, options))[0], 0.25, 1e-8);
}

TEST(FreeFractions, AreFreeTogetherAndStopOnlyWhatMeets) {
    int stopped = 0;
    int unhindered = 0;
    for (const Scene& scene : free_scenes(kSparse, 15)) {
        MeshStepper stepper(scene.mesh);
        const Expected<FreeFractions> bounds = free_fractions(stepper, scene.start, scene.end);
        ASSERT_TRUE(bounds);
        EXPECT_TRUE(is_free(scene, bounds->positions));
        for (const double fraction : bounds->fraction) {
            EXPECT_GT(fraction, 0.0);
            (fraction < 1.0 ? stopped : unhindered) += 1;
        }
    }
    EXPECT_GT(stopped, 20);
    EXPECT_GT(unhindered, 20);
}

// A falls on B, which gives way to C: if A alone is stopped at its time of impact and B goes on ...
// the times of impact of single vertices do not fit together.
TEST(FreeFractions, AreNotTheTimesOfImpactByVertex) {
    // A point chases a triangle that is about to hit a wall.
    const Expected<MeshTopology> mesh =
        make_topology(7, std::vector<FaceIndices>{{0, 1, 2}, {3, 4, 5}});
    const std::vector<Vec3> start = {{10, -9, -9}, {10, 9, -9}, {10, 0, 9},  // the wall
                                     {9, -1, -1},  {9, 1, -1},  {9, 0, 1},  {0, 0, 0}};
    std::vector<Vec3> end = start;
    for (std::size_t i = 3; i < 6; ++i)
        end[i].x = 29.0;
    end[6].x = 18.0;
    MeshStepper stepper(*mesh);
    // The triangle flees the point faster than it comes, so that they never meet in the step
    // itself.
    const Expected<StepImpacts> all = stepper.all_impacts(start, end);
    for (const Impact& impact : all->impacts)
        EXPECT_FALSE(impact.kind == QueryKind::VertexFace && impact.a == 6 && impact.b == 1);
    // Stopped by the wall at t = 1/20, though, the triangle would be hit by the point.
    const Expected<FreeFractions> bounds = free_fractions(stepper, start, end);
    ASSERT_TRUE(bounds);
    EXPECT_LT(bounds->fraction[3], 0.05);
    EXPECT_LT(bounds->positions[6].x, 10.0);
    EXPECT_TRUE(is_free({*mesh, start, end}, bounds->positions));
}

}  // namespace
}  // namespace graze
