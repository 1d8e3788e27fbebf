// Slopes that are too steep and walls that are too high hold every character back, however they are
// cut into triangles.
#include "slide/walk_support.hpp"

namespace graze::slide {
namespace {

using test::Body;
using test::kBodies;
using test::PlainCharacter;
using test::Soup;
using test::Walk;
using test::WalkPlan;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kHalfWidth = 10.0;
constexpr double kSlopeLength = 8.0;
// Footing's: ground up to acos(0.7) = 45.57 degrees can be stood on.
const double kSteepest = std::acos(0.7) / kDegree;

enum class Cut { Quads, Grid, Scattered, Strips, Fan };
constexpr std::array<Cut, 5> kCuts = {Cut::Quads, Cut::Grid, Cut::Scattered, Cut::Strips, Cut::Fan};

// A rectangle: u from 0 to kSlopeLength up the slope, v from -kHalfWidth to kHalfWidth along it.
class Slope {
public:
    explicit Slope(double degrees)
        : rise_{std::cos(degrees * kDegree), std::sin(degrees * kDegree), 0.0} {}

    [[nodiscard]] Vec3 at(double u, double v) const { return u * rise_ + Vec3{0.0, 0.0, v}; }

    void add(Soup& soup, Cut cut) const {
        if (cut == Cut::Quads) add_quad(soup, 0.0, kSlopeLength, -kHalfWidth, kHalfWidth);
        if (cut == Cut::Grid || cut == Cut::Scattered) add_grid(soup, cut == Cut::Scattered);
        if (cut == Cut::Strips) add_strips(soup);
        if (cut == Cut::Fan) add_fan(soup);
    }

private:
    void add_quad(Soup& soup, double u0, double u1, double v0, double v1) const {
        soup.quad(at(u0, v0), at(u0, v1), at(u1, v1), at(u1, v0));
    }
    // Squares of a quarter, where asked for with their corners moved about in the plane.
    void add_grid(Soup& soup, bool scattered) const {
        test::Random random(5);
        constexpr int kRows = 32;
        constexpr int kColumns = 80;
        std::vector<Vec3> points;
        for (int i = 0; i <= kRows; ++i)
            for (int j = 0; j <= kColumns; ++j) {
                const double by = scattered && i > 0 ? 0.12 : 0.0;
                points.push_back(at(0.25 * i + random.between(-by, by),
                                    -kHalfWidth + 0.25 * j + random.between(-by, by)));
            }
        const auto point = [&](int i, int j) {
            return points[static_cast<std::size_t>(i * (kColumns + 1) + j)];
        };
        for (int i = 0; i < kRows; ++i)
            for (int j = 0; j < kColumns; ++j) {
                if ((i + j) % 2 == 0)
                    soup.quad(point(i, j), point(i, j + 1), point(i + 1, j + 1), point(i + 1, j));
                else
                    soup.quad(point(i, j + 1), point(i + 1, j + 1), point(i + 1, j), point(i, j));
            }
    }
    // Rows of different lengths: corners of one lie on edges of the next.
    void add_strips(Soup& soup) const {
        for (int i = 0; i < 40; ++i) {
            const int pieces = 7 + i % 5;
            for (int j = 0; j < pieces; ++j)
                add_quad(soup, 0.2 * i, 0.2 * (i + 1), -kHalfWidth + 20.0 * j / pieces,
                         -kHalfWidth + 20.0 * (j + 1) / pieces);
        }
    }
    // Slivers that meet in front of the character.
    void add_fan(Soup& soup) const {
        for (int j = 0; j < 60; ++j)
            soup.triangle(at(0.3, 0.0), at(kSlopeLength, -kHalfWidth + j / 3.0),
                          at(kSlopeLength, -kHalfWidth + (j + 1) / 3.0));
        soup.triangle(at(0.3, 0.0), at(0.0, -kHalfWidth), at(kSlopeLength, -kHalfWidth));
        soup.triangle(at(0.3, 0.0), at(0.0, kHalfWidth), at(kSlopeLength, kHalfWidth));
        soup.triangle(at(0.3, 0.0), at(0.0, -kHalfWidth), at(0.0, kHalfWidth));
    }

    Vec3 rise_;
};

Soup floor_and_slope(double degrees, Cut cut) {
    Soup soup;
    soup.quad({-9, 0, -kHalfWidth}, {-9, 0, kHalfWidth}, {0, 0, kHalfWidth}, {0, 0, -kHalfWidth});
    Slope(degrees).add(soup, cut);
    return soup;
}

WalkPlan plan_towards(const Body& body, double degrees, double speed) {
    WalkPlan plan;
    plan.start = {-1.2, body.rest_height(), 0.1};
    plan.degrees = degrees;
    plan.speed = speed;
    // It stays on the level, whose sides are 10 away.
    const double sideways = speed * std::sin(degrees * kDegree) * test::kFrame;
    plan.most_frames = static_cast<int>(std::min(120.0 + 90.0 / speed, 8.0 / (sideways + 1e-9)));
    return plan;
}

// It rests two skins over the floor, and where it arrives a move may end a skin higher.
double most_height(const Body& body) {
    return body.rest_height() + 4.0 * body.skin();
}

template <template <class> class Walker, class Real>
void expect_held(const Level<Real>& level, const Body& body, const WalkPlan& plan,
                 const std::string& what) {
    const Walk held = test::walk<Walker>(level, body, plan);
    EXPECT_LE(held.highest, most_height(body))
        << what << " radii " << body.across << " " << body.tall << " heading " << plan.degrees
        << " speed " << plan.speed << " at " << held.end.x << " " << held.end.y;
    EXPECT_GE(held.least_gap, test::least_gap_asked(body)) << what;
}

template <class Real>
void expect_held_by_slope(double degrees, Cut cut, double heading, double speed) {
    const Level<Real> level = floor_and_slope(degrees, cut).template level<Real>();
    const std::string what =
        std::to_string(degrees) + " degrees, cut " + std::to_string(static_cast<int>(cut));
    for (const Body& body : kBodies) {
        const WalkPlan plan = plan_towards(body, heading, speed);
        expect_held<Character>(level, body, plan, what);
        expect_held<PlainCharacter>(level, body, plan, what);
    }
}

template <class Real>
void expect_walks_up_slope(double degrees, Cut cut, double heading, double speed) {
    const Level<Real> level = floor_and_slope(degrees, cut).template level<Real>();
    for (const Body& body : kBodies) {
        WalkPlan plan = plan_towards(body, heading, speed);
        plan.most_frames = static_cast<int>(60.0 * 4.0 / speed);
        const Walk up = test::walk<Character>(level, body, plan);
        EXPECT_GT(up.highest, body.tall + 1.0)
            << degrees << " degrees, cut " << static_cast<int>(cut) << " radii " << body.across;
        EXPECT_GE(up.least_gap, test::least_gap_asked(body));
    }
}

template <class Real>
class SteepGroundTest : public testing::Test {};
using SteepReals = testing::Types<float, double>;
TYPED_TEST_SUITE(SteepGroundTest, SteepReals);
template <class Real>
class SteepGroundAttack : public testing::Test {};
TYPED_TEST_SUITE(SteepGroundAttack, SteepReals);

TYPED_TEST(SteepGroundTest, SlopesAboveTheLimitHoldCharactersBack) {
    for (const Cut cut : kCuts)
        for (const double degrees : {kSteepest + 0.25, 60.0})
            expect_held_by_slope<TypeParam>(degrees, cut, 0.0, 3.0);
}

TYPED_TEST(SteepGroundTest, SlopesBelowTheLimitAreWalkedUp) {
    for (const Cut cut : kCuts)
        expect_walks_up_slope<TypeParam>(kSteepest - 0.25, cut, 10.0, 3.0);
}

TYPED_TEST(SteepGroundAttack, SlopesAreWalkedUpBelowTheLimitOnly) {
    for (const Cut cut : kCuts)
        for (const double heading : {0.0, 7.0, 35.0, 60.0})
            for (const double speed : {0.1, 1.0, 6.0, 30.0}) {
                for (const double above : {0.05, 0.25, 5.0, 20.0, 43.0})
                    expect_held_by_slope<TypeParam>(kSteepest + above, cut, heading, speed);
                if (speed < 1.0 || heading > 35.0) continue;
                for (const double below : {0.05, 0.25, 5.0})
                    expect_walks_up_slope<TypeParam>(kSteepest - below, cut, heading, speed);
            }
}

// It is put down on the slope, and presses up: it must come down.
TYPED_TEST(SteepGroundTest, CharactersSlideDownSteepSlopesThatTheyPressAgainst) {
    for (const Cut cut : kCuts)
        for (const double degrees : {kSteepest + 0.5, 60.0}) {
            const Level<TypeParam> level = floor_and_slope(degrees, cut).level<TypeParam>();
            for (const Body& body : kBodies) {
                WalkPlan plan = plan_towards(body, 0.0, 3.0);
                plan.start = Slope(degrees).at(3.0, 0.1) + Vec3{-body.across, body.tall, 0.0};
                plan.most_frames = 180;
                const Walk down = test::walk<Character>(level, body, plan);
                EXPECT_LE(down.highest, plan.start.y);
                EXPECT_LE(down.end.y, most_height(body)) << degrees << " " << static_cast<int>(cut);
            }
        }
}

// Two steep faces that meet in a ridge, which rises towards the character's goal: all contacts are
// with the ridge.
Soup steep_ridge(double degrees) {
    Soup soup;
    soup.quad({-9, 0, -9}, {-9, 0, 9}, {9, 0, 9}, {9, 0, -9});
    const double t = std::tan(degrees * kDegree);
    const Vec3 foot{-1.0, -t, 0.0};
    const Vec3 top{5.0, 5.0 * t, 0.0};
    for (const double side : {-1.0, 1.0}) {
        const Vec3 out{0.0, -9.0, 9.0 * side};
        soup.quad(foot, top, top + out, foot + out);
    }
    return soup;
}

TYPED_TEST(SteepGroundTest, RidgesBetweenSteepFacesHoldCharactersBack) {
    for (const double degrees : {50.0, 60.0, 75.0}) {
        const Level<TypeParam> level = steep_ridge(degrees).level<TypeParam>();
        for (const Body& body : kBodies)
            for (const double speed : {1.0, 3.0, 6.0}) {
                WalkPlan plan = plan_towards(body, 0.0, speed);
                plan.start.z = 0.0;
                plan.most_frames = 90;
                const Walk held = test::walk<Character>(level, body, plan);
                EXPECT_LE(held.highest, most_height(body)) << degrees << " " << body.across;
                EXPECT_GE(held.least_gap, test::least_gap_asked(body));
            }
    }
}

// A cone of slivers: contacts are with edges that rise to the tip, and with the tip.
TYPED_TEST(SteepGroundTest, SteepConesHoldCharactersBack) {
    Soup soup;
    soup.quad({-9, 0, -9}, {-9, 0, 9}, {9, 0, 9}, {9, 0, -9});
    const auto rim = [](int i) {
        return Vec3{2.0 + 2.0 * std::cos(i * kDegree * 10.0), 0.0,
                    2.0 * std::sin(i * kDegree * 10.0)};
    };
    for (int i = 0; i < 36; ++i)
        soup.triangle(rim(i), rim(i + 1), {2.0, 3.0, 0.0});
    const Level<TypeParam> level = soup.level<TypeParam>();
    for (const Body& body : kBodies)
        for (const double z : {0.0, 0.05, 0.6}) {
            WalkPlan plan = plan_towards(body, 0.0, 3.0);
            plan.start.z = z;
            plan.most_frames = 60;
            expect_held<Character>(level, body, plan, "cone");
            expect_held<PlainCharacter>(level, body, plan, "cone");
        }
}

Soup wall_of(double height) {
    Soup soup;
    soup.quad({-9, 0, -9}, {-9, 0, 9}, {0, 0, 9}, {0, 0, -9});
    soup.quad({0, 0, -9}, {0, 0, 9}, {0, height, 9}, {0, height, -9});
    soup.quad({0, height, -9}, {0, height, 9}, {9, height, 9}, {9, height, -9});
    return soup;
}

// A rounded foot would roll over walls as high as its radius; the highest step is what it may.
TYPED_TEST(SteepGroundTest, WallsHigherThanAStepAreNotClimbed) {
    for (const double height : {0.38, 0.45, 0.6, 0.8, 1.2}) {
        const Level<TypeParam> level = wall_of(height).level<TypeParam>();
        for (const Body& body : kBodies)
            for (const double heading : {0.0, 30.0})
                for (const double speed : {0.5, 3.0, 6.0}) {
                    const WalkPlan plan = plan_towards(body, heading, speed);
                    expect_held<Character>(level, body, plan, "wall " + std::to_string(height));
                    expect_held<PlainCharacter>(level, body, plan,
                                                "wall " + std::to_string(height));
                }
    }
}

// A wall without thickness: behind it there is nothing to land on, or the same floor.
TYPED_TEST(SteepGroundTest, FencesHigherThanAStepAreNotCrossed) {
    for (const double height : {0.38, 0.45, 0.6, 1.0}) {
        Soup soup;
        soup.quad({-40, 0, -9}, {-40, 0, 9}, {40, 0, 9}, {40, 0, -9});
        soup.quad({0, 0, -9}, {0, 0, 9}, {0, height, 9}, {0, height, -9});
        const Level<TypeParam> level = soup.level<TypeParam>();
        for (const Body& body : kBodies)
            for (const double speed : {0.5, 3.0, 12.0, 40.0}) {
                const WalkPlan plan = plan_towards(body, 0.0, speed);
                const Walk held = test::walk<Character>(level, body, plan);
                EXPECT_LT(held.end.x, 0.0) << height << " " << body.across << " " << speed;
                EXPECT_LE(held.highest, most_height(body)) << height << " " << body.across;
            }
    }
}

TYPED_TEST(SteepGroundTest, WallsLowerThanAStepAre) {
    for (const double height : {0.05, 0.2, 0.34}) {
        const Level<TypeParam> level = wall_of(height).level<TypeParam>();
        for (const Body& body : kBodies) {
            WalkPlan plan = plan_towards(body, 0.0, 2.0);
            plan.end_x = 1.0;
            EXPECT_TRUE(test::walk<Character>(level, body, plan).arrived) << height;
        }
    }
}

// The edge of a plateau is ground to who is over it, not to who hangs at it by his shoulder.
TYPED_TEST(SteepGroundTest, EdgesFarAboveTheFeetAreNoGround) {
    const Level<TypeParam> level = wall_of(3.0).level<TypeParam>();
    const Body body{0.4, 0.9};
    for (const double drop : {0.1, 0.2, 0.3, 0.5, 0.6, 0.8}) {
        // The lowest point is `drop` below the edge.
        const double out = 0.4 * std::sqrt(1.0 - (1.0 - drop / 0.9) * (1.0 - drop / 0.9));
        SnapOptions<TypeParam> snap;
        snap.distance = TypeParam(0.1);
        const auto at = narrowed<TypeParam>({-out, 3.0 + 0.9 - drop + 0.05, 0.0});
        const auto named = [&](TypeParam step) {
            snap.step_height = step;
            return snap_to_ground(level, body.shape<TypeParam>(), at, snap).action;
        };
        EXPECT_EQ(named(TypeParam(0.35)), drop < 0.35 ? SnapAction::Snapped : SnapAction::TooSteep)
            << drop;
        EXPECT_EQ(named(TypeParam(0)), drop < 0.45 ? SnapAction::Snapped : SnapAction::TooSteep);
    }
}

// Where slope and floor meet it touches both, and stands on the floor.
TYPED_TEST(SteepGroundTest, CharactersStandAtTheFootOfSteepSlopes) {
    for (const double degrees : {50.0, 60.0, 80.0, 89.0})
        for (const Cut cut : kCuts) {
            const Level<TypeParam> level = floor_and_slope(degrees, cut).level<TypeParam>();
            for (const Body& body : kBodies) {
                const WalkPlan plan = plan_towards(body, 20.0, 2.0);
                const Walk held = test::walk<Character>(level, body, plan);
                EXPECT_EQ(held.frames_in_air, 0) << degrees << " radii " << body.across;
            }
        }
}

}  // namespace
}  // namespace graze::slide
