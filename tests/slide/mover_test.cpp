// Defends G-SLIDE-3, G-SLIDE-6 (docs/GUARANTEES.md).
#include "graze/slide/mover.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

#include "slide/mover_support.hpp"

namespace graze::slide {
namespace {

using test::Random;
using test::Soup;

#if defined(GRAZE_SANITIZE_ADDRESS) || defined(GRAZE_SANITIZE_THREAD)
constexpr int kShare = 10;
#else
constexpr int kShare = 1;
#endif

// A move by our mover, with all that is promised for every move checked in long double.
template <class Real>
MoveResult<Real> checked_move(const Level<Real>& level, const Shape<Real>& shape,
                              const Vec<Real>& start, const Vec<Real>& wish,
                              const MoveOptions<Real>& options = {}) {
    const MoveResult<Real> moved = move_and_slide(level, shape, start, wish, options);
    EXPECT_TRUE(moved.gap_proved);
    EXPECT_LE(moved.iterations, kMaxMoveIterations);
    EXPECT_GE(test::reference_gap(level, shape, moved.position),
              static_cast<long double>(moved.skin) * (1.0L - 1e-12L));
    for (const SweepContact<Real>& c : moved.touched()) {
        EXPECT_NEAR(norm(widened(c.normal)), 1.0, 1e-6);
        EXPECT_GE(c.time, Real{0});
        EXPECT_LE(c.time, Real{1});
    }
    return moved;
}

template <class Real>
Shape<Real> sphere(double radius) {
    const Real r = static_cast<Real>(radius);
    return {{r, r, r}};
}

template <class Real>
class MoverTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(MoverTest, Reals);

// --- names ---------------------------------------------------------------------------------------

TEST(Mover, HasNamesThatLeadBackToIt) {
    for (const MoverKind kind : {MoverKind::Graze, MoverKind::Linahan,
                                 MoverKind::LinahanTwoParameters, MoverKind::Fauerby})
        EXPECT_EQ(mover_from_name(name(kind)), kind);
    EXPECT_EQ(mover_from_name("bullet"), std::nullopt);
    EXPECT_EQ(name(StopReason::PushedOut), "pushed-out");
}

// Fails where a compiler drops a conversion to float and back.
TEST(Precision, IsRoundedToFloatsAndNotOnlyPretendedToBe) {
    Random random(2);
    std::vector<Vec3> points(1'000);
    for (Vec3& p : points)
        p = random.between(0.0, 9.0) * random.direction();
    for (const Vec3& p : points) {
        const Vec3 back = widened(narrowed<float>(p));
        const Vec<float> kept = narrowed<float>(p);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(back[axis], double{kept[axis]});
            EXPECT_NE(back[axis], p[axis]);
        }
    }
}

// --- the simple ones -----------------------------------------------------------------------------

TYPED_TEST(MoverTest, GoesStraightWhereNothingIs) {
    const Level<TypeParam> level = test::flat_grid(4, 1).level<TypeParam>();
    const MoveResult<TypeParam> moved = checked_move<TypeParam>(
        level, sphere<TypeParam>(1), {0, 3, 0}, {TypeParam(0.25), TypeParam(0.5), 0});
    EXPECT_EQ(moved.position, (Vec<TypeParam>{TypeParam(0.25), TypeParam(3.5), 0}));
    EXPECT_EQ(moved.stopped, StopReason::Free);
    EXPECT_EQ(moved.contact_count, 0);
}

TYPED_TEST(MoverTest, LandsAboveTheGroundAndSaysWhatItTouched) {
    const Level<TypeParam> level = test::flat_grid(4, 1).level<TypeParam>();
    const MoveResult<TypeParam> moved = checked_move<TypeParam>(
        level, sphere<TypeParam>(1), {TypeParam(0.3), 3, TypeParam(0.4)}, {0, -5, 0});
    EXPECT_EQ(moved.stopped, StopReason::Blocked);
    EXPECT_NEAR(moved.position.y, 1.0 + 2.0 * moved.skin, 1e-5);
    ASSERT_GE(moved.contact_count, 1);
    EXPECT_EQ(moved.contacts[0].feature, FeatureKind::Face);
    EXPECT_NEAR(moved.contacts[0].normal.y, 1.0, 1e-6);
    EXPECT_NEAR(moved.contacts[0].point.x, 0.3, 1e-6);
    EXPECT_NEAR(moved.contacts[0].point.y, 0.0, 1e-6);
    EXPECT_NEAR(moved.contacts[0].point.z, 0.4, 1e-6);
    EXPECT_NEAR(moved.contacts[0].time, 0.4, 0.01);
}

TYPED_TEST(MoverTest, ReturnsTheStartForNoWishToTheBit) {
    const Level<TypeParam> level = test::flat_grid(4, 1).level<TypeParam>();
    for (const double height : {1.005, 1.0071, 1.3}) {
        const Vec<TypeParam> start{TypeParam(0.1), TypeParam(height), TypeParam(0.7)};
        const MoveResult<TypeParam> moved =
            checked_move<TypeParam>(level, sphere<TypeParam>(1), start, {});
        EXPECT_EQ(moved.position, start);
        EXPECT_EQ(moved.stopped, StopReason::Free);
    }
}

TYPED_TEST(MoverTest, FailsClosedForNumbersThatAreNone) {
    constexpr TypeParam kNan = std::numeric_limits<TypeParam>::quiet_NaN();
    constexpr TypeParam kInf = std::numeric_limits<TypeParam>::infinity();
    const Level<TypeParam> level = test::flat_grid(4, 1).level<TypeParam>();
    const Vec<TypeParam> start{0, 2, 0};
    const auto refuses = [&](const Shape<TypeParam>& shape, const Vec<TypeParam>& wish,
                             TypeParam skin) {
        const MoveResult<TypeParam> moved =
            move_and_slide<TypeParam>(level, shape, start, wish, {.skin = skin});
        EXPECT_EQ(moved.position, start);
        EXPECT_EQ(moved.stopped, StopReason::Blocked);
        EXPECT_FALSE(moved.gap_proved);
    };
    refuses(sphere<TypeParam>(1), {kNan, 0, 0}, 0);
    refuses(sphere<TypeParam>(1), {0, kInf, 0}, 0);
    refuses(sphere<TypeParam>(1), {0, 1, 0}, kNan);
    refuses(sphere<TypeParam>(1), {0, 1, 0}, -1);
    refuses(sphere<TypeParam>(0), {0, 1, 0}, 0);
    refuses({{1, kNan, 1}}, {0, 1, 0}, 0);
    refuses({{1, -1, 1}}, {0, 1, 0}, 0);
    const MoveResult<TypeParam> moved =
        move_and_slide<TypeParam>(level, sphere<TypeParam>(1), {kNan, 0, 0}, {1, 0, 0});
    EXPECT_FALSE(moved.gap_proved);
}

TYPED_TEST(MoverTest, StaysWhereAWishLeadsOutOfAllNumbers) {
    const Level<TypeParam> level = test::flat_grid(4, 1).level<TypeParam>();
    constexpr TypeParam kHuge = std::numeric_limits<TypeParam>::max();
    const Vec<TypeParam> start{kHuge, 2, 0};
    const MoveResult<TypeParam> moved =
        move_and_slide<TypeParam>(level, sphere<TypeParam>(1), start, {kHuge, 0, 0});
    EXPECT_EQ(moved.position, start);
}

TYPED_TEST(MoverTest, KeepsTheSkinThatItIsAskedFor) {
    const Level<TypeParam> level = test::flat_grid(4, 1).level<TypeParam>();
    for (const double skin : {0.1, 0.01, 0.001}) {
        const MoveResult<TypeParam> moved = checked_move<TypeParam>(
            level, sphere<TypeParam>(1), {0, 3, 0}, {0, -5, 0}, {.skin = TypeParam(skin)});
        EXPECT_EQ(moved.skin, TypeParam(skin));
        EXPECT_GE(moved.position.y, 1.0 + skin);
    }
}

TEST(Mover, NeverTakesASkinBelowFourUnitsInTheLastPlace) {
    Soup soup = test::flat_grid(4, 1);
    soup.transform(0.0, 1.0, {0, 100'000, 0});
    const Level<float> level = soup.level<float>();
    const MoveResult<float> moved =
        checked_move<float>(level, sphere<float>(1), {0, 100'003, 0}, {0, -5, 0}, {.skin = 1e-5F});
    EXPECT_EQ(moved.skin, 4.0F * 0x1p-7F);
}

// --- no snagging ---------------------------------------------------------------------------------

struct Ground {
    const char* what;
    Soup soup;
};

// The right half raised by `step` and moved away by `gap`.
Soup split_ground(double step, double gap) {
    const Soup whole = test::flat_grid(6, 0.5);
    Soup soup;
    for (const auto& f : whole.faces) {
        std::array<Vec3, 3> p{whole.positions[f[0]], whole.positions[f[1]], whole.positions[f[2]]};
        const bool right = p[0].x + p[1].x + p[2].x > 3.0 * 1.5;
        for (Vec3& q : p)
            if (right) q = q + Vec3{gap, step, 0};
        soup.triangle(p[0], p[1], p[2]);
    }
    return soup;
}

// Squares of two sizes: corners of the small ones lie on edges of the large ones.
Soup ground_with_t_junctions() {
    Soup soup;
    for (int i = -6; i < 6; ++i)
        for (int j = -6; j < 6; ++j) {
            const int parts = (i + j) % 2 == 0 ? 1 : 3;
            const double size = 1.0 / parts;
            for (int k = 0; k < parts * parts; ++k) {
                const double x = i + size * (k % parts);
                const double z = j + size * (k / parts);
                soup.quad({x, 0, z}, {x, 0, z + size}, {x + size, 0, z + size}, {x + size, 0, z});
            }
        }
    return soup;
}

std::vector<Ground> grounds() {
    return {{"grid", test::flat_grid(6, 0.25)},
            {"large triangles", test::flat_grid(8, 8)},
            {"T-junctions", ground_with_t_junctions()},
            {"a crack", split_ground(0, 0.02)},
            {"overlapping meshes", split_ground(0, -0.02)},
            {"half a skin higher", split_ground(0.5 / 256, 0.01)},
            {"three skins higher", split_ground(3.0 / 256, 0.01)},
            {"three skins higher, overlapping", split_ground(3.0 / 256, -0.1)}};
}

// The largest part of a wish in the plane of the ground that a frame did not make good.
template <class Real>
double worst_loss(const Level<Real>& level, const Shape<Real>& shape, double angle) {
    Vec<Real> place = narrowed<Real>({0.013, double{shape.radii.y} + 0.02, 0.017});
    const Vec3 along{std::cos(angle), 0, std::sin(angle)};
    const Vec<Real> wish = narrowed<Real>(0.13 * along + Vec3{0, -0.05, 0});
    double worst = 0.0;
    for (int frame = 0; frame < 24; ++frame) {
        const MoveResult<Real> moved = move_and_slide(level, shape, place, wish);
        EXPECT_TRUE(moved.gap_proved);
        const Vec3 made = widened(moved.position) - widened(place);
        const double length = std::hypot(double{wish.x}, double{wish.z});
        worst = std::max(worst, 1.0 - dot(made, along) / length);
        place = moved.position;
    }
    return worst;
}

TYPED_TEST(MoverTest, LosesNothingOnFlatGroundOfAnyMakeInAnyDirection) {
    // Two coordinates below 4 are rounded by half a unit each, of a move of 0.13.
    const double rounding = 4.0 * double{std::numeric_limits<TypeParam>::epsilon()} / 0.13;
    for (const Ground& ground : grounds()) {
        SCOPED_TRACE(ground.what);
        const Level<TypeParam> level = ground.soup.level<TypeParam>();
        for (double angle = 0.0; angle < 6.28; angle += 0.02 * kShare)
            ASSERT_LE(worst_loss<TypeParam>(level, sphere<TypeParam>(1), angle), 1e-9 + rounding)
                << angle;
    }
}

// Going back to rest after a mismatch must not be forbidden, nor forbid to go on, where that is
// more against the wish than the way is along it.
TYPED_TEST(MoverTest, WalksSlowlyUnderAStrongPull) {
    for (const Ground& ground : grounds()) {
        SCOPED_TRACE(ground.what);
        const Level<TypeParam> level = ground.soup.level<TypeParam>();
        Vec<TypeParam> place{TypeParam(1.2), TypeParam(1.01), TypeParam(0.1)};
        const Vec<TypeParam> wish{TypeParam(0.004), TypeParam(-0.5), 0};
        for (int frame = 0; frame < 150; ++frame) {
            const MoveResult<TypeParam> moved =
                move_and_slide(level, sphere<TypeParam>(1), place, wish);
            EXPECT_TRUE(moved.gap_proved);
            place = moved.position;
        }
        EXPECT_NEAR(place.x, 1.8, 1e-4);
    }
}

TYPED_TEST(MoverTest, LosesNothingOnFlatGroundAsAnEllipsoid) {
    const double rounding = 4.0 * double{std::numeric_limits<TypeParam>::epsilon()} / 0.13;
    const Shape<TypeParam> shape{{TypeParam(0.4), TypeParam(0.9), TypeParam(0.4)}};
    for (const Ground& ground : grounds()) {
        SCOPED_TRACE(ground.what);
        if (ground.what[0] == 't') continue;  // its own skin is smaller: three are a step
        const Level<TypeParam> level = ground.soup.level<TypeParam>();
        for (double angle = 0.0; angle < 6.28; angle += 0.1 * kShare)
            ASSERT_LE(worst_loss<TypeParam>(level, shape, angle), 1e-9 + rounding) << angle;
    }
}

TEST(Mover, DoesNotTakeAStepForAMismatch) {
    const Level<double> level = split_ground(0.1, 0.0).level<double>();
    Vec<double> place{0.5, 1.01, 0.2};
    for (int frame = 0; frame < 100; ++frame)
        place = checked_move<double>(level, sphere<double>(1), place, {0.05, -0.4, 0}).position;
    EXPECT_LT(place.y, 1.05);
    EXPECT_LT(place.x, 1.5);
}

// --- rest ----------------------------------------------------------------------------------------

Soup obtuse_corner() {
    Soup soup;
    const double c = 20.0 * std::cos(std::numbers::pi / 3);
    const double s = 20.0 * std::sin(std::numbers::pi / 3);
    soup.quad({0, 0, -20}, {0, 0, 20}, {20, 0, 20}, {20, 0, -20});
    soup.quad({0, 0, -20}, {0, 0, 20}, {-c, s, 20}, {-c, s, -20});
    return soup;
}
Soup wedge(double angle) {
    Soup soup;
    const Vec3 far{60.0 * std::cos(angle), 60.0 * std::sin(angle), 0};
    soup.quad({0, 0, -20}, {0, 0, 20}, {60, 0, 20}, {60, 0, -20});
    soup.quad({0, 0, -20}, {0, 0, 20}, far + Vec3{0, 0, 20}, far - Vec3{0, 0, 20});
    return soup;
}
Soup three_planes() {
    Soup soup;
    test::add_plane(soup, {}, {0, 1, 0}, 20);
    test::add_plane(soup, {}, {1, 0, 0}, 20);
    test::add_plane(soup, {}, {0, 0, 1}, 20);
    return soup;
}

struct Pressed {
    const char* what;
    Soup soup;
    Vec3 start;
    Vec3 wish;
    double radius = 1.0;
};
std::vector<Pressed> pressed_scenes() {
    return {
        {"obtuse corner", obtuse_corner(), {2, 6, 0}, {-0.05, -0.2, 0}},
        {"obtuse corner from its side", obtuse_corner(), {-1, 7, 0.3}, {-0.02, -0.3, 0}},
        {"wedge", wedge(std::numbers::pi / 36), {50, 2.2, 0}, {-0.4, 0.01, 0}},
        {"wedge of half a degree", wedge(std::numbers::pi / 360), {59, 0.26, 0}, {-0.4, 0, 0}, 0.1},
        {"three planes", three_planes(), {3, 4, 3}, {-0.1, -0.2, -0.07}},
        {"floor", test::flat_grid(6, 0.25), {0.1, 3, 0.2}, {0, -0.3, 0}}};
}

// The largest change of the place in the fifty frames after the first one that changes nothing.
// None: it did not come to rest.
template <class Real>
std::optional<double> jitter(const Pressed& scene, double scale, double shift) {
    Soup soup = scene.soup;
    const Vec3 offset{shift * scale, shift * scale, shift * scale};
    soup.transform(0.0, scale, offset);
    const Level<Real> level = soup.level<Real>();
    const Shape<Real> shape = sphere<Real>(scale * scene.radius);
    Vec<Real> place = narrowed<Real>(scale * scene.start + offset);
    const Vec<Real> wish = narrowed<Real>(scale * scene.wish);
    double worst = 0.0;
    int still = 0;
    for (int frame = 0; frame < 20'000 && still <= 50; ++frame) {
        const MoveResult<Real> moved = move_and_slide(level, shape, place, wish);
        EXPECT_TRUE(moved.gap_proved);
        EXPECT_NE(moved.stopped, StopReason::Limit);
        EXPECT_NE(moved.stopped, StopReason::PushedOut);
        if (still > 0) worst = std::max(worst, norm(widened(moved.position) - widened(place)));
        if (still > 0 || moved.position == place) ++still;
        place = moved.position;
    }
    EXPECT_GE(test::reference_gap(level, shape, place),
              static_cast<long double>(default_skin(shape)));
    if (still == 0) return std::nullopt;
    return worst / scale;
}

TYPED_TEST(MoverTest, RestsToTheBitWhereItIsPressed) {
    for (const Pressed& scene : pressed_scenes())
        for (const double scale : {1e-3, 1.0, 1e3})
            for (const double shift : {0.0, 4000.0}) {
                if (shift > 0.0 && scene.radius < 1.0) continue;  // 40,000 radii off
                SCOPED_TRACE(testing::Message() << scene.what << ' ' << scale << ' ' << shift);
                EXPECT_EQ(jitter<TypeParam>(scene, scale, shift), 0.0);
            }
}

TYPED_TEST(MoverTest, RestsToTheBitWhateverTheSlopesAndTheWish) {
    Random random(42);
    for (int trial = 0; trial < 60 / kShare; ++trial) {
        SCOPED_TRACE(trial);
        // Three planes around the origin that hold a wish between them.
        Pressed scene{"random corner", {}, {}, {}, 1.0};
        Vec3 inside;
        Vec3 wish;
        std::array<Vec3, 3> normals;
        for (Vec3& n : normals) {
            n = random.direction() + Vec3{0, 1.2, 0};
            n = (1.0 / norm(n)) * n;
            wish = wish - random.between(0.05, 0.2) * n;
            inside = inside + n;
            test::add_plane(scene.soup, {}, n, 60);
        }
        double lowest = 1e9;
        for (const Vec3& n : normals)
            lowest = std::min(lowest, dot(n, inside));
        if (lowest < 0.3) continue;  // planes that all but meet: another side of the soup
        scene.start = (2.0 / lowest) * inside;
        scene.wish = 0.5 * wish;
        EXPECT_EQ(jitter<TypeParam>(scene, 1.0, 0.0), 0.0);
    }
}

// Then the place along the wish grows with every frame that moves, and no frames can lead to and
// fro: whatever holds it, it comes to rest, or goes on for ever.
TYPED_TEST(MoverTest, MovesOnlyWhereItGainsAlongTheWish) {
    Random random(91);
    const Soup soup = test::random_soup(random, 150, 3.0, 1.2);
    const Level<TypeParam> level = soup.level<TypeParam>();
    const Shape<TypeParam> shapes[] = {sphere<TypeParam>(0.3),
                                       {{TypeParam(0.2), TypeParam(0.5), TypeParam(0.3)}}};
    for (int trial = 0; trial < 60 / kShare; ++trial) {
        SCOPED_TRACE(trial);
        const Shape<TypeParam>& shape = shapes[trial % 2];
        const double length = std::exp(random.between(std::log(0.05), std::log(4.0)));
        const Vec<TypeParam> wish = narrowed<TypeParam>(length * random.direction());
        Vec<TypeParam> place = narrowed<TypeParam>(
            {random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)});
        for (int frame = 0; frame < 150; ++frame) {
            const MoveResult<TypeParam> moved = move_and_slide(level, shape, place, wish);
            const Vec3 step = widened(moved.position) - widened(place);
            if (moved.position != place && moved.stopped != StopReason::PushedOut) {
                EXPECT_GT(dot(widened(wish), step), 0.0);
            }
            place = moved.position;
        }
    }
}

// Two rails: their edges bend away from the ball as it comes down between them. It must not drop
// the one that it has left by a hair and come down on it again, in turns.
TYPED_TEST(MoverTest, ComesDownBetweenTwoRailsInFewTurns) {
    Soup soup;
    for (const double x : {-0.6, 0.6})
        soup.triangle({x, 0, -50}, {x, 0, 50}, {x, -5, 0});
    const Level<TypeParam> level = soup.level<TypeParam>();
    Random random(31);
    int turns = 0;
    const int trials = 1'000 / kShare;
    for (int trial = 0; trial < trials; ++trial) {
        const Vec3 start{random.between(-0.1, 0.1), random.between(0.9, 1.2), 0};
        const Vec3 wish{random.between(-0.3, 0.3), -1, random.between(-2, 2)};
        turns += checked_move<TypeParam>(level, sphere<TypeParam>(1), narrowed<TypeParam>(start),
                                         narrowed<TypeParam>(wish))
                     .iterations;
    }
    EXPECT_LE(turns, 4 * trials);
}

// --- fast and random -----------------------------------------------------------------------------

TYPED_TEST(MoverTest, NeverTunnelsThroughAThinWall) {
    Soup soup;
    test::add_plane(soup, {5, 0, 0}, {1, 0, 0}, 100);
    const Level<TypeParam> level = soup.level<TypeParam>();
    Random random(9);
    for (int trial = 0; trial < 2'000 / kShare; ++trial) {
        const Vec3 start{random.between(-20, 3.9), random.between(-5, 5), random.between(-5, 5)};
        const Vec3 wish{std::exp(random.between(0, 6)), random.between(-9, 9),
                        random.between(-9, 9)};
        const MoveResult<TypeParam> moved = checked_move<TypeParam>(
            level, sphere<TypeParam>(1), narrowed<TypeParam>(start), narrowed<TypeParam>(wish));
        EXPECT_LT(moved.position.x, 4.0);
    }
}

template <class Real>
void wander(const Soup& soup, const Shape<Real>& shape, double shift, int moves,
            std::uint64_t seed) {
    Soup shifted = soup;
    shifted.transform(0.0, 1.0, {shift, shift, shift});
    const Level<Real> level = shifted.level<Real>();
    Random random(seed);
    Vec<Real> place = narrowed<Real>(Vec3{shift, shift, shift});
    for (int i = 0; i < moves; ++i) {
        if (i % 50 == 0) {
            // Somewhere else, out of the way of everything.
            for (;;) {
                place = narrowed<Real>(Vec3{shift + random.between(-4, 4),
                                            shift + random.between(-4, 4),
                                            shift + random.between(-4, 4)});
                if (test::reference_gap(level, shape, place) > 0.02) break;
            }
        }
        const double length = std::exp(random.between(std::log(1e-3), std::log(2.0)));
        const Vec<Real> wish = narrowed<Real>(length * random.direction());
        place = checked_move<Real>(level, shape, place, wish).position;
    }
}

TYPED_TEST(MoverTest, KeepsItsGapInRandomSoup) {
    Random random(77);
    const Soup soup = test::random_soup(random, 150, 5.0, 0.9);
    wander<TypeParam>(soup, sphere<TypeParam>(0.3), 0.0, 3'000 / kShare, 1);
    wander<TypeParam>(soup, {{TypeParam(0.4), TypeParam(0.9), TypeParam(0.4)}}, 0.0, 1'000 / kShare,
                      2);
}

TYPED_TEST(MoverTest, KeepsItsGapFarFromTheOrigin) {
    Random random(78);
    const Soup soup = test::random_soup(random, 150, 5.0, 0.9);
    wander<TypeParam>(soup, sphere<TypeParam>(0.3), 1'200.0, 2'000 / kShare, 3);
}

// --- overlapping starts --------------------------------------------------------------------------

TYPED_TEST(MoverTest, IsPushedOutOfWhatItBeginsIn) {
    const Level<TypeParam> level = test::flat_grid(4, 0.25).level<TypeParam>();
    for (const double height : {1.0, 0.9, 0.5, 0.01}) {
        SCOPED_TRACE(height);
        const MoveResult<TypeParam> moved = checked_move<TypeParam>(
            level, sphere<TypeParam>(1), {TypeParam(0.1), TypeParam(height), TypeParam(0.2)},
            {TypeParam(0.1), 0, 0});
        EXPECT_EQ(moved.stopped, StopReason::PushedOut);
        EXPECT_NEAR(moved.position.y, 1.0 + 2.0 * moved.skin, 1e-5);
        EXPECT_NEAR(moved.position.x, 0.2, 1e-5);
        EXPECT_GE(moved.contact_count, 1);
    }
}

TYPED_TEST(MoverTest, IsPushedOutFromTheVeryMiddleOfACornerAnEdgeOrAFace) {
    const Level<TypeParam> level = test::flat_grid(4, 0.5).level<TypeParam>();
    for (const Vec3& start : {Vec3{0.5, 0, 0.5}, Vec3{0.5, 0, 0.25}, Vec3{0.3, 0, 0.1}}) {
        SCOPED_TRACE(start.z);
        const MoveResult<TypeParam> moved =
            checked_move<TypeParam>(level, sphere<TypeParam>(1), narrowed<TypeParam>(start), {});
        EXPECT_EQ(moved.stopped, StopReason::PushedOut);
        EXPECT_NEAR(std::fabs(moved.position.y), 1.0 + 2.0 * moved.skin, 1e-5);
    }
}

TYPED_TEST(MoverTest, IsPushedOutOfCornersAndSoupOrSaysThatItIsNot) {
    Random random(79);
    const Level<TypeParam> corner = three_planes().level<TypeParam>();
    const MoveResult<TypeParam> moved = checked_move<TypeParam>(
        corner, sphere<TypeParam>(1), {TypeParam(0.5), TypeParam(0.7), TypeParam(0.4)}, {});
    EXPECT_EQ(moved.stopped, StopReason::PushedOut);
    const Level<TypeParam> soup = test::random_soup(random, 60, 4.0, 0.9).level<TypeParam>();
    int pushed = 0;
    for (int trial = 0; trial < 500 / kShare; ++trial) {
        const Vec<TypeParam> start = narrowed<TypeParam>(
            {random.between(-4, 4), random.between(-4, 4), random.between(-4, 4)});
        const MoveResult<TypeParam> m =
            move_and_slide<TypeParam>(soup, sphere<TypeParam>(0.4), start, {});
        const long double gap = test::reference_gap(soup, sphere<TypeParam>(0.4), m.position);
        if (m.gap_proved) {
            EXPECT_GE(gap, static_cast<long double>(m.skin));
        } else {
            EXPECT_EQ(m.position, start);
            EXPECT_LT(gap, static_cast<long double>(m.skin) * 1.001L);
        }
        pushed += m.stopped == StopReason::PushedOut && m.gap_proved;
    }
    EXPECT_GE(pushed, 60 / kShare);
}

}  // namespace
}  // namespace graze::slide
