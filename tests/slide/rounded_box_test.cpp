// Boxes with rounded edges: what is proved of them, in rationals. The faces of the sum of a box and a
// triangle, cores that go through a face, paths, pushes, sweeps and gaps; and nearest points.
// Defends G-SLIDE-1, G-SLIDE-2, G-SLIDE-3, G-SLIDE-5, G-SLIDE-10 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "graze/slide/move_trail.hpp"
#include "graze/slide/mover.hpp"
#include "graze/slide/sweep.hpp"
#include "slide/core_clearance.hpp"
#include "slide/exact_clearance.hpp"
#include "slide/frame.hpp"
#include "slide/some_levels.hpp"
#include "slide/sum_faces.hpp"

namespace graze::slide {
namespace {

using test::Exact;
using test::ExactTriangle;
using test::Random;
using test::Triangles;
using test::operator-;
using ExactAxes = std::array<Exact, 3>;

// --- exact distances, by the surface of the box and not by sums -----------------------------------

Exact corner_of(const Exact& centre, const ExactAxes& axes, unsigned signs) {
    Exact corner = centre;
    for (std::size_t i = 0; i < 3; ++i)
        corner = test::at(corner, (signs >> i & 1U) != 0 ? 1 : -1, axes[i]);
    return corner;
}

// Does no direction that a face of the box and the triangle, or two of their edges, are across
// separate the two?
bool do_overlap(const Exact& centre, const ExactAxes& axes, const ExactTriangle& t) {
    std::vector<Exact> normals = {test::cross(t[1] - t[0], t[2] - t[0])};
    for (std::size_t i = 0; i < 3; ++i) {
        normals.push_back(test::cross(axes[i], axes[(i + 1) % 3]));
        for (std::size_t k = 0; k < 3; ++k)
            normals.push_back(test::cross(axes[i], t[(k + 1) % 3] - t[k]));
    }
    return std::none_of(normals.begin(), normals.end(), [&](const Exact& n) {
        mpq_class extent = 0;
        for (const Exact& axis : axes)
            extent += abs(test::dot(n, axis));
        const std::array<mpq_class, 3> height = {
            test::dot(n, t[0] - centre), test::dot(n, t[1] - centre), test::dot(n, t[2] - centre)};
        return std::min({height[0], height[1], height[2]}) > extent ||
               std::max({height[0], height[1], height[2]}) < -extent;
    });
}

// What is disjoint is nearest at an edge of the box, or at a vertex of the triangle and a face.
mpq_class box_distance_sq(const Exact& centre, const ExactAxes& axes, const ExactTriangle& t) {
    if (do_overlap(centre, axes, t)) return 0;
    std::optional<mpq_class> best;
    const auto take = [&](const mpq_class& found) {
        if (!best || found < *best) best = found;
    };
    std::array<Exact, 8> corner;
    for (unsigned signs = 0; signs < 8; ++signs)
        corner[signs] = corner_of(centre, axes, signs);
    for (unsigned axis = 0; axis < 3; ++axis) {
        const unsigned i = 1U << axis;
        const unsigned j = 1U << (axis + 1) % 3;
        const unsigned k = 1U << (axis + 2) % 3;
        for (const unsigned rest : {0U, j, k, j | k})
            take(test::segment_triangle_sq(corner[rest], corner[rest | i], t));
        for (const unsigned side : {0U, i}) {
            for (const Exact& vertex : t) {
                for (const unsigned last : {j, k})
                    take(test::point_triangle_sq(
                        vertex, {corner[side], corner[side | last], corner[side | j | k]}));
            }
        }
    }
    return *best;
}

template <class Real>
ExactAxes axes_of(const Shape<Real>& shape) {
    return {test::exact(shape.half_axis), test::exact(shape.side_axes[0]),
            test::exact(shape.side_axes[1])};
}

template <class Real>
bool box_keeps_skin(const Triangles<Real>& triangles, const Exact& centre, const Shape<Real>& shape,
                    double skin) {
    const mpq_class least = mpq_class(double{shape.radii.x}) + mpq_class(skin);
    for (const auto& t : triangles)
        if (box_distance_sq(centre, axes_of(shape), test::exact_of(t)) < least * least)
            return false;
    return true;
}

template <class Real>
std::array<Vec<Real>, 3> box_triangle_around(Random& random, const Vec3& middle, double size) {
    const auto vertex = [&] {
        return narrowed<Real>(middle + random.between(0.2, 1) * size * random.unit());
    };
    return {vertex(), vertex(), vertex()};
}

Quaternion random_rotation(Random& random) {
    return rotation_about(random.unit(), random.between(0, 3));
}

template <class Real>
Shape<Real> random_box(Random& random, double longest) {
    const auto extent = [&] { return static_cast<Real>(0.5 + random.between(0.01, longest)); };
    const Vec<Real> half{extent(), extent(), extent()};
    const Shape<Real> box = random.below(2) == 0
                                ? rounded_box(half, Real(0.5))
                                : rounded_box(half, Real(0.5), random_rotation(random));
    return box;
}

template <class Real>
class RoundedBoxTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(RoundedBoxTest, Reals);

// --- bounds --------------------------------------------------------------------------------------

struct SumCase {
    std::array<Vec3, 3> vertices;
    std::array<Vec3, 3> axes;
    CentreRegion region;
};

// Thin triangles, large and small ones, some that are parallel to a face or an edge of the box.
SumCase random_sum(Random& random) {
    SumCase c;
    const double size = std::exp2(random.between(-8, 6));
    const double flat = random.below(2) == 0 ? std::exp2(random.between(-60, 0)) : 1.0;
    const std::size_t flat_axis = static_cast<std::size_t>(random.below(3));
    const Vec3 base = random.in_cube(2.0);
    for (Vec3& v : c.vertices) {
        v = random.in_cube(size);
        v[flat_axis] *= random.below(4) == 0 ? 0.0 : flat;
        v = base + v;
        if (random.below(16) == 0) v = c.vertices[0];
    }
    if (random.below(4) == 0)
        c.vertices[1][(flat_axis + 1) % 3] = c.vertices[0][(flat_axis + 1) % 3];
    const Vec3 half{random.between(0.01, 2), random.between(0.01, 2), random.between(0.01, 2)};
    c.axes = {{{half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}}};
    if (random.below(3) == 0) {
        const Quaternion rotation = random_rotation(random);
        for (Vec3& axis : c.axes)
            axis = rotate(rotation, axis);
    }
    if (random.below(6) == 0) c.axes[2] = {};
    const double radius = random.between(1.0, 1.3);
    const double centres = std::exp2(random.between(-10, 0));
    c.region = {base + random.in_cube(1.0 + 2.0 * size), centres, centres + radius, true};
    return c;
}

Vec3 sum_position(Random& random, const CentreRegion& region) {
    const double part = random.below(2) == 0 ? 1.0 : random.between(0, 1);
    return region.middle + (1.0 - 0x1p-40) * part * region.centres * random.unit();
}

// SS-9: what is left out is never nearest where a query asks, and a sum without a face is farther
// than any does.
void expect_near_faces(std::uint64_t seed, int trials) {
    Random random{std::mt19937_64(seed)};
    int reduced = 0;
    int compared = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const SumCase c = random_sum(random);
        const SumFaces sum = sum_faces_near(c.vertices, c.axes, c.region);
        const ExactTriangle t{test::exact(c.vertices[0]), test::exact(c.vertices[1]),
                              test::exact(c.vertices[2])};
        const ExactAxes axes{test::exact(c.axes[0]), test::exact(c.axes[1]),
                             test::exact(c.axes[2])};
        reduced += sum.count < 40;
        for (int i = 0; i < 3; ++i) {
            const Vec3 centre = sum_position(random, c.region);
            const mpq_class wanted = box_distance_sq(test::exact(centre), axes, t);
            if (wanted == 0) continue;
            const double asked = c.region.all - norm(centre - c.region.middle);
            if (wanted > mpq_class(asked * asked)) continue;
            ASSERT_GT(sum.count, 0U) << trial;
            std::optional<mpq_class> found;
            for (std::size_t f = 0; f < sum.count; ++f) {
                ExactTriangle face;
                for (std::size_t k = 0; k < 3; ++k)
                    face[k] = corner_of(t[sum.face[f][k].vertex], axes, sum.face[f][k].corner);
                const mpq_class distance_sq = test::point_triangle_sq(test::exact(centre), face);
                if (!found || distance_sq < *found) found = distance_sq;
            }
            EXPECT_EQ(*found, wanted) << trial;
            ++compared;
        }
    }
    EXPECT_GE(reduced, trials / 2);
    EXPECT_GE(compared, trials / 8);
}

TEST(RoundedBoxBounds, TheFacesThatAreKeptAreAsNearAsTheSum) {
    expect_near_faces(41, 60);
}
TEST(RoundedBoxAttack, TheFacesThatAreKeptAreAsNearAsTheSumTenThousandTimes) {
    expect_near_faces(42, 10'000);
}

// A triangle that is a point, and a box as good as flat: every sign is in doubt, and every face is kept.
TEST(RoundedBoxBounds, FacesHavePlaceWhereEverySignIsInDoubt) {
    const Vec3 point{0.5, 0.25, 0.125};
    const CentreRegion region{{}, 1.0, 2.0, true};
    for (std::size_t thin = 0; thin < 3; ++thin) {
        std::array<Vec3, 3> axes = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
        axes[thin] = 0x1p-60 * axes[thin];
        EXPECT_LE(sum_faces_near({point, point, point}, axes, region).count, SumFaces::kMost);
    }
    const std::array<Vec3, 3> tiny = {Vec3{0x1p-60, 0, 0}, Vec3{0, 0x1p-60, 0},
                                      Vec3{0, 0, 0x1p-60}};
    EXPECT_EQ(sum_faces_near({point, point, point}, tiny, region).count, SumFaces::kMost);
}

// True is a proof; and where they are a little separated, it is found.
TEST(RoundedBoxBounds, ACoreCalledClearMeetsNoTriangle) {
    Random random{std::mt19937_64(43)};
    int crossing = 0;
    int separated = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const SumCase c = random_sum(random);
        NearTriangle t;
        ASSERT_TRUE(set_near(t, c.vertices, {}));
        const Core core{c.region.middle, c.axes[0], {c.axes[1], c.axes[2]}, true};
        const mpq_class distance_sq = box_distance_sq(
            test::exact(core.point),
            {test::exact(c.axes[0]), test::exact(c.axes[1]), test::exact(c.axes[2])},
            {test::exact(c.vertices[0]), test::exact(c.vertices[1]), test::exact(c.vertices[2])});
        const bool clear = is_core_clear(t, core);
        if (distance_sq == 0) {
            ++crossing;
            EXPECT_FALSE(clear) << trial;
        } else if (distance_sq > mpq_class(0x1p-40)) {
            ++separated;
            EXPECT_TRUE(clear) << trial;
        }
    }
    EXPECT_GE(crossing, 20);
    EXPECT_GE(separated, 50);
}

TEST(RoundedBoxBounds, CornersOfABoxThatWasRotatedAreExactAndItsAxesPerpendicular) {
    Random random{std::mt19937_64(44)};
    for (int trial = 0; trial < 500; ++trial) {
        const Shape<double> shape = random_box<double>(random, std::exp2(random.between(-6, 10)));
        const Frame frame = frame_of(shape.radii, random.in_cube(9.0), shape.half_axis,
                                     {shape.side_axes[0], shape.side_axes[1]});
        ASSERT_TRUE(frame.valid) << trial;
        for (unsigned corner = 0; corner < 8; ++corner) {
            const Vec3 found = frame.corner_of_core(corner);
            EXPECT_EQ(test::exact(found), corner_of(test::exact(Vec3{}), axes_of(shape), corner));
        }
    }
}

// --- moves ---------------------------------------------------------------------------------------

// A path is asked at its ends and at three positions between them.
template <class Real>
void expect_clear_path(const Triangles<Real>& triangles, const TrailPoint& from,
                       const TrailPoint& to, const Shape<Real>& shape) {
    const Exact begin = test::exact(from.position);
    const Exact along = test::exact(to.position) - begin;
    for (int i = 1; i <= 4; ++i)
        EXPECT_TRUE(
            box_keeps_skin(triangles, test::at(begin, mpq_class(i, 4), along), shape, to.skin))
            << i;
}

template <class Real>
void expect_proved_box_moves(std::uint64_t seed, int trials, double longest, double offset) {
    Random random{std::mt19937_64(seed)};
    int proved = 0;
    int touched = 0;
    for (int trial = 0; trial < trials; ++trial) {
        SCOPED_TRACE(trial);
        const Shape<Real> shape = random_box<Real>(random, longest);
        const Vec3 base = offset * random.in_cube(1.0);
        const double length = 1.0 + norm(widened(shape.half_axis)) +
                              norm(widened(shape.side_axes[0])) + norm(widened(shape.side_axes[1]));
        Triangles<Real> triangles;
        for (int i = 0; i < 3; ++i)
            triangles.push_back(box_triangle_around<Real>(random, base + random.in_cube(1.5),
                                                          random.between(0.5, 4.0)));
        const Level<Real> level = test::level_of(triangles);
        const Vec<Real> start =
            narrowed<Real>(base + random.between(1, 3) * length * random.unit());
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
        EXPECT_TRUE(
            box_keeps_skin(triangles, test::exact(moved.position), shape, double{moved.skin}));
        const auto points = trail.points();
        for (std::size_t i = 1; i < points.size(); ++i)
            if (!points[i].is_pushed) expect_clear_path(triangles, points[i - 1], points[i], shape);
    }
    EXPECT_GE(proved, trials * 3 / 4);
    EXPECT_GE(touched, trials / 4);
}

TYPED_TEST(RoundedBoxTest, KeepsTheSkinAfterEveryMoveAndOnAllOfItsPath) {
    expect_proved_box_moves<TypeParam>(51, 6, 2.0, 0.0);
}
TYPED_TEST(RoundedBoxTest, KeepsTheSkinFarFromTheOrigin) {
    expect_proved_box_moves<TypeParam>(52, 5, 4.0, std::is_same_v<TypeParam, float> ? 4e3 : 1e9);
}
TEST(RoundedBoxAttack, KeepsTheSkinOfHundredsOfMoves) {
    expect_proved_box_moves<float>(53, 300, 8.0, 100.0);
    expect_proved_box_moves<double>(54, 300, 8.0, 100.0);
}

TYPED_TEST(RoundedBoxTest, RestsExactlyOnTheFloorAndOnAnEdge) {
    const Triangles<TypeParam> triangles = {
        {{{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}}},
        {{{-9, TypeParam(0.5), 1}, {9, TypeParam(0.5), 1}, {0, -9, 1}}}};
    const Level<TypeParam> level = test::level_of(triangles);
    const Vec<TypeParam> half{TypeParam(0.5), TypeParam(0.875), TypeParam(0.75)};
    for (const Quaternion& rotation :
         {Quaternion{}, rotation_about({0, 1, 0}, 0.5), rotation_about({1, 2, 0.5}, 0.75)}) {
        const Shape<TypeParam> shape = rounded_box(half, TypeParam(0.25), rotation);
        Vec<TypeParam> position{TypeParam(0.1), 3, TypeParam(-0.2)};
        for (int frame = 0; frame < 100; ++frame) {
            const auto moved =
                move_and_slide(level, shape, position, {0, TypeParam(-0.25), TypeParam(0.0625)});
            ASSERT_TRUE(moved.gap_proved);
            if (frame % 24 == 0) {
                ASSERT_TRUE(box_keeps_skin(triangles, test::exact(moved.position), shape,
                                           double{moved.skin}));
            }
            if (frame > 80) {
                EXPECT_EQ(moved.position, position) << frame;
            }
            position = moved.position;
        }
    }
}

TYPED_TEST(RoundedBoxTest, StandsFlatAndReportsPointsOfTheLevel) {
    const Triangles<TypeParam> floor = {{{{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}}}};
    const Level<TypeParam> level = test::level_of(floor);
    const Shape<TypeParam> shape = rounded_box<TypeParam>({1, 2, TypeParam(0.5)}, TypeParam(0.125));
    const auto down = move_and_slide(level, shape, {TypeParam(0.25), 4, 0}, {1, -4, 0});
    ASSERT_GE(down.contact_count, 1);
    EXPECT_EQ(down.contacts[0].feature, FeatureKind::Face);
    EXPECT_NEAR(double{down.contacts[0].point.y}, 0.0, 1e-6);
    EXPECT_NEAR(double{down.contacts[0].normal.y}, 1.0, 1e-6);
    EXPECT_NEAR(double{down.position.y}, 2.0, 0.01);
    EXPECT_NEAR(double{down.position.x}, 1.25, 0.01);
    // Its side meets the edge at z = -9.
    const auto aside =
        move_and_slide(level, shape, {TypeParam(0.25), TypeParam(0.5), -12}, {0, 0, 5});
    ASSERT_GE(aside.contact_count, 1);
    EXPECT_EQ(aside.contacts[0].feature, FeatureKind::Edge);
    EXPECT_NEAR(double{aside.contacts[0].point.z}, -9.0, 1e-6);
    EXPECT_NEAR(double{aside.contacts[0].normal.z}, -1.0, 1e-6);
    EXPECT_NEAR(double{aside.position.z}, -9.5, 0.01);
}

// --- cores that go through a face ----------------------------------------------------------------

TYPED_TEST(RoundedBoxTest, ACoreThroughAFaceIsNeverCalledFree) {
    const Triangles<TypeParam> floor = {{{{-90, 0, -90}, {90, 0, -90}, {0, 0, 90}}}};
    const Level<TypeParam> level = test::level_of(floor);
    const Shape<TypeParam> shape = rounded_box<TypeParam>({9, 9, 9}, 1);
    const Vec<TypeParam> start{0, 2, 0};
    const auto moved = move_and_slide<TypeParam>(level, shape, start, {});
    EXPECT_EQ(moved.stopped, StopReason::PushedOut);
    EXPECT_TRUE(moved.gap_proved);
    EXPECT_TRUE(box_keeps_skin(floor, test::exact(moved.position), shape, double{moved.skin}));
    EXPECT_NEAR(double{moved.position.y}, 9.0, 0.02);  // to the side of its centre
    const auto swept = first_contact<TypeParam>(level, shape, {start, {1, 0, 0}, 0});
    EXPECT_EQ(swept.verdict, Verdict::Contact);
    EXPECT_TRUE(swept.met_at_start);
    const auto gap = smallest_gap<TypeParam>(level, shape, start, TypeParam(1));
    EXPECT_TRUE(gap.found);
    EXPECT_NEAR(gap.gap_lower, -7.0, 1e-5);
}

TYPED_TEST(RoundedBoxTest, AFaceInsideOfTheBoxIsNeverCalledFree) {
    const Triangles<TypeParam> chip = {
        {{{TypeParam(0.5), 0, 0}, {TypeParam(0.75), 0, 0}, {TypeParam(0.5), TypeParam(0.25), 0}}}};
    const Level<TypeParam> level = test::level_of(chip);
    const Shape<TypeParam> shape = rounded_box<TypeParam>({9, 9, 9}, TypeParam(0.0625));
    EXPECT_EQ(overlap_at<TypeParam>(level, shape, {}), Verdict::Contact);
    const auto moved = move_and_slide<TypeParam>(level, shape, {}, {1, 0, 0});
    EXPECT_TRUE(!moved.gap_proved || moved.stopped == StopReason::PushedOut);
}

TYPED_TEST(RoundedBoxTest, IsPushedOutToTheSideOfItsCentreOrStays) {
    Random random{std::mt19937_64(61)};
    int pushed = 0;
    for (int trial = 0; trial < 30; ++trial) {
        SCOPED_TRACE(trial);
        const Shape<TypeParam> shape = random_box<TypeParam>(random, 3.0);
        const Vec<TypeParam> start = narrowed<TypeParam>(random.in_cube(1.0));
        Triangles<TypeParam> triangles;
        for (int i = 0; i < 1 + trial % 3; ++i) {
            const Vec3 middle = widened(start) + random.between(-1, 1) * widened(shape.half_axis);
            triangles.push_back(box_triangle_around<TypeParam>(random, middle, 3.0));
        }
        const Level<TypeParam> level = test::level_of(triangles);
        const auto moved = move_and_slide<TypeParam>(level, shape, start, {});
        if (!moved.gap_proved) {
            EXPECT_EQ(moved.position, start);
            continue;
        }
        EXPECT_TRUE(
            box_keeps_skin(triangles, test::exact(moved.position), shape, double{moved.skin}));
        pushed += moved.stopped == StopReason::PushedOut;
    }
    EXPECT_GE(pushed, 6);
}

TYPED_TEST(RoundedBoxTest, PassesOneSidedFacesFromBehindAlone) {
    const Triangles<TypeParam> floor = {{{{-9, 0, -9}, {0, 0, 9}, {9, 0, -9}}}};  // seen from above
    const Level<TypeParam> level = test::level_of(floor, {.one_sided = true});
    const Shape<TypeParam> shape = rounded_box<TypeParam>({1, TypeParam(1.5), 1}, TypeParam(0.5));
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

TYPED_TEST(RoundedBoxTest, AFirstContactIsNeverLateAndHardlyEarly) {
    Random random{std::mt19937_64(71)};
    int hits = 0;
    for (int trial = 0; trial < 24; ++trial) {
        SCOPED_TRACE(trial);
        const Shape<TypeParam> shape = random_box<TypeParam>(random, 3.0);
        const Triangles<TypeParam> triangles = {
            box_triangle_around<TypeParam>(random, random.in_cube(1.0), 2.0)};
        const Level<TypeParam> level = test::level_of(triangles);
        const Vec<TypeParam> start = narrowed<TypeParam>(8.0 * random.unit());
        const Vec<TypeParam> move =
            narrowed<TypeParam>(2.0 * (random.in_cube(1.5) - widened(start)));
        const auto found = first_contact<TypeParam>(level, shape, {start, move, 0});
        ASSERT_NE(found.verdict, Verdict::Unresolved);
        if (found.met_at_start) continue;
        const Exact from = test::exact(start);
        const Exact along = test::exact(move);
        const mpq_class time(double{found.toi_lower});
        const mpq_class radius(double{shape.radii.x});
        const ExactTriangle t = test::exact_of(triangles[0]);
        for (int i = 1; i <= 3; ++i)
            EXPECT_GE(box_distance_sq(test::at(from, time * i / 3, along), axes_of(shape), t),
                      radius * radius);
        if (found.verdict != Verdict::Contact) continue;
        ++hits;
        const mpq_class most = radius + mpq_class(std::is_same_v<TypeParam, float> ? 1e-5 : 1e-9);
        EXPECT_LE(box_distance_sq(test::at(from, time, along), axes_of(shape), t), most * most);
    }
    EXPECT_GE(hits, 8);
}

TYPED_TEST(RoundedBoxTest, ASmallestGapIsALowerBound) {
    Random random{std::mt19937_64(72)};
    int found_count = 0;
    for (int trial = 0; trial < 40; ++trial) {
        SCOPED_TRACE(trial);
        const Shape<TypeParam> shape = random_box<TypeParam>(random, 2.0);
        const Triangles<TypeParam> triangles = {
            box_triangle_around<TypeParam>(random, random.in_cube(1.0), 2.0)};
        const Level<TypeParam> level = test::level_of(triangles);
        const Vec<TypeParam> centre = narrowed<TypeParam>(random.in_cube(3.0));
        const auto gap = smallest_gap<TypeParam>(level, shape, centre, TypeParam(0.5));
        const mpq_class square =
            box_distance_sq(test::exact(centre), axes_of(shape), test::exact_of(triangles[0]));
        const mpq_class reach = mpq_class(gap.gap_lower) + mpq_class(double{shape.radii.x});
        if (reach > 0) {
            EXPECT_LE(reach * reach, square);
        }
        found_count += gap.found;
        if (square == 0) {
            EXPECT_LE(gap.gap_lower, -double{shape.radii.x});
        }
    }
    EXPECT_GE(found_count, 10);
}

// --- nearest points ------------------------------------------------------------------------------

TYPED_TEST(RoundedBoxTest, TheDistanceOfANearestPointIsALowerBoundAndNearlyTheDistance) {
    Random random{std::mt19937_64(81)};
    int found_count = 0;
    for (int trial = 0; trial < 300; ++trial) {
        SCOPED_TRACE(trial);
        const Triangles<TypeParam> triangles = {
            box_triangle_around<TypeParam>(random, random.in_cube(1.0), 2.0)};
        const Level<TypeParam> level = test::level_of(triangles);
        const Vec<TypeParam> point = narrowed<TypeParam>(random.in_cube(2.0));
        const auto nearest = nearest_point<TypeParam>(level, point, TypeParam(1.5));
        const mpq_class square =
            test::point_triangle_sq(test::exact(point), test::exact_of(triangles[0]));
        const mpq_class lower(nearest.distance_lower);
        EXPECT_LE(lower * lower, square);
        if (!nearest.found) continue;
        ++found_count;
        const mpq_class upper = lower + mpq_class(1e-6);
        EXPECT_GE(upper * upper, square);
        EXPECT_NEAR(norm(widened(nearest.contact.point) - widened(point)), nearest.distance_lower,
                    1e-5);
    }
    EXPECT_GE(found_count, 100);
    const Level<TypeParam> level =
        test::level_of(Triangles<TypeParam>{{{{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}}}});
    EXPECT_EQ(nearest_point<TypeParam>(level, {0, 0, 0}, 1).distance_lower, 0.0);
    EXPECT_TRUE(nearest_point<TypeParam>(level, {0, 5, 0}, 0).found);
    EXPECT_FALSE(nearest_point<TypeParam>(level, {0, 5, 0}, 4).found);
}

TYPED_TEST(RoundedBoxTest, RefusesNumbersThatMakeNoBox) {
    const Level<TypeParam> level =
        test::level_of(Triangles<TypeParam>{{{{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}}}});
    constexpr TypeParam kNan = std::numeric_limits<TypeParam>::quiet_NaN();
    const Shape<TypeParam> skewed{{1, 1, 1}, {0, 1, 0}, {{{1, 1, 0}, {0, 0, 1}}}};
    for (const Shape<TypeParam>& shape :
         {rounded_box<TypeParam>({1, 1, 1}, 0), rounded_box<TypeParam>({1, 1, 1}, 2),
          rounded_box<TypeParam>({1, kNan, 1}, 1),
          rounded_box<TypeParam>({2, 2, 2}, 1, {0, 0, 0, 0}), skewed}) {
        const auto moved = move_and_slide<TypeParam>(level, shape, {0, 5, 0}, {0, -9, 0});
        EXPECT_FALSE(moved.gap_proved);
        EXPECT_EQ(moved.position, (Vec<TypeParam>{0, 5, 0}));
        const auto swept = first_contact<TypeParam>(level, shape, {{0, 5, 0}, {0, -9, 0}, 0});
        EXPECT_EQ(swept.verdict, Verdict::Unresolved);
    }
}

// A public shape may have such axes, and products of two of them have squares that underflow: normals of
// which nothing is known, so that no face may be left out for them.
TEST(RoundedBox, AxesWhoseProductsUnderflowHideNoFace) {
    const Triangles<double> floor = {{{{-5, -3, -5}, {5, -3, -5}, {0, -3, 5}}}};
    const Level<double> level = test::level_of(floor);
    for (const double tiny :
         {0x1p-60, 0x1p-260, 0x1p-268, 0x1p-280, 0x1p-500, 0x1p-1000, 0x1p-1074}) {
        const Shape<double> all{{1, 1, 1}, {0, tiny, 0}, {{{tiny, 0, 0}, {0, 0, tiny}}}};
        const Shape<double> one{{1, 1, 1}, {0, tiny, 0}, {{{1, 0, 0}, {0, 0, 1}}}};
        for (const Shape<double>& shape : {all, one}) {
            const auto swept = first_contact<double>(level, shape, {{0, 0, 0}, {0, -2.5, 0}});
            EXPECT_NE(swept.verdict, Verdict::Separated) << tiny;
            EXPECT_LE(swept.toi_lower, 0.8 + 1e-9) << tiny;
            const auto moved = move_and_slide<double>(level, shape, {0, -1.5, 0}, {0, -2.9, 0});
            EXPECT_GT(moved.position.y, -2.0) << tiny;
        }
    }
}

}  // namespace
}  // namespace graze::slide
