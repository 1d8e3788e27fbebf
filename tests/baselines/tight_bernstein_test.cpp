// Defends G-BERNSTEIN-1 (docs/GUARANTEES.md).
#include "graze/baselines/tight_bernstein.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "baselines/probes.hpp"
#include "baselines/sample_counts.hpp"
#include "graze/generate/families.hpp"
#include "graze/io/hex_float.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze {
namespace {

using generate::Family;
using io::QueryRecord;

constexpr TightBernsteinOptions kPublished{.arithmetic = BernsteinArithmetic::Published};
constexpr TightBernsteinOptions kReadingOneSign{.reads_one_sign = true};

template <class Motion>
Verdict verdict_of(const Motion& motion, const TightBernsteinOptions& options = {}) {
    return tight_bernstein(motion, options).verdict;
}

QueryRecord scaled(QueryRecord record, int exponent) {
    for (MovingPoint& corner : record.corners) {
        corner = {std::ldexp(1.0, exponent) * corner.start, std::ldexp(1.0, exponent) * corner.end};
    }
    return record;
}

Verdict verdict_of(const QueryRecord& record, QueryKind kind,
                   const TightBernsteinOptions& options = {}) {
    return kind == QueryKind::VertexFace
               ? verdict_of(io::motion_of<VertexFaceMotion>(record), options)
               : verdict_of(io::motion_of<EdgeEdgeMotion>(record), options);
}

bool touches(const QueryRecord& record, QueryKind kind) {
    return oracle::first_contact(verify::oracle_query(record, kind)).state ==
           oracle::State::Contact;
}

TEST(TightBernsteinProbes, ContactsAreContact) {
    for (const auto& options : {TightBernsteinOptions{}, kReadingOneSign, kPublished}) {
        for (const auto& motion :
             {testing::kProbe1, testing::kProbe3, testing::kProbe6, testing::kProbe11}) {
            EXPECT_EQ(verdict_of(motion, options), Verdict::Contact);
        }
        for (const auto& motion : {testing::kProbe5, testing::kProbe5Oblique, testing::kProbe9}) {
            EXPECT_EQ(verdict_of(motion, options), Verdict::Contact);
        }
    }
}

// P2 has its inflection at 5/9: both halves are told apart from contact.
TEST(TightBernsteinProbes, MissesOutsideOnePlaneAreSeparated) {
    for (const auto& options : {TightBernsteinOptions{}, kReadingOneSign, kPublished}) {
        EXPECT_EQ(verdict_of(testing::kProbe2, options), Verdict::Separated);
        EXPECT_EQ(verdict_of(testing::descent_probe(.05), options), Verdict::Separated);
        EXPECT_EQ(verdict_of(testing::descent_probe(.2), options), Verdict::Separated);
        for (const double e : {1e-8, 1e-6, 3e-5, 4e-5, 0.1}) {
            EXPECT_EQ(verdict_of(testing::passing_probe(e), options), Verdict::Separated) << e;
        }
    }
}

// All coefficients are zero: no sign is certain, and the method has nothing else to go by.
TEST(TightBernsteinProbes, MissesInOnePlaneAreFalsePositives) {
    EXPECT_EQ(verdict_of(testing::kProbe4), Verdict::Contact);
    EXPECT_EQ(verdict_of(testing::kProbe7), Verdict::Contact);
}

// Truth does not depend on a common power of two, and neither may the verdict.
TEST(TightBernstein, NeverCallsAContactSeparatedAtAnyScale) {
    int contacts = 0;
    int separated = 0;
    for (const Family family : generate::kAllFamilies) {
        if (family == Family::Wild) continue;  // does not scale exactly; see below
        for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
            for (std::uint64_t seed = 1000; seed < 1150; ++seed) {
                const QueryRecord record = generate::query(family, kind, seed);
                SCOPED_TRACE(io::to_hex(record, kind));
                const Verdict plain = verdict_of(record, kind);
                const bool contact = touches(record, kind);
                if (contact) {
                    EXPECT_EQ(plain, Verdict::Contact);
                    EXPECT_EQ(verdict_of(record, kind, kReadingOneSign), Verdict::Contact);
                }
                for (const int exponent : {-900, -300, -10, 300, 900})
                    EXPECT_EQ(verdict_of(scaled(record, exponent), kind), plain) << exponent;
                contacts += contact ? 1 : 0;
                separated += plain == Verdict::Separated ? 1 : 0;
            }
        }
    }
    EXPECT_GT(contacts, 1000);
    EXPECT_GT(separated, 500);  // it is not safe by never deciding
}

TEST(TightBernstein, NeverCallsAContactSeparatedWhereAxesDifferInSize) {
    for (const QueryKind kind : {QueryKind::VertexFace, QueryKind::EdgeEdge}) {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const QueryRecord record = generate::query(Family::Wild, kind, seed);
            SCOPED_TRACE(io::to_hex(record, kind));
            if (touches(record, kind)) {
                EXPECT_EQ(verdict_of(record, kind), Verdict::Contact);
                EXPECT_EQ(verdict_of(record, kind, kReadingOneSign), Verdict::Contact);
            }
        }
    }
}

// Corners that go anywhere: triangles turn over, cubics have two or three roots, of which one is a
// contact and the others are beside the triangle or the edge.
TEST(TightBernstein, NeverCallsAContactSeparatedWhereEverythingTurns) {
    std::mt19937_64 rng(20250108);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    int separated = 0;
    for (int i = 0; i < 9000; ++i) {
        const QueryKind kind = i % 2 == 0 ? QueryKind::VertexFace : QueryKind::EdgeEdge;
        QueryRecord record;
        for (MovingPoint& corner : record.corners) {
            corner = {{unit(rng), unit(rng), unit(rng)}, {unit(rng), unit(rng), unit(rng)}};
        }
        const bool plain = verdict_of(record, kind) == Verdict::Separated;
        const bool reading = verdict_of(record, kind, kReadingOneSign) == Verdict::Separated;
        if (!plain && !reading) continue;
        ++separated;
        EXPECT_FALSE(touches(record, kind)) << io::to_hex(record, kind);
    }
    EXPECT_GT(separated, 4000);
}

// Whatever reads one sign decides at least what the division decides.
TEST(TightBernstein, ReadingOneSignTakesNoDecisionBack) {
    int decided_by_reading = 0;
    for (const Family family : {Family::Ordinary, Family::Near, Family::TwoRoots}) {
        for (std::uint64_t seed = 0; seed < 500; ++seed) {
            const QueryRecord record = generate::query(family, QueryKind::EdgeEdge, seed);
            const Verdict plain = verdict_of(record, QueryKind::EdgeEdge);
            const Verdict reading = verdict_of(record, QueryKind::EdgeEdge, kReadingOneSign);
            decided_by_reading += reading == Verdict::Separated && plain == Verdict::Contact;
            if (plain == Verdict::Separated) {
                EXPECT_EQ(reading, Verdict::Separated) << seed;
            }
        }
    }
    EXPECT_GT(decided_by_reading, 0);
}

// Two roots that nearly coincide, near the extremum of the cubic: the slope at t_K is not known,
// and the published rule takes it for known. Scaling has nothing to do with it.
TEST(TightBernsteinPublished, MissesContactsWithTwoNearRoots) {
    int missed = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const QueryRecord record = generate::query(Family::TwoRoots, QueryKind::EdgeEdge, seed);
        if (!touches(record, QueryKind::EdgeEdge)) continue;
        missed += verdict_of(record, QueryKind::EdgeEdge, kPublished) == Verdict::Separated;
        EXPECT_EQ(verdict_of(record, QueryKind::EdgeEdge), Verdict::Contact) << seed;
    }
    EXPECT_GT(missed, 0);
}

// Ordinary contacts, shrunk until the slope at t_K underflows.
TEST(TightBernsteinPublished, MissesOrdinaryContactsThatAreSmall) {
    int missed = 0;
    int missed_at_size_one = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const QueryRecord record = generate::query(Family::Ordinary, QueryKind::VertexFace, seed);
        if (!touches(record, QueryKind::VertexFace)) continue;
        const QueryRecord small = scaled(record, -14);
        missed += verdict_of(small, QueryKind::VertexFace, kPublished) == Verdict::Separated;
        missed_at_size_one +=
            verdict_of(record, QueryKind::VertexFace, kPublished) == Verdict::Separated;
        EXPECT_EQ(verdict_of(small, QueryKind::VertexFace), Verdict::Contact) << seed;
    }
    EXPECT_GT(missed, 0);
    EXPECT_EQ(missed_at_size_one, 0);
}

// The study's counts for the published code: 384 false positives among 2837 misses, and so on; no
// false negative but in a scene that is not among the samples here.
TEST(TightBernsteinSamples, FalsePositivesAreThePublishedOnesAndThereIsNoFalseNegative) {
    const std::map<std::string, testing::PublishedCount> published = {
        {"handcrafted vf", {384, 3085 - 248}},
        {"handcrafted ee", {295, 4194 - 187}},
        {"simulation vf", {36, 34039 - 33933}},
        {"simulation ee", {72, 159807 - 159447}}};
    for (const auto& options : {TightBernsteinOptions{}, kPublished}) {
        const auto counts =
            testing::count_on_samples(1.0, [&](const auto& m) { return verdict_of(m, options); });
        if (counts.empty()) GTEST_SKIP() << "no benchmark samples";
        for (const auto& [group, found] : counts) {
            SCOPED_TRACE(group);
            const double expected = published.at(group).share_of(found.queries - found.hits);
            EXPECT_EQ(found.false_negatives, 0);
            EXPECT_NEAR(found.false_positives, expected, std::max(5.0, 0.2 * expected));
        }
    }
}

// The scene in which the published code misses contacts has edges of 0.013 to 0.17. It is not among
// these samples; shrinking them shows the same.
TEST(TightBernsteinSamples, ThePublishedArithmeticMissesContactsOfShrunkSimulations) {
    const auto published =
        testing::count_on_samples(0x1p-8, [](const auto& m) { return verdict_of(m, kPublished); });
    if (published.empty()) GTEST_SKIP() << "no benchmark samples";
    EXPECT_GT(published.at("simulation vf").false_negatives, 0);
    EXPECT_GT(published.at("simulation ee").false_negatives, 0);
    const auto guarded =
        testing::count_on_samples(0x1p-8, [](const auto& m) { return verdict_of(m); });
    for (const auto& [group, found] : guarded)
        EXPECT_EQ(found.false_negatives, 0) << group;
}

TEST(TightBernstein, SaysNothingOfTimes) {
    const CcdResult contact = tight_bernstein(testing::kProbe11);
    EXPECT_EQ(contact.toi_lower, 0.0);
    EXPECT_EQ(contact.toi_upper, kInfinity);
    EXPECT_EQ(tight_bernstein(testing::kProbe2).toi_lower, kInfinity);
}

TEST(TightBernstein, IsUnresolvedForInputThatIsNotFinite) {
    auto motion = testing::kProbe2;
    motion.face[1].end.z = std::nan("");
    EXPECT_EQ(tight_bernstein(motion), CcdResult{});
    motion.face[1].end.z = kInfinity;
    EXPECT_EQ(tight_bernstein(motion), CcdResult{});
}

// Differences that overflow, and a motion whose last bits are below all others.
TEST(TightBernstein, CoversTheWholeRangeOfDoubles) {
    constexpr double kHuge = 0x1.fffffffffffffp+1023;
    const VertexFaceMotion through{
        testing::moving({0, 0, kHuge}, {0, 0, -kHuge}),
        {testing::resting({-kHuge, -kHuge, 0}), testing::resting({kHuge, -kHuge, 0}),
         testing::resting({0, kHuge, 0})}};
    EXPECT_EQ(verdict_of(through), Verdict::Contact);
    VertexFaceMotion above = through;
    above.vertex = testing::moving({0, 0, kHuge}, {0, 0, 0.25 * kHuge});
    EXPECT_EQ(verdict_of(above), Verdict::Separated);
    const VertexFaceMotion tiny{
        testing::moving({0x1p-1073, 0x1p-1074, 0x1p-1074}, {0x1p-1073, 0x1p-1074, 0x1p-1073}),
        {testing::resting({0, 0, 0}), testing::resting({0x1p-1070, 0, 0}),
         testing::resting({0, 0x1p-1070, 0})}};
    EXPECT_EQ(verdict_of(tiny), Verdict::Separated);
    VertexFaceMotion touching = tiny;
    touching.vertex.end.z = 0.0;
    EXPECT_EQ(verdict_of(touching), Verdict::Contact);
}

}  // namespace
}  // namespace graze
