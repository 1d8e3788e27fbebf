// Clearances of a mesh at rest, against every pair asked of the oracle.
// Defends G-MESH-4 (docs/GUARANTEES.md).
#include "graze/mesh/step.hpp"

#include <array>
#include <cmath>

#include "free_scenes.hpp"
#include "graze/narrow/distance.hpp"
#include "mesh/reach_rule.hpp"

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

double distance_of(const Scene& scene, const Pair& pair, Norm norm) {
    const auto at = [&](std::size_t i) {
        const Vec3& p = scene.start[pair.vertices[i]];
        return MovingPoint{p, p};
    };
    switch (pair.kind) {
        case QueryKind::VertexFace:
            return distance_lower(VertexFaceMotion{at(0), {at(1), at(2), at(3)}}, norm);
        case QueryKind::EdgeEdge:
            return distance_lower(EdgeEdgeMotion{{at(0), at(1)}, {at(2), at(3)}}, norm);
        case QueryKind::VertexVertex:
            return distance_lower(VertexVertexMotion{at(0), at(1)}, norm);
        case QueryKind::VertexEdge:
            break;
    }
    return distance_lower(VertexEdgeMotion{at(0), {at(1), at(2)}}, norm);
}

bool is_dropped(const Scene& scene, const Pair& pair, const mesh_detail::ReachRule& rule) {
    std::array<Vec3, 4> at;
    for (std::size_t i = 0; i < pair.vertices.size(); ++i)
        at[i] = scene.start[pair.vertices[i]];
    switch (pair.kind) {
        case QueryKind::VertexFace:
            return rule.drops<1, 4>(at.data());
        case QueryKind::EdgeEdge:
            return rule.drops<2, 4>(at.data());
        case QueryKind::VertexVertex:
            return rule.drops<1, 2>(at.data());
        case QueryKind::VertexEdge:
            break;
    }
    return rule.drops<1, 3>(at.data());
}

// By the rule alone, of all pairs: what any boxes must find.
std::vector<double> clearance_by_rule(const Scene& scene, double reach, Norm norm) {
    std::vector<double> by_vertex(scene.start.size(), reach);
    for (const Pair& pair : every_pair(scene.mesh)) {
        const double distance = distance_of(scene, pair, norm);
        if (!(distance < reach) || is_dropped(scene, pair, {reach, true})) continue;
        for (const std::uint32_t vertex : pair.vertices)
            by_vertex[vertex] = std::min(by_vertex[vertex], distance);
    }
    return by_vertex;
}

TEST(Clearance, CountsThePairsOfTheRuleWhateverBoxesFindThem) {
    for (const double offset : {0.0, 1e3, 1e12}) {
        for (std::uint64_t seed = 0; seed < 3; ++seed) {
            const Scene scene =
                SceneMaker({.faces = 6, .loose_edges = 3, .points = 4, .offset = offset}, seed)
                    .make();
            MeshStepper stepper(scene.mesh);
            for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
                StepOptions options;
                options.query.norm = norm;
                std::vector<double> reaches = {0.25};
                // The bounds of pairs, where rounding decides.
                for (const Pair& pair : every_pair(scene.mesh)) {
                    if ((pair.a + pair.b) % 13 != 0) continue;
                    const double distance = distance_of(scene, pair, norm);
                    if (!(distance > 0.0)) continue;
                    reaches.push_back(distance);
                    reaches.push_back(std::nextafter(distance, 2.0 * distance));
                }
                for (const double reach : reaches) {
                    const Expected<Clearance> clearance =
                        stepper.clearance(scene.start, reach, options);
                    ASSERT_TRUE(clearance);
                    EXPECT_EQ(clearance->by_vertex, clearance_by_rule(scene, reach, norm));
                }
            }
        }
    }
}

// Boxes at rest whose gap on one axis or diagonal is the reach, and a few ulps of the coordinates beside.
TEST(Clearance, DropsNoPairThatIsNearerThanTheReach) {
    const double reach = 0x1.3p-3;
    int dropped = 0;
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, -1}, Vec3{1, 1, 0},
                             Vec3{1, 0, -1}, Vec3{0, -1, 1}}) {
        for (int ulps = -40; ulps <= 40; ++ulps) {
            const double gap = reach * (1.0 + ulps * 0x1p-46);
            const Vec3 at{0x1.5p+9, -0x1.7p+9, 0x1.1p+9};
            const std::array<Vec3, 2> pair = {at, at + gap * axis};
            if (!mesh_detail::ReachRule{reach, true}.drops<1, 2>(pair.data())) continue;
            ++dropped;
            // Exact: the points are sums that may have been rounded, so their difference is taken.
            const Vec3 apart = pair[1] - pair[0];
            EXPECT_GE(std::max({std::fabs(apart.x), std::fabs(apart.y), std::fabs(apart.z)}),
                      reach);
        }
    }
    EXPECT_GT(dropped, 20);
    // And it drops what is clearly beyond.
    const std::array<Vec3, 2> far = {Vec3{}, Vec3{0.0, 1.1 * reach, 1.1 * reach}};
    EXPECT_TRUE((mesh_detail::ReachRule{reach, true}.drops<1, 2>(far.data())));
}

}  // namespace
}  // namespace graze
