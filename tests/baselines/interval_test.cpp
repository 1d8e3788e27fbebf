// Defends G-INTERVAL-1, G-INTERVAL-2 (docs/GUARANTEES.md).
#include "graze/baselines/interval.hpp"

#include <gtest/gtest.h>

#include <cfenv>

#include "baselines/interval_truth.hpp"
#include "baselines/probes.hpp"
#include "baselines/rounding_mode.hpp"

namespace graze {
namespace {

using generate::Family;
using testing::Counts;

constexpr CcdOptions kPlenty{.max_checks = 10'000'000};

template <class Motion>
Verdict verdict_of(const Motion& motion, const CcdOptions& options = kPlenty) {
    return interval_search(motion, options).result.verdict;
}

// --- The probes
// -----------------------------------------------------------------------------------

TEST(IntervalProbes, EveryProbeIsAnsweredRightly) {
    EXPECT_EQ(verdict_of(testing::kProbe1), Verdict::Contact);
    EXPECT_EQ(verdict_of(testing::kProbe2), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::kProbe3), Verdict::Contact);
    EXPECT_EQ(verdict_of(testing::kProbe4), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::kProbe5), Verdict::Contact);
    EXPECT_EQ(verdict_of(testing::kProbe5Oblique), Verdict::Contact);
    EXPECT_EQ(verdict_of(testing::kProbe6), Verdict::Contact);
    EXPECT_EQ(verdict_of(testing::kProbe7), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::descent_probe(.05)), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::descent_probe(.2)), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::kProbe9), Verdict::Contact);
    for (const double e : {1e-8, 3e-5, 4e-5})
        EXPECT_EQ(verdict_of(testing::passing_probe(e)), Verdict::Separated) << e;
    EXPECT_EQ(verdict_of(testing::kProbe11), Verdict::Contact);
}

TEST(IntervalProbes, TheWitnessIsWithinTheToleranceOfAContact) {
    EXPECT_NEAR(interval_search(testing::kProbe1).witness_time, 0.9, 1e-6);
    EXPECT_NEAR(interval_search(testing::kProbe3).witness_time, 7.0 / 29.0, 5e-6);
    EXPECT_NEAR(interval_search(testing::kProbe5).witness_time, 0.5, 1e-6);
    EXPECT_NEAR(interval_search(testing::kProbe11).witness_time, 0.5, 1e-6);
}

// The order of the search is t, u, v in turn: the half with the smaller u comes first, and the
// contact at 0.1 has u = 0.8. The published root finder gives 0.30000007.
TEST(IntervalProbes, TheWitnessOfTwoContactsIsTheLaterOneAndTheLowerBoundIsNotFooled) {
    const IntervalAnswer answer = interval_search(testing::kProbe9);
    EXPECT_NEAR(answer.witness_time, 0.30000007, 5e-9);
    EXPECT_LE(answer.result.toi_lower, 0.1);
}

// --- Never misses, and proves what it says
// --------------------------------------------------------

TEST(Interval, NeverCallsAContactSeparatedAndKeepsItsOtherPromises) {
    const Counts counts =
        testing::counts_on_families(make_interval(), 5000, 60, {.max_checks = 10'000});
    EXPECT_EQ(counts.false_negatives, 0);
    EXPECT_EQ(counts.broken_promises, 0);
    EXPECT_GT(counts.contacts, 500);
    EXPECT_GT(counts.misses - counts.false_positives, 500) << "not everything is called contact";
}

// The lower bound is worth having: most ordinary contacts leave time that is proved free.
TEST(Interval, ProvesFreeTimeBeforeOrdinaryContacts) {
    int contacts = 0;
    int with_free_time = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto motion = io::motion_of<EdgeEdgeMotion>(
            generate::query(Family::Ordinary, QueryKind::EdgeEdge, seed));
        const IntervalAnswer answer = interval_search(motion);
        if (answer.result.verdict != Verdict::Contact) continue;
        ++contacts;
        with_free_time += answer.result.toi_lower > 0.0 ? 1 : 0;
        EXPECT_LE(answer.result.toi_lower, answer.witness_time);
    }
    EXPECT_GT(contacts, 50);
    EXPECT_GT(with_free_time, contacts / 4);
}

// |F| over a box of the tolerance is within some 6 to 8 times the tolerance.
TEST(Interval, TheToleranceProvedIsAFewTimesTheOneAskedFor) {
    for (const double delta : {1e-3, 1e-6, 1e-9}) {
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            const auto motion = io::motion_of<VertexFaceMotion>(
                generate::query(Family::Ordinary, QueryKind::VertexFace, seed));
            const CcdResult found = interval_search(motion, {.distance_tolerance = delta}).result;
            if (found.verdict == Verdict::Contact && found.checks < 1'000'000) {
                EXPECT_LE(found.tolerance, 8 * delta);
            }
        }
    }
}

// A vertex that passes the rim of a turning triangle: nearer than the tolerance it is contact.
TEST(Interval, FalsePositivesFallWithTheToleranceAndBoxesGrow) {
    int last_false = 1000;
    std::uint64_t last_boxes = 0;
    for (const double delta : {1e-2, 1e-4, 1e-6}) {
        int false_positives = 0;
        std::uint64_t boxes = 0;
        for (int i = 1; i <= 40; ++i) {
            // Oblique, so that no axis tells the two apart at once.
            const double gap = std::ldexp(1.0, -i / 2 - 2);
            const VertexFaceMotion motion{
                testing::moving({.5 + gap, .5 + gap, 1}, {.5 + gap, .5 + gap, -1}),
                {testing::moving({0, 0, .1}, {0, 0, -.1}), testing::resting({1, 0, 0}),
                 testing::resting({0, 1, 0})}};
            const CcdResult found =
                interval_search(motion, {.distance_tolerance = delta, .max_checks = 10'000'000})
                    .result;
            false_positives += found.verdict == Verdict::Contact ? 1 : 0;
            boxes += found.checks;
        }
        EXPECT_LT(false_positives, last_false) << delta;
        EXPECT_GT(boxes, last_boxes) << delta;
        last_false = false_positives;
        last_boxes = boxes;
    }
}

// --- Options and surroundings
// ---------------------------------------------------------------------

TEST(Interval, SpentChecksAreContactWithTheTimeThatWasProvedFree) {
    const CcdResult all = interval_search(testing::kProbe1, kPlenty).result;
    for (std::uint64_t checks = 1; checks < all.checks; ++checks) {
        const IntervalAnswer answer = interval_search(testing::kProbe1, {.max_checks = checks});
        EXPECT_EQ(answer.result.verdict, Verdict::Contact);
        EXPECT_EQ(answer.result.checks, checks);
        EXPECT_LE(answer.result.toi_lower, 0.9);
        EXPECT_EQ(answer.witness_time, kInfinity);
    }
}

TEST(Interval, OnlyTheTimeAskedForIsLookedAt) {
    CcdOptions options = kPlenty;
    options.t_max = 0.5 - 1e-5;
    EXPECT_EQ(verdict_of(testing::kProbe11, options), Verdict::Separated);
    options.t_max = 0.5;
    EXPECT_EQ(verdict_of(testing::kProbe11, options), Verdict::Contact);
    options.t_max = 0.0;
    EXPECT_EQ(verdict_of(testing::kProbe11, options), Verdict::Separated);
    EXPECT_EQ(verdict_of(testing::kProbe6, options), Verdict::Contact);
}

// A tolerance that no box can meet ends the search all the same.
TEST(Interval, TheSmallestToleranceEndsForEveryEndOfTime) {
    for (const double t_max : {1.0, 0.7, 0.5, 0x1.8p-1022, 0x1p-1060, 0x1p-1074, 0.0}) {
        const CcdResult found =
            interval_search(testing::kProbe6, {.distance_tolerance = 0x1p-1074, .t_max = t_max})
                .result;
        EXPECT_EQ(found.verdict, Verdict::Contact) << t_max;
        const auto crossing = testing::against_unit_triangle({.2, .3, 0}, {.3, .2, -1});
        EXPECT_EQ(interval_search(crossing, {.distance_tolerance = 0x1p-1074, .t_max = t_max})
                      .result.verdict,
                  Verdict::Contact)
            << t_max;
    }
}

TEST(Interval, LeavesTheRoundingModeAloneOnEveryWayOut) {
    for (const int mode : {FE_TONEAREST, FE_DOWNWARD}) {
        std::fesetround(mode);
        std::array<int, 5> modes{};
        const CcdResult contact = interval_search(testing::kProbe11).result;
        modes[0] = testing::rounding_mode();
        const CcdResult apart = interval_search(testing::kProbe2).result;
        modes[1] = testing::rounding_mode();
        const CcdResult spent = interval_search(testing::kProbe9, {.max_checks = 3}).result;
        modes[2] = testing::rounding_mode();
        const CcdResult refused = interval_search(testing::kProbe9, {.max_checks = 0}).result;
        modes[3] = testing::rounding_mode();
        const CcdResult bad =
            interval_search(testing::against_unit_triangle({0, 0, kInfinity}, {})).result;
        modes[4] = testing::rounding_mode();
        std::fesetround(FE_TONEAREST);
        for (const int after : modes)
            EXPECT_EQ(after, mode);
        EXPECT_EQ(contact.verdict, Verdict::Contact);
        EXPECT_EQ(apart.verdict, Verdict::Separated);
        EXPECT_EQ(spent.verdict, Verdict::Contact);
        EXPECT_EQ(refused, CcdResult{});
        EXPECT_EQ(bad, CcdResult{});
    }
}

TEST(Interval, IsUnresolvedForASeparation) {
    EXPECT_EQ(interval_search(testing::kProbe7, {.min_separation = 0.5}).result, CcdResult{});
}

}  // namespace
}  // namespace graze
