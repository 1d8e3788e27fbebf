// Constraints of contacts, by hand.
// Defends G-MESH-3 (docs/GUARANTEES.md).
#include "graze/mesh/active_set.hpp"

#include "gtest/gtest.h"

namespace graze {
namespace {

TEST(ActiveSet, HasAConstraintForEachContactAndTheSignOfItsViolation) {
    const Expected<MeshTopology> mesh = make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});
    const std::vector<Vec3> start = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 1}};
    const std::vector<Vec3> end = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}};
    MeshStepper stepper(*mesh);
    const Expected<ActiveSet> set = active_set(stepper, start, end);
    ASSERT_TRUE(set);
    ASSERT_EQ(set->constraints.size(), 1U);
    const ActiveConstraint& constraint = set->constraints.front();
    EXPECT_NEAR(constraint.contact.normal.z, 1.0, 1e-12);
    EXPECT_NEAR(constraint.value, -1.0, 1e-9);
    EXPECT_NEAR(constraint.contact.on_a.x, 1.0, 1e-9);
    EXPECT_NEAR(constraint.b_at_end.z, 0.0, 1e-12);

    StepOptions options;
    options.query.min_separation = 0.125;
    const std::vector<Vec3> near = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0.0625}};
    const Expected<ActiveSet> early = active_set(stepper, start, near, options);
    ASSERT_EQ(early->constraints.size(), 1U);
    EXPECT_NEAR(early->constraints.front().value, 0.0625 - 0.125, 1e-9);
    EXPECT_TRUE(active_set(stepper, start, near)->constraints.empty());
}

TEST(ActiveSet, PointsFromOneSideToTheOtherWhateverTheMotion) {
    const Expected<MeshTopology> mesh = make_topology(4, std::vector<FaceIndices>{{0, 1, 2}});
    const std::vector<Vec3> start = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0.0625}};
    const std::vector<Vec3> away = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, 0.25}};
    MeshStepper stepper(*mesh);
    StepOptions options;
    options.query.min_separation = 0.125;
    const Expected<ActiveSet> receding = active_set(stepper, start, away, options);
    ASSERT_EQ(receding->constraints.size(), 1U);
    EXPECT_NEAR(receding->constraints.front().contact.normal.z, 1.0, 1e-12);
    EXPECT_NEAR(receding->constraints.front().value, 0.125, 1e-9);
    // Beside the face the direction is that of the nearest point of its rim.
    const std::vector<Vec3> beside = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, -0.0625, 0}};
    const Expected<ActiveSet> rim = active_set(stepper, beside, beside, options);
    ASSERT_EQ(rim->constraints.size(), 2U);  // with the face, and with the edge
    for (const ActiveConstraint& constraint : rim->constraints)
        EXPECT_NEAR(constraint.contact.normal.y, -1.0, 1e-12);
    // Thickness counts.
    const std::vector<double> radius = {0.125, 0.125, 0.125, 0.0625};
    options.radius = radius;
    const Expected<ActiveSet> thick = active_set(stepper, start, start, options);
    ASSERT_EQ(thick->constraints.size(), 1U);
    EXPECT_NEAR(thick->constraints.front().value, 0.0625 - 0.125 - 0.1875, 1e-9);
}

}  // namespace
}  // namespace graze
