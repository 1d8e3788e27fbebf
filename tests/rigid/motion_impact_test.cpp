// The first impact of surfaces under motion enclosures: against the search on screws, and against exact
// tests of sampled poses.
// Defends G-RIGID-16 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "graze/core/pose.hpp"
#include "graze/core/quaternion.hpp"
#include "graze/generate/models.hpp"
#include "graze/rigid/convex.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/motion.hpp"

namespace graze::rigid::motion_impact {
namespace {

using Random = std::mt19937_64;

RigidBody body_of(const io::PolygonMesh& mesh) {
    return RigidBody(*Polyhedron::build(mesh.positions, mesh.corner_counts(), mesh.corners()));
}
double uniform(Random& rng, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(rng);
}
Vec3 random_vector(Random& rng, double size) {
    return {uniform(rng, -size, size), uniform(rng, -size, size), uniform(rng, -size, size)};
}
Quaternion random_rotation(Random& rng) {
    std::normal_distribution<double> normal;
    return normalised({normal(rng), normal(rng), normal(rng), normal(rng)});
}
Pose at(const Vec3& translation, const Quaternion& rotation = {}) {
    return {rotation, translation};
}
BodyStep random_step(Random& rng, double from, double to) {
    return {at(random_vector(rng, from), random_rotation(rng)),
            at(random_vector(rng, to), random_rotation(rng))};
}
BodyMotion random_motion(Random& rng, const BodyStep& step, int kind) {
    switch (kind) {
        case 0:
            return BodyMotion::slerp(step);
        case 1:
            return BodyMotion::nlerp(step);
        case 2:
            return BodyMotion::spin(step.start, step.end.translation, random_vector(rng, 6.0));
        case 3:
            return BodyMotion::rotation_vector(random_vector(rng, 2.0), step.start.translation,
                                               random_vector(rng, 2.0), step.end.translation);
        default:
            return BodyMotion::screw(step);
    }
}
Pose pose_at(const Motion& motion, double t) {
    const PoseEnclosure p = motion.at(t, {});
    const std::array<double, 12> rows = {p.linear[0].x,   p.linear[0].y,   p.linear[0].z,
                                         p.translation.x, p.linear[1].x,   p.linear[1].y,
                                         p.linear[1].z,   p.translation.y, p.linear[2].x,
                                         p.linear[2].y,   p.linear[2].z,   p.translation.z};
    return pose_from_matrix(rows).value();
}

// Exact tests at times that are called free, none of them next to the contact.
void expect_free_where_sampled(const RigidBody& a, const Motion& motion_a, const RigidBody& b,
                               const Motion& motion_b, const ImpactResult& found, int samples) {
    const double end = std::min(found.toi_lower, 1.0);
    for (int i = 0; i < samples && end > 0.0; ++i) {
        const double t = end * (1.0 - 1e-6) * i / samples;
        const auto state =
            start_state(a.surface(), pose_at(motion_a, t), b.surface(), pose_at(motion_b, t));
        EXPECT_EQ(state, StartState::Separated) << "at " << t << " of " << end;
    }
}

struct MotionCounts {
    int contacts = 0;
    int narrow = 0;  // of these, within the target width
    int separated = 0;
};
MotionCounts attack(const RigidBody& a, const RigidBody& b, unsigned seed, int count, int samples) {
    MotionCounts counts;
    Random rng(seed);
    for (int i = 0; i < count; ++i) {
        BodyStep step_b = random_step(rng, 1.0, 2.5);
        step_b.start.translation.x += 3.5;
        const BodyMotion motion_a = random_motion(rng, random_step(rng, 0.5, 0.5), i % 5);
        const BodyMotion motion_b = random_motion(rng, step_b, (i / 5) % 5);
        const ImpactResult found = first_impact(a, motion_a, b, motion_b);
        expect_free_where_sampled(a, motion_a, b, motion_b, found, samples);
        counts.separated += found.verdict == Verdict::Separated;
        if (found.verdict != Verdict::Contact || found.toi_lower == 0.0) continue;
        ++counts.contacts;
        counts.narrow += found.toi_upper - found.toi_lower <= 1e-9;
        EXPECT_TRUE(found.contact.has_features());
    }
    return counts;
}

TEST(MotionImpact, NeverCallsASampledContactFree) {
    const RigidBody torus = body_of(generate::torus(8, 6));
    const RigidBody cube = body_of(generate::cube());
    const MotionCounts counts = attack(torus, cube, 1, 50, 12);
    EXPECT_GE(counts.contacts, 10);
    EXPECT_GE(10 * counts.narrow, 9 * counts.contacts);
    EXPECT_GE(counts.separated, 5);
}
TEST(MotionImpactAttack, NeverCallsASampledContactFree) {
    const RigidBody torus = body_of(generate::torus());
    const MotionCounts counts = attack(torus, torus, 2, 300, 32);
    EXPECT_GE(counts.contacts, 100);
    EXPECT_GE(10 * counts.narrow, 9 * counts.contacts);
    EXPECT_GE(counts.separated, 50);
}

TEST(MotionImpact, AgreesWithTheSearchOnTheScrewOfOneBody) {
    const RigidBody torus = body_of(generate::torus(8, 6));
    Random rng(3);
    int contacts = 0;
    for (int i = 0; i < 60; ++i) {
        PairStep step;
        step.a = BodyStep::rest(at({}, random_rotation(rng)));
        step.b = random_step(rng, 1.0, 2.0);
        step.b.start.translation.x += 4.0;
        const ImpactResult on_screw = first_impact(torus, torus, step);
        const ImpactResult found =
            first_impact(torus, BodyMotion::rest(step.a.start), torus, BodyMotion::screw(step.b));
        EXPECT_EQ(found.verdict, on_screw.verdict) << i;
        if (found.verdict != Verdict::Contact) continue;
        ++contacts;
        EXPECT_LE(found.toi_lower, on_screw.toi_upper) << i;
        EXPECT_GE(found.toi_upper, on_screw.toi_lower) << i;
    }
    EXPECT_GE(contacts, 10);
}

TEST(MotionImpact, FindsFacesThatMeetFlushAndCubesThatBothMove) {
    const RigidBody cube = body_of(generate::cube());
    const auto slide = [](double from, double to) {
        return BodyMotion::slerp({at({from, 0.0, 0.0}), at({to, 0.0, 0.0})});
    };
    const ImpactResult found = first_impact(cube, slide(-1.0, 0.0), cube, slide(1.5, 0.5));
    EXPECT_EQ(found.verdict, Verdict::Contact);
    EXPECT_LE(found.toi_lower, 0.75);
    EXPECT_GE(found.toi_upper, 0.75);
    EXPECT_LE(found.toi_upper - found.toi_lower, 1e-8);
    const ImpactResult missed = first_impact(cube, slide(-1.0, 0.0), cube, slide(1.5, 1.25));
    EXPECT_EQ(missed.verdict, Verdict::Separated);
}

TEST(MotionImpact, FollowsASequenceOfPosesThroughItsJoints) {
    const RigidBody cube = body_of(generate::cube());
    const std::vector<Pose> poses = {at({3.0, 0.0, 0.0}), at({3.0, 3.0, 0.0}), at({0.0, 3.0, 0.0}),
                                     at({0.0, 0.5, 0.0})};
    const std::vector<double> times = {0.0, 0.25, 0.5, 1.0};
    const auto path = PiecewiseMotion::create(times, poses);
    ASSERT_TRUE(path);
    const ImpactResult found = first_impact(cube, BodyMotion::rest({}), cube, *path);
    EXPECT_EQ(found.verdict, Verdict::Contact);
    EXPECT_LE(found.toi_lower, 0.9);
    EXPECT_GE(found.toi_upper, 0.9 - 1e-12);
    EXPECT_LE(found.toi_upper - found.toi_lower, 1e-8);
}

TEST(MotionImpact, ABodyInsideAnotherIsInContactOrNothingIsClaimed) {
    const RigidBody cube = body_of(generate::cube());
    io::PolygonMesh mesh = generate::cube();
    for (Vec3& p : mesh.positions)
        p = 0.25 * p;
    const RigidBody small = body_of(mesh);
    const BodyMotion rest = BodyMotion::rest({});
    const ImpactResult inside = first_impact(cube, rest, small, rest);
    EXPECT_EQ(inside.verdict, Verdict::Contact);
    EXPECT_EQ(inside.toi_upper, 0.0);
    EXPECT_EQ(inside.start, StartState::BInsideA);
    const BodyMotion no_exact_start = BodyMotion::rotation_vector({}, {}, {}, {});
    const ImpactResult unknown = first_impact(cube, rest, small, no_exact_start);
    EXPECT_EQ(unknown.verdict, Verdict::Unresolved);
    EXPECT_EQ(unknown.toi_lower, 0.0);
    ImpactOptions surfaces;
    surfaces.model = BodyModel::SurfaceOnly;
    EXPECT_EQ(first_impact(cube, rest, small, no_exact_start, surfaces).verdict,
              Verdict::Separated);
}

TEST(MotionImpact, KeepsTheSeparationAndTheLimitOfTimeThatAreAskedFor) {
    const RigidBody cube = body_of(generate::cube());
    const BodyMotion rest = BodyMotion::rest({});
    const BodyMotion falls = BodyMotion::nlerp({at({0.0, 0.0, 3.0}), at({0.0, 0.0, 1.0})});
    ImpactOptions options;
    options.min_separation = 0.5;
    const ImpactResult found = first_impact(cube, rest, cube, falls, options);
    EXPECT_EQ(found.verdict, Verdict::Contact);
    EXPECT_LE(found.toi_lower, 0.75);
    EXPECT_GE(found.toi_upper, 0.75 * (1.0 - 0x1p-40));
    options.t_max = 0.5;
    EXPECT_EQ(first_impact(cube, rest, cube, falls, options).verdict, Verdict::Separated);
    options = {};
    options.t_max = 0.0;
    EXPECT_EQ(first_impact(cube, rest, cube, falls, options).verdict, Verdict::Separated);
}

TEST(MotionImpact, RefusesWhatItCannotWorkWithAndKeepsWhatIsProvedWithoutBudget) {
    const RigidBody cube = body_of(generate::cube());
    const BodyMotion rest = BodyMotion::rest({});
    const std::array<double, 12> identity = {1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0};
    EXPECT_EQ(first_impact(cube, rest, cube, BodyMotion::affine(identity, identity)).verdict,
              Verdict::Unresolved);
    EXPECT_EQ(first_impact(cube, rest, cube, BodyMotion()).verdict, Verdict::Unresolved);
    const BodyMotion passes =
        BodyMotion::spin(at({2.5, 0.0, 0.0}), {-2.5, 1.9, 0.0}, {4.0, 3.0, 2.0});
    ImpactOptions options;
    options.time_width = 0.0;
    EXPECT_EQ(first_impact(cube, rest, cube, passes, options).verdict, Verdict::Unresolved);
    const ImpactResult whole = first_impact(cube, rest, cube, passes);
    for (const std::uint64_t budget : {1U, 5U, 20U, 60U}) {
        options = {};
        options.max_checks = budget;
        const ImpactResult cut = first_impact(cube, rest, cube, passes, options);
        EXPECT_LE(std::min(cut.toi_lower, 1.0), std::min(whole.toi_upper, 1.0));
        if (cut.verdict != Verdict::Unresolved) {
            EXPECT_EQ(cut.verdict, whole.verdict);
        }
    }
}

// --- Motions of users that state less than all ---------------------------------------------------

// Twelve dips along x, from 4 down to 0.5: x(t) = 4 - 3.5 sin^2(12 pi t), |x''| <= 2016 pi^2 / 2 < 0x1.38p+13.
// The deviation is known for short intervals alone.
class DippingMotion final : public Motion {
public:
    [[nodiscard]] bool is_valid() const noexcept override { return true; }
    [[nodiscard]] bool is_rigid() const noexcept override { return true; }
    [[nodiscard]] PoseEnclosure at(double t, const Vec3& origin) const noexcept override {
        PoseEnclosure pose;
        pose.linear = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
        const double s = std::sin(0x1.2d97c7f3321d2p+5 * t);
        pose.translation = Vec3{0x1p+2 - 0x1.cp+1 * s * s, 0.0, 0.0} - origin;
        pose.linear_error = 0.0;
        pose.translation_error = 0x1p-40;
        return pose;
    }
    [[nodiscard]] ChordDeviation deviation(double a, double b) const noexcept override {
        if (b - a > 0x1p-10) return {};
        return {0x1.38p+13 * (b - a) * (b - a), 0.0};
    }
    [[nodiscard]] Vec3 start() const noexcept override { return {0x1p+2, 0.0, 0.0}; }
};

TEST(MotionImpact, AProductWithADeviationThatIsNotKnownProvesNothingOfThatInterval) {
    const RigidBody cube = body_of(generate::cube());
    const BodyMotion rest = BodyMotion::rest({});
    const DippingMotion dips;
    for (const ComposedMotion& motion : {ComposedMotion(rest, dips), ComposedMotion(dips, rest)}) {
        const ChordDeviation none = motion.deviation(0.0, 0.5);
        EXPECT_EQ(none.translation, kInfinity);
        EXPECT_EQ(none.linear, kInfinity);
        const ImpactResult found = first_impact(cube, rest, cube, motion);
        EXPECT_EQ(found.verdict, Verdict::Contact);
        EXPECT_LE(found.toi_lower, 0x1.02p-5);  // x = 1 before that
    }
}

// From x = 4 to -4, so that unit cubes touch at 3/8, with one number that is none.
class NoNumberMotion final : public Motion {
public:
    enum class What : std::uint8_t {
        Translation,
        LaterTranslation,
        TranslationError,
        LaterTranslationError,
        Linear,
        LinearError,
        LaterLinearError,
        LinearNorm,
        LaterLinearNorm,
        DeviationOfTranslation,
        DeviationOfLinear,
        Joint,
        JointBefore,  // no time
        Count
    };
    explicit NoNumberMotion(What what) noexcept : what_(what) {}
    [[nodiscard]] bool is_valid() const noexcept override { return true; }
    [[nodiscard]] bool is_rigid() const noexcept override { return true; }
    [[nodiscard]] PoseEnclosure at(double t, const Vec3& origin) const noexcept override {
        PoseEnclosure pose;
        pose.linear = {Vec3{1.0, 0.0, 0.0}, Vec3{0.0, 1.0, 0.0}, Vec3{0.0, 0.0, 1.0}};
        pose.translation = Vec3{0x1p+2 - 0x1p+3 * t, 0.0, 0.0} - origin;
        pose.linear_error = 0.0;
        pose.translation_error = 0x1p-45;
        const double none = std::nan("");
        const bool is_later = t > 0.125 && t < 0.875;
        if (what_ == What::Translation) pose.translation.x = none;
        if (what_ == What::LaterTranslation && is_later) pose.translation.x = none;
        if (what_ == What::TranslationError) pose.translation_error = none;
        if (what_ == What::LaterTranslationError && is_later) pose.translation_error = none;
        if (what_ == What::Linear && is_later) pose.linear[1].y = none;
        if (what_ == What::LinearError) pose.linear_error = none;
        if (what_ == What::LaterLinearError && is_later) pose.linear_error = none;
        if (what_ == What::LinearNorm) pose.linear_norm = none;
        if (what_ == What::LaterLinearNorm && is_later) pose.linear_norm = none;
        return pose;
    }
    [[nodiscard]] ChordDeviation deviation(double, double) const noexcept override {
        const double none = std::nan("");
        if (what_ == What::DeviationOfTranslation) return {none, 0.0};
        if (what_ == What::DeviationOfLinear) return {0.0, none};
        return {0.0, 0.0};
    }
    [[nodiscard]] double next_joint(double) const noexcept override {
        if (what_ == What::JointBefore) return -1.0;
        return what_ == What::Joint ? std::nan("") : 1.0;
    }
    [[nodiscard]] Vec3 start() const noexcept override { return {0x1p+2, 0.0, 0.0}; }

private:
    What what_;
};

TEST(MotionImpact, ANumberThatIsNoneProvesNothingWhereverAMotionStatesIt) {
    const RigidBody cube = body_of(generate::cube());
    const ConvexShape box = ConvexShape::box({0.5, 0.5, 0.5}).value();
    const ConvexShape ball = ConvexShape::sphere(0.5).value();
    const BodyMotion rest = BodyMotion::rest({});
    ImpactOptions options;
    options.max_checks = 5000;
    for (int i = 0; i < static_cast<int>(NoNumberMotion::What::Count); ++i) {
        const NoNumberMotion motion(static_cast<NoNumberMotion::What>(i));
        const ComposedMotion inner(rest, motion);
        const ComposedMotion outer(motion, rest);
        for (const Motion* m :
             {static_cast<const Motion*>(&motion), static_cast<const Motion*>(&inner),
              static_cast<const Motion*>(&outer)}) {
            for (const ImpactResult& found : {first_impact(cube, rest, cube, *m, options),
                                              first_impact(cube, *m, cube, rest, options),
                                              first_impact(box, rest, box, *m, options),
                                              first_impact(box, *m, box, rest, options),
                                              first_impact(ball, rest, ball, *m, options),
                                              first_impact(ball, *m, ball, rest, options)}) {
                EXPECT_NE(found.verdict, Verdict::Separated) << i;
                EXPECT_GE(found.toi_lower, 0.0) << i;
                EXPECT_LE(found.toi_lower, 0.375 + 0x1p-40) << i;  // and is a number
                EXPECT_GE(found.toi_upper, 0.375 - 0x1p-40) << i;
            }
        }
    }
}

}  // namespace
}  // namespace graze::rigid::motion_impact
