#include "graze/slide/controller.hpp"

#include <gtest/gtest.h>

#include "slide/mover_support.hpp"

namespace graze::slide {
namespace {

using test::Soup;

template <class Real>
class ControllerTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ControllerTest, Reals);

constexpr double kPi = std::numbers::pi;

template <class Real>
SweepContact<Real> contact_with(double x, double y, double z) {
    SweepContact<Real> c;
    c.normal = narrowed<Real>((1.0 / norm(Vec3{x, y, z})) * Vec3{x, y, z});
    return c;
}

// A floor, and at x = 2 a step of the given height that goes on for ever.
Soup step_of(double height) {
    Soup soup;
    soup.quad({-20, 0, -20}, {-20, 0, 20}, {2, 0, 20}, {2, 0, -20});
    soup.quad({2, 0, -20}, {2, 0, 20}, {2, height, 20}, {2, height, -20});
    soup.quad({2, height, -20}, {2, height, 20}, {40, height, 20}, {40, height, -20});
    return soup;
}

// --- slopes --------------------------------------------------------------------------------------

TYPED_TEST(ControllerTest, KnowsGroundFromSlopesWallsAndCeilings) {
    const Footing<TypeParam> footing{.least_upward = TypeParam(std::cos(kPi / 4))};
    const auto tilted = [](double degrees) {
        return narrowed<TypeParam>(
            {std::sin(degrees * kPi / 180), std::cos(degrees * kPi / 180), 0});
    };
    EXPECT_TRUE(is_walkable(tilted(0), footing));
    EXPECT_TRUE(is_walkable(tilted(44.9), footing));
    EXPECT_FALSE(is_walkable(tilted(45.1), footing));
    EXPECT_FALSE(is_walkable(tilted(90), footing));
    EXPECT_FALSE(is_walkable(tilted(180), footing));
    Footing<TypeParam> nowhere = footing;
    nowhere.up = {};
    EXPECT_FALSE(is_walkable(tilted(0), nowhere));
    // `up` may have any length and direction.
    Footing<TypeParam> sideways = footing;
    sideways.up = {TypeParam(7), 0, 0};
    EXPECT_TRUE(is_walkable<TypeParam>({1, 0, 0}, sideways));
}

template <class Real>
MoveResult<Real> move_that_touched(std::initializer_list<SweepContact<Real>> contacts) {
    MoveResult<Real> moved;
    for (const SweepContact<Real>& c : contacts)
        moved.contacts[static_cast<std::size_t>(moved.contact_count++)] = c;
    return moved;
}

TYPED_TEST(ControllerTest, TakesWhatLeadsUpSteepSlopesAndNothingElse) {
    const Level<TypeParam> level;
    const auto moved =
        move_that_touched({contact_with<TypeParam>(-2, 1, 0), contact_with<TypeParam>(0, 1, 0),
                           contact_with<TypeParam>(0, -1, -1)});
    const SlopeLimit<TypeParam> up =
        limit_slope<TypeParam>(level, {}, moved, {1, TypeParam(-0.5), 2});
    EXPECT_EQ(up.steep_count, 1);
    EXPECT_NEAR(up.displacement.x, 0.0, 1e-6);
    EXPECT_NEAR(up.displacement.y, -0.5, 1e-6);
    EXPECT_NEAR(up.displacement.z, 2.0, 1e-6);
    const Vec<TypeParam> downhill{-1, 0, 2};
    const SlopeLimit<TypeParam> down = limit_slope<TypeParam>(level, {}, moved, downhill);
    EXPECT_EQ(down.steep_count, 0);
    EXPECT_EQ(down.displacement, downhill);
}

TYPED_TEST(ControllerTest, IsHeldByTwoSteepSlopesAtOnce) {
    const auto moved =
        move_that_touched({contact_with<TypeParam>(-2, 1, -1), contact_with<TypeParam>(-2, 1, 1)});
    const SlopeLimit<TypeParam> held =
        limit_slope<TypeParam>(Level<TypeParam>{}, {}, moved, {1, 0, 0});
    EXPECT_NEAR(norm(widened(held.displacement)), 0.0, 1e-6);
}

// The contact is the same: with the edge of a step, and with that of a roof.
TYPED_TEST(ControllerTest, JudgesEdgesByTheFacesThatMeetThere) {
    const Shape<TypeParam> shape{{TypeParam(0.3), TypeParam(0.9), TypeParam(0.3)}};
    const Vec<TypeParam> wish{TypeParam(0.1), 0, 0};
    Soup roof;
    roof.quad({-20, 0, -20}, {-20, 0, 20}, {2, 0, 20}, {2, 0, -20});
    roof.quad({2, 0, -20}, {2, 0, 20}, {2, 0.2, 20}, {2, 0.2, -20});
    roof.quad({2, 0.2, -20}, {2, 0.2, 20}, {4, -3.0, 20}, {4, -3.0, -20});
    const auto steep_count = [&](const Soup& soup, double step) {
        const Level<TypeParam> level = soup.level<TypeParam>();
        const MoveResult<TypeParam> last = move_and_slide<TypeParam>(
            level, shape, {TypeParam(1.5), TypeParam(0.91), 0}, {TypeParam(0.5), 0, 0});
        StairOptions<TypeParam> options;
        options.height = TypeParam(step);
        EXPECT_GE(last.contact_count, 1);
        for (const SweepContact<TypeParam>& c : last.touched())
            EXPECT_FALSE(c.feature == FeatureKind::Edge && is_walkable<TypeParam>(c.normal, {}));
        return limit_slope(level, shape, last, wish, options).steep_count;
    };
    EXPECT_EQ(steep_count(step_of(0.2), 0.3), 0);
    EXPECT_GE(steep_count(step_of(0.2), 0.1), 1);  // higher than a step
    EXPECT_GE(steep_count(roof, 0.3), 1);
}

// With the limit a character stays at the foot of a slope that it slides up without.
TYPED_TEST(ControllerTest, StaysAtTheFootOfASteepSlope) {
    Soup soup;
    soup.quad({-20, 0, -20}, {-20, 0, 20}, {2, 0, 20}, {2, 0, -20});
    soup.quad({2, 0, -20}, {2, 0, 20}, {12, 20, 20}, {12, 20, -20});
    const Level<TypeParam> level = soup.level<TypeParam>();
    const auto highest = [&](bool limited) {
        Vec<TypeParam> place{0, TypeParam(1.01), 0};
        Vec<TypeParam> wish{TypeParam(0.1), TypeParam(-0.02), 0};
        MoveResult<TypeParam> last;
        for (int frame = 0; frame < 100; ++frame) {
            const Vec<TypeParam> w =
                limited ? limit_slope<TypeParam>(level, {}, last, wish).displacement : wish;
            last = move_and_slide<TypeParam>(level, {}, place, w);
            place = last.position;
        }
        return place.y;
    };
    EXPECT_GT(highest(false), TypeParam(2));
    EXPECT_LT(highest(true), TypeParam(1.2));
}

// --- steps ---------------------------------------------------------------------------------------

template <class Real>
StairResult<Real> walk_to_step(const Level<Real>& level, double height, const Shape<Real>& shape,
                               int frames) {
    Vec<Real> place = narrowed<Real>({0.0, double{shape.radii.y} + 0.02, 0.0});
    StairOptions<Real> options;
    options.height = static_cast<Real>(height);
    StairResult<Real> best;
    for (int frame = 0; frame < frames; ++frame) {
        const StairResult<Real> step = move_and_climb<Real>(
            level, shape, place, {static_cast<Real>(0.1), static_cast<Real>(-0.02), Real{0}},
            options);
        EXPECT_TRUE(step.moved.gap_proved);
        EXPECT_GE(test::reference_gap(level, shape, step.moved.position),
                  static_cast<long double>(step.moved.skin));
        place = step.moved.position;
        if (best.action == StairAction::NotNeeded) best = step;
        best.moved = step.moved;
    }
    return best;
}

TYPED_TEST(ControllerTest, ClimbsAStepThatIsLowEnough) {
    const Level<TypeParam> level = step_of(0.3).level<TypeParam>();
    const Shape<TypeParam> shape{{TypeParam(0.4), TypeParam(0.9), TypeParam(0.4)}};
    const StairResult<TypeParam> step = walk_to_step<TypeParam>(level, 0.35, shape, 60);
    EXPECT_EQ(step.action, StairAction::Climbed);
    EXPECT_GT(step.moved.position.x, TypeParam(3));
    EXPECT_GT(step.moved.position.y, TypeParam(1.19));
}

TYPED_TEST(ControllerTest, DoesNotClimbAStepThatIsTooHigh) {
    const Level<TypeParam> level = step_of(3.0).level<TypeParam>();
    const StairResult<TypeParam> step = walk_to_step<TypeParam>(level, 0.35, {}, 60);
    EXPECT_EQ(step.action, StairAction::TooHigh);
    EXPECT_LT(step.moved.position.x, TypeParam(1));
}

// z is up, and lengths are in millimetres, or a few kilometres off.
TYPED_TEST(ControllerTest, ClimbsStairsOfAnyUpSizeAndPlace) {
    for (const auto& placed :
         {std::pair(1.0, Vec3{}), std::pair(1e-3, Vec3{}), std::pair(1e3, Vec3{}),
          std::pair(1.0, Vec3{1000.0, -2000.0, 500.0})}) {
        const double scale = placed.first;
        const Vec3 shift = placed.second;
        Soup soup;
        const auto flat = [&](double x0, double x1, double z0, double z1) {
            soup.quad(scale * Vec3{x0, -9, z0} + shift, scale * Vec3{x1, -9, z1} + shift,
                      scale * Vec3{x1, 9, z1} + shift, scale * Vec3{x0, 9, z0} + shift);
        };
        flat(-9, 0, 0, 0);
        for (int i = 0; i < 6; ++i) {
            flat(0.28 * i, 0.28 * i, 0.17 * i, 0.17 * (i + 1));
            flat(0.28 * i, i == 5 ? 9.0 : 0.28 * (i + 1), 0.17 * (i + 1), 0.17 * (i + 1));
        }
        const Level<TypeParam> level = soup.level<TypeParam>();
        const Shape<TypeParam> shape{narrowed<TypeParam>(scale * Vec3{0.3, 0.3, 0.9})};
        StairOptions<TypeParam> steps;
        steps.height = TypeParam(0.35 * scale);
        steps.footing.up = {0, 0, 5};
        SnapOptions<TypeParam> snap;
        snap.distance = steps.height;
        snap.footing = steps.footing;
        Vec<TypeParam> place = narrowed<TypeParam>(scale * Vec3{-0.5, 0.0, 0.92} + shift);
        const Vec<TypeParam> wish = narrowed<TypeParam>(scale * Vec3{0.03, 0.0, 0.0});
        for (int frame = 0; frame < 90; ++frame) {
            const auto step = move_and_climb(level, shape, place, wish, steps);
            ASSERT_TRUE(step.moved.gap_proved);
            const auto ground = snap_to_ground(level, shape, step.moved.position, snap);
            ASSERT_TRUE(ground.action == SnapAction::OnGround ||
                        ground.action == SnapAction::Snapped)
                << scale << " " << frame << " " << name(ground.action);
            place = ground.position;
        }
        EXPECT_NEAR((double{place.x} - shift.x) / scale, 2.2, 0.05) << scale;
        EXPECT_NEAR((double{place.z} - shift.z) / scale, 1.93, 0.01) << scale;
    }
}

// The way up a step is free, but that to its foot was a push: the result must not pass for a way
// without contact.
TYPED_TEST(ControllerTest, SaysThatAClimbBeganByBeingPushedOut) {
    const Level<TypeParam> level = step_of(0x1.3333333333333p-3).level<TypeParam>();
    const Shape<TypeParam> shape{{TypeParam(0.5), TypeParam(0.5), TypeParam(0.5)}};
    StairOptions<TypeParam> options;
    options.height = TypeParam(0x1p-2);
    const auto climb_from = [&](double height) {
        return move_and_climb<TypeParam>(level, shape,
                                         {TypeParam(0x1.8p+0), TypeParam(height), TypeParam(0)},
                                         {TypeParam(0x1p-2), 0, 0}, options);
    };
    const StairResult<TypeParam> free = climb_from(0x1.04p-1);
    EXPECT_EQ(free.action, StairAction::Climbed);
    EXPECT_TRUE(free.moved.gap_proved);
    EXPECT_NE(free.moved.stopped, StopReason::PushedOut);
    const StairResult<TypeParam> sunk = climb_from(0x1.fp-2);
    EXPECT_EQ(sunk.action, StairAction::Climbed);
    EXPECT_TRUE(sunk.moved.gap_proved);
    EXPECT_EQ(sunk.moved.stopped, StopReason::PushedOut);
}

TYPED_TEST(ControllerTest, SaysThatThereIsNoRoomToClimb) {
    Soup soup = step_of(3.0);
    soup.quad({-20, 2.04, -20}, {-20, 2.04, 20}, {2, 2.04, 20}, {2, 2.04, -20});
    const Level<TypeParam> level = soup.level<TypeParam>();
    EXPECT_EQ(walk_to_step<TypeParam>(level, 0.35, {}, 60).action, StairAction::NoRoom);
}

TYPED_TEST(ControllerTest, DoesNotClimbOntoWhatCannotBeStoodOn) {
    Soup soup;
    soup.quad({-20, 0, -20}, {-20, 0, 20}, {2, 0, 20}, {2, 0, -20});
    soup.quad({2, 0, -20}, {2, 0, 20}, {2, 0.2, 20}, {2, 0.2, -20});
    soup.quad({2, 0.2, -20}, {2, 0.2, 20}, {12, 25, 20}, {12, 25, -20});
    const Level<TypeParam> level = soup.level<TypeParam>();
    const Shape<TypeParam> shape{{TypeParam(0.4), TypeParam(0.9), TypeParam(0.4)}};
    const StairResult<TypeParam> step = walk_to_step<TypeParam>(level, 0.5, shape, 25);
    EXPECT_EQ(step.action, StairAction::NotWalkable);
}

TYPED_TEST(ControllerTest, DoesNotClimbWhereTheWayIsFree) {
    const Level<TypeParam> level = test::flat_grid(8, 0.5).level<TypeParam>();
    const StairResult<TypeParam> step = walk_to_step<TypeParam>(level, 0.35, {}, 30);
    EXPECT_EQ(step.action, StairAction::NotNeeded);
    EXPECT_NEAR(step.moved.position.x, 3.0, 1e-4);
}

// Whatever it does among slopes, edges and corners of all kinds, each part of it is a proved move.
TYPED_TEST(ControllerTest, KeepsTheGapInASoup) {
    test::Random random(11);
    const Level<TypeParam> level = test::random_soup(random, 600, 4.0, 0.8).level<TypeParam>();
    const Shape<TypeParam> shape{{TypeParam(0.15), TypeParam(0.3), TypeParam(0.15)}};
    StairOptions<TypeParam> steps;
    steps.height = TypeParam(0.15);
    SnapOptions<TypeParam> snap;
    snap.distance = TypeParam(0.2);
    int held = 0;
    int climbed = 0;
    int stood = 0;
    for (int i = 0; i < 80; ++i) {
        Vec<TypeParam> place = narrowed<TypeParam>(
            {random.between(-4, 4), random.between(-4, 4), random.between(-4, 4)});
        const Vec<TypeParam> wish = narrowed<TypeParam>(0.2 * random.direction());
        for (int frame = 0; frame < 8; ++frame) {
            const auto step = move_and_climb(level, shape, place, wish, steps);
            if (!step.moved.gap_proved) break;
            EXPECT_GE(test::reference_gap(level, shape, step.moved.position),
                      static_cast<long double>(step.moved.skin) * (1.0L - 1e-12L));
            const auto ground = snap_to_ground(level, shape, step.moved.position, snap);
            EXPECT_GE(test::reference_gap(level, shape, ground.position),
                      static_cast<long double>(step.moved.skin) * (1.0L - 1e-12L));
            place = ground.position;
            held += step.steep_count > 0 ? 1 : 0;
            climbed += step.action == StairAction::Climbed ? 1 : 0;
            stood += ground.action == SnapAction::OnGround ? 1 : 0;
        }
    }
    EXPECT_GE(held, 10);
    EXPECT_GE(climbed, 10);
    EXPECT_GE(stood, 10);
}

// --- ground --------------------------------------------------------------------------------------

TYPED_TEST(ControllerTest, SnapsDownToGroundWithinItsDistance) {
    const Level<TypeParam> level = test::flat_grid(4, 0.5).level<TypeParam>();
    SnapOptions<TypeParam> options;
    options.distance = TypeParam(0.5);
    const Vec<TypeParam> start{TypeParam(0.1), TypeParam(1.3), 0};
    const SnapResult<TypeParam> snapped = snap_to_ground<TypeParam>(level, {}, start, options);
    EXPECT_EQ(snapped.action, SnapAction::Snapped);
    EXPECT_EQ(snapped.position.x, start.x);
    EXPECT_NEAR(snapped.position.y, 1.0 + 2.0 / 256, 1e-4);
    EXPECT_NEAR(snapped.dropped, 1.3 - snapped.position.y, 1e-6);
    EXPECT_NEAR(snapped.ground.normal.y, 1.0, 1e-6);
    // Where it stands, it stays.
    const SnapResult<TypeParam> again =
        snap_to_ground<TypeParam>(level, {}, snapped.position, options);
    EXPECT_EQ(again.action, SnapAction::OnGround);
    EXPECT_EQ(again.position, snapped.position);
}

// A start that overlaps stays where it is: it may be on the ground, but keeps no gap.
TYPED_TEST(ControllerTest, SaysWhetherTheGapIsProvedWhereItStands) {
    const Level<TypeParam> level = test::flat_grid(4, 0.5).level<TypeParam>();
    SnapOptions<TypeParam> options;
    options.distance = TypeParam(0x1p-1);
    const auto snapped_from = [&](double height) {
        const Vec<TypeParam> start{TypeParam(0x1.8p-4), TypeParam(height), 0};
        return snap_to_ground<TypeParam>(level, {}, start, options);
    };
    EXPECT_TRUE(snapped_from(0x1.4p+0).gap_proved);
    EXPECT_TRUE(snapped_from(0x1.02p+0).gap_proved);
    EXPECT_TRUE(snapped_from(0x1p+2).gap_proved);  // in the air
    for (const double sunk : {0x1.ep-1, 0x1.8p-1, 0x1p-2, -0x1p-2, -0x1.8p-1}) {
        const SnapResult<TypeParam> found = snapped_from(sunk);
        EXPECT_FALSE(found.gap_proved) << sunk;
        EXPECT_EQ(found.position.y, TypeParam(sunk));
        EXPECT_NE(found.action, SnapAction::Snapped);
    }
}

// Pushed down out of the side of a wall and onto a ledge is no way straight down.
TYPED_TEST(ControllerTest, DoesNotSnapWhereItWasPushedOut) {
    Soup soup;
    soup.quad({-20, 0, -20}, {-20, 0, 20}, {20, 0, 20}, {20, 0, -20});
    soup.quad({-20, 0x1.8p+1, -20}, {20, 0x1.8p+1, -20}, {20, 0x1.8p+1, 20}, {-20, 0x1.8p+1, 20});
    const Level<TypeParam> level = soup.level<TypeParam>();
    SnapOptions<TypeParam> options;
    options.distance = TypeParam(0x1p+1);
    const Vec<TypeParam> start{0, TypeParam(0x1.2p+1), 0};  // its head is in the ceiling
    const SnapResult<TypeParam> found = snap_to_ground<TypeParam>(level, {}, start, options);
    EXPECT_FALSE(found.gap_proved);
    EXPECT_EQ(found.position, start);
}

TYPED_TEST(ControllerTest, DoesNotSnapOverACliffNorOntoASteepSlope) {
    const Level<TypeParam> floor = test::flat_grid(4, 0.5).level<TypeParam>();
    SnapOptions<TypeParam> options;
    options.distance = TypeParam(0.5);
    const Vec<TypeParam> high{0, 2, 0};
    const SnapResult<TypeParam> far = snap_to_ground<TypeParam>(floor, {}, high, options);
    EXPECT_EQ(far.action, SnapAction::NoGround);
    EXPECT_EQ(far.position, high);
    Soup soup;
    test::add_plane(soup, {}, (1.0 / std::sqrt(5.0)) * Vec3{2, 1, 0}, 20);
    const Level<TypeParam> slope = soup.level<TypeParam>();
    const Vec<TypeParam> above{TypeParam(0.8), TypeParam(1.0), 0};
    const SnapResult<TypeParam> steep = snap_to_ground<TypeParam>(slope, {}, above, options);
    EXPECT_EQ(steep.action, SnapAction::TooSteep);
    EXPECT_EQ(steep.position, above);
}

// A lift carries who stands on it; a ferry does for who adds its way to his own.
TYPED_TEST(ControllerTest, RidesOnPartsThatMove) {
    const std::vector<typename Level<TypeParam>::Face> faces = {{0, 1, 2}, {0, 2, 3}};
    const auto plate = [](double x, double y) {
        std::vector<Vec<TypeParam>> points;
        for (const Vec3& p : {Vec3{-2, 0, -2}, Vec3{-2, 0, 2}, Vec3{2, 0, 2}, Vec3{2, 0, -2}})
            points.push_back(narrowed<TypeParam>(p + Vec3{x, y, 0.0}));
        return points;
    };
    Level<TypeParam> level;
    ASSERT_TRUE(level.add_part(plate(0, 0), faces));
    const Shape<TypeParam> shape{{TypeParam(0.4), TypeParam(0.9), TypeParam(0.4)}};
    Vec<TypeParam> place{0, TypeParam(0.91), 0};
    StairOptions<TypeParam> steps;
    steps.height = TypeParam(0.35);
    SnapOptions<TypeParam> snap;
    snap.distance = TypeParam(0.35);
    double x = 0.0;
    double y = 0.0;
    for (int frame = 0; frame < 200; ++frame) {
        const double by = frame < 100 ? 0.05 : -0.05;
        x += 0.03;
        y += by;
        ASSERT_TRUE(level.move_part(0, plate(x, y)));
        const auto step =
            move_and_climb<TypeParam>(level, shape, place, {TypeParam(0.03), 0, 0}, steps);
        ASSERT_TRUE(step.moved.gap_proved);
        const auto ground = snap_to_ground(level, shape, step.moved.position, snap);
        ASSERT_NE(ground.action, SnapAction::NoGround) << frame;
        ASSERT_NE(ground.action, SnapAction::TooSteep) << frame;
        place = ground.position;
        ASSERT_NEAR(place.y, y + 0.907, 0.002) << frame;
        ASSERT_NEAR(place.x, x, 0.001) << frame;
    }
}

TYPED_TEST(ControllerTest, DoesNothingWithoutAnUpOrWithNumbersThatAreNone) {
    const Level<TypeParam> level = test::flat_grid(4, 0.5).level<TypeParam>();
    const Vec<TypeParam> start{0, TypeParam(1.3), 0};
    SnapOptions<TypeParam> options;
    options.distance = TypeParam(0.5);
    options.footing.up = {};
    EXPECT_EQ(snap_to_ground<TypeParam>(level, {}, start, options).position, start);
    options.footing.up = {0, TypeParam(NAN), 0};
    EXPECT_EQ(snap_to_ground<TypeParam>(level, {}, start, options).position, start);
    StairOptions<TypeParam> step;
    step.height = TypeParam(NAN);
    const StairResult<TypeParam> moved =
        move_and_climb<TypeParam>(level, {}, start, {TypeParam(0.1), 0, 0}, step);
    EXPECT_EQ(moved.action, StairAction::NotNeeded);
    EXPECT_TRUE(moved.moved.gap_proved);
}

TEST(Controller, NamesWhatItDid) {
    EXPECT_EQ(name(StairAction::Climbed), "climbed");
    EXPECT_EQ(name(StairAction::NotWalkable), "not-walkable");
    EXPECT_EQ(name(SnapAction::OnGround), "on-ground");
    EXPECT_EQ(name(SnapAction::TooSteep), "too-steep");
}

}  // namespace
}  // namespace graze::slide
