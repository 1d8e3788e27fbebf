// Characters on stairs: none gets stuck, and all are quick.
#include "graze/generate/levels.hpp"
#include "slide/walk_support.hpp"

namespace graze::slide {
namespace {

using test::Body;
using test::kBodies;
using test::kFrame;
using test::PlainCharacter;
using test::Soup;
using test::Walk;
using test::WalkPlan;

struct Staircase {
    double tread = 0.28;
    double rise = 0.17;
};
constexpr std::array<Staircase, 5> kStaircases = {
    {{0.28, 0.17}, {0.25, 0.2}, {0.3, 0.15}, {0.32, 0.1875}, {0.35, 0.3}}};
constexpr std::array<double, 3> kHeadings = {0.0, 20.0, 40.0};
constexpr int kSteps = 20;
constexpr double kWide = 20.0;

// How the front of a step is made.
enum class Front { Riser, Open, Nosing, Bevel };

void add_strip(Soup& soup, double x0, double y0, double x1, double y1) {
    soup.quad({x0, y0, -kWide}, {x0, y0, kWide}, {x1, y1, kWide}, {x1, y1, -kWide});
}

void add_front(Soup& soup, Front front, double x, double y, double rise) {
    const double top = y + rise;
    if (front == Front::Riser) add_strip(soup, x, y, x, top);
    if (front == Front::Nosing) add_strip(soup, x + 0.03, y, x, top);
    if (front == Front::Bevel) {
        add_strip(soup, x, y, x, top - 0.035);
        add_strip(soup, x, top - 0.035, x + 0.02, top);
    }
}

// A floor, steps from x = 0 on, and a floor on top.
Soup stairs_of(const Staircase& s, Front front = Front::Riser) {
    Soup soup;
    add_strip(soup, -9.0, 0.0, 0.0, 0.0);
    for (int i = 0; i < kSteps; ++i) {
        const double x = i * s.tread;
        const double y = i * s.rise;
        const double end = i + 1 == kSteps ? x + 9.0 : x + s.tread;
        add_front(soup, front, x, y, s.rise);
        add_strip(soup, front == Front::Bevel ? x + 0.02 : x, y + s.rise, end, y + s.rise);
    }
    return soup;
}

WalkPlan plan_up(const Staircase& s, const Body& body, double degrees, double speed) {
    WalkPlan plan;
    plan.start = {-1.0, body.tall + 0.02, -8.0};
    plan.degrees = degrees;
    plan.speed = speed;
    plan.end_x = kSteps * s.tread;
    const double along = speed * std::cos(degrees * std::numbers::pi / 180.0);
    // Little more than what it takes on flat ground.
    plan.most_frames = static_cast<int>(1.3 * (plan.end_x - plan.start.x) / (along * kFrame));
    return plan;
}

template <template <class> class Walker, class Real>
void expect_climbs(const Level<Real>& level, const Staircase& s, const Body& body, double degrees,
                   double speed, Front front = Front::Riser) {
    const Walk up = test::walk<Walker>(level, body, plan_up(s, body, degrees, speed));
    EXPECT_TRUE(up.arrived) << "tread " << s.tread << " rise " << s.rise << " radii " << body.across
                            << " " << body.tall << " heading " << degrees << " speed " << speed
                            << " front " << static_cast<int>(front) << ": at " << up.end.x << " "
                            << up.end.y;
    EXPECT_GE(up.least_gap, test::least_gap_asked(body));
}

template <template <class> class Walker, class Real>
void expect_climbs_all(Front front, int speed_stride) {
    for (const Staircase& s : kStaircases) {
        const Level<Real> level = stairs_of(s, front).level<Real>();
        for (const Body& body : kBodies)
            for (const double degrees : kHeadings)
                for (int i = 0; i < 21; i += speed_stride)
                    expect_climbs<Walker>(level, s, body, degrees, 1.0 + 0.25 * i, front);
    }
}

template <class Real>
class StairsTest : public testing::Test {};
using StairsReals = testing::Types<float, double>;
TYPED_TEST_SUITE(StairsTest, StairsReals);
template <class Real>
class StairsAttack : public testing::Test {};
TYPED_TEST_SUITE(StairsAttack, StairsReals);

// 1260 walks: stairs, shapes, headings, and speeds from 1 to 6.
TYPED_TEST(StairsAttack, CharactersGetUpAllStairs) {
    expect_climbs_all<Character, TypeParam>(Front::Riser, 1);
}

TYPED_TEST(StairsAttack, PlainCharactersGetUpAllStairs) {
    expect_climbs_all<PlainCharacter, TypeParam>(Front::Riser, 1);
}

TYPED_TEST(StairsAttack, CharactersGetUpStepsOfAllKinds) {
    for (const Front front : {Front::Open, Front::Nosing, Front::Bevel}) {
        expect_climbs_all<Character, TypeParam>(front, 5);
        expect_climbs_all<PlainCharacter, TypeParam>(front, 5);
    }
}

// On these a character once stood still for ever: it took the edge of a step for a slope.
struct StairsWalk {
    Staircase stairs;
    Body body;
    double degrees;
    double speed;
};
constexpr std::array<StairsWalk, 12> kOnceStuck = {{{{0.28, 0.17}, {0.3, 0.9}, 0.0, 1.75},
                                                    {{0.25, 0.2}, {0.4, 0.9}, 0.0, 4.0},
                                                    {{0.32, 0.1875}, {0.3, 0.9}, 0.0, 1.0},
                                                    {{0.32, 0.1875}, {0.3, 0.9}, 20.0, 1.0},
                                                    {{0.32, 0.1875}, {0.4, 0.9}, 0.0, 1.25},
                                                    {{0.32, 0.1875}, {0.25, 0.9}, 0.0, 2.5},
                                                    {{0.32, 0.1875}, {0.5, 0.5}, 0.0, 1.25},
                                                    {{0.35, 0.3}, {0.3, 0.9}, 0.0, 6.0},
                                                    {{0.35, 0.3}, {0.4, 0.9}, 20.0, 1.25},
                                                    {{0.35, 0.3}, {0.25, 0.9}, 0.0, 3.0},
                                                    {{0.35, 0.3}, {0.25, 0.9}, 20.0, 1.0},
                                                    {{0.35, 0.3}, {0.5, 0.5}, 20.0, 1.0}}};

TYPED_TEST(StairsTest, CharactersGetUpStairs) {
    for (const StairsWalk& w : kOnceStuck) {
        const Level<TypeParam> level = stairs_of(w.stairs).level<TypeParam>();
        expect_climbs<Character>(level, w.stairs, w.body, w.degrees, w.speed);
        expect_climbs<PlainCharacter>(level, w.stairs, w.body, w.degrees, w.speed);
    }
}

TYPED_TEST(StairsTest, CharactersGetUpStepsWithoutRisersAndWithNosesAndBevels) {
    for (const Front front : {Front::Open, Front::Nosing, Front::Bevel})
        for (const Staircase& s : {kStaircases[0], kStaircases[4]}) {
            const Level<TypeParam> level = stairs_of(s, front).level<TypeParam>();
            for (const Body& body : kBodies) {
                expect_climbs<Character>(level, s, body, 20.0, 3.0, front);
                expect_climbs<PlainCharacter>(level, s, body, 0.0, 2.0, front);
            }
        }
}

TYPED_TEST(StairsTest, CapsulesGetUpStairs) {
    for (const Staircase& s : kStaircases) {
        const Level<TypeParam> level = stairs_of(s).level<TypeParam>();
        for (const Body& body : test::kCapsules) {
            expect_climbs<Character>(level, s, body, 20.0, 3.0);
            expect_climbs<PlainCharacter>(level, s, body, 0.0, 2.0);
        }
    }
}

TYPED_TEST(StairsAttack, CapsulesGetUpStepsOfAllKinds) {
    for (const Front front : {Front::Riser, Front::Open, Front::Nosing, Front::Bevel})
        for (const Staircase& s : kStaircases) {
            const Level<TypeParam> level = stairs_of(s, front).level<TypeParam>();
            for (const Body& body : test::kCapsules)
                for (const double degrees : kHeadings)
                    for (const double speed : {1.0, 2.25, 3.5, 6.0}) {
                        expect_climbs<Character>(level, s, body, degrees, speed, front);
                        expect_climbs<PlainCharacter>(level, s, body, degrees, speed, front);
                    }
        }
}

// Beside the stairs is a wall that leans away: too steep a slope, into which it presses all the way.
TYPED_TEST(StairsTest, CharactersGetUpStairsBesideWallsThatLean) {
    for (const double lean : {0.0, 0.02, 0.2, 0.5})
        for (const Staircase& s : {kStaircases[0], kStaircases[4]}) {
            Soup soup = stairs_of(s);
            const double z = -7.2;
            soup.quad({-9, 0, z}, {20, 0, z}, {20, 9, z + 9 * lean}, {-9, 9, z + 9 * lean});
            const Level<TypeParam> level = soup.level<TypeParam>();
            for (const Body& body : kBodies)
                for (const double degrees : {10.0, 40.0})
                    expect_climbs<Character>(level, s, body, degrees, 3.0);
        }
}

// On the way up and down it stands on edges, and knows that it stands.
TYPED_TEST(StairsTest, CharactersStayOnTheGroundUpAndDown) {
    const Staircase s{0.28, 0.17};
    const Level<TypeParam> level = stairs_of(s).level<TypeParam>();
    std::vector<Body> bodies(kBodies.begin(), kBodies.end());
    bodies.insert(bodies.end(), test::kCapsules.begin(), test::kCapsules.end());
    for (const Body& body : bodies) {
        WalkPlan plan = plan_up(s, body, 0.0, 3.0);
        plan.start.y = body.rest_height();
        const Walk up = test::walk<Character>(level, body, plan);
        EXPECT_LE(up.frames_in_air, 2) << body.across;
        plan.start = {kSteps * s.tread + 1.0, kSteps * s.rise + body.rest_height(), 0.0};
        plan.degrees = 180.0;
        plan.end_x = HUGE_VAL;
        plan.most_frames = 150;
        const Walk down = test::walk<Character>(level, body, plan);
        EXPECT_LT(down.end.x, -0.4);
        EXPECT_NEAR(down.end.y, body.rest_height(), body.skin());
        EXPECT_LE(down.frames_in_air, 2) << body.across;
        EXPECT_GE(down.least_gap, test::least_gap_asked(body));
    }
}

template <class Real>
Level<Real> level_of_scene(const generate::LevelScene& scene) {
    Level<Real> level;
    for (const generate::LevelPart& part : scene.parts) {
        std::vector<Vec<Real>> points;
        for (const Vec3& p : part.positions)
            points.push_back(narrowed<Real>(p));
        if (!level.add_part(points, part.faces)) std::abort();
    }
    return level;
}

TYPED_TEST(StairsTest, CharactersGetUpTheStairsOfOurLevels) {
    const generate::LevelScene scene = generate::make_level(generate::LevelId::Stairs);
    const Level<TypeParam> level = level_of_scene<TypeParam>(scene);
    const Body body{0.25, 0.9};
    for (int i = 0; i <= 6; ++i) {
        WalkPlan plan;
        plan.start = scene.start;
        plan.step_height = 0.2 + 0.05 * i;
        plan.end_x = 7.0;
        plan.most_frames = 400;
        const Walk up = test::walk<Character>(level, body, plan);
        EXPECT_TRUE(up.arrived) << plan.step_height << ": at " << up.end.x << " " << up.end.y;
        EXPECT_GT(up.end.y, scene.start.y) << plan.step_height;
        EXPECT_GE(up.least_gap, test::least_gap_asked(body));
        const Walk plain = test::walk<PlainCharacter>(level, body, plan);
        EXPECT_TRUE(plain.arrived) << plan.step_height << ": at " << plain.end.x;
    }
}

}  // namespace
}  // namespace graze::slide
