// Minimum separation of `certified` against the oracle, in both norms: families of queries at
// separations of every size, and separations that are the exact distance, or the next double.
// Defends G-CERTIFIED-4 (docs/GUARANTEES.md).
#include "narrow/certified/separation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "graze/core/power_of_two.hpp"
#include "graze/core/rounding.hpp"
#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/oracle_method.hpp"
#include "narrow/certified/nearest.hpp"

namespace graze::certified {
namespace {

using generate::Family;
using io::QueryRecord;

constexpr std::array<Norm, 2> kBothNorms = {Norm::Euclidean, Norm::Max};
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

CcdResult ask(QueryKind kind, const QueryRecord& record, const CcdOptions& options) {
    return visit(kind, [&]<class Motion>(std::type_identity<Motion>) {
        return within_separation(io::motion_of<Motion>(record), options);
    });
}

CcdResult exact_answer(QueryKind kind, const QueryRecord& record, double d, Norm norm,
                       double t_max) {
    const oracle::Query query = verify::oracle_query(record, kind);
    return verify::result_up_to(oracle::first_within(query, d, verify::oracle_norm(norm)), t_max);
}

std::string describe(QueryKind kind, const QueryRecord& record, const CcdOptions& options) {
    return std::string(options.norm == Norm::Max ? "max" : "euclidean") +
           " d = " + io::to_hex(options.min_separation) + "\n" + io::to_hex(record, kind);
}

// The first thing that is wrong with an answer; empty if nothing is.
std::string fault(QueryKind kind, const QueryRecord& record, const CcdOptions& options,
                  const CcdResult& truth, const CcdResult& found) {
    const bool touches = truth.verdict == Verdict::Contact;
    if (found.verdict == Verdict::Separated) {
        if (touches) return "a contact is called separated";
        return found == separated(found.checks) ? "" : "separated with a finite number";
    }
    if (!(found.toi_lower >= 0.0 && found.toi_lower <= found.toi_upper)) return "times in disorder";
    if (touches && !(found.toi_lower <= truth.toi_lower)) return "toi_lower is late";
    if (found.verdict == Verdict::Unresolved) {
        return found.toi_upper == kInfinity && found.tolerance == kInfinity
                   ? ""
                   : "unresolved with a finite number";
    }
    if (!(found.tolerance >= 0.0 && found.tolerance <= options.distance_tolerance)) {
        return "the tolerance is out of its range";
    }
    if (!(found.toi_upper <= options.t_max)) return "toi_upper is beyond t_max";
    if (touches && found.toi_upper >= truth.toi_upper) return "";
    const double reach = add_up(options.min_separation, found.tolerance);
    const CcdResult near = exact_answer(kind, record, reach, options.norm, options.t_max);
    if (near.verdict != Verdict::Contact) return "not as near as the tolerance says";
    return found.toi_upper >= near.toi_upper ? "" : "toi_upper is early";
}

struct Sums {
    int asked = 0;
    int separated = 0;
    int contact = 0;
    int proved_within = 0;  // contact, tolerance 0
    int unresolved = 0;
    int wide = 0;
    int no_progress = 0;  // apart at the start, toi_lower = 0
    std::uint64_t checks = 0;
    std::uint64_t most_checks = 0;
};
Sums& operator+=(Sums& a, const Sums& b) {
    a.asked += b.asked;
    a.separated += b.separated;
    a.contact += b.contact;
    a.proved_within += b.proved_within;
    a.unresolved += b.unresolved;
    a.wide += b.wide;
    a.no_progress += b.no_progress;
    a.checks += b.checks;
    a.most_checks = std::max(a.most_checks, b.most_checks);
    return a;
}
std::ostream& operator<<(std::ostream& out, const Sums& s) {
    return out << s.asked << " asked, " << s.separated << " separated, " << s.contact
               << " contact (" << s.proved_within << " within d, " << s.wide << " wide), "
               << s.unresolved << " unresolved, " << s.no_progress << " without progress, "
               << s.checks << " checks, at most " << s.most_checks;
}

void judge(QueryKind kind, const QueryRecord& record, const CcdOptions& options, Sums& sums) {
    const CcdResult found = ask(kind, record, options);
    const CcdResult truth =
        exact_answer(kind, record, options.min_separation, options.norm, options.t_max);
    const std::string wrong = fault(kind, record, options, truth, found);
    ASSERT_EQ(wrong, "") << describe(kind, record, options) << '\n'
                         << io::to_hex(found.toi_lower) << ' ' << io::to_hex(found.toi_upper);
    const bool contact = found.verdict == Verdict::Contact;
    ++sums.asked;
    sums.separated += found.verdict == Verdict::Separated ? 1 : 0;
    sums.contact += contact ? 1 : 0;
    sums.proved_within += contact && found.tolerance == 0.0 ? 1 : 0;
    sums.wide += contact && found.toi_upper - found.toi_lower > options.time_width ? 1 : 0;
    sums.unresolved += found.verdict == Verdict::Unresolved ? 1 : 0;
    sums.no_progress += truth.toi_lower > 0.0 && found.toi_lower == 0.0 ? 1 : 0;
    sums.checks += found.checks;
    sums.most_checks = std::max(sums.most_checks, found.checks);
}

template <class Check>
void for_each_generated(std::uint64_t count, const Check& check) {
    for (const Family family : generate::kAllFamilies) {
        for (const QueryKind kind : kAllQueryKinds) {
            const std::uint64_t seeds = family == Family::Wild ? count / 8 : count;
            for (std::uint64_t seed = 0; seed < seeds; ++seed)
                check(family, kind, generate::query(family, kind, seed));
        }
    }
}

void judge_every_family(int count) {
    for (const Norm norm : kBothNorms) {
        for (const double d : {1e-16, 1e-8, 1e-2, 0.5, 2.0}) {
            Sums sums;
            for_each_generated(static_cast<std::uint64_t>(count), [&](Family family, QueryKind kind,
                                                                      const QueryRecord& record) {
                Sums one;
                judge(kind, record, {.min_separation = d, .norm = norm, .max_checks = 10000}, one);
                // The tolerance is far below the rounding of some wild coordinates.
                EXPECT_TRUE(family == Family::Wild || one.unresolved == 0);
                sums += one;
            });
            std::cout << (norm == Norm::Max ? "max " : "euclidean ") << d << ": " << sums << '\n';
            EXPECT_GT(sums.separated, sums.asked / 40);
            EXPECT_GT(sums.contact, sums.asked / 40);
            EXPECT_EQ(sums.no_progress, 0);
        }
    }
}

TEST(CertifiedSeparation, IsRightOnEveryFamilyKindNormAndSeparation) {
    judge_every_family(3);
}

TEST(CertifiedSeparationAttack, IsRightOnEveryFamilyKindNormAndSeparation) {
    judge_every_family(16);
}

TEST(CertifiedSeparation, KeepsItsWordForEveryBudgetToleranceAndEndOfTime) {
    Sums sums;
    for (const Norm norm : kBothNorms) {
        for_each_generated(4, [&](Family family, QueryKind kind, const QueryRecord& record) {
            if (family == Family::Wild) return;
            for (const std::uint64_t checks : {1U, 2U, 3U, 17U}) {
                judge(kind, record, {.min_separation = 0.125, .norm = norm, .max_checks = checks},
                      sums);
            }
            for (const double tolerance : {0x1p-1074, 1e-15, 0.25, 1e300}) {
                judge(kind, record,
                      {.min_separation = 0.125, .norm = norm, .distance_tolerance = tolerance},
                      sums);
            }
            for (const double t_max : {0.0, 0.5, 0x1.fffffffffffffp-1}) {
                judge(kind, record, {.min_separation = 0.125, .norm = norm, .t_max = t_max}, sums);
            }
        });
    }
    std::cout << sums << '\n';
    EXPECT_GT(sums.unresolved, 0);
}

// Separations a few units in the last place from the least distance of the whole step, where every
// error bound counts, with a tolerance too small to hide behind.
void judge_at_the_least_distance(int count) {
    Sums sums;
    for (const Norm norm : kBothNorms) {
        for_each_generated(static_cast<std::uint64_t>(count), [&](Family family, QueryKind kind,
                                                                  const QueryRecord& record) {
            if (family == Family::Wild) return;
            const oracle::DistanceBracket least = oracle::minimum_distance(
                verify::oracle_query(record, kind), verify::oracle_norm(norm));
            if (!(least.lower > 0x1p-30)) return;
            const double unit = least.upper - least.lower;
            for (const double units : {-300.0, -30.0, -3.0, -1.0, 0.0, 1.0, 3.0, 30.0}) {
                const CcdOptions options{.min_separation = least.upper + units * unit,
                                         .norm = norm,
                                         .distance_tolerance = 1e-15,
                                         .max_checks = 10000};
                judge(kind, record, options, sums);
            }
        });
    }
    std::cout << sums << '\n';
    EXPECT_GT(sums.asked, 180 * count);
    EXPECT_GT(sums.separated, sums.asked / 8);
    EXPECT_GT(sums.contact, sums.asked / 8);
}

TEST(CertifiedSeparation, IsRightWhereTheSeparationIsTheLeastDistanceOrNextToIt) {
    judge_at_the_least_distance(1);
}

TEST(CertifiedSeparationAttack, IsRightWhereTheSeparationIsTheLeastDistanceOrNextToIt) {
    judge_at_the_least_distance(5);
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

TEST(CertifiedSeparation, KeepsItsBitsWhenAllLengthsAreScaledByAPowerOfTwo) {
    int scaled_count = 0;
    for (const Norm norm : kBothNorms) {
        for_each_generated(8, [&](Family, QueryKind kind, const QueryRecord& record) {
            const CcdOptions options{.min_separation = 0x1.8p-6, .norm = norm};
            const CcdResult found = ask(kind, record, options);
            for (const int k : {-900, -498, -40, 1, 64, 498, 900}) {
                const QueryRecord other = scaled_record(record, k);
                if (!(scaled_record(other, -k) == record)) continue;  // rounded
                CcdOptions other_options = options;
                other_options.min_separation = scaled(options.min_separation, k);
                other_options.distance_tolerance = scaled(options.distance_tolerance, k);
                CcdResult expected = found;
                expected.tolerance = scaled(found.tolerance, k);
                ASSERT_EQ(ask(kind, other, other_options), expected)
                    << k << '\n'
                    << describe(kind, record, options);
                ++scaled_count;
            }
        });
    }
    EXPECT_GT(scaled_count, 3000);
}

MovingPoint at_rest(const Vec3& p) {
    return {p, p};
}
MovingPoint moving(const Vec3& from, const Vec3& to) {
    return {from, to};
}
const std::array<MovingPoint, 3> kTriangle = {at_rest({0, 0, 0}), at_rest({4, 0, 0}),
                                              at_rest({0, 4, 0})};

TEST(CertifiedSeparation, CountsADistanceOfExactlyTheSeparationAsContact) {
    const VertexVertexMotion rests{at_rest({3, 4, 0}), at_rest({0, 0, 0})};
    for (const int k : {-1060, -500, 0, 500, 1000}) {
        const QueryRecord record = scaled_record(io::record_of(rests), k);
        const double unit = scaled(1.0, k);
        const CcdResult euclidean = ask(QueryKind::VertexVertex, record,
                                        {.min_separation = 5 * unit, .norm = Norm::Euclidean});
        EXPECT_EQ(euclidean, (CcdResult{Verdict::Contact, 0.0, 0.0, euclidean.checks, 0.0})) << k;
        const CcdResult max =
            ask(QueryKind::VertexVertex, record, {.min_separation = 4 * unit, .norm = Norm::Max});
        EXPECT_EQ(max, (CcdResult{Verdict::Contact, 0.0, 0.0, max.checks, 0.0})) << k;
    }
    // Falls to exactly the separation at the end of the step.
    for (const Norm norm : kBothNorms) {
        const MovingPoint falls = moving({1, 1, 4}, {1, 1, 2});
        const CcdResult at_end = within_separation(VertexFaceMotion{falls, kTriangle},
                                                   {.min_separation = 2.0, .norm = norm});
        EXPECT_EQ(at_end.verdict, Verdict::Contact);
        EXPECT_EQ(at_end.tolerance, 0.0);
        EXPECT_EQ(at_end.toi_upper, 1.0);
        EXPECT_GT(at_end.toi_lower, 1.0 - 1e-9);
    }
}

// Halfway of a fall at speed 4: bracketed as asked for.
TEST(CertifiedSeparation, BracketsAPlainFall) {
    const MovingPoint falls = moving({1, 1, 3}, {1, 1, -1});
    for (const Norm norm : kBothNorms) {
        for (const double width : {1e-3, 1e-6, 1e-9, 1e-12}) {
            const CcdResult found =
                within_separation(VertexFaceMotion{falls, kTriangle},
                                  {.min_separation = 1.0, .norm = norm, .time_width = width});
            EXPECT_EQ(found.verdict, Verdict::Contact);
            EXPECT_EQ(found.tolerance, 0.0);
            EXPECT_LE(found.toi_lower, 0.5);
            EXPECT_GE(found.toi_upper, 0.5);
            EXPECT_LE(found.toi_upper - found.toi_lower, width);
        }
    }
}

// (1, 1, 0) is sqrt(2) from the origin, and 1 in the max-norm.
TEST(CertifiedSeparation, TellsTheNormsApart) {
    const VertexVertexMotion rests{at_rest({1, 1, 0}), at_rest({0, 0, 0})};
    const CcdOptions options{.min_separation = 1.25};
    EXPECT_EQ(within_separation(rests, options).verdict, Verdict::Separated);
    CcdOptions max = options;
    max.norm = Norm::Max;
    EXPECT_EQ(within_separation(rests, max).verdict, Verdict::Contact);
}

TEST(CertifiedSeparation, TakesPrimitivesWithoutLengthOrArea) {
    const MovingPoint falls = moving({1, 1, 3}, {1, 1, -1});
    const MovingPoint spot = at_rest({1, 1, 0});
    const MovingPoint far = at_rest({3, 3, 0});
    for (const Norm norm : kBothNorms) {
        const CcdOptions options{.min_separation = 1.0, .norm = norm};
        const auto expect_half = [&](const CcdResult& found) {
            EXPECT_EQ(found.verdict, Verdict::Contact);
            EXPECT_NEAR(found.toi_lower, 0.5, 1e-8);
            EXPECT_NEAR(found.toi_upper, 0.5, 1e-8);
        };
        expect_half(within_separation(VertexFaceMotion{falls, {spot, spot, spot}}, options));
        expect_half(within_separation(VertexFaceMotion{falls, {spot, far, spot}}, options));
        expect_half(
            within_separation(VertexFaceMotion{falls, {far, spot, at_rest({2, 2, 0})}}, options));
        expect_half(within_separation(EdgeEdgeMotion{{falls, falls}, {spot, spot}}, options));
        expect_half(within_separation(EdgeEdgeMotion{{falls, falls}, {spot, far}}, options));
        expect_half(within_separation(VertexEdgeMotion{falls, {spot, spot}}, options));
        expect_half(within_separation(VertexVertexMotion{falls, spot}, options));
    }
}

TEST(CertifiedSeparation, TakesTheLargestAndTheSmallestDoubles) {
    const double largest = std::numeric_limits<double>::max();
    for (const Norm norm : kBothNorms) {
        // Differences overflow.
        const VertexVertexMotion huge{moving({largest, 0, 0}, {largest, largest, 0}),
                                      at_rest({-largest, 0, 0})};
        EXPECT_EQ(within_separation(huge, {.min_separation = largest, .norm = norm}).verdict,
                  Verdict::Separated);
        const VertexVertexMotion meets{moving({largest, 0, 0}, {-largest, 0, 0}),
                                       at_rest({-largest, 0, 0})};
        const CcdResult half = within_separation(meets, {.min_separation = largest, .norm = norm});
        EXPECT_EQ(half.verdict, Verdict::Contact);
        EXPECT_NEAR(half.toi_lower, 0.5, 1e-8);
        EXPECT_NEAR(half.toi_upper, 0.5, 1e-8);
        // The separation is beyond all of it, or all of it is zero.
        const VertexVertexMotion small{at_rest({kTiny, 0, 0}), at_rest({0, 0, 0})};
        const CcdOptions wide{.min_separation = largest, .norm = norm};
        EXPECT_EQ(within_separation(small, wide), (CcdResult{Verdict::Contact, 0, 0, 1, 0}));
        EXPECT_EQ(within_separation(VertexFaceMotion{}, wide),
                  (CcdResult{Verdict::Contact, 0, 0, 1, 0}));
        const CcdOptions tiny{.min_separation = kTiny, .norm = norm};
        EXPECT_EQ(within_separation(small, tiny).verdict, Verdict::Contact);
        const VertexVertexMotion twice{at_rest({2 * kTiny, 0, 0}), at_rest({0, 0, 0})};
        EXPECT_EQ(within_separation(twice, tiny).verdict, Verdict::Separated);
    }
}

TEST(CertifiedSeparation, IsUnresolvedForInputThatIsNotAsRequired) {
    const VertexVertexMotion rests{at_rest({1, 1, 0}), at_rest({0, 0, 0})};
    for (const double d : {0.0, -1.0, kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_EQ(within_separation(rests, {.min_separation = d}), CcdResult{});
    }
    for (const double bad : {kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
        VertexVertexMotion broken = rests;
        broken.b.end.y = bad;
        EXPECT_EQ(within_separation(broken, {.min_separation = 1.0}), CcdResult{});
    }
}

}  // namespace
}  // namespace graze::certified
