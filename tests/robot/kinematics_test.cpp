// Enclosures of chains, attacked with long double: poses within their errors, paths within K s (1 - s)
// of their chords.
// Defends G-ROBOT-1 (docs/GUARANTEES.md).
#include "robot/kinematics.hpp"

#include <gtest/gtest.h>

#include "graze/verify/robot_reference.hpp"
#include "robot/path.hpp"

namespace graze::robot::test {
using namespace reference;  // NOLINT(google-build-using-namespace)
namespace {

using detail::PoseEnclosure;

// Long double has eleven bits more; what it rounds is allowed for.
constexpr Long kOfLong = 1e-17L;

Long distance_to(const PoseEnclosure& pose, const ExactPose& truth, const Point& p) {
    Point q = wide(pose.translation);
    for (std::size_t i = 0; i < 3; ++i)
        q[i] += dot(wide(pose.linear[i]), p);
    return length(q - truth(p));
}

struct Case {
    Robot robot;
    Segment segment;
};
Case random_case(std::uint64_t seed) {
    Random rng(seed);
    auto robot = Robot::create(random_tree(rng, 1 + rng() % 8));
    EXPECT_TRUE(robot.has_value());
    Segment segment = random_segment(rng, *robot, seed % 3 == 0 ? 3.0 : 0.3);
    return {*robot, segment};
}

TEST(RobotKinematics, EnclosesEveryLinkOfRandomTreesOfJoints) {
    Long largest = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const Case c = random_case(seed);
        Random rng(seed + 1'000'000);
        const detail::Mechanism mechanism(c.robot);
        const auto tracks = mechanism.tracks(c.robot.joints(), c.segment);
        std::vector<PoseEnclosure> links(c.robot.links().size());
        const double t = seed % 7 == 0 ? 1.0 : uniform(rng, 0.0, 1.0);
        mechanism.links_at(c.robot.joints(), tracks, t, links);
        const auto truth = exact_links(c.robot, c.segment, t);
        for (std::size_t i = 0; i < links.size(); ++i) {
            const Point p = wide(random_vector(rng, 1.0));
            const Long allowed = links[i].translation_error + links[i].linear_error * length(p);
            const Long off = distance_to(links[i], truth[i], p);
            EXPECT_LE(off, allowed + kOfLong) << "seed " << seed << " link " << i;
            EXPECT_LT(allowed, 1e-11L);
            if (allowed > 1e-15L) largest = std::max(largest, off / allowed);
            const PoseEnclosure back = detail::inverse_of(links[i]);
            const Point q = wide(random_vector(rng, 1.0));
            Point there = wide(back.translation);
            for (std::size_t k = 0; k < 3; ++k)
                there[k] += dot(wide(back.linear[k]), q);
            EXPECT_LE(length(there - truth[i].back(q)),
                      back.translation_error + back.linear_error * length(q) + kOfLong);
        }
    }
    RecordProperty("largest_fraction_in_millionths", static_cast<int>(largest * 1e6L));
}

// The centre of a body of one link as seen from another, or from the root, and points about it.
void attack_chords(std::uint64_t first_seed, std::uint64_t count) {
    for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
        Case c = random_case(seed);
        Random rng(seed + 2'000'000);
        const auto links = static_cast<LinkId>(c.robot.links().size());
        const auto from = static_cast<LinkId>(rng() % links);
        const auto to = static_cast<LinkId>(rng() % links);
        const bool is_root = rng() % 3 == 0;
        const double radius = uniform(rng, 0.01, 0.5);
        const Geometry geometry = {*rigid::ConvexShape::sphere(radius),
                                   {random_rotation(rng), random_vector(rng, 0.3)}};
        const detail::Body body(geometry);
        const detail::Mechanism mechanism(c.robot);
        const auto tracks = mechanism.tracks(c.robot.joints(), c.segment);
        const detail::Path path = is_root
                                      ? path_from_root(c.robot, mechanism.topology(), to, body)
                                      : path_between(c.robot, mechanism.topology(), from, to, body);
        const double a = uniform(rng, 0.0, 0.9);
        const double b = uniform(rng, a, 1.0);
        std::vector<PoseEnclosure> at_a(links);
        std::vector<PoseEnclosure> at_b(links);
        mechanism.links_at(c.robot.joints(), tracks, a, at_a);
        mechanism.links_at(c.robot.joints(), tracks, b, at_b);
        detail::JointRates rates;
        for (const detail::ValueTrack& track : tracks) {
            rates.speed.push_back(track.speed(a, b));
            rates.acceleration.push_back(track.acceleration());
        }
        std::vector<double> scratch;
        const detail::PathEnds ends = {at_a, at_b, compose(at_a[to], body.to_owner),
                                       compose(at_b[to], body.to_owner), b - a};
        const detail::PathBounds bounds = bounds_of(path, rates, tracks, ends, scratch);
        const Point p = Long{radius} * (1 / length(wide({1, 2, 2}))) * wide({1, 2, 2});
        const auto point = [&](Long t) {
            const auto poses = exact_links(c.robot, c.segment, t);
            const Point in_root = poses[to](exact(geometry.pose)(p));
            return is_root ? in_root : poses[from].back(in_root);
        };
        const Long whole = Long{b} - Long{a};
        const Long half_sq = whole * whole / 2;
        const Long k = (bounds.acceleration + bounds.linear_acceleration * radius) * half_sq;
        const Long speed = bounds.speed + bounds.linear_speed * radius;
        const Point x0 = point(a);
        const Point x1 = point(b);
        EXPECT_LE(length(x1 - x0), speed * whole + kOfLong) << "seed " << seed;
        for (const double s : {0.1, 0.3, 0.5, 0.9}) {
            const Long ls = s;
            const Point chord = (1 - ls) * x0 + ls * x1;
            const Long off = length(point(Long{a} + ls * whole) - chord);
            EXPECT_LE(off, k * ls * (1 - ls) + kOfLong) << "seed " << seed << " s " << s;
        }
    }
}
TEST(RobotKinematics, KeepsEveryPathWithinItsDeviationFromTheChord) {
    attack_chords(0, 1500);
}
TEST(RobotKinematicsAttack, KeepsEveryPathWithinItsDeviationFromTheChord) {
    attack_chords(10'000, 60'000);
}

// A single revolute joint at full reach attains the bound within the curvature of the slab.
TEST(RobotKinematics, BoundsASingleJointTightly) {
    RobotDescription description;
    description.links = {{"base", {}}, {"arm", {}}};
    description.joints = {{"hinge", JointKind::Revolute, 0, 1, {}, {0.0, 0.0, 1.0}, -9, 9, {}}};
    const auto robot = Robot::create(description);
    ASSERT_TRUE(robot);
    const detail::Body body({*rigid::ConvexShape::sphere(0.0), {{}, {1.0, 0.0, 0.0}}});
    const detail::Mechanism mechanism(*robot);
    const Segment segment{{0.0}, {0.5}, {}, nullptr};
    const auto tracks = mechanism.tracks(robot->joints(), segment);
    std::vector<PoseEnclosure> first(2);
    std::vector<PoseEnclosure> last(2);
    mechanism.links_at(robot->joints(), tracks, 0.0, first);
    mechanism.links_at(robot->joints(), tracks, 1.0, last);
    const detail::JointRates rates = {{tracks[0].speed(0, 1)}, {tracks[0].acceleration()}};
    std::vector<double> scratch;
    const auto bounds = bounds_of(
        path_from_root(*robot, mechanism.topology(), 1, body), rates, tracks,
        {first, last, compose(first[1], body.to_owner), compose(last[1], body.to_owner), 1.0},
        scratch);
    EXPECT_NEAR(bounds.acceleration, 0.25, 1e-9);
    EXPECT_NEAR(bounds.speed, 0.5, 1e-9);
}

TEST(RobotKinematics, BoundsCubicValuesAndTheirDerivatives) {
    Random rng(5);
    for (int i = 0; i < 2000; ++i) {
        const detail::Value a = {uniform(rng, -3, 3), 0.0};
        const detail::Value b = {uniform(rng, -3, 3), 0.0};
        const detail::Value v = {uniform(rng, -9, 9), 0.0};
        const detail::Value w = {uniform(rng, -9, 9), 0.0};
        const detail::ValueTrack track(a, b, v, w);
        const Long d = Long{b.value} - Long{a.value};
        const Long c2 = 3 * d - 2 * Long{v.value} - Long{w.value};
        const Long c3 = Long{v.value} + Long{w.value} - 2 * d;
        const double low = uniform(rng, 0.0, 1.0);
        const double high = uniform(rng, low, 1.0);
        const double at = uniform(rng, low, high);
        const Long t = at;
        const detail::Value value = track.at(at);
        const Long truth = Long{a.value} + t * (Long{v.value} + t * (c2 + t * c3));
        EXPECT_LE(std::fabs(Long{value.value} - truth), value.error + kOfLong);
        EXPECT_LE(std::fabs(Long{v.value} + t * (2 * c2 + t * 3 * c3)),
                  track.speed(low, high) + kOfLong);
        EXPECT_LE(std::fabs(2 * c2 + 6 * c3 * t), track.acceleration() + kOfLong);
        EXPECT_LE(std::fabs(truth), track.size() + kOfLong);
    }
}

TEST(RobotKinematics, LeavesOutNoBoundThatIsNotANumber) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const auto is_unknown = [](const detail::ValueTrack& track) {
        return std::isnan(track.at(0.5).error) && std::isnan(track.speed(0.0, 1.0)) &&
               std::isnan(track.size());
    };
    const detail::Value good = {1.0, 0.0};
    const detail::Value bad = {1.0, none};
    EXPECT_TRUE(is_unknown({good, bad}));
    EXPECT_TRUE(is_unknown({bad, good}));
    EXPECT_TRUE(is_unknown({good, bad, good, good}));
    EXPECT_TRUE(is_unknown({good, good, good, bad}));
    EXPECT_FALSE(is_unknown({good, good, good, good}));
}

}  // namespace
}  // namespace graze::robot::test
