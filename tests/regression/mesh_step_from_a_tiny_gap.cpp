// A gap of 2^-100 beside coordinates of 2^10: the step was refused, though the start is separated.
#include <gtest/gtest.h>

#include "graze/mesh.hpp"

namespace graze {
namespace {

// They meet at t = 1. At every fraction above 2^-57 or so their places are rounded to one.
TEST(MeshRegression, MakesProgressWhereRoundingBringsTogetherWhatIsApart) {
    const std::vector<Vec3> start = {{-0x1p-100, -1, 0}, {0, -1, 0}};
    const std::vector<Vec3> end = {{0x1p+10, -1, -1}, {0x1p+10, -1, -1}};
    MeshStepper stepper(*make_topology(start.size(), {}));
    const Expected<SafeStep> step = largest_safe_step(stepper, start, end);
    ASSERT_TRUE(step);
    EXPECT_GT(step->fraction, 0x1p-60);
    EXPECT_LT(step->fraction, 0x1p-56);
    EXPECT_NE(step->positions[0], step->positions[1]);
    EXPECT_LE(step->proofs, 40);
}

}  // namespace
}  // namespace graze
