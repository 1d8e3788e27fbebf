// Worlds of placed parts, and what their motions do to shapes: in rationals, and at times in between.
// Defends G-SLIDE-8, G-SLIDE-9 (docs/GUARANTEES.md).
#include "graze/slide/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "graze/slide/level.hpp"
#include "graze/slide/mover.hpp"
#include "graze/slide/ride.hpp"
#include "graze/slide/sweep.hpp"
#include "slide/exact_clearance.hpp"
#include "slide/placement.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

using test::Exact;
using test::Random;
using test::Triangles;
using test::operator-;

using Faces = std::vector<std::array<std::uint32_t, 3>>;

Pose random_pose(Random& random, double size) {
    return {rotation_about(random.unit(), random.between(-3, 3)), random.in_cube(size)};
}

// A closed box.
template <class Real>
std::uint32_t add_box(World<Real>& world, const Vec3& half) {
    std::vector<Vec<Real>> points;
    for (int i = 0; i < 8; ++i)
        points.push_back(
            narrowed<Real>({(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y,
                            (i & 4) != 0 ? half.z : -half.z}));
    const Faces faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return world.add_mesh(points, faces).value();
}

template <class Real>
Triangles<Real> triangles_of(const Obstacles<Real>& obstacles) {
    Triangles<Real> all;
    for (std::uint32_t part = 0; part < obstacles.part_count(); ++part)
        for (std::uint32_t face = 0; face < obstacles.face_count(part); ++face)
            all.push_back(obstacles.triangle(part, face));
    return all;
}

Exact sum(const Exact& a, const Exact& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

template <class Real>
mpq_class gap_sq(const Vec<Real>& centre, const Shape<Real>& shape,
                 const std::array<Vec<Real>, 3>& t) {
    const Exact c = test::exact(centre);
    const Exact a = test::exact(shape.half_axis);
    return test::segment_triangle_sq(c - a, sum(c, a), test::exact_of(t));
}

template <class Real>
bool keeps(const Obstacles<Real>& obstacles, const Vec<Real>& centre, const Shape<Real>& shape,
           double skin) {
    const mpq_class least = mpq_class(double{shape.radii.x}) + mpq_class(skin);
    for (const auto& t : triangles_of(obstacles)) {
        double far = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            far = std::max({far,
                            std::min({double{t[0][axis]}, double{t[1][axis]}, double{t[2][axis]}}) -
                                double{centre[axis]},
                            double{centre[axis]} - std::max({double{t[0][axis]}, double{t[1][axis]},
                                                             double{t[2][axis]}})});
        if (far > 1.2) continue;  // no shape here reaches that far
        if (gap_sq(centre, shape, t) < least * least) return false;
    }
    return true;
}

template <class Real>
class WorldTest : public testing::Test {};
using WorldReals = testing::Types<float, double>;
TYPED_TEST_SUITE(WorldTest, WorldReals);

// SW-1, where it is sharpest: a box that is one placed vertex.
TYPED_TEST(WorldTest, BoxesHoldWhatIsPlacedAndWhatItWasPlacedFrom) {
    using Real = TypeParam;
    Random random{std::mt19937_64(81)};
    for (int trial = 0; trial < 20'000; ++trial) {
        const double size = std::exp2(random.between(-20, 20));
        const double offset = size * std::exp2(random.between(-10, 20));
        const Vec<Real> vertex = narrowed<Real>(random.in_cube(size));
        const Vec3 v = widened(vertex);
        const double mesh = std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z);
        const Placement placement = placement_of<Real>(random_pose(random, offset), mesh);
        const Vec3 placed = widened(placement.placed(vertex));
        const Box back = placement.to_mesh({placed, placed});
        const Box there = placement.to_world({v, v});
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_LE(back.lower[axis], v[axis]);
            EXPECT_GE(back.upper[axis], v[axis]);
            EXPECT_LE(there.lower[axis], placed[axis]);
            EXPECT_GE(there.upper[axis], placed[axis]);
        }
    }
}

TYPED_TEST(WorldTest, FindsWhatALevelOfThePlacedTrianglesFinds) {
    using Real = TypeParam;
    Random random{std::mt19937_64(82)};
    World<Real> world;
    const std::uint32_t large = add_box(world, {0.7, 0.4, 1.1});
    const std::uint32_t thin = add_box(world, {2.0, 0.01, 0.5});
    for (int i = 0; i < 60; ++i)
        ASSERT_TRUE(world.add_part(i % 2 == 0 ? large : thin, random_pose(random, 8.0)));
    for (int frame = 0; frame < 6; ++frame) {
        for (std::uint32_t part = 0; part < 60; part += 3)
            ASSERT_TRUE(world.move_part(part, random_pose(random, 8.0)));
        if (frame > 0) world.update();
        const Level<Real> level = test::level_of(triangles_of(world));
        for (int query = 0; query < 40; ++query) {
            const Shape<Real> shape = capsule(Real(0.3), Real(0.4), narrowed<Real>(random.unit()));
            const Vec<Real> start = narrowed<Real>(random.in_cube(8.0));
            const Vec<Real> move = narrowed<Real>(random.in_cube(6.0));
            const auto a = first_contact(world, shape, {start, move});
            const auto b = first_contact(level, shape, {start, move});
            EXPECT_EQ(a.verdict, b.verdict);
            EXPECT_EQ(a.toi_lower, b.toi_lower);
            const auto c = smallest_gap(world, shape, start, Real(1));
            const auto d = smallest_gap(level, shape, start, Real(1));
            EXPECT_EQ(c.found, d.found);
            EXPECT_EQ(c.gap_lower, d.gap_lower);
        }
    }
}

TYPED_TEST(WorldTest, KeepsTheSkinAmongPartsThatJump) {
    using Real = TypeParam;
    Random random{std::mt19937_64(83)};
    World<Real> world;
    const std::uint32_t mesh = add_box(world, {0.5, 0.3, 0.8});
    for (int i = 0; i < 40; ++i)
        ASSERT_TRUE(world.add_part(mesh, random_pose(random, 5.0)));
    const Shape<Real> shape = capsule(Real(0.3), Real(0.4));
    Vec<Real> position{};
    int proved = 0;
    for (int frame = 0; frame < 24; ++frame) {
        for (std::uint32_t part = 0; part < 40; part += 4)
            ASSERT_TRUE(world.place_part(part, random_pose(random, 5.0)));
        world.update();
        const auto moved =
            move_and_slide(world, shape, position, narrowed<Real>(random.in_cube(2.0)));
        if (!moved.gap_proved) continue;
        ++proved;
        position = moved.position;
        EXPECT_TRUE(keeps<Real>(world, position, shape, double{moved.skin}));
    }
    EXPECT_GE(proved, 12);
}

TYPED_TEST(WorldTest, SeesPartsBeforeTheNextUpdateAndNoneThatAreGone) {
    using Real = TypeParam;
    World<Real> world;
    const std::uint32_t mesh = add_box(world, {1, 1, 1});
    world.update();
    ASSERT_TRUE(world.add_part(mesh, {{}, {3, 0, 0}}));
    const Shape<Real> ball{{Real(0.5), Real(0.5), Real(0.5)}};
    const SweepQuery<Real> query{{}, {Real(4), Real(0), Real(0)}};
    EXPECT_EQ(first_contact(world, ball, query).verdict, Verdict::Contact);
    world.update();
    EXPECT_EQ(first_contact(world, ball, query).verdict, Verdict::Contact);
    ASSERT_TRUE(world.set_layers(0, 2));
    EXPECT_EQ(first_contact(world, ball, query).verdict, Verdict::Separated);
    ASSERT_TRUE(world.set_layers(0, 1));
    ASSERT_TRUE(world.remove_part(0));
    EXPECT_EQ(first_contact(world, ball, query).verdict, Verdict::Separated);
    EXPECT_FALSE(world.remove_part(0));
    EXPECT_FALSE(world.move_part(0, {}));
    world.update();
    EXPECT_EQ(first_contact(world, ball, query).verdict, Verdict::Separated);
}

TYPED_TEST(WorldTest, APartThatCannotMoveStaysWhereItIs) {
    using Real = TypeParam;
    World<Real> world;
    const auto part = world.add_part(add_box(world, {1, 1, 1}));
    world.update();
    const Pose to{{}, {5, 0, 0}};
    EXPECT_FALSE(world.move_part(*part, to, {std::nan(""), 0, 0}));
    EXPECT_FALSE(world.move_part(*part, to, {0x1p+301, 0, 0}));
    world.update();
    EXPECT_EQ(world.pose(*part), Pose{});
    EXPECT_EQ(world.motion(*part).from, world.motion(*part).to);
}

TYPED_TEST(WorldTest, RefusesWhatIsNoPose) {
    using Real = TypeParam;
    World<Real> world;
    EXPECT_FALSE(world.add_part(0));
    const std::uint32_t mesh = add_box(world, {1, 1, 1});
    EXPECT_FALSE(world.add_part(mesh, {{0, 0, 0, 0}, {}}));
    EXPECT_FALSE(world.add_part(mesh, {{}, {std::nan(""), 0, 0}}));
    ASSERT_TRUE(world.add_part(mesh));
    EXPECT_FALSE(world.move_part(0, {}, {HUGE_VAL, 0, 0}));
}

// --- rays and overlaps ---------------------------------------------------------------------------

TYPED_TEST(WorldTest, ARayMissesNothingThatIsAimedAt) {
    using Real = TypeParam;
    Random random{std::mt19937_64(87)};
    World<Real> world;
    const std::uint32_t mesh = add_box(world, {0.7, 0.4, 1.1});
    for (int i = 0; i < 30; ++i)
        ASSERT_TRUE(world.add_part(mesh, random_pose(random, 8.0)));
    world.update();
    const Triangles<Real> all = triangles_of(world);
    for (int trial = 0; trial < 400; ++trial) {
        const auto& t = all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
        const double a = random.between(0, 1);
        const double b = random.between(0, 1 - a);
        const Vec3 aimed = (1 - a - b) * widened(t[0]) + a * widened(t[1]) + b * widened(t[2]);
        const Vec<Real> origin = narrowed<Real>(random.in_cube(30.0));
        const Vec<Real> displacement = narrowed<Real>(2.0 * (aimed - widened(origin)));
        const auto hit = cast_ray(world, origin, displacement);
        EXPECT_EQ(hit.verdict, Verdict::Contact);
        EXPECT_LE(double{hit.toi_lower}, 0.5 + 1e-5);
        const Vec3 met = widened(origin) + double{hit.toi_lower} * widened(displacement);
        EXPECT_LE(norm(widened(hit.contact.point) - met), 1e-3);
        const Shape<Real> ball{{Real(0.1), Real(0.1), Real(0.1)}};
        EXPECT_EQ(overlap_at(world, ball, narrowed<Real>(aimed)), Verdict::Contact);
    }
    const Vec<Real> far{Real(100), Real(0), Real(0)};
    EXPECT_EQ(cast_ray(world, far, {Real(0), Real(9), Real(0)}).verdict, Verdict::Separated);
    EXPECT_EQ(cast_ray(world, far, {}).verdict, Verdict::Unresolved);
    EXPECT_EQ(overlap_at(world, Shape<Real>{}, far), Verdict::Separated);
    EXPECT_EQ(overlap_at(world, Shape<Real>{}, far, Real(-1)), Verdict::Unresolved);
}

// --- rides ---------------------------------------------------------------------------------------

// --- distances in doubles, for many times -------------------------------------------------------

double to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 edge = b - a;
    const double t = std::clamp(dot(p - a, edge) / norm_sq(edge), 0.0, 1.0);
    return norm(p - a - t * edge);
}
double between_segments(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    double best = std::min(
        {to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)});
    const Vec3 u = b - a;
    const Vec3 v = d - c;
    const Vec3 across = cross(u, v);
    const double size = norm_sq(across);
    if (size > 1e-20) {
        const double s = dot(cross(c - a, v), across) / size;
        const double t = dot(cross(c - a, u), across) / size;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)
            best = std::min(best, std::fabs(dot(c - a, across)) / std::sqrt(size));
    }
    return best;
}
bool is_over(const Vec3& p, const std::array<Vec3, 3>& t) {
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    for (std::size_t k = 0; k < 3; ++k)
        if (dot(cross(t[(k + 1) % 3] - t[k], p - t[k]), n) < 0.0) return false;
    return true;
}
double distance_of_core(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& t) {
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double over_a = dot(n, a - t[0]) / norm(n);
    const double over_b = dot(n, b - t[0]) / norm(n);
    if (over_a * over_b <= 0.0 && is_over(a + (over_a / (over_a - over_b)) * (b - a), t))
        return 0.0;
    double best = HUGE_VAL;
    for (std::size_t k = 0; k < 3; ++k)
        best = std::min(best, between_segments(a, b, t[k], t[(k + 1) % 3]));
    if (is_over(a, t)) best = std::min(best, std::fabs(over_a));
    if (is_over(b, t)) best = std::min(best, std::fabs(over_b));
    return best;
}

// At times between, on the path that was recorded: nothing is in the shape.
template <class Real>
void expect_free_all_along(const World<Real>& world, const Shape<Real>& shape,
                           const RideTrail& trail, double until) {
    for (std::size_t i = 1; i < trail.count; ++i) {
        const auto& a = trail.points[i - 1];
        const auto& b = trail.points[i];
        for (const double part : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) {
            const double time = std::min(a.time + part * (b.time - a.time), until);
            const Vec3 centre = a.position + part * (b.position - a.position);
            const Obstacles<Real> then = world.at(time);
            for (const auto& t : triangles_of(then)) {
                const Vec3 half = widened(shape.half_axis);
                const double distance = distance_of_core(
                    centre - half, centre + half, {widened(t[0]), widened(t[1]), widened(t[2])});
                // A placed vertex is rounded, and so is the position here.
                EXPECT_GE(distance, double{shape.radii.x} - 0x1p-18) << i << ' ' << part;
            }
        }
    }
}

struct RideCase {
    Pose from;
    Pose to;
    Vec3 half;
    Vec3 pivot;
};

template <class Real>
RideResult<Real> ride_once(const RideCase& c, const Vec<Real>& start, const Shape<Real>& shape,
                           bool is_carried, const std::vector<RideCase>& still = {}) {
    World<Real> world;
    const std::uint32_t part = world.add_part(add_box(world, c.half), c.from).value();
    for (const RideCase& s : still)
        EXPECT_TRUE(world.add_part(add_box(world, s.half), s.from));
    world.update();
    const auto settled = move_and_slide(world, shape, start, {});
    EXPECT_TRUE(settled.gap_proved);
    EXPECT_TRUE(world.move_part(part, c.to, c.pivot));
    world.update();
    RideTrail trail;
    const auto result =
        ride_parts(world, shape, settled.position,
                   is_carried ? std::optional<std::uint32_t>(part) : std::nullopt, {}, &trail);
    if (result.outcome == RideOutcome::Unproved) return result;
    expect_free_all_along(world, shape, trail, result.time);
    EXPECT_TRUE(keeps<Real>(world.at(result.time), result.position, shape, double{settled.skin}));
    return result;
}

TYPED_TEST(WorldTest, APlatformCarriesWhoStandsOnIt) {
    using Real = TypeParam;
    const Shape<Real> shape = capsule(Real(0.4), Real(0.5));
    for (const Vec3 move : {Vec3{0.5, 0, 0}, Vec3{0, 0.3, 0}, Vec3{0, -0.3, 0.2}, Vec3{1, 1, 1}}) {
        const RideCase platform{{{}, {0, -0.2, 0}}, {{}, Vec3{0, -0.2, 0} + move}, {2, 0.2, 2}, {}};
        const auto rode = ride_once<Real>(platform, {Real(0), Real(0.95), Real(0)}, shape, true);
        EXPECT_EQ(rode.outcome, RideOutcome::Carried);
        EXPECT_LE(rode.steps, 2);
        EXPECT_NEAR(double{rode.position.x}, move.x, 1e-2);
        EXPECT_NEAR(double{rode.position.y}, 0.9 + move.y, 0.06);
        EXPECT_NEAR(double{rode.position.z}, move.z, 1e-2);
    }
}

TYPED_TEST(WorldTest, APlatformThatRotatesCarriesAround) {
    using Real = TypeParam;
    const Shape<Real> shape = capsule(Real(0.4), Real(0.5));
    const RideCase disc{
        {{}, {0, -0.2, 0}}, {rotation_about({0, 1, 0}, 0.05), {0, -0.2, 0}}, {4, 0.2, 4}, {}};
    const auto rode = ride_once<Real>(disc, {Real(2), Real(0.91), Real(0)}, shape, true);
    EXPECT_EQ(rode.time, 1.0);
    EXPECT_NEAR(double{rode.position.x}, 2.0 * std::cos(0.05), 1e-2);
    EXPECT_NEAR(double{rode.position.z}, -2.0 * std::sin(0.05), 1e-2);
}

// However fast: it never passes through.
TYPED_TEST(WorldTest, AWallPushesAndDoesNotPassThrough) {
    using Real = TypeParam;
    const Shape<Real> shape = capsule(Real(0.4), Real(0.5));
    for (const double far : {0.1, 2.0, 20.0}) {
        const RideCase wall{{{}, {-1, 0, 0}}, {{}, {far, 0, 0}}, {0.01, 2, 2}, {}};
        const auto pushed = ride_once<Real>(wall, {Real(0.2), Real(0), Real(0)}, shape, false);
        EXPECT_EQ(pushed.outcome, RideOutcome::Pushed);
        EXPECT_EQ(pushed.time, 1.0);
        EXPECT_GT(double{pushed.position.x}, far + 0.4);
    }
}

TYPED_TEST(WorldTest, ADoorPushesWhoStandsInItsPath) {
    using Real = TypeParam;
    const Shape<Real> shape = capsule(Real(0.3), Real(0.5));
    const RideCase door{
        {{}, {1, 0, 0}}, {rotation_about({0, 1, 0}, -0.3), {}}, {1, 1, 0.03}, {-1, 0, 0}};
    RideCase hinged = door;
    hinged.to.translation = Vec3{} - rotate(door.to.rotation, {-1, 0, 0});
    const auto pushed = ride_once<Real>(hinged, {Real(1.2), Real(0), Real(0.4)}, shape, false);
    EXPECT_EQ(pushed.outcome, RideOutcome::Pushed);
    EXPECT_EQ(pushed.time, 1.0);
}

TYPED_TEST(WorldTest, APressReportsThatThereIsNoRoom) {
    using Real = TypeParam;
    const Shape<Real> shape = capsule(Real(0.4), Real(0.5));
    const RideCase press{{{}, {0, 3, 0}}, {{}, {0, 1.5, 0}}, {2, 0.2, 2}, {}};
    const RideCase floor{{{}, {0, -0.2, 0}}, {}, {3, 0.2, 3}, {}};
    const RideCase left{{{}, {-0.75, 1, 0}}, {}, {0.3, 1, 3}, {}};
    const RideCase right{{{}, {0.75, 1, 0}}, {}, {0.3, 1, 3}, {}};
    const auto crushed =
        ride_once<Real>(press, {Real(0), Real(0.95), Real(0)}, shape, false, {floor, left, right});
    EXPECT_EQ(crushed.outcome, RideOutcome::Crushed);
    EXPECT_LT(crushed.time, 1.0);
    EXPECT_GT(crushed.time, 0.6);
    EXPECT_GT(crushed.overlap, 0.3);
}

TYPED_TEST(WorldTest, AStartThatOverlapsProvesNothing) {
    using Real = TypeParam;
    World<Real> world;
    const std::uint32_t part = world.add_part(add_box(world, {1, 1, 1})).value();
    world.update();
    ASSERT_TRUE(world.move_part(part, {{}, {0.1, 0, 0}}));
    world.update();
    const Shape<Real> shape = capsule(Real(0.4), Real(0.5));
    const auto rode = ride_parts(world, shape, {Real(1.2), Real(0), Real(0)});
    EXPECT_EQ(rode.outcome, RideOutcome::Unproved);
    EXPECT_EQ(rode.time, 0.0);
    EXPECT_GE(rode.overlap, 0.3 - 1e-6);  // at the end of the frame
}

// Motions of all kinds, from positions near what moves.
template <class Real>
void expect_random_rides(std::uint64_t seed, int trials) {
    Random random{std::mt19937_64(seed)};
    int finished = 0;
    int moved = 0;
    for (int trial = 0; trial < trials; ++trial) {
        SCOPED_TRACE(trial);
        RideCase c;
        c.from = random_pose(random, 0.5);
        c.to = c.from;
        c.to.translation = c.from.translation + random.between(0, 0.6) * random.unit();
        const Quaternion by = rotation_about(random.unit(), random.between(0, 0.3));
        c.to.rotation = compose({by, {}}, {c.from.rotation, {}}).rotation;
        c.half = {random.between(0.05, 1), random.between(0.05, 1), random.between(0.05, 1)};
        c.pivot = random.in_cube(0.5);
        const Shape<Real> shape = capsule(Real(0.25), Real(0.3), narrowed<Real>(random.unit()));
        const Vec<Real> start = narrowed<Real>(random.between(0.6, 1.6) * random.unit());
        World<Real> probe;
        ASSERT_TRUE(probe.add_part(add_box(probe, c.half), c.from));
        if (!move_and_slide(probe, shape, start, {}).gap_proved) continue;
        const auto rode = ride_once<Real>(c, start, shape, random.below(3) == 0);
        finished += rode.time == 1.0;
        moved += rode.outcome == RideOutcome::Pushed || rode.outcome == RideOutcome::Carried;
    }
    EXPECT_GE(finished, trials / 2);
    EXPECT_GE(moved, trials / 5);
}
TYPED_TEST(WorldTest, NoMotionLeadsIntoTheShape) {
    expect_random_rides<TypeParam>(84, 25);
}
TEST(WorldRideAttack, NoMotionLeadsIntoTheShape) {
    expect_random_rides<float>(85, 1'000);
    expect_random_rides<double>(86, 1'000);
}

}  // namespace
}  // namespace graze::slide
