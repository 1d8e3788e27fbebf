// Bodies that push each other: what is accepted is free, whatever the velocities are.
// Defends G-RIGID-14 and G-RIGID-15 (docs/GUARANTEES.md).
#include "graze/rigid/dynamics.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "bodies.hpp"
#include "rigid/dynamics/state_check.hpp"

namespace graze::rigid {
namespace {

using test::RandomPoses;

constexpr double kGravity = 9.81;

BodyId add(Dynamics& world, const Expected<ConvexShape>& shape, const Vec3& position,
           BodyKind kind = BodyKind::Dynamic, double friction = 0.5, double restitution = 0.0) {
    DynamicBody body;
    body.shape = world.add_shape(shape.value());
    body.pose.translation = position;
    body.kind = kind;
    body.friction = friction;
    body.restitution = restitution;
    return world.add_body(body).value();
}
BodyId add_floor(Dynamics& world, double friction = 0.5) {
    return add(world, ConvexShape::box({50.0, 50.0, 1.0}), {0.0, 0.0, -1.0}, BodyKind::Static,
               friction);
}
void take_steps(Dynamics& world, int steps) {
    for (int i = 0; i < steps; ++i)
        ASSERT_TRUE(world.step().has_value());
}

TEST(MassProperties, AreThoseOfTheFormulas) {
    const MassProperties box = mass_properties(ConvexShape::box({1.0, 2.0, 3.0}).value()).value();
    EXPECT_DOUBLE_EQ(box.mass, 48.0);
    EXPECT_DOUBLE_EQ(box.inertia[0].x, 48.0 / 3.0 * (4.0 + 9.0));
    const MassProperties ball = mass_properties(ConvexShape::sphere(2.0).value(), 3.0).value();
    EXPECT_NEAR(ball.inertia[1].y, 0.4 * ball.mass * 4.0, 1e-12 * ball.mass);
    EXPECT_FALSE(mass_properties(ConvexShape::sphere(0.0).value()).has_value());
    EXPECT_FALSE(mass_properties(ConvexShape::sphere(1.0).value(), 0.0).has_value());
}

TEST(MassProperties, OfAHullAndOfASurfaceAreThoseOfTheirSolid) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(
            {(i & 1) != 0 ? 1.5 : 0.5, (i & 2) != 0 ? 2.0 : -2.0, (i & 4) != 0 ? 3.0 : -3.0});
    corners.push_back({1.0, 0.0, 0.0});  // inside
    const MassProperties hull = mass_properties(ConvexShape::hull(corners).value()).value();
    const MassProperties box = mass_properties(ConvexShape::box({0.5, 2.0, 3.0}).value()).value();
    const MassProperties surface =
        mass_properties(test::box({0.5, -2.0, -3.0}, {1.5, 2.0, 3.0})).value();
    for (const MassProperties& same : {hull, surface}) {
        EXPECT_NEAR(same.mass, box.mass, 1e-12);
        EXPECT_NEAR(same.centre.x, 1.0, 1e-14);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(same.inertia[i][i], box.inertia[i][i], 1e-11);
    }
    EXPECT_TRUE(
        hull_triangles(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).empty());
}

// A capsule cut into thin discs.
TEST(MassProperties, OfACapsuleAreTheSumOfDiscs) {
    constexpr double kRadius = 0.5;
    constexpr double kHalf = 0.8;
    const auto shape = ConvexShape::capsule({-kHalf, 0, 0}, {kHalf, 0, 0}, kRadius);
    const MassProperties m = mass_properties(shape.value()).value();
    double mass = 0.0;
    double along = 0.0;
    double across = 0.0;
    constexpr int kDiscs = 20000;
    const double height = 2.0 * (kHalf + kRadius) / kDiscs;
    for (int i = 0; i < kDiscs; ++i) {
        const double x = -(kHalf + kRadius) + (i + 0.5) * height;
        const double beyond = std::max(0.0, std::fabs(x) - kHalf);
        const double r_sq = kRadius * kRadius - beyond * beyond;
        const double disc = 3.141592653589793 * r_sq * height;
        mass += disc;
        along += 0.5 * disc * r_sq;
        across += disc * (0.25 * r_sq + x * x);
    }
    EXPECT_NEAR(m.mass, mass, 1e-6);
    EXPECT_NEAR(m.inertia[0].x, along, 1e-6);
    EXPECT_NEAR(m.inertia[1].y, across, 1e-6);
}

TEST(Dynamics, RefusesBodiesThatTouchAtTheStart) {
    Dynamics world;
    add_floor(world);
    static_cast<void>(add(world, ConvexShape::box({0.5, 0.5, 0.5}), {0.0, 0.0, 0.5}));
    const auto step = world.step();
    ASSERT_FALSE(step.has_value());
    EXPECT_NE(step.error().message.find("bodies 0 and 1 touch at the start"), std::string::npos);
}

TEST(Dynamics, RefusesWhatIsNoBody) {
    Dynamics world;
    DynamicBody body;
    EXPECT_FALSE(world.add_body(body).has_value());  // no such shape
    body.shape = world.add_shape(ConvexShape::sphere(1.0).value());
    body.restitution = 1.5;
    EXPECT_FALSE(world.add_body(body).has_value());
    body.restitution = 0.0;
    body.friction = std::nan("");
    EXPECT_FALSE(world.add_body(body).has_value());
    body.friction = 0.5;
    body.shape = world.add_shape(ConvexShape::sphere(1.0, {0.5, 0.0, 0.0}).value());
    EXPECT_FALSE(world.add_body(body).has_value());  // its centre is elsewhere
    body.shape = world.add_shape(ConvexShape::sphere(0.0).value());
    EXPECT_FALSE(world.add_body(body).has_value());  // no volume
}

TEST(Dynamics, KeepsTheMomentumOfBallsThatMeet) {
    DynamicsOptions options;
    options.gravity = {};
    Dynamics world(options);
    const BodyId a =
        add(world, ConvexShape::sphere(0.5), {0.0, 0.0, 0.0}, BodyKind::Dynamic, 0.5, 0.8);
    const BodyId b =
        add(world, ConvexShape::sphere(0.7), {2.0, 0.3, 0.1}, BodyKind::Dynamic, 0.5, 0.8);
    world.set_velocity(a, {{3.0, 0.0, 0.0}, {0.0, 2.0, 1.0}});
    const double mass_a = mass_properties(ConvexShape::sphere(0.5).value()).value().mass;
    const double mass_b = mass_properties(ConvexShape::sphere(0.7).value()).value().mass;
    const double energy = world.kinetic_energy();
    take_steps(world, 60);
    const Vec3 momentum = mass_a * world.velocity(a).linear + mass_b * world.velocity(b).linear;
    EXPECT_NEAR(momentum.x, 3.0 * mass_a, 1e-12);
    EXPECT_NEAR(momentum.y, 0.0, 1e-12);
    EXPECT_NEAR(momentum.z, 0.0, 1e-12);
    EXPECT_GT(world.velocity(b).linear.x, 0.5);
    EXPECT_LT(world.kinetic_energy(), energy);
}

TEST(Dynamics, LetsABallBounceToTheSquareOfItsRestitution) {
    Dynamics world;
    add_floor(world);
    const BodyId ball =
        add(world, ConvexShape::sphere(0.1), {0.0, 0.0, 2.1}, BodyKind::Dynamic, 0.5, 0.6);
    double highest = 0.0;
    bool bounced = false;
    for (int i = 0; i < 75; ++i) {
        ASSERT_TRUE(world.step().has_value());
        if (world.velocity(ball).linear.z > 0.5) bounced = true;
        if (bounced) highest = std::max(highest, world.pose(ball).translation.z - 0.1);
    }
    // 0.6^2 of two units, less what steps of a sixtieth make of it.
    EXPECT_NEAR(highest, 0.72, 0.08);
}

TEST(Dynamics, LetsABoxRestForFiveHundredStepsWithoutDrift) {
    DynamicsOptions options;
    options.sleeping = false;
    Dynamics world(options);
    add_floor(world);
    const BodyId box = add(world, ConvexShape::box({0.5, 0.4, 0.3}), {0.0, 0.0, 0.32});
    take_steps(world, 50);
    const Pose before = world.pose(box);
    take_steps(world, 450);
    const Pose after = world.pose(box);
    EXPECT_LT(norm(after.translation - before.translation), 1e-6);
    EXPECT_NEAR(std::fabs(after.rotation.w), 1.0, 1e-9);
    EXPECT_NEAR(after.translation.z, 0.3 + world.resting_gap(), 0.1 * world.resting_gap());
    EXPECT_LT(world.kinetic_energy(), 1e-9);
}

double slides_down(double slope, double friction) {
    DynamicsOptions options;
    options.sleeping = false;
    Dynamics world(options);
    const Quaternion tilt = rotation_about({0.0, 1.0, 0.0}, slope);
    DynamicBody plane;
    plane.shape = world.add_shape(ConvexShape::box({50.0, 5.0, 1.0}).value());
    plane.pose = {tilt, rotate(tilt, {0.0, 0.0, -1.0})};
    plane.kind = BodyKind::Static;
    plane.friction = friction;
    static_cast<void>(world.add_body(plane).value());
    DynamicBody box;
    box.shape = world.add_shape(ConvexShape::box({0.5, 0.5, 0.25}).value());
    box.pose = {tilt, rotate(tilt, {0.0, 0.0, 0.257})};
    box.friction = friction;
    const BodyId id = world.add_body(box).value();
    for (int i = 0; i < 60; ++i)
        EXPECT_TRUE(world.step().has_value());
    return norm(world.pose(id).translation - box.pose.translation);
}

TEST(Dynamics, HoldsABoxOnASlopeBelowTheAngleOfFrictionAndNoLonger) {
    constexpr double kFriction = 0.5;  // 0.46 radians
    EXPECT_LT(slides_down(0.40, kFriction), 0.02);
    const double expected = 0.5 * kGravity * (std::sin(0.6) - kFriction * std::cos(0.6));
    EXPECT_NEAR(slides_down(0.6, kFriction), expected, 0.1 * expected);
}

TEST(Dynamics, LetsABallRollWithoutSlipping) {
    DynamicsOptions options;
    options.sleeping = false;
    Dynamics world(options);
    add_floor(world);
    const BodyId ball = add(world, ConvexShape::sphere(0.5), {0.0, 0.0, 0.506});
    world.set_velocity(ball, {{2.0, 0.0, 0.0}, {}});
    take_steps(world, 120);
    // Sliding becomes rolling at 5/7 of the speed.
    const BodyVelocity& v = world.velocity(ball);
    EXPECT_NEAR(v.linear.x, 2.0 * 5.0 / 7.0, 0.02);
    EXPECT_NEAR(v.angular.y * 0.5, v.linear.x, 0.02);
    EXPECT_LT(std::fabs(v.linear.y), 1e-9);
}

TEST(Dynamics, PutsBodiesToSleepAndWakesThem) {
    Dynamics world;
    add_floor(world);
    const BodyId low = add(world, ConvexShape::box({0.5, 0.5, 0.5}), {0.0, 0.0, 0.51});
    const BodyId high = add(world, ConvexShape::box({0.4, 0.4, 0.4}), {0.0, 0.0, 1.43});
    take_steps(world, 120);
    EXPECT_TRUE(world.is_asleep(low));
    EXPECT_TRUE(world.is_asleep(high));
    const Pose rest = world.pose(high);
    take_steps(world, 30);
    EXPECT_EQ(world.pose(high), rest);
    const BodyId ball = add(world, ConvexShape::sphere(0.3), {3.0, 0.0, 0.6});
    world.set_velocity(ball, {{8.0 * -1.0, 0.0, 2.0}, {}});
    bool woke = false;
    for (int i = 0; i < 60 && !woke; ++i) {
        ASSERT_TRUE(world.step().has_value());
        woke = !world.is_asleep(low) && !world.is_asleep(high);
    }
    EXPECT_TRUE(woke);
}

TEST(Dynamics, ASleeperIsPushedByADrivenBodyHoweverSlow) {
    Dynamics world;
    add_floor(world, 0.2);
    const BodyId box =
        add(world, ConvexShape::box({0.5, 0.5, 0.5}), {0.0, 0.0, 0.51}, BodyKind::Dynamic, 0.2);
    const BodyId wall =
        add(world, ConvexShape::box({0.1, 1.0, 0.4}), {-0.8, 0.0, 0.5}, BodyKind::Driven, 0.2);
    take_steps(world, 60);
    ASSERT_TRUE(world.is_asleep(box));
    const double before = world.pose(box).translation.x;
    world.set_velocity(wall, {{0.1, 0.0, 0.0}, {}});
    take_steps(world, 240);
    EXPECT_GT(world.pose(box).translation.x, before + 0.1);
    EXPECT_TRUE(world.check().is_free());
}

TEST(Dynamics, AHingeRotatesAndASliderSlidesAlone) {
    Dynamics world;
    DynamicBody door;
    door.shape = world.add_shape(ConvexShape::box({1.0, 0.1, 0.5}).value());
    door.freedom = Freedom::Hinge;
    const BodyId hinged = world.add_body(door).value();
    DynamicBody bead;
    bead.shape = world.add_shape(ConvexShape::sphere(0.2).value());
    bead.freedom = Freedom::Slider;
    bead.axis = {0.0, 2.0, 0.0};
    bead.pose.translation = {0.7, -1.0, 0.0};
    bead.velocity.linear = {5.0, 4.0, 0.0};
    const BodyId slides = world.add_body(bead).value();
    take_steps(world, 60);
    EXPECT_EQ(world.pose(hinged).translation, Vec3{});
    EXPECT_GT(world.velocity(hinged).angular.z, 0.1);
    EXPECT_EQ(world.velocity(hinged).angular.x, 0.0);
    EXPECT_EQ(world.pose(slides).translation.x, 0.7);
    EXPECT_EQ(world.pose(slides).translation.z, 0.0);
}

// Walls far thinner than a step is long.
void shoot_at_paper(double thickness, double speed, std::uint32_t seed) {
    DynamicsOptions options;
    options.gravity = {};
    options.resting_gap = 0.2 * thickness;
    Dynamics world(options);
    add(world, ConvexShape::box({thickness, 3.0, 3.0}), {}, BodyKind::Static);
    add(world, ConvexShape::box({thickness, 3.0, 3.0}), {-4.0, 0.0, 0.0}, BodyKind::Static);
    RandomPoses random(seed);
    std::vector<BodyId> bullets;
    const std::array shapes = {ConvexShape::sphere(0.1), ConvexShape::box({0.2, 0.05, 0.01}),
                               ConvexShape::capsule({-0.1, 0, 0}, {0.1, 0, 0}, 0.03),
                               ConvexShape::cylinder(0.1, 0.002)};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        DynamicBody body;
        body.shape = world.add_shape(shapes[i].value());
        body.pose = {random.rotation(), {-2.0, -1.5 + static_cast<double>(i), 0.0}};
        body.velocity.linear = {speed, 0.0, 0.0};
        body.velocity.angular = 20.0 * random.vector();
        body.restitution = 0.9;
        bullets.push_back(world.add_body(body).value());
    }
    for (int i = 0; i < 40; ++i) {
        const auto step = world.step();
        ASSERT_TRUE(step.has_value()) << step.error().message;
        const StateCheck check = world.check();
        EXPECT_TRUE(check.is_free()) << check.not_proved << ' ' << check.overlapping;
        for (const BodyId bullet : bullets) {
            const Vec3& p = world.pose(bullet).translation;
            const bool is_beside = std::fabs(p.y) > 3.0 || std::fabs(p.z) > 3.0;
            EXPECT_TRUE(is_beside || (p.x < 0.0 && p.x > -4.0)) << p.x;
        }
    }
}

TEST(Dynamics, NeverLetsABulletThroughPaper) {
    shoot_at_paper(1e-3, 1e3, 1);
    shoot_at_paper(1e-5, 1e5, 2);
}

// All shapes into a container, from random states.
struct SmallPile {
    explicit SmallPile(int count, std::size_t threads = 1) : world(options_of(threads)) {
        add_floor(world);
        for (const double side : {-1.0, 1.0}) {
            add(world, ConvexShape::box({0.5, 3.0, 4.0}), {side * 2.5, 0.0, 4.1}, BodyKind::Static);
            add(world, ConvexShape::box({2.0, 0.5, 4.0}), {0.0, side * 2.5, 4.1}, BodyKind::Static);
        }
        const std::vector<Vec3> points = {{0.4, 0, 0},  {-0.4, 0, 0}, {0, 0.4, 0},
                                          {0, -0.4, 0}, {0, 0, 0.4},  {0, 0, -0.4}};
        const std::array shapes = {
            world.add_shape(ConvexShape::box({0.35, 0.3, 0.25}).value()),
            world.add_shape(ConvexShape::sphere(0.35).value()),
            world.add_shape(ConvexShape::capsule({0, 0, -0.25}, {0, 0, 0.25}, 0.22).value()),
            world.add_shape(ConvexShape::cylinder(0.3, 0.3).value()),
            world.add_shape(ConvexShape::hull(points).value())};
        RandomPoses random(11);
        for (int i = 0; i < count; ++i) {
            DynamicBody body;
            body.shape = shapes[static_cast<std::size_t>(i) % shapes.size()];
            body.pose.rotation = random.rotation();
            body.pose.translation = {-1.3 + 1.1 * (i % 3), -1.3 + 1.1 * (i / 3 % 3),
                                     0.8 + 1.1 * (i / 9)};
            static_cast<void>(world.add_body(body).value());
        }
    }
    static DynamicsOptions options_of(std::size_t threads) {
        DynamicsOptions options;
        options.angular_damping = 0.5;
        options.threads = threads;
        return options;
    }
    Dynamics world;
};

TEST(Dynamics, BringsASmallPileToRestWithoutInterpenetration) {
    SmallPile pile(20);
    double peak = 0.0;
    for (int i = 0; i < 240; ++i) {
        ASSERT_TRUE(pile.world.step().has_value());
        peak = std::max(peak, pile.world.kinetic_energy());
        if (i % 4 == 0) {
            ASSERT_TRUE(pile.world.check().is_free()) << i;
        }
    }
    EXPECT_EQ(pile.world.bodies_in_contact(), 20U);
    EXPECT_LT(pile.world.kinetic_energy(), 0.01 * peak);
}

TEST(Dynamics, GivesTheSameBitsForAnyNumberOfThreads) {
    SmallPile one(15, 1);
    SmallPile three(15, 3);
    take_steps(one.world, 60);
    take_steps(three.world, 60);
    for (BodyId i = 0; i < one.world.size(); ++i) {
        EXPECT_EQ(one.world.pose(i), three.world.pose(i)) << i;
        EXPECT_EQ(one.world.velocity(i).linear, three.world.velocity(i).linear) << i;
    }
}

TEST(Dynamics, StaysFreeWhateverVelocitiesAreSet) {
    SmallPile pile(15);
    RandomPoses random(5);
    for (int i = 0; i < 40; ++i) {
        for (BodyId body = 5; body < pile.world.size(); ++body) {
            const Vec3 linear = 200.0 * random.vector();
            const Vec3 angular = 300.0 * random.vector();
            pile.world.set_velocity(body, {linear, angular});
        }
        ASSERT_TRUE(pile.world.step().has_value());
        ASSERT_TRUE(pile.world.check().is_free()) << i;
    }
}

TEST(DynamicsAttack, StaysFreeWhateverVelocitiesAreSetForLong) {
    SmallPile pile(40);
    RandomPoses random(6);
    for (int i = 0; i < 1500; ++i) {
        for (BodyId body = 5; body < pile.world.size() && i % 10 == 0; ++body) {
            const double size = std::pow(10.0, random.uniform(-2.0, 4.0));
            const Vec3 linear = size * random.vector();
            const Vec3 angular = size * random.vector();
            pile.world.set_velocity(body, {linear, angular});
        }
        ASSERT_TRUE(pile.world.step().has_value());
        ASSERT_TRUE(pile.world.check().is_free()) << i;
    }
    for (std::uint32_t seed = 3; seed < 60; ++seed)
        shoot_at_paper(std::pow(10.0, -1.0 - seed % 6), std::pow(10.0, 1.0 + seed % 7), seed);
}

TEST(Dynamics, AStopIsAnErrorThatMovesNothing) {
    std::atomic<bool> stop = false;
    DynamicsOptions options;
    options.impact.stop = StopToken(stop);
    Dynamics world(options);
    add_floor(world);
    const BodyId ball = add(world, ConvexShape::sphere(0.5), {0.0, 0.0, 2.0});
    take_steps(world, 2);
    const Pose before = world.pose(ball);
    stop = true;
    EXPECT_FALSE(world.step().has_value());
    EXPECT_EQ(world.pose(ball), before);
}

// --- The check of states ----------------------------------------------------------------------------

std::vector<ConvexShape> shapes_of_each_kind() {
    const std::vector<Vec3> points = {{0.5, 0, 0},    {-0.4, 0.1, 0}, {0, 0.6, 0},
                                      {0, -0.4, 0.2}, {0, 0, 0.5},    {0.1, 0, -0.4}};
    return {ConvexShape::box({0.35, 0.3, 0.25}).value(), ConvexShape::sphere(0.4).value(),
            ConvexShape::capsule({0, 0, -0.25}, {0, 0, 0.25}, 0.22).value(),
            ConvexShape::cylinder(0.3, 0.3).value(), ConvexShape::hull(points).value()};
}

TEST(StateCheck, NeverCallsBodiesWithACommonPointSeparated) {
    const std::vector<ConvexShape> shapes = shapes_of_each_kind();
    const auto triangles = hull_triangles(shapes.back().points());
    RandomPoses random(3);
    int separated = 0;
    int overlapping = 0;
    for (int i = 0; i < 2000; ++i) {
        const ConvexShape& a = shapes[static_cast<std::size_t>(i) % 5];
        const ConvexShape& b = shapes[static_cast<std::size_t>(i / 5) % 5];
        const Pose pose_a = {random.rotation(), {}};
        const Pose pose_b = {random.rotation(), 0.7 * random.vector()};
        const ImpactResult known = first_impact(a, BodyMotion::rest(pose_a), b,
                                                BodyMotion::rest(pose_b), {.max_checks = 10000});
        const Vec3 direction = random.vector();
        const detail::PairState state =
            detail::pair_state({&a, pose_a, triangles}, {&b, pose_b, triangles}, direction);
        if (known.verdict == Verdict::Contact) {
            EXPECT_NE(state, detail::PairState::Separated) << i;
        }
        if (known.verdict == Verdict::Separated) {
            EXPECT_NE(state, detail::PairState::Overlapping) << i;
        }
        separated += state == detail::PairState::Separated ? 1 : 0;
        overlapping += state == detail::PairState::Overlapping ? 1 : 0;
    }
    EXPECT_GT(separated, 200);
    EXPECT_GT(overlapping, 200);
}

// A driven ball that would go from 0 to 5, another that is sent through its place afterwards, and as many
// far away as make a search several pieces of work.
struct DrivenBalls {
    Dynamics world;
    BodyId first = 0;
    BodyId second = 0;

    explicit DrivenBalls(const Executor& executor) : world(options_with(executor)) {
        const ShapeId ball = world.add_shape(ConvexShape::sphere(0.5).value());
        const auto add_driven = [&](const Vec3& at, const Vec3& velocity) {
            DynamicBody body;
            body.shape = ball;
            body.kind = BodyKind::Driven;
            body.pose.translation = at;
            body.velocity.linear = velocity;
            return world.add_body(body).value();
        };
        first = add_driven({}, {5.0, 0.0, 0.0});
        second = add_driven({0.0, 0.0, -6.0}, {});
        for (int i = 0; i < 2000; ++i) {
            const Vec3 far = {100.0 + 3.0 * (i % 50), 3.0 * (i / 50), 0.0};
            static_cast<void>(add_driven(far, {0.125, 0.0, 0.0}));
        }
    }
    static DynamicsOptions options_with(const Executor& executor) {
        DynamicsOptions options;
        options.gravity = {};
        options.time_step = 1.0;
        options.threads = 4;
        options.resting_gap = 0x1p-7;
        options.executor = executor;
        return options;
    }
};

TEST(Dynamics, AStepThatThrowsLeavesNothingOfItBehind) {
    int left = -1;  // calls until the executor throws
    const Executor executor = [&left](std::size_t n, const std::function<void(std::size_t)>& task) {
        if (left >= 0 && left-- == 0) throw std::runtime_error("no threads");
        for (std::size_t i = 0; i < n; ++i)
            task(i);
    };
    int thrown = 0;
    for (int calls = 0; calls < 20; ++calls) {
        DrivenBalls balls(executor);
        left = calls;
        try {
            static_cast<void>(balls.world.step().value());
            left = -1;
            break;
        } catch (const std::runtime_error&) {
            ++thrown;
        }
        left = -1;
        EXPECT_EQ(balls.world.pose(balls.first).translation, Vec3{});
        // The first rests where it is now, and the second is sent there.
        balls.world.set_velocity(balls.first, {});
        balls.world.set_velocity(balls.second, {{0.0, 0.0, 6.0}, {}});
        ASSERT_TRUE(balls.world.step().has_value());
        EXPECT_LE(balls.world.pose(balls.second).translation.z, -1.0) << calls;
        EXPECT_EQ(balls.world.check().overlapping, 0U) << calls;
    }
    EXPECT_GE(thrown, 2);
}

TEST(StateCheck, ProvesAGapOfAHundredUlpsAndNotATouch) {
    const ConvexShape box = ConvexShape::box({0.5, 0.5, 0.5}).value();
    const auto state_at = [&](double x) {
        return detail::pair_state({&box, {}, {}}, {&box, {{}, {x, 0.0, 0.0}}, {}}, {1.0, 0.0, 0.0});
    };
    EXPECT_EQ(state_at(1.0 + 100 * 0x1p-52), detail::PairState::Separated);
    EXPECT_NE(state_at(1.0), detail::PairState::Separated);
    EXPECT_EQ(state_at(1.0 - 100 * 0x1p-52), detail::PairState::Overlapping);
}

TEST(StateCheck, CountsSurfacesExactly) {
    Dynamics world;
    DynamicBody body;
    body.shape = world.add_shape(RigidBody(test::box({-1, -1, -1}, {1, 1, 1})));
    static_cast<void>(world.add_body(body).value());
    body.pose.translation = {2.0, 0.0, 0.0};
    static_cast<void>(world.add_body(body).value());
    EXPECT_EQ(world.check().overlapping, 1U);
    Dynamics other;
    body.shape = other.add_shape(RigidBody(test::box({-1, -1, -1}, {1, 1, 1})));
    body.pose.translation = {};
    static_cast<void>(other.add_body(body).value());
    body.pose.translation = {2.0 + 0x1p-50, 0.0, 0.0};
    static_cast<void>(other.add_body(body).value());
    EXPECT_TRUE(other.check().is_free());
}

}  // namespace
}  // namespace graze::rigid
