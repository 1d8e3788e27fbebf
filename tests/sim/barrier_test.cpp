#include "graze/sim/barrier.hpp"

#include <gtest/gtest.h>

#include <random>

#include "graze/mesh/step.hpp"
#include "graze/sim/scene.hpp"
#include "sim/energy_differences.hpp"

namespace graze::sim {
namespace {

std::array<Vec3, 4> random_corners(std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::array<Vec3, 4> x;
    for (Vec3& p : x)
        p = {uniform(random), uniform(random), uniform(random)};
    return x;
}

// By sampling the parameters: never below the true distance, and near it.
double sampled_distance_sq(QueryKind kind, const std::array<Vec3, 4>& x) {
    constexpr int kSamples = 200;
    double best = kInfinity;
    for (int i = 0; i <= kSamples; ++i)
        for (int j = 0; j <= kSamples; ++j) {
            const double u = i / double(kSamples);
            const double v = j / double(kSamples);
            Vec3 w;
            if (kind == QueryKind::VertexFace) {
                if (u + v > 1.0) continue;
                w = x[0] - (x[1] + u * (x[2] - x[1]) + v * (x[3] - x[1]));
            } else if (kind == QueryKind::EdgeEdge) {
                w = x[0] + u * (x[1] - x[0]) - (x[2] + v * (x[3] - x[2]));
            } else if (kind == QueryKind::VertexEdge) {
                w = x[0] - (x[1] + u * (x[2] - x[1]));
            } else {
                w = x[0] - x[1];
            }
            best = std::min(best, norm_sq(w));
        }
    return best;
}

TEST(ClosestPointsTest, AreThoseOfADenseSampling) {
    std::mt19937 random(1);
    for (int trial = 0; trial < 30; ++trial)
        for (const QueryKind kind : kAllQueryKinds) {
            const auto x = random_corners(random);
            const double found = closest_points(kind, x).squared;
            const double sampled = sampled_distance_sq(kind, x);
            EXPECT_LE(found, sampled + 1e-14);
            EXPECT_NEAR(std::sqrt(found), std::sqrt(sampled), 0.02);
        }
}

TEST(ClosestPointsTest, OfParallelAndDegenerateEdgesAreFinite) {
    const std::array<Vec3, 4> parallel = {{{0, 0, 0}, {1, 0, 0}, {0.25, 1, 0}, {0.75, 1, 0}}};
    EXPECT_DOUBLE_EQ(closest_points(QueryKind::EdgeEdge, parallel).squared, 1.0);
    const std::array<Vec3, 4> point = {{{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 1, 0}}};
    EXPECT_DOUBLE_EQ(closest_points(QueryKind::EdgeEdge, point).squared, 1.0);
}

BarrierEnergy barrier_of(QueryKind kind, double distance, double thickness, double parallel) {
    ContactPair pair;
    pair.kind = kind;
    pair.v = {0, 1, 2, 3};
    pair.thickness = thickness;
    pair.parallel = kind == QueryKind::EdgeEdge ? parallel : 0.0;
    return {{pair}, distance, 2.0};
}

TEST(BarrierEnergyTest, ActsOnPairsWithinItsReachAndOnNoOthers) {
    std::mt19937 random(7);
    int within = 0;
    for (int trial = 0; trial < 2000; ++trial)
        for (const QueryKind kind : kAllQueryKinds) {
            const auto corners = random_corners(random);
            const std::vector<Vec3> x(corners.begin(), corners.end());
            const double distance = 0.3;
            const double thickness = 0.1;
            const BarrierEnergy energy = barrier_of(kind, distance, thickness, 0.0);
            const double apart = std::sqrt(closest_points(kind, corners).squared);
            if (apart <= thickness) continue;
            const bool is_within = apart < distance + thickness;
            within += is_within ? 1 : 0;
            EXPECT_EQ(energy.value(0, x) > 0.0, is_within);
            EXPECT_EQ(energy.active_at(x).element_count(), is_within ? 1u : 0u);
            EXPECT_DOUBLE_EQ(energy.least_distance(x), std::min(distance, apart - thickness));
        }
    EXPECT_GT(within, 100);
}

TEST(BarrierEnergyTest, HasTheDerivativesOfItsValue) {
    std::mt19937 random(2);
    int tested = 0;
    for (int trial = 0; trial < 60; ++trial)
        for (const QueryKind kind : kAllQueryKinds) {
            const auto corners = random_corners(random);
            const std::vector<Vec3> x(corners.begin(), corners.end());
            const double d = std::sqrt(closest_points(kind, corners).squared);
            // Thickness, edges that are nearly parallel (c below `parallel`), neither.
            const double thickness = trial % 3 == 0 ? 0.3 * d : 0.0;
            const BarrierEnergy energy =
                barrier_of(kind, 1.7 * d, thickness, trial % 2 == 0 ? 10.0 : 0.0);
            expect_gradient_of_value(energy, x, 1e-6 * d, 2e-5);
            expect_hessian_of_gradient(energy, x, 1e-6 * d, 2e-4);
            ++tested;
        }
    EXPECT_EQ(tested, 240);
}

TEST(BarrierEnergyTest, GrowsWithoutBoundTowardsContactAndVanishesAtItsDistance) {
    std::vector<Vec3> x = {{0.2, 0.2, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const BarrierEnergy energy = barrier_of(QueryKind::VertexFace, 0.1, 0.0, 0.0);
    double last = 0.0;
    for (const double z : {0.1, 0.09, 0.05, 0.01, 1e-4, 1e-8}) {
        x[0].z = z;
        EXPECT_GE(energy.value(0, x), last);
        last = energy.value(0, x);
    }
    EXPECT_GT(last, 50.0);
    x[0].z = 0.0;
    EXPECT_EQ(energy.value(0, x), kInfinity);
    x[0].z = 0.1;
    EXPECT_EQ(energy.value(0, x), 0.0);
}

// A power of two on all lengths: the same value (stiffness is an energy).
TEST(BarrierEnergyTest, DoesNotDependOnTheUnitOfLength) {
    const std::vector<Vec3> x = {{0.2, 0.2, 0.03}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    std::vector<Vec3> scaled = x;
    for (Vec3& p : scaled)
        p = 0x1p-30 * p;
    EXPECT_EQ(barrier_of(QueryKind::VertexFace, 0.1, 0.0, 0.0).value(0, x),
              barrier_of(QueryKind::VertexFace, 0x1p-30 * 0.1, 0.0, 0.0).value(0, scaled));
}

TEST(BarrierEnergyTest, FindsItsPairsAmongCandidatesAndLeavesOutFixedOnes) {
    ModelBuilder builder("pairs");
    const SurfaceMesh low = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
    const SurfaceMesh middle = {{{0, 0, 0.05}, {1, 0, 0.05}, {0, 1, 0.05}}, {{0, 1, 2}}};
    const SurfaceMesh high = {{{0, 0, 0.1}, {1, 0, 0.1}, {0, 1, 0.1}}, {{0, 1, 2}}};
    builder.add_obstacle(low);
    builder.add_obstacle(middle);
    builder.add_cloth(high, {});
    const Model model = builder.finish();
    MeshStepper stepper(model.surface);
    const auto candidates = stepper.candidates(model.rest, model.rest, 0.08);
    ASSERT_TRUE(candidates);
    const BarrierEnergy energy(contact_pairs(model, *candidates), 0.08, 1.0);
    const BarrierEnergy active = energy.active_at(model.rest);
    EXPECT_GT(active.element_count(), 0u);
    for (const ContactPair& pair : active.pairs())
        for (const std::uint32_t v : pair.vertices())
            EXPECT_GE(v, 3u);
    EXPECT_NEAR(active.least_distance(model.rest), 0.05, 1e-15);
}

TEST(FrictionEnergyTest, OpposesSlidingUpToTheCoefficientTimesTheNormalForce) {
    const std::vector<Vec3> start = {{0.2, 0.2, 0.05}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const BarrierEnergy barrier = barrier_of(QueryKind::VertexFace, 0.1, 0.0, 0.0);
    const FrictionEnergy friction(barrier, start, start, 0.3, 1e-3);
    ASSERT_EQ(friction.element_count(), 1u);
    const double limit = 0.3 * barrier.normal_force(0, start);
    for (const double slide : {2e-4, 9e-4, 0.05}) {
        std::vector<Vec3> x = start;
        x[0] += Vec3{slide, 0.5 * slide, 0.0};
        ElementDerivatives d;
        friction.derivatives(0, x, d);
        EXPECT_GT(d.gradient(0), 0.0);
        EXPECT_NEAR(d.gradient(2), 0.0, 1e-12);
        EXPECT_LE(d.gradient.head<3>().norm(), limit * (1.0 + 1e-12));
        // Forces are internal: they add up to nothing.
        EXPECT_NEAR(d.gradient(0) + d.gradient(3) + d.gradient(6) + d.gradient(9), 0.0, 1e-12);
        if (slide > 1e-3) {
            EXPECT_NEAR(d.gradient.head<3>().norm(), limit, 1e-9 * limit);
        }
        expect_gradient_of_value(friction, x, 1e-7, 1e-5);
        expect_hessian_of_gradient(friction, x, 1e-7, 1e-4);
    }
}

}  // namespace
}  // namespace graze::sim
