// Each family holds what generate.hpp says of it, checked from outside: roots are counted with
// rationals, times and distances come from the oracle.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>

#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/oracle/oracle.hpp"

namespace graze::generate {
namespace {

constexpr QueryKind kVf = QueryKind::VertexFace;
constexpr QueryKind kEe = QueryKind::EdgeEdge;

using Polynomial = std::vector<mpq_class>;  // coefficients from the constant on

// The paths of the corners relative to the first: value at 0, and change over the step.
struct Path {
    std::array<mpq_class, 3> at;
    std::array<mpq_class, 3> change;
};

Path path_of(const MovingPoint& corner, const MovingPoint& origin) {
    Path path;
    for (std::size_t k = 0; k < 3; ++k) {
        path.at[k] = mpq_class(corner.start[k]) - mpq_class(origin.start[k]);
        path.change[k] = mpq_class(corner.end[k]) - mpq_class(origin.end[k]) - path.at[k];
    }
    return path;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
    Polynomial c(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t k = 0; k < b.size(); ++k)
            c[i + k] += a[i] * b[k];
    }
    return c;
}

// det(e1, e2, e3) of the paths, by the six permutations.
Polynomial coplanarity(const io::QueryRecord& record) {
    std::array<Path, 3> e;
    for (std::size_t i = 0; i < 3; ++i)
        e[i] = path_of(record.corners[i + 1], record.corners[0]);
    const auto entry = [&](std::size_t i, std::size_t k) {
        return Polynomial{e[i].at[k], e[i].change[k]};
    };
    Polynomial sum(4);
    constexpr int kPermutations[6][4] = {{0, 1, 2, 1},  {1, 2, 0, 1},  {2, 0, 1, 1},
                                         {0, 2, 1, -1}, {2, 1, 0, -1}, {1, 0, 2, -1}};
    for (const auto& p : kPermutations) {
        const Polynomial term = product(product(entry(0, static_cast<std::size_t>(p[0])),
                                                entry(1, static_cast<std::size_t>(p[1]))),
                                        entry(2, static_cast<std::size_t>(p[2])));
        for (std::size_t i = 0; i < 4; ++i)
            sum[i] += p[3] * term[i];
    }
    return sum;
}

void trim(Polynomial& p) {
    while (!p.empty() && p.back() == 0)
        p.pop_back();
}

Polynomial negated_remainder(Polynomial a, const Polynomial& b) {
    while (a.size() >= b.size()) {
        const mpq_class factor = a.back() / b.back();
        const std::size_t shift = a.size() - b.size();
        for (std::size_t i = 0; i < b.size(); ++i)
            a[i + shift] -= factor * b[i];
        a.pop_back();
        trim(a);
    }
    for (mpq_class& c : a)
        c = -c;
    return a;
}

mpq_class value(const Polynomial& p, int t) {
    mpq_class sum;
    for (std::size_t i = p.size(); i-- > 0;)
        sum = sum * t + p[i];
    return sum;
}

// Distinct roots in (0, 1]; nullopt for zero.
std::optional<int> root_count(Polynomial p) {
    trim(p);
    if (p.empty()) return std::nullopt;
    Polynomial derivative;
    for (std::size_t i = 1; i < p.size(); ++i)
        derivative.push_back(p[i] * static_cast<int>(i));
    std::vector<Polynomial> chain = {p};
    for (Polynomial next = derivative; !next.empty();) {
        chain.push_back(next);
        next = negated_remainder(chain[chain.size() - 2], chain.back());
    }
    const auto changes = [&chain](int t) {
        int count = 0;
        int last = 0;
        for (const Polynomial& member : chain) {
            const int sign = sgn(value(member, t));
            if (sign != 0 && last != 0 && sign != last) ++count;
            if (sign != 0) last = sign;
        }
        return count;
    };
    return changes(0) - changes(1);
}

oracle::Query oracle_query(const io::QueryRecord& record, QueryKind kind) {
    oracle::Query query;
    query.kind = static_cast<oracle::Kind>(kind);
    for (std::size_t c = 0; c < 4; ++c) {
        for (std::size_t k = 0; k < 3; ++k) {
            query.start[c][k] = record.corners[c].start[k];
            query.end[c][k] = record.corners[c].end[k];
        }
    }
    return query;
}

// Counts of one family and kind.
struct Tally {
    int queries = 0;
    int contacts = 0;
};

template <class Check>
Tally for_each_query(Family family, QueryKind kind, int count, const Check& check) {
    Tally tally;
    for (int seed = 0; seed < count; ++seed) {
        const io::QueryRecord record = query(family, kind, static_cast<std::uint64_t>(seed));
        SCOPED_TRACE(std::to_string(seed) + "\n" + to_hex(record, kind));
        const oracle::Truth truth = oracle::first_contact(oracle_query(record, kind));
        ++tally.queries;
        tally.contacts += truth.state == oracle::State::Contact ? 1 : 0;
        check(record, truth);
    }
    return tally;
}

// A time of the grid that families are built on.
bool is_a_64th(const oracle::Truth& truth) {
    const double scaled = 64.0 * truth.toi_lower;
    return truth.toi_lower == truth.toi_upper && scaled == std::floor(scaled);
}

TEST(RootCount, CountsWhatIsKnown) {
    EXPECT_EQ(root_count({mpq_class(-1, 2), 1}), 1);
    EXPECT_EQ(root_count({mpq_class(3, 16), -1, 1}), 2);
    EXPECT_EQ(root_count({1, 0, 1}), 0);
    EXPECT_EQ(root_count({mpq_class(1, 4), -1, 1}), 1) << "a double root counts once";
    EXPECT_EQ(root_count({0, 0}), std::nullopt);
}

TEST(TwoRootsFamily, IsCoplanarAtTwoTimesAndTouchesAtNoOther) {
    for (const QueryKind kind : {kVf, kEe}) {
        int touches_twice = 0;
        const Tally tally = for_each_query(
            Family::TwoRoots, kind, 200,
            [&](const io::QueryRecord& record, const oracle::Truth& truth) {
                const Polynomial f = coplanarity(record);
                EXPECT_EQ(root_count(f), 2);
                EXPECT_NE(value(f, 0), 0);
                EXPECT_NE(value(f, 1), 0);
                if (truth.state != oracle::State::Contact) return;
                EXPECT_TRUE(is_a_64th(truth));
                const double later = truth.toi_upper + 0x1p-8;
                const auto rest = oracle::first_contact_in(oracle_query(record, kind), later, 1.0);
                touches_twice += rest.state == oracle::State::Contact ? 1 : 0;
            });
        EXPECT_GT(touches_twice, tally.queries / 3);
        EXPECT_LT(touches_twice, tally.contacts);
        EXPECT_LT(tally.contacts, tally.queries);
    }
}

TEST(ThreeRootsFamily, IsCoplanarAtThreeTimes) {
    for (const QueryKind kind : {kVf, kEe}) {
        const Tally tally = for_each_query(Family::ThreeRoots, kind, 200,
                                           [](const io::QueryRecord& record, const oracle::Truth&) {
                                               const Polynomial f = coplanarity(record);
                                               EXPECT_EQ(root_count(f), 3);
                                               EXPECT_NE(value(f, 0), 0);
                                               EXPECT_NE(value(f, 1), 0);
                                           });
        EXPECT_GT(tally.contacts, tally.queries / 2);
        EXPECT_LT(tally.contacts, tally.queries);
    }
}

TEST(RootFamilies, HaveVerticesThatMeetTheLineOfTheEdgeTwice) {
    int touches_twice = 0;
    const auto count_second = [&](const io::QueryRecord& record, const oracle::Truth& truth) {
        if (truth.state != oracle::State::Contact || truth.toi_upper >= 0.98) return;
        const auto rest = oracle::first_contact_in(oracle_query(record, QueryKind::VertexEdge),
                                                   truth.toi_upper + 0x1p-8, 1.0);
        touches_twice += rest.state == oracle::State::Contact ? 1 : 0;
    };
    const Tally tally = for_each_query(Family::TwoRoots, QueryKind::VertexEdge, 200, count_second);
    EXPECT_GT(touches_twice, tally.queries / 3);
}

// The pairs of corners, one of each primitive, that coincide at some time; their first times.
std::vector<oracle::Truth> corner_contacts(const io::QueryRecord& record, QueryKind kind) {
    const std::size_t split = kind == kEe ? 2 : 1;
    std::vector<oracle::Truth> contacts;
    for (std::size_t a = 0; a < split; ++a) {
        for (std::size_t b = split; b < vertex_count(kind); ++b) {
            io::QueryRecord pair;
            pair.corners[0] = record.corners[a];
            pair.corners[1] = record.corners[b];
            const auto truth = oracle::first_contact(oracle_query(pair, QueryKind::VertexVertex));
            if (truth.state == oracle::State::Contact) contacts.push_back(truth);
        }
    }
    return contacts;
}

TEST(PointPointFamily, TouchesFirstWithTwoCornersOrNeverAtAll) {
    for (const QueryKind kind : kAllQueryKinds) {
        const Tally tally =
            for_each_query(Family::PointPoint, kind, 200,
                           [&](const io::QueryRecord& record, const oracle::Truth& truth) {
                               const auto corners = corner_contacts(record, kind);
                               if (truth.state == oracle::State::Contact) {
                                   EXPECT_TRUE(is_a_64th(truth));
                                   ASSERT_EQ(corners.size(), 1U);
                                   EXPECT_EQ(corners.front(), truth);
                               } else {
                                   EXPECT_TRUE(corners.empty());
                               }
                           });
        EXPECT_GT(tally.contacts, tally.queries / 2);
        EXPECT_LT(tally.contacts, tally.queries);
    }
}

// A few roundings of numbers below 4, each 2^-52 at most, are far below 2^-46.
TEST(FewUlpsFamily, ComesNearerThanRoundingWhereItDoesNotTouch) {
    for (const QueryKind kind : kAllQueryKinds) {
        const Tally tally =
            for_each_query(Family::FewUlps, kind, 100,
                           [&](const io::QueryRecord& record, const oracle::Truth& truth) {
                               if (truth.state == oracle::State::Contact) return;
                               const auto near = oracle::first_within(oracle_query(record, kind),
                                                                      0x1p-46, oracle::Norm::Max);
                               EXPECT_EQ(near.state, oracle::State::Contact);
                           });
        EXPECT_GT(tally.contacts, tally.queries / 10);
        EXPECT_LT(tally.contacts, tally.queries * 3 / 4);
    }
}

// The normal of the first three corners at an end of the step.
Vec3 normal_of(const io::QueryRecord& record, Vec3 MovingPoint::*end) {
    const auto x = [&](std::size_t c) { return record.corners[c].*end; };
    return cross(x(1) - x(0), x(2) - x(0));
}

TEST(CoplanarFamily, StaysInAPlaneThatTilts) {
    for (const QueryKind kind : {kVf, kEe}) {
        int tilts = 0;
        const Tally tally = for_each_query(
            Family::Coplanar, kind, 200, [&](const io::QueryRecord& record, const oracle::Truth&) {
                EXPECT_EQ(root_count(coplanarity(record)), std::nullopt);
                const Vec3 turn = cross(normal_of(record, &MovingPoint::start),
                                        normal_of(record, &MovingPoint::end));
                tilts += turn == Vec3{} ? 0 : 1;
            });
        EXPECT_GT(tilts, tally.queries / 2);
        EXPECT_GT(tally.contacts, tally.queries / 2);
        EXPECT_LT(tally.contacts, tally.queries);
    }
}

TEST(HourglassFamily, CollapsesInTheMiddleOfTheStep) {
    for (const QueryKind kind : kAllQueryKinds) {
        const std::size_t last = vertex_count(kind) - 1;
        const bool are_points = kind == QueryKind::VertexVertex;
        const Tally tally = for_each_query(
            Family::Hourglass, kind, 200, [&](const io::QueryRecord& record, const oracle::Truth&) {
                const MovingPoint& a = record.corners[last - 1];
                const MovingPoint& b = record.corners[last];
                if (!are_points) {
                    EXPECT_EQ(a.start + a.end, b.start + b.end);
                }
            });
        EXPECT_GT(tally.contacts, tally.queries / 4);
        EXPECT_LT(tally.contacts, tally.queries);
    }
}

// Forward: the hourglass meets at 0.9, the plane at 7/29, the inflection never.
TEST(AppendixFamily, HasThePublishedTimes) {
    int hourglasses = 0;
    int planes = 0;
    const Tally tally = for_each_query(Family::Appendix, kVf, 400,
                                       [&](const io::QueryRecord&, const oracle::Truth& truth) {
                                           const double t = truth.toi_lower;
                                           hourglasses += std::fabs(t - 0.9) < 1e-12 ? 1 : 0;
                                           planes += std::fabs(t - 7.0 / 29.0) < 1e-12 ? 1 : 0;
                                       });
    EXPECT_GT(hourglasses, tally.queries / 20);
    EXPECT_GT(planes, tally.queries / 20);
    EXPECT_GT(tally.contacts, tally.queries / 2);
    EXPECT_LT(tally.contacts, tally.queries * 3 / 4);
}

}  // namespace
}  // namespace graze::generate
