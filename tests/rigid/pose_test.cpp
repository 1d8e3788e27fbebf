#include "graze/rigid/step.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "graze/rigid/screw_motion.hpp"
#include "rigid/bodies.hpp"

namespace graze::rigid {
namespace {

using test::RandomPoses;

constexpr double kPi = 3.14159265358979323846;

TEST(Pose, TurnsByTheRightHandRule) {
    const Vec3 turned = rotate(rotation_about({0.0, 0.0, 3.0}, kPi / 2.0), {1.0, 0.0, 0.0});
    EXPECT_NEAR(turned.x, 0.0, 3e-16);
    EXPECT_NEAR(turned.y, 1.0, 1e-15);
    EXPECT_EQ(turned.z, 0.0);
}

// x -> y -> z -> x: a third of a turn about the diagonal, of any length.
TEST(Pose, TakesQuaternionsOfAnyLengthWithoutLoss) {
    for (const double s : {1.0, 0.5, -0.5, 3.0, 0x1p-900, 0x1p+900, 0x1p-1074}) {
        const Quaternion q{s, s, s, s};
        EXPECT_EQ(rotate(q, {1.0, 2.0, 3.0}), (Vec3{3.0, 1.0, 2.0})) << s;
        EXPECT_EQ(normalised(q), (Quaternion{s < 0 ? -0.5 : 0.5, s < 0 ? -0.5 : 0.5,
                                             s < 0 ? -0.5 : 0.5, s < 0 ? -0.5 : 0.5}));
    }
}

TEST(Pose, InverseAndCompositionFitTogether) {
    RandomPoses random(1);
    for (int i = 0; i < 1000; ++i) {
        const Pose p = random.pose();
        const Pose q = random.pose();
        const Vec3 x = random.vector();
        EXPECT_LE(norm(apply(inverse(p), apply(p, x)) - x), 1e-14);
        EXPECT_LE(norm(apply(compose(p, q), x) - apply(p, apply(q, x))), 1e-14);
    }
}

TEST(Pose, TheAxisOfATurnMayHaveAnyLengthButNone) {
    const Quaternion one = rotation_about({0.0, 1.0, 1.0}, 1.0);
    for (const double s : {1e-310, 1e-200, 1e+200, 1.2e+308})
        EXPECT_NEAR(rotation_about({0.0, s, s}, 1.0).y, one.y, 1e-15) << s;
    EXPECT_EQ(rotation_about({}, 1.0), Quaternion{});
}

TEST(Pose, SmallTurnsKeepTheirDigits) {
    const Vec3 moved = rotate({1.0, 0.0, 0.0, 1e-200}, {1.0, 0.0, 0.0});
    EXPECT_EQ(moved.x, 1.0);
    EXPECT_NEAR(moved.y / 2e-200, 1.0, 1e-15);
}

TEST(Pose, RefusesWhatIsNotFiniteOrNotNearUnitLength) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInf = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(check(Pose{}, "A"));
    EXPECT_TRUE(check(Pose{{1.0 + 4e-7, 0.0, 0.0, 0.0}, {}}, "A"));
    EXPECT_FALSE(check(Pose{{1.0 + 6e-7, 0.0, 0.0, 0.0}, {}}, "A"));
    EXPECT_FALSE(check(Pose{{1.0 - 6e-7, 0.0, 0.0, 0.0}, {}}, "A"));
    EXPECT_FALSE(check(Pose{{0.0, 0.0, 0.0, 0.0}, {}}, "A"));
    EXPECT_FALSE(check(Pose{{1.0, kNan, 0.0, 0.0}, {}}, "A"));
    EXPECT_FALSE(check(Pose{{}, {0.0, kInf, 0.0}}, "A"));
    EXPECT_FALSE(check(Pose{{}, {0.0, 0.0, kNan}}, "A"));
}

TEST(Pose, ErrorsSayWhosePoseItIs) {
    PairStep step;
    EXPECT_TRUE(check(step));
    step.b.end.rotation.w = 2.0;
    ASSERT_FALSE(check(step));
    EXPECT_NE(check(step).error().message.find("B at the end"), std::string::npos);
    EXPECT_TRUE(check(step).error().message.ends_with(" 4"));
    step.b.end.rotation.w = 1e150;
    EXPECT_LT(check(step).error().message.size(), 100U);
    step.a.start.translation.x = std::numeric_limits<double>::infinity();
    EXPECT_NE(check(step).error().message.find("A at the start"), std::string::npos);
}

// Every row of the frame has its largest part on another axis, so that each branch is taken.
TEST(PoseMatrix, ReturnsThePoseThatMadeIt) {
    RandomPoses random(7);
    for (int i = 0; i < 1000; ++i) {
        const Pose p = random.pose();
        const auto matrix = matrix_from_pose(p);
        for (const std::size_t count : {12U, 16U}) {
            const auto back = pose_from_matrix(std::span(matrix).first(count));
            ASSERT_TRUE(back) << back.error().message;
            EXPECT_EQ(back->translation, p.translation);
            const Vec3 x = random.vector();
            EXPECT_LE(norm(apply(*back, x) - apply(p, x)), 1e-14 * (1.0 + norm(x)));
        }
    }
}

TEST(PoseMatrix, KeepsHalfTurnsAboutEveryAxis) {
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, -2, 3}}) {
        const Pose p{rotation_about(axis, kPi), {1, 2, 3}};
        const auto back = pose_from_matrix(matrix_from_pose(p));
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_LE(norm(apply(*back, {3, 5, 7}) - apply(p, {3, 5, 7})), 1e-14);
    }
}

TEST(PoseMatrix, NamesTheRowThatIsNoRotation) {
    const std::array<double, 16> good = matrix_from_pose({});
    const auto error_with = [&](std::size_t i, double value) {
        std::array<double, 16> m = good;
        m[i] = value;
        const auto pose = pose_from_matrix(m);
        return pose ? std::string() : pose.error().message;
    };
    EXPECT_NE(error_with(5, 1.1).find("row 1"), std::string::npos);
    EXPECT_NE(error_with(8, 1e-3).find("row 2"), std::string::npos);
    EXPECT_NE(error_with(10, -1.0).find("reflection"), std::string::npos);
    EXPECT_NE(error_with(15, 2.0).find("row 3"), std::string::npos);
    EXPECT_NE(error_with(3, std::numeric_limits<double>::quiet_NaN()).find("row 0"),
              std::string::npos);
    EXPECT_NE(error_with(7, 0x1p+301).find("translation"), std::string::npos);
    EXPECT_EQ(error_with(1, 1e-8), "");
    EXPECT_FALSE(pose_from_matrix(std::span(good).first(9)));
}

TEST(BodyStep, IsReadAtTheCallSite) {
    RandomPoses random(3);
    const Pose p = random.pose();
    const Pose q = random.pose();
    EXPECT_EQ(pose_at(BodyStep::rest(p), 0.5).translation, p.translation);
    const BodyStep step = BodyStep::between(p, q);
    EXPECT_EQ(pose_at(step, 0.0), p);
    EXPECT_EQ(pose_at(step, 1.0), q);
    EXPECT_EQ(pose_at(step, 0.25), world_pose_a({step, step}, 0.25));
}

}  // namespace
}  // namespace graze::rigid
