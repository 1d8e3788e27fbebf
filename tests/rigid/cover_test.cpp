// Defends G-RIGID-3, G-RIGID-16: covers of surfaces by convex parts (RI-9).
#include "rigid/impact/cover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "bodies.hpp"
#include "graze/generate/models.hpp"
#include "graze/verify/rigid_motion_judges.hpp"
#include "rigid/convex/hull_points.hpp"
#include "rigid/impact/tree.hpp"

namespace graze::rigid {
namespace {

using rigid::detail::BodyTree;
using rigid::detail::Cover;
using rigid::detail::CoverPart;
using rigid::detail::CoverTime;
using rigid::detail::HullPoints;
using rigid::detail::tree_of;

bool holds(const CoverPart& part, const Vec3& p) {
    if (part.shape.core() == ConvexShape::Core::Box) {
        for (std::size_t i = 0; i < 3; ++i)
            if (std::fabs(p[i] - part.shape.centre()[i]) > part.shape.size()[i]) return false;
        return true;
    }
    const auto points = part.shape.points();
    return std::find(points.begin(), points.end(), p) != points.end();
}

void expect_cover(const RigidBody& body) {
    const BodyTree& tree = tree_of(body);
    ASSERT_FALSE(tree.cover.parts.empty());
    for (const auto& triangle : tree.surface.triangles()) {
        const bool is_held = std::any_of(
            tree.cover.parts.begin(), tree.cover.parts.end(), [&](const CoverPart& part) {
                return std::all_of(triangle.begin(), triangle.end(), [&](std::uint32_t v) {
                    return holds(part, tree.surface.positions()[v]);
                });
            });
        EXPECT_TRUE(is_held);
    }
    for (const CoverPart& part : tree.cover.parts)
        for (const Vec3& p : part.shape.points())
            EXPECT_LE(norm(p - part.ball.centre), part.ball.radius);
}

TEST(RigidCover, EveryTriangleIsInAPart) {
    for (const char* name : {"cube", "tetrahedron", "car", "torus", "sphere"})
        expect_cover(RigidBody(shapes(name).a));
    expect_cover(RigidBody(shapes("comb").a));
    expect_cover(RigidBody(shapes("thread").a));
    // Open, and inside out.
    std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::uint32_t counts[] = {3, 3};
    const std::uint32_t corners[] = {0, 1, 2, 0, 3, 1};
    expect_cover(RigidBody(*Polyhedron::build(std::move(positions), counts, corners)));
}

TEST(RigidCover, ACarHasTwoPartsARingTwentyAndACubeOne) {
    EXPECT_EQ(tree_of(RigidBody(shapes("cube").a)).cover.parts.size(), 1U);
    EXPECT_EQ(tree_of(RigidBody(shapes("car").a)).cover.parts.size(), 2U);
    EXPECT_EQ(tree_of(RigidBody(shapes("torus").a)).cover.parts.size(), 20U);
}

// Times that covers call free against the reference, which shares nothing with them.
void expect_nothing_free_that_is_not(const std::string& name, std::uint64_t count,
                                     double separation) {
    const Shapes bodies = shapes(name);
    const RigidBody a(bodies.a);
    const RigidBody b(bodies.b);
    reference::Pair pair(bodies.a, bodies.b);
    std::size_t decided = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const RandomMotion motion = random_motion(pair, bodies, 21, i);
        if (motion.truth.answer == Verdict::Unresolved) continue;
        ImpactOptions options;
        options.min_separation = separation;
        const BodyMotion moves = BodyMotion::relative_screw(motion.step);
        const CoverTime covered = rigid::detail::free_by_covers(
            tree_of(a).cover, BodyMotion::rest({}), tree_of(b).cover, moves, options);
        if (motion.truth.answer == Verdict::Contact) {
            EXPECT_FALSE(covered.all_free) << name << " " << i;
            EXPECT_LE(covered.free_until, motion.truth.upper) << name << " " << i;
        }
        ImpactResult result;
        decided += rigid::detail::decide_by_covers(tree_of(a), BodyMotion::rest({}), tree_of(b),
                                                   moves, options, covered, result);
        if (result.verdict != Verdict::Contact || separation > 0.0) continue;
        EXPECT_GE(result.toi_upper, motion.truth.lower) << name << " " << i;
    }
    EXPECT_GT(2 * decided, count) << name;
}

TEST(RigidCover, NoTimeIsCalledFreeThatIsNot) {
    for (const char* name : {"cube", "tetrahedron", "car", "mixed"})
        expect_nothing_free_that_is_not(name, 60, 0.0);
    expect_nothing_free_that_is_not("torus", 12, 0.0);
    expect_nothing_free_that_is_not("car", 30, 0x1p-10);
}

// Nothing of its surface is near that of the ring.
TEST(RigidCover, ABodyWithinAnotherIsContact) {
    const RigidBody ring(shapes("torus").a);
    io::PolygonMesh mesh = generate::cube();
    for (Vec3& p : mesh.positions)
        p = 0.05 * p;
    const RigidBody small(test::body_of(mesh));
    const PairStep inside = {BodyStep::rest({}),
                             BodyStep::between({{}, {0.95, 0.0, 0.0}}, {{}, {0.96, 0.0, 0.0}})};
    const ImpactResult found = first_impact(ring, small, inside);
    EXPECT_EQ(found.verdict, Verdict::Contact);
    EXPECT_EQ(found.toi_upper, 0.0);
}

// Point and normal: across a face, from A to B.
TEST(RigidCover, ContactsHaveAPointAndTheNormalOfTheFace) {
    const RigidBody body(shapes("cube").a);
    const Quaternion tilted = rotation_about({1.0, 0.3, 0.7}, 0.6);
    const Pose a = {rotation_about({0.0, 1.0, 0.0}, 0.3), {0.5, 0.0, 0.0}};
    const PairStep step = {{a, {a.rotation, {0.75, 0.0, 0.0}}},
                           {{tilted, {0.5, 4.0, 0.0}}, {tilted, {0.75, 0.0, 0.0}}}};
    const ImpactResult found = first_impact(body, body, step);
    ASSERT_EQ(found.verdict, Verdict::Contact);
    EXPECT_LE(found.toi_upper - found.toi_lower, 1e-9);
    EXPECT_NEAR(found.contact.normal.y, 1.0, 1e-9);
    EXPECT_NEAR(found.contact.point.y, 0.5, 1e-7);
    EXPECT_TRUE(found.contact.has_features());
    EXPECT_EQ(found.contact.time, found.toi_lower);
}

// B goes around A's side or away from it: the sign of a scalar part of 2^-1074 tells, which is lost where
// the quaternion is brought to length 1.
TEST(RigidCover, HalfARotationGoesTheWayThatItsSmallestPartSays) {
    const RigidBody a(test::box({-0.25, -0.25, 1.75}, {0.25, 0.25, 2.25}));
    const RigidBody b(test::box({-0.25, 1.75, -0.25}, {0.25, 2.25, 0.25}));
    const auto verdict = [&](double w, double x) {
        PairStep step;
        step.b.end.rotation = {w, x, 0.0, 0.0};
        return first_impact(a, b, step).verdict;
    };
    for (const double length : {1.0, 2.0, 0x1p+900}) {
        EXPECT_EQ(verdict(-0x1p-1074, -length), Verdict::Contact) << length;
        EXPECT_EQ(verdict(-0x1p-1074, length), Verdict::Separated) << length;
        EXPECT_EQ(verdict(0x1p-1074, length), Verdict::Contact) << length;
        EXPECT_EQ(verdict(0x1p-1074, -length), Verdict::Separated) << length;
    }
}

TEST(RigidCover, ABodyThatRestsWithQuaternionsOfTwoLengthsHasTheSameContact) {
    const RigidBody a(test::box({-0.25, -0.25, 1.75}, {0.25, 0.25, 2.25}));
    const RigidBody b(
        test::built({{0.1, 0.05, 0.5}, {-0.3, -0.2, 0}, {0.35, -0.25, 0.02}, {0.03, 0.4, -0.01}},
                    {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}));
    const Quaternion turned = rotation_about({0.01, 0.02, 1.0}, 1.5);
    const Quaternion twice = {2.0 * turned.w, 2.0 * turned.x, 2.0 * turned.y, 2.0 * turned.z};
    const auto found = [&](const Quaternion& end) {
        const Pose from = {turned, {10.0, 0.0, 0.0}};
        return first_impact(
            a, b,
            {{from, {end, from.translation}}, {{{}, {10.0, 0.0, 0.0}}, {{}, {10.0, 0.0, 2.0}}}});
    };
    const ImpactResult same = found(turned);
    const ImpactResult longer = found(twice);
    ASSERT_EQ(same.verdict, Verdict::Contact);
    ASSERT_EQ(longer.verdict, Verdict::Contact);
    EXPECT_LT(norm(same.contact.point - longer.contact.point), 1e-6);
    EXPECT_LT(norm(same.contact.normal - longer.contact.normal), 1e-6);
}

// As a mesh of which the body is a part may have them.
TEST(RigidCover, VerticesThatNoFaceHasCostNothing) {
    io::PolygonMesh mesh = generate::cube();
    mesh.positions.resize(mesh.positions.size() + 100, {5.0, 5.0, 5.0});
    EXPECT_EQ(tree_of(RigidBody(test::body_of(mesh))).cover.parts.size(), 1U);
}

TEST(RigidCover, ScansOfHullsGiveTheBitsOfALoop) {
    std::mt19937 engine(7);
    std::normal_distribution<double> normal;
    const auto vector = [&] {
        const double x = normal(engine);
        const double y = normal(engine);
        return Vec3{x, y, normal(engine)};
    };
    for (std::size_t count = 1; count < 40; ++count) {
        std::vector<Vec3> points;
        for (std::size_t i = 0; i < count; ++i)
            points.push_back(i % 5 == 4 ? points[i / 2] : vector());
        const HullPoints hull(points);
        for (int trial = 0; trial < 20; ++trial) {
            const Vec3 m = vector();
            std::size_t best = 0;
            for (std::size_t i = 1; i < count; ++i)
                if (dot(m, points[i]) > dot(m, points[best])) best = i;
            EXPECT_EQ(rigid::detail::largest_along(hull, m), dot(m, points[best]));
            EXPECT_EQ(rigid::detail::extreme_along(hull, m).point, best);
        }
    }
}

}  // namespace
}  // namespace graze::rigid
