#include "graze/baselines/bernstein_sign.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>

#include "baselines/parity_truth.hpp"
#include "baselines/probes.hpp"
#include "graze/io/query_sets.hpp"
#include "support/outside_data.hpp"

namespace graze {
namespace {

using generate::Family;

constexpr BernsteinSignOptions kCut{AtInflection::Cut};

template <class Motion>
bool is_contact(const Motion& motion, const BernsteinSignOptions& own = {},
                const CcdOptions& options = {}) {
    const CcdResult result = bernstein_sign(motion, options, own);
    EXPECT_NE(result.verdict, Verdict::Unresolved);
    return result.verdict == Verdict::Contact;
}

// --- Exact facts of a query, in rationals

using Rational3 = std::array<mpq_class, 3>;

Rational3 position(const MovingPoint& p, const mpq_class& t) {
    Rational3 x;
    for (std::size_t axis = 0; axis < 3; ++axis)
        x[axis] = mpq_class(p.start[axis]) * (1 - t) + mpq_class(p.end[axis]) * t;
    return x;
}
Rational3 minus(const Rational3& a, const Rational3& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Rational3 cross_of(const Rational3& a, const Rational3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// The corners a, b, c, d of the method: triangle and vertex, or the two edges.
std::array<MovingPoint, 4> four_points(const VertexFaceMotion& m) {
    return {m.face[0], m.face[1], m.face[2], m.vertex};
}
std::array<MovingPoint, 4> four_points(const EdgeEdgeMotion& m) {
    return {m.edge_a[0], m.edge_a[1], m.edge_b[0], m.edge_b[1]};
}

// n = (b - a) x (c - a) at t.
template <class Motion>
Rational3 normal_at(const Motion& motion, const mpq_class& t) {
    const auto c = four_points(motion);
    const Rational3 a = position(c[0], t);
    return cross_of(minus(position(c[1], t), a), minus(position(c[2], t), a));
}

// The coplanarity cubic n.(d - a) at t.
template <class Motion>
mpq_class cubic_at(const Motion& motion, const mpq_class& t) {
    const auto c = four_points(motion);
    const Rational3 n = normal_at(motion, t);
    const Rational3 q = minus(position(c[3], t), position(c[0], t));
    return n[0] * q[0] + n[1] * q[1] + n[2] * q[2];
}
// A cubic is 0 iff it is so at four times.
template <class Motion>
bool stays_in_a_plane(const Motion& motion) {
    for (const int t : {0, 1, 2, 3}) {
        if (cubic_at(motion, mpq_class(t)) != 0) return false;
    }
    return true;
}

// Necessary for n = 0 at some time: any two of its coordinates, as quadratics, have a root in
// common, so that their resultant is 0.
template <class Motion>
bool may_lose_its_normal(const Motion& motion) {
    const Rational3 n0 = normal_at(motion, 0);
    const Rational3 n1 = normal_at(motion, 1);
    const Rational3 n2 = normal_at(motion, 2);
    std::array<Rational3, 3> p;  // p[axis] = c0, c1, c2
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const mpq_class bend = (n0[axis] - 2 * n1[axis] + n2[axis]) / 2;
        p[axis] = {n0[axis], n1[axis] - n0[axis] - bend, bend};
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const Rational3& a = p[i];
        const Rational3& b = p[(i + 1) % 3];
        const mpq_class outer = a[2] * b[0] - a[0] * b[2];
        if (outer * outer != (a[2] * b[1] - a[1] * b[2]) * (a[1] * b[0] - a[0] * b[1]))
            return false;
    }
    return true;
}

// --- The probes

TEST(BernsteinSignProbes, ContactsOutsideOfOnePlaneAreFound) {
    for (const auto& own : {BernsteinSignOptions{}, kCut}) {
        EXPECT_TRUE(is_contact(testing::kProbe1, own));
        EXPECT_TRUE(is_contact(testing::kProbe9, own));
        EXPECT_TRUE(is_contact(testing::kProbe11, own));
        EXPECT_TRUE(is_contact(testing::passing_probe(0.0), own));
    }
}

TEST(BernsteinSignProbes, MissesWithoutInflectionAreSeparated) {
    for (const auto& own : {BernsteinSignOptions{}, kCut}) {
        EXPECT_FALSE(is_contact(testing::kProbe4, own));
        EXPECT_FALSE(is_contact(testing::kProbe7, own));
        EXPECT_FALSE(is_contact(testing::descent_probe(.05), own));
        for (const double e : {0x1p-1074, 1e-300, 1e-8, 4e-5})
            EXPECT_FALSE(is_contact(testing::passing_probe(e), own)) << e;
    }
}

// The method's own failure: within a plane there is no cubic to look at.
TEST(BernsteinSignProbes, ContactsWithinAPlaneAreMissed) {
    for (const auto& own : {BernsteinSignOptions{}, kCut}) {
        EXPECT_FALSE(is_contact(testing::kProbe3, own));
        EXPECT_FALSE(is_contact(testing::kProbe5, own));
        EXPECT_FALSE(is_contact(testing::kProbe5Oblique, own));
        EXPECT_FALSE(is_contact(testing::kProbe6, own));
    }
}

TEST(BernsteinSignProbes, AnInflectionIsContactUnlessTheStepIsCutThere) {
    EXPECT_TRUE(is_contact(testing::kProbe2));
    EXPECT_FALSE(is_contact(testing::kProbe2, kCut));
}

TEST(BernsteinSign, TheEndOfTheStepBelongsToIt) {
    EXPECT_TRUE(is_contact(testing::kProbe11, {}, {.t_max = 0.5}));
    EXPECT_FALSE(is_contact(testing::kProbe11, {}, {.t_max = 0x1.fffffffffffffp-2}));
    EXPECT_TRUE(is_contact(testing::kProbe9, {}, {.t_max = 0.2}));
    EXPECT_FALSE(is_contact(testing::kProbe9, {}, {.t_max = 0.05}));
}

// --- Against the oracle

// What GUARANTEES.md says: misses only where everything stays in one plane; with a cut, false
// contacts only where the normal vanishes.
template <class Motion>
void expect_explained(const Motion& motion, bool touches, bool contact, bool is_cut) {
    if (touches && !contact) {
        EXPECT_TRUE(stays_in_a_plane(motion));
    }
    if (!touches && contact && is_cut) {
        EXPECT_TRUE(may_lose_its_normal(motion));
    }
}

TEST(BernsteinSign, ErrsOnlyWhereItsAssumptionsFail) {
    std::array<int, 3> right{};  // separated, contact; and cut where the plain one is wrong
    testing::for_each_motion(3000, 150, [&](const auto& motion, Family) {
        const bool touches = testing::touches(motion);
        const bool plain = is_contact(motion);
        const bool cut = is_contact(motion, kCut);
        expect_explained(motion, touches, plain, false);
        expect_explained(motion, touches, cut, true);
        if (cut == touches) right[touches ? 1 : 0] += 1;
        if (cut == touches && plain != touches) right[2] += 1;
    });
    EXPECT_GT(right[0], 500);
    EXPECT_GT(right[1], 500);
    EXPECT_GT(right[2], 8);
}

TEST(BernsteinSign, HonoursTheEndOfTheStepInExactArithmetic) {
    for (const double t_max : {0.25, 0.7, 0x1.fffffffffffffp-1}) {
        testing::for_each_motion(8000, 30, [&](const auto& motion, Family family) {
            if (family == Family::Wild) return;
            const auto truth = oracle::first_contact_in(testing::oracle_query(motion), 0.0, t_max);
            const bool touches = truth.state == oracle::State::Contact;
            expect_explained(motion, touches, is_contact(motion, kCut, {.t_max = t_max}), true);
        });
    }
}

// Strong rotations: cubics with inflections, two and three roots.
TEST(BernsteinSign, IsExactWithACutForStrongRotations) {
    std::mt19937_64 rng(11);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::uniform_int_distribution<int> whole(-4, 4);
    int inflections = 0;
    int contacts = 0;
    for (int i = 0; i < 3000; ++i) {
        std::array<MovingPoint, 4> c;
        for (MovingPoint& p : c) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                p.start[axis] = i % 2 == 0 ? unit(rng) : whole(rng);
                p.end[axis] = i % 2 == 0 ? unit(rng) : whole(rng);
            }
        }
        const auto check = [&](const auto& motion) {
            const bool touches = testing::touches(motion);
            const bool cut = is_contact(motion, kCut);
            expect_explained(motion, touches, cut, true);
            inflections += is_contact(motion) && !cut ? 1 : 0;
            contacts += touches ? 1 : 0;
        };
        check(motion_from_vertices<VertexFaceMotion>(c));
        check(motion_from_vertices<EdgeEdgeMotion>(c));
    }
    EXPECT_GT(inflections, 50);
    EXPECT_GT(contacts, 500);
}

// --- The samples of the benchmark, where they lie beside the checkout

struct Counts {
    int queries = 0;
    int false_positives = 0;
    int false_negatives = 0;
    int at_inflection = 0;  // contacts only because the step is not cut
};

template <class Motion>
void count(const io::QueryRecord& record, Counts& counts) {
    const Motion motion = io::motion_of<Motion>(record);
    const bool touches = record.truth.value();
    const bool contact = is_contact(motion);
    ++counts.queries;
    counts.false_positives += contact && !touches ? 1 : 0;
    counts.false_negatives += touches && !contact ? 1 : 0;
    expect_explained(motion, touches, contact, false);
    const bool cut = is_contact(motion, kCut);
    expect_explained(motion, touches, cut, true);
    counts.at_inflection += contact && !cut ? 1 : 0;
}

// Published: 2333 false negatives of edge-edge in all simulations, 2320 of them at rest in scenes
// that are not in this sample: 13 are left. No false negative of vertex-face but those at rest.
TEST(BernsteinSignSamples, HaveTheMissesThatThePublishedCodeHas) {
    const std::filesystem::path folder = testing::outside_data("ccd-queries");
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no benchmark samples";
    const auto sets = io::find_query_sets(folder);
    ASSERT_TRUE(sets) << sets.error().message;
    std::map<std::string, Counts> groups;
    for (const io::QuerySet& set : *sets) {
        const auto records = io::read_all(set.source);
        ASSERT_TRUE(records) << records.error().message;
        const QueryKind kind = set.source.kind;
        Counts& counts = groups[set.group + ' ' + std::string(short_name(kind))];
        for (const io::QueryRecord& record : *records) {
            kind == QueryKind::VertexFace ? count<VertexFaceMotion>(record, counts)
                                          : count<EdgeEdgeMotion>(record, counts);
        }
    }
    for (const auto& [group, counts] : groups) {
        std::cout << group << ": " << counts.queries << " queries, " << counts.false_positives
                  << " FP, " << counts.false_negatives << " FN, " << counts.at_inflection
                  << " at an inflection\n";
    }
    EXPECT_EQ(groups["simulation vf"].false_negatives, 0);
    EXPECT_EQ(groups["simulation ee"].false_negatives, 13);
    EXPECT_LE(groups["simulation ee"].false_positives, 29);
    EXPECT_EQ(groups["handcrafted vf"].false_negatives, 3);
}

}  // namespace
}  // namespace graze
