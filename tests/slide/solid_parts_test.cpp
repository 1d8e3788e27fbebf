// Spheres, capsules, boxes and height fields beside triangles: what is kept from them, in rationals
// and in long double, by formulas that have nothing in common with those of the library.
// Defends G-SLIDE-11, G-SLIDE-12 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "graze/slide/character.hpp"
#include "graze/slide/move_trail.hpp"
#include "graze/slide/mover.hpp"
#include "graze/slide/ride.hpp"
#include "graze/slide/sweep.hpp"
#include "graze/slide/world.hpp"
#include "slide/exact_clearance.hpp"
#include "slide/height_grid.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

using test::Exact;
using test::Random;
using Wide = long double;
using WideVec = std::array<Wide, 3>;

WideVec wide(const Vec3& v) {
    return {v.x, v.y, v.z};
}
WideVec along(const WideVec& a, Wide s, const WideVec& b) {
    return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
Wide dot_of(const WideVec& a, const WideVec& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Wide length_of_wide(const WideVec& a) {
    return std::sqrt(dot_of(a, a));
}

// A sphere or a capsule as it is placed.
struct RoundPart {
    Vec3 p;
    Vec3 q;
    double radius = 0.0;
};

// Of a point from an ellipsoid around the origin, -1 inside: t solves sum (r y / (t + r^2))^2 = 1.
Wide ellipsoid_distance(const WideVec& radii, const WideVec& y) {
    const auto value = [&](Wide t) {
        Wide sum = -1;
        for (std::size_t i = 0; i < 3; ++i) {
            const Wide x = radii[i] * y[i] / (t + radii[i] * radii[i]);
            sum += x * x;
        }
        return sum;
    };
    if (value(0) <= 0) return -1;
    // The sum is convex and falls: Newton's steps from 0 do not pass the root.
    Wide t = 0;
    for (int i = 0; i < 200; ++i) {
        Wide slope = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const Wide d = t + radii[k] * radii[k];
            const Wide x = radii[k] * y[k] / d;
            slope -= 2 * x * x / d;
        }
        const Wide next = t - value(t) / slope;
        if (!(next > t)) break;
        t = next;
    }
    WideVec off;
    for (std::size_t i = 0; i < 3; ++i)
        off[i] = y[i] * t / (t + radii[i] * radii[i]);
    return length_of_wide(off);
}

// Of a point from the shape, without its skin. Requires: a core only with equal radii, and axes that
// are perpendicular.
template <class Real>
Wide point_gap(const Shape<Real>& shape, const WideVec& centre, const WideVec& point) {
    WideVec offset = along(point, -1, centre);
    for (const Vec<Real>& axis : {shape.half_axis, shape.side_axes[0], shape.side_axes[1]}) {
        const WideVec a = wide(widened(axis));
        const Wide square = dot_of(a, a);
        if (square > 0)
            offset = along(offset, -std::clamp(dot_of(offset, a) / square, Wide(-1), Wide(1)), a);
    }
    const WideVec radii = wide(widened(shape.radii));
    if (radii[0] == radii[1] && radii[1] == radii[2]) return length_of_wide(offset) - radii[0];
    return ellipsoid_distance(radii, offset);
}

// The distance is convex along the segment.
template <class Real>
Wide round_gap(const Shape<Real>& shape, const WideVec& centre, const RoundPart& part) {
    const WideVec p = wide(part.p);
    const WideVec edge = along(wide(part.q), -1, p);
    Wide low = 0;
    Wide high = 1;
    const auto gap = [&](Wide u) { return point_gap(shape, centre, along(p, u, edge)); };
    if (dot_of(edge, edge) > 0) {
        // Thirds down to 2^-30 of it, where the distance is off by the square of that.
        for (int i = 0; i < 52; ++i) {
            const Wide a = low + (high - low) / 3;
            const Wide b = high - (high - low) / 3;
            if (gap(a) > gap(b)) {
                low = a;
            } else {
                high = b;
            }
        }
    }
    return std::min({gap(low), gap(0), gap(1)}) - Wide(part.radius);
}

template <class Real>
std::vector<RoundPart> round_parts_of(const Obstacles<Real>& obstacles) {
    std::vector<RoundPart> parts;
    for (std::uint32_t part = 0; part < obstacles.part_count(); ++part) {
        if (!(obstacles.rounding(part) > Real{0})) continue;
        const auto t = obstacles.triangle(part, 0);
        parts.push_back({widened(t[0]), widened(t[1]), double{obstacles.rounding(part)}});
    }
    return parts;
}

// [length] Gaps above this are not measured: no skin and no margin here is as wide.
constexpr double kFarGap = 0.5;

// [length] Of the shape from its centre, at least.
template <class Real>
double reach_of(const Shape<Real>& shape) {
    return norm_max(widened(shape.radii)) + norm(widened(shape.half_axis)) +
           norm(widened(shape.side_axes[0])) + norm(widened(shape.side_axes[1]));
}

// In doubles: only to tell what is far.
double distance_to_segment(const Vec3& point, const RoundPart& part) {
    const Vec3 edge = part.q - part.p;
    const double square = norm_sq(edge);
    const double s = square > 0.0 ? std::clamp(dot(point - part.p, edge) / square, 0.0, 1.0) : 0.0;
    return norm(point - (part.p + s * edge));
}

// Infinite where it is above kFarGap.
template <class Real>
Wide smallest_round_gap(const Obstacles<Real>& obstacles, const Shape<Real>& shape,
                        const Vec3& centre) {
    Wide least = std::numeric_limits<Wide>::infinity();
    const double reach = reach_of(shape) + kFarGap;
    for (const RoundPart& part : round_parts_of(obstacles)) {
        if (distance_to_segment(centre, part) > part.radius + reach) continue;
        least = std::min(least, round_gap(shape, wide(centre), part));
    }
    return least;
}

// What the verifying formulas themselves may be off by.
constexpr Wide kWideError = 1e-15L;

template <class Real>
std::vector<Shape<Real>> shapes_of_all_kinds(Random& random) {
    const Quaternion rotation = std::is_same_v<Real, double>
                                    ? rotation_about(random.unit(), random.between(-3, 3))
                                    : Quaternion{};
    return {{{Real(0.3), Real(0.3), Real(0.3)}},
            capsule(Real(0.25), Real(0.4), narrowed<Real>(random.unit())),
            rounded_box<Real>({Real(0.25), Real(0.5), Real(0.375)}, Real(0.0625), rotation),
            {{Real(0.2), Real(0.5), Real(0.3)}},
            {{Real(0.6), Real(0.1), Real(0.6)}}};
}

Pose some_pose(Random& random, double size) {
    return {rotation_about(random.unit(), random.between(-3, 3)), random.in_cube(size)};
}

template <class Real>
World<Real> round_world(Random& random, int count, double size) {
    World<Real> world;
    for (int i = 0; i < count; ++i) {
        const Real radius = static_cast<Real>(random.between(0.1, 0.6));
        const Real half = static_cast<Real>(random.between(0.1, 0.8));
        const auto mesh = i % 2 == 0 ? world.add_sphere(radius) : world.add_capsule(radius, half);
        EXPECT_TRUE(world.add_part(mesh.value(), some_pose(random, size)));
    }
    world.update();
    return world;
}

template <class Real>
class SolidPartsTest : public testing::Test {};
using SolidReals = testing::Types<float, double>;
TYPED_TEST_SUITE(SolidPartsTest, SolidReals);

// Of balls and capsules without rounding.
template <class Real>
bool keeps_from_round(const Obstacles<Real>& obstacles, const Shape<Real>& shape,
                      const Vec<Real>& centre, Real skin) {
    const Exact c = test::exact(centre);
    const Exact a = test::exact(shape.half_axis);
    const Exact low = test::at(c, -1, a);
    const Exact high = test::at(c, 1, a);
    for (std::uint32_t part = 0; part < obstacles.part_count(); ++part) {
        const mpq_class least = mpq_class(double{shape.radii.x}) + mpq_class(double{skin}) +
                                mpq_class(double{obstacles.rounding(part)});
        const auto t = test::exact_of(obstacles.triangle(part, 0));
        if (test::segment_triangle_sq(low, high, t) < least * least) return false;
    }
    return true;
}

template <class Real>
void expect_moves_keep_their_skin(std::uint64_t seed, int trials) {
    Random random{std::mt19937_64(seed)};
    int moved = 0;
    int touched = 0;
    int proved = 0;
    for (int trial = 0; trial < trials; ++trial) {
        SCOPED_TRACE(trial);
        const World<Real> world = round_world<Real>(random, 14, 2.0);
        const auto shapes = shapes_of_all_kinds<Real>(random);
        for (std::size_t kind = 0; kind < shapes.size(); ++kind) {
            SCOPED_TRACE(kind);
            const Shape<Real>& shape = shapes[kind];
            Vec<Real> position = narrowed<Real>(random.in_cube(2.5));
            for (int i = 0; i < 4; ++i) {
                const Vec<Real> displacement =
                    narrowed<Real>(random.between(0.1, 3) * random.unit());
                MoveTrail trail;
                const auto result =
                    move_and_slide_traced(world, shape, position, displacement, {}, trail);
                EXPECT_LE(result.iterations, kMaxMoveIterations);
                if (!result.gap_proved) {
                    EXPECT_EQ(result.position, position);
                    break;
                }
                ++proved;
                moved += result.position != position;
                touched += result.contact_count > 0;
                position = result.position;
                EXPECT_GE(smallest_round_gap(world, shape, widened(position)),
                          Wide(result.skin) - kWideError);
                if (kind < 2) {
                    EXPECT_TRUE(keeps_from_round(world, shape, position, result.skin));
                }
                // On the path, but where it was pushed.
                const auto points = trail.points();
                for (std::size_t k = 1; k < points.size(); ++k) {
                    if (points[k].is_pushed) continue;
                    const Vec3 from = points[k - 1].position;
                    const Vec3 by = points[k].position - from;
                    for (const double s : {0.2, 0.5, 0.8})
                        EXPECT_GE(smallest_round_gap(world, shape, from + s * by),
                                  Wide(result.skin) - kWideError);
                }
            }
        }
    }
    EXPECT_GE(proved, 6 * trials);
    EXPECT_GE(moved, 4 * trials);
    EXPECT_GE(touched, 2 * trials);
}
TYPED_TEST(SolidPartsTest, MovesOfAllShapesKeepTheirSkinFromRoundParts) {
    expect_moves_keep_their_skin<TypeParam>(101, 6);
}
TEST(SolidPartsAttack, MovesOfAllShapesKeepTheirSkinFromRoundParts) {
    expect_moves_keep_their_skin<float>(102, 300);
    expect_moves_keep_their_skin<double>(103, 300);
}

// Never late: free at all times before; hardly early: near when it stops.
template <class Real>
void expect_sweeps_are_not_late(std::uint64_t seed, int trials) {
    Random random{std::mt19937_64(seed)};
    const Wide rounding = std::is_same_v<Real, float> ? 1e-6L : 1e-9L;
    int contacts = 0;
    int free = 0;
    for (int trial = 0; trial < trials; ++trial) {
        SCOPED_TRACE(trial);
        const World<Real> world = round_world<Real>(random, 1 + trial % 3, 0.7);
        for (const Shape<Real>& shape : shapes_of_all_kinds<Real>(random)) {
            const Vec<Real> start = narrowed<Real>(random.between(1.5, 4) * random.unit());
            const Vec<Real> move = narrowed<Real>(random.in_cube(0.8) - 1.3 * widened(start));
            const Real margin = static_cast<Real>(random.below(2) * 0.05);
            const auto swept = first_contact(world, shape, {start, move, margin});
            if (swept.met_at_start) continue;
            const double end = double{swept.toi_lower};
            // Of an ellipsoid the margin is kept as a factor: at least.
            for (int i = 0; i < 32; ++i) {
                const Vec3 centre = widened(start) + (end * i / 32) * widened(move);
                EXPECT_GE(smallest_round_gap(world, shape, centre), Wide(margin) - kWideError);
            }
            if (swept.verdict == Verdict::Separated) {
                ++free;
                continue;
            }
            ASSERT_EQ(swept.verdict, Verdict::Contact);
            ++contacts;
            const Vec3 centre = widened(start) + end * widened(move);
            const Wide gap = smallest_round_gap(world, shape, centre);
            const Vec<Real>& r = shape.radii;
            const bool is_ellipsoid = r.x != r.y;
            const Wide most =
                is_ellipsoid ? Wide(margin) * std::max({r.x, r.y, r.z}) / std::min({r.x, r.y, r.z})
                             : Wide(margin);
            EXPECT_LE(gap, most + rounding);
            // The contact is on the surface, and its normal is that of the surface.
            EXPECT_EQ(swept.contact.feature, FeatureKind::Face);
            const auto t = world.triangle(swept.contact.part, 0);
            const RoundPart part{widened(t[0]), widened(t[1]), 0.0};
            const Shape<Real> point{{Real(1), Real(1), Real(1)}};
            const Wide height = round_gap(point, wide(widened(swept.contact.point)), part) + 1.0L;
            EXPECT_NEAR(static_cast<double>(height), double{world.rounding(swept.contact.part)},
                        1e-5);
            const Vec3 out = widened(swept.contact.point) + 0.5 * widened(swept.contact.normal);
            EXPECT_NEAR(static_cast<double>(round_gap(point, wide(out), part) + 1.0L - height), 0.5,
                        1e-5);
        }
    }
    EXPECT_GE(contacts, trials);
    EXPECT_GE(free, trials / 8);
}
TYPED_TEST(SolidPartsTest, SweepsAgainstRoundPartsAreNeverLateAndHardlyEarly) {
    expect_sweeps_are_not_late<TypeParam>(104, 16);
}
TEST(SolidPartsAttack, SweepsAgainstRoundPartsAreNeverLateAndHardlyEarly) {
    expect_sweeps_are_not_late<float>(105, 1'000);
    expect_sweeps_are_not_late<double>(106, 1'000);
}

TYPED_TEST(SolidPartsTest, TheSmallestGapIsALowerBoundInsideAndOutside) {
    using Real = TypeParam;
    Random random{std::mt19937_64(107)};
    int inside = 0;
    for (int trial = 0; trial < 40; ++trial) {
        const World<Real> world = round_world<Real>(random, 1, 0.3);
        const RoundPart part = round_parts_of<Real>(world).front();
        for (const Shape<Real>& shape : shapes_of_all_kinds<Real>(random)) {
            const Vec<Real> centre = narrowed<Real>(random.in_cube(2.0));
            const auto found = smallest_gap(world, shape, centre, Real(8));
            ASSERT_TRUE(found.found);
            const Wide gap = round_gap(shape, wide(widened(centre)), part);
            const bool is_ball = shape.radii.x == shape.radii.y;
            EXPECT_EQ(overlap_at(world, shape, centre),
                      found.gap_lower >= 0.0 ? Verdict::Separated : Verdict::Contact);
            if (gap > 0) {
                EXPECT_LE(Wide(found.gap_lower), gap + kWideError);
                if (is_ball) {
                    EXPECT_NEAR(found.gap_lower, static_cast<double>(gap), 1e-9);
                }
            } else {
                ++inside;
                EXPECT_LT(found.gap_lower, 0.0);
                // Of a ball the depth is known: that of its centre below the surface.
                if (is_ball && shape.half_axis == Vec<Real>{} &&
                    shape.side_axes[0] == Vec<Real>{}) {
                    EXPECT_NEAR(found.gap_lower, static_cast<double>(gap), 1e-9);
                }
            }
        }
    }
    EXPECT_GE(inside, 5);
}

TYPED_TEST(SolidPartsTest, WhatStartsInsideIsPushedOutOrNotCalledFree) {
    using Real = TypeParam;
    Random random{std::mt19937_64(108)};
    int pushed = 0;
    for (int trial = 0; trial < 30; ++trial) {
        SCOPED_TRACE(trial);
        World<Real> world;
        const auto mesh = trial % 3 == 0   ? world.add_sphere(Real(0.5))
                          : trial % 3 == 1 ? world.add_capsule(Real(0.4), Real(0.5))
                                           : world.add_box({Real(0.4), Real(0.6), Real(0.5)});
        ASSERT_TRUE(world.add_part(mesh.value(), some_pose(random, 0.1)));
        world.update();
        auto shapes = shapes_of_all_kinds<Real>(random);
        shapes.push_back({{Real(0.01), Real(0.01), Real(0.01)}});
        shapes.push_back(capsule(Real(0.01), Real(0.02)));
        for (const Shape<Real>& shape : shapes) {
            const Vec<Real> start =
                trial < 3 ? narrowed<Real>(world.pose(0).translation)
                          : narrowed<Real>(world.pose(0).translation + random.in_cube(0.2));
            EXPECT_EQ(overlap_at(world, shape, start), Verdict::Contact);
            EXPECT_LT(smallest_gap(world, shape, start, Real(1)).gap_lower, 0.0);
            const auto ray = nearest_point(world, start, Real(2));
            EXPECT_TRUE(ray.found);
            EXPECT_EQ(ray.distance_lower, 0.0);
            const auto moved = move_and_slide(world, shape, start, {});
            if (!moved.gap_proved) {
                EXPECT_EQ(moved.position, start);
                continue;
            }
            ++pushed;
            EXPECT_EQ(moved.stopped, StopReason::PushedOut);
            EXPECT_EQ(overlap_at(world, shape, moved.position, moved.skin), Verdict::Separated);
            if (trial % 3 < 2) {
                EXPECT_GE(smallest_round_gap(world, shape, widened(moved.position)),
                          Wide(moved.skin) - kWideError);
            }
        }
    }
    EXPECT_GE(pushed, 75);
}

// A box is the twelve faces of a mesh, and all between them.
TYPED_TEST(SolidPartsTest, ABoxIsSolidWhereAMeshIsASurface) {
    using Real = TypeParam;
    Random random{std::mt19937_64(109)};
    for (int trial = 0; trial < 40; ++trial) {
        World<Real> world;
        const Pose pose = some_pose(random, 100.0);
        const Vec<Real> half = {Real(2), Real(3), Real(1.5)};
        const std::uint32_t box = world.add_box(half).value();
        ASSERT_TRUE(world.add_part(box, pose, 2));
        ASSERT_TRUE(world.set_layers(0, 1));
        if (trial % 2 == 0) world.update();
        EXPECT_EQ(world.face_count(0), 12U);
        const Shape<Real> small{{Real(0.1), Real(0.2), Real(0.1)}};
        const Vec3 within = {random.between(-1.5, 1.5), random.between(-2.5, 2.5),
                             random.between(-1, 1)};
        const Vec<Real> inside = narrowed<Real>(apply(pose, within));
        const Vec<Real> outside =
            narrowed<Real>(apply(pose, random.between(4.5, 8) * random.unit()));
        EXPECT_EQ(overlap_at(world, small, inside), Verdict::Contact);
        EXPECT_EQ(overlap_at(world, small, inside, Real(0), 4U), Verdict::Separated);
        EXPECT_EQ(overlap_at(world, small, outside), Verdict::Separated);
        const double depth =
            std::min({2 - std::fabs(within.x), 3 - std::fabs(within.y), 1.5 - std::fabs(within.z)});
        const auto gap = smallest_gap(world, small, inside, Real(0));
        EXPECT_TRUE(gap.found);
        EXPECT_LE(gap.gap_lower, -depth - 0.1 + 1e-4);
        const auto swept = first_contact(world, small, {inside, narrowed<Real>(random.unit())});
        EXPECT_EQ(swept.verdict, Verdict::Contact);
        EXPECT_TRUE(swept.met_at_start);
        EXPECT_EQ(swept.toi_lower, Real(0));
        const Vec<Real> move = narrowed<Real>(widened(inside) - widened(outside));
        const auto in = first_contact(world, small, {outside, move});
        EXPECT_EQ(in.verdict, Verdict::Contact);
        EXPECT_FALSE(in.met_at_start);
        EXPECT_LT(in.toi_lower, Real(1));
        EXPECT_GT(in.toi_lower, Real(0));
        // Its own triangles are those of a mesh of the same corners.
        const auto moved = move_and_slide(world, small, outside, move);
        EXPECT_TRUE(moved.gap_proved);
        EXPECT_EQ(overlap_at(world, small, moved.position, moved.skin), Verdict::Separated);
    }
}

// A centre that touches a side is not let in.
TYPED_TEST(SolidPartsTest, NoSweepLeadsIntoABoxFromItsSurface) {
    using Real = TypeParam;
    World<Real> world;
    ASSERT_TRUE(world.add_part(world.add_box({Real(1), Real(1), Real(1)}).value()));
    world.update();
    const Shape<Real> ball{{Real(0.25), Real(0.25), Real(0.25)}};
    for (const double off : {0.0, 0x1p-40, 0x1p-34, -0x1p-40, -0x1p-34}) {
        const Vec<Real> start = narrowed<Real>({0.1, 1.0 + off, 0.2});
        const auto swept = first_contact(world, ball, {start, {Real(0), Real(-0.9), Real(0)}});
        EXPECT_EQ(swept.verdict, Verdict::Contact);
        EXPECT_EQ(swept.toi_lower, Real(0));
    }
}

TYPED_TEST(SolidPartsTest, RaysFindSpheresAndCapsules) {
    using Real = TypeParam;
    World<Real> world;
    ASSERT_TRUE(world.add_part(world.add_sphere(Real(1)).value(), {{}, {5, 0, 0}}));
    ASSERT_TRUE(world.add_part(world.add_capsule(Real(0.5), Real(2), {7, 1, true}).value(),
                               {rotation_about({1, 0, 0}, 1.5707963267948966), {0, 4, 0}}));
    world.update();
    const auto sphere = cast_ray<Real>(world, {}, {Real(10), Real(0), Real(0)});
    ASSERT_EQ(sphere.verdict, Verdict::Contact);
    EXPECT_NEAR(double{sphere.toi_lower}, 0.4, 1e-5);
    EXPECT_NEAR(double{sphere.contact.normal.x}, -1.0, 1e-5);
    EXPECT_EQ(cast_ray<Real>(world, {}, {Real(10), Real(2.3), Real(0)}).verdict,
              Verdict::Separated);
    const auto capsule_hit =
        cast_ray<Real>(world, {Real(0), Real(0), Real(1.5)}, {Real(0), Real(10), Real(0)});
    ASSERT_EQ(capsule_hit.verdict, Verdict::Contact);
    EXPECT_NEAR(double{capsule_hit.toi_lower}, 0.35, 1e-5);
    EXPECT_EQ(capsule_hit.contact.part, 1U);
    EXPECT_EQ(capsule_hit.contact.tag, 7U);
    const auto near = nearest_point<Real>(world, {Real(0), Real(0), Real(2.2)}, Real(8));
    EXPECT_EQ(near.contact.part, 1U);
    EXPECT_NEAR(near.distance_lower, std::hypot(4.0, 0.2) - 0.5, 1e-6);
}

// Squares of lengths in radii of the shape overflow: from 2^256 on those of supports, from 2^512 on all.
TEST(SolidParts, NoShapeIsTooSmallForARoundPart) {
    World<double> world;
    ASSERT_TRUE(world.add_part(world.add_sphere(1.0).value(), {}));
    World<double> lying;
    ASSERT_TRUE(lying.add_part(lying.add_capsule(1.0, 1.0).value(), {}));
    world.update();
    lying.update();
    for (const World<double>* asked : {&world, &lying}) {
        for (const int exponent : {-100, -255, -256, -300, -508, -510, -512, -514, -600, -990}) {
            const double r = std::ldexp(1.0, exponent);
            const Vec<double> axis{0.05, 0.02, 0.01};
            for (const Shape<double>& shape :
                 {Shape<double>{{r, r, r}}, Shape<double>{{r, r, r}, axis},
                  Shape<double>{{1, r, 1}}, Shape<double>{{r, 1, r}}}) {
                for (std::size_t along = 0; along < 3; ++along) {
                    Vec<double> start;
                    Vec<double> move;
                    start[along] = -8;
                    move[along] = 16;
                    const auto swept = first_contact(*asked, shape, {start, move});
                    EXPECT_NE(swept.verdict, Verdict::Separated) << exponent << " " << along;
                    EXPECT_LE(swept.toi_lower, 0.4375) << exponent << " " << along;
                }
                const Vec<double> inside{0.25, 0.125, 0};
                const auto gap = smallest_gap(*asked, shape, inside, 0.0);
                EXPECT_TRUE(gap.found && gap.gap_lower <= 0.0) << exponent;
                EXPECT_NE(overlap_at(*asked, shape, inside), Verdict::Separated) << exponent;
                const auto moved = move_and_slide(*asked, shape, inside, {});
                EXPECT_FALSE(moved.gap_proved && moved.position == inside) << exponent;
            }
        }
    }
    // Where only some squares overflow, the answer is as good as for any other size.
    const auto near =
        first_contact<double>(world, {{0x1p-256, 0x1p-256, 0x1p-256}}, {{-8, 0, 0}, {16, 0, 0}});
    EXPECT_EQ(near.verdict, Verdict::Contact);
    EXPECT_NEAR(near.toi_lower, 0.4375, 0x1p-40);
}

TEST(SolidParts, NoCapsuleIsTooLongToBeFound) {
    for (const double half : {1e100, 1e153, 1e154, 1e155, 1e200, 1e300}) {
        World<double> world;
        ASSERT_TRUE(world.add_part(world.add_capsule(1.0, half).value(), {}));
        world.update();
        const Shape<double> ball{{0.5, 0.5, 0.5}};
        const Vec<double> inside{0.1, 0.2, 0};
        const auto gap = smallest_gap(world, ball, inside, 0.0);
        EXPECT_TRUE(gap.found && gap.gap_lower < 0.0) << half;
        EXPECT_NE(overlap_at(world, ball, inside), Verdict::Separated) << half;
        const auto near = nearest_point(world, inside, 1.0);
        EXPECT_TRUE(near.found && near.distance_lower == 0.0) << half;
        const auto moved = move_and_slide(world, ball, inside, {});
        EXPECT_FALSE(moved.gap_proved && moved.position == inside) << half;
        // Towards its middle: not let pass as what it leads out of.
        const auto deeper = first_contact<double>(world, ball, {{0.5, 0.2, 0}, {-0.4, 0.1, 0}});
        EXPECT_NE(deeper.verdict, Verdict::Separated) << half;
    }
}

// Much larger than the shape: a planet to walk on, and numbers far from the origin.
TYPED_TEST(SolidPartsTest, ACharacterWalksOverALargeSphere) {
    using Real = TypeParam;
    World<Real> world;
    ASSERT_TRUE(world.add_part(world.add_sphere(Real(500)).value(), {{}, {0, -500, 0}}));
    ASSERT_TRUE(world.add_part(world.add_sphere(Real(0.7)).value(), {{}, {3, 0, 0.1}}));
    world.update();
    Character hero{Capsule{Real(0.4), Real(1.8)}, Vec<Real>{Real(0), Real(0.1), Real(0)}};
    for (int i = 0; i < 120; ++i) {
        const auto frame = hero.move(world, {Real(0.06), Real(-0.05), Real(0)});
        ASSERT_TRUE(frame.gap_proved);
        ASSERT_TRUE(keeps_from_round(world, hero.shape(), hero.centre(), frame.skin));
        if (i > 5 && i < 30) {
            EXPECT_TRUE(frame.on_ground);
        }
    }
    EXPECT_GT(double{hero.feet().x}, 4.0);
}

// --- motions --------------------------------------------------------------------------------------

template <class Real>
void expect_round_rides(std::uint64_t seed, int trials) {
    Random random{std::mt19937_64(seed)};
    int finished = 0;
    int moved = 0;
    for (int trial = 0; trial < trials; ++trial) {
        SCOPED_TRACE(trial);
        World<Real> world;
        const auto mesh =
            trial % 2 == 0 ? world.add_sphere(Real(0.4)) : world.add_capsule(Real(0.2), Real(0.6));
        const Pose from = some_pose(random, 0.5);
        Pose to = from;
        const Vec<Real> start = narrowed<Real>(random.between(0.6, 1.6) * random.unit());
        to.translation = from.translation +
                         random.between(0, 0.9) * (widened(start) - from.translation) +
                         random.in_cube(0.2);
        to.rotation = compose({rotation_about(random.unit(), random.between(0, 0.5)), {}},
                              {from.rotation, {}})
                          .rotation;
        const std::uint32_t part = world.add_part(mesh.value(), from).value();
        world.update();
        const auto shapes = shapes_of_all_kinds<Real>(random);
        const Shape<Real>& shape = shapes[static_cast<std::size_t>(random.below(5))];
        const auto settled = move_and_slide(world, shape, start, {});
        if (!settled.gap_proved) continue;
        ASSERT_TRUE(world.move_part(part, to, random.in_cube(0.3)));
        world.update();
        RideTrail trail;
        const auto rode = ride_parts(world, shape, settled.position, {}, {}, &trail);
        if (rode.outcome == RideOutcome::Unproved) continue;
        finished += rode.time == 1.0;
        moved += rode.outcome == RideOutcome::Pushed;
        for (std::size_t k = 1; k < trail.count; ++k) {
            const auto& a = trail.points[k - 1];
            const auto& b = trail.points[k];
            if (!(b.time > a.time)) continue;
            for (int i = 0; i <= 8; ++i) {
                const double s = i / 8.0;
                const double time = a.time + s * (b.time - a.time);
                const Vec3 centre = a.position + s * (b.position - a.position);
                EXPECT_GT(smallest_round_gap(world.at(time), shape, centre), Wide(0));
            }
        }
        EXPECT_GE(smallest_round_gap(world.at(rode.time), shape, widened(rode.position)),
                  Wide(settled.skin) - 1e-6L);
    }
    // Which motions are drawn depends on the order in which a compiler evaluates arguments.
    EXPECT_GE(finished, trials / 4);
    EXPECT_GE(moved, trials / 8);
}
TYPED_TEST(SolidPartsTest, NoMotionOfARoundPartLeadsIntoTheShape) {
    expect_round_rides<TypeParam>(110, 10);
}
TEST(SolidPartsAttack, NoMotionOfARoundPartLeadsIntoTheShape) {
    expect_round_rides<float>(111, 200);
    expect_round_rides<double>(112, 200);
}

// --- height fields --------------------------------------------------------------------------------

template <class Real>
struct Terrain {
    HeightField<Real> field;
    std::vector<Real> heights;
    std::vector<Vec<Real>> points;
    std::vector<std::array<std::uint32_t, 3>> faces;  // of a mesh, without holes
    std::vector<std::uint32_t> face_of;               // the number of such a face in the field
};

template <class Real>
Terrain<Real> random_terrain(Random& random, std::uint32_t columns, std::uint32_t rows,
                             double holes) {
    Terrain<Real> t;
    t.field = {columns,
               rows,
               static_cast<Real>(random.between(0.2, 0.6)),
               static_cast<Real>(random.between(0.2, 0.6)),
               {}};
    for (std::uint32_t i = 0; i < columns * rows; ++i) {
        const bool is_hole = random.between(0, 1) < holes;
        t.heights.push_back(is_hole ? std::numeric_limits<Real>::quiet_NaN()
                                    : static_cast<Real>(random.between(-0.3, 0.3)));
        t.points.push_back({static_cast<Real>((i % columns) * double{t.field.spacing_x}),
                            is_hole ? Real(0) : t.heights.back(),
                            static_cast<Real>((i / columns) * double{t.field.spacing_z})});
    }
    for (std::uint32_t z = 0; z + 1 < rows; ++z) {
        for (std::uint32_t x = 0; x + 1 < columns; ++x) {
            const std::uint32_t a = z * columns + x;
            const std::uint32_t b = a + columns;
            const std::uint32_t cell = z * (columns - 1) + x;
            const std::array<std::array<std::uint32_t, 3>, 2> both{
                {{a, b, a + 1}, {a + 1, b, b + 1}}};
            for (std::uint32_t k = 0; k < 2; ++k) {
                const auto is_hole = [&](std::uint32_t v) { return std::isnan(t.heights[v]); };
                if (std::any_of(both[k].begin(), both[k].end(), is_hole)) continue;
                t.faces.push_back(both[k]);
                t.face_of.push_back(2 * cell + k);
            }
        }
    }
    t.field.heights = t.heights;
    return t;
}

TYPED_TEST(SolidPartsTest, AHeightFieldHasTheTrianglesOfAMeshAndAnswersAsThatDoes) {
    using Real = TypeParam;
    Random random{std::mt19937_64(113)};
    int contacts = 0;
    int moved = 0;
    for (int trial = 0; trial < 6; ++trial) {
        SCOPED_TRACE(trial);
        const auto terrain = random_terrain<Real>(
            random, 3 + static_cast<std::uint32_t>(random.below(30)),
            3 + static_cast<std::uint32_t>(random.below(30)), trial % 3 == 0 ? 0.1 : 0.0);
        const Pose pose = trial < 2 ? Pose{} : some_pose(random, 3.0);
        World<Real> grid;
        World<Real> mesh;
        ASSERT_TRUE(grid.add_part(grid.add_height_field(terrain.field).value(), pose));
        ASSERT_TRUE(mesh.add_part(mesh.add_mesh(terrain.points, terrain.faces).value(), pose));
        if (trial % 2 == 0) {
            grid.update();
            mesh.update();
        }
        for (std::uint32_t face = 0; face < terrain.faces.size(); ++face)
            ASSERT_EQ(grid.triangle(0, terrain.face_of[face]), mesh.triangle(0, face));
        const auto shapes = shapes_of_all_kinds<Real>(random);
        for (int query = 0; query < 25; ++query) {
            const Shape<Real>& shape = shapes[static_cast<std::size_t>(query) % shapes.size()];
            const Vec3 over = {random.between(0, terrain.field.columns * 0.4),
                               random.between(0.2, 2), random.between(0, terrain.field.rows * 0.4)};
            const Vec<Real> start = narrowed<Real>(apply(pose, over));
            const Vec<Real> move =
                narrowed<Real>(rotate(pose.rotation, {random.between(-2, 2), -random.between(0, 3),
                                                      random.between(-2, 2)}));
            const auto a = first_contact(grid, shape, {start, move});
            const auto b = first_contact(mesh, shape, {start, move});
            EXPECT_EQ(a.verdict, b.verdict);
            EXPECT_EQ(a.toi_lower, b.toi_lower);
            EXPECT_EQ(a.met_at_start, b.met_at_start);
            contacts += a.verdict == Verdict::Contact;
            const auto c = smallest_gap(grid, shape, start, Real(1));
            const auto d = smallest_gap(mesh, shape, start, Real(1));
            EXPECT_EQ(c.found, d.found);
            EXPECT_EQ(c.gap_lower, d.gap_lower);
            const auto e = move_and_slide(grid, shape, start, move);
            const auto f = move_and_slide(mesh, shape, start, move);
            EXPECT_EQ(e.gap_proved, f.gap_proved);
            if (!e.gap_proved) continue;
            ++moved;
            // Each is free in the other.
            EXPECT_EQ(overlap_at(mesh, shape, e.position, e.skin), Verdict::Separated);
            EXPECT_EQ(overlap_at(grid, shape, f.position, f.skin), Verdict::Separated);
        }
    }
    EXPECT_GE(contacts, 20);
    EXPECT_GE(moved, 50);
}

TYPED_TEST(SolidPartsTest, TheSearchOfAHeightFieldPassesNothingOver) {
    using Real = TypeParam;
    Random random{std::mt19937_64(114)};
    for (int trial = 0; trial < 8; ++trial) {
        const auto terrain =
            random_terrain<Real>(random, 2 + static_cast<std::uint32_t>(random.below(70)),
                                 2 + static_cast<std::uint32_t>(random.below(40)), 0.05);
        const auto grid = HeightGrid<Real>::make(terrain.field);
        ASSERT_TRUE(grid);
        for (int query = 0; query < 30; ++query) {
            // Half of them touch a vertex, and no more.
            const auto& v = terrain.points[static_cast<std::size_t>(
                random.below(static_cast<int>(terrain.points.size())))];
            const Vec3 far = random.in_cube(query % 3 == 0 ? 0.2 : 8.0);
            Box box;
            box.add(query % 2 == 0 ? widened(v) : widened(v) + random.in_cube(1.0));
            box.add(box.lower + far);
            std::vector<bool> found(grid->face_count(), false);
            grid->search(box, [&](std::uint32_t face) {
                EXPECT_FALSE(found[face]);  // once
                found[face] = true;
                return true;
            });
            for (const std::uint32_t face : terrain.face_of) {
                Box of;
                for (const Vec<Real>& p : grid->triangle(face))
                    of.add(widened(p));
                bool meets = true;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    meets = meets && of.lower[axis] <= box.upper[axis] &&
                            box.lower[axis] <= of.upper[axis];
                if (meets) {
                    EXPECT_TRUE(found[face]);
                }
            }
        }
    }
}

TYPED_TEST(SolidPartsTest, AHoleLetsAShapeFallThrough) {
    using Real = TypeParam;
    std::vector<Real> heights(25, Real(0));
    heights[12] = std::numeric_limits<Real>::quiet_NaN();
    World<Real> world;
    const auto mesh =
        world.add_height_field({5, 5, Real(1), Real(1), std::span<const Real>(heights)});
    ASSERT_TRUE(world.add_part(mesh.value()));
    world.update();
    const Shape<Real> ball{{Real(0.25), Real(0.25), Real(0.25)}};
    const Vec<Real> down{Real(0), Real(-4), Real(0)};
    EXPECT_EQ(first_contact(world, ball, {{Real(2), Real(2), Real(2)}, down}).verdict,
              Verdict::Separated);
    EXPECT_EQ(first_contact(world, ball, {{Real(0.5), Real(2), Real(3.5)}, down}).verdict,
              Verdict::Contact);
}

TEST(SolidParts, RefusesWhatIsNoObstacle) {
    World<float> world;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinite = std::numeric_limits<float>::infinity();
    for (const float length : {0.0F, -1.0F, nan, infinite}) {
        EXPECT_FALSE(world.add_sphere(length));
        EXPECT_FALSE(world.add_capsule(length, 1.0F));
        EXPECT_FALSE(world.add_capsule(1.0F, length));
        EXPECT_FALSE(world.add_box({1.0F, length, 1.0F}));
    }
    std::vector<float> heights(6, 0.0F);
    const auto field = [&](std::uint32_t columns, std::uint32_t rows, float spacing) {
        return HeightField<float>{columns, rows, spacing, 1.0F, heights};
    };
    EXPECT_FALSE(world.add_height_field(field(1, 6, 1.0F)));
    EXPECT_FALSE(world.add_height_field(field(3, 3, 1.0F)));
    EXPECT_FALSE(world.add_height_field(field(3, 2, 0.0F)));
    EXPECT_FALSE(world.add_height_field(field(3, 2, infinite)));
    EXPECT_FALSE(world.add_height_field(field(3, 2, 1.0F), std::vector<FaceMarks>(3)));
    EXPECT_TRUE(world.add_height_field(field(3, 2, 1.0F), std::vector<FaceMarks>(4)));
    heights[4] = infinite;
    EXPECT_FALSE(world.add_height_field(field(3, 2, 1.0F)));
    heights.assign(6, nan);
    EXPECT_FALSE(world.add_height_field(field(3, 2, 1.0F)));
    EXPECT_EQ(world.rounding(0), 0.0F);
}

}  // namespace
}  // namespace graze::slide
