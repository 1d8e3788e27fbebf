// Steps of a mesh by methods whose tolerances come from bounds of the step, of pairs at rest, or of
// an animation that outgrows them; and `safe-cubic` as the method of every whole-mesh call.
// Defends G-SAFE-5 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "graze/mesh/active_set.hpp"
#include "graze/mesh/safe_step.hpp"
#include "graze/narrow/safe_cubic.hpp"
#include "graze/narrow/tight_inclusion.hpp"
#include "random_scene.hpp"

namespace graze {
namespace {

StepOptions options_for(const Method& method, BoundSource source) {
    StepOptions options;
    options.method = method;
    options.bounds = source;
    return options;
}

// Every pair that really collides is among the impacts, with a time that is not beyond it.
void expect_all_found(const Scene& scene, const StepOptions& options) {
    MeshStepper stepper(scene.mesh);
    const auto found = stepper.all_impacts(scene.start, scene.end, options);
    const auto truth = stepper.all_impacts(scene.start, scene.end);
    ASSERT_TRUE(found && truth);
    for (const Impact& real : truth->impacts) {
        const auto same =
            std::find_if(found->impacts.begin(), found->impacts.end(), [&](const Impact& impact) {
                return std::tuple(impact.kind, impact.a, impact.b) ==
                       std::tuple(real.kind, real.a, real.b);
            });
        ASSERT_NE(same, found->impacts.end());
        EXPECT_LE(same->result.toi_lower, real.result.toi_upper);
    }
    EXPECT_LE(found->toi_lower, truth->toi_upper);
    EXPECT_EQ(found->bounds.has_value(), options.bounds != BoundSource::Query);
    const auto first = stepper.first_impact(scene.start, scene.end, options);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->bounds, found->bounds);
    EXPECT_LE(first->toi_lower, truth->toi_upper);
}

TEST(BoundedStep, FindsEveryContactWithEveryBound) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(seed);
        const Scene scene =
            SceneMaker({.faces = 8, .loose_edges = 2, .points = 2, .integers = seed % 3 == 0}, seed)
                .make();
        for (const Method& method : {make_safe_cubic(), make_tight_inclusion()}) {
            for (const BoundSource source :
                 {BoundSource::Query, BoundSource::Pair, BoundSource::Scene})
                expect_all_found(scene, options_for(method, source));
            StepOptions by_rest = options_for(method, BoundSource::Pair);
            by_rest.rest = scene.start;
            expect_all_found(scene, by_rest);
        }
    }
}

// Two triangles, one of which falls; the second step is much larger than what was declared.
struct Animation {
    MeshTopology mesh = *make_topology(6, std::vector<FaceIndices>{{0, 1, 2}, {3, 4, 5}});

    static std::vector<Vec3> at(double height, double size = 1.0) {
        return {{0, 0, 0},
                {4, 0, 0},
                {0, 4, 0},
                {1, 1, height},
                {1 + size, 1, height},
                {1, 1 + size, height}};
    }
};

TEST(BoundedStep, ThatOutgrowsTheDeclaredBoundsSaysSoAndMissesNothing) {
    const Animation animation;
    MeshStepper stepper(animation.mesh);
    for (const Method& method : {make_safe_cubic(), make_tight_inclusion()}) {
        StepOptions options = options_for(method, BoundSource::Scene);
        const auto first = stepper.first_impact(Animation::at(9), Animation::at(8.5), options);
        ASSERT_TRUE(first && first->bounds);
        EXPECT_FALSE(first->bounds->grew);
        EXPECT_EQ(first->verdict, Verdict::Separated);
        EXPECT_EQ(first->bounds->bounds.longest_edge, 4.0);
        EXPECT_EQ(first->bounds->bounds.relative_displacement, 0.5);
        options.declared = first->bounds->bounds;
        // A step within what was declared.
        const auto second = stepper.first_impact(Animation::at(8.5), Animation::at(8.25), options);
        ASSERT_TRUE(second && second->bounds);
        EXPECT_FALSE(second->bounds->grew);
        EXPECT_EQ(second->bounds->bounds, *options.declared);
        // One that leaves it: in displacement, in the size of a face, and through the other face.
        const auto third =
            stepper.first_impact(Animation::at(8.25), Animation::at(-8, 40), options);
        ASSERT_TRUE(third && third->bounds);
        EXPECT_TRUE(third->bounds->grew);
        EXPECT_GE(third->bounds->bounds.longest_edge, 40.0);
        EXPECT_GE(third->bounds->bounds.relative_displacement, 16.25);
        EXPECT_EQ(third->verdict, Verdict::Contact);
        EXPECT_GT(third->toi_lower, 0.0);
        // Declared from now on, nothing grows.
        options.declared = third->bounds->bounds;
        const auto last = stepper.first_impact(Animation::at(8.25), Animation::at(-8, 40), options);
        ASSERT_TRUE(last && last->bounds);
        EXPECT_FALSE(last->bounds->grew);
    }
}

TEST(BoundedStep, DeclaredTooSmallCostsNoContact) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Scene scene = SceneMaker({.faces = 8}, seed).make();
        StepOptions options = options_for(make_safe_cubic(), BoundSource::Scene);
        options.declared.emplace().declared_length = 1e-9;
        expect_all_found(scene, options);
        // A resting shape that is a point.
        const std::vector<Vec3> rest(scene.start.size());
        options.bounds = BoundSource::Pair;
        options.rest = rest;
        expect_all_found(scene, options);
    }
}

TEST(BoundedStep, OutgrowsALengthThatIsDeclaredOnlyWhereItIsLarger) {
    const Animation animation;
    MeshStepper stepper(animation.mesh);
    StepOptions options = options_for(make_safe_cubic(), BoundSource::Scene);
    for (const double length : {4.0, 100.0}) {
        options.declared.emplace().declared_length = length;
        const auto first = stepper.first_impact(Animation::at(9), Animation::at(8.5), options);
        ASSERT_TRUE(first && first->bounds);
        EXPECT_EQ(first->bounds->grew, length < 4.5);
    }
}

TEST(BoundedStep, RefusesARestingShapeOfAnotherSize) {
    const Animation animation;
    MeshStepper stepper(animation.mesh);
    StepOptions options = options_for(make_safe_cubic(), BoundSource::Pair);
    const std::vector<Vec3> rest(5);
    options.rest = rest;
    EXPECT_FALSE(stepper.first_impact(Animation::at(2), Animation::at(1), options));
}

TEST(BoundedStep, LeavesMethodsWithoutTolerancesAsTheyAre) {
    const Animation animation;
    MeshStepper stepper(animation.mesh);
    const auto plain = stepper.first_impact(Animation::at(1), Animation::at(-1));
    const auto bounded = stepper.first_impact(Animation::at(1), Animation::at(-1),
                                              options_for(make_certified(), BoundSource::Scene));
    ASSERT_TRUE(plain && bounded);
    EXPECT_EQ(bounded->impact, plain->impact);
    EXPECT_FALSE(bounded->bounds);
}

// --- `safe-cubic` as the method of whole-mesh calls ------------------------------------------------

TEST(SafeCubicStep, KnowsWhenTheFirstImpactIs) {
    const Animation animation;
    MeshStepper stepper(animation.mesh);
    const StepOptions options = options_for(make_safe_cubic(), BoundSource::Query);
    const auto first = stepper.first_impact(Animation::at(1), Animation::at(-1), options);
    ASSERT_TRUE(first && first->impact);
    EXPECT_LE(first->toi_lower, 0.5);
    EXPECT_GT(first->toi_lower, 0.5 - 1e-6);
}

TEST(SafeCubicStep, GivesTheLargestSafeStep) {
    const Animation animation;
    MeshStepper stepper(animation.mesh);
    const StepOptions options = options_for(make_safe_cubic(), BoundSource::Query);
    const auto step = largest_safe_step(stepper, Animation::at(1), Animation::at(-1), options);
    ASSERT_TRUE(step);
    EXPECT_LT(step->fraction, 0.5);
    EXPECT_GT(step->fraction, 0.45);
    const auto proof = stepper.first_impact(Animation::at(1), step->positions);
    ASSERT_TRUE(proof);
    EXPECT_EQ(proof->verdict, Verdict::Separated);
}

TEST(SafeCubicStep, IsNeverLaterThanTheFirstContactOfRandomScenes) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene = SceneMaker({.faces = 10, .loose_edges = 2, .points = 2}, seed).make();
        expect_all_found(scene, options_for(make_safe_cubic(), BoundSource::Query));
    }
}

}  // namespace
}  // namespace graze
