// Motions of robots: contacts at known times are neither missed nor reported late, what is called free
// is free at every sample, and the same bits come from any number of threads.
// Defends G-ROBOT-1, G-ROBOT-2, G-ROBOT-3 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include "graze/robot.hpp"
#include "graze/verify/robot_cases.hpp"

namespace graze::robot::test {
using namespace reference;  // NOLINT(google-build-using-namespace)
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

std::shared_ptr<const rigid::RigidBody> box_surface(const Vec3& h, const Vec3& c = {}) {
    std::vector<Vec3> vertices;
    for (int i = 0; i < 8; ++i)
        vertices.push_back({c.x + ((i & 1) != 0 ? h.x : -h.x), c.y + ((i & 2) != 0 ? h.y : -h.y),
                            c.z + ((i & 4) != 0 ? h.z : -h.z)});
    const std::vector<std::array<std::uint32_t, 3>> faces = {
        {0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
        {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    auto body = rigid::RigidBody::create(vertices, faces);
    return std::make_shared<const rigid::RigidBody>(*std::move(body));
}
Geometry surface_box(const Vec3& half, const Vec3& centre = {}) {
    return {box_surface(half, centre), {}};
}
Geometry convex_box(const Vec3& half, const Vec3& centre = {}) {
    return {*rigid::ConvexShape::box(half, centre), {}};
}

// An arm of 1 x 0.1 x 0.1 along x that rotates about z at the origin.
Robot hinged(const Geometry& arm, JointKind kind = JointKind::Continuous) {
    RobotDescription description;
    description.links = {{"base", {}}, {"arm", {arm}}};
    description.joints = {{"hinge", kind, 0, 1, {}, {0.0, 0.0, 1.0}, -kForever, kForever, {}}};
    return *Robot::create(description);
}
Geometry arm_box(bool is_convex) {
    const Vec3 half = {0.5, 0.05, 0.05};
    const Vec3 centre = {0.5, 0.0, 0.0};
    return is_convex ? convex_box(half, centre) : surface_box(half, centre);
}
SegmentResult checked(const Scene& scene, const Configuration& a, const Configuration& b,
                      const CheckOptions& options = {}) {
    const auto result = scene.check_motion(a, b, options);
    EXPECT_TRUE(result) << result.error().message;
    return *result;
}

TEST(RobotScene, FindsWhereAnArmSweepsIntoAPost) {
    // The corner (1, 0.05) is at the angle atan(0.05) ahead; the post's face is x = 0.5 at most, y from 0.6.
    for (const bool is_convex : {false, true}) {
        for (const bool is_convex_post : {false, true}) {
            const Geometry post = is_convex_post ? convex_box({0.05, 0.05, 0.5}, {0.0, 0.8, 0.0})
                                                 : surface_box({0.05, 0.05, 0.5}, {0.0, 0.8, 0.0});
            const auto scene = Scene::create(hinged(arm_box(is_convex)), {{"post", post}});
            ASSERT_TRUE(scene);
            const SegmentResult hit = checked(*scene, {0.0}, {3.0});
            ASSERT_EQ(hit.verdict, Verdict::Contact);
            // The post's corner (0.05, y) meets the arm's side y' = 0.05: least over its edge.
            const double first = std::atan2(0.75, 0.05) - std::asin(0.05 / std::hypot(0.05, 0.75));
            EXPECT_LE(hit.toi_lower, first / 3.0 + 1e-12);
            EXPECT_GE(hit.toi_upper, first / 3.0 - 0.02);
            EXPECT_LE(hit.toi_upper - hit.toi_lower, 1e-6);
            ASSERT_TRUE(hit.contact);
            EXPECT_EQ(hit.contact->a.link, LinkId{1});
            EXPECT_EQ(hit.contact->b.obstacle, std::size_t{0});
            EXPECT_EQ(hit.contact->b.triangle.has_value(), !is_convex_post);
            EXPECT_NEAR(norm(hit.contact->normal), 1.0, 1e-9);
            EXPECT_LT(norm(hit.contact->point - Vec3{0.05, 0.75, hit.contact->point.z}), 0.15);
            EXPECT_EQ(checked(*scene, {0.0}, {1.0}).verdict, Verdict::Separated);
            // Samples at both ends see nothing: the arm goes through the post.
            EXPECT_EQ(checked(*scene, {0.0}, {3.1}).verdict, Verdict::Contact);
            const auto state = scene->check_state({1.5});
            ASSERT_TRUE(state);
            EXPECT_EQ(state->verdict, Verdict::Contact);
            EXPECT_EQ(state->toi_upper, 0.0);
            EXPECT_EQ(scene->check_state({0.0})->verdict, Verdict::Separated);
        }
    }
}

void check_constructed(std::uint64_t first, std::uint64_t count) {
    std::uint64_t proved = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const MotionCase c = random_motion_case(seed);
        const auto scene = c.scene();
        ASSERT_TRUE(scene);
        const auto result = scene->check_motion(c.segment);
        ASSERT_TRUE(result);
        EXPECT_NE(result->verdict, Verdict::Separated) << "missed: seed " << seed;
        EXPECT_LE(result->toi_lower, static_cast<double>(c.time) + 1e-12) << "late: seed " << seed;
        if (result->verdict == Verdict::Contact) {
            ++proved;
            EXPECT_LE(result->toi_lower, result->toi_upper);
            EXPECT_TRUE(result->contact);
        }
    }
    EXPECT_GE(proved, count - count / 50);
}
TEST(RobotScene, NeverMissesAConstructedContactAndIsNeverLate) {
    check_constructed(0, 400);
}
TEST(RobotSceneAttack, NeverMissesAConstructedContactAndIsNeverLate) {
    check_constructed(100'000, 10'000);
}

void check_free(std::uint64_t first, std::uint64_t count, int samples) {
    std::uint64_t free = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const double gap = std::pow(10.0, -1.0 - static_cast<double>(seed % 6));
        const MotionCase c = random_motion_case(seed, gap);
        const auto scene = c.scene();
        ASSERT_TRUE(scene);
        CheckOptions options;
        options.clearance_accuracy = 0.25;
        const auto result = scene->check_motion(c.segment, options);
        ASSERT_TRUE(result);
        const Long least = sampled_clearance(c, samples);
        if (result->verdict != Verdict::Separated) {
            if (result->verdict == Verdict::Contact) continue;
            EXPECT_LT(least, 1e-6L) << "not decided: seed " << seed;
            continue;
        }
        ++free;
        EXPECT_GT(least, 0) << "wrongly free: seed " << seed;
        EXPECT_LE(result->clearance_lower, static_cast<double>(least) * (1.0 + 1e-12))
            << "clearance: seed " << seed;
        EXPECT_GE(result->clearance_lower, 0.7 * static_cast<double>(least)) << "seed " << seed;
    }
    EXPECT_GT(free, count / 3);
}
TEST(RobotScene, CallsNothingFreeThatSamplesContradict) {
    check_free(0, 36, 100);
}
TEST(RobotSceneAttack, CallsNothingFreeThatSamplesContradict) {
    check_free(10'000, 600, 1000);
}

TEST(RobotScene, GivesTheSameBitsForAnyNumberOfThreads) {
    const auto scene = Scene::create(hinged(arm_box(false)),
                                     {{"post", surface_box({0.05, 0.05, 0.5}, {0.0, 0.8, 0.0})}});
    ASSERT_TRUE(scene);
    std::vector<Configuration> path;
    for (int i = 0; i < 24; ++i)
        path.push_back({0.11 * i});
    CheckOptions options;
    options.clearance_accuracy = 0.1;
    const auto one = scene->certify_path(path, options, 1);
    const auto four = scene->certify_path(path, options, 4);
    ASSERT_TRUE(one && four);
    ASSERT_EQ(one->segments.size(), 23U);
    EXPECT_FALSE(one->is_free());
    EXPECT_GT(one->free_length(), 12.0);
    for (std::size_t i = 0; i < one->segments.size(); ++i) {
        const SegmentResult& a = one->segments[i];
        const SegmentResult& b = four->segments[i];
        EXPECT_EQ(a.verdict, b.verdict);
        EXPECT_EQ(a.toi_lower, b.toi_lower);
        EXPECT_EQ(a.toi_upper, b.toi_upper);
        EXPECT_EQ(a.clearance_lower, b.clearance_lower);
        EXPECT_EQ(a.checks, b.checks);
    }
    EXPECT_GT(one->segments[0].clearance_lower, 0.5);
}

TEST(RobotScene, ReportsABodyInsideAnotherAtTheStart) {
    const Geometry small = surface_box({0.1, 0.1, 0.1});
    for (const bool is_convex : {false, true}) {
        const Geometry arm = is_convex ? convex_box({0.1, 0.1, 0.1}) : small;
        const auto inside = Scene::create(hinged(arm), {{"hall", surface_box({1.0, 1.0, 1.0})}});
        ASSERT_TRUE(inside);
        const SegmentResult result = checked(*inside, {0.0}, {0.1});
        EXPECT_EQ(result.verdict, Verdict::Contact);
        EXPECT_EQ(result.toi_upper, 0.0);
    }
    const auto around = Scene::create(hinged(surface_box({1.0, 1.0, 1.0})), {{"nut", small}});
    ASSERT_TRUE(around);
    EXPECT_EQ(checked(*around, {0.0}, {0.1}).verdict, Verdict::Contact);
}

// --- Many obstacles ------------------------------------------------------------------------------

// Posts beside each other on the upper half of a circle, each with its own pose.
std::vector<Obstacle> ring_of_posts(std::size_t count, double radius) {
    std::vector<Obstacle> posts;
    for (std::size_t i = 0; i < count; ++i) {
        const double angle = 0.4 + 2.4 * static_cast<double>(i) / static_cast<double>(count);
        Geometry post = i % 3 == 0 ? convex_box({0.02, 0.02, 0.3}) : surface_box({0.02, 0.02, 0.3});
        post.pose = {{std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)},
                     {radius * std::cos(angle), radius * std::sin(angle), 0.0}};
        posts.push_back({"post" + std::to_string(i), post});
    }
    return posts;
}

TEST(RobotScene, FindsTheFirstOfManyObstacles) {
    for (const double radius : {0.8, 1.1}) {
        const auto posts = ring_of_posts(60, radius);
        const auto scene = Scene::create(hinged(arm_box(false)), posts);
        ASSERT_TRUE(scene);
        const SegmentResult all = checked(*scene, {0.0}, {2.0});
        double first = kForever;
        std::size_t index = 0;
        for (std::size_t i = 0; i < posts.size(); ++i) {
            const auto alone = Scene::create(hinged(arm_box(false)), {posts[i]});
            const SegmentResult one = checked(*alone, {0.0}, {2.0});
            if (!(one.toi_lower < first)) continue;
            first = one.toi_lower;
            index = i;
        }
        EXPECT_EQ(all.verdict, first < kForever ? Verdict::Contact : Verdict::Separated);
        EXPECT_EQ(radius < 1.0, all.verdict == Verdict::Contact);
        if (all.verdict != Verdict::Contact) continue;
        EXPECT_NEAR(all.toi_lower, first, 2e-6);
        ASSERT_TRUE(all.contact);
        EXPECT_EQ(all.contact->b.obstacle, index);
    }
}

TEST(RobotScene, FollowsAMovingBaseAmongManyObstacles) {
    auto posts = ring_of_posts(40, 30.0);
    posts.push_back({"wall", surface_box({0.1, 2.0, 2.0}, {3.0, 0.0, 0.0})});
    const auto scene = Scene::create(hinged(arm_box(false)), posts);
    ASSERT_TRUE(scene);
    const auto base = rigid::BodyMotion::slerp({{{}, {}}, {{}, {2.5, 0.0, 0.0}}});
    const auto result = scene->check_motion({{0.0}, {0.0}, std::nullopt, &base});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->verdict, Verdict::Contact);
    EXPECT_LE(result->toi_lower, 1.9 / 2.5 + 1e-12);
    EXPECT_GE(result->toi_upper, 1.9 / 2.5 - 1e-12);
}

// Its surface is far from what is inside.
TEST(RobotScene, ReportsABodyInsideAnotherAmongManyObstacles) {
    auto obstacles = ring_of_posts(40, 30.0);
    EXPECT_EQ(checked(*Scene::create(hinged(arm_box(false)), obstacles), {0.0}, {0.1}).verdict,
              Verdict::Separated);
    obstacles.push_back({"hall", surface_box({5.0, 5.0, 5.0})});
    for (const bool is_convex : {false, true}) {
        const SegmentResult inside =
            checked(*Scene::create(hinged(arm_box(is_convex)), obstacles), {0.0}, {0.1});
        EXPECT_EQ(inside.verdict, Verdict::Contact);
        EXPECT_EQ(inside.toi_upper, 0.0);
        ASSERT_TRUE(inside.contact);
        EXPECT_EQ(inside.contact->b.obstacle, std::size_t{40});
    }
    obstacles.back() = {"nut", surface_box({0.01, 0.01, 0.01}, {0.5, 0.0, 0.0})};
    EXPECT_EQ(checked(*Scene::create(hinged(arm_box(false)), obstacles), {0.0}, {0.1}).verdict,
              Verdict::Contact);
}

TEST(RobotScene, TestsFewOfManyObstacles) {
    const std::uint64_t few =
        checked(*Scene::create(hinged(arm_box(false)), ring_of_posts(10, 1.5)), {0.0}, {0.1})
            .checks;
    const std::uint64_t many =
        checked(*Scene::create(hinged(arm_box(false)), ring_of_posts(1000, 1.5)), {0.0}, {0.1})
            .checks;
    EXPECT_LT(many, 4 * few + 100);
}

TEST(RobotScene, HoldsTheMarginAndProvesTheClearance) {
    // The gap of the arm's end and a wall at x = 1.2 is 0.2 at the angle 0, less at the corner.
    SceneOptions options;
    const std::vector<Obstacle> wall = {{"wall", surface_box({0.1, 2.0, 2.0}, {1.3, 0.0, 0.0})}};
    const Robot robot = hinged(arm_box(false));
    const auto scene = Scene::create(robot, wall, options);
    ASSERT_TRUE(scene);
    CheckOptions check;
    check.clearance_accuracy = 0.05;
    const SegmentResult result = checked(*scene, {-0.2}, {0.2}, check);
    EXPECT_EQ(result.verdict, Verdict::Separated);
    const double least = 1.2 - std::hypot(1.0, 0.05);
    EXPECT_LE(result.clearance_lower, least);
    EXPECT_GE(result.clearance_lower, 0.9 * least);
    options.margin = least - 1e-3;
    EXPECT_EQ(checked(*Scene::create(robot, wall, options), {-0.2}, {0.2}).verdict,
              Verdict::Separated);
    options.margin = least + 1e-3;
    EXPECT_EQ(checked(*Scene::create(robot, wall, options), {-0.2}, {0.2}).verdict,
              Verdict::Contact);
}

TEST(RobotScene, FollowsAMovingBase) {
    const auto scene = Scene::create(hinged(arm_box(false)),
                                     {{"wall", surface_box({0.1, 2.0, 2.0}, {3.0, 0.0, 0.0})}});
    ASSERT_TRUE(scene);
    const auto base = rigid::BodyMotion::slerp({{{}, {}}, {{}, {2.5, 0.0, 0.0}}});
    const Segment segment{{0.0}, {0.0}, std::nullopt, &base};
    const auto result = scene->check_motion(segment);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->verdict, Verdict::Contact);
    EXPECT_LE(result->toi_lower, 1.9 / 2.5 + 1e-12);
    EXPECT_GE(result->toi_upper, 1.9 / 2.5 - 1e-12);
    EXPECT_LE(result->toi_upper - result->toi_lower, 1e-6);
    const std::vector<double> times = {0.0, 0.5, 1.0};
    const std::vector<Pose> poses = {{{}, {}}, {{}, {1.8, 0.0, 0.0}}, {{}, {0.0, 0.0, 0.0}}};
    const auto there_and_back = rigid::PiecewiseMotion::create(times, poses);
    ASSERT_TRUE(there_and_back);
    const auto free = scene->check_motion({{0.0}, {0.02}, std::nullopt, &*there_and_back});
    ASSERT_TRUE(free);
    EXPECT_EQ(free->verdict, Verdict::Separated);
    const auto affine = rigid::BodyMotion::affine({}, {});
    EXPECT_FALSE(scene->check_motion({{0.0}, {0.0}, std::nullopt, &affine}));
}

TEST(RobotScene, IsUnresolvedWhereTheBudgetIsSpentOrAStopIsAskedFor) {
    const auto scene = Scene::create(hinged(arm_box(false)),
                                     {{"post", surface_box({0.05, 0.05, 0.5}, {0.0, 0.8, 0.0})}});
    ASSERT_TRUE(scene);
    CheckOptions options;
    options.max_checks = 20;
    const SegmentResult spent = checked(*scene, {0.0}, {3.0}, options);
    EXPECT_EQ(spent.verdict, Verdict::Unresolved);
    EXPECT_LT(spent.toi_lower, 0.6);
    options.max_checks = 1000;
    const std::atomic<bool> stop = true;
    options.stop = StopToken(stop);
    EXPECT_EQ(checked(*scene, {0.0}, {3.0}, options).verdict, Verdict::Unresolved);
}

TEST(RobotScene, DerivesWhichLinksMayTouch) {
    RobotDescription description;
    for (const char* name : {"a", "b", "c", "d"})
        description.links.push_back({name, {surface_box({0.5, 0.1, 0.1}, {0.5, 0.0, 0.0})}});
    for (LinkId i = 0; i < 3; ++i)
        description.joints.push_back({"j" + std::to_string(i),
                                      JointKind::Revolute,
                                      i,
                                      i + 1,
                                      {{}, {1.0, 0.0, 0.0}},
                                      {0.0, 0.0, 1.0},
                                      -3,
                                      3,
                                      {}});
    const auto robot = Robot::create(description);
    ASSERT_TRUE(robot);
    const auto scene = Scene::create(*robot);
    ASSERT_TRUE(scene);
    const std::vector<LinkPair> expected = {{0, 1}, {1, 2}, {2, 3}};
    EXPECT_EQ(std::vector<LinkPair>(scene->allowed().begin(), scene->allowed().end()), expected);
    // Folded by 2.6 at both middle joints the last link is back over the first.
    const SegmentResult folded = checked(*scene, {0.0, 0.0, 0.0}, {0.0, 2.6, 2.6});
    EXPECT_EQ(folded.verdict, Verdict::Contact);
    ASSERT_TRUE(folded.contact && folded.contact->b.link);
    EXPECT_EQ(checked(*scene, {0.0, 0.0, 0.0}, {0.5, 0.5, 0.5}).verdict, Verdict::Separated);
    SceneOptions options;
    options.rest = Configuration{0.0, 9.0, 0.0};
    EXPECT_FALSE(Scene::create(*robot, {}, options));
    options.rest.reset();
    options.margin = -1.0;
    EXPECT_FALSE(Scene::create(*robot, {}, options));
    options.margin = 0.0;
    options.allowed = {{0, 7}};
    EXPECT_FALSE(Scene::create(*robot, {}, options));
    EXPECT_FALSE(scene->check_motion({0.0}, {1.0}));
    EXPECT_FALSE(scene->certify_path(std::vector<Configuration>{{0.0, 0.0, 0.0}}));
}

// A chain of links without geometry, but for the first and the last.
Robot chain_of(LinkId links, std::size_t geometries) {
    const std::vector<Geometry> bodies(geometries, convex_box({0.1, 0.1, 0.1}));
    RobotDescription description;
    for (LinkId i = 0; i < links; ++i) {
        const std::string name = std::to_string(i);
        const bool is_end = i == 0 || i + 1 == links;
        description.links.push_back({name, is_end ? bodies : std::vector<Geometry>()});
        if (i == 0) continue;
        description.joints.push_back({name,
                                      JointKind::Continuous,
                                      i - 1,
                                      i,
                                      {{}, {1.0, 0.0, 0.0}},
                                      {0.0, 0.0, 1.0},
                                      -kForever,
                                      kForever,
                                      {}});
    }
    return *Robot::create(description);
}

TEST(RobotScene, RefusesPairsThatTakeMoreThanAGibibyte) {
    for (const bool derives : {false, true}) {
        SceneOptions options;
        options.derive_allowed = derives;
        const auto between = Scene::create(chain_of(5000, 120), {}, options);  // 120^2 paths
        ASSERT_FALSE(between);
        EXPECT_EQ(between.error().code, ErrorCode::WrongSize);
        EXPECT_NE(between.error().message.find("1 GiB"), std::string::npos);
        options.allowed = {{4999, 0}};
        EXPECT_TRUE(Scene::create(chain_of(5000, 120), {}, options));
    }
    SceneOptions options;
    options.allowed = {{0, 19'999}};
    EXPECT_FALSE(Scene::create(chain_of(20'000, 2500), {}, options));  // paths from the root
    options.on_environment = {19'999};
    EXPECT_TRUE(Scene::create(chain_of(20'000, 2500), {}, options));
}

// Where paths share most of their way to the root, which none of them has.
TEST(RobotScene, FindsPathsBetweenLeavesFarFromTheRoot) {
    constexpr LinkId kTrunk = 20'000;
    constexpr LinkId kLeaves = 300;
    RobotDescription description;
    for (LinkId i = 0; i < kTrunk + kLeaves; ++i) {
        const std::string name = std::to_string(i);
        const bool is_leaf = i >= kTrunk;
        description.links.push_back({name, {}});
        if (is_leaf) description.links.back().geometry.push_back(convex_box({0.1, 0.1, 0.1}));
        if (i == 0) continue;
        description.joints.push_back({name,
                                      is_leaf ? JointKind::Continuous : JointKind::Fixed,
                                      is_leaf ? kTrunk - 1 : i - 1,
                                      i,
                                      {{}, {is_leaf ? i - kTrunk + 0.5 : 0.0, 0.0, 0.0}},
                                      {0.0, 0.0, 1.0},
                                      -kForever,
                                      kForever,
                                      {}});
    }
    SceneOptions options;
    options.derive_allowed = false;
    const auto scene = Scene::create(*Robot::create(description), {}, options);
    ASSERT_TRUE(scene);
    EXPECT_EQ(scene->check_state(Configuration(kLeaves, 0.0))->verdict, Verdict::Separated);
}

}  // namespace
}  // namespace graze::robot::test
