// Clearances of a mesh at rest, against every pair asked of the oracle.
// Defends G-MESH-4 (docs/GUARANTEES.md).
#include "graze/mesh/step.hpp"

#include "free_scenes.hpp"

namespace graze {
namespace {

TEST(Clearance, IsALowerBoundOfEveryDistanceAndNearlyReached) {
    int sharp = 0;
    for (const Scene& scene : free_scenes(kSparse, 8)) {
        MeshStepper stepper(scene.mesh);
        const double reach = 0.5;
        const Expected<Clearance> clearance = stepper.clearance(scene.start, reach);
        ASSERT_TRUE(clearance);
        const Scene still = {scene.mesh, scene.start, scene.start};
        for (const Pair& pair : every_pair(scene.mesh)) {
            double least = reach;
            for (const std::uint32_t vertex : pair.vertices)
                least = std::min(least, clearance->by_vertex[vertex]);
            // No pair is nearer than the largest clearance of its vertices.
            double most = 0.0;
            for (const std::uint32_t vertex : pair.vertices)
                most = std::max(most, clearance->by_vertex[vertex]);
            if (!(most > 0.0)) continue;
            EXPECT_EQ(truth_of(still, pair, {.min_separation = most * (1 - 0x1p-50)}).verdict,
                      Verdict::Separated);
            const CcdOptions above{.min_separation = least * (1 + 0x1p-40)};
            sharp += truth_of(still, pair, above).verdict == Verdict::Contact ? 1 : 0;
        }
    }
    EXPECT_GT(sharp, 20);
}

}  // namespace
}  // namespace graze
