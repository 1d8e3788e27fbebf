// The pieces that the proof of a move is made of, each on its own.
// Defends G-SLIDE-3 (docs/GUARANTEES.md).
#include <gtest/gtest.h>

#include <cmath>

#include "graze/verify/exact_segment.hpp"
#include "slide/arrival.hpp"
#include "slide/face_crossing.hpp"
#include "slide/list_sweep.hpp"
#include "slide/skin_rule.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

using test::Random;

// --- arrivals ------------------------------------------------------------------------------------

// Also where the distance that is asked for is below the one that was proved, and where the numbers
// handed over are nonsense.
TEST(Arrival, IsNeverAfterTheTimeUpToWhichTheWayIsProved) {
    Random random{std::mt19937_64(3)};
    NearList list;
    int met = 0;
    for (int trial = 0; trial < 50'000; ++trial) {
        list.count = 0;
        const double size = std::exp2(random.between(-3, 4));
        const std::array<Vec3, 3> corners = {random.in_cube(size), random.in_cube(size),
                                             random.in_cube(size)};
        add_near(list, corners, {});
        const Vec3 from = (size + 2.0) * random.unit();
        const Path path{from, random.between(1, 2) * random.in_cube(size) - 0.2 * from};
        const double radius = 1.0 + std::exp2(random.between(-50, -2));
        const TriangleHit hit = sweep_triangle(list.triangle[0], path, radius);
        const double wanted = radius + random.between(-1, 3) * std::exp2(random.between(-50, -2));
        const double time = hit.hit ? hit.time : random.between(0, 1);
        const double claimed = trial % 8 == 0 ? random.between(0, 3) * radius : radius;
        const Arrival arrival =
            arrival_at(list.triangle[0], path, wanted, {time, hit.direction, claimed});
        EXPECT_GE(arrival.time, 0.0);
        EXPECT_LE(arrival.time, time);
        met += hit.hit && !hit.met;
    }
    EXPECT_GE(met, 10'000);
}

// --- faces that are not crossed ------------------------------------------------------------------

test::Exact exact_point(const Vec3& p) {
    return {mpq_class(p.x), mpq_class(p.y), mpq_class(p.z)};
}

int exact_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    using test::operator-;
    const test::Exact last = exact_point(d);
    const mpq_class value =
        test::dot(exact_point(a) - last, test::cross(exact_point(b) - last, exact_point(c) - last));
    return sgn(value);
}

Vec3 grid_point(Random& random) {
    const auto small = [&] { return static_cast<double>(random.below(5) - 2); };
    return {small(), small(), small()};
}

// Points of a small grid, near it, far apart in size, and at both ends of the range.
Vec3 awkward_point(Random& random) {
    const Vec3 grid = grid_point(random);
    switch (random.below(5)) {
        case 0:
            return grid;
        case 1:
            return grid + 0x1p-52 * grid_point(random);
        case 2:
            return std::exp2(random.between(-300, 300)) * random.unit();
        case 3:
            return 0x1p-1060 * grid;
        default:
            return 0x1p+1018 * grid;
    }
}

TEST(FaceCrossing, TellsTheSideExactly) {
    Random random{std::mt19937_64(4)};
    int in_plane = 0;
    for (int trial = 0; trial < 4'000; ++trial) {
        const Vec3 a = awkward_point(random);
        const Vec3 b = awkward_point(random);
        const Vec3 c = awkward_point(random);
        const Vec3 d = awkward_point(random);
        const int side = side_of(a, b, c, d);
        ASSERT_EQ(side, exact_side(a, b, c, d)) << trial;
        in_plane += side == 0;
    }
    EXPECT_GE(in_plane, 20);
}

TEST(FaceCrossing, IsNeverDeniedWhereTheWayMeetsTheFaceAfterItsBegin) {
    Random random{std::mt19937_64(5)};
    int denied = 0;
    int crossed = 0;
    for (int trial = 0; trial < 1'000; ++trial) {
        const auto point = [&] {
            const Vec3 p = awkward_point(random);
            return norm_max(p) < 8.0 && norm_max(p) > 0x1p-60 ? p : grid_point(random);
        };
        const Vec3 from = point();
        const Vec3 to = point();
        const std::array<Vec3, 3> triangle = {point(), point(), point()};
        const test::ExactTriangle exact = {exact_point(triangle[0]), exact_point(triangle[1]),
                                           exact_point(triangle[2])};
        const bool crosses = may_cross(from, to, triangle);
        crossed += crosses;
        if (crosses) continue;
        ++denied;
        // What meets it at the begin alone is let pass: from a little later on nothing does.
        const bool in_plane = exact_side(triangle[0], triangle[1], triangle[2], from) == 0;
        using test::operator-;
        const test::Exact begin = test::at(exact_point(from), in_plane ? mpq_class(1, 1 << 20) : 0,
                                           exact_point(to) - exact_point(from));
        EXPECT_NE(test::segment_triangle_sq(begin, exact_point(to), exact), 0) << trial;
    }
    EXPECT_GE(denied, 100);
    EXPECT_GE(crossed, 100);
}

// --- skins ---------------------------------------------------------------------------------------

template <class Real>
class SkinRuleTest : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(SkinRuleTest, Reals);

TYPED_TEST(SkinRuleTest, SufficesUpToItsTopAndNotBeyond) {
    Random random{std::mt19937_64(7)};
    for (int trial = 0; trial < 5'000; ++trial) {
        const TypeParam radius = static_cast<TypeParam>(std::exp2(random.between(-20, 20)));
        const TypeParam wished =
            static_cast<TypeParam>(double{radius} * std::exp2(random.between(-60, -4)));
        const SkinRule<TypeParam> rule(Shape<TypeParam>{{radius, radius, radius}}, wished);
        const double reach = double{radius} * std::exp2(random.between(3, 60));
        const double skin = rule.skin_for(reach);
        EXPECT_GE(skin, double{wished});
        EXPECT_EQ(double{static_cast<TypeParam>(skin)}, skin);
        const double top = rule.top_of(skin);
        EXPECT_LT(reach, top);
        EXPECT_LE(rule.skin_for(std::nextafter(top, 0.0)), skin);
        EXPECT_GT(rule.skin_for(top), skin);
    }
}

// Rounding takes no more from a place than a quarter of the skin: in the worst of many roundings.
TYPED_TEST(SkinRuleTest, RoundingAPlaceTakesLessThanAQuarterOfTheSkin) {
    Random random{std::mt19937_64(8)};
    double worst = 0.0;
    for (int trial = 0; trial < 200'000; ++trial) {
        const double reach = random.between(1, 2);
        const Vec3 from = widened(narrowed<TypeParam>(reach * random.in_cube(0.5)));
        const Vec3 to = widened(narrowed<TypeParam>(reach * random.in_cube(0.5)));
        const double time = random.between(0, 1);
        const Vec3 stop = widened(narrowed<TypeParam>(from + time * (to - from)));
        double error_sq = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const long double exact =
                from[axis] +
                static_cast<long double>(time) * (static_cast<long double>(to[axis]) - from[axis]);
            const double error = static_cast<double>(stop[axis] - exact);
            error_sq += error * error;
        }
        worst = std::max(worst, std::sqrt(error_sq) / unit_in_last_place<TypeParam>(reach));
    }
    EXPECT_LE(worst, kRoundingUnits<TypeParam>);
    EXPECT_GE(worst, 0.3);
}

}  // namespace
}  // namespace graze::slide
