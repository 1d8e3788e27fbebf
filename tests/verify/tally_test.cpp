#include "graze/verify/tally.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace graze::verify {
namespace {

TEST(Tally, JudgesTimesExactlyAgainstTheBracket) {
    const double next = std::nextafter(0.5, 1.0);
    const CcdResult at_half = {Verdict::Contact, 0.5, 0.5, 0};
    const CcdResult at_next = {Verdict::Contact, next, next, 0};
    // The exact time is 1/2.
    EXPECT_FALSE(is_late(at_half, {0.5, 0.5}));
    EXPECT_TRUE(is_late(at_next, {0.5, 0.5}));
    EXPECT_FALSE(is_early(at_half, {0.5, 0.5}));
    // The exact time lies strictly between the two.
    EXPECT_FALSE(is_late(at_half, {0.5, next}));
    EXPECT_TRUE(is_late(at_next, {0.5, next}));
    EXPECT_TRUE(is_early(at_half, {0.5, next}));
    EXPECT_FALSE(is_early(at_next, {0.5, next}));
}

TEST(Tally, ATimeThatIsNoNumberIsOnTheWrongSide) {
    const double nan = std::nan("");
    EXPECT_TRUE(is_late({Verdict::Contact, nan, 0.5, 0}, {0.5, 0.5}));
    EXPECT_TRUE(is_early({Verdict::Contact, 0.5, nan, 0}, {0.5, 0.5}));
    io::QueryRecord record;
    record.truth = true;
    record.first_time = io::TimeBracket{0.5, 0.5};
    Tally tally;
    tally.add(record, {.result = {Verdict::Contact, nan, nan, 0}, .ns = 1});
    EXPECT_EQ(tally.toi_errors(), 2U);
}

TEST(Tally, KeepsTimesOfPositiveAndNegativeAnswersApart) {
    Tally tally;
    tally.add({}, {.result = separated(), .ns = 10});
    tally.add({}, {.result = {}, .ns = 20});
    tally.add({}, {.result = {Verdict::Contact, 0.0, 1.0, 1, 0.5}, .ns = 40});
    EXPECT_EQ(tally.negative_times().size(), 1U);
    EXPECT_EQ(tally.negative_times().summary()->max, 10.0);
    EXPECT_EQ(tally.positive_times().summary()->mean, 30.0);
    EXPECT_EQ(tally.times()->median, 20.0);
}

TEST(Tally, RemembersTheLargestFiniteToleranceAndWhatWentOverBudget) {
    Tally tally;
    tally.add({}, {.result = separated(), .ns = 1});
    EXPECT_FALSE(tally.counts().max_tolerance.has_value());
    for (const double tolerance : {0.25, 0.5, 0.125, std::nan(""), kInfinity}) {
        tally.add({}, {.result = {Verdict::Contact, 0.0, 1.0, 1, tolerance},
                       .ns = 1,
                       .over_budget = tolerance == 0.5});
    }
    EXPECT_EQ(tally.counts().max_tolerance, 0.5);
    EXPECT_EQ(tally.counts().over_budget, 1U);
}

TEST(Tally, UnresolvedIsAFalsePositiveWhereThereIsNoContact) {
    io::QueryRecord apart;
    apart.truth = false;
    Tally tally;
    EXPECT_FALSE(tally.false_positives().has_value());
    tally.add(apart, {.result = {}, .ns = 3});
    EXPECT_EQ(tally.false_positives(), 1U);
    EXPECT_EQ(tally.false_negatives(), 0U);
    EXPECT_EQ(tally.counts().unresolved, 1U);
    EXPECT_EQ(tally.counts().contacts, 0U);
}

}  // namespace
}  // namespace graze::verify
