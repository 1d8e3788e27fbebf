// What a sweep and a gap promise beyond the time: features, marks, parts, bad numbers, long lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

#include "graze/slide/sweep.hpp"
#include "graze/verify/exact_segment.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide {
namespace {

using test::level_of;
using test::Random;
using test::Triangles;

template <class Real>
class SweepContract : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(SweepContract, Reals);

// In the plane y = 0, counterclockwise seen from above.
template <class Real>
Triangles<Real> floor_triangle(Real y = 0) {
    return {{Vec<Real>{-4, y, -4}, Vec<Real>{-4, y, 8}, Vec<Real>{8, y, -4}}};
}

template <class Real>
SweepResult<Real> sweep(const Level<Real>& level, const Vec<Real>& start, const Vec<Real>& move,
                        const Shape<Real>& shape = {}, Real margin = 0) {
    return first_contact(level, shape, SweepQuery<Real>{start, move, margin});
}

template <class Real>
void expect_near(const Vec<Real>& found, const Vec3& expected, double tolerance) {
    EXPECT_NEAR(double{found.x}, expected.x, tolerance);
    EXPECT_NEAR(double{found.y}, expected.y, tolerance);
    EXPECT_NEAR(double{found.z}, expected.z, tolerance);
}

// --- Features ------------------------------------------------------------------------------------

TYPED_TEST(SweepContract, TellsFaceEdgeAndVertex) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>());
    const auto face = sweep<Real>(level, {0, 3, 0}, {0, -4, 0});
    ASSERT_TRUE(face.verdict != Verdict::Separated);
    EXPECT_EQ(face.contact.feature, FeatureKind::Face);
    EXPECT_NEAR(double{face.toi_lower}, 0.5, 1e-6);
    expect_near(face.contact.point, {0, 0, 0}, 1e-6);
    expect_near(face.contact.normal, {0, 1, 0}, 1e-6);

    const auto edge = sweep<Real>(level, {-7, 0, 0}, {4, 0, 0});
    ASSERT_TRUE(edge.verdict != Verdict::Separated);
    EXPECT_EQ(edge.contact.feature, FeatureKind::Edge);
    EXPECT_NEAR(double{edge.toi_lower}, 0.5, 1e-6);
    expect_near(edge.contact.point, {-4, 0, 0}, 1e-6);
    expect_near(edge.contact.normal, {-1, 0, 0}, 1e-6);

    const auto vertex = sweep<Real>(level, {8 + 3, 0, -4}, {-4, 0, 0});
    ASSERT_TRUE(vertex.verdict != Verdict::Separated);
    EXPECT_EQ(vertex.contact.feature, FeatureKind::Vertex);
    EXPECT_NEAR(double{vertex.toi_lower}, 0.5, 1e-6);
    expect_near(vertex.contact.point, {8, 0, -4}, 1e-6);
    expect_near(vertex.contact.normal, {1, 0, 0}, 1e-6);
}

TYPED_TEST(SweepContract, MapsTheNormalOfAnEllipsoidBack) {
    using Real = TypeParam;
    // A slope of 45 degrees: its normal does not depend on the shape that touches it.
    const Triangles<Real> slope = {
        {Vec<Real>{-9, -9, -9}, Vec<Real>{-9, -9, 18}, Vec<Real>{18, 18, -9}}};
    const Level<Real> level = level_of(slope);
    const Shape<Real> shape{{Real(0.4), Real(0.9), Real(0.4)}};
    const auto found = sweep<Real>(level, {0, 5, 0}, {0, -5, 0}, shape);
    ASSERT_TRUE(found.verdict != Verdict::Separated);
    const double half = std::sqrt(0.5);
    expect_near(found.contact.normal, {-half, half, 0}, 1e-6);
    // The support of the ellipsoid along the normal is the distance of its centre from the plane.
    const double support = std::sqrt(0.5 * (0.4 * 0.4 + 0.9 * 0.9));
    EXPECT_NEAR((5.0 - 5.0 * double{found.toi_lower}) * half, support, 1e-5);
}

TYPED_TEST(SweepContract, StopsAtItsMargin) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>());
    const auto found = sweep<Real>(level, {0, 3, 0}, {0, -4, 0}, {}, Real(0.5));
    ASSERT_TRUE(found.verdict != Verdict::Separated);
    EXPECT_NEAR(double{found.toi_lower}, 1.5 / 4.0, 1e-6);
}

TYPED_TEST(SweepContract, MeetsAThinWallAtAnySpeed) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>());
    for (const Real depth : {Real(10), Real(1e3), Real(1e6)}) {
        const auto found = sweep<Real>(level, {0, 3, 0}, {0, -depth, 0});
        ASSERT_TRUE(found.verdict != Verdict::Separated);
        EXPECT_NEAR(double{found.toi_lower} * double{depth}, 2.0, 2e-6 * double{depth});
    }
}

// --- Starts --------------------------------------------------------------------------------------

TYPED_TEST(SweepContract, OfATouchedFaceOnlyTheWayInIsBarred) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>());
    for (const Real height : {Real(1), Real(0.5), Real(-0.5)}) {
        const Real sign = height > 0 ? Real(1) : Real(-1);
        const auto in = sweep<Real>(level, {0, height, 0}, {0, -sign, 0});
        EXPECT_TRUE(in.verdict != Verdict::Separated && in.met_at_start);
        EXPECT_EQ(in.toi_lower, Real(0));
        const auto out = sweep<Real>(level, {0, height, 0}, {0, sign, 0});
        EXPECT_TRUE(out.verdict == Verdict::Separated && out.met_at_start);
        EXPECT_EQ(out.toi_lower, Real(1));
        const auto along = sweep<Real>(level, {0, height, 0}, {1, 0, 0});
        EXPECT_TRUE(along.verdict == Verdict::Separated && along.met_at_start);
    }
}

TYPED_TEST(SweepContract, AFaceThatWasMetDoesNotHideAnother) {
    using Real = TypeParam;
    Triangles<Real> triangles = floor_triangle<Real>();
    triangles.push_back({Vec<Real>{4, -9, -9}, Vec<Real>{4, 9, -9}, Vec<Real>{4, 0, 9}});
    const auto found = sweep<Real>(level_of(triangles), {0, Real(0.5), 0}, {4, 0, 0});
    EXPECT_TRUE(found.verdict != Verdict::Separated && found.met_at_start);
    EXPECT_EQ(found.contact.face, 1U);
    EXPECT_NEAR(double{found.toi_lower}, 0.75, 1e-6);
}

TYPED_TEST(SweepContract, ALongWayOutOfAFaceIsNotBarredInTheMiddle) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>());
    const auto found = sweep<Real>(level, {-2, Real(0.5), -2}, {300, 0, 100});
    EXPECT_TRUE(found.verdict == Verdict::Separated && found.met_at_start);
}

TYPED_TEST(SweepContract, WithoutAMoveNothingIsHit) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>());
    const auto clear = sweep<Real>(level, {0, 2, 0}, {0, 0, 0});
    EXPECT_TRUE(clear.verdict == Verdict::Separated && !clear.met_at_start);
    EXPECT_EQ(clear.toi_lower, Real(1));
    const auto inside = sweep<Real>(level, {0, Real(0.5), 0}, {0, 0, 0});
    EXPECT_TRUE(inside.verdict == Verdict::Separated && inside.met_at_start);
}

// --- Marks and parts -----------------------------------------------------------------------------

TYPED_TEST(SweepContract, OneSidedFacesBarOnlyWhatComesFromTheirFront) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>(), FaceMarks{.one_sided = true});
    EXPECT_TRUE(sweep<Real>(level, {0, 3, 0}, {0, -4, 0}).verdict != Verdict::Separated);
    EXPECT_FALSE(sweep<Real>(level, {0, -3, 0}, {0, 4, 0}).verdict != Verdict::Separated);
    EXPECT_FALSE(sweep<Real>(level, {-7, Real(-0.5), 0}, {4, 0, 0}).verdict != Verdict::Separated);
    EXPECT_TRUE(sweep<Real>(level, {-7, Real(0.5), 0}, {4, 0, 0}).verdict != Verdict::Separated);
    EXPECT_TRUE(smallest_gap<Real>(level, {}, {0, 2, 0}, 2).found);
    EXPECT_FALSE(smallest_gap<Real>(level, {}, {0, -2, 0}, 2).found);
}

TYPED_TEST(SweepContract, AQuerySeesTheLayersThatItSharesABitWith) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>(), FaceMarks{.tag = 77, .layers = 6});
    for (const std::uint32_t layers : {1U, 2U, 4U, 6U, 8U}) {
        const SweepQuery<Real> query{{0, 3, 0}, {0, -4, 0}, 0, layers};
        const auto found = first_contact<Real>(level, {}, query);
        EXPECT_EQ(found.verdict != Verdict::Separated, (layers & 6U) != 0);
        if (found.verdict != Verdict::Separated) {
            EXPECT_EQ(found.contact.tag, 77U);
        }
        EXPECT_EQ(smallest_gap<Real>(level, {}, {0, 2, 0}, 2, layers).found, (layers & 6U) != 0);
    }
}

TYPED_TEST(SweepContract, SeesPartsThatWereReplacedAndMoved) {
    using Real = TypeParam;
    using Face = std::array<std::uint32_t, 3>;
    const std::vector<Face> faces = {{0, 1, 2}};
    const auto corners = [](Real y) {
        const auto t = floor_triangle<Real>(y).front();
        return std::vector<Vec<Real>>(t.begin(), t.end());
    };
    Level<Real> level = level_of(floor_triangle<Real>(-100));
    ASSERT_EQ(level.add_part(corners(0), faces).value(), 1U);
    const auto time = [&] { return double{sweep<Real>(level, {0, 3, 0}, {0, -4, 0}).toi_lower}; };
    EXPECT_NEAR(time(), 0.5, 1e-6);
    ASSERT_TRUE(level.move_part(1, corners(Real(-0.5))).has_value());
    EXPECT_NEAR(time(), 2.5 / 4.0, 1e-6);
    ASSERT_TRUE(level.replace_part(1, corners(1), faces).has_value());
    EXPECT_NEAR(time(), 0.25, 1e-6);
    EXPECT_EQ(sweep<Real>(level, {0, 3, 0}, {0, -4, 0}).contact.part, 1U);
    ASSERT_TRUE(level.replace_part(1, {}, {}).has_value());
    EXPECT_EQ(time(), 1.0);
    ASSERT_TRUE(level.move_part(0, corners(0)).has_value());
    EXPECT_NEAR(time(), 0.5, 1e-6);
}

// --- Bad numbers ---------------------------------------------------------------------------------

template <class Real>
void expect_closed(const SweepResult<Real>& found) {
    EXPECT_EQ(found.verdict, Verdict::Unresolved);
    EXPECT_EQ(found.toi_lower, Real(0));
}

TYPED_TEST(SweepContract, FailsClosedWhereNumbersAreNotFinite) {
    using Real = TypeParam;
    // Far away: only the numbers can be the reason.
    const Level<Real> level = level_of(floor_triangle<Real>(-1000));
    const Level<Real> empty;
    for (const Real bad :
         {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity(),
          -std::numeric_limits<Real>::infinity()}) {
        for (const Level<Real>* asked : {&level, &empty}) {
            expect_closed(sweep<Real>(*asked, {0, bad, 0}, {0, 0, 0}));
            expect_closed(sweep<Real>(*asked, {0, 0, 0}, {0, 0, bad}));
            expect_closed(sweep<Real>(*asked, {0, 0, 0}, {1, 0, 0}, {{1, bad, 1}}));
            expect_closed(sweep<Real>(*asked, {0, 0, 0}, {1, 0, 0}, {}, bad));
            EXPECT_LT(smallest_gap<Real>(*asked, {}, {bad, 0, 0}, 1).gap_lower, 0.0);
            EXPECT_LT(smallest_gap<Real>(*asked, {}, {0, 0, 0}, bad).gap_lower, 0.0);
        }
    }
}

TYPED_TEST(SweepContract, FailsClosedForShapesThatAreNone) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>(-1000));
    for (const Real bad : {Real(0), Real(-0.0), Real(-1)}) {
        expect_closed(sweep<Real>(level, {0, 0, 0}, {1, 0, 0}, {{bad, 1, 1}}));
        expect_closed(sweep<Real>(level, {0, 0, 0}, {1, 0, 0}, {{bad, bad, bad}}));
        EXPECT_LT(smallest_gap<Real>(level, {{1, 1, bad}}, {0, 0, 0}, 1).gap_lower, 0.0);
    }
    expect_closed(sweep<Real>(level, {0, 0, 0}, {1, 0, 0}, {}, Real(-1)));
    EXPECT_LT(smallest_gap<Real>(level, {}, {0, 0, 0}, Real(-1)).gap_lower, 0.0);
}

TYPED_TEST(SweepContract, DoesNotDependOnTheRoundingModeOfTheThread) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>(-1000));
    const int found = std::fegetround();
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    const SweepResult<Real> swept = sweep<Real>(level, {0, 0, 0}, {1, 0, 0});
    const GapResult<Real> gap = smallest_gap<Real>(level, {}, {0, 0, 0}, 1);
    ASSERT_EQ(std::fesetround(found), 0);
    EXPECT_FALSE(swept.verdict != Verdict::Separated);
    EXPECT_FALSE(gap.found);
    EXPECT_EQ(gap.gap_lower, 1.0);
}

TEST(SweepOverflow, IsNoProof) {
    constexpr double kHuge = 1e308;
    const Triangles<double> wall = {
        {Vec<double>{5, -kHuge, -kHuge}, {5, kHuge, -kHuge}, {5, 0, kHuge}}};
    const Level<double> level = level_of(wall);
    const double tiny = 1e-200;
    const Shape<double> small{{tiny, tiny, tiny}};
    EXPECT_TRUE(sweep<double>(level, {0, 0, 0}, {10, 0, 0}).verdict != Verdict::Separated);
    EXPECT_TRUE(sweep<double>(level, {0, 0, 0}, {10, 0, 0}, small).verdict != Verdict::Separated);
    EXPECT_TRUE(sweep<double>(level, {0, 0, 0}, {kHuge, 0, 0}, small).verdict !=
                Verdict::Separated);
}

// A margin of 2^1090 radii: in the frame neither the radius nor the path is finite, and their quotient
// is no number.
TEST(SweepOverflow, ARadiusThatIsNotFiniteInTheFrameIsNoProof) {
    const Level<double> level =
        level_of(Triangles<double>{{Vec<double>{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}});
    const Shape<double> tiny{{0x1p-990, 0x1p-990, 0x1p-990}};
    const Vec<double> above{0, 0, 0x1p100};
    expect_closed(sweep<double>(level, above, {0, 0, -0x1p101}, tiny, 0x1p100));
    expect_closed(sweep<double>(level, above, {0, 0, 0}, tiny, 0x1p100));
    EXPECT_EQ(smallest_gap(level, tiny, above, 0x1p100).gap_lower,
              -std::numeric_limits<double>::infinity());
    EXPECT_EQ(overlap_at(level, tiny, above, 0x1p101), Verdict::Unresolved);
}

// --- Many triangles ------------------------------------------------------------------------------

template <class Real>
Triangles<Real> soup(int count, double room, double size, Random& random) {
    Triangles<Real> triangles;
    for (int i = 0; i < count; ++i) {
        const Vec3 middle = random.in_cube(room);
        triangles.push_back({narrowed<Real>(middle + random.in_cube(size)),
                             narrowed<Real>(middle + random.in_cube(size)),
                             narrowed<Real>(middle + random.in_cube(size))});
    }
    return triangles;
}

template <class Real>
struct Brute {
    bool hit = false;
    bool met = false;
    double time = 1.0;
    double gap = std::numeric_limits<double>::infinity();
};

// Each triangle in a level of its own.
template <class Real>
Brute<Real> brute_force(const std::vector<Level<Real>>& levels, const Shape<Real>& shape,
                        const SweepQuery<Real>& query, Real reach) {
    Brute<Real> result;
    for (const Level<Real>& level : levels) {
        const SweepResult<Real> found = first_contact(level, shape, query);
        result.hit |= found.verdict != Verdict::Separated;
        result.met |= found.met_at_start;
        result.time = std::min(result.time, double{found.toi_lower});
        const GapResult<Real> gap = smallest_gap(level, shape, query.start, reach);
        if (gap.found) result.gap = std::min(result.gap, gap.gap_lower);
    }
    return result;
}

template <class Real>
void expect_as_brute_force(int count, double size, double way, int queries) {
    Random random{std::mt19937_64(7)};
    const Triangles<Real> triangles = soup<Real>(count, 12.0, size, random);
    const Level<Real> level = level_of(triangles);
    std::vector<Level<Real>> levels;
    for (const auto& t : triangles)
        levels.push_back(level_of(Triangles<Real>{t}));
    int hits = 0;
    for (int i = 0; i < queries; ++i) {
        const SweepQuery<Real> query{narrowed<Real>(random.in_cube(12.0)),
                                     narrowed<Real>(way * random.unit())};
        const Real radius = static_cast<Real>(random.between(0.05, 0.5));
        const Shape<Real> shape{{radius, radius, radius}};
        const SweepResult<Real> found = first_contact(level, shape, query);
        const Brute<Real> expected = brute_force(levels, shape, query, Real(2));
        hits += found.verdict != Verdict::Separated && !found.met_at_start ? 1 : 0;
        EXPECT_EQ(found.verdict != Verdict::Separated, expected.hit);
        EXPECT_EQ(found.met_at_start, expected.met);
        EXPECT_NEAR(double{found.toi_lower}, expected.time, 1e-7);
        const GapResult<Real> gap = smallest_gap(level, shape, query.start, Real(2));
        if (gap.found) {
            EXPECT_EQ(gap.gap_lower, expected.gap);
        }
        if (!gap.found) {
            EXPECT_EQ(expected.gap, std::numeric_limits<double>::infinity());
        }
    }
    EXPECT_GT(hits, queries / 20);
}

TYPED_TEST(SweepContract, TheTreeFindsWhatAllTrianglesOneByOneGive) {
    expect_as_brute_force<TypeParam>(300, 2.0, 4.0, 60);
    expect_as_brute_force<TypeParam>(300, 0.5, 40.0, 60);
}

// More in the way than the list of near triangles holds.
TYPED_TEST(SweepContract, ListsThatOverflowLoseNothing) {
    using Real = TypeParam;
    expect_as_brute_force<TypeParam>(1500, 12.0, 6.0, 10);
    // Floors one below the other; the uppermost comes at any place in the order.
    constexpr int kFloors = 3000;
    Triangles<Real> floors;
    for (int i = 0; i < kFloors; ++i) {
        const int depth = (i * 1237 + 500) % kFloors;
        floors.push_back(floor_triangle<Real>(static_cast<Real>(-depth) / Real(1024)).front());
    }
    const Level<Real> level = level_of(floors);
    const auto found = sweep<Real>(level, {0, 3, 0}, {0, -4, 0});
    ASSERT_TRUE(found.verdict != Verdict::Separated);
    EXPECT_NEAR(double{found.toi_lower}, 0.5, 1e-6);
    EXPECT_EQ(level.triangle(0, found.contact.face)[0].y, Real(0));
    const auto gap = smallest_gap<Real>(level, {}, {0, 2, 0}, 3);
    ASSERT_TRUE(gap.found);
    EXPECT_NEAR(gap.gap_lower, 1.0, 1e-12);
}

// --- Gaps ----------------------------------------------------------------------------------------

TYPED_TEST(SweepContract, GapsAreProvedAndTight) {
    using Real = TypeParam;
    Random random{std::mt19937_64(8)};
    for (int i = 0; i < 600; ++i) {
        const Triangles<Real> one =
            soup<Real>(1, 1.0, std::exp2(random.between(-9.0, 9.0)), random);
        const Real radius = static_cast<Real>(std::exp2(random.between(-3.0, 3.0)));
        const Vec<Real> centre = narrowed<Real>(random.in_cube(4.0));
        const GapResult<Real> found =
            smallest_gap<Real>(level_of(one), {{radius, radius, radius}}, centre, Real(2000));
        ASSERT_TRUE(found.found);
        const mpq_class distance_sq = test::point_triangle_sq(
            test::exact(centre),
            {test::exact(one[0][0]), test::exact(one[0][1]), test::exact(one[0][2])});
        // distance >= gap + radius.
        const mpq_class lower = mpq_class(found.gap_lower) + mpq_class(double{radius});
        if (lower > 0) {
            EXPECT_GE(distance_sq, lower * lower);
        }
        EXPECT_NEAR(found.gap_lower, std::sqrt(distance_sq.get_d()) - double{radius}, 1e-11);
    }
}

TYPED_TEST(SweepContract, TheGapOfAnEllipsoidIsALowerBound) {
    using Real = TypeParam;
    const Level<Real> level = level_of(floor_triangle<Real>());
    const Shape<Real> shape{{Real(0.5), Real(2), Real(0.5)}};
    const auto above = smallest_gap<Real>(level, shape, {0, 3, 0}, 2);
    ASSERT_TRUE(above.found);
    EXPECT_LE(above.gap_lower, 1.0);
    EXPECT_GE(above.gap_lower, 0.24);
    const auto inside = smallest_gap<Real>(level, shape, {0, 1, 0}, 2);
    EXPECT_LE(inside.gap_lower, -1.0);
    EXPECT_FALSE(smallest_gap<Real>(level, shape, {0, 30, 0}, 2).found);
}

}  // namespace
}  // namespace graze::slide
