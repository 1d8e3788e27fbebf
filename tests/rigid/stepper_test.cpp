// Defends G-RIGID-7, G-RIGID-9 (docs/GUARANTEES.md).
#include "graze/rigid/stepper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "graze/generate/models.hpp"
#include "graze/rigid/screw_motion.hpp"
#include "graze/rigid/start_state.hpp"

namespace graze::rigid {
namespace {

#if defined(GRAZE_SANITIZE_ADDRESS)
constexpr int kSteps = 150;
#else
constexpr int kSteps = 2'000;
#endif

RigidBody body_of(const io::PolygonMesh& mesh, const Vec3& scale = {1.0, 1.0, 1.0}) {
    std::vector<Vec3> positions = mesh.positions;
    for (Vec3& x : positions)
        x = {scale.x * x.x, scale.y * x.y, scale.z * x.z};
    auto surface = Polyhedron::build(positions, mesh.corner_counts(), mesh.corners());
    EXPECT_TRUE(surface);
    return RigidBody(std::move(*surface));
}

RigidBody box(const Vec3& size) {
    return body_of(generate::cube(), size);
}

Pose at(const Vec3& place) {
    return {{}, place};
}

std::vector<const RigidBody*> pointers(const std::vector<RigidBody>& bodies) {
    std::vector<const RigidBody*> all;
    for (const RigidBody& body : bodies)
        all.push_back(&body);
    return all;
}

SafeStepper stepper_of(const std::vector<RigidBody>& bodies, std::vector<Pose> start,
                       const StepperOptions& options = {}) {
    auto stepper =
        SafeStepper::create(pointers(bodies), std::move(start),
                            all_pairs(static_cast<std::uint32_t>(bodies.size())), options);
    EXPECT_TRUE(stepper) << (stepper ? "" : stepper.error().message);
    return std::move(*stepper);
}

// Exactly, for the doubles of the poses.
bool are_all_apart(const std::vector<RigidBody>& bodies, std::span<const Pose> poses) {
    for (const auto& [i, k] : all_pairs(static_cast<std::uint32_t>(bodies.size())))
        if (start_state(bodies[i].surface(), poses[i], bodies[k].surface(), poses[k]) !=
            StartState::Separated)
            return false;
    return true;
}

std::vector<RigidBody> some_bodies() {
    std::vector<RigidBody> bodies;
    bodies.push_back(body_of(generate::cube()));
    bodies.push_back(body_of(generate::torus(10, 6, 1.0, 0.3)));
    bodies.push_back(body_of(generate::comb(3)));
    bodies.push_back(body_of(generate::car(), {0.5, 0.5, 0.5}));
    bodies.push_back(box({3.0, 0.25, 0.25}));
    return bodies;
}

std::vector<Pose> spread_out(std::size_t count) {
    std::vector<Pose> poses;
    for (std::size_t i = 0; i < count; ++i)
        poses.push_back(at({5.0 * static_cast<double>(i), 0.0, 0.0}));
    return poses;
}

// Steps of every size, some of them many times as long as the bodies, drawn towards the middle so
// that bodies meet all the time.
std::vector<Pose> random_wishes(std::span<const Pose> poses, std::mt19937_64& random) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> exponent(-6.0, 1.0);
    std::vector<Pose> wishes(poses.begin(), poses.end());
    for (Pose& wish : wishes) {
        if (random() % 8 == 0) continue;
        const double size = std::exp2(exponent(random));
        const Vec3 push{normal(random), normal(random), normal(random)};
        const Vec3 axis{normal(random), normal(random), normal(random)};
        wish.translation = wish.translation + size * (push - 0.3 * wish.translation);
        const Pose turn{rotation_about(axis, std::fmin(3.0, 2.0 * size)), {}};
        wish.rotation = normalised(compose(turn, {wish.rotation, {}}).rotation);
    }
    return wishes;
}

struct Walk {
    int obstructions = 0;
    int full_moves = 0;
    int part_moves = 0;
};

// Walks at random and asks about every state.
Walk walk(const StepperOptions& options, int steps, std::uint64_t seed) {
    const std::vector<RigidBody> bodies = some_bodies();
    SafeStepper stepper = stepper_of(bodies, spread_out(bodies.size()), options);
    std::mt19937_64 random(seed);
    Walk walk;
    for (int i = 0; i < steps; ++i) {
        const auto report = stepper.step(random_wishes(stepper.poses(), random));
        EXPECT_TRUE(report);
        if (!report) return walk;
        walk.obstructions += static_cast<int>(report->obstructions.size());
        for (const double fraction : report->fractions) {
            walk.full_moves += fraction == 1.0 ? 1 : 0;
            walk.part_moves += fraction > 0.0 && fraction < 1.0 ? 1 : 0;
        }
        EXPECT_TRUE(are_all_apart(bodies, stepper.poses())) << "step " << i;
        if (testing::Test::HasFailure()) return walk;
    }
    return walk;
}

TEST(SafeStepper, NoBodyIsInAnotherAfterAnyOfThousandsOfRandomSteps) {
    const Walk seen = walk({}, kSteps, 20250101);
    // The walk was worth it: bodies were in the way, and moved on all the same.
    EXPECT_GT(seen.obstructions, kSteps / 4);
    EXPECT_GT(seen.full_moves, kSteps);
    EXPECT_GT(seen.part_moves, kSteps / 8);
}

TEST(SafeStepper, TheRobustRasterKeepsBodiesApartAsWell) {
    StepperOptions options;
    options.search = StepSearch::Robust;
    const Walk seen = walk(options, kSteps / 16, 20250102);
    EXPECT_GT(seen.obstructions, kSteps / 64);
    EXPECT_GT(seen.full_moves, kSteps / 16);
}

TEST(SafeStepper, AFreeStepEndsAtTheVeryDoublesOfTheWish) {
    const std::vector<RigidBody> bodies = some_bodies();
    SafeStepper stepper = stepper_of(bodies, spread_out(bodies.size()));
    std::vector<Pose> wishes = spread_out(bodies.size());
    for (Pose& wish : wishes)
        wish.translation = wish.translation + Vec3{0.1, 0.2, 0.3};
    wishes[2].rotation = normalised({0.9, 0.1, 0.2, 0.3});
    const auto report = stepper.step(wishes);
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->obstructions.empty());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_EQ(stepper.poses()[i], wishes[i]);
        EXPECT_EQ(report->fractions[i], 1.0);
    }
}

// The whole step takes the ball from one side of the plate to the other; at both ends they are
// apart.
TEST(SafeStepper, NothingTunnelsThroughAThinPlate) {
    std::vector<RigidBody> bodies;
    bodies.push_back(box({10.0, 0.001, 10.0}));
    bodies.push_back(body_of(generate::sphere(1)));
    SafeStepper stepper = stepper_of(bodies, {Pose{}, at({0.25, 3.0, 0.125})});
    for (int i = 0; i < 20; ++i) {
        const std::vector<Pose> wishes = {Pose{}, at({0.25, -3.0, 0.125})};
        const auto report = stepper.step(wishes);
        ASSERT_TRUE(report);
        ASSERT_EQ(report->obstructions.size(), 1U);
        EXPECT_EQ(report->obstructions[0].pair, (BodyPair{0, 1}));
        ASSERT_GT(stepper.poses()[1].translation.y, 0.9);
        ASSERT_TRUE(are_all_apart(bodies, stepper.poses()));
    }
    // It comes close, though: each step takes seven eighths of what is left.
    EXPECT_LT(stepper.poses()[1].translation.y, 1.01);
    EXPECT_EQ(stepper.poses()[0], Pose{});
}

// Buss 2005, section 10: the relative screw of a bar that turns and of a cube that goes around its
// tip is free, since seen from the bar the cube only spins in its place. In the world the bar turns
// while the cube goes straight: halfway the cube is in the bar.
class ThirdBody : public testing::Test {
protected:
    ThirdBody() {
        bodies_.push_back(box({3.8, 0.2, 0.2}));
        bodies_.push_back(box({0.6, 0.6, 0.6}));
    }
    const Pose bar_end_{{std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5)}, {}};
    const std::vector<Pose> start_ = {Pose{}, at({2.5, 0.0, 0.0})};
    const std::vector<Pose> wishes_ = {bar_end_, at({0.0, 2.5, 0.0})};
    std::vector<RigidBody> bodies_;
};

TEST_F(ThirdBody, PosesHalfwayMayOverlapAlthoughTheRelativeScrewIsFree) {
    SafeStepper stepper = stepper_of(bodies_, start_);
    const auto found = stepper.search(wishes_);
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->empty());
    const PairStep bar{{start_[0], wishes_[0]}, {start_[0], wishes_[0]}};
    const PairStep cube{{start_[1], wishes_[1]}, {start_[1], wishes_[1]}};
    EXPECT_EQ(start_state(bodies_[0].surface(), world_pose_a(bar, 0.5), bodies_[1].surface(),
                          world_pose_a(cube, 0.5)),
              StartState::Contact);
}

TEST_F(ThirdBody, AStepThatItCutsShortStillEndsApart) {
    // A post stops the other end of the bar halfway.
    bodies_.push_back(box({0.2, 0.2, 2.0}));
    std::vector<Pose> start = start_;
    start.push_back(at({-0.9, -1.4, 0.0}));
    std::vector<Pose> wishes = wishes_;
    wishes.push_back(start[2]);
    SafeStepper stepper = stepper_of(bodies_, start);
    const auto report = stepper.step(wishes);
    ASSERT_TRUE(report);
    ASSERT_FALSE(report->obstructions.empty());
    EXPECT_EQ(report->obstructions[0].pair, (BodyPair{0, 2}));
    EXPECT_LT(report->fractions[0], 0.75);
    EXPECT_GT(report->fractions[0], 0.0);
    EXPECT_TRUE(are_all_apart(bodies_, stepper.poses()));
}

TEST(SafeStepper, KeepsTheSeparationThatIsAskedFor) {
    std::vector<RigidBody> bodies;
    bodies.push_back(body_of(generate::cube()));
    bodies.push_back(body_of(generate::cube()));
    StepperOptions options;
    options.min_separation = 0.25;
    SafeStepper stepper = stepper_of(bodies, {Pose{}, at({3.0, 0.0, 0.0})}, options);
    for (int i = 0; i < 30; ++i) {
        const std::vector<Pose> wishes = {Pose{}, at({1.0, 0.0, 0.0})};
        ASSERT_TRUE(stepper.step(wishes));
    }
    EXPECT_GT(stepper.poses()[1].translation.x, 1.25);
    EXPECT_LT(stepper.poses()[1].translation.x, 1.26);
    const auto too_close =
        SafeStepper::create(pointers(bodies), {Pose{}, at({1.2, 0.0, 0.0})}, all_pairs(2), options);
    EXPECT_FALSE(too_close);
}

// A cube is pressed against a floor for many steps, then lifted. Without a wish for a gap it ends
// so near that roundings decide; with it, it can be lifted at once.
TEST(SafeStepper, WishedSeparationKeepsAGapThatLetsBodiesPartAgain) {
    std::vector<RigidBody> bodies;
    bodies.push_back(box({4.0, 1.0, 4.0}));
    bodies.push_back(body_of(generate::cube()));
    const auto gap_after = [&](double wished, int steps) {
        StepperOptions options;
        options.target_separation = wished;
        SafeStepper stepper = stepper_of(bodies, {Pose{}, at({0.125, 2.0, 0.25})}, options);
        for (int i = 0; i < steps; ++i) {
            const std::vector<Pose> pressed = {Pose{}, at({0.125, 0.5, 0.25})};
            EXPECT_TRUE(stepper.step(pressed));
        }
        const double gap = stepper.poses()[1].translation.y - 1.0;
        const std::vector<Pose> lifted = {Pose{}, at({0.125, 3.0, 0.25})};
        const auto report = stepper.step(lifted);
        EXPECT_TRUE(report);
        if (report && wished > 0.0) {
            EXPECT_EQ(report->fractions[1], 1.0) << "after " << steps;
        }
        return gap;
    };
    EXPECT_GT(gap_after(0.01, 3), 0.01);
    EXPECT_LT(gap_after(0.0, 12), 1e-9);
    // Thousands of times as wide after as many steps.
    EXPECT_GT(gap_after(0.01, 12), 1e-6);
    for (int steps = 1; steps <= 24; steps += 3)
        EXPECT_GT(gap_after(0.01, steps), 0.0);
}

TEST(SafeStepper, TellsWhereBodiesWouldMeet) {
    std::vector<RigidBody> bodies;
    bodies.push_back(box({4.0, 1.0, 4.0}));
    bodies.push_back(body_of(generate::cube()));
    StepperOptions options;
    options.list_collisions = true;
    SafeStepper stepper = stepper_of(bodies, {Pose{}, at({0.125, 2.0, 0.25})}, options);
    const std::vector<Pose> wishes = {Pose{}, at({0.125, 0.5, 0.25})};
    const auto found = stepper.search(wishes);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 1U);
    const Obstruction& obstruction = found->front();
    EXPECT_EQ(obstruction.first.verdict, Verdict::Contact);
    EXPECT_NEAR(obstruction.free, 2.0 / 3.0, 1e-6);
    EXPECT_LE(obstruction.free, 2.0 / 3.0);
    EXPECT_NEAR(obstruction.contact.point.y, 0.5, 1e-6);
    EXPECT_NEAR(obstruction.contact.normal.y, 1.0, 1e-3);
    EXPECT_EQ(obstruction.contact.type, ContactType::FaceFace);
    EXPECT_EQ(obstruction.contact.time_lower, obstruction.first.toi_lower);
    EXPECT_EQ(obstruction.contact.time_upper, obstruction.first.toi_upper);
    ASSERT_FALSE(obstruction.collisions.empty());
    EXPECT_NEAR(obstruction.collisions.front().point.y, 0.5, 0.1);
    EXPECT_NEAR(obstruction.collisions.front().normal.y, 1.0, 1e-9);
    EXPECT_EQ(stepper.poses()[1], at({0.125, 2.0, 0.25})) << "a search moves nothing";
}

TEST(SafeStepper, ReportsTheFirstContactOfTheRasterWithItsFeatures) {
    std::vector<RigidBody> bodies;
    bodies.push_back(box({4.0, 1.0, 4.0}));
    bodies.push_back(body_of(generate::cube()));
    StepperOptions options;
    options.search = StepSearch::Robust;
    SafeStepper stepper = stepper_of(bodies, {Pose{}, at({0.125, 2.0, 0.25})}, options);
    const auto found = stepper.search(std::vector<Pose>{Pose{}, at({0.125, 0.5, 0.25})});
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), 1U);
    const Contact& contact = found->front().contact;
    EXPECT_TRUE(contact.has_features());
    EXPECT_FALSE(contact.is_proved());
    EXPECT_EQ(contact.a, found->front().collisions.front().a);
    EXPECT_EQ(contact.b, found->front().collisions.front().b);
}

TEST(SafeStepper, RefusesAStartThatIsNotApartAndNamesThePair) {
    std::vector<RigidBody> bodies;
    for (int i = 0; i < 3; ++i)
        bodies.push_back(body_of(generate::cube()));
    const auto touching = SafeStepper::create(
        pointers(bodies), {at({9.0, 0.0, 0.0}), Pose{}, at({1.0, 0.0, 0.0})}, all_pairs(3));
    ASSERT_FALSE(touching);
    EXPECT_EQ(touching.error().message, "bodies 1 and 2 are not apart at the start: touching");
    EXPECT_EQ(touching.error().code, ErrorCode::InvalidInput);
    // Pairs that are not asked about may be anywhere.
    EXPECT_TRUE(SafeStepper::create(
        pointers(bodies), {at({9.0, 0.0, 0.0}), Pose{}, at({1.0, 0.0, 0.0})}, {{0, 1}, {0, 2}}));
}

TEST(SafeStepper, ABodyInsideAnotherIsNotApart) {
    std::vector<RigidBody> bodies;
    bodies.push_back(box({4.0, 4.0, 4.0}));
    bodies.push_back(body_of(generate::cube()));
    const auto inside = SafeStepper::create(pointers(bodies), {Pose{}, Pose{}}, all_pairs(2));
    ASSERT_FALSE(inside);
    EXPECT_NE(inside.error().message.find("b-inside-a"), std::string::npos);
}

// A ball in a closed box, say: as surfaces they never meet, and it stays where it is free.
TEST(SafeStepper, SurfacesAloneMayBeInsideEachOther) {
    std::vector<RigidBody> bodies;
    bodies.push_back(box({4.0, 4.0, 4.0}));
    bodies.push_back(box({1.0, 1.0, 1.0}));
    StepperOptions options;
    options.model = BodyModel::SurfaceOnly;
    SafeStepper stepper = stepper_of(bodies, {at({}), at({0.25, 0.0, 0.0})}, options);
    for (int i = 0; i < 4; ++i) {
        const std::vector<Pose> wishes = {at({}), at({5.0, 0.0, 0.0})};
        ASSERT_TRUE(stepper.step(wishes));
        EXPECT_EQ(start_state(bodies[0].surface(), stepper.poses()[0], bodies[1].surface(),
                              stepper.poses()[1]),
                  StartState::BInsideA);
    }
    EXPECT_GT(stepper.poses()[1].translation.x, 1.0);
}

TEST(SafeStepper, AStopIsAnErrorAndMovesNothing) {
    std::vector<RigidBody> bodies;
    bodies.push_back(body_of(generate::torus()));
    bodies.push_back(body_of(generate::torus()));
    std::atomic<bool> flag = false;
    StepperOptions options;
    options.stop = StopToken(flag);
    SafeStepper stepper = stepper_of(bodies, {at({}), at({0.0, 2.0, 0.0})}, options);
    const std::vector<Pose> before(stepper.poses().begin(), stepper.poses().end());
    const std::vector<Pose> wishes = {at({}), at({0.1, -2.0, 0.0})};
    flag = true;
    const auto stopped = stepper.step(wishes);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().message, "cancelled");
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), stepper.poses().begin()));
    flag = false;
    EXPECT_TRUE(stepper.step(wishes));
}

TEST(SafeStepper, BadInputIsAnErrorAndMovesNothing) {
    std::vector<RigidBody> bodies;
    bodies.push_back(body_of(generate::cube()));
    bodies.push_back(body_of(generate::cube()));
    const std::vector<Pose> start = {Pose{}, at({3.0, 0.0, 0.0})};
    SafeStepper stepper = stepper_of(bodies, start);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Pose> not_finite = {Pose{}, at({nan, 0.0, 0.0})};
    EXPECT_FALSE(stepper.step(not_finite));
    const std::vector<Pose> too_long = {Pose{{2.0, 0.0, 0.0, 0.0}, {}}, start[1]};
    EXPECT_FALSE(stepper.step(too_long));
    EXPECT_FALSE(stepper.step(std::vector<Pose>{Pose{}}));
    EXPECT_EQ(stepper.poses()[1], start[1]);

    const auto create = [&](const StepperOptions& options, std::vector<BodyPair> pairs) {
        return SafeStepper::create(pointers(bodies), start, std::move(pairs), options).has_value();
    };
    EXPECT_TRUE(create({}, {{0, 1}}));
    EXPECT_FALSE(create({}, {{1, 0}}));
    EXPECT_FALSE(create({}, {{0, 2}}));
    EXPECT_FALSE(create({.min_separation = nan}, {{0, 1}}));
    EXPECT_FALSE(create({.min_separation = -1.0}, {{0, 1}}));
    EXPECT_FALSE(create({.taken_fraction = 1.0}, {{0, 1}}));
    EXPECT_FALSE(create({.taken_fraction = nan}, {{0, 1}}));
    EXPECT_FALSE(create({.max_rounds = 0}, {{0, 1}}));
    EXPECT_FALSE(create({.search = StepSearch::Robust, .min_separation = 1.0}, {{0, 1}}));
}

TEST(StepPair, GivesThePosesThatAreSafe) {
    const RigidBody floor = box({4.0, 1.0, 4.0});
    const RigidBody cube = body_of(generate::cube());
    const PairStep step{{{}, {}}, {at({0.0, 2.0, 0.0}), at({0.0, -2.0, 0.0})}};
    const auto done = step_pair(floor, cube, step);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->a, Pose{});
    EXPECT_GT(done->b.translation.y, 1.0);
    EXPECT_LT(done->b.translation.y, 2.0);
    EXPECT_EQ(done->report.obstructions.size(), 1U);
}

}  // namespace
}  // namespace graze::rigid
