// Defends G-TIGHT-4 (docs/GUARANTEES.md).
#include "graze/narrow/start_separation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/exact_reference.hpp"
#include "graze/core/power_of_two.hpp"
#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/narrow/ccd.hpp"
#include "graze/verify/oracle_method.hpp"
#include "narrow/start_separation_reference.hpp"

namespace graze {
namespace {

using generate::Family;
using io::QueryRecord;
using testing::exact_free_time;
using testing::hull_holds_the_origin;
using testing::swept_for_the_smallest_time;

constexpr double kTiny = std::numeric_limits<double>::denorm_min();

double free_time(const QueryRecord& record, QueryKind kind, double d) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return free_time_from_start(io::motion_of<Motion>(record), d);
    });
}

oracle::Truth exact_truth(const QueryRecord& record, QueryKind kind, double d) {
    return oracle::first_within(verify::oracle_query(record, kind), d, oracle::Norm::Max);
}

// Apart at t = 0, by the oracle: the query of the start alone, at rest.
bool apart_at_start(QueryRecord record, QueryKind kind, double d) {
    for (MovingPoint& corner : record.corners)
        corner.end = corner.start;
    return exact_truth(record, kind, d).state == oracle::State::Separated;
}

std::string describe(Family family, QueryKind kind, std::uint64_t seed, double d) {
    return std::string(generate::name(family)) + " #" + std::to_string(seed) +
           " d = " + exact::hex(d) + "\n" + io::to_hex(generate::query(family, kind, seed), kind);
}

template <class Check>
void for_each_generated(std::uint64_t count, std::uint64_t wild_count, const Check& check) {
    for (const Family family : generate::kAllFamilies) {
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < (family == Family::Wild ? wild_count : count);
                 ++seed) {
                check(family, kind, seed);
            }
        }
    }
}

constexpr std::array<double, 5> kSeparations = {0.0, 0x1p-8, 1.0, 1e-300, 1e300};

// Completeness: the finitely many directions find every gap at the start, and only those.
void compare_signs_with_the_oracle(std::uint64_t count) {
    int apart_count = 0;
    int total = 0;
    for_each_generated(
        5 * count, 2 * count, [&](Family family, QueryKind kind, std::uint64_t seed) {
            const QueryRecord record = generate::query(family, kind, seed);
            for (const double d : kSeparations) {
                SCOPED_TRACE(describe(family, kind, seed, d));
                const bool apart = apart_at_start(record, kind, d);
                const std::optional<mpq_class> exact = exact_free_time(record, kind, d);
                ASSERT_EQ(!exact || *exact > 0, apart);
                const double found = free_time(record, kind, d);
                if (!exact || *exact == 0 || *exact >= mpq_class(kTiny)) {
                    ASSERT_EQ(found > 0.0, apart);
                }
                ++total;
                apart_count += apart ? 1 : 0;
            }
        });
    EXPECT_GT(apart_count, total / 10);
    EXPECT_LT(apart_count, total - total / 10);
}

TEST(StartSeparation, IsPositiveExactlyWhereTheOracleSeesAGapAtTheStart) {
    compare_signs_with_the_oracle(4);
}

TEST(StartSeparationAttack, IsPositiveExactlyWhereTheOracleSeesAGapAtTheStart) {
    compare_signs_with_the_oracle(20);
}

// Where no direction of the start does for 2^-1074, any other is looked for.
TEST(StartSeparation, AnswersAGapWithZeroOnlyWhereNoDirectionDoesForTheSmallestTime) {
    int zeros = 0;
    int smallest = 0;
    for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
        for (std::uint64_t seed = 0; seed < 4000; ++seed) {
            const QueryRecord record = generate::query(Family::Wild, kind, seed);
            const double found = free_time(record, kind, 0.0);
            if (found > kTiny) continue;
            SCOPED_TRACE(describe(Family::Wild, kind, seed, 0.0));
            const oracle::Query query = verify::oracle_query(record, kind);
            if (found == kTiny) {
                ++smallest;
                ASSERT_LE(found, oracle::first_contact(query).toi_lower);
            } else if (apart_at_start(record, kind, 0.0)) {
                ++zeros;
                ASSERT_TRUE(hull_holds_the_origin(swept_for_the_smallest_time(record, kind)));
            }
        }
    }
    std::printf("gaps answered with 2^-1074: %d, with zero: %d\n", smallest, zeros);
    EXPECT_GE(smallest, 10);
    EXPECT_GE(zeros, 10);
}

TEST(StartSeparation, TakesTheSeparationIntoAccountForTheSmallestTimeToo) {
    int smallest = 0;
    for (const QueryKind kind : kAllQueryKinds) {
        for (std::uint64_t seed = 0; seed < 450; ++seed) {
            const QueryRecord record = generate::query(Family::Wild, kind, seed);
            for (const double d : {1e-300, 0x1p-8}) {
                if (free_time(record, kind, d) != kTiny) continue;
                ++smallest;
                SCOPED_TRACE(describe(Family::Wild, kind, seed, d));
                ASSERT_GE(exact_truth(record, kind, d).toi_lower, kTiny);
            }
        }
    }
    EXPECT_GE(smallest, 4);
}

void compare_with_the_exact_bound(std::uint64_t count) {
    std::uint64_t inside = 0;
    for_each_generated(2 * count, count, [&](Family family, QueryKind kind, std::uint64_t seed) {
        const QueryRecord record = generate::query(family, kind, seed);
        for (const double d : kSeparations) {
            SCOPED_TRACE(describe(family, kind, seed, d));
            const std::optional<mpq_class> exact = exact_free_time(record, kind, d);
            const double found = free_time(record, kind, d);
            ASSERT_EQ(found == kInfinity, !exact.has_value());
            if (!exact) continue;
            if (*exact > 0 && *exact < mpq_class(kTiny)) {
                ASSERT_LE(found, kTiny);
                continue;
            }
            ASSERT_EQ(exact::tightness(exact::Side::Down, found, *exact), exact::Tightness::Tight)
                << exact::hex(found) << " for " << exact->get_d();
            ASSERT_LE(found, 1.0);
            inside += found > 0.0 ? 1 : 0;
        }
    });
    EXPECT_GT(inside, 10 * count);
}

TEST(StartSeparation, IsTheLargestDoubleThatIsNotAboveTheExactBound) {
    compare_with_the_exact_bound(20);
}

TEST(StartSeparationAttack, IsTheLargestDoubleThatIsNotAboveTheExactBound) {
    compare_with_the_exact_bound(100);
}

// Soundness. The oracle's toi_lower is the largest double that is not after the exact first time: a
// double is not later than that time iff it is not above toi_lower (infinite where separated).
void expect_not_later(const oracle::Truth& truth, double found) {
    ASSERT_NE(truth.state, oracle::State::Invalid);
    ASSERT_GE(found, 0.0);
    ASSERT_LE(found, truth.toi_lower);
}

bool touches_after_the_start(const oracle::Truth& truth) {
    return truth.state == oracle::State::Contact && truth.toi_lower > 0.0;
}

TEST(StartSeparation, IsNeverLaterThanTheExactFirstContact) {
    int contacts_after_the_start = 0;
    for_each_generated(150, 20, [&](Family family, QueryKind kind, std::uint64_t seed) {
        const QueryRecord record = generate::query(family, kind, seed);
        SCOPED_TRACE(describe(family, kind, seed, 0.0));
        const oracle::Truth truth = oracle::first_contact(verify::oracle_query(record, kind));
        expect_not_later(truth, free_time(record, kind, 0.0));
        contacts_after_the_start += touches_after_the_start(truth) ? 1 : 0;
    });
    EXPECT_GT(contacts_after_the_start, 1000);
}

TEST(StartSeparation, IsNeverLaterThanTheExactFirstTimeWithinTheSeparation) {
    int contacts_after_the_start = 0;
    for_each_generated(12, 2, [&](Family family, QueryKind kind, std::uint64_t seed) {
        const QueryRecord record = generate::query(family, kind, seed);
        // The exact first time is slow where the separation is tiny beside the coordinates.
        const bool quick = seed < 3 && family <= Family::Near;
        for (const double d : {0x1p-8, 1.0, 1e300, 1e-300}) {
            if (d == 1e-300 && !quick) continue;
            SCOPED_TRACE(describe(family, kind, seed, d));
            const oracle::Truth truth = exact_truth(record, kind, d);
            expect_not_later(truth, free_time(record, kind, d));
            contacts_after_the_start += touches_after_the_start(truth) ? 1 : 0;
        }
    });
    EXPECT_GT(contacts_after_the_start, 100);
}

QueryRecord scaled_record(QueryRecord record, int k) {
    for (MovingPoint& corner : record.corners) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            corner.start[axis] = scaled(corner.start[axis], k);
            corner.end[axis] = scaled(corner.end[axis], k);
        }
    }
    return record;
}

TEST(StartSeparation, KeepsItsBitsWhenEverythingIsScaledByAPowerOfTwo) {
    int scaled_count = 0;
    for_each_generated(40, 40, [&](Family family, QueryKind kind, std::uint64_t seed) {
        const QueryRecord record = generate::query(family, kind, seed);
        for (const int k : {-900, -40, 1, 63, 64, 900}) {
            for (const double d : {0.0, 0x1p-8}) {
                const QueryRecord other = scaled_record(record, k);
                if (!(scaled_record(other, -k) == record)) continue;  // rounded
                SCOPED_TRACE(describe(family, kind, seed, d));
                ASSERT_EQ(free_time(other, kind, scaled(d, k)), free_time(record, kind, d)) << k;
                ++scaled_count;
            }
        }
    });
    EXPECT_GT(scaled_count, 10'000);
}

// The set of directions is the same, up to sign, whatever the corners and axes are called.
TEST(StartSeparation, KeepsItsBitsWhenCornersAxesAndPrimitivesAreExchanged) {
    const auto renamed_axes = [](const Vec3& p) { return Vec3{-p.z, p.x, -p.y}; };
    for_each_generated(40, 40, [&](Family family, QueryKind kind, std::uint64_t seed) {
        const QueryRecord record = generate::query(family, kind, seed);
        for (const double d : {0.0, 0x1p-8, 1.0}) {
            SCOPED_TRACE(describe(family, kind, seed, d));
            const double found = free_time(record, kind, d);
            QueryRecord other = record;
            for (MovingPoint& corner : other.corners)
                corner = {renamed_axes(corner.start), renamed_axes(corner.end)};
            ASSERT_EQ(free_time(other, kind, d), found);
            other = record;
            if (kind == QueryKind::VertexVertex) std::swap(other.corners[0], other.corners[1]);
            if (kind == QueryKind::VertexEdge) std::swap(other.corners[1], other.corners[2]);
            if (kind == QueryKind::EdgeEdge) {
                std::rotate(other.corners.begin(), other.corners.begin() + 2, other.corners.end());
                std::swap(other.corners[0], other.corners[1]);
            }
            if (kind == QueryKind::VertexFace) {
                std::rotate(other.corners.begin() + 1, other.corners.begin() + 2,
                            other.corners.end());
            }
            ASSERT_EQ(free_time(other, kind, d), found);
        }
    });
}

MovingPoint at_rest(const Vec3& p) {
    return {p, p};
}
MovingPoint moving(const Vec3& from, const Vec3& to) {
    return {from, to};
}
const std::array<MovingPoint, 3> kUnitTriangle = {at_rest({0, 0, 0}), at_rest({1, 0, 0}),
                                                  at_rest({0, 1, 0})};

TEST(StartSeparation, IsTheTimeOfImpactWhereOneDirectionDoesForTheWholeFall) {
    const MovingPoint falls = moving({0.25, 0.25, 1}, {0.25, 0.25, -1});
    EXPECT_EQ(free_time_from_start(VertexFaceMotion{falls, kUnitTriangle}, 0.0), 0.5);
    EXPECT_EQ(free_time_from_start(VertexFaceMotion{falls, kUnitTriangle}, 0.5), 0.25);
    EXPECT_EQ(free_time_from_start(VertexVertexMotion{falls, at_rest({0.25, 0.25, 0})}, 0.25),
              0.375);
    // 1 - 3 t = 0: rounded down.
    const MovingPoint faster = moving({0.25, 0.25, 1}, {0.25, 0.25, -2});
    EXPECT_EQ(free_time_from_start(VertexFaceMotion{faster, kUnitTriangle}, 0.0),
              0x1.5555555555555p-2);
}

TEST(StartSeparation, KnowsTheEndOfTheStepFromBeyondIt) {
    const auto falls_to = [](double z) {
        return VertexFaceMotion{moving({0.25, 0.25, 1}, {0.25, 0.25, z}), kUnitTriangle};
    };
    EXPECT_EQ(free_time_from_start(falls_to(0.0), 0.0), 1.0);
    EXPECT_EQ(free_time_from_start(falls_to(kTiny), 0.0), kInfinity);
    EXPECT_EQ(free_time_from_start(falls_to(-kTiny), 0.0), std::nextafter(1.0, 0.0));
    EXPECT_EQ(free_time_from_start(falls_to(0.5), 0.5), 1.0);
    EXPECT_EQ(free_time_from_start(falls_to(std::nextafter(0.5, 1.0)), 0.5), kInfinity);
    EXPECT_EQ(free_time_from_start(falls_to(2.0), 0.5), kInfinity);
}

TEST(StartSeparation, CountsADistanceOfExactlyTheSeparationAsWithinIt) {
    for (const double d : {kTiny, 0x1p-1022, 1e-300, 0.1, 1.0, 1e300}) {
        for (const double start : {d, std::nextafter(d, kInfinity)}) {
            const MovingPoint falls = moving({0.25, 0.25, start}, {0.25, 0.25, 0});
            const bool apart = start > d;
            EXPECT_EQ(free_time_from_start(VertexFaceMotion{falls, kUnitTriangle}, d) > 0.0, apart)
                << d;
            EXPECT_EQ(
                free_time_from_start(VertexVertexMotion{falls, at_rest({0.25, 0.25, 0})}, d) > 0.0,
                apart)
                << d;
        }
    }
}

// Which gap can be seen where only some of the directions are left. Each is one unit in the last
// place, and closes within the step.
// The bits of d that lie far below those of the coordinates count.
TEST(StartSeparation, TakesEveryBitOfTheSeparation) {
    const VertexVertexMotion falls{moving({0, 0, 1}, {0, 0, 0}), at_rest({0, 0, 0})};
    EXPECT_EQ(free_time_from_start(falls, 0x1.fffffffffffffp-1), 0x1p-53);
    EXPECT_EQ(free_time_from_start(falls, 0x1.0000000000001p-1), 0x1.ffffffffffffep-2);
    EXPECT_EQ(free_time_from_start(falls, 0x1p-1074), 0x1.fffffffffffffp-1);
    EXPECT_EQ(free_time_from_start(falls, 0x1.0000000000001p+0), 0.0);
}

TEST(StartSeparation, SeesACoplanarVertexBesideATriangle) {
    const double beyond = std::nextafter(0.5, 1.0);  // x + y > 1 by 2^-53
    const auto vertex = [](double x) {
        return VertexFaceMotion{moving({x, 0.5, 0}, {0.25, 0.25, 0}), kUnitTriangle};
    };
    EXPECT_EQ(free_time_from_start(vertex(0.5), 0.0), 0.0);
    const double found = free_time_from_start(vertex(beyond), 0.0);
    EXPECT_GT(found, 0x1p-53);
    EXPECT_LT(found, 0x1p-51);
}

TEST(StartSeparation, SeesATriangleWithoutArea) {
    const std::array<MovingPoint, 3> line = {at_rest({0, 0, 0}), at_rest({2, 2, 2}),
                                             at_rest({1, 1, 1})};
    const std::array<MovingPoint, 3> point = {at_rest({1, 1, 1}), at_rest({1, 1, 1}),
                                              at_rest({1, 1, 1})};
    const double above_one = std::nextafter(1.0, 2.0);
    const double above_two = std::nextafter(2.0, 3.0);
    const auto time = [](const Vec3& vertex, const std::array<MovingPoint, 3>& face) {
        return free_time_from_start(VertexFaceMotion{moving(vertex, {1, 1, 1}), face}, 0.0);
    };
    EXPECT_EQ(time({1.5, 1.5, 1.5}, line), 0.0);
    EXPECT_EQ(time({2, 2, 2}, line), 0.0);
    EXPECT_EQ(time({1, 1, 1}, point), 0.0);
    EXPECT_GT(time({1, 1, above_one}, line), 0.0);                  // beside it, within its box
    EXPECT_GT(time({above_two, above_two, above_two}, line), 0.0);  // on its line, beyond its end
    EXPECT_GT(time({1, above_one, 1}, point), 0.0);
}

TEST(StartSeparation, SeesParallelAndCollinearEdges) {
    const auto time = [](const Vec3& b0, const Vec3& b1) {
        const std::array<MovingPoint, 2> a = {at_rest({0, 0, 0}), at_rest({4, 4, 4})};
        return free_time_from_start(
            EdgeEdgeMotion{a, {moving(b0, {1, 1, 1}), moving(b1, {2, 2, 2})}}, 0.0);
    };
    const double above_one = std::nextafter(1.0, 2.0);
    const double two_more = 2.0 + (above_one - 1.0);
    ASSERT_EQ(two_more, 2.0);  // so that the next case is not parallel, but nearly
    EXPECT_GT(time({1, 1, above_one}, {2, 2, std::nextafter(2.0, 3.0)}), 0.0);
    EXPECT_GT(time({1, 1, 1.5}, {2, 2, 2.5}), 0.0);  // parallel, within each other's box
    EXPECT_EQ(time({1, 1, 1}, {2, 2, 2}), 0.0);      // collinear, overlapping
    EXPECT_EQ(time({4, 4, 4}, {5, 5, 5}), 0.0);      // collinear, end to end
    const double beyond = std::nextafter(4.0, 5.0);
    EXPECT_GT(time({beyond, beyond, beyond}, {5, 5, 5}), 0.0);  // collinear, one unit between
    EXPECT_EQ(time({4, 4, 4}, {4, 4, 4}), 0.0);                 // an edge without length
    EXPECT_GT(time({1, 1, 1.5}, {1, 1, 1.5}), 0.0);
}

TEST(StartSeparation, SeesCrossingEdgesThatMissByTheSmallestDouble) {
    const auto edges = [](double height, double end) {
        return EdgeEdgeMotion{
            {at_rest({-1, -1, 0}), at_rest({1, 1, 0})},
            {moving({-1, 1, height}, {-1, 1, end}), moving({1, -1, height}, {1, -1, end})}};
    };
    EXPECT_EQ(free_time_from_start(edges(kTiny, -kTiny), 0.0), 0.5);
    EXPECT_EQ(free_time_from_start(edges(kTiny, 1.0), 0.0), kInfinity);
    EXPECT_EQ(free_time_from_start(edges(kTiny, -0x1p-1000), 0.0), 0x1.fffffffffffffp-75);
    EXPECT_EQ(free_time_from_start(edges(0.0, 1.0), 0.0), 0.0);
}

TEST(StartSeparation, SeesAVertexBesideAnEdge) {
    const std::array<MovingPoint, 2> edge = {at_rest({0, 0, 0}), at_rest({3, 5, 7})};
    const auto time = [&](const Vec3& from) {
        return free_time_from_start(VertexEdgeMotion{moving(from, {1.5, 2.5, 3.5}), edge}, 0.0);
    };
    EXPECT_EQ(time({0.75, 1.25, 1.75}), 0.0);
    EXPECT_GT(time({0.75, 1.25, std::nextafter(1.75, 2.0)}), 0.0);
    EXPECT_GT(time({std::nextafter(0.75, 0.0), 1.25, 1.75}), 0.0);
}

TEST(StartSeparation, TakesTheLargestAndTheSmallestDoublesInOneQuery) {
    constexpr double kHuge = 1e308;
    const std::array<MovingPoint, 3> face = {at_rest({-kHuge, -kHuge, 0}), at_rest({kHuge, 0, 0}),
                                             at_rest({0, kHuge, 0})};
    const auto vertex = [&](double from, double to) {
        return VertexFaceMotion{moving({kTiny, -kTiny, from}, {kTiny, -kTiny, to}), face};
    };
    EXPECT_EQ(free_time_from_start(vertex(kTiny, -kTiny), 0.0), 0.5);
    EXPECT_EQ(free_time_from_start(vertex(3 * kTiny, -kTiny), kTiny), 0.5);
    EXPECT_EQ(free_time_from_start(vertex(kTiny, kHuge), 0.0), kInfinity);
    EXPECT_EQ(free_time_from_start(vertex(0.0, kHuge), 0.0), 0.0);
    // 2^-1074 / 1e308 is no double: the only gap that is answered by zero.
    EXPECT_EQ(free_time_from_start(vertex(kTiny, -kHuge), 0.0), 0.0);
    // A tilted face, so that all coordinates of the normal are products: every integer is at its
    // longest.
    const double largest = std::numeric_limits<double>::max();
    const std::array<MovingPoint, 3> tilted = {
        moving({-largest, kTiny, largest}, {largest, largest, -largest}),
        moving({largest, -largest, -largest}, {-largest, kTiny, largest}),
        moving({kTiny, largest, -largest}, {largest, -largest, largest})};
    const MovingPoint far = moving({largest, largest, largest}, {-largest, -largest, -largest});
    const QueryRecord record = io::record_of(VertexFaceMotion{far, tilted});
    for (const double d : {0.0, kTiny, 1.0, 1e307, largest}) {
        const std::optional<mpq_class> exact = exact_free_time(record, QueryKind::VertexFace, d);
        ASSERT_TRUE(exact);
        EXPECT_EQ(exact::tightness(exact::Side::Down, free_time(record, QueryKind::VertexFace, d),
                                   *exact),
                  exact::Tightness::Tight);
        EXPECT_EQ(*exact > 0, apart_at_start(record, QueryKind::VertexFace, d));
    }
}

// A gap of 2^-1074 and motions of 2^1024: the search for any direction, with its longest integers.
TEST(StartSeparation, LooksForAnyDirectionAmongTheLargestAndTheSmallestDoubles) {
    std::array<int, 2> count{};
    exact::DoubleSource source(20250401);
    // With random significands, so that no hull is flat.
    const auto huge = [&] { return source.with_exponent(kMaxExponent); };
    const auto tiny = [&] { return kTiny * source.integer(-1000, 1000); };
    const auto either = [&] { return source.integer(0, 2) == 0 ? huge() : tiny(); };
    for (int i = 0; i < 300; ++i) {
        QueryRecord record;
        for (MovingPoint& corner : record.corners)
            corner = {{tiny(), either(), either()}, {huge(), huge(), huge()}};
        for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
            const std::optional<mpq_class> exact = exact_free_time(record, kind, 0.0);
            if (!exact || *exact == 0 || *exact >= mpq_class(kTiny)) continue;
            SCOPED_TRACE(io::to_hex(record, kind));
            const bool none = hull_holds_the_origin(swept_for_the_smallest_time(record, kind));
            ASSERT_EQ(free_time(record, kind, 0.0), none ? 0.0 : kTiny);
            ++count[none ? 0 : 1];
        }
    }
    EXPECT_GE(count[0], 10);
    EXPECT_GE(count[1], 10);
}

TEST(StartSeparation, ProvesNothingForInputThatIsNotAsRequired) {
    const VertexFaceMotion motion{moving({0, 0, 3}, {0, 0, 4}), kUnitTriangle};
    EXPECT_EQ(free_time_from_start(motion, 0.0), kInfinity);
    EXPECT_EQ(free_time_from_start(motion, -0.0), kInfinity);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {nan, kInfinity, -kInfinity, -1.0, -kTiny}) {
        EXPECT_EQ(free_time_from_start(motion, bad), 0.0);
    }
    for (const double bad : {nan, kInfinity, -kInfinity}) {
        VertexFaceMotion broken = motion;
        broken.face[2].end.y = bad;
        EXPECT_EQ(free_time_from_start(broken, 0.0), 0.0);
    }
}

TEST(StartSeparation, IsZeroWhereEverythingIsZero) {
    EXPECT_EQ(free_time_from_start(VertexFaceMotion{}, 0.0), 0.0);
    EXPECT_EQ(free_time_from_start(EdgeEdgeMotion{}, 0.0), 0.0);
    EXPECT_EQ(free_time_from_start(VertexVertexMotion{}, 0.0), 0.0);
    EXPECT_EQ(free_time_from_start(VertexEdgeMotion{}, 0.0), 0.0);
}

}  // namespace
}  // namespace graze
