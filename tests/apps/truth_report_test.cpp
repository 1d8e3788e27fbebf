#include "commands/truth/truth_report.hpp"

#include <gtest/gtest.h>

namespace graze::app {
namespace {

TEST(TruthReport, FailsWhereTheOracleDiffersFromItselfButNotWhereOthersErr) {
    TruthReport report{.check_ways = true, .total = {.queries = 7}, .differences = {}};
    report.total.disagreements = 2;
    EXPECT_TRUE(outcome_of(report));
    report.total.way_differences = 3;
    ASSERT_FALSE(outcome_of(report));
    EXPECT_EQ(outcome_of(report).error().message, "the ways of asking differ on 3 of 7 queries");
}

}  // namespace
}  // namespace graze::app
