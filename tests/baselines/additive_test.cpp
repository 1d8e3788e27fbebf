#include "graze/baselines/additive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "baselines/additive/distance.hpp"
#include "baselines/interval_truth.hpp"
#include "baselines/probes.hpp"
#include "graze/oracle/oracle.hpp"

namespace graze {
namespace {

using generate::Family;

template <class Motion>
Verdict verdict_of(const Motion& motion) {
    return additive_ccd(motion).result.verdict;
}

// --- The probes
// -----------------------------------------------------------------------------------

TEST(AdditiveProbes, ContactsAreFoundAtATimeThatIsEarly) {
    const auto expect_early = [](const auto& motion, double first) {
        const AdditiveAnswer answer = additive_ccd(motion);
        EXPECT_EQ(answer.result.verdict, Verdict::Contact);
        EXPECT_LE(answer.time_est, first);
        EXPECT_GT(answer.time_est, 0.5 * first);
    };
    expect_early(testing::kProbe1, 0.9);
    expect_early(testing::kProbe3, 7.0 / 29.0);
    expect_early(testing::kProbe5, 0.5);
    expect_early(testing::kProbe5Oblique, 0.5);
    expect_early(testing::kProbe9, 0.1);
    EXPECT_EQ(additive_ccd(testing::kProbe6).time_est, 0.0);
}

TEST(AdditiveProbes, MissesThatStayAwayAreSeparated) {
    EXPECT_EQ(verdict_of(testing::kProbe2), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::kProbe4), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::kProbe7), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::descent_probe(.2)), Verdict::Separated);
}

// One step is exact here: 0.9 of the way.
TEST(AdditiveProbes, TheTimeOfAPlainContactIsTheRescaledOne) {
    EXPECT_NEAR(additive_ccd(testing::kProbe11).time_est, 0.45, 1e-12);
    EXPECT_NEAR(additive_ccd(testing::kProbe11, {.rescaling = 0.99}).time_est, 0.495, 1e-12);
}

// An approach to within a tenth of the first distance counts as contact: by design.
TEST(AdditiveProbes, AnApproachToATenthIsAFalsePositiveUnlessTheRescalingIsRaised) {
    const AdditiveAnswer answer = additive_ccd(testing::descent_probe(.05));
    EXPECT_EQ(answer.result.verdict, Verdict::Contact);
    EXPECT_NEAR(answer.time_est, 0.947, 5e-4);
    EXPECT_EQ(additive_ccd(testing::descent_probe(.05), {.rescaling = 0.99}).result.verdict,
              Verdict::Separated);
    for (const double e : {1e-8, 3e-5, 4e-5})
        EXPECT_EQ(verdict_of(testing::passing_probe(e)), Verdict::Contact) << e;
}

// --- What it is, though nothing is promised
// -------------------------------------------------------

// Contacts as early as this begin at a distance that rounding may have invented: tests below.
constexpr double kNotAtOnce = 1e-12;

// Seen, not proved. Left out: numbers whose squares leave the range of doubles.
TEST(Additive, MissesNoContactOfTheGeneratedFamiliesThatIsNotAtOnce) {
    const Method method = make_additive();
    int contacts = 0;
    int misses = 0;
    int separated_misses = 0;
    for (const Family family : generate::kAllFamilies) {
        if (family == Family::Wild) continue;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 7000; seed < 7080; ++seed) {
                const verify::Question question{kind, generate::query(family, kind, seed), {}};
                const CcdResult truth = verify::exact_answer(question);
                const bool touches = truth.verdict == Verdict::Contact;
                const Verdict found = verify::answer_of(method, kind, question.record, {}).verdict;
                EXPECT_FALSE(touches && truth.toi_lower > kNotAtOnce && found == Verdict::Separated)
                    << generate::name(family) << " #" << seed << "\n"
                    << io::to_hex(question.record, kind);
                contacts += touches && truth.toi_lower > kNotAtOnce ? 1 : 0;
                misses += touches ? 0 : 1;
                separated_misses += !touches && found == Verdict::Separated ? 1 : 0;
            }
        }
    }
    EXPECT_GT(contacts, 500);
    EXPECT_GT(separated_misses, misses / 3) << "not everything is called contact";
}

// Two edges that pass through each other at t = 2^-53 or so, from a distance below the rounding of
// their coordinates: no digit of that distance, nor of the first step, needs to be right.
TEST(Additive, MissesAContactFromADistanceThatIsBelowRounding) {
    constexpr EdgeEdgeMotion kMotion{
        {MovingPoint{{-0x1.03a869b6cb426p+0, -0x1.272b913a6208cp-3, -0x1.c396e4f35b212p-1},
                     {-0x1.83cc2c4070f57p+0, -0x1.fcbd437584335p-1, -0x1.54a71aab604cp-2}},
         MovingPoint{{-0x1.8b7dce0cf6456p-2, -0x1.0c6a30b94e6c4p+0, -0x1.2398224343e32p-1},
                     {0x1.ae18dee82a1c6p-2, -0x1.df7325cd2a862p-4, -0x1.035689ca1f284p-1}}},
        {MovingPoint{{-0x1.189589326de5bp-1, 0x1.5915c3d41abp-9, -0x1.8800888b0e9cbp-1},
                     {0x1.0f05832b338b8p-4, 0x1.900fc3e3efe71p-1, -0x1.2dcadaa32775dp-1}},
         MovingPoint{{-0x1.b60f67e34902bp-1, -0x1.7ad0fe2b4b714p-1, -0x1.8097c4f8224ffp-1},
                     {-0x1.73f1ac9a7267ap-2, -0x1.d74b246fb2b1p-2, 0x1.afc6c29cde424p-3}}}};
    io::QueryRecord record;
    record.corners = vertices(kMotion);
    const CcdResult truth = verify::exact_answer({QueryKind::EdgeEdge, record, {}});
    EXPECT_EQ(truth.verdict, Verdict::Contact);
    EXPECT_LT(truth.toi_upper, 1e-15);
    EXPECT_EQ(verdict_of(kMotion), Verdict::Separated);
}

// Two crossed edges, one unit in the last place apart, of which one passes through the other. Each
// step moves an edge by less than half a unit, which rounding takes back: time runs, the edges
// rest.
TEST(Additive, MissesAContactWhoseStepsAreBelowTheSpacingOfCoordinates) {
    constexpr double kFar = 0x1p+30;
    constexpr double kUnit = 0x1p-22;
    const EdgeEdgeMotion motion{{testing::resting({-1, 0, kFar}), testing::resting({1, 0, kFar})},
                                {testing::moving({0, -1, kFar + kUnit}, {0, -1, kFar - 99 * kUnit}),
                                 testing::moving({0, 1, kFar + kUnit}, {0, 1, kFar - 99 * kUnit})}};
    EXPECT_EQ(verdict_of(motion), Verdict::Separated) << "a contact at 0.01";
}

verify::Question within(QueryKind kind, const io::QueryRecord& record, double d) {
    return {kind, record, {.min_separation = d}};
}

TEST(Additive, HonoursAEuclideanSeparation) {
    const Method method = make_additive();
    int by_separation_alone = 0;
    int separated_misses = 0;
    for (const QueryKind kind : kAllQueryKinds) {
        for (std::uint64_t seed = 0; seed < 150; ++seed) {
            const auto record = generate::query(Family::Ordinary, kind, seed);
            const verify::Question question = within(kind, record, 0x1p-3);
            const bool touches = verify::exact_answer(question).verdict == Verdict::Contact;
            const Verdict found = verify::answer_of(method, kind, record, question.options).verdict;
            EXPECT_FALSE(touches && found == Verdict::Separated) << io::to_hex(record, kind);
            separated_misses += !touches && found == Verdict::Separated ? 1 : 0;
            by_separation_alone +=
                touches && verify::answer_of(method, kind, record, {}).verdict == Verdict::Separated
                    ? 1
                    : 0;
        }
    }
    EXPECT_GT(by_separation_alone, 5);
    EXPECT_GT(separated_misses, 100);
}

TEST(Additive, TheTimeWithASeparationIsThatOfTheRestOfTheWay) {
    const AdditiveAnswer answer =
        additive_ccd(testing::kProbe11, {.query = {.min_separation = 0.5}});
    EXPECT_EQ(answer.result.verdict, Verdict::Contact);
    EXPECT_NEAR(answer.time_est, 0.9 * 0.25, 1e-12);
    EXPECT_EQ(additive_ccd(testing::kProbe11, {.query = {.min_separation = 1.0}}).time_est, 0.0);
}

// --- Distances
// ------------------------------------------------------------------------------------

double distance_est(QueryKind kind, const io::QueryRecord& record) {
    const auto& c = record.corners;
    switch (kind) {
        case QueryKind::VertexFace:
            return std::sqrt(
                additive::point_triangle_sq(c[0].start, c[1].start, c[2].start, c[3].start));
        case QueryKind::EdgeEdge:
            return std::sqrt(
                additive::segment_segment_sq(c[0].start, c[1].start, c[2].start, c[3].start));
        case QueryKind::VertexVertex:
            return std::sqrt(additive::point_point_sq(c[0].start, c[1].start));
        case QueryKind::VertexEdge:
            break;
    }
    return std::sqrt(additive::point_segment_sq(c[0].start, c[1].start, c[2].start));
}

oracle::Query resting_query(QueryKind kind, const io::QueryRecord& record) {
    oracle::Query query;
    query.kind = kind == QueryKind::VertexFace     ? oracle::Kind::VertexFace
                 : kind == QueryKind::EdgeEdge     ? oracle::Kind::EdgeEdge
                 : kind == QueryKind::VertexVertex ? oracle::Kind::VertexVertex
                                                   : oracle::Kind::VertexEdge;
    for (std::size_t c = 0; c < 4; ++c) {
        for (std::size_t k = 0; k < 3; ++k)
            query.start[c][k] = query.end[c][k] = record.corners[c].start[k];
    }
    return query;
}

TEST(AdditiveDistance, IsThatOfTheExactPrimitivesInEveryRegionAndDegeneracy) {
    int apart = 0;
    int touching = 0;
    for (const Family family : generate::kAllFamilies) {
        if (family == Family::Wild) continue;
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < 15; ++seed) {
                const auto record = generate::query(family, kind, seed);
                double size = 0.0;
                for (const MovingPoint& corner : record.corners)
                    size = std::max(size, norm_max(corner.start));
                const oracle::DistanceBracket exact =
                    oracle::minimum_distance(resting_query(kind, record), oracle::Norm::Euclidean);
                ASSERT_TRUE(exact.valid);
                EXPECT_NEAR(distance_est(kind, record), exact.upper, 1e-12 * size)
                    << generate::name(family) << " #" << seed << "\n"
                    << io::to_hex(record, kind);
                (exact.upper > 0.0 ? apart : touching) += 1;
            }
        }
    }
    EXPECT_GT(apart, 200);
    EXPECT_GT(touching, 30);
}

// --- Options
// --------------------------------------------------------------------------------------

// Sliding along: the distance stays the same, and small, and so does each step.
TEST(Additive, SpentStepsAreContact) {
    const VertexFaceMotion sliding = testing::against_unit_triangle({.1, .2, 1e-4}, {.7, .2, 1e-4});
    const AdditiveAnswer all = additive_ccd(sliding);
    EXPECT_EQ(all.result.verdict, Verdict::Separated);
    EXPECT_GT(all.result.checks, 1000U);
    const AdditiveAnswer some = additive_ccd(sliding, {.query = {.max_checks = 100}});
    EXPECT_EQ(some.result.verdict, Verdict::Contact);
    EXPECT_EQ(some.result.checks, 100U);
}

TEST(Additive, OnlyTheTimeAskedForIsLookedAt) {
    EXPECT_EQ(additive_ccd(testing::kProbe11, {.query = {.t_max = 0.4}}).result.verdict,
              Verdict::Separated);
    EXPECT_EQ(additive_ccd(testing::kProbe11, {.query = {.t_max = 0.5}}).result.verdict,
              Verdict::Contact);
    EXPECT_EQ(additive_ccd(testing::kProbe11, {.query = {.t_max = 0.0}}).result.verdict,
              Verdict::Separated);
    EXPECT_EQ(additive_ccd(testing::kProbe6, {.query = {.t_max = 0.0}}).result.verdict,
              Verdict::Contact);
}

TEST(Additive, IsUnresolvedForWhatItDoesNotHonourAndWhereSquaresOverflow) {
    const auto expect_unresolved = [](const VertexFaceMotion& motion,
                                      const AdditiveOptions& options) {
        EXPECT_EQ(additive_ccd(motion, options).result, CcdResult{});
    };
    const VertexFaceMotion& motion = testing::kProbe11;
    expect_unresolved(motion, {.query = {.min_separation = 0.5, .norm = Norm::Max}});
    expect_unresolved(motion, {.query = {.max_checks = 0}});
    expect_unresolved(motion, {.rescaling = 1.0});
    expect_unresolved(motion, {.rescaling = 0.0});
    expect_unresolved(motion, {.rescaling = std::nan("")});
    expect_unresolved(testing::against_unit_triangle({0, 0, 1e200}, {0, 0, -1e200}), {});
    expect_unresolved(testing::against_unit_triangle({0, 0, 1}, {0, 0, -1e200}), {});
    expect_unresolved(testing::against_unit_triangle({0, 0, std::nan("")}, {}), {});
}

}  // namespace
}  // namespace graze
