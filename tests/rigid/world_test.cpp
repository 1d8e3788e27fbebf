// Many bodies: nothing that pairs show is lost.
// Defends G-RIGID-13 (docs/GUARANTEES.md).
#include "graze/rigid/world.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bodies.hpp"

namespace graze::rigid {
namespace {

using test::RandomPoses;

RigidBody cube_surface(const Vec3& half) {
    return RigidBody(test::box(-half, half));
}
RigidBody torus() {
    return RigidBody(test::body_of(generate::torus_of(48)));
}

// What a body of a world was made from, for searches pair by pair.
struct Made {
    int shape;
    BodyStep step;
    MotionModel model;
};
constexpr Vec3 kHalf = {0.4, 0.5, 0.3};

BodyMotion motion_of(const Made& made) {
    if (made.model == MotionModel::Nlerp) return BodyMotion::nlerp(made.step);
    if (made.model == MotionModel::Screw) return BodyMotion::screw(made.step);
    return BodyMotion::slerp(made.step);
}

struct Crowd {
    BodyWorld world;
    std::vector<Made> made;
};
// Boxes with surfaces, balls (if there are no tori) and tori.
Crowd crowd(unsigned seed, int count, double spread, bool with_tori, double largest_angle) {
    RandomPoses random(seed);
    Crowd result;
    const ShapeId box =
        result.world.add_shape(ConvexShape::box(kHalf).value(), cube_surface(kHalf));
    const ShapeId other = with_tori ? result.world.add_shape(torus())
                                    : result.world.add_shape(ConvexShape::sphere(0.6).value());
    for (int i = 0; i < count; ++i) {
        Made made;
        made.shape = random.integer(0, 2) == 0 ? 1 : 0;
        made.step.start = {random.rotation(), spread * random.vector()};
        // One after the other: compilers differ in the order of arguments.
        const double angle = random.uniform(0.0, largest_angle);
        const Quaternion change = rotation_about(random.vector(), angle);
        made.step.end = compose(Pose{change, {}}, Pose{made.step.start.rotation, {}});
        made.step.end.translation = made.step.start.translation + 0.5 * random.vector();
        made.model = static_cast<MotionModel>(random.integer(0, 2));
        const BodyId id =
            result.world.add_body(made.shape == 0 ? box : other, made.step.start).value();
        EXPECT_TRUE(result.world.set_target(id, made.step.end, made.model).has_value());
        result.made.push_back(made);
    }
    return result;
}

// Every pair by itself.
void expect_same_as_pairs(const Crowd& crowd, bool with_tori) {
    const auto found = crowd.world.search();
    ASSERT_TRUE(found.has_value());
    std::map<std::pair<BodyId, BodyId>, ImpactResult> listed;
    for (const PairImpact& one : found->impacts)
        listed[{one.pair.first, one.pair.second}] = one.result;
    const ConvexShape box = ConvexShape::box(kHalf).value();
    const ConvexShape ball = ConvexShape::sphere(0.6).value();
    const RigidBody surface = cube_surface(kHalf);
    const RigidBody ring = torus();
    double safe = kInfinity;
    for (BodyId i = 0; i < crowd.made.size(); ++i) {
        for (BodyId j = i + 1; j < crowd.made.size(); ++j) {
            const Made& a = crowd.made[i];
            const Made& b = crowd.made[j];
            ImpactResult expected;
            if (with_tori && a.shape + b.shape > 0) {
                expected = first_impact(a.shape == 1 ? ring : surface,
                                        b.shape == 1 ? ring : surface, {a.step, b.step});
            } else {
                expected = first_impact(a.shape == 1 ? ball : box, motion_of(a),
                                        b.shape == 1 ? ball : box, motion_of(b));
            }
            safe = std::min(safe, expected.toi_lower);
            const auto at = listed.find({i, j});
            if (expected.verdict == Verdict::Separated) {
                EXPECT_EQ(at, listed.end());
                continue;
            }
            ASSERT_NE(at, listed.end()) << i << " " << j;
            EXPECT_EQ(at->second.verdict, expected.verdict);
            EXPECT_EQ(at->second.toi_lower, expected.toi_lower);
            EXPECT_EQ(at->second.toi_upper, expected.toi_upper);
        }
    }
    EXPECT_EQ(found->safe_fraction, safe);
    EXPECT_GT(found->impacts.size(), 1U);
    EXPECT_LT(found->candidates, crowd.made.size() * (crowd.made.size() - 1) / 2);
}

TEST(BodyWorld, FindsWhatEveryPairOfConvexBodiesShows) {
    for (const double angle : {0.3, 3.0})
        expect_same_as_pairs(crowd(1, 60, 3.0, false, angle), false);
}

TEST(BodyWorld, FindsWhatEveryPairOnARelativeScrewShows) {
    expect_same_as_pairs(crowd(2, 40, 4.0, true, 0.4), true);
}

TEST(BodyWorld, LosesNothingWhereBodiesRotateFar) {
    // Candidates may be all pairs here.
    const Crowd bodies = crowd(3, 14, 1.5, true, 2.5);
    const auto found = bodies.world.search();
    ASSERT_TRUE(found.has_value());
    const RigidBody surface = cube_surface(kHalf);
    const RigidBody ring = torus();
    for (BodyId i = 0; i < bodies.made.size(); ++i) {
        for (BodyId j = i + 1; j < bodies.made.size(); ++j) {
            const Made& a = bodies.made[i];
            const Made& b = bodies.made[j];
            if (a.shape + b.shape == 0) continue;
            const ImpactResult expected = first_impact(
                a.shape == 1 ? ring : surface, b.shape == 1 ? ring : surface, {a.step, b.step});
            const bool is_listed = std::any_of(found->impacts.begin(), found->impacts.end(),
                                               [&](const PairImpact& one) {
                                                   return one.pair == BodyPair{i, j};
                                               });
            EXPECT_EQ(is_listed, expected.verdict != Verdict::Separated);
        }
    }
}

TEST(BodyWorld, GivesTheSameBitsOnAnyNumberOfThreads) {
    const Crowd bodies = crowd(4, 120, 3.0, false, 1.0);
    const auto one = bodies.world.search();
    ASSERT_TRUE(one.has_value());
    for (const std::size_t threads : {2U, 3U, 8U}) {
        WorldOptions options;
        options.threads = threads;
        const auto several = bodies.world.search(options);
        ASSERT_TRUE(several.has_value());
        ASSERT_EQ(several->impacts.size(), one->impacts.size());
        for (std::size_t i = 0; i < one->impacts.size(); ++i) {
            EXPECT_EQ(several->impacts[i].pair, one->impacts[i].pair);
            EXPECT_EQ(several->impacts[i].result.toi_lower, one->impacts[i].result.toi_lower);
            EXPECT_EQ(several->impacts[i].result.toi_upper, one->impacts[i].result.toi_upper);
            EXPECT_EQ(several->impacts[i].result.contact.point,
                      one->impacts[i].result.contact.point);
        }
    }
}

TEST(BodyWorld, ReportsThatATargetBehindAWallIsNotSafe) {
    BodyWorld world;
    const ShapeId wall = world.add_shape(ConvexShape::box({0.1, 5.0, 5.0}).value());
    const ShapeId ball = world.add_shape(ConvexShape::sphere(0.5).value());
    const BodyId still = world.add_body(wall, {}).value();
    const BodyId moving = world.add_body(ball, {{}, {-3.0, 0.0, 0.0}}).value();
    ASSERT_TRUE(world.set_target(moving, {{}, {3.0, 0.0, 0.0}}).has_value());
    const auto found = world.search();
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->impacts.size(), 1U);
    EXPECT_EQ(found->impacts[0].pair, (BodyPair{still, moving}));
    EXPECT_NEAR(found->safe_fraction, 0.4, 1e-8);
    EXPECT_GE(found->contact_by, found->safe_fraction);
    world.advance(0.875 * found->safe_fraction);
    EXPECT_NEAR(world.pose(moving)->translation.x, -3.0 + 6.0 * 0.875 * 0.4, 1e-7);
    EXPECT_EQ(world.search()->safe_fraction, kInfinity);  // at rest
    // A body that rotates several times reaches what its poses at the ends do not.
    const ShapeId bar = world.add_shape(ConvexShape::box({1.5, 0.1, 0.1}).value());
    const BodyId rotor = world.add_body(bar, {{}, {0.0, 6.0, 0.0}}).value();
    ASSERT_TRUE(world.set_spin(rotor, {0.0, 6.0, 0.0}, {0.0, 0.0, 12.0}).has_value());
    EXPECT_LT(world.search()->safe_fraction, 1.0);
    ASSERT_TRUE(world.remove_body(still).has_value());
    EXPECT_EQ(world.search()->safe_fraction, kInfinity);
    EXPECT_EQ(world.size(), 2U);
}

TEST(BodyWorld, LeavesOutWhatFiltersAndAddsMargins) {
    BodyWorld world;
    const ShapeId ball = world.add_shape(ConvexShape::sphere(0.5).value());
    BodyFilter first;
    first.group = 1;
    first.mask = 1;
    BodyFilter second;
    second.group = 2;
    second.mask = 3;
    const BodyId a = world.add_body(ball, {}, first).value();
    const BodyId b = world.add_body(ball, {{}, {0.5, 0.0, 0.0}}, second).value();
    EXPECT_TRUE(world.search()->impacts.empty());
    const BodyId c = world.add_body(ball, {{}, {-0.4, 0.0, 0.0}}, {3, 3, 0.0}).value();
    EXPECT_EQ(world.search()->impacts.size(), 2U);
    WorldOptions options;
    options.pair_filter = [=](BodyId i, BodyId j) { return !(i == b && j == c); };
    ASSERT_EQ(world.search(options)->impacts.size(), 1U);
    EXPECT_EQ(world.search(options)->impacts[0].pair, (BodyPair{a, c}));
    // Margins.
    BodyWorld near;
    const ShapeId small = near.add_shape(ConvexShape::sphere(0.5).value());
    ASSERT_TRUE(near.add_body(small, {}, {1, 1, 0.15}).has_value());
    ASSERT_TRUE(near.add_body(small, {{}, {1.2, 0.0, 0.0}}, {1, 1, 0.1}).has_value());
    EXPECT_EQ(near.search()->impacts.size(), 1U);
    EXPECT_EQ(near.search()->contact_by, 0.0);
}

TEST(BodyWorld, RefusesWhatIsNotThere) {
    BodyWorld world;
    EXPECT_FALSE(world.add_body(0, {}).has_value());
    const ShapeId ball = world.add_shape(ConvexShape::sphere(0.5).value());
    const BodyId id = world.add_body(ball, {}).value();
    ASSERT_TRUE(world.remove_body(id).has_value());
    EXPECT_FALSE(world.remove_body(id).has_value());
    EXPECT_FALSE(world.set_target(id, {}).has_value());
    EXPECT_FALSE(world.pose(id).has_value());
    EXPECT_FALSE(world.add_body(ball, {{0.0, 0.0, 0.0, 0.0}, {}}).has_value());
    WorldOptions options;
    options.impact.t_max = 2.0;
    EXPECT_FALSE(world.search(options).has_value());
    // A ball and a surface have no search in common: nothing is claimed.
    ASSERT_TRUE(world.add_body(ball, {}).has_value());
    const ShapeId ring = world.add_shape(torus());
    ASSERT_TRUE(world.add_body(ring, {}).has_value());
    const auto found = world.search();
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->impacts.size(), 1U);
    EXPECT_EQ(found->impacts[0].result.verdict, Verdict::Unresolved);
    EXPECT_EQ(found->safe_fraction, 0.0);
}

}  // namespace
}  // namespace graze::rigid
