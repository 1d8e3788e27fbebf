#include "graze/core/vec3.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace graze {
namespace {

TEST(Vec, ReadsAsAGameProgrammerWritesIt) {
    Vec3f position{1, 2, 3};
    const Vec3f velocity{4, 0, -4};
    const float dt = 0.25F;
    position += dt * velocity;
    EXPECT_EQ(position, (Vec3f{2, 2, 2}));
    position -= velocity * 2;  // an integer becomes a float
    EXPECT_EQ(position, (Vec3f{-6, 2, 10}));
    EXPECT_EQ(-position, (Vec3f{6, -2, -10}));
    EXPECT_EQ(position - position, Vec3f{});
}

TEST(Vec, RoundsEachOperationToItsOwnType) {
    // 1 + 2^-24 is no float: the product of floats is rounded to one before it is added.
    const Vec3f v{1 + 0x1p-12F, 0, 0};
    EXPECT_EQ(dot(v, v), (1 + 0x1p-12F) * (1 + 0x1p-12F));
    static_assert(std::is_same_v<decltype(dot(v, v)), float>);
    static_assert(std::is_same_v<decltype(norm(v)), float>);
    EXPECT_EQ(norm(Vec3f{3, 0, 4}), 5.0F);
}

TEST(Vec, HasAProductThatIsSquareToBothFactors) {
    const Vec3 a{1, 2, 3};
    const Vec3 b{-2, 0.5, 4};
    EXPECT_EQ(dot(a, cross(a, b)), 0.0);
    EXPECT_EQ(dot(b, cross(a, b)), 0.0);
    EXPECT_EQ(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}), (Vec3{0, 0, 1}));
}

TEST(Vec, HasNormsOfWhichTheLargestIsExact) {
    const Vec3 v{-3, 1e-300, 4};
    EXPECT_EQ(norm_max(v), 4.0);
    EXPECT_EQ(norm_one(v), 7.0);
    EXPECT_EQ(norm_sq(v), 25.0);
}

TEST(Vec, IsFiniteOnlyWhereAllCoordinatesAre) {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(is_finite(Vec3f{1, 2, std::numeric_limits<float>::max()}));
    EXPECT_FALSE(is_finite(Vec3f{1, kInfinite, 0}));
    EXPECT_FALSE(is_finite(Vec3{0, 0, std::numeric_limits<double>::quiet_NaN()}));
}

}  // namespace
}  // namespace graze
