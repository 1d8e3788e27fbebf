// What move_and_slide() calls proved, judged in rationals: also with the thinnest skins, for moves
// of any length, and where the level comes to the ball.
// Defends G-SLIDE-3, G-SLIDE-4, G-SLIDE-5 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "graze/slide/mover.hpp"
#include "slide/exact_clearance.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

using test::ball;
using test::keeps_exactly;
using test::Random;
using test::Triangles;

template <class Real>
class MoverProofTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(MoverProofTest, Reals);

// --- thin skins ----------------------------------------------------------------------------------

// Walls of this kind, hit from all sides.
TYPED_TEST(MoverProofTest, HoldsForTheThinnestSkins) {
    Random random{std::mt19937_64(41)};
    const TypeParam radius = TypeParam(0.5);
    for (int trial = 0; trial < 600; ++trial) {
        Triangles<TypeParam> triangles;
        for (int i = 0; i < 3; ++i) {
            const Vec3 middle = random.in_cube(1.5);
            const auto corner = [&] {
                return narrowed<TypeParam>(middle + random.between(0.5, 4) * random.unit());
            };
            triangles.push_back({corner(), corner(), corner()});
        }
        const Level<TypeParam> level = test::level_of(triangles);
        const Vec<TypeParam> start = narrowed<TypeParam>(5.0 * random.unit());
        const Vec3 target = random.in_cube(2.0);
        const Vec<TypeParam> wish = narrowed<TypeParam>(1.5 * (target - widened(start)));
        const TypeParam skin = TypeParam(std::exp2(random.between(-60, -36)));
        const MoveResult<TypeParam> moved =
            move_and_slide<TypeParam>(level, ball<TypeParam>(0.5), start, wish, {.skin = skin});
        EXPECT_GE(moved.skin, skin);
        if (moved.gap_proved) {
            EXPECT_TRUE(keeps_exactly(triangles, moved.position, radius, moved.skin)) << trial;
        }
    }
}

TYPED_TEST(MoverProofTest, TakesNoSkinBelowTheRoundingOfPlacesAndOfSweeps) {
    const Triangles<TypeParam> floor = {{{{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}}}};
    const Level<TypeParam> level = test::level_of(floor);
    const MoveResult<TypeParam> moved =
        move_and_slide<TypeParam>(level, ball<TypeParam>(0.5), {0, 2, 0}, {0, TypeParam(-1.75), 0},
                                  {.skin = std::numeric_limits<TypeParam>::min()});
    constexpr bool kIsFloat = std::is_same_v<TypeParam, float>;
    // Four units at 2 + 8 / 2, and 2^-38 radii.
    EXPECT_EQ(moved.skin, kIsFloat ? TypeParam(0x1p-19) : TypeParam(0x1p-39));
    EXPECT_TRUE(moved.gap_proved);
    EXPECT_TRUE(keeps_exactly(floor, moved.position, TypeParam(0.5), moved.skin));
    EXPECT_LT(moved.position.y, 0.5 + 4.0 * double{moved.skin});
}

// --- long moves ----------------------------------------------------------------------------------

// Six walls of two triangles each.
template <class Real>
Triangles<Real> room(double half) {
    Triangles<Real> triangles;
    const auto wall = [&](const Vec3& middle, const Vec3& u, const Vec3& v) {
        const auto corner = [&](double a, double b) {
            return narrowed<Real>(half * (middle + a * u + b * v));
        };
        triangles.push_back({corner(-1, -1), corner(1, -1), corner(1, 1)});
        triangles.push_back({corner(-1, -1), corner(1, 1), corner(-1, 1)});
    };
    const Vec3 x{1, 0, 0};
    const Vec3 y{0, 1, 0};
    const Vec3 z{0, 0, 1};
    for (const double side : {-1.0, 1.0}) {
        wall(side * x, y, z);
        wall(side * y, z, x);
        wall(side * z, x, y);
    }
    return triangles;
}

TYPED_TEST(MoverProofTest, NeitherTheSkinNorALegalStartDependsOnTheLengthOfTheWish) {
    const Triangles<TypeParam> walls = room<TypeParam>(3);
    const Level<TypeParam> level = test::level_of(walls);
    Random random{std::mt19937_64(6)};
    for (int trial = 0; trial < 200; ++trial) {
        SCOPED_TRACE(trial);
        const Vec<TypeParam> wish = narrowed<TypeParam>(2.0 * random.unit());
        const MoveResult<TypeParam> rest =
            move_and_slide<TypeParam>(level, ball<TypeParam>(1), {}, wish);
        ASSERT_TRUE(rest.gap_proved);
        const double length = std::pow(10.0, random.between(0, 30));
        const MoveResult<TypeParam> moved = move_and_slide<TypeParam>(
            level, ball<TypeParam>(1), rest.position, narrowed<TypeParam>(length * random.unit()));
        EXPECT_TRUE(moved.gap_proved);
        EXPECT_EQ(moved.skin, rest.skin);
        EXPECT_NE(moved.stopped, StopReason::PushedOut);
        EXPECT_TRUE(keeps_exactly(walls, moved.position, TypeParam(1), moved.skin));
        EXPECT_LT(norm_max(widened(moved.position)), 2.0);
    }
}

TYPED_TEST(MoverProofTest, GoesAllOfAWishOfAnyLengthWhereNothingIsInTheWay) {
    const Level<TypeParam> level = test::level_of(room<TypeParam>(3));
    for (const double length : {1e3, 1e6, 1e9, 1e15, 1e30}) {
        const TypeParam far = static_cast<TypeParam>(length);
        const MoveResult<TypeParam> moved =
            move_and_slide<TypeParam>(level, ball<TypeParam>(1), {5, 1, 1}, {far, 0, 0});
        EXPECT_TRUE(moved.gap_proved);
        EXPECT_EQ(moved.stopped, StopReason::Free);
        EXPECT_EQ(moved.position,
                  (Vec<TypeParam>{static_cast<TypeParam>(5.0 + double{far}), 1, 1}));
    }
}

// Where a skin of four units takes the place of the one that is asked for, it grows with the place.
// A ball that walks out there keeps its footing, is never stopped for good, and is never unproved.
TEST(MoverProof, WalksOutToWhereNumbersAreCoarse) {
    const Triangles<float> floor = {{{{0, 0, -9e5F}, {0, 0, 9e5F}, {9e5F, 0, 9e5F}}},
                                    {{{0, 0, -9e5F}, {9e5F, 0, 9e5F}, {9e5F, 0, -9e5F}}}};
    const Level<float> level = test::level_of(floor);
    Vec<float> place{10, 2, 0};
    for (int frame = 0; frame < 400; ++frame) {
        const float step = 0.05F * place.x;
        const MoveResult<float> moved =
            move_and_slide<float>(level, ball<float>(1), place, {step, -1, 0});
        ASSERT_TRUE(moved.gap_proved) << frame;
        ASSERT_TRUE(keeps_exactly(floor, moved.position, 1.0F, moved.skin)) << frame;
        place = moved.position;
        if (place.x > 8e5F) break;
    }
    EXPECT_GT(place.x, 8e5F);
    EXPECT_LT(place.y, 2.0F);
}

// A wish that is cut is told by Limit, and goes on in the next move.
TEST(MoverProof, AWishThatIsTooLongForTheSkinIsCut) {
    Triangles<float> triangles = {{{{4e4F, -9e4F, -9e4F}, {4e4F, 9e4F, -9e4F}, {4e4F, 0, 9e4F}}}};
    const Level<float> level = test::level_of(triangles);
    Vec<float> place{};
    int limits = 0;
    for (int frame = 0; frame < 20; ++frame) {
        const MoveResult<float> moved =
            move_and_slide<float>(level, ball<float>(1), place, {1e9F, 0, 0});
        ASSERT_TRUE(moved.gap_proved);
        ASSERT_TRUE(keeps_exactly(triangles, moved.position, 1.0F, moved.skin));
        limits += moved.stopped == StopReason::Limit;
        place = moved.position;
    }
    EXPECT_GE(limits, 1);
    EXPECT_NEAR(place.x, 4e4 - 1.0, 0.1);
}

// --- pushed out ----------------------------------------------------------------------------------

// A slab comes at the ball, which has a wall behind it: it must not be pushed through the wall.
TYPED_TEST(MoverProofTest, IsNeverPushedThroughAFace) {
    const Triangles<TypeParam> walls = room<TypeParam>(3);
    Random random{std::mt19937_64(17)};
    int unproved = 0;
    int pushed = 0;
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        Triangles<TypeParam> triangles = walls;
        const Vec<TypeParam> start = narrowed<TypeParam>(random.in_cube(2.9));
        for (int i = 0; i < 3; ++i) {
            const Vec3 middle = widened(start) + random.between(0, 1) * random.unit();
            const auto corner = [&] { return narrowed<TypeParam>(middle + 2.0 * random.unit()); };
            triangles.push_back({corner(), corner(), corner()});
        }
        const Level<TypeParam> level = test::level_of(triangles);
        const MoveResult<TypeParam> moved =
            move_and_slide<TypeParam>(level, ball<TypeParam>(1), start, {});
        EXPECT_LT(norm_max(widened(moved.position)), 3.0);
        if (!moved.gap_proved) {
            EXPECT_EQ(moved.position, start);
            ++unproved;
            continue;
        }
        ++pushed;
        EXPECT_TRUE(keeps_exactly(triangles, moved.position, TypeParam(1), moved.skin));
    }
    EXPECT_GE(pushed, 30);
    EXPECT_GE(unproved, 30);
}

}  // namespace
}  // namespace graze::slide
