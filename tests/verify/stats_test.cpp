#include "graze/verify/stats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace graze::verify {
namespace {

TEST(Stats, PercentilesAreByNearestRank) {
    TimeSample sample;
    EXPECT_FALSE(sample.summary().has_value());
    for (const std::uint64_t ns : {5U, 1U, 4U, 2U, 3U})
        sample.add(ns);
    const TimeSummary summary = *sample.summary();
    EXPECT_EQ(summary.mean, 3.0);
    EXPECT_EQ(summary.median, 3.0);
    EXPECT_EQ(summary.p99, 5.0);
    EXPECT_EQ(summary.max, 5.0);
}

TEST(Stats, P99LeavesOutOneInAHundredAndTheMaximumIsExact) {
    TimeSample sample;
    constexpr std::uint64_t kTenSeconds = 10'000'000'000;
    for (int i = 0; i < 99; ++i)
        sample.add(7);
    sample.add(kTenSeconds);
    EXPECT_EQ(sample.summary()->p99, 7.0);
    EXPECT_EQ(sample.summary()->max, static_cast<double>(kTenSeconds));
    EXPECT_EQ(sample.summary()->mean, (99.0 * 7.0 + static_cast<double>(kTenSeconds)) / 100.0);
}

TEST(Stats, P999LeavesOutOneInAThousand) {
    TimeSample sample;
    for (int i = 0; i < 998; ++i)
        sample.add(7);
    sample.add(8);
    sample.add(9);
    EXPECT_EQ(sample.summary()->p99, 7.0);
    EXPECT_EQ(sample.summary()->p999, 8.0);
    EXPECT_EQ(sample.summary()->max, 9.0);
}

TEST(Stats, EveryTimeFallsIntoTheLastBinWhoseBoundItReaches) {
    const auto bin_of = [](std::uint64_t ns) {
        TimeSample sample;
        sample.add(ns);
        const TimeHistogram& histogram = sample.histogram();
        EXPECT_EQ(std::count(histogram.begin(), histogram.end(), 1U), 1);
        return std::find(histogram.begin(), histogram.end(), 1U) - histogram.begin();
    };
    const auto bounds = time_bin_bounds();
    EXPECT_EQ(bin_of(0), 0);
    EXPECT_TRUE(std::is_sorted(bounds.begin(), bounds.end()));
    for (std::size_t i = 1; i < bounds.size(); ++i) {
        EXPECT_EQ(bin_of(bounds[i] - 1), static_cast<std::ptrdiff_t>(i) - 1);
        EXPECT_EQ(bin_of(bounds[i]), static_cast<std::ptrdiff_t>(i));
    }
    EXPECT_EQ(bin_of(std::numeric_limits<std::uint64_t>::max()), 30);
}

TEST(Stats, TheSumOfTwoSamplesHoldsTheTimesOfBoth) {
    TimeSample a;
    TimeSample b;
    TimeSample both;
    for (const std::uint64_t ns : {3U, 50U, 12U}) {
        a.add(ns);
        both.add(ns);
    }
    for (const std::uint64_t ns : {700U, 11U}) {
        b.add(ns);
        both.add(ns);
    }
    const TimeSample sum = a + b;
    EXPECT_EQ(sum.size(), 5U);
    EXPECT_EQ(sum.histogram(), both.histogram());
    EXPECT_EQ(sum.summary()->mean, both.summary()->mean);
    EXPECT_EQ(sum.summary()->median, 12.0);
    EXPECT_EQ(sum.summary()->max, 700.0);
}

TEST(Stats, TimesCarryTheirUnitAndNeverShowAThousand) {
    EXPECT_EQ(format_ns(0.0), "0.0 ns");
    EXPECT_EQ(format_ns(999.9), "999.9 ns");
    EXPECT_EQ(format_ns(999.96), "1.0 us");
    EXPECT_EQ(format_ns(12'345.0), "12.3 us");
    EXPECT_EQ(format_ns(999'960.0), "1.0 ms");
    EXPECT_EQ(format_ns(2.5e9), "2.5 s");
}

}  // namespace
}  // namespace graze::verify
