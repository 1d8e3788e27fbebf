// Steps, attacked with exact answers about the motion that they allow.
// Defends G-MESH-5, G-MESH-6 (docs/GUARANTEES.md).
#include "graze/mesh/safe_step.hpp"

#include "free_scenes.hpp"
#include "graze/narrow/box_separation.hpp"

namespace graze {
namespace {

TEST(SafeStep, IsFreeAsReturnedAndHardlyShorterThanItCouldBe) {
    int limited = 0;
    for (const double offset : {0.0, 1e5}) {
        Recipe recipe = kSparse;
        recipe.offset = offset;
        for (const Scene& scene : free_scenes(recipe, 12)) {
            MeshStepper stepper(scene.mesh);
            const Expected<SafeStep> step = largest_safe_step(stepper, scene.start, scene.end);
            ASSERT_TRUE(step);
            EXPECT_TRUE(is_free(scene, step->positions));
            EXPECT_GT(step->fraction, 0.0);
            double first = kInfinity;
            for (const Contact& contact : exact_contacts(scene, {}))
                first = std::min(first, contact.toi_lower);
            EXPECT_EQ(step->impact.has_value(), first < kInfinity);
            if (!(first < kInfinity)) {
                EXPECT_EQ(step->positions, scene.end);
                continue;
            }
            ++limited;
            EXPECT_LE(step->fraction, first);
            EXPECT_GT(step->fraction, (offset == 0.0 ? 0.9999 : 0.9) * first);
        }
    }
    EXPECT_GT(limited, 8);
}

TEST(SafeStep, KeepsTheSeparation) {
    int limited = 0;
    StepOptions options;
    options.query.min_separation = 1e-3;
    for (const Scene& scene : free_scenes(kSparse, 10)) {
        MeshStepper stepper(scene.mesh);
        if (!(stepper.clearance(scene.start, 1.0)->least > 2e-3)) continue;
        const Expected<SafeStep> step = largest_safe_step(stepper, scene.start, scene.end, options);
        ASSERT_TRUE(step);
        EXPECT_GT(step->fraction, 0.0);
        EXPECT_TRUE(is_free(scene, step->positions, options.query));
        limited += step->fraction < 1.0 ? 1 : 0;
    }
    EXPECT_GT(limited, 2);
}

TEST(SafeStep, GoesNowhereFromAStartThatTouches) {
    const Expected<MeshTopology> mesh = make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});
    const std::vector<Vec3> start = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0}};
    const std::vector<Vec3> end = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}};
    MeshStepper stepper(*mesh);
    const Expected<SafeStep> step = largest_safe_step(stepper, start, end);
    ASSERT_TRUE(step);
    EXPECT_EQ(step->fraction, 0.0);
    EXPECT_EQ(step->positions, start);
    EXPECT_TRUE(step->impact);
}

// Two points that are apart at the start by the gap, on their way to one place.
struct Meeting {
    std::vector<Vec3> start;
    std::vector<Vec3> end;
};
Expected<SafeStep> safe_step_of(const Meeting& scene, const StepOptions& options = {}) {
    MeshStepper stepper(*make_topology(scene.start.size(), {}));
    return largest_safe_step(stepper, scene.start, scene.end, options);
}

// M6: a gap g and no coordinate above Y at the end: g / 16 Y is free as rounded.
TEST(SafeStep, MakesProgressFromEveryGapThatDoublesCanTell) {
    for (const int gap : {-1074, -1073, -1060, -1022, -500, -100, -60, -1}) {
        for (const int size : {-1074, -1040, -600, -1, 0, 10, 500, 1023}) {
            const double g = std::ldexp(1.0, gap);
            const double y = std::ldexp(1.0, size);
            const Meeting scene = {{{-g, -1, 0}, {0, -1, 0}}, {{y, -1, -y}, {y, -1, -y}}};
            const Expected<SafeStep> step = safe_step_of(scene);
            ASSERT_TRUE(step);
            EXPECT_LE(step->proofs, 40);
            EXPECT_NE(step->positions[0], step->positions[1]) << gap << " " << size;
            if (gap - size >= -1069 || size <= -1) {
                EXPECT_GT(step->fraction, 0.0) << gap << " " << size;
            }
        }
    }
}

// A method without times of impact is asked about shorter steps all the same.
TEST(SafeStep, MakesProgressWithoutATimeOfImpact) {
    StepOptions options;
    options.method = make_box_separation();
    const Meeting scene = {{{-1, 0, 0}, {1, 0, 0}}, {{3, 0, 0}, {-3, 0, 0}}};
    const Expected<SafeStep> step = safe_step_of(scene, options);
    ASSERT_TRUE(step);
    EXPECT_GT(step->fraction, 0x1p-4);
    EXPECT_LT(step->fraction, 0.25);
}

TEST(SafeStep, RefusesPositionsOfAnotherNumber) {
    MeshStepper stepper(*make_topology(2, {}));
    const std::vector<Vec3> two = {{0, 0, 0}, {1, 0, 0}};
    const std::vector<Vec3> three = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    for (const auto& other : {std::vector<Vec3>{}, std::vector<Vec3>{{0, 0, 0}}, three}) {
        for (const auto& [start, end] : {std::pair(two, other), std::pair(other, two)}) {
            const Expected<SafeStep> step = largest_safe_step(stepper, start, end);
            ASSERT_FALSE(step) << start.size() << " " << end.size();
            EXPECT_EQ(step.error().code, ErrorCode::WrongSize);
        }
    }
    EXPECT_TRUE(largest_safe_step(stepper, two, two));
}

}  // namespace
}  // namespace graze
