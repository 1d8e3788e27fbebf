#include "graze/rigid/screw_motion.hpp"

#include <cmath>
#include <vector>

#include "graze/rigid/contact.hpp"
#include "rigid/bodies.hpp"

namespace graze::rigid {
namespace {

using test::RandomPoses;

constexpr double kHalfTurn = 3.14159265358979323846;

std::vector<double> many_angles() {
    std::vector<double> angles = {0.0, 0.02, 0.04, 0.5, 1.0, 2.0, 3.0, kHalfTurn};
    for (int exponent = -1; exponent >= -320; exponent -= exponent > -20 ? 1 : 20)
        angles.push_back(std::pow(10.0, exponent));
    for (int exponent = -1; exponent >= -16; --exponent)
        angles.push_back(kHalfTurn - std::pow(10.0, exponent));
    return angles;
}

// The largest distance in units of the last place of what takes part.
TEST(ScrewMotion, EndsWhereTheMapTakesEveryPoint) {
    RandomPoses random(2);
    for (const double angle : many_angles()) {
        for (int i = 0; i < 200; ++i) {
            const Pose map = {rotation_about(random.vector(), angle), random.vector()};
            const ScrewMotion screw = screw_of(map);
            const Vec3 x = random.vector();
            const double scale = 4e-15 * (1.0 + norm(x) + norm(map.translation));
            EXPECT_LE(norm(screw.position(x, 1.0) - apply(map, x)), scale) << angle;
            EXPECT_LE(norm(apply(screw.at(1.0), x) - apply(map, x)), scale) << angle;
            EXPECT_EQ(screw.position(x, 0.0), x);
            EXPECT_LE(norm(screw.position(x, 0.3) - apply(screw.at(0.3), x)), scale) << angle;
        }
    }
}

TEST(ScrewMotion, KeepsTheDigitsOfTheAngle) {
    RandomPoses random(3);
    for (const double angle : many_angles()) {
        if (angle < 1e-305) continue;  // the sine of the half is subnormal
        const Vec3 axis = random.vector();
        const ScrewMotion screw = screw_of({rotation_about(axis, angle), {}});
        EXPECT_NEAR(screw.angle, angle, 2e-15 * angle) << angle;
        if (angle == 0.0) continue;
        EXPECT_LE(norm(screw.direction - (1.0 / norm(axis)) * axis), 1e-15) << angle;
        EXPECT_NEAR(norm(screw.direction), 1.0, 1e-15);
        EXPECT_EQ(screw.angular, screw.angle * screw.direction);
    }
}

// Points of the axis only shift, and the one that is told is the nearest to the origin.
TEST(ScrewMotion, TellsTheAxisPointNearestToTheOrigin) {
    RandomPoses random(4);
    for (const double angle : {1e-6, 1e-3, 0.1, 1.0, 2.0, 3.0, kHalfTurn}) {
        for (int i = 0; i < 200; ++i) {
            const ScrewMotion screw =
                screw_of({rotation_about(random.vector(), angle), random.vector()});
            const double scale = 1e-14 * (1.0 + norm(screw.point));
            const Vec3 expected = screw.point + screw.pitch * screw.direction;
            EXPECT_LE(norm(screw.position(screw.point, 1.0) - expected), scale) << angle;
            EXPECT_LE(std::fabs(dot(screw.point, screw.direction)), scale) << angle;
        }
    }
}

// Buss 2005, equation 2: about y by theta, up by g.
TEST(ScrewMotion, TurnsAboutTheVerticalAxisAsThePaperSays) {
    const double theta = 0.7;
    const ScrewMotion screw = screw_of({rotation_about({0, 1, 0}, theta), {0.0, 0.25, 0.0}});
    EXPECT_NEAR(screw.angle, theta, 1e-15);
    EXPECT_NEAR(screw.pitch, 0.25, 1e-16);
    EXPECT_LE(norm(screw.point), 1e-16);
    const Vec3 x = {1.0, 2.0, 3.0};
    const Vec3 end = screw.position(x, 1.0);
    EXPECT_NEAR(end.x, std::cos(theta) * x.x + std::sin(theta) * x.z, 1e-15);
    EXPECT_NEAR(end.y, x.y + 0.25, 1e-15);
    EXPECT_NEAR(end.z, -std::sin(theta) * x.x + std::cos(theta) * x.z, 1e-15);
    const Vec3 flow = screw.velocity(x);  // equation 4
    EXPECT_NEAR(flow.x, theta * x.z, 1e-15);
    EXPECT_NEAR(flow.y, 0.25, 1e-15);
    EXPECT_NEAR(flow.z, -theta * x.x, 1e-15);
}

TEST(ScrewMotion, IsATranslationWhereNothingTurns) {
    const ScrewMotion screw = screw_of({{2.0, 0.0, 0.0, 0.0}, {0.0, -3.0, 4.0}});
    EXPECT_TRUE(screw.is_translation());
    EXPECT_EQ(screw.pitch, 5.0);
    EXPECT_EQ(screw.direction, (Vec3{0.0, -0.6, 0.8}));
    EXPECT_EQ(screw.position({1.0, 1.0, 1.0}, 0.5), (Vec3{1.0, -0.5, 3.0}));
    EXPECT_EQ(screw.velocity({7.0, 7.0, 7.0}), (Vec3{0.0, -3.0, 4.0}));
    const ScrewMotion rest = screw_of({});
    EXPECT_TRUE(rest.is_translation());
    EXPECT_EQ(rest.pitch, 0.0);
    EXPECT_EQ(norm(rest.direction), 1.0);
    EXPECT_EQ(rest.position({1.0, 2.0, 3.0}, 0.7), (Vec3{1.0, 2.0, 3.0}));
}

// The way of a turn by a is within a (|x| + |T|) of that of no turn.
TEST(ScrewMotion, GoesToATranslationAsTheTurnGoesToNone) {
    RandomPoses random(5);
    for (int exponent = -1; exponent >= -300; exponent -= 3) {
        const double angle = std::pow(10.0, exponent);
        const Vec3 shift = random.vector();
        const Vec3 x = random.vector();
        const ScrewMotion turning = screw_of({rotation_about(random.vector(), angle), shift});
        const ScrewMotion straight = screw_of({{}, shift});
        const double bound = (angle + 1e-15) * (norm(x) + norm(shift));
        EXPECT_TRUE(is_finite(turning.point));
        for (const double t : {0.1, 0.5, 0.9})
            EXPECT_LE(norm(turning.position(x, t) - straight.position(x, t)), bound) << exponent;
    }
}

TEST(ScrewMotion, AnAxisBeyondAllNumbersIsATranslation) {
    const ScrewMotion screw = screw_of({{1.0, 0.0, 0.0, 1e-310}, {1.0, 0.0, 0.0}});
    EXPECT_TRUE(screw.is_translation());
    EXPECT_EQ(screw.position({0.0, 0.0, 0.0}, 1.0), (Vec3{1.0, 0.0, 0.0}));
}

// The sign of the quaternion says which way half a turn goes; close to it the shorter way counts.
TEST(ScrewMotion, HalfATurnGoesTheWayOfTheSign) {
    EXPECT_EQ(screw_of({{0.0, 0.0, 1.0, 0.0}, {}}).direction, (Vec3{0.0, 1.0, 0.0}));
    EXPECT_EQ(screw_of({{0.0, 0.0, -1.0, 0.0}, {}}).direction, (Vec3{0.0, -1.0, 0.0}));
    EXPECT_EQ(screw_of({{-0.0, 0.0, 1.0, 0.0}, {}}).direction, (Vec3{0.0, 1.0, 0.0}));
    EXPECT_EQ(screw_of({{1e-17, 0.0, 1.0, 0.0}, {}}).direction, (Vec3{0.0, 1.0, 0.0}));
    EXPECT_EQ(screw_of({{-1e-17, 0.0, 1.0, 0.0}, {}}).direction, (Vec3{0.0, -1.0, 0.0}));
    EXPECT_EQ(screw_of({{0.0, 0.0, 1.0, 0.0}, {}}).angle, kHalfTurn);
    PairStep step;
    step.b.end.rotation = {0.0, 0.0, 0.0, -1.0};
    EXPECT_EQ(relative_screw(step).direction, (Vec3{0.0, 0.0, -1.0}));
    step.a.start.rotation = step.a.end.rotation = {-1.0, 0.0, 0.0, 0.0};
    EXPECT_EQ(relative_screw(step).direction, (Vec3{0.0, 0.0, -1.0}));
    step.a.end.rotation = {1.0, 0.0, 0.0, 0.0};
    EXPECT_EQ(relative_screw(step).direction, (Vec3{0.0, 0.0, 1.0}));
}

TEST(ScrewMotion, VelocityIsTheDerivativeOfPosition) {
    RandomPoses random(6);
    for (int i = 0; i < 500; ++i) {
        const ScrewMotion screw =
            screw_of({rotation_about(random.vector(), random.uniform(0.0, 3.0)), random.vector()});
        const Vec3 x = random.vector();
        const double t = random.uniform(0.0, 1.0);
        const double h = 1e-5;
        const Vec3 slope = (0.5 / h) * (screw.position(x, t + h) - screw.position(x, t - h));
        const Vec3 flow = screw.velocity(screw.position(x, t));
        EXPECT_LE(norm(slope - flow), 1e-8 * (1.0 + norm(flow)));
    }
}

// Buss 2005, section 4.2: points do not change between forward and backward facing.
TEST(ScrewMotion, TheFlowThroughASurfaceStaysTheSameAsItMoves) {
    RandomPoses random(7);
    for (int i = 0; i < 500; ++i) {
        const ScrewMotion screw = screw_of(
            {rotation_about(random.vector(), random.uniform(0.0, kHalfTurn)), random.vector()});
        const Vec3 x = random.vector();
        const Vec3 n = random.vector();
        const double through = dot(n, screw.velocity(x));
        for (const double t : {0.2, 0.6, 1.0}) {
            const Vec3 normal = rotate(screw.at(t).rotation, n);
            const double later = dot(normal, screw.velocity(screw.position(x, t)));
            EXPECT_NEAR(later, through, 1e-12 * (1.0 + norm(screw.linear)));
        }
    }
}

// Buss 2005, Figure 4: a square beside the origin turns about it. The leading side faces forward,
// the trailing one backward, and the inner and the outer side change where the flow is along them.
TEST(ScrewMotion, ASquareBesideTheAxisFacesForwardAndBackwardAsInThePapersFigure) {
    const ScrewMotion screw = screw_of({rotation_about({0, 0, 1}, 0.5), {}});
    const auto through = [&](const Vec3& normal, double x, double y) {
        return dot(normal, screw.velocity({x, y, 0.0}));
    };
    for (const double s : {-0.75, -0.25, 0.25, 0.75}) {
        EXPECT_GT(through({0, 1, 0}, 2.0 + s, 1.0), 0.0);
        EXPECT_LT(through({0, -1, 0}, 2.0 + s, -1.0), 0.0);
        EXPECT_EQ(through({1, 0, 0}, 3.0, s) > 0.0, s < 0.0);
        EXPECT_EQ(through({-1, 0, 0}, 1.0, s) > 0.0, s > 0.0);
    }
    EXPECT_EQ(through({1, 0, 0}, 3.0, 0.0), 0.0);
}

// B's points end where its end pose puts them, seen from A.
TEST(ScrewMotion, RelativeMotionTakesBFromStartToEnd) {
    RandomPoses random(8);
    for (int i = 0; i < 1000; ++i) {
        const PairStep step = {{random.pose(), random.pose()}, {random.pose(), random.pose()}};
        const ScrewMotion screw = relative_screw(step);
        const Vec3 b = random.vector();
        const Vec3 start = apply(relative_start(step), b);
        EXPECT_LE(norm(apply(step.a.start, start) - apply(step.b.start, b)), 2e-14);
        const Vec3 end = apply(step.a.end, screw.position(start, 1.0));
        EXPECT_LE(norm(end - apply(step.b.end, b)), 5e-14);
    }
}

TEST(ScrewMotion, NothingMovesWhereBothRestOrMoveAsOne) {
    RandomPoses random(9);
    for (int i = 0; i < 1000; ++i) {
        const Pose a = random.pose();
        const Pose b = random.pose();
        const ScrewMotion screw = relative_screw({{a, a}, {b, b}});
        EXPECT_EQ(screw.angle, 0.0);
        EXPECT_EQ(screw.pitch, 0.0);
    }
}

// The vector part of conj(a1) b1 conj(b0) a0 in 64 bits, as a reference for small turns.
double reference_angle(const PairStep& step) {
    using Wide = std::array<long double, 4>;
    const auto wide = [](const Quaternion& q, double sign) {
        return Wide{q.w, sign * q.x, sign * q.y, sign * q.z};
    };
    const auto times = [](const Wide& p, const Wide& q) {
        return Wide{p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                    p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                    p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3],
                    p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1]};
    };
    const Wide q =
        times(times(wide(step.a.end.rotation, -1.0), wide(step.b.end.rotation, 1.0)),
              times(wide(step.b.start.rotation, -1.0), wide(step.a.start.rotation, 1.0)));
    const long double sine = std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return static_cast<double>(2.0L * std::atan2(sine, std::fabs(q[0])));
}

// A product of rounded quaternions would leave an error of 1e-16: a tenth of a turn of 1e-15.
TEST(ScrewMotion, SmallRelativeTurnsKeepTheirDigits) {
    RandomPoses random(10);
    for (const double angle : {1e-3, 1e-6, 1e-9}) {
        for (int i = 0; i < 200; ++i) {
            const Pose a = random.pose();
            const Pose b = random.pose();
            const Quaternion turn = rotation_about(random.vector(), angle);
            const Pose later = compose({turn, {}}, b);
            const PairStep step = {{a, a}, {b, later}};
            const double expected = reference_angle(step);
            // 64 bits leave 2^-63 of 1, so that the reference is good to that over the angle.
            const double tolerance = 4e-15 + 1e-18 / angle;
            EXPECT_NEAR(relative_screw(step).angle / expected, 1.0, tolerance) << angle;
        }
    }
}

// Far away from the origin a small shift keeps its digits, too: differences come first.
TEST(ScrewMotion, SmallShiftsFarAwayKeepTheirDigits) {
    PairStep step;
    step.a.start.translation = step.a.end.translation = {1e6, 2e6, 3e6};
    step.b.start.translation = {1e6 + 1.0, 2e6, 3e6};
    step.b.end.translation = {1e6 + 1.0 + 0x1p-30, 2e6, 3e6};
    const ScrewMotion screw = relative_screw(step);
    EXPECT_TRUE(screw.is_translation());
    EXPECT_EQ(screw.pitch, 0x1p-30);
}

TEST(ScrewMotion, WorldPosesStartAndEndAsGivenAndFollowTheScrews) {
    RandomPoses random(11);
    for (int i = 0; i < 300; ++i) {
        const PairStep step = {{random.pose(), random.pose()}, {random.pose(), random.pose()}};
        EXPECT_EQ(world_pose_a(step, 0.0), step.a.start);
        EXPECT_EQ(world_pose_a(step, 1.0), step.a.end);
        EXPECT_EQ(world_pose_b(step, 0.0), step.b.start);
        EXPECT_EQ(world_pose_b(step, 1.0), step.b.end);
        const Vec3 x = random.vector();
        // Continuous at the ends, within the largest speed times the time.
        for (const double t : {0x1p-40, 1.0 - 0x1p-40}) {
            const BodyStep& a = step.a;
            const BodyStep& b = step.b;
            EXPECT_LE(norm(apply(world_pose_a(step, t), x) - apply(t < 0.5 ? a.start : a.end, x)),
                      1e-9);
            EXPECT_LE(norm(apply(world_pose_b(step, t), x) - apply(t < 0.5 ? b.start : b.end, x)),
                      1e-9);
        }
        // B(t) = A(t) * screw(t) * start of B seen from A.
        const double t = random.uniform(0.0, 1.0);
        const Vec3 seen = relative_screw(step).position(apply(relative_start(step), x), t);
        EXPECT_LE(norm(apply(world_pose_b(step, t), x) - apply(world_pose_a(step, t), seen)),
                  1e-13 * (1.0 + norm(seen)));
    }
}

// The table of Buss 2005, section 4.3, as shares; its row for 60 degrees says 0.173, which is not
// what the formula gives.
TEST(ScrewMotion, TheErrorEstimateFollowsTheFormula) {
    const double degree = kHalfTurn / 180.0;
    EXPECT_EQ(interpolation_error(0.0), 0.0);
    const double table[][2] = {{60.0, 0.128}, {45.0, 0.097}, {30.0, 0.065},
                               {20.0, 0.044}, {10.0, 0.022}, {5.0, 0.011}};
    for (const auto& [angle, error] : table)
        EXPECT_NEAR(interpolation_error(angle * degree), error, 0.0005) << angle;
    EXPECT_NEAR(interpolation_error(1e-200) / (1e-200 / 8.0), 1.0, 1e-15);
    EXPECT_NEAR(interpolation_error(kLargeAngle), 0.1, 0.005);
}

// --- collision.hpp -------------------------------------------------------------------------------

TEST(Contact, HasShortNamesWithTheFeatureOfAFirst) {
    EXPECT_EQ(short_name(ContactType::VertexFace), "vf");
    EXPECT_EQ(short_name(ContactType::FaceVertex), "fv");
    EXPECT_EQ(short_name(ContactType::EdgeEdge), "ee");
    EXPECT_EQ(short_name(ContactType::FaceFace), "ff");
}

TEST(Contact, KnowsAndProvesNothingAtFirst) {
    const Contact contact;
    EXPECT_FALSE(contact.has_features());
    EXPECT_FALSE(contact.is_proved());
    EXPECT_EQ(contact.normal, Vec3{});
}

TEST(Contact, GoesToTheWorldWithA) {
    PairStep step;
    step.a.start.translation = {1.0, 0.0, 0.0};
    step.a.end = {rotation_about({0, 0, 1}, kHalfTurn / 2.0), {0.0, 1.0, 0.0}};
    Contact collision;
    collision.time = 1.0;
    collision.point = {1.0, 0.0, 0.0};
    collision.normal = {0.0, 1.0, 0.0};
    const Contact world = to_world(collision, step);
    EXPECT_LE(norm(world.point - Vec3{0.0, 2.0, 0.0}), 1e-15);
    EXPECT_LE(norm(world.normal - Vec3{-1.0, 0.0, 0.0}), 1e-15);
}

TEST(Contact, GroupsAreThoseWithinTheGapOfTheirFirst) {
    std::vector<Contact> collisions(6);
    const double times[] = {0.1, 0.15, 0.2, 0.21, 0.5, 0.6};
    for (std::size_t i = 0; i < collisions.size(); ++i)
        collisions[i].time = times[i];
    EXPECT_EQ(simultaneous_groups(collisions, 0.1), (std::vector<std::size_t>{0, 3, 4}));
    EXPECT_EQ(simultaneous_groups(collisions, 0.0), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_TRUE(simultaneous_groups({}, 1.0).empty());
}

}  // namespace
}  // namespace graze::rigid
