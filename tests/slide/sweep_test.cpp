// The first contact of a moving ball, held against distances in rationals.
// Defends G-SLIDE-1, G-SLIDE-2 (docs/GUARANTEES.md).
#include "graze/slide/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "graze/verify/exact_segment.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

using test::Exact;
using test::ExactTriangle;
using test::level_of;
using test::Random;
using test::Triangles;

template <class Real>
struct Scene {
    Triangles<Real> triangles;
    Shape<Real> shape;
    SweepQuery<Real> query;
};

// --- What is exactly true ------------------------------------------------------------------------

// (1 + margin / smallest radius)^2, in the space of the unit ball.
template <class Real>
mpq_class wanted_sq(const Scene<Real>& scene) {
    const Vec<Real>& r = scene.shape.radii;
    const mpq_class smallest(double{std::min({r.x, r.y, r.z})});
    const mpq_class factor = 1 + mpq_class(double{scene.query.margin}) / smallest;
    return factor * factor;
}

template <class Real>
ExactTriangle in_ball_space(const std::array<Vec<Real>, 3>& t, const Exact& radii) {
    return {test::divided(test::exact(t[0]), radii), test::divided(test::exact(t[1]), radii),
            test::divided(test::exact(t[2]), radii)};
}

// Squared distance of the way up to `time` from the nearest triangle, and of its end.
template <class Real>
struct WayDistance {
    mpq_class way_sq;
    mpq_class end_sq;
    mpq_class start_sq;
};
template <class Real>
WayDistance<Real> way_distance(const Scene<Real>& scene, Real time) {
    const Exact radii = test::exact(scene.shape.radii);
    const Exact from = test::divided(test::exact(scene.query.start), radii);
    const Exact move = test::divided(test::exact(scene.query.displacement), radii);
    const Exact to = test::at(from, mpq_class(double{time}), move);
    WayDistance<Real> result;
    bool first = true;
    for (const auto& t : scene.triangles) {
        const ExactTriangle triangle = in_ball_space(t, radii);
        const mpq_class way = test::segment_triangle_sq(from, to, triangle);
        const mpq_class end = test::point_triangle_sq(to, triangle);
        const mpq_class start = test::point_triangle_sq(from, triangle);
        result.way_sq = first ? way : std::min(result.way_sq, way);
        result.end_sq = first ? end : std::min(result.end_sq, end);
        result.start_sq = first ? start : std::min(result.start_sq, start);
        first = false;
    }
    return result;
}

// --- Scenes --------------------------------------------------------------------------------------

// In units of the radius, before scale and offset.
struct UnitScene {
    std::array<Vec3, 3> triangle;
    Vec3 start;
    Vec3 move;
};

std::array<Vec3, 3> some_triangle(Random& random) {
    const double size = std::exp2(random.between(-6.0, 6.0));
    std::array<Vec3, 3> t = {random.in_cube(size), random.in_cube(size), random.in_cube(size)};
    switch (random.below(8)) {
        case 0:  // nearly on a line
            t[2] = t[0] + random.between(-0.5, 1.5) * (t[1] - t[0]) +
                   std::exp2(random.between(-60.0, -5.0)) * random.in_cube(size);
            break;
        case 1:
            t[2] = t[static_cast<std::size_t>(random.below(2))];
            break;  // a segment
        case 2:
            t[1] = t[2] = t[0];
            break;  // a point
        case 3:     // large
            for (Vec3& corner : t)
                corner = std::exp2(random.between(0.0, 14.0)) * corner;
            break;
        case 4:
            t[0].y = t[1].y = t[2].y;
            break;  // flat on an axis
        default:
            break;
    }
    return t;
}

// In the triangle, on an edge, or a corner.
Vec3 point_on(const std::array<Vec3, 3>& t, int feature, Random& random) {
    double a = random.between(0.0, 1.0);
    double b = random.between(0.0, 1.0);
    if (a + b > 1.0) {
        a = 1.0 - a;
        b = 1.0 - b;
    }
    if (feature > 0) b = 0.0;
    if (feature > 1) a = 0.0;
    const auto first = static_cast<std::size_t>(random.below(3));
    const Vec3& c = t[first];
    return c + a * (t[(first + 1) % 3] - c) + b * (t[(first + 2) % 3] - c);
}

// From the triangle outward at a point of it, most often.
Vec3 some_way_off(const std::array<Vec3, 3>& t, int feature, const Vec3& target, Random& random) {
    const Vec3 normal = cross(t[1] - t[0], t[2] - t[0]);
    const double length = norm(normal);
    if (feature == 0 && length > 0.0) return (random.below(2) == 0 ? 1.0 : -1.0) / length * normal;
    const Vec3 middle = (1.0 / 3.0) * (t[0] + t[1] + t[2]);
    const Vec3 off = random.unit();
    return dot(off, target - middle) < 0.0 ? -off : off;
}

// The way passes a point at distance one, more or less: through it, past it, or along it.
UnitScene some_scene(Random& random) {
    UnitScene scene;
    scene.triangle = some_triangle(random);
    const int feature = random.below(3);
    const Vec3 target = point_on(scene.triangle, feature, random);
    const Vec3 away = some_way_off(scene.triangle, feature, target, random);
    const Vec3 touching = target + away;
    const double length = std::exp2(random.between(-10.0, 6.0));
    Vec3 direction = random.unit();
    if (dot(direction, away) > 0.0) direction = -direction;
    if (random.below(2) == 0) {  // grazing
        direction = direction - dot(direction, away) * away;
        direction = direction + std::exp2(random.between(-60.0, 0.0)) * random.in_cube(1.0);
    }
    scene.move = length * direction;
    const double at = random.below(4) == 0 ? 0.0 : random.between(0.0, 1.2);
    scene.start = touching - at * scene.move +
                  (random.below(2) == 0 ? 0.0 : std::exp2(random.between(-50.0, 1.0))) * away;
    if (random.below(20) == 0) scene.move = {};
    return scene;
}

template <class Real>
Vec<Real> placed(const Vec3& p, const Vec3& radii, const Vec3& offset) {
    return narrowed<Real>(
        {p.x * radii.x + offset.x, p.y * radii.y + offset.y, p.z * radii.z + offset.z});
}

template <class Real>
struct Placing {
    double scale = 1.0;
    double offset = 0.0;  // [radii]
    bool ellipsoid = false;
};

template <class Real>
Scene<Real> place(const UnitScene& unit, const Placing<Real>& placing, Random& random) {
    Scene<Real> scene;
    Vec3 radii{placing.scale, placing.scale, placing.scale};
    if (placing.ellipsoid) radii = {0.4 * placing.scale, 0.9 * placing.scale, 0.4 * placing.scale};
    scene.shape.radii = narrowed<Real>(radii);
    const Vec3 offset = placing.offset * placing.scale * random.in_cube(1.0);
    std::array<Vec<Real>, 3> t;
    for (std::size_t k = 0; k < 3; ++k)
        t[k] = placed<Real>(unit.triangle[k], radii, offset);
    scene.triangles.push_back(t);
    scene.query.start = placed<Real>(unit.start, radii, offset);
    scene.query.displacement = placed<Real>(unit.move, radii, {});
    if (random.below(2) == 0) scene.query.margin = static_cast<Real>(placing.scale / 256.0);
    return scene;
}

// --- GroundTruth -----------------------------------------------------------------------------------

// How far from the start a triangle reaches, and the length of the way, in radii.
template <class Real>
double extent_of(const Scene<Real>& scene) {
    const Vec<Real>& r = scene.shape.radii;
    double extent = norm(widened(scene.query.displacement));
    for (const Vec<Real>& corner : scene.triangles.front())
        extent = std::max(extent, norm(widened(corner) - widened(scene.query.start)));
    return extent / double{std::min({r.x, r.y, r.z})};
}

struct Tally {
    int hits = 0;
    int misses = 0;
    int met = 0;
    int met_and_deeper = 0;
};

// What the header states, with room for the rounding of the time itself.
template <class Real>
double allowed_early(const Scene<Real>& scene) {
    const double of_time = std::numeric_limits<Real>::epsilon();
    return 0x1p-38 + (0x1p-46 + of_time) * (1.0 + extent_of(scene));
}

template <class Real>
void judge_met(const Scene<Real>& scene, const SweepResult<Real>& found,
               const WayDistance<Real>& truth, const mpq_class& wanted, Tally& tally) {
    ++tally.met;
    tally.met_and_deeper += found.verdict != Verdict::Separated ? 1 : 0;
    const double start = std::sqrt(mpq_class(truth.start_sq / wanted).get_d());
    EXPECT_LE(start, 1.0 + 0x1p-46 * (1.0 + extent_of(scene))) << "met without reason";
    if (found.verdict != Verdict::Separated) {
        EXPECT_EQ(found.toi_lower, Real{0});
        return;
    }
    // Not deeper than it was, but for rounding, and for a centre that was in the triangle.
    const double way = std::sqrt(mpq_class(truth.way_sq / wanted).get_d());
    if (start > 0x1p-29) {
        EXPECT_GE(way, start - 0x1p-46 * (1.0 + extent_of(scene)));
    }
}

template <class Real>
void judge(const Scene<Real>& scene, Tally& tally) {
    const Level<Real> level = level_of(scene.triangles);
    const SweepResult<Real> found = first_contact(level, scene.shape, scene.query);
    const mpq_class wanted = wanted_sq(scene);
    const WayDistance<Real> truth = way_distance(scene, found.toi_lower);
    if (found.met_at_start) {
        judge_met(scene, found, truth, wanted, tally);
        return;
    }
    ASSERT_GE(truth.way_sq, wanted) << "late: " << found.toi_lower;
    if (found.verdict == Verdict::Separated) {
        ++tally.misses;
        EXPECT_EQ(found.toi_lower, Real{1});
        return;
    }
    ++tally.hits;
    EXPECT_EQ(found.contact.time, found.toi_lower);
    EXPECT_NEAR(norm(widened(found.contact.normal)), 1.0, 1e-6);
    const double gap = std::sqrt(mpq_class(truth.end_sq / wanted).get_d()) - 1.0;
    EXPECT_LE(gap, allowed_early(scene)) << "early: " << found.toi_lower;
}

template <class Real>
class Sweep : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Sweep, Reals);

template <class Real>
void judge_many(const Placing<Real>& placing, int count, std::uint64_t seed) {
    Random random{std::mt19937_64(seed)};
    Tally tally;
    for (int i = 0; i < count && !testing::Test::HasFailure(); ++i)
        judge(place(some_scene(random), placing, random), tally);
    if (testing::Test::HasFailure()) return;
    EXPECT_GT(tally.hits, count / 5);
    EXPECT_GT(tally.misses, count / 10);
    EXPECT_GT(tally.met, count / 20);
    EXPECT_GT(tally.met_and_deeper, count / 50);
}

TYPED_TEST(Sweep, IsNeverLateAndHardlyEarly) {
    judge_many<TypeParam>({}, 1200, 1);
    judge_many<TypeParam>({.ellipsoid = true}, 1200, 2);
}

TYPED_TEST(Sweep, IsNeverLateAtAnyScale) {
    const bool is_float = sizeof(TypeParam) == sizeof(float);
    for (const double scale : {is_float ? 1e-30 : 1e-150, 1e-3, 1e3, is_float ? 1e30 : 1e150})
        judge_many<TypeParam>({.scale = scale}, 400, 3);
}

TYPED_TEST(Sweep, IsNeverLateFarFromTheOrigin) {
    for (const double offset : {4e3, 1e6})
        judge_many<TypeParam>({.offset = offset, .ellipsoid = offset > 1e5}, 600, 4);
}

}  // namespace
}  // namespace graze::slide
