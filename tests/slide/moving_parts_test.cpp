// Parts that move where numbers are coarse, rotations by half a turn, and starts that prove nothing.
// Defends G-SLIDE-8, G-SLIDE-9 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "graze/core/big_integer.hpp"
#include "graze/slide/ride.hpp"
#include "graze/slide/sweep.hpp"
#include "graze/slide/world.hpp"

namespace graze::slide {
namespace {

using Faces = std::vector<std::array<std::uint32_t, 3>>;

template <class Real>
Shape<Real> ball_of(Real radius) {
    return {{radius, radius, radius}};
}

template <class Real>
class MovingPartsTest : public testing::Test {};
using MovingReals = testing::Types<float, double>;
TYPED_TEST_SUITE(MovingPartsTest, MovingReals);

// A part comes from far away to the origin. Its vertices are rounded where they are: far away by half a
// unit in the last place of that coordinate, which the box of the frame did not hold: it had been grown
// by the error at the end of the motion.
template <class Real>
void expect_found_at_begin(double far, double unit, Real x) {
    World<Real> world;
    const Real thin = static_cast<Real>(1e-4 * unit);
    const std::vector<Vec<Real>> points{
        {-x, -thin, Real{0}}, {x, -thin, Real{0}}, {-x, thin, Real{0}}};
    const auto mesh = world.add_mesh(points, Faces{{0, 1, 2}});
    const std::uint32_t part = *world.add_part(*mesh, Pose{{}, {-far, 0, 0}});
    ASSERT_TRUE(world.move_part(part, Pose{}));
    world.update();
    const Obstacles<Real> before = world.at(0.0);
    const Vec<Real> vertex = before.triangle(part, 0)[0];
    const Shape<Real> ball = ball_of(static_cast<Real>(0.1 * unit));
    EXPECT_NE(overlap_at(before, ball, vertex), Verdict::Separated) << x;
    const GapResult<Real> gap = smallest_gap(before, ball, vertex, Real{0});
    EXPECT_TRUE(gap.found && gap.gap_lower <= 0.0) << x;
    const Real above = static_cast<Real>(unit);
    const SweepResult<Real> through = first_contact<Real>(
        before, ball, {{vertex.x, vertex.y, above}, {Real{0}, Real{0}, Real{-2} * above}, Real{0}});
    EXPECT_EQ(through.verdict, Verdict::Contact) << x;
    EXPECT_NE(ride_parts(world, ball, vertex).outcome, RideOutcome::Unmoved) << x;
}

TEST(MovingParts, APartThatComesFromFarAwayIsFoundWhereItWas) {
    expect_found_at_begin<float>(1e6, 0x1p-4, 0x1.0851ecp+0F);
    for (double f = 0.5; f < 1.0; f += 0.02) {
        expect_found_at_begin<float>(1e6, 0x1p-4, static_cast<float>(1.0 + f * 0x1p-4));
        expect_found_at_begin<float>(1e4, 0x1p-10, static_cast<float>(1.0 + f * 0x1p-10));
        expect_found_at_begin<double>(1e15, 0.125, 1.0 + f * 0.125);
    }
}

// With a pivot that is far from both, and a mesh that is far from its own origin.
TYPED_TEST(MovingPartsTest, APartThatTurnsAboutAFarPivotIsFoundAtAllTimes) {
    World<TypeParam> world;
    const double far = 1e5;
    const auto at = [&](double x, double y) { return narrowed<TypeParam>({far + x, y, 0.0}); };
    const std::vector<Vec<TypeParam>> points{at(0, -0.001), at(1, -0.001), at(0, 0.001)};
    const auto mesh = world.add_mesh(points, Faces{{0, 1, 2}});
    const Vec3 pivot{far, 0, 0};
    const auto turned = [&](double angle) {
        Pose pose{rotation_about({0, 0, 1}, angle), {}};
        pose.translation = -rotate(pose.rotation, pivot);
        return pose;
    };
    const std::uint32_t part = *world.add_part(*mesh, turned(0.0));
    ASSERT_TRUE(world.move_part(part, turned(2.0), pivot));
    world.update();
    for (double time = 0.0; time <= 1.0; time += 1.0 / 64) {
        const Obstacles<TypeParam> then = world.at(time);
        for (const Vec<TypeParam>& vertex : then.triangle(part, 0)) {
            EXPECT_NE(overlap_at(then, ball_of(TypeParam(0x1p-12)), vertex), Verdict::Separated)
                << time;
        }
    }
}

// --- starts ---------------------------------------------------------------------------------------

template <class Real>
struct StillAndMoving {
    World<Real> world;
    StillAndMoving() {
        const std::uint32_t box = *world.add_box({1, 1, 1});
        (void)world.add_part(box, Pose{{}, {10, 0, 0}});
        const std::uint32_t moving = *world.add_part(box, Pose{});
        (void)world.move_part(moving, Pose{{}, {0, 0.5, 0}});
        world.update();
    }
};

template <class Real>
void expect_unproved(const RideResult<Real>& ride, const char* what) {
    EXPECT_EQ(ride.outcome, RideOutcome::Unproved) << what;
    EXPECT_EQ(ride.time, 0.0) << what;
    EXPECT_GT(ride.overlap, 0.0) << what;
}

TYPED_TEST(MovingPartsTest, AStartInsideOfAStillPartIsUnprovedWhereNothingMovesNearIt) {
    const StillAndMoving<TypeParam> scene;
    const RideResult<TypeParam> inside =
        ride_parts<TypeParam>(scene.world, ball_of(TypeParam(0.5)), {10, 0, 0});
    expect_unproved(inside, "inside");
    EXPECT_GE(inside.overlap, 1.5);
    expect_unproved(
        ride_parts<TypeParam>(scene.world, ball_of(TypeParam(0.5)), {TypeParam(11.25), 0, 0}),
        "half in");
    const RideResult<TypeParam> far =
        ride_parts<TypeParam>(scene.world, ball_of(TypeParam(0.5)), {30, 0, 0});
    EXPECT_EQ(far.outcome, RideOutcome::Unmoved);
    EXPECT_EQ(far.time, 1.0);
}

TYPED_TEST(MovingPartsTest, ARideOfWhatIsNoNumberIsUnproved) {
    using Limits = std::numeric_limits<TypeParam>;
    const StillAndMoving<TypeParam> scene;
    const TypeParam half(0.5);
    for (const TypeParam bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Vec<TypeParam> at{30, 0, 0};
            at[axis] = bad;
            expect_unproved(ride_parts<TypeParam>(scene.world, ball_of(half), at), "position");
            Shape<TypeParam> shape = ball_of(half);
            shape.radii[axis] = bad;
            expect_unproved(ride_parts<TypeParam>(scene.world, shape, {30, 0, 0}), "radii");
            shape = ball_of(half);
            shape.half_axis[axis] = bad;
            expect_unproved(ride_parts<TypeParam>(scene.world, shape, {30, 0, 0}), "half axis");
            shape = ball_of(half);
            shape.side_axes[1][axis] = bad;
            expect_unproved(ride_parts<TypeParam>(scene.world, shape, {30, 0, 0}), "side axis");
        }
    }
    for (const TypeParam bad : {Limits::quiet_NaN(), TypeParam(-1)}) {
        const RideResult<TypeParam> ride =
            ride_parts<TypeParam>(scene.world, ball_of(half), {30, 0, 0}, std::nullopt, {bad});
        EXPECT_EQ(ride.outcome, RideOutcome::Unproved);
        EXPECT_EQ(ride.time, 0.0);
    }
}

// A skin that is wider than what is looked at for the sake of speed: at the end of the frame the moving
// part is farther away than four radii, and nearer than the skin.
TYPED_TEST(MovingPartsTest, AnUnmovedShapeKeepsAWideSkinFromWhatComesNearer) {
    World<TypeParam> world;
    const std::uint32_t box = *world.add_box({1, 1, 1});
    const std::uint32_t moving = *world.add_part(box, Pose{{}, {60, 0, 0}});
    ASSERT_TRUE(world.move_part(moving, Pose{{}, {20, 0, 0}}));
    world.update();
    const Shape<TypeParam> ball = ball_of(TypeParam(1));
    const RideResult<TypeParam> ride =
        ride_parts<TypeParam>(world, ball, {}, std::nullopt, {TypeParam(30)});
    const GapResult<TypeParam> gap = smallest_gap(world, ball, ride.position, TypeParam(100));
    ASSERT_TRUE(gap.found);
    EXPECT_TRUE(ride.time < 1.0 || gap.gap_lower >= 30.0 * (1.0 - 0x1p-20)) << gap.gap_lower;
}

// --- one-sided parts ------------------------------------------------------------------------------

// A panel that is one-sided, 0.1 wide and 0.4 high, its normal at an angle from x in the plane of x and
// z. A capsule that stands on end is higher: their distance is one in that plane.
struct Panel {
    static constexpr double kHalf = 0.05;
    Pose from;
    Pose to;

    [[nodiscard]] static Pose at(double x, double z, double angle) {
        return {rotation_about({0, 1, 0}, std::acos(0.0) - angle), {x, 0, z}};
    }
    template <class Real>
    [[nodiscard]] World<Real> world() const {
        World<Real> world;
        const auto corner = [](double x, double y) { return narrowed<Real>({x, y, 0}); };
        const std::vector<Vec<Real>> points{corner(-kHalf, -0.2), corner(kHalf, -0.2),
                                            corner(kHalf, 0.2), corner(-kHalf, 0.2)};
        const FaceMarks marks{.one_sided = true};
        const auto mesh = world.add_mesh(points, Faces{{0, 1, 2}, {0, 2, 3}}, {&marks, 1});
        const std::uint32_t part = *world.add_part(*mesh, from);
        world.update();
        EXPECT_TRUE(world.move_part(part, to));
        world.update();
        return world;
    }
    struct Relation {
        double height;  // of the point over the front
        double distance;
    };
    [[nodiscard]] Relation of(double time, const Vec3& point) const {
        const Vec3 p = apply(inverse(pose_at(PartMotion{from, to, {}}, time)), point);
        const double beside = std::max(std::fabs(p.x) - kHalf, 0.0);
        return {p.z, std::hypot(beside, p.z)};
    }
};

Vec3 place_at(const RideTrail& trail, double time) {
    Vec3 place = trail.points[0].position;
    for (std::size_t i = 1; i < trail.count; ++i) {
        const RideTrail::Point& a = trail.points[i - 1];
        const RideTrail::Point& b = trail.points[i];
        if (b.time <= time) {
            place = b.position;
        } else if (a.time <= time) {
            return a.position + (time - a.time) / (b.time - a.time) * (b.position - a.position);
        }
    }
    return place;
}

// At most how deep the panel is in the capsule that it comes into from its front, up to the time that
// the ride is proved for.
template <class Real>
double depth_from_front(const Panel& panel, double radius, const RideResult<Real>& ride,
                        const RideTrail& trail) {
    constexpr int kSamples = 400;
    double deepest = 0.0;
    bool was_met = false;
    bool from_front = false;
    for (int i = 0; i <= kSamples; ++i) {
        const double time = static_cast<double>(i) / kSamples;
        if (time > ride.time) break;
        const auto [height, distance] = panel.of(time, place_at(trail, time));
        const bool is_met = distance < radius;
        if (is_met && !was_met) from_front = height > 0.02 * radius;
        if (is_met && from_front) deepest = std::max(deepest, radius - distance);
        was_met = is_met;
    }
    return deepest;
}

TYPED_TEST(MovingPartsTest, AOneSidedPartThatComesRoundToItsFrontWithinTheFrameIsMet) {
    const Panel panel{{{0x1.ecf860f953a57p-1, 0, -0x1.1494e72d9e3e4p-2, 0},
                       {-0x1.aa7e608aae74ap-1, 0, -0x1.b9551d5b755a4p-2}},
                      {{0x1.da424bb98b862p-1, 0, -0x1.81dcc098c4021p-2, 0},
                       {0x1.8101705c399cfp+0, 0, 0x1.791cd27aeeebp-2}}};
    const World<TypeParam> world = panel.world<TypeParam>();
    const Shape<TypeParam> shape = capsule(TypeParam(0.3), TypeParam(0.6));
    RideTrail trail;
    const RideResult<TypeParam> ride =
        ride_parts<TypeParam>(world, shape, {}, std::nullopt, {}, &trail);
    EXPECT_NE(ride.outcome, RideOutcome::Unmoved);
    EXPECT_LE(depth_from_front(panel, 0.3, ride, trail), 1e-4);
}

TYPED_TEST(MovingPartsTest, NoOneSidedPartComesInThroughItsFront) {
    std::mt19937_64 bits(3);
    const auto between = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(bits);
    };
    const Shape<TypeParam> shape = capsule(TypeParam(0.3), TypeParam(0.6));
    int met = 0;
    int whole = 0;
    for (int i = 0; i < 4'000; ++i) {
        const Vec3 from{between(-1.5, 1.5), 0, between(-1.5, 1.5)};
        const double way = between(0.0, 6.28);
        const double length = between(0.3, 2.5);
        const double angle = between(0.0, 6.28);
        const Panel panel{Panel::at(from.x, from.z, angle),
                          Panel::at(from.x + length * std::cos(way),
                                    from.z + length * std::sin(way), angle + between(-0.7, 0.7))};
        // From behind, as far as it matters here, and so that it meets what does not move.
        if (panel.of(0.0, {}).height > -0.001 || panel.of(0.0, {}).distance < 0.31) continue;
        RideTrail still;
        still.add(0.0, {});
        RideResult<double> unmoved;
        unmoved.time = 1.0;
        const bool meets = depth_from_front(panel, 0.3, unmoved, still) > 0.0;
        if (!meets && i % 20 != 0) continue;
        met += meets ? 1 : 0;
        const World<TypeParam> world = panel.world<TypeParam>();
        RideTrail trail;
        const RideResult<TypeParam> ride =
            ride_parts<TypeParam>(world, shape, {}, std::nullopt, {}, &trail);
        whole += ride.time == 1.0 ? 1 : 0;
        EXPECT_LE(depth_from_front(panel, 0.3, ride, trail), 1e-4) << i;
    }
    EXPECT_GT(met, 10);
    EXPECT_GT(whole, 40);
}

// A platform that comes up around a shape from behind does not hold it, and one that a shape stands
// half in, behind its front, may move on.
TYPED_TEST(MovingPartsTest, AOneSidedPartPassesWhatIsBehindIt) {
    World<TypeParam> world;
    const std::vector<Vec<TypeParam>> points{{-2, 0, -2}, {-2, 0, 2}, {2, 0, 2}, {2, 0, -2}};
    const FaceMarks marks{.one_sided = true};
    const auto mesh = world.add_mesh(points, Faces{{0, 1, 2}, {0, 2, 3}}, {&marks, 1});
    const std::uint32_t part = *world.add_part(*mesh, Pose{{}, {0, 1, 0}});
    const Shape<TypeParam> ball = ball_of(TypeParam(0.5));
    // Down to where it is half in the ball, sideways there, and up again.
    for (const Vec3& to : {Vec3{0, 0.25, 0}, Vec3{0.5, 0.25, 0}, Vec3{0, 2, 0}}) {
        ASSERT_TRUE(world.move_part(part, Pose{{}, to}));
        world.update();
        const RideResult<TypeParam> ride = ride_parts<TypeParam>(world, ball, {});
        EXPECT_EQ(ride.time, 1.0) << to.x << " " << to.y;
        EXPECT_EQ(ride.position, Vec<TypeParam>{});
    }
}

// --- half a turn ----------------------------------------------------------------------------------

// Of from . to for rotations about y, in integers: the parts are whole multiples of 2^-54.
double sign_of_scalar(const Quaternion& from, const Quaternion& to) {
    const auto product = [](double a, double b) {
        using Whole = BigInteger<256>;
        return Whole::from_scaled(a, 54) * Whole::from_scaled(b, 54);
    };
    return (product(from.w, to.w) + product(from.y, to.y)).sign();
}

// The scalar part of the exact product is positive, its rounded one was not: the part went round the
// other way.
TEST(MovingParts, ARotationByAlmostHalfATurnHasTheSenseOfTheExactOne) {
    const Quaternion from{0x1.ca246f668fdeap-1, 0, 0x1.c929d958b131ap-2, 0};
    const Quaternion to{-0x1.c929d958b131bp-2, 0, 0x1.ca246f668fdeap-1, 0};
    // About y the vector part of to from* is to.y from.w - to.w from.y > 0.
    const double sense = sign_of_scalar(from, to);
    ASSERT_NE(sense, 0.0);
    for (const double sign : {1.0, -1.0}) {  // -q is the same rotation, and the same motion
        const Quaternion end{sign * to.w, 0, sign * to.y, 0};
        const PartMotion motion{{from, {}}, {end, {}}, {}};
        const Vec3 begin = apply(motion.from, {1, 0, 0});
        const Vec3 half = apply(pose_at(motion, 0.5), {1, 0, 0});
        EXPECT_GT(sense * cross(begin, half).y, 0.9) << sign;
    }
}

// The ride has the same sense: a ball where the exact motion passes is not left in its path.
TEST(MovingParts, ARideMeetsWhatRotatesByAlmostHalfATurn) {
    const Quaternion from{0x1.ca246f668fdeap-1, 0, 0x1.c929d958b131ap-2, 0};
    const Quaternion to{-0x1.c929d958b131bp-2, 0, 0x1.ca246f668fdeap-1, 0};
    const Vec3 arm{2, 0, 0};
    World<double> world;
    const std::uint32_t sphere = *world.add_sphere(0.3);
    const std::uint32_t part = *world.add_part(sphere, Pose{from, rotate(from, arm)});
    ASSERT_TRUE(world.move_part(part, Pose{to, rotate(to, arm)}, -arm));
    world.update();
    // A quarter of a turn about y leads x to -z.
    const Vec3 begin = rotate(from, arm);
    const Vec3 quarter = sign_of_scalar(from, to) * Vec3{begin.z, 0, -begin.x};
    const RideResult<double> ride = ride_parts<double>(world, ball_of(0.2), quarter);
    EXPECT_NE(ride.outcome, RideOutcome::Unmoved);
    EXPECT_EQ(ride_parts<double>(world, ball_of(0.2), -quarter).outcome, RideOutcome::Unmoved);
}

}  // namespace
}  // namespace graze::slide
