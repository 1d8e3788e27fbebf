// Defends G-INTERVAL-1, G-INTERVAL-2 (docs/GUARANTEES.md).
#include "graze/baselines/interval_univariate.hpp"

#include <gtest/gtest.h>

#include <cfenv>

#include "baselines/interval_truth.hpp"
#include "baselines/probes.hpp"
#include "baselines/rounding_mode.hpp"

namespace graze {
namespace {

using testing::Counts;

constexpr CcdOptions kManyIntervals{.max_checks = 10'000'000};
// For motion in one plane, which is refined everywhere: 1e-4 instead of 1e-6.
constexpr CcdOptions kCoarse{.distance_tolerance = 1e-4, .max_checks = 10'000'000};

template <class Motion>
Verdict univariate_verdict(const Motion& motion, const CcdOptions& options = kManyIntervals) {
    return interval_univariate(motion, options).verdict;
}

TEST(IntervalUnivariateProbes, EveryProbeIsAnsweredRightly) {
    EXPECT_EQ(univariate_verdict(testing::kProbe1), Verdict::Contact);
    EXPECT_EQ(univariate_verdict(testing::kProbe2), Verdict::Separated);
    EXPECT_EQ(univariate_verdict(testing::kProbe3, kCoarse), Verdict::Contact);
    EXPECT_EQ(univariate_verdict(testing::kProbe4, kCoarse), Verdict::Separated);
    EXPECT_EQ(univariate_verdict(testing::kProbe5, kCoarse), Verdict::Contact);
    EXPECT_EQ(univariate_verdict(testing::kProbe5Oblique, kCoarse), Verdict::Contact);
    EXPECT_EQ(univariate_verdict(testing::kProbe6), Verdict::Contact);
    EXPECT_EQ(univariate_verdict(testing::kProbe7), Verdict::Separated);
    EXPECT_EQ(univariate_verdict(testing::descent_probe(.05)), Verdict::Separated);
    EXPECT_EQ(univariate_verdict(testing::kProbe9), Verdict::Contact);
    for (const double e : {1e-8, 3e-5, 4e-5})
        EXPECT_EQ(univariate_verdict(testing::passing_probe(e)), Verdict::Separated) << e;
    EXPECT_EQ(univariate_verdict(testing::kProbe11), Verdict::Contact);
}

// Where the triangle has no area, at 0.5, nothing is excluded. The published root finder has
// 0.4999995 as well.
TEST(IntervalUnivariateProbes, TheTimeIsEarlyWhereTheTriangleCollapses) {
    EXPECT_NEAR(interval_univariate(testing::kProbe1).toi_lower, 0.4999995, 5e-8);
}

// Published: 0.0999998. A few intervals early, since f is wider than it need be.
TEST(IntervalUnivariateProbes, TheFirstOfTwoContactsIsFound) {
    EXPECT_NEAR(interval_univariate(testing::kProbe9).toi_lower, 0.0999998, 5e-8);
}

TEST(IntervalUnivariateProbes, ACoplanarContactIsFoundInTime) {
    const double toi = interval_univariate(testing::kProbe3, kCoarse).toi_lower;
    EXPECT_LE(toi, 7.0 / 29.0);
    EXPECT_NEAR(toi, 7.0 / 29.0, 1e-3);
    const double parallel = interval_univariate(testing::kProbe5, kCoarse).toi_lower;
    EXPECT_LE(parallel, 0.5);
    EXPECT_NEAR(parallel, 0.5, 1e-3);
}

// f is 0 all the time, so that every interval is refined to the end.
TEST(IntervalUnivariate, MotionInOnePlaneTakesTwiceTheDisplacementOverTheTolerance) {
    const CcdResult coarse = interval_univariate(testing::kProbe4, kCoarse);
    CcdOptions finer = kCoarse;
    finer.distance_tolerance = kCoarse.distance_tolerance / 16;
    const CcdResult fine = interval_univariate(testing::kProbe4, finer);
    EXPECT_EQ(coarse.checks, 2 * 4096 - 1);  // 0.29 / 1e-4 = 2900, up to a power of two
    EXPECT_EQ(fine.checks, 2 * 65536 - 1);
}

TEST(IntervalUnivariate, NeverCallsAContactSeparatedAndKeepsItsOtherPromises) {
    const Counts counts =
        testing::counts_on_families(make_interval_univariate(), 6000, 100, {.max_checks = 10'000});
    EXPECT_EQ(counts.false_negatives, 0);
    EXPECT_EQ(counts.broken_promises, 0);
    EXPECT_GT(counts.contacts, 500);
    EXPECT_GT(counts.misses - counts.false_positives, 300) << "not everything is called contact";
}

TEST(IntervalUnivariate, SpentChecksAreContactAtTheEarliestTimeThatIsLeft) {
    const CcdResult all = interval_univariate(testing::kProbe1);
    double last = 0.0;
    for (std::uint64_t checks = 1; checks < all.checks; ++checks) {
        const CcdResult found = interval_univariate(testing::kProbe1, {.max_checks = checks});
        EXPECT_EQ(found.verdict, Verdict::Contact);
        EXPECT_EQ(found.checks, checks);
        EXPECT_GE(found.toi_lower, last);
        last = found.toi_lower;
    }
    EXPECT_EQ(last, all.toi_lower);
}

TEST(IntervalUnivariate, OnlyTheTimeAskedForIsLookedAt) {
    CcdOptions options = kManyIntervals;
    options.t_max = 0.5 - 1e-5;
    EXPECT_EQ(univariate_verdict(testing::kProbe11, options), Verdict::Separated);
    options.t_max = 0.5;
    EXPECT_EQ(univariate_verdict(testing::kProbe11, options), Verdict::Contact);
    options.t_max = 0.0;
    EXPECT_EQ(univariate_verdict(testing::kProbe11, options), Verdict::Separated);
    EXPECT_EQ(univariate_verdict(testing::kProbe6, options), Verdict::Contact);
}

TEST(IntervalUnivariate, LeavesTheRoundingModeAloneOnEveryWayOut) {
    std::fesetround(FE_DOWNWARD);
    std::array<int, 4> modes{};
    const CcdResult contact = interval_univariate(testing::kProbe11);
    modes[0] = testing::rounding_mode();
    const CcdResult apart = interval_univariate(testing::kProbe2);
    modes[1] = testing::rounding_mode();
    const CcdResult spent = interval_univariate(testing::kProbe9, {.max_checks = 3});
    modes[2] = testing::rounding_mode();
    const CcdResult refused = interval_univariate(testing::kProbe9, {.max_checks = 0});
    modes[3] = testing::rounding_mode();
    std::fesetround(FE_TONEAREST);
    for (const int after : modes)
        EXPECT_EQ(after, FE_DOWNWARD);
    EXPECT_EQ(contact.verdict, Verdict::Contact);
    EXPECT_EQ(apart.verdict, Verdict::Separated);
    EXPECT_EQ(spent.verdict, Verdict::Contact);
    EXPECT_EQ(refused, CcdResult{});
}

}  // namespace
}  // namespace graze
