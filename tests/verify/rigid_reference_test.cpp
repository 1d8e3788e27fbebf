#include "graze/verify/rigid_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "graze/verify/rigid_random_motions.hpp"
#include "graze/verify/rigid_reference_pairs.hpp"

namespace graze::rigid::reference {
namespace {

constexpr double kPi = std::numbers::pi;

Pose turned_about_z(double angle, const Vec3& translation) {
    return {{std::cos(angle / 2.0), 0.0, 0.0, std::sin(angle / 2.0)}, translation};
}
Pose at_place(const Vec3& translation) {
    return {{}, translation};
}

class Numbers {
public:
    explicit Numbers(std::uint64_t seed) : rng_(seed) {}
    double operator()(double low, double high) {
        return low + (high - low) * static_cast<double>(rng_() >> 11) * 0x1p-53;
    }
    Vec3 place(double size) {
        return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)};
    }
    Pose pose(double size) {
        return {{(*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1), (*this)(-1, 1)}, place(size)};
    }

private:
    std::mt19937_64 rng_;
};

Real50 difference(const Vector<Real50>& a, const Vector<Real50>& b) {
    return length(a - b);
}

// --- Motion
// ----------------------------------------------------------------------------------------

TEST(ReferenceMotion, StartsAndEndsAtThePosesThatAreGiven) {
    Numbers numbers(1);
    for (int i = 0; i < 200; ++i) {
        const PairStep step{{numbers.pose(3), numbers.pose(3)}, {numbers.pose(3), numbers.pose(3)}};
        const auto motion = relative_motion<Real50>(step);
        const auto x = widen<Real50>(numbers.place(1));
        const auto expected = [&](const Pose& m, const Pose& n) {
            const auto p = pose_seen_from<Real50>(m, n);
            return turned(p.turn, x) + p.shift;
        };
        EXPECT_LT(difference(motion.at(0)(x), expected(step.a.start, step.b.start)), 1e-45);
        EXPECT_LT(difference(motion.at(1)(x), expected(step.a.end, step.b.end)), 1e-45);
        EXPECT_LE(motion.half_angle, kPi / 2.0 + 1e-15);
    }
}

// x -> S(s) S(t) x = S(s + t) x for the screw alone, which is S(t) P0 at P0^-1 x.
TEST(ReferenceMotion, IsAOneParameterGroupAtEveryAngle) {
    Numbers numbers(2);
    for (const double angle : {0.0, 1e-300, 1e-30, 1e-12, 1e-6, 0.1, 1.0, 3.0, kPi}) {
        const PairStep step{{}, {{}, {rotation_about({1.0, 2.0, -0.5}, angle), numbers.place(2)}}};
        const auto motion = relative_motion<Real50>(step);
        const auto x = widen<Real50>(numbers.place(1));
        const Real50 s = numbers(0, 0.5);
        const Real50 t = numbers(0, 0.5);
        EXPECT_LT(difference(motion.at(s)(motion.at(t)(x)), motion.at(s + t)(x)), 1e-45) << angle;
    }
}

TEST(ReferenceMotion, HasTheDerivativeItStates) {
    Numbers numbers(3);
    for (int i = 0; i < 100; ++i) {
        const auto motion = relative_motion<Real50>(
            {{numbers.pose(3), numbers.pose(3)}, {numbers.pose(3), numbers.pose(3)}});
        const auto x = widen<Real50>(numbers.place(1));
        const Real50 t = numbers(0, 1);
        const Real50 h("1e-12");
        const auto before = motion.at(t - h)(x);
        const auto after = motion.at(t + h)(x);
        const auto here = motion.at(t)(x);
        EXPECT_LT(difference(Real50(0.5) / h * (after - before), motion.velocity(here)), 1e-20);
        const auto second = Real50(1) / (h * h) * (after - here - (here - before));
        EXPECT_LT(abs(length(second) - motion.acceleration(here)), 1e-15);
    }
}

TEST(ReferenceMotion, AgreesInAllPrecisions) {
    Numbers numbers(4);
    for (int i = 0; i < 100; ++i) {
        const auto motion = relative_motion<Real50>(
            {{numbers.pose(3), numbers.pose(3)}, {numbers.pose(3), numbers.pose(3)}});
        const auto narrow = convert<double>(motion);
        const Vec3 x = numbers.place(1);
        const double t = numbers(0, 1);
        const auto wide_place = motion.at(Real50(t))(widen<Real50>(x));
        const auto narrow_place = narrow.at(t)(widen<double>(x));
        // Sizes are below 1 + 2 * 3 sqrt(3) + ... < 32.
        EXPECT_LT(difference(convert<Real50>(narrow_place), wide_place), 32 * roundings<double>());
    }
}

// --- Pairs of triangles
// ------------------------------------------------------------------------------

TEST(ReferenceDistance, IsTheLeastOverSampledPointsAndBelowNone) {
    Numbers numbers(5);
    constexpr int kParts = 24;
    for (int i = 0; i < 60; ++i) {
        Triangle64 t[2];
        for (Triangle64& triangle : t)
            for (auto& corner : triangle)
                corner = widen<double>(numbers.place(1));
        for (auto& corner : t[1])
            corner.x += numbers(0, 2);
        const auto sample = [](const Triangle64& tri, int u, int v) {
            return tri[0] + u / double{kParts} * (tri[1] - tri[0]) +
                   v / double{kParts} * (tri[2] - tri[0]);
        };
        double least = 1e9;
        for (int u = 0; u <= kParts; ++u)
            for (int v = 0; u + v <= kParts; ++v)
                least = std::min(least, length(between(sample(t[0], u, v), t[1])));
        const double distance = length(between(t[0], t[1]));
        EXPECT_LE(distance, least + 1e-12);
        EXPECT_GE(distance, least - 4.0 / kParts);
    }
}

// --- First contact: known times
// ------------------------------------------------------------------------

// The cube of side 2 * half about the origin.
Polyhedron cube_of(double half) {
    const Shapes unit = shapes("cube");
    std::vector<Vec3> positions(unit.a.positions().begin(), unit.a.positions().end());
    for (Vec3& p : positions)
        p = 2.0 * half * p;
    const std::vector<std::uint32_t> counts(6, 4);
    std::vector<std::uint32_t> corners;
    for (std::size_t f = 0; f < 6; ++f)
        corners.insert(corners.end(), unit.a.face(f).begin(), unit.a.face(f).end());
    return *Polyhedron::build(positions, counts, corners);
}
Shapes two_cubes() {
    return {cube_of(1.0), cube_of(1.0)};
}

FirstContact cubes(const PairStep& step) {
    const Shapes bodies = two_cubes();
    Pair pair(bodies.a, bodies.b);
    pair.set(step);
    return first_contact(pair);
}

TEST(ReferenceFirstContact, FindsTheTimeOfAFallOfOneCubeOnAnother) {
    // Tops at 1 and 5 - 1: a gap of 3 closed at speed 4.
    const FirstContact c = cubes({{}, {at_place({0.3, 0.2, 5.0}), at_place({0.3, 0.2, 1.0})}});
    EXPECT_EQ(c.answer, Verdict::Contact);
    EXPECT_LE(c.lower, 0.75);
    EXPECT_GE(c.upper, 0.75);
    EXPECT_LT(c.upper - c.lower, 1e-12);
}

TEST(ReferenceFirstContact, FindsTheTimeOfATurningEdge) {
    // A cube turns about z by 45 degrees beside one at distance 1.2 of the faces' middle lines: its
    // vertical edge comes to x = sqrt(2) sin(45 + angle) = 1.2.
    const double reach = 1.2;
    const double angle = std::asin(reach / std::numbers::sqrt2) - kPi / 4.0;
    const FirstContact c = cubes({{},
                                  {turned_about_z(0.0, {1.0 + reach, 0.0, 0.1}),
                                   turned_about_z(kPi / 4.0, {1.0 + reach, 0.0, 0.1})}});
    EXPECT_EQ(c.answer, Verdict::Contact);
    EXPECT_NEAR(c.lower, angle / (kPi / 4.0), 1e-12);
    EXPECT_NEAR(c.upper, angle / (kPi / 4.0), 1e-12);
}

TEST(ReferenceFirstContact, TellsAGapOfOneRoundingFromAContact) {
    const double touching = 2.0;
    const double above = std::nextafter(touching, 3.0);
    const double below = std::nextafter(touching, 1.0);
    const auto passing = [](double z) {
        return cubes({{}, {at_place({-3.5, 0.2, z}), at_place({3.0, 0.3, z})}});
    };
    EXPECT_EQ(passing(above).answer, Verdict::Separated);
    EXPECT_EQ(passing(below).answer, Verdict::Contact);
    EXPECT_NE(passing(touching).answer, Verdict::Separated);
}

TEST(ReferenceFirstContact, DoesNotCallAStepFreeThatEndsInATouch) {
    for (const double end : {2.0, 2.25, 1.75}) {
        const FirstContact c =
            cubes({{}, {at_place({0.25, 0.5, 5.0}), at_place({0.25, 0.5, end})}});
        EXPECT_EQ(c.answer, end == 2.0  ? Verdict::Unresolved
                            : end < 2.0 ? Verdict::Contact
                                        : Verdict::Separated);
    }
}

TEST(ReferenceFirstContact, DoesNotCallATurnFreeThatEndsInATouch) {
    // Two edges meet at the very end, after a turn by a third: no rounding may pass it.
    const Shapes bodies = shapes("tetrahedron");
    Pair pair(bodies.a, bodies.b);
    const double half = std::numbers::sqrt2 / 2.0;
    pair.set({{},
              {{{half, -half, 0.0, 0.0}, {0.75, -2.0, 0.25}},
               {{0.0, 0.0, 0.0, -1.0}, {-2.0, 0.0, -1.75}}}});
    EXPECT_EQ(distance_at(pair, 1.0), 0.0);
    EXPECT_EQ(first_contact(pair).answer, Verdict::Unresolved);
}

TEST(ReferenceFirstContact, WalksPastAGrazingEdgeInFewSteps) {
    // The vertical edge of the cube swings out to x = sqrt(2) at the middle of the step.
    for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12}) {
        const double x = 1.0 + std::numbers::sqrt2 + gap;
        const FirstContact c = cubes(
            {{}, {turned_about_z(0.0, {x, 0.0, 0.1}), turned_about_z(kPi / 2.0, {x, 0.0, 0.1})}});
        EXPECT_EQ(c.answer, Verdict::Separated) << gap;
        EXPECT_LT(c.steps, 400U) << gap;
        const FirstContact hit = cubes({{},
                                        {turned_about_z(0.0, {x - 2 * gap, 0.0, 0.1}),
                                         turned_about_z(kPi / 2.0, {x - 2 * gap, 0.0, 0.1})}});
        EXPECT_EQ(hit.answer, Verdict::Contact) << gap;
    }
}

TEST(ReferenceFirstContact, SeesThatOneBodyIsInsideTheOther) {
    const Shapes bodies = two_cubes();
    Pair pair(bodies.a, bodies.b);
    pair.set({{}, {at_place({3.0, 0.0, 0.0}), at_place({3.0, 0.0, 0.0})}});
    EXPECT_FALSE(one_inside_other_at_start(pair));
    const Polyhedron inner = cube_of(0.25);
    Pair nested(bodies.a, inner);
    nested.set({{}, {at_place({0.1, 0.1, 0.2}), at_place({0.2, 0.1, 0.2})}});
    EXPECT_EQ(first_contact(nested).answer, Verdict::Separated);
    EXPECT_TRUE(one_inside_other_at_start(nested));
}

// --- First contact: attacked by sampling
// ---------------------------------------------------------------

void attack(const std::string& name, int count) {
    const Shapes bodies = shapes(name);
    Pair pair(bodies.a, bodies.b);
    for (int i = 0; i < count; ++i) {
        SCOPED_TRACE(name + " " + std::to_string(i));
        const RandomMotion motion = random_motion(pair, bodies, 7, static_cast<std::uint64_t>(i));
        ASSERT_NE(motion.truth.answer, Verdict::Unresolved);
        EXPECT_EQ(motion.truth.answer == Verdict::Contact, i % 2 == 1);
        EXPECT_GT(distance_at(pair, 0.0), 0.0);
        for (int k = 0; k < 64; ++k)
            EXPECT_GT(distance_at(pair, motion.truth.lower * k / 64.0), 0.0);
        if (motion.truth.answer == Verdict::Contact) {
            EXPECT_LT(motion.truth.upper - motion.truth.lower, 1e-9);
            EXPECT_LT(distance_at(pair, motion.truth.upper), 1e-12);
        }
    }
}

TEST(ReferenceFirstContact, LeavesNoSampleBeforeItCrossing) {
    attack("cube", 60);
    attack("tetrahedron", 60);
    attack("car", 20);
    attack("torus", 4);
    attack("comb", 4);
}

TEST(ReferenceLeastDistance, BoundsSampledDistancesAndIsProvedByTheWalk) {
    const Shapes bodies = shapes("cube");
    Pair pair(bodies.a, bodies.b);
    for (std::uint64_t i = 0; i < 40; i += 2) {
        (void)random_motion(pair, bodies, 9, i);
        const LeastDistance least = least_distance(pair);
        EXPECT_LE(least.upper, 1.03 * least.lower);
        EXPECT_NEAR(distance_at(pair, least.time), least.upper, 1e-12);
        EXPECT_EQ(first_contact(pair, 0.9 * least.lower).answer, Verdict::Separated);
        EXPECT_NE(first_contact(pair, 1.01 * least.upper).answer, Verdict::Separated);
    }
}

// --- Depth and events
// ------------------------------------------------------------------------------------

TEST(ReferenceDepth, IsThatOfACubeInAnother) {
    const Shapes bodies = two_cubes();
    Pair pair(bodies.a, bodies.b);
    // Corners end 0.25 below the top of the cube at rest, and farther from its sides.
    pair.set({{}, {at_place({0.8, 0.8, 5.0}), at_place({0.8, 0.8, 1.75})}});
    EXPECT_NEAR(depth_est(pair, 0.5, 1.0, 4), 0.25, 1e-12);
}

TEST(ReferenceEvents, CountTheCrossingsOfACubeShiftedIntoAnother) {
    const Shapes bodies = two_cubes();
    Pair pair(bodies.a, bodies.b);
    pair.set({{}, {at_place({0.9, 0.8, 5.0}), at_place({0.9, 0.8, 1.5})}});
    // One corner of each goes through a face of the other; two edges of each run over edges.
    const std::vector<Event> all = events(pair);
    ASSERT_EQ(all.size(), 4U);
    int of_type[3] = {};
    for (const Event& e : all) {
        ++of_type[e.type[0] == 'e' ? 2 : e.type[0] == 'v' ? 0 : 1];
        EXPECT_NEAR(e.time, 3.0 / 3.5, 1e-12);
    }
    EXPECT_EQ(of_type[0], 1);
    EXPECT_EQ(of_type[1], 1);
    EXPECT_EQ(of_type[2], 2);
}

TEST(ReferenceEvents, BeginWithTheFirstContact) {
    const Shapes bodies = shapes("mixed");
    Pair pair(bodies.a, bodies.b);
    for (std::uint64_t i = 1; i < 60; i += 2) {
        const RandomMotion motion = random_motion(pair, bodies, 11, i);
        const std::vector<Event> all = events(pair);
        ASSERT_FALSE(all.empty()) << i;
        EXPECT_NEAR(all.front().time, motion.truth.upper, 1e-9) << i;
    }
}

}  // namespace
}  // namespace graze::rigid::reference
