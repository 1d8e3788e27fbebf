#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "graze/generate/families.hpp"
#include "graze/oracle/oracle.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::oracle {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

Query vertex_over_unit_triangle(double x, double y, double z_start, double z_end) {
    Query query;
    query.start = {{{x, y, z_start}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    query.end = query.start;
    query.end[0][2] = z_end;
    return query;
}

TEST(FirstWithin, OverTheFaceBothNormsMeasureTheHeight) {
    const Query query = vertex_over_unit_triangle(0.25, 0.25, 1.0, -1.0);
    for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
        EXPECT_EQ(first_within(query, 0.5, norm), (Truth{State::Contact, 0.25, 0.25}));
        EXPECT_EQ(first_within(query, 1.0, norm), (Truth{State::Contact, 0.0, 0.0}));
    }
}

TEST(FirstWithin, BesideACornerTheNormsDiffer) {
    // At the end the vertex is at (-3, -4, 0): 5 from the corner, or 4 in the max-norm.
    const Query query = vertex_over_unit_triangle(-3.0, -4.0, 64.0, 0.0);
    EXPECT_EQ(first_within(query, 5.0, Norm::Euclidean), (Truth{State::Contact, 1.0, 1.0}));
    EXPECT_EQ(first_within(query, std::nextafter(5.0, 0.0), Norm::Euclidean).state,
              State::Separated);
    EXPECT_EQ(first_within(query, 4.0, Norm::Max), (Truth{State::Contact, 0.9375, 0.9375}));
    EXPECT_EQ(first_within(query, std::nextafter(4.0, 0.0), Norm::Max).state, State::Separated);
}

TEST(FirstWithin, RefusesANegativeOrInfiniteSeparation) {
    const Query query = vertex_over_unit_triangle(0.25, 0.25, 1.0, -1.0);
    for (const double bad : {-1.0, kNever, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_EQ(first_within(query, bad, Norm::Max).state, State::Invalid);
    }
}

TEST(MinimumDistance, IsExactWhereItIsADouble) {
    const Query query = vertex_over_unit_triangle(-3.0, -4.0, 64.0, 0.0);
    const DistanceBracket euclidean = minimum_distance(query, Norm::Euclidean);
    EXPECT_TRUE(euclidean.valid);
    EXPECT_EQ(euclidean.upper, 5.0);
    EXPECT_EQ(euclidean.lower, std::nextafter(5.0, 0.0));
    EXPECT_EQ(minimum_distance(query, Norm::Max).upper, 4.0);
    const Query touching = vertex_over_unit_triangle(0.25, 0.25, 1.0, -1.0);
    EXPECT_EQ(minimum_distance(touching, Norm::Euclidean).upper, 0.0);
}

// A guess that is wrong by half of all exponents.
TEST(MinimumDistance, EndsHoweverFarTheGuessIs) {
    Query query;
    query.kind = Kind::EdgeEdge;
    query.start = {{{-0x1p-864, 0x1p704, 0},
                    {0, -0x1p704, -0x1p1003},
                    {-0x1.fffffffffffffp1023, 0, -0x1p1003},
                    {-0x1p-865, -0x1p704, 0x1p1004}}};
    query.end = query.start;
    const DistanceBracket least = minimum_distance(query, Norm::Max);
    ASSERT_TRUE(least.valid);
    EXPECT_EQ(least.upper, std::nextafter(least.lower, HUGE_VAL));
    EXPECT_EQ(first_within(query, least.upper, Norm::Max).state, State::Contact);
    EXPECT_EQ(first_within(query, least.lower, Norm::Max).state, State::Separated);
}

TEST(MinimumDistance, OfAnIrrationalDistanceLiesBetweenNeighbours) {
    const Query query = vertex_over_unit_triangle(-1.0, -1.0, 7.0, 0.0);
    const DistanceBracket d = minimum_distance(query, Norm::Euclidean);
    EXPECT_EQ(d.upper, std::nextafter(d.lower, kNever));
    EXPECT_LE(d.lower, std::sqrt(2.0));
    EXPECT_GE(d.upper, std::sqrt(2.0));
}

// Samples of the true distance, in plain floating point, against the exact answers.
double sampled_distance_to_triangle(const Query& q, double t, Norm norm) {
    const auto at = [&](std::size_t c, std::size_t k) {
        return (1.0 - t) * q.start[c][k] + t * q.end[c][k];
    };
    double best = kNever;
    constexpr int kGrid = 40;
    for (int i = 0; i <= kGrid; ++i) {
        for (int j = 0; i + j <= kGrid; ++j) {
            const double u = static_cast<double>(i) / kGrid;
            const double v = static_cast<double>(j) / kGrid;
            std::array<double, 3> d{};
            for (std::size_t k = 0; k < 3; ++k) {
                d[k] = at(0, k) - ((1.0 - u - v) * at(1, k) + u * at(2, k) + v * at(3, k));
            }
            const double length =
                norm == Norm::Euclidean
                    ? std::hypot(d[0], d[1], d[2])
                    : std::max({std::fabs(d[0]), std::fabs(d[1]), std::fabs(d[2])});
            best = std::min(best, length);
        }
    }
    return best;
}

TEST(MinimumDistance, IsNeverAboveASampleAndNearTheSmallestOne) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const auto record =
            generate::query(generate::Family::Ordinary, QueryKind::VertexFace, seed);
        const Query query = verify::oracle_query(record, QueryKind::VertexFace);
        for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
            const DistanceBracket exact = minimum_distance(query, norm);
            double smallest = kNever;
            for (int i = 0; i <= 100; ++i) {
                smallest = std::min(smallest, sampled_distance_to_triangle(query, i / 100.0, norm));
            }
            EXPECT_LE(exact.lower, smallest) << seed;
            // The samples are at most 1/40 of an edge and 1/100 of a path away from the minimum.
            EXPECT_GE(exact.upper, smallest - 0.25) << seed;
        }
    }
}

TEST(FirstWithin, GrowsEarlierAsTheSeparationGrows) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto record = generate::query(generate::Family::Near, QueryKind::EdgeEdge, seed);
        const Query query = verify::oracle_query(record, QueryKind::EdgeEdge);
        for (const Norm norm : {Norm::Euclidean, Norm::Max}) {
            double before = kNever;
            for (const double d : {0.0, 0x1p-60, 0x1p-30, 0x1p-10, 1.0}) {
                const Truth truth = first_within(query, d, norm);
                EXPECT_LE(truth.toi_lower, before);
                before = truth.toi_lower;
            }
        }
    }
}

// |x|_max <= |x| <= sqrt(3) |x|_max.
TEST(FirstWithin, TheMaxNormComesFirstAndTheEuclideanFollowsWithinTheSquareRootOfThree) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        for (const QueryKind kind : kAllQueryKinds) {
            const auto record = generate::query(generate::Family::SmallIntegers, kind, seed);
            const Query query = verify::oracle_query(record, kind);
            const Truth max = first_within(query, 0.5, Norm::Max);
            EXPECT_LE(max.toi_lower, first_within(query, 0.5, Norm::Euclidean).toi_lower);
            EXPECT_GE(max.toi_upper, first_within(query, 0.8661, Norm::Euclidean).toi_lower);
        }
    }
}

}  // namespace
}  // namespace graze::oracle
