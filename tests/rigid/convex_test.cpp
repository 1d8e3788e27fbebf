// The first impact of convex bodies: proofs attacked by an independent reference that samples times.
// Defends G-RIGID-11, G-RIGID-12 (docs/GUARANTEES.md).
#include "graze/rigid/convex.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "bodies.hpp"
#include "graze/generate/models.hpp"
#include "graze/rigid/impact.hpp"
#include "rigid/convex/box_axes.hpp"
#include "rigid/convex/simplex.hpp"

namespace graze::rigid {
namespace {

using test::RandomPoses;

ConvexShape box(const Vec3& half, const Vec3& centre = {}, double rounding = 0.0) {
    return ConvexShape::box(half, centre, rounding).value();
}
ConvexShape sphere(double radius, const Vec3& centre = {}) {
    return ConvexShape::sphere(radius, centre).value();
}
ConvexShape capsule(const Vec3& p, const Vec3& q, double radius) {
    return ConvexShape::capsule(p, q, radius).value();
}
ConvexShape cylinder(double radius, double half_height) {
    return ConvexShape::cylinder(radius, half_height).value();
}
std::vector<Vec3> corners_of(const Vec3& h) {
    std::vector<Vec3> corners;
    for (const double x : {-h.x, h.x})
        for (const double y : {-h.y, h.y})
            for (const double z : {-h.z, h.z})
                corners.push_back({x, y, z});
    return corners;
}

// --- The reference: gaps of sampled times in long double, by other formulas -----------------------

using Long = long double;
using LongVec = Vec<Long>;

LongVec widened(const Vec3& v) {
    return {v.x, v.y, v.z};
}
struct LongPose {
    std::array<LongVec, 3> columns;
    LongVec translation;
    [[nodiscard]] LongVec at(const LongVec& p) const {
        return p.x * columns[0] + p.y * columns[1] + p.z * columns[2] + translation;
    }
};
LongPose long_pose(const Quaternion& q, const LongVec& translation) {
    const Long n = Long{q.w} * q.w + Long{q.x} * q.x + Long{q.y} * q.y + Long{q.z} * q.z;
    LongPose pose;
    pose.translation = translation;
    const LongVec u = {q.x, q.y, q.z};
    for (std::size_t j = 0; j < 3; ++j) {
        LongVec e;
        e[j] = 1;
        const LongVec c = cross(u, e);
        pose.columns[j] = e + (2 / n) * (Long{q.w} * c + cross(u, c));
    }
    return pose;
}

// A convex solid by its support function in the world.
using Support = std::function<LongVec(const LongVec& direction)>;
Support support_of(const ConvexShape& shape, const LongPose& pose) {
    return [shape, pose](const LongVec& d) {
        const LongVec m = {dot(pose.columns[0], d), dot(pose.columns[1], d),
                           dot(pose.columns[2], d)};
        const LongVec c = widened(shape.centre());
        const LongVec h = widened(shape.size());
        LongVec p = c;
        switch (shape.core()) {
            case ConvexShape::Core::Point:
                break;
            case ConvexShape::Core::Segment:
                p = dot(m, c) > dot(m, h) ? c : h;
                break;
            case ConvexShape::Core::Box:
                for (std::size_t i = 0; i < 3; ++i)
                    p[i] += m[i] > 0 ? h[i] : -h[i];
                break;
            case ConvexShape::Core::Cylinder: {
                const Long size = std::sqrt(m.x * m.x + m.y * m.y);
                if (size > 0) {
                    p.x += h.x * m.x / size;
                    p.y += h.x * m.y / size;
                }
                p.z += m.z > 0 ? h.z : -h.z;
                break;
            }
            case ConvexShape::Core::Hull:
                p = widened(shape.points()[0]);
                for (const Vec3& q : shape.points())
                    if (dot(m, widened(q)) > dot(m, p)) p = widened(q);
        }
        return pose.at(p);
    };
}

// Bounds of the distance of the cores by Frank and Wolfe's method with exact line search, from both
// sides: no simplices, no faces, nothing in common with the search. `reaches` ends it early.
struct DistanceBounds {
    Long lower = 0;
    Long upper = 0;
};
DistanceBounds distance_of(const Support& a, const Support& b, Long margin) {
    LongVec v = b({1, 0, 0}) - a({-1, 0, 0});
    DistanceBounds bounds{-1e30L, std::sqrt(norm_sq(v))};
    for (int i = 0; i < 3000; ++i) {
        const LongVec w = b(-v) - a(v);
        const Long size = std::sqrt(norm_sq(v));
        bounds.upper = std::min(bounds.upper, size);
        if (!(size > 1e-17L)) break;
        bounds.lower = std::max(bounds.lower, dot(v, w) / size);
        if (bounds.lower > margin || bounds.upper <= margin) break;
        const LongVec e = w - v;
        const Long length_sq = norm_sq(e);
        if (!(length_sq > 0)) break;
        v += std::min<Long>(1, std::max<Long>(0, -dot(v, e) / length_sq)) * e;
    }
    return bounds;
}

struct Model {
    const char* name;
    std::function<BodyMotion(const BodyStep&, const Vec3&)> motion;  // step, angular velocity
    std::function<LongPose(const BodyStep&, const Vec3&, Long t)> pose;
};

LongVec line(const BodyStep& step, Long t) {
    return (1 - t) * widened(step.start.translation) + t * widened(step.end.translation);
}
std::vector<Model> models() {
    const auto nlerp = [](const BodyStep& s, const Vec3&, Long t) {
        Quaternion p = s.start.rotation;
        Quaternion q = s.end.rotation;
        if (p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0) q = {-q.w, -q.x, -q.y, -q.z};
        const auto mix = [t](double x, double y) {
            return static_cast<double>((1 - t) * Long{x} + t * Long{y});
        };
        return long_pose({mix(p.w, q.w), mix(p.x, q.x), mix(p.y, q.y), mix(p.z, q.z)}, line(s, t));
    };
    const auto spin = [](const BodyStep& s, const Vec3& w, Long t) {
        const Quaternion turned =
            compose(Pose{rotation_about(w, static_cast<double>(t) * norm(w)), {}},
                    Pose{s.start.rotation, {}})
                .rotation;
        return long_pose(turned, line(s, t));
    };
    const auto slerp = [](const BodyStep& s, const Vec3&, Long t) {
        const BodyStep turn = {{s.start.rotation, {}}, {s.end.rotation, {}}};
        return long_pose(pose_at(turn, static_cast<double>(t)).rotation, line(s, t));
    };
    const auto screw = [](const BodyStep& s, const Vec3&, Long t) {
        const Pose pose = pose_at(s, static_cast<double>(t));
        return long_pose(pose.rotation, widened(pose.translation));
    };
    return {{"nlerp", [](const BodyStep& s, const Vec3&) { return BodyMotion::nlerp(s); }, nlerp},
            {"spin",
             [](const BodyStep& s, const Vec3& w) {
                 return BodyMotion::spin(s.start, s.end.translation, w);
             },
             spin},
            {"slerp", [](const BodyStep& s, const Vec3&) { return BodyMotion::slerp(s); }, slerp},
            {"screw", [](const BodyStep& s, const Vec3&) { return BodyMotion::screw(s); }, screw}};
}

std::vector<ConvexShape> shapes() {
    RandomPoses random(77);
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i)
        points.push_back(0.4 * random.vector());
    return {box({0.5, 0.4, 0.6}),
            sphere(0.5, {0.1, 0.0, 0.2}),
            capsule({-0.5, 0.0, 0.1}, {0.6, 0.2, 0.0}, 0.2),
            cylinder(0.4, 0.6),
            ConvexShape::hull(points).value(),
            box({0.4, 0.3, 0.2}, {0.1, -0.2, 0.0}, 0.15)};
}

// Bodies that start some two sizes from each other and pass each other closely.
struct Scene {
    BodyStep a;
    BodyStep b;
    Vec3 spin_a;
    Vec3 spin_b;
};
Scene random_scene(RandomPoses& random) {
    Scene scene;
    const Vec3 towards = random.vector();
    const Vec3 aside = (0.9 / norm(towards)) * cross(towards, random.vector());
    const Vec3 start = (2.5 / norm(towards)) * towards;
    scene.a = {random.pose(), random.pose()};
    scene.a.end.translation = scene.a.start.translation + 0.3 * random.vector();
    scene.b.start = {random.rotation(), scene.a.start.translation + start};
    scene.b.end = {random.rotation(),
                   scene.a.end.translation - start + random.uniform(0.0, 2.0) * aside};
    scene.spin_a = random.uniform(0.0, 3.0) * random.vector();
    scene.spin_b = random.uniform(0.0, 9.0) * random.vector();
    return scene;
}

struct Count {
    int separated = 0;
    int contact = 0;
    int unresolved = 0;
};

// Separated: no sampled time has the bodies in contact. Contact: none before toi_lower, and at
// toi_upper (or just after) they are.
void verify(const ConvexShape& a, const ConvexShape& b, const Model& model, const Scene& scene,
            int samples, Count& count) {
    const BodyMotion motion_a = model.motion(scene.a, scene.spin_a);
    const BodyMotion motion_b = model.motion(scene.b, scene.spin_b);
    const ImpactResult found = first_impact(a, motion_a, b, motion_b);
    const Long margin = Long{a.rounding()} + b.rounding();
    const auto bounds_at = [&](Long t) {
        return distance_of(support_of(a, model.pose(scene.a, scene.spin_a, t)),
                           support_of(b, model.pose(scene.b, scene.spin_b, t)), margin);
    };
    const double free = std::min(found.toi_lower, 1.0);
    // In contact by more than what long double and the poses in double may be wrong by.
    for (int i = 0; i <= samples; ++i) {
        const Long t = free * (Long{1} * i / samples) * (1 - 1e-12L);
        EXPECT_GT(bounds_at(t).upper, margin - 1e-13L) << model.name << " at " << double(t);
    }
    if (found.verdict == Verdict::Separated) ++count.separated;
    if (found.verdict == Verdict::Unresolved) ++count.unresolved;
    if (found.verdict != Verdict::Contact) return;
    ++count.contact;
    EXPECT_LE(found.toi_lower, found.toi_upper);
    EXPECT_LT(found.toi_upper - found.toi_lower, 1e-5)
        << model.name << " " << int(a.core()) << " " << int(b.core()) << " " << margin;
    EXPECT_LT(bounds_at(found.toi_upper).lower, margin + 1e-13L);
    EXPECT_NEAR(norm(found.contact.normal), 1.0, 1e-9);
}

// A motion whose numbers are none, whatever it claims of them.
class BrokenMotion final : public Motion {
public:
    [[nodiscard]] bool is_valid() const noexcept override { return true; }
    [[nodiscard]] bool is_rigid() const noexcept override { return true; }
    [[nodiscard]] PoseEnclosure at(double, const Vec3&) const noexcept override {
        PoseEnclosure pose;
        const double none = std::nan("");
        pose.linear = {Vec3{none, none, none}, Vec3{none, none, none}, Vec3{none, none, none}};
        pose.linear_error = pose.translation_error = 0.0;
        return pose;
    }
    [[nodiscard]] ChordDeviation deviation(double, double) const noexcept override {
        return {0.0, 0.0};
    }
    [[nodiscard]] Vec3 start() const noexcept override { return {}; }
};

// A fall by one whose joints do not come one after the other: after t = 1/4 the next is `joint`, or t
// itself where that is none.
class StuckMotion final : public Motion {
public:
    explicit StuckMotion(double joint) noexcept : joint_(joint) {}
    [[nodiscard]] bool is_valid() const noexcept override { return true; }
    [[nodiscard]] bool is_rigid() const noexcept override { return true; }
    [[nodiscard]] PoseEnclosure at(double t, const Vec3& origin) const noexcept override {
        return fall_.at(t, origin);
    }
    [[nodiscard]] ChordDeviation deviation(double a, double b) const noexcept override {
        return fall_.deviation(a, b);
    }
    [[nodiscard]] double next_joint(double t) const noexcept override {
        if (t < 0.25) return 0.25;
        return std::isinf(joint_) ? t : joint_;
    }
    [[nodiscard]] Vec3 start() const noexcept override { return fall_.start(); }

private:
    BodyMotion fall_ = BodyMotion::screw({{{}, {0, 0, 4}}, {{}, {0, 0, 3}}});
    double joint_;
};

// Such a search ended never, or after a hundred million checks.
TEST(ConvexImpact, AMotionWhoseJointsDoNotAdvanceIsNotFollowedForEver) {
    const ConvexShape shape = box({0.5, 0.5, 0.5});
    const RigidBody body(test::body_of(generate::cube()));
    const BodyMotion rest = BodyMotion::rest({});
    for (const double joint : {HUGE_VAL, 0.25, 0.125, 0.0, -1.0, std::nan("")}) {
        const StuckMotion stuck(joint);
        for (const ImpactResult& found :
             {first_impact(shape, stuck, shape, rest), first_impact(shape, rest, shape, stuck),
              first_impact(body, stuck, body, rest), first_impact(body, rest, body, stuck)}) {
            EXPECT_EQ(found.verdict, Verdict::Unresolved) << joint;
            EXPECT_LE(found.toi_lower, 0.25) << joint;
            EXPECT_LE(found.checks, 10'000U) << joint;
        }
    }
}

// At rest at `translation`, scaled, and not called rigid; exact at the start where it is not scaled.
class ScaledRest final : public Motion {
public:
    ScaledRest(double scale, const Vec3& translation) noexcept
        : scale_(scale), translation_(translation) {}
    [[nodiscard]] bool is_valid() const noexcept override { return true; }
    [[nodiscard]] bool is_rigid() const noexcept override { return false; }
    [[nodiscard]] PoseEnclosure at(double, const Vec3& origin) const noexcept override {
        PoseEnclosure pose;
        pose.linear = {Vec3{scale_, 0.0, 0.0}, Vec3{0.0, scale_, 0.0}, Vec3{0.0, 0.0, scale_}};
        pose.translation = translation_ - origin;
        pose.linear_error = pose.translation_error = 0.0;
        pose.linear_norm = scale_;
        return pose;
    }
    [[nodiscard]] ChordDeviation deviation(double, double) const noexcept override {
        return {0.0, 0.0};
    }
    [[nodiscard]] Vec3 start() const noexcept override { return translation_; }
    [[nodiscard]] std::optional<Pose> exact_start() const noexcept override {
        if (scale_ != 1.0) return std::nullopt;
        return Pose{{}, translation_};
    }

private:
    double scale_;
    Vec3 translation_;
};

// The squares of directions that such a map makes underflow: the rounding radius was lost.
TEST(ConvexImpact, ShapesThatAMapMakesTinyAreNotSeparatedWhereTheyOverlap) {
    for (const double scale : {0x1p-540, 0x1p-538, 0x1p-530, 0x1p-520, 0x1p-500, 0x1p-400}) {
        const ScaledRest a(scale, {});
        const ScaledRest b(scale, {0x1.8p+300 * scale, 0.0, 0.0});
        for (const ConvexShape& shape :
             {ConvexShape::sphere(0x1p+300).value(), ConvexShape::cylinder(0x1p+300, 0.0).value(),
              ConvexShape::box({0.0, 0.0, 0.0}, {}, 0x1p+300).value()})
            EXPECT_NE(first_impact(shape, a, shape, b).verdict, Verdict::Separated) << scale;
    }
}

// |offset| > 2 by half a unit in the last place, or more: points of the spheres that are rounded to
// doubles coincide, those of the spheres do not.
TEST(ConvexImpact, RoundedShapesDoNotTouchAtTheStartByPointsThatAreRounded) {
    const ConvexShape sphere = ConvexShape::sphere(1.0).value();
    for (const Vec3& offset :
         {Vec3{-0x1.7a0491a791c49p+0, -0x1.d6b28f19d53efp-2, 0x1.44a70a888cb3ap+0},
          Vec3{-0x1.69add116d011cp+0, -0x1.672de65573618p+0, -0x1.818b0b0b3239cp-3},
          Vec3{0x1.69d18387054eep+0, -0x1.5bb8912a474eap+0, -0x1.96616477b926fp-2}}) {
        const ImpactResult found =
            first_impact(sphere, ScaledRest(1.0, {}), sphere, ScaledRest(1.0, offset));
        EXPECT_NE(found.verdict, Verdict::Contact);
        EXPECT_EQ(found.toi_upper, kInfinity);
    }
}

// The search proposes by these gaps and proves by those of gap_along().
TEST(ConvexImpact, GapsOfTheAxesOfBoxesAreThoseAlongTheirDirections) {
    RandomPoses random(3);
    for (int trial = 0; trial < 200; ++trial) {
        const ConvexShape a = box({0.5, 0.25, 1.0}, {0.125, 0.0, -0.25});
        const ConvexShape b = box({0.75, 0.5, 0.5}, {0.0, 0.5, 0.0});
        const BodyMotion rest_a = BodyMotion::rest(random.pose());
        const BodyMotion rest_b = BodyMotion::rest(random.pose());
        const detail::MovingShape shape_a(a, rest_a);
        const detail::MovingShape shape_b(b, rest_b);
        const auto frame = detail::PairFrames(shape_a, shape_b, {}).at(0.0);
        const detail::BoxAxes axes(shape_a, shape_b, frame);
        double largest = -HUGE_VAL;
        for (unsigned id = 0; id < 15; ++id) {
            const Vec3 n = axes.direction(id, frame);
            EXPECT_NEAR(norm_sq(n), 1.0, 1e-14);
            const double gap = detail::gap_along(shape_a, shape_b, frame, n);
            EXPECT_NEAR(axes.gap(id), gap, 1e-12) << id;
            largest = std::max(largest, gap);
        }
        EXPECT_NEAR(axes.best().gap, largest, 1e-12);
    }
}

TEST(ConvexImpact, AxesOfParallelBoxesAreTheirNormals) {
    const ConvexShape a = box({0.5, 0.25, 1.0});
    const ConvexShape b = box({0.75, 0.5, 0.5});
    const BodyMotion rest_a = BodyMotion::rest({});
    for (const Vec3& away : {Vec3{2.0, 0.5, 0.0}, Vec3{0.0, -1.5, 0.25}, Vec3{1.0, 0.5, 1.0}}) {
        const BodyMotion rest_b = BodyMotion::rest({{}, away});
        const detail::MovingShape shape_a(a, rest_a);
        const detail::MovingShape shape_b(b, rest_b);
        const auto frame = detail::PairFrames(shape_a, shape_b, {}).at(0.0);
        const detail::BoxAxes axes(shape_a, shape_b, frame);
        const detail::BoxAxis best = axes.best();
        EXPECT_DOUBLE_EQ(norm_max(axes.direction(best.id, frame)),
                         1.0);  // a normal, or a cross that is one
        EXPECT_DOUBLE_EQ(best.gap, std::max({std::fabs(away.x) - 1.25, std::fabs(away.y) - 0.75,
                                             std::fabs(away.z) - 1.5}));
        EXPECT_GT(dot(axes.direction(best.id, frame), away), 0.0);
    }
}

TEST(ConvexImpact, NumbersThatAreNoneSeparateNothing) {
    const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const ConvexShape hull = ConvexShape::hull(points).value();
    EXPECT_TRUE(std::isnan(detail::core_extent(hull, {std::nan(""), 0.0, 0.0})));
    const BodyMotion rest = BodyMotion::rest({});
    for (const double t_max : {0.0, 1.0}) {
        ImpactOptions options;
        options.t_max = t_max;
        EXPECT_NE(first_impact(hull, BrokenMotion(), hull, rest, options).verdict,
                  Verdict::Separated);
        EXPECT_NE(first_impact(hull, rest, hull, BrokenMotion(), options).verdict,
                  Verdict::Separated);
    }
}

TEST(ConvexImpact, NeverCallsASampledContactFree) {
    RandomPoses random(1);
    const std::vector<ConvexShape> all = shapes();
    Count count;
    for (const Model& model : models()) {
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = i; j < all.size(); ++j)
                verify(all[i], all[j], model, random_scene(random), 24, count);
    }
    EXPECT_GT(count.separated, 15);
    EXPECT_GT(count.contact, 15);
    EXPECT_LE(count.unresolved, 1);
}

TEST(ConvexImpactAttack, NeverCallsASampledContactFree) {
    RandomPoses random(2);
    const std::vector<ConvexShape> all = shapes();
    Count count;
    for (int round = 0; round < 5; ++round) {
        for (const Model& model : models())
            for (std::size_t i = 0; i < all.size(); ++i)
                for (std::size_t j = i; j < all.size(); ++j)
                    verify(all[i], all[j], model, random_scene(random), 100, count);
    }
    EXPECT_LE(count.unresolved, 4);
}

TEST(ConvexImpact, AgreesWithThePolyhedronOnItsScrew) {
    RandomPoses random(3);
    const Vec3 half = {0.5, 0.4, 0.6};
    const RigidBody body(test::box(-half, half));
    const ConvexShape as_box = box(half);
    const ConvexShape as_hull = ConvexShape::hull(corners_of(half)).value();
    int contacts = 0;
    for (int i = 0; i < 60; ++i) {
        const Scene scene = random_scene(random);
        const PairStep step = {scene.a, scene.b};
        const ImpactResult expected = first_impact(body, body, step);
        for (const ConvexShape& shape : {as_box, as_hull}) {
            const ImpactResult found = first_impact(shape, shape, step);
            if (found.verdict == Verdict::Unresolved) continue;
            ASSERT_EQ(found.verdict, expected.verdict) << i;
            if (found.verdict != Verdict::Contact) continue;
            ++contacts;
            EXPECT_LE(found.toi_lower, expected.toi_upper);
            EXPECT_LE(expected.toi_lower, found.toi_upper);
            EXPECT_LT(norm(found.contact.point - expected.contact.point), 2.0);
        }
    }
    EXPECT_GT(contacts, 20);
}

TEST(ConvexImpact, FindsTheTimeOfTwoSpheresHeadOn) {
    const ConvexShape ball = sphere(1.0);
    const BodyMotion rest = BodyMotion::rest({});
    const BodyMotion comes = BodyMotion::slerp({{{}, {10.0, 0.0, 0.0}}, {{}, {-10.0, 0.0, 0.0}}});
    const ImpactResult found = first_impact(ball, rest, ball, comes);
    ASSERT_EQ(found.verdict, Verdict::Contact);
    EXPECT_LE(found.toi_lower, 0.4);
    EXPECT_GE(found.toi_upper, 0.4);
    EXPECT_LT(found.toi_upper - found.toi_lower, 1e-9);
    EXPECT_NEAR(found.contact.point.x, 1.0, 1e-6);
    EXPECT_NEAR(found.contact.normal.x, 1.0, 1e-9);
}

TEST(ConvexImpact, FindsFacesThatMeetFlush) {
    const ConvexShape cube = box({1.0, 1.0, 1.0});
    const BodyMotion rest = BodyMotion::rest({});
    for (const Vec3& aside : {Vec3{}, Vec3{0.0, 0.5, 0.0}, Vec3{0.0, 0.25, -0.75}}) {
        const BodyMotion comes = BodyMotion::slerp(
            {{{}, Vec3{5.0, 0.0, 0.0} + aside}, {{}, Vec3{-5.0, 0.0, 0.0} + aside}});
        const ImpactResult found = first_impact(cube, rest, cube, comes);
        ASSERT_EQ(found.verdict, Verdict::Contact);
        EXPECT_LE(found.toi_lower, 0.3);
        EXPECT_GE(found.toi_upper, 0.3);
        EXPECT_LT(found.toi_upper - found.toi_lower, 1e-8);
    }
}

TEST(ConvexImpact, SeesABarThatRotatesSeveralTimes) {
    // The bar reaches 2 along x; the peg stands at distance 1.5 on the y axis: a quarter of the first
    // of three rotations. Both poses at the ends are the same.
    const ConvexShape bar = box({2.0, 0.1, 0.1});
    const ConvexShape peg = sphere(0.1);
    const BodyMotion rotates = BodyMotion::spin({}, {}, {0.0, 0.0, 6.0 * 3.14159265358979});
    const BodyMotion rest = BodyMotion::rest({{}, {0.0, 1.5, 0.0}});
    const ImpactResult found = first_impact(bar, rotates, peg, rest);
    ASSERT_EQ(found.verdict, Verdict::Contact);
    const double before = std::asin(0.2 / 1.5) / 6.283185307179586 / 3.0;
    EXPECT_NEAR(found.toi_lower, 0.25 / 3.0 - before, 1e-6);
    const BodyMotion beside = BodyMotion::rest({{}, {0.0, 2.2, 0.0}});
    EXPECT_EQ(first_impact(bar, rotates, peg, beside).verdict, Verdict::Separated);
}

TEST(ConvexImpact, FollowsASequenceOfPosesThroughItsJoints) {
    // Around a corner: from (-3, 0) to (0, 3) to (3, 0) about a ball at the origin; the straight line
    // from the first to the last pose runs through it.
    const ConvexShape ball = sphere(1.0);
    const std::vector<double> times = {0.0, 0.5, 1.0};
    const std::vector<Pose> poses = {
        {{}, {-3.0, 0.0, 0.0}}, {{}, {0.0, 3.0, 0.0}}, {{}, {3.0, 0.0, 0.0}}};
    const auto around = PiecewiseMotion::create(times, poses);
    const BodyMotion rest = BodyMotion::rest({});
    EXPECT_EQ(first_impact(ball, rest, ball, *around).verdict, Verdict::Separated);
    const BodyMotion through = BodyMotion::slerp({poses[0], poses[2]});
    EXPECT_EQ(first_impact(ball, rest, ball, through).verdict, Verdict::Contact);
    // And back through it in the second piece.
    const std::vector<Pose> back = {
        {{}, {-3.0, 0.0, 0.0}}, {{}, {0.0, 3.0, 0.0}}, {{}, {0.0, -3.0, 0.0}}};
    const auto returns = PiecewiseMotion::create(times, back);
    const ImpactResult found = first_impact(ball, rest, ball, *returns);
    ASSERT_EQ(found.verdict, Verdict::Contact);
    EXPECT_NEAR(found.toi_lower, 0.5 + 0.5 / 6.0, 1e-6);
}

// A motion of a user: the origin on a parabola, x = 4 t^2 - 2, no rotation.
class Parabola final : public Motion {
public:
    [[nodiscard]] bool is_valid() const noexcept override { return true; }
    [[nodiscard]] bool is_rigid() const noexcept override { return true; }
    [[nodiscard]] PoseEnclosure at(double t, const Vec3& origin) const noexcept override {
        PoseEnclosure pose;
        pose.linear = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
        pose.translation = Vec3{4.0 * t * t - 2.0, 0.0, 0.0} - origin;
        pose.linear_error = 0.0;
        pose.translation_error = 0x1p-50 * (4.0 + norm_one(origin));
        return pose;
    }
    [[nodiscard]] ChordDeviation deviation(double a, double b) const noexcept override {
        return {0.5 * 8.0 * (b - a) * (b - a) * (1.0 + 0x1p-50), 0.0};
    }
    [[nodiscard]] Vec3 start() const noexcept override { return {-2.0, 0.0, 0.0}; }
};

TEST(ConvexImpact, TakesAMotionOfTheUser) {
    const ConvexShape ball = sphere(0.5);
    const ImpactResult found =
        first_impact(ball, Parabola(), ball, BodyMotion::rest({{}, {1.5, 0.0, 0.0}}));
    ASSERT_EQ(found.verdict, Verdict::Contact);
    EXPECT_LE(found.toi_lower, std::sqrt(2.5 / 4.0) + 1e-15);
    EXPECT_GE(found.toi_upper, std::sqrt(2.5 / 4.0) - 1e-15);
    const BodyMotion aside = BodyMotion::rest({{}, {1.5, 1.001, 0.0}});
    EXPECT_EQ(first_impact(ball, Parabola(), ball, aside).verdict, Verdict::Separated);
}

TEST(ConvexImpact, TreatsAnAffineBallAsAnEllipsoid) {
    // A ball of radius 1 that grows to the radii (3, 1, 1) reaches 2.5 on the x axis at t = 0.75.
    const ConvexShape ball = sphere(1.0);
    const std::array<double, 12> start = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    std::array<double, 12> end = start;
    end[0] = 3.0;
    const BodyMotion grows = BodyMotion::affine(start, end);
    const BodyMotion rest = BodyMotion::rest({{}, {3.5, 0.0, 0.0}});
    const ImpactResult found = first_impact(ball, grows, ball, rest);
    EXPECT_LE(found.toi_lower, 0.75);
    EXPECT_GT(found.toi_lower, 0.75 - 1e-6);
    EXPECT_NE(found.verdict, Verdict::Separated);
    const BodyMotion aside = BodyMotion::rest({{}, {0.0, 2.1, 0.0}});
    EXPECT_EQ(first_impact(ball, grows, ball, aside).verdict, Verdict::Separated);
}

TEST(ConvexImpact, BoundsTheCylinderByHullsWithinAndAround) {
    RandomPoses random(4);
    std::vector<Vec3> within;
    std::vector<Vec3> around;
    for (int i = 0; i < 48; ++i) {
        const double angle = 6.283185307179586 * i / 48.0;
        const double wide = 1.0 / std::cos(3.14159265358979 / 48.0) + 1e-12;
        for (const double z : {-0.6, 0.6}) {
            const Vec3 unit = {std::cos(angle), std::sin(angle), 0.0};
            within.push_back((1.0 - 1e-12) * 0.4 * unit + Vec3{0.0, 0.0, (1.0 - 1e-12) * z});
            around.push_back(wide * 0.4 * unit + Vec3{0.0, 0.0, (1.0 + 1e-12) * z});
        }
    }
    const ConvexShape inner = ConvexShape::hull(within).value();
    const ConvexShape outer = ConvexShape::hull(around).value();
    const ConvexShape round = cylinder(0.4, 0.6);
    const ConvexShape other = box({0.5, 0.3, 0.4});
    for (int i = 0; i < 60; ++i) {
        const Scene scene = random_scene(random);
        const BodyMotion a = BodyMotion::nlerp(scene.a);
        const BodyMotion b = BodyMotion::nlerp(scene.b);
        const ImpactResult narrow = first_impact(inner, a, other, b);
        const ImpactResult found = first_impact(round, a, other, b);
        const ImpactResult wide = first_impact(outer, a, other, b);
        EXPECT_LE(found.toi_lower, narrow.toi_upper);
        EXPECT_LE(wide.toi_lower, found.toi_upper);
        if (narrow.verdict == Verdict::Contact) {
            EXPECT_NE(found.verdict, Verdict::Separated);
        }
        if (wide.verdict == Verdict::Separated) {
            EXPECT_NE(found.verdict, Verdict::Contact);
        }
    }
}

TEST(ConvexImpact, ClaimsNothingAboutBodiesThatTouchWithinRounding) {
    const ConvexShape cube = box({1.0, 1.0, 1.0});
    const BodyMotion rest = BodyMotion::rest({});
    // Past each other along a common plane.
    const BodyMotion slides = BodyMotion::slerp({{{}, {2.0, 5.0, 0.0}}, {{}, {2.0, -5.0, 0.0}}});
    const ImpactResult found = first_impact(cube, rest, cube, slides);
    EXPECT_NE(found.verdict, Verdict::Separated);
    EXPECT_LE(found.toi_lower, 0.3);
    // A little farther it is separated, a little nearer in contact.
    for (const double off : {1e-12, -1e-12}) {
        const BodyMotion near =
            BodyMotion::slerp({{{}, {2.0 + off, 5.0, 0.0}}, {{}, {2.0 + off, -5.0, 0.0}}});
        EXPECT_EQ(first_impact(cube, rest, cube, near).verdict,
                  off > 0.0 ? Verdict::Separated : Verdict::Contact);
    }
}

// At a face, an edge and a vertex, moving away, along, or not at all.
TEST(ConvexImpact, ProvesThatPolytopesTouchExactlyAtTheStart) {
    const ConvexShape cube = box({1.0, 1.0, 1.0});
    const std::vector<Vec3> octahedron = {{1.0, 0.0, 0.0},  {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0},
                                          {0.0, -1.0, 0.0}, {0.0, 0.0, 1.0},  {0.0, 0.0, -1.0}};
    const ConvexShape diamond = ConvexShape::hull(octahedron).value();
    const double half = std::sqrt(0.5);
    const Quaternion quarter = {half, 0.0, half, 0.0};  // exactly, whatever its length
    for (const Quaternion& q : {Quaternion{}, quarter}) {
        const BodyMotion rest = BodyMotion::rest({q, {1.0, -4.0, 0.5}});
        for (const Vec3& at : {Vec3{3.0, -4.0, 0.5}, Vec3{3.0, -3.75, 0.625}, Vec3{3.0, -2.0, 0.5},
                               Vec3{3.0, -2.0, 2.5}}) {
            for (const Vec3& moved : {Vec3{0.5, 0.0, 0.0}, Vec3{0.0, 0.5, 0.0}, Vec3{}}) {
                const BodyStep step = {{{}, at}, {{}, at + moved}};
                for (const BodyMotion& motion :
                     {BodyMotion::slerp(step), BodyMotion::nlerp(step), BodyMotion::screw(step),
                      BodyMotion::spin(step.start, step.end.translation, {0.1, 0.2, 0.3})}) {
                    const ImpactResult found = first_impact(cube, rest, cube, motion);
                    EXPECT_EQ(found.verdict, Verdict::Contact);
                    EXPECT_EQ(found.toi_upper, 0.0);
                    EXPECT_EQ(found.start, StartState::Contact);
                }
            }
        }
        const BodyMotion above =
            BodyMotion::slerp({{{}, {1.25, -2.0, 0.75}}, {q, {1.0, 9.0, 0.0}}});
        EXPECT_EQ(first_impact(cube, rest, diamond, above).toi_upper, 0.0);
    }
    // On a relative screw, with a body that moves.
    const PairStep both = {{{}, {{}, {0.0, 1.0, 0.0}}}, {{{}, {2.0, 0.5, 0.0}}, {}}};
    EXPECT_EQ(first_impact(cube, cube, both).toi_upper, 0.0);
}

// The next double is enough to separate them: no contact is claimed.
TEST(ConvexImpact, ClaimsNoContactOfPolytopesThatAlmostTouchAtTheStart) {
    const ConvexShape cube = box({1.0, 1.0, 1.0});
    const BodyMotion rest = BodyMotion::rest({});
    const double beyond = std::nextafter(2.0, 3.0);
    for (const Vec3& at :
         {Vec3{beyond, 0.0, 0.0}, Vec3{2.0, beyond, 0.0}, Vec3{1.0, 2.0, beyond}}) {
        const BodyMotion still = BodyMotion::rest({{}, at});
        const ImpactResult found = first_impact(cube, rest, cube, still);
        EXPECT_NE(found.verdict, Verdict::Contact);
    }
}

TEST(ConvexImpact, ReportsBodiesThatOverlapAtTheStart) {
    const BodyMotion rest = BodyMotion::rest({});
    const BodyMotion leaves = BodyMotion::slerp({{{}, {0.3, 0.2, 0.1}}, {{}, {9.0, 0.0, 0.0}}});
    for (const ConvexShape& a : shapes()) {
        for (const ConvexShape& b : shapes()) {
            const ImpactResult found = first_impact(a, rest, b, leaves);
            EXPECT_EQ(found.verdict, Verdict::Contact);
            EXPECT_EQ(found.toi_upper, 0.0);
            EXPECT_EQ(found.start, StartState::Contact);
        }
    }
}

TEST(ConvexImpact, KeepsTheSeparationThatIsAskedFor) {
    const ConvexShape cube = box({1.0, 1.0, 1.0});
    const BodyMotion rest = BodyMotion::rest({});
    const BodyMotion passes = BodyMotion::slerp({{{}, {2.5, 5.0, 0.0}}, {{}, {2.5, -5.0, 0.0}}});
    ImpactOptions options;
    options.min_separation = 0.4;
    EXPECT_EQ(first_impact(cube, rest, cube, passes, options).verdict, Verdict::Separated);
    options.min_separation = 0.6;
    const ImpactResult found = first_impact(cube, rest, cube, passes, options);
    ASSERT_EQ(found.verdict, Verdict::Contact);
    // Edges first: the other coordinate is off by sqrt(0.6^2 - 0.5^2).
    EXPECT_NEAR(found.toi_lower, (5.0 - 2.0 - std::sqrt(0.36 - 0.25)) / 10.0, 1e-6);
}

TEST(ConvexImpact, DoesNotDependOnScaleAndLittleOnPosition) {
    RandomPoses random(5);
    for (int i = 0; i < 20; ++i) {
        const Scene scene = random_scene(random);
        const ConvexShape near = box({0.5, 0.4, 0.6});
        const ImpactResult found =
            first_impact(near, BodyMotion::nlerp(scene.a), near, BodyMotion::nlerp(scene.b));
        for (const double scale : {0x1p-200, 0x1p+200}) {
            const auto scaled = [scale](BodyStep step) {
                step.start.translation = scale * step.start.translation;
                step.end.translation = scale * step.end.translation;
                return BodyMotion::nlerp(step);
            };
            const ConvexShape other = box(scale * Vec3{0.5, 0.4, 0.6});
            const ImpactResult again = first_impact(other, scaled(scene.a), other, scaled(scene.b));
            EXPECT_EQ(found.verdict, again.verdict);
            EXPECT_EQ(found.toi_lower, again.toi_lower);
            EXPECT_EQ(found.toi_upper, again.toi_upper);
        }
        const auto far = [](BodyStep step) {
            step.start.translation += Vec3{0x1p+20, -0x1p+20, 0x1p+20};
            step.end.translation += Vec3{0x1p+20, -0x1p+20, 0x1p+20};
            return BodyMotion::nlerp(step);
        };
        const ImpactResult there = first_impact(near, far(scene.a), near, far(scene.b));
        if (found.verdict == Verdict::Contact && there.verdict == Verdict::Contact) {
            EXPECT_NEAR(found.toi_lower, there.toi_lower, 1e-7);
        }
    }
}

TEST(ConvexImpact, RefusesInputThatItCannotWorkWith) {
    const double nan = std::nan("");
    EXPECT_FALSE(ConvexShape::sphere(-1.0).has_value());
    EXPECT_FALSE(ConvexShape::sphere(nan).has_value());
    EXPECT_FALSE(ConvexShape::box({1.0, nan, 1.0}).has_value());
    EXPECT_FALSE(ConvexShape::hull({}).has_value());
    EXPECT_FALSE(ConvexShape::cylinder(1.0, -1.0).has_value());
    EXPECT_FALSE(ConvexShape::capsule({nan, 0.0, 0.0}, {}, 1.0).has_value());
    const ConvexShape ball = sphere(1.0);
    const BodyMotion rest = BodyMotion::rest({});
    EXPECT_EQ(first_impact(ball, rest, ball, BodyMotion()).verdict, Verdict::Unresolved);
    ImpactOptions options;
    options.t_max = nan;
    EXPECT_EQ(first_impact(ball, rest, ball, rest, options).verdict, Verdict::Unresolved);
}

TEST(ConvexImpact, SearchesNoLaterThanAskedFor) {
    const ConvexShape ball = sphere(1.0);
    const BodyMotion rest = BodyMotion::rest({});
    const BodyMotion comes = BodyMotion::slerp({{{}, {10.0, 0.0, 0.0}}, {{}, {-10.0, 0.0, 0.0}}});
    ImpactOptions options;
    for (const double t_max : {0.0, 0.1, 0.39999}) {
        options.t_max = t_max;
        EXPECT_EQ(first_impact(ball, rest, ball, comes, options).verdict, Verdict::Separated);
    }
    options.t_max = 0.40001;
    EXPECT_EQ(first_impact(ball, rest, ball, comes, options).verdict, Verdict::Contact);
}

TEST(ConvexImpact, EndsWithItsBudgetOrAStopAndKeepsWhatIsProved) {
    RandomPoses random(6);
    const ConvexShape cube = box({0.5, 0.5, 0.5});
    for (int i = 0; i < 20; ++i) {
        const Scene scene = random_scene(random);
        const BodyMotion a = BodyMotion::slerp(scene.a);
        const BodyMotion b = BodyMotion::slerp(scene.b);
        const ImpactResult whole = first_impact(cube, a, cube, b);
        for (std::uint64_t most = 1; most < 30; ++most) {
            ImpactOptions options;
            options.max_checks = most;
            const ImpactResult cut = first_impact(cube, a, cube, b, options);
            EXPECT_LE(cut.checks, most + 60);
            EXPECT_LE(cut.toi_lower, whole.toi_upper);
            if (cut.verdict != Verdict::Unresolved) {
                EXPECT_EQ(cut.verdict, whole.verdict);
            }
        }
        const std::atomic<bool> stop = true;
        ImpactOptions stopped;
        stopped.stop = StopToken(stop);
        const ImpactResult none = first_impact(cube, a, cube, b, stopped);
        if (none.verdict != Verdict::Unresolved) {
            EXPECT_EQ(none.verdict, whole.verdict);
        }
        EXPECT_LE(none.toi_lower, whole.toi_upper);
    }
}

TEST(ConvexImpact, ClaimsNoContactWhereNumbersOverflow) {
    RandomPoses random(9);
    constexpr double kHuge = 0x1p+296;
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i)
        points.push_back(0.3 * kHuge * random.vector());
    const std::vector<ConvexShape> all = {
        box({kHuge, kHuge, kHuge}), box({kHuge, kHuge, kHuge}, {}, 0.1 * kHuge),
        ConvexShape::hull(points, 0.1 * kHuge).value(),
        capsule({-kHuge, 0.0, 0.0}, {kHuge, 0.0, 0.0}, 0.5 * kHuge)};
    for (const ConvexShape& a : all) {
        for (const ConvexShape& b : all) {
            const Vec3 away = {8.0 * kHuge, 0.3 * kHuge, 0.2 * kHuge};
            const BodyMotion moves = BodyMotion::slerp(
                {{random.rotation(), away}, {random.rotation(), away + Vec3{0.0, kHuge, 0.0}}});
            EXPECT_NE(first_impact(a, BodyMotion::rest({}), b, moves).verdict, Verdict::Contact);
        }
    }
    // A simplex that is empty, or whose weights are not those of a point in it, proves nothing.
    const ConvexShape ball = sphere(0.5);
    const BodyMotion rest = BodyMotion::rest({});
    const BodyMotion far = BodyMotion::rest({{}, {9.0, 0.0, 0.0}});
    const detail::MovingShape moving_a(ball, rest);
    const detail::MovingShape moving_b(ball, far);
    const detail::PairFrame frame = detail::PairFrames(moving_a, moving_b, {}).at(0.0);
    detail::Simplex simplex;
    EXPECT_FALSE(detail::certainly_meet(moving_a, moving_b, frame, simplex, 1.0));
    simplex.points[0].difference = {9.0, 0.0, 0.0};
    simplex.size = 1;  // of weight 0
    EXPECT_FALSE(detail::certainly_meet(moving_a, moving_b, frame, simplex, 1.0));
}

// The proof of contact by itself: bodies that are separated by a known distance never meet, however
// small it is beside their sizes, as long as it is above the error that is stated.
TEST(ConvexMeeting, IsNeverClaimedOfBodiesThatAreSeparated) {
    RandomPoses random(8);
    const std::vector<ConvexShape> all = shapes();
    int proved = 0;
    for (int i = 0; i < 600; ++i) {
        const ConvexShape& a = all[static_cast<std::size_t>(random.integer(0, 5))];
        const ConvexShape& b = all[static_cast<std::size_t>(random.integer(0, 5))];
        const Pose pose = {random.rotation(), random.vector()};
        const Vec3 n = random.vector();
        const BodyMotion rest_a = BodyMotion::rest({});
        const BodyMotion rest_b = BodyMotion::rest(pose);
        const detail::MovingShape moving_a(a, rest_a);
        const detail::MovingShape moving_b(b, rest_b);
        detail::PairFrame frame = detail::PairFrames(moving_a, moving_b, {}).at(0.5);
        // B is moved along n until the gap along n is `gap`, which is one of the cores then.
        const Vec3 unit = (1.0 / norm(n)) * n;
        const double gap = random.integer(0, 1) == 0 ? 4.0 * frame.error : -0.3;
        const double now = detail::gap_along(moving_a, moving_b, frame, unit);
        frame.offset += (gap - now) * unit;
        detail::Simplex simplex;
        (void)detail::nearest_difference(moving_a, moving_b, frame, simplex, 0.0);
        const bool meet = detail::certainly_meet(moving_a, moving_b, frame, simplex, 0.0);
        if (gap > 0.0) {
            EXPECT_FALSE(meet);
        }
        proved += meet ? 1 : 0;
    }
    EXPECT_GT(proved, 20);
}

// Two boxes in any poses, B moved along the axis of the largest gap until that gap is `gap` times the error
// that is stated, or a tiny part of the sizes. A gap along any direction separates the boxes.
TEST(ConvexMeeting, OfFeaturesOfBoxesIsNeverClaimedAcrossAGap) {
    RandomPoses random(9);
    int proved = 0;
    int touching = 0;
    for (int i = 0; i < 6000; ++i) {
        const double flat = std::exp2(random.integer(-20, 2));
        const ConvexShape a = box({0.5, 0.25 * flat, 1.0}, {0.125, 0.0, -0.25});
        const ConvexShape b = box({0.75, 0.5, 0.5 * flat}, {0.0, 0.5, 0.0});
        const BodyMotion rest_a = BodyMotion::rest(random.pose());
        const BodyMotion rest_b = BodyMotion::rest(random.pose());
        const detail::MovingShape moving_a(a, rest_a);
        const detail::MovingShape moving_b(b, rest_b);
        detail::PairFrame frame = detail::PairFrames(moving_a, moving_b, {}).at(0.5);
        const detail::BoxAxes axes(moving_a, moving_b, frame);
        const unsigned id =
            i % 3 == 0 ? static_cast<unsigned>(random.integer(0, 14)) : axes.best().id;
        const Vec3 n = axes.direction(id, frame);
        const double gap = i % 2 == 0 ? 2.5 * frame.error : -std::exp2(-random.integer(20, 40));
        frame.offset += (gap - detail::gap_along(moving_a, moving_b, frame, n)) * n;
        detail::Simplex simplex;
        const bool meet = detail::boxes_meet_along(moving_a, moving_b, frame, n, simplex);
        touching += gap < 0.0 && detail::BoxAxes(moving_a, moving_b, frame).best().gap < 0.0;
        if (gap > 0.0) {
            EXPECT_FALSE(meet) << i;
        }
        if (!meet) continue;
        ++proved;
        double sum = 0.0;
        for (const double weight : simplex.weights)
            sum += weight;
        EXPECT_NEAR(sum, 1.0, 1e-12);
        EXPECT_LE(norm(simplex.nearest()), 2.0 * std::fabs(gap) + 1e-12);
    }
    EXPECT_GT(touching, 100);
    EXPECT_GT(proved, touching * 9 / 10);
}

}  // namespace
}  // namespace graze::rigid
