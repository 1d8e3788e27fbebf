// Capsules: what is proved of them, in rationals. The prisms and their vertices, cores that go
// through a face, paths, pushes, sweeps and gaps.
// Defends G-SLIDE-1, G-SLIDE-2, G-SLIDE-3, G-SLIDE-5, G-SLIDE-7 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cmath>

#include "graze/slide/move_trail.hpp"
#include "graze/slide/mover.hpp"
#include "graze/slide/sweep.hpp"
#include "slide/core_clearance.hpp"
#include "slide/exact_clearance.hpp"
#include "slide/frame.hpp"
#include "slide/prism_faces.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

using test::Exact;
using test::ExactTriangle;
using test::Random;
using test::Triangles;
using test::operator-;

Exact plus(const Exact& a, const Exact& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

// --- exact distances -----------------------------------------------------------------------------

template <class Real>
mpq_class core_distance_sq(const Vec<Real>& centre, const Shape<Real>& shape,
                           const ExactTriangle& t) {
    const Exact c = test::exact(centre);
    const Exact a = test::exact(shape.half_axis);
    return test::segment_triangle_sq(c - a, plus(c, a), t);
}

template <class Real>
bool keeps_skin(const Triangles<Real>& triangles, const Vec<Real>& centre, const Shape<Real>& shape,
                double skin) {
    const mpq_class least = mpq_class(double{shape.radii.x}) + mpq_class(skin);
    for (const auto& t : triangles)
        if (core_distance_sq(centre, shape, test::exact_of(t)) < least * least) return false;
    return true;
}

mpq_class triangles_sq(const ExactTriangle& a, const ExactTriangle& b) {
    mpq_class best = test::segment_triangle_sq(a[0], a[1], b);
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3;
        best = std::min(best, test::segment_triangle_sq(a[k], a[next], b));
        best = std::min(best, test::segment_triangle_sq(b[k], b[next], a));
    }
    return best;
}

// What the core passes over on a straight path is a parallelogram.
mpq_class path_distance_sq(const Exact& from, const Exact& to, const Exact& half,
                           const ExactTriangle& t) {
    const Exact a = from - half;
    const Exact b = plus(from, half);
    const Exact c = plus(to, half);
    const Exact d = to - half;
    return std::min(triangles_sq({a, b, c}, t), triangles_sq({a, c, d}, t));
}

template <class Real>
std::array<Vec<Real>, 3> triangle_around(Random& random, const Vec3& middle, double size) {
    const auto vertex = [&] {
        return narrowed<Real>(middle + random.between(0.2, 1) * size * random.unit());
    };
    return {vertex(), vertex(), vertex()};
}

template <class Real>
Shape<Real> random_capsule(Random& random, double longest) {
    return capsule(Real(0.5), static_cast<Real>(random.between(0.01, longest)),
                   narrowed<Real>(random.unit()));
}

template <class Real>
class CapsuleTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(CapsuleTest, Reals);

// --- bounds --------------------------------------------------------------------------------------

// SS-7: 1.01 u for the shifted difference, two more rounding errors for ellipsoids; sought where
// the terms cancel.
TEST(CapsuleBounds, AShiftedVertexIsOffByThreeRoundingErrorsOfItself) {
    Random random{std::mt19937_64(71)};
    for (int trial = 0; trial < 20'000; ++trial) {
        const double size = std::exp2(random.between(-30, 30));
        const double offset = random.below(2) == 0 ? 0.0 : std::exp2(random.between(0, 40));
        const Vec3 origin = size * offset * random.in_cube(1.0);
        const Vec3 half = size * random.in_cube(1.0);
        const double rest = std::exp2(random.between(-60, 2));
        const double sign = random.below(2) == 0 ? 1.0 : -1.0;
        const Vec3 vertex = (origin - sign * half) + size * rest * random.in_cube(1.0);
        const bool is_sphere = random.below(2) == 0;
        const Vec3 radii = is_sphere ? Vec3{0.5, 0.5, 0.5} : Vec3{0.3, 0.7, 0.9};
        const Frame frame = frame_of(radii, origin, half);
        const Vec3 found = frame.local_shifted(vertex, sign);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const mpq_class shifted =
                mpq_class(vertex[axis]) - mpq_class(origin[axis]) + mpq_class(sign * half[axis]);
            const mpq_class scale =
                is_sphere ? mpq_class(frame.scale[axis]) : 1 / mpq_class(radii[axis]);
            const mpq_class wanted = shifted * scale;
            const mpq_class error = abs(mpq_class(found[axis]) - wanted);
            EXPECT_LE(error, abs(wanted) * mpq_class((is_sphere ? 1.01 : 3.01) * 0x1p-53));
        }
    }
}

// True is a proof; and where they are a little separated, it is found.
TEST(CapsuleBounds, ACoreCalledClearMeetsNoTriangle) {
    Random random{std::mt19937_64(72)};
    int crossing = 0;
    int separated = 0;
    for (int trial = 0; trial < 3'000; ++trial) {
        const double flat = random.below(3) == 0 ? std::exp2(random.between(-50, 0)) : 1.0;
        std::array<Vec3, 3> vertices;
        for (Vec3& v : vertices) {
            v = random.in_cube(2.0);
            v.y *= flat;
            if (random.below(8) == 0) v = vertices[0];
        }
        NearTriangle t;
        ASSERT_TRUE(set_near(t, vertices, {}));
        const Core core{random.in_cube(1.5), random.between(0.01, 2) * random.unit()};
        const Exact point = test::exact(core.point);
        const Exact half = test::exact(core.half);
        const mpq_class distance_sq = test::segment_triangle_sq(
            point - half, plus(point, half),
            {test::exact(vertices[0]), test::exact(vertices[1]), test::exact(vertices[2])});
        const bool clear = is_core_clear(t, core);
        if (distance_sq == 0) {
            ++crossing;
            EXPECT_FALSE(clear) << trial;
        } else if (distance_sq > mpq_class(0x1p-40)) {
            ++separated;
            EXPECT_TRUE(clear) << trial;
        }
    }
    EXPECT_GE(crossing, 100);
    EXPECT_GE(separated, 1000);
}

// A prism, a region that the centre stays in, and positions of that, up to its rim.
struct PrismCase {
    std::array<Vec3, 3> vertices;
    Vec3 half;
    CentreRegion region;
};
PrismCase random_prism(Random& random) {
    PrismCase c;
    const double away = random.below(2) == 0 ? 0.0 : std::exp2(random.between(0, 12));
    const Vec3 base = away * random.unit();
    const double size = std::exp2(random.between(-6, 4));
    const double flat = random.below(3) == 0 ? std::exp2(random.between(-14, 0)) : 1.0;
    for (Vec3& v : c.vertices) {
        v = random.in_cube(size);
        v.y *= flat;
        v = base + v;
    }
    c.half = random.between(0.01, 2) * random.unit();
    if (random.below(3) == 0) c.half = random.between(0.01, 2) * Vec3{0, 1, 0};
    const double radius = random.between(1.0, 1.3);
    const double centres = std::exp2(random.between(-10, 0));
    const Vec3 middle = base + random.in_cube(3.0);
    c.region = {middle, centres, centres + radius, true};
    return c;
}
Vec3 position_in(Random& random, const CentreRegion& region) {
    const double part = random.below(2) == 0 ? 1.0 : random.between(0, 1);
    return region.middle + (1.0 - 0x1p-40) * part * region.centres * random.unit();
}
std::vector<ExactTriangle> faces_of(const PrismCase& c, unsigned faces) {
    const Exact a = test::exact(c.half);
    ExactTriangle low;
    ExactTriangle high;
    for (std::size_t k = 0; k < 3; ++k) {
        low[k] = test::exact(c.vertices[k]) - a;
        high[k] = plus(test::exact(c.vertices[k]), a);
    }
    std::vector<ExactTriangle> kept;
    if ((faces & kHighCap) != 0) kept.push_back(high);
    if ((faces & kLowCap) != 0) kept.push_back(low);
    for (std::size_t k = 0; k < 3; ++k) {
        if ((faces & (kFirstSide << k)) == 0) continue;
        const std::size_t next = (k + 1) % 3;
        kept.push_back({low[k], low[next], high[next]});
        kept.push_back({low[k], high[next], high[k]});
    }
    return kept;
}
mpq_class distance_to_faces_sq(const Vec3& centre, const std::vector<ExactTriangle>& faces) {
    mpq_class best = test::point_triangle_sq(test::exact(centre), faces.front());
    for (const ExactTriangle& face : faces)
        best = std::min(best, test::point_triangle_sq(test::exact(centre), face));
    return best;
}
mpq_class distance_to_prism_sq(const Vec3& centre, const PrismCase& c) {
    const Exact point = test::exact(centre);
    const Exact a = test::exact(c.half);
    return test::segment_triangle_sq(
        point - a, plus(point, a),
        {test::exact(c.vertices[0]), test::exact(c.vertices[1]), test::exact(c.vertices[2])});
}

// SS-8: what is left out is never nearest.
TEST(CapsuleBounds, TheFacesThatAreKeptAreAsNearAsThePrism) {
    Random random{std::mt19937_64(73)};
    int reduced = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const PrismCase c = random_prism(random);
        NearTriangle t;
        ASSERT_TRUE(set_near(t, c.vertices, {}));
        const unsigned facing = facing_faces(t, c.half, c.region);
        if (facing == kAllPrismFaces) continue;
        ++reduced;
        const std::vector<ExactTriangle> kept = faces_of(c, facing);
        for (int i = 0; i < 4; ++i) {
            const Vec3 centre = position_in(random, c.region);
            const mpq_class prism_sq = distance_to_prism_sq(centre, c);
            if (prism_sq == 0) continue;
            ASSERT_FALSE(kept.empty()) << trial;
            EXPECT_EQ(distance_to_faces_sq(centre, kept), prism_sq) << trial;
        }
    }
    EXPECT_GE(reduced, 150);
}

// SS-8: and where one cap stands for all, it is as near, or nothing asks how near it is.
TEST(CapsuleBounds, ACapThatIsEnoughIsAsNearAsThePrism) {
    Random random{std::mt19937_64(74)};
    int enough = 0;
    for (int trial = 0; trial < 2'400; ++trial) {
        const PrismCase c = random_prism(random);
        NearTriangle itself;
        ASSERT_TRUE(set_near(itself, c.vertices, {}));
        const Vec3 shift = shift_towards(itself, c.half, c.region.middle);
        if (shift == Vec3{}) continue;
        NearTriangle cap;
        ASSERT_TRUE(set_near(
            cap, {c.vertices[0] + shift, c.vertices[1] + shift, c.vertices[2] + shift}, {}));
        if (!is_cap_enough(cap, shift, c.region)) continue;
        ++enough;
        const std::vector<ExactTriangle> kept = faces_of(c, shift == c.half ? kHighCap : kLowCap);
        for (int i = 0; i < 4; ++i) {
            const Vec3 centre = position_in(random, c.region);
            const mpq_class prism_sq = distance_to_prism_sq(centre, c);
            EXPECT_GT(prism_sq, mpq_class(0x1p-60)) << trial;
            const mpq_class cap_sq = distance_to_faces_sq(centre, kept);
            const double asked = c.region.all - norm(centre - c.region.middle);
            if (prism_sq <= mpq_class(asked * asked)) {
                EXPECT_EQ(cap_sq, prism_sq) << trial;
            }
        }
    }
    EXPECT_GE(enough, 100);
}

// What is rejected by its box is farther than what was gathered for.
TEST(CapsuleBounds, APrismCalledOutOfReachIsFarther) {
    Random random{std::mt19937_64(75)};
    int rejected = 0;
    for (int trial = 0; trial < 2'000; ++trial) {
        const PrismCase c = random_prism(random);
        if (may_reach(c.vertices, c.half, c.region)) continue;
        ++rejected;
        EXPECT_GT(distance_to_prism_sq(c.region.middle, c),
                  mpq_class(c.region.all) * mpq_class(c.region.all))
            << trial;
    }
    EXPECT_GE(rejected, 300);
}

// --- moves ---------------------------------------------------------------------------------------

template <class Real>
void expect_proved_moves(std::uint64_t seed, int trials, double longest, double offset) {
    Random random{std::mt19937_64(seed)};
    int proved = 0;
    int touched = 0;
    for (int trial = 0; trial < trials; ++trial) {
        SCOPED_TRACE(trial);
        const Shape<Real> shape = random_capsule<Real>(random, longest);
        const Vec3 base = offset * random.in_cube(1.0);
        const double length = 1.0 + norm(widened(shape.half_axis));
        Triangles<Real> triangles;
        for (int i = 0; i < 3; ++i)
            triangles.push_back(triangle_around<Real>(random, base + random.in_cube(1.5),
                                                      random.between(0.5, 4.0)));
        const Level<Real> level = test::level_of(triangles);
        const Vec<Real> start =
            narrowed<Real>(base + random.between(1, 4) * length * random.unit());
        const Vec3 target = base + random.in_cube(2.0);
        const Vec<Real> displacement = narrowed<Real>(1.5 * (target - widened(start)));
        MoveOptions<Real> options;
        if (random.below(2) == 0) options.skin = Real(std::exp2(random.between(-60, -5)));
        MoveTrail trail;
        const MoveResult<Real> moved =
            move_and_slide_traced(level, shape, start, displacement, options, trail);
        EXPECT_LE(moved.iterations, kMaxMoveIterations);
        if (!moved.gap_proved) {
            EXPECT_EQ(moved.position, start);
            continue;
        }
        ++proved;
        touched += moved.contact_count > 0;
        EXPECT_TRUE(keeps_skin(triangles, moved.position, shape, double{moved.skin}));
        const Exact half = test::exact(shape.half_axis);
        const auto points = trail.points();
        for (std::size_t i = 1; i < points.size(); ++i) {
            if (points[i].is_pushed) continue;
            const mpq_class least = mpq_class(double{shape.radii.x}) + mpq_class(points[i].skin);
            for (const auto& t : triangles)
                EXPECT_GE(
                    path_distance_sq(test::exact(points[i - 1].position),
                                     test::exact(points[i].position), half, test::exact_of(t)),
                    least * least)
                    << i;
        }
    }
    EXPECT_GE(proved, trials * 3 / 4);
    EXPECT_GE(touched, trials / 4);
}

TYPED_TEST(CapsuleTest, KeepsTheSkinAfterEveryMoveAndOnAllOfItsPath) {
    expect_proved_moves<TypeParam>(11, 60, 2.0, 0.0);
}
TYPED_TEST(CapsuleTest, KeepsTheSkinWithALongCore) {
    expect_proved_moves<TypeParam>(12, 40, 64.0, 0.0);
}
TYPED_TEST(CapsuleTest, KeepsTheSkinFarFromTheOrigin) {
    expect_proved_moves<TypeParam>(13, 40, 4.0, std::is_same_v<TypeParam, float> ? 4e3 : 1e9);
}
TEST(CapsuleAttack, KeepsTheSkinOfAThousandMoves) {
    expect_proved_moves<float>(14, 500, 8.0, 100.0);
    expect_proved_moves<double>(15, 500, 8.0, 100.0);
}

TYPED_TEST(CapsuleTest, RestsExactlyOnTheFloorAndOnAnEdge) {
    const Triangles<TypeParam> triangles = {
        {{{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}}},
        {{{-9, TypeParam(0.5), 1}, {9, TypeParam(0.5), 1}, {0, -9, 1}}}};
    const Level<TypeParam> level = test::level_of(triangles);
    for (const Vec<TypeParam>& axis :
         {Vec<TypeParam>{0, 1, 0}, Vec<TypeParam>{1, 0, 0}, Vec<TypeParam>{1, 2, TypeParam(0.5)}}) {
        const Shape<TypeParam> shape = capsule(TypeParam(0.4), TypeParam(0.75), axis);
        Vec<TypeParam> position{TypeParam(0.1), 3, TypeParam(-0.2)};
        for (int frame = 0; frame < 100; ++frame) {
            const auto moved =
                move_and_slide(level, shape, position, {0, TypeParam(-0.25), TypeParam(0.0625)});
            ASSERT_TRUE(moved.gap_proved);
            ASSERT_TRUE(keeps_skin(triangles, moved.position, shape, double{moved.skin}));
            if (frame > 80) {
                EXPECT_EQ(moved.position, position) << frame;
            }
            position = moved.position;
        }
    }
}

TYPED_TEST(CapsuleTest, ReportsPointsOfTheLevelAndWhatTheyAreOf) {
    const Triangles<TypeParam> floor = {{{{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}}}};
    const Level<TypeParam> level = test::level_of(floor);
    const Shape<TypeParam> upright = capsule(TypeParam(0.5), TypeParam(1));
    const auto down = move_and_slide(level, upright, {TypeParam(0.25), 3, 0}, {0, -3, 0});
    ASSERT_EQ(down.contact_count, 1);
    EXPECT_EQ(down.contacts[0].feature, FeatureKind::Face);
    EXPECT_NEAR(double{down.contacts[0].point.y}, 0.0, 1e-6);
    EXPECT_NEAR(double{down.contacts[0].point.x}, 0.25, 1e-6);
    EXPECT_NEAR(double{down.contacts[0].normal.y}, 1.0, 1e-6);
    EXPECT_NEAR(double{down.position.y}, 1.5, 0.01);
    // The side of the capsule meets the edge at z = -9.
    const auto aside =
        move_and_slide(level, upright, {TypeParam(0.25), TypeParam(0.5), -12}, {0, 0, 5});
    ASSERT_GE(aside.contact_count, 1);
    EXPECT_EQ(aside.contacts[0].feature, FeatureKind::Edge);
    EXPECT_NEAR(double{aside.contacts[0].point.y}, 0.0, 1e-6);
    EXPECT_NEAR(double{aside.contacts[0].point.z}, -9.0, 1e-6);
    EXPECT_NEAR(double{aside.contacts[0].normal.z}, -1.0, 1e-6);
    EXPECT_NEAR(double{aside.position.z}, -9.5, 0.01);
}

// --- cores that go through a face ----------------------------------------------------------------

// Far from all faces of the prism, deep inside of it: only the core shows that this is no free
// position.
TYPED_TEST(CapsuleTest, ACoreThroughAFaceIsNeverCalledFree) {
    const Triangles<TypeParam> floor = {{{{-90, 0, -90}, {90, 0, -90}, {0, 0, 90}}}};
    const Level<TypeParam> level = test::level_of(floor);
    const Shape<TypeParam> shape = capsule(TypeParam(0.5), TypeParam(8));
    const Vec<TypeParam> start{0, TypeParam(2), 0};
    const auto moved = move_and_slide<TypeParam>(level, shape, start, {});
    EXPECT_EQ(moved.stopped, StopReason::PushedOut);
    EXPECT_TRUE(moved.gap_proved);
    EXPECT_TRUE(keeps_skin(floor, moved.position, shape, double{moved.skin}));
    EXPECT_NEAR(double{moved.position.y}, 8.5, 0.02);  // to the side of its centre
    const auto swept = first_contact<TypeParam>(level, shape, {start, {1, 0, 0}, 0});
    EXPECT_EQ(swept.verdict, Verdict::Contact);
    EXPECT_TRUE(swept.met_at_start);
    EXPECT_EQ(swept.toi_lower, TypeParam(0));
    const auto gap = smallest_gap<TypeParam>(level, shape, start, TypeParam(1));
    EXPECT_TRUE(gap.found);
    EXPECT_NEAR(gap.gap_lower, -6.5, 1e-5);
}

TYPED_TEST(CapsuleTest, IsPushedOutToTheSideOfItsCentreOrStays) {
    Random random{std::mt19937_64(23)};
    int pushed = 0;
    int unproved = 0;
    for (int trial = 0; trial < 200; ++trial) {
        SCOPED_TRACE(trial);
        const Shape<TypeParam> shape = random_capsule<TypeParam>(random, 3.0);
        const Vec<TypeParam> start = narrowed<TypeParam>(random.in_cube(1.0));
        Triangles<TypeParam> triangles;
        for (int i = 0; i < 1 + trial % 3; ++i) {
            const Vec3 middle = widened(start) + random.between(-1, 1) * widened(shape.half_axis);
            triangles.push_back(triangle_around<TypeParam>(random, middle, 3.0));
        }
        const Level<TypeParam> level = test::level_of(triangles);
        const auto moved = move_and_slide<TypeParam>(level, shape, start, {});
        if (!moved.gap_proved) {
            EXPECT_EQ(moved.position, start);
            ++unproved;
            continue;
        }
        EXPECT_TRUE(keeps_skin(triangles, moved.position, shape, double{moved.skin}));
        pushed += moved.stopped == StopReason::PushedOut;
    }
    EXPECT_GE(pushed, 50);
    EXPECT_LE(unproved, 100);
}

TYPED_TEST(CapsuleTest, PassesOneSidedFacesFromBehindAlone) {
    const Triangles<TypeParam> floor = {{{{-9, 0, -9}, {0, 0, 9}, {9, 0, -9}}}};  // seen from above
    const Level<TypeParam> level = test::level_of(floor, {.one_sided = true});
    const Shape<TypeParam> shape = capsule(TypeParam(0.5), TypeParam(1));
    const auto up = move_and_slide<TypeParam>(level, shape, {0, -3, 0}, {0, 6, 0});
    EXPECT_EQ(up.position.y, TypeParam(3));
    const auto astride =
        move_and_slide<TypeParam>(level, shape, {0, TypeParam(-0.5), 0}, {0, 1, 0});
    // Through with its centre, and half with the rest: to the front of it, with its gap.
    EXPECT_EQ(astride.stopped, StopReason::PushedOut);
    EXPECT_TRUE(astride.gap_proved);
    EXPECT_NEAR(double{astride.position.y}, 1.5, 0.01);
    EXPECT_GE(smallest_gap(level, shape, astride.position, TypeParam(1)).gap_lower,
              double{astride.skin});
    const auto down = move_and_slide<TypeParam>(level, shape, {0, 3, 0}, {0, -6, 0});
    EXPECT_NEAR(double{down.position.y}, 1.5, 0.01);
}

// --- sweeps and gaps -----------------------------------------------------------------------------

TYPED_TEST(CapsuleTest, AFirstContactIsNeverLateAndHardlyEarly) {
    Random random{std::mt19937_64(31)};
    int hits = 0;
    for (int trial = 0; trial < 400; ++trial) {
        SCOPED_TRACE(trial);
        const Shape<TypeParam> shape = random_capsule<TypeParam>(random, 3.0);
        const Triangles<TypeParam> triangles = {
            triangle_around<TypeParam>(random, random.in_cube(1.0), 2.0)};
        const Level<TypeParam> level = test::level_of(triangles);
        const Vec<TypeParam> start = narrowed<TypeParam>(6.0 * random.unit());
        const Vec<TypeParam> move =
            narrowed<TypeParam>(2.0 * (random.in_cube(1.5) - widened(start)));
        const auto found = first_contact<TypeParam>(level, shape, {start, move, 0});
        ASSERT_NE(found.verdict, Verdict::Unresolved);
        if (found.met_at_start) continue;
        const Exact from = test::exact(start);
        const Exact half = test::exact(shape.half_axis);
        const mpq_class time(double{found.toi_lower});
        const Exact to = test::at(from, time, test::exact(move));
        const mpq_class radius(double{shape.radii.x});
        const ExactTriangle t = test::exact_of(triangles[0]);
        EXPECT_GE(path_distance_sq(from, to, half, t), radius * radius);
        if (found.verdict != Verdict::Contact) continue;
        ++hits;
        const mpq_class most = radius + mpq_class(std::is_same_v<TypeParam, float> ? 1e-5 : 1e-9);
        EXPECT_LE(test::segment_triangle_sq(to - half, plus(to, half), t), most * most);
    }
    EXPECT_GE(hits, 100);
}

// A centre in a triangle can only get out of it; one in the face of a prism can get in.
TYPED_TEST(CapsuleTest, APathThroughAFaceIsAContactHoweverNearItBegins) {
    const Shape<TypeParam> shape = capsule(TypeParam(1.875), TypeParam(4));
    for (const double size : {9.0, 9e6, 9e12}) {
        const TypeParam far = static_cast<TypeParam>(size);
        const Level<TypeParam> level = test::level_of(
            Triangles<TypeParam>{{{{-far, -4, -far}, {far, -4, -far}, {0, -4, far}}}});
        for (int eighths = 0; eighths < 8 * 80; ++eighths) {
            const auto height = static_cast<TypeParam>(std::exp2(-0.125 * eighths));
            for (const TypeParam margin : {TypeParam(0), TypeParam(0.125), TypeParam(3)}) {
                const auto found = first_contact<TypeParam>(
                    level, shape, {{TypeParam(0.125), height, 0}, {0, -4, 0}, margin});
                EXPECT_EQ(found.verdict, Verdict::Contact) << size << " " << eighths;
                EXPECT_LE(found.toi_lower, TypeParam(0.25)) << size << " " << eighths;
            }
        }
    }
}

TYPED_TEST(CapsuleTest, ASmallestGapIsALowerBound) {
    Random random{std::mt19937_64(32)};
    int found_count = 0;
    for (int trial = 0; trial < 500; ++trial) {
        SCOPED_TRACE(trial);
        const Shape<TypeParam> shape = random_capsule<TypeParam>(random, 2.0);
        const Triangles<TypeParam> triangles = {
            triangle_around<TypeParam>(random, random.in_cube(1.0), 2.0)};
        const Level<TypeParam> level = test::level_of(triangles);
        const Vec<TypeParam> centre = narrowed<TypeParam>(random.in_cube(1.5));
        const auto gap = smallest_gap<TypeParam>(level, shape, centre, TypeParam(0.5));
        const mpq_class square = core_distance_sq(centre, shape, test::exact_of(triangles[0]));
        const mpq_class reach = mpq_class(gap.gap_lower) + mpq_class(double{shape.radii.x});
        if (reach > 0) {
            EXPECT_LE(reach * reach, square);
        }
        found_count += gap.found;
        if (square == 0) {
            EXPECT_LE(gap.gap_lower, -double{shape.radii.x});
        }
    }
    EXPECT_GE(found_count, 100);
}

TYPED_TEST(CapsuleTest, RefusesAnAxisThatIsNone) {
    const Level<TypeParam> level =
        test::level_of(Triangles<TypeParam>{{{{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}}}});
    for (const TypeParam bad : {TypeParam(0), std::numeric_limits<TypeParam>::infinity(),
                                std::numeric_limits<TypeParam>::quiet_NaN()}) {
        const Shape<TypeParam> shape = capsule<TypeParam>(1, 1, {0, bad, 0});
        const auto moved = move_and_slide<TypeParam>(level, shape, {0, 5, 0}, {0, -9, 0});
        EXPECT_FALSE(moved.gap_proved);
        EXPECT_EQ(moved.position, (Vec<TypeParam>{0, 5, 0}));
        const auto swept = first_contact<TypeParam>(level, shape, {{0, 5, 0}, {0, -9, 0}, 0});
        EXPECT_EQ(swept.verdict, Verdict::Unresolved);
    }
}

}  // namespace
}  // namespace graze::slide
