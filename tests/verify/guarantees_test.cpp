// What breaks a promise, and by how little: the judge of the contract tests and of `graze verify`.
#include "graze/verify/guarantees.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "graze/generate/families.hpp"
#include "graze/generate/numbered.hpp"
#include "graze/verify/exact_check.hpp"
#include "graze/verify/ground_truth.hpp"

namespace graze::verify {
namespace {

constexpr double kHalfUp = 0x1.0000000000001p-1;  // the double after 1/2

ClaimSet set_of(std::initializer_list<Claim> promises) {
    ClaimSet set;
    for (const Claim promise : promises)
        set.add_if(true, promise);
    return set;
}

// The exact first time lies strictly between two doubles.
const ExactAnswers kTouches{{Verdict::Contact, 0.5, kHalfUp, 1, 0.0}, std::nullopt};
const ExactAnswers kMisses{separated(1), std::nullopt};

ClaimSet faults(const ExactAnswers& exact, const CcdResult& found) {
    return faults_of(CcdOptions{}, exact, found);
}

TEST(Claim, TheExactAnswerBreaksNone) {
    EXPECT_TRUE(faults(kTouches, kTouches.truth).empty());
    EXPECT_TRUE(faults(kMisses, kMisses.truth).empty());
}

TEST(Claim, AContactCalledSeparatedIsAFalseNegativeAndLate) {
    EXPECT_EQ(faults(kTouches, separated()),
              set_of({Claim::NoFalseNegatives, Claim::ProvedToiLower}));
}

TEST(Claim, AMissCalledContactIsAFalsePositiveAndUnresolvedIsNone) {
    EXPECT_EQ(faults(kMisses, {Verdict::Contact, 0.25, kInfinity, 1, kInfinity}),
              set_of({Claim::NoFalsePositives}));
    EXPECT_EQ(faults(kMisses, {Verdict::Unresolved, 0.25, kInfinity, 1, kInfinity}),
              set_of({Claim::AlwaysResolves}));
}

TEST(Claim, TimesMayBeTheDoublesAroundTheExactOneAndNoOthers) {
    const auto with_times = [](double lower, double upper) {
        return faults(kTouches, {Verdict::Contact, lower, upper, 1, 0.0});
    };
    EXPECT_TRUE(with_times(0.5, kHalfUp).empty());
    EXPECT_EQ(with_times(kHalfUp, kHalfUp), set_of({Claim::ProvedToiLower}));
    EXPECT_EQ(with_times(0.5, 0.5), set_of({Claim::ProvedToiUpper}));
    EXPECT_EQ(with_times(0.0, kHalfUp), set_of({Claim::ProgressWhenApart}));
    EXPECT_EQ(faults(kMisses, {Verdict::Unresolved, 0.25, 1.0, 1, kInfinity}),
              set_of({Claim::ProvedToiUpper, Claim::AlwaysResolves}));
}

TEST(Claim, NoProgressIsNoFaultWhereTheStartTouches) {
    const ExactAnswers at_once{{Verdict::Contact, 0.0, 0.0, 1, 0.0}, std::nullopt};
    EXPECT_TRUE(faults(at_once, {Verdict::Contact, 0.0, 0.0, 1, 0.0}).empty());
}

TEST(Claim, NumbersThatAreNoneOrNegativeAreFaults) {
    const double nan = std::nan("");
    EXPECT_TRUE(
        faults(kTouches, {Verdict::Contact, nan, kHalfUp, 1, 0.0}).has(Claim::NumbersInRange));
    EXPECT_TRUE(
        faults(kTouches, {Verdict::Contact, nan, kHalfUp, 1, 0.0}).has(Claim::ProvedToiLower));
    EXPECT_TRUE(faults(kTouches, {Verdict::Contact, 0.5, nan, 1, 0.0}).has(Claim::NumbersInRange));
    for (const double tolerance : {nan, -0x1p-1074}) {
        EXPECT_EQ(faults(kTouches, {Verdict::Contact, 0.5, kHalfUp, 1, tolerance}),
                  set_of({Claim::NumbersInRange}));
    }
}

TEST(Claim, SeparatedHasNeitherTimeNorTolerance) {
    for (const CcdResult found : {CcdResult{Verdict::Separated, 1.0, kInfinity, 0, kInfinity},
                                  CcdResult{Verdict::Separated, kInfinity, 2.0, 0, kInfinity}}) {
        EXPECT_TRUE(faults(kMisses, found).has(Claim::InfiniteWhenSeparated));
    }
    const CcdResult with_tolerance{Verdict::Separated, kInfinity, kInfinity, 0, 5.0};
    EXPECT_TRUE(
        faults({separated(), kTouches.truth}, with_tolerance).has(Claim::InfiniteWhenSeparated));
}

TEST(Claim, AQueryThatIsNotFiniteIsLeftAlone) {
    const ExactAnswers none{CcdResult{}, std::nullopt};
    EXPECT_TRUE(faults(none, CcdResult{}).empty());
    EXPECT_EQ(faults(none, separated()), set_of({Claim::UnresolvedWhenNotFinite}));
}

TEST(Claim, AToleranceThatNobodyComparedIsNotBelieved) {
    const CcdResult near{Verdict::Contact, 0.5, kInfinity, 1, 0.25};
    const ClaimSet wrong = set_of({Claim::NoFalsePositives, Claim::ProvedTolerance});
    EXPECT_EQ(faults(kMisses, near), wrong);
    EXPECT_EQ(faults({separated(), separated()}, near), wrong);
    EXPECT_EQ(faults({separated(), CcdResult{}}, near), wrong);
    EXPECT_EQ(faults({separated(), kTouches.truth}, near), set_of({Claim::NoFalsePositives}));
}

TEST(Claim, TheQuestionOfAToleranceIsAskedInTheMaxNormWithTheSumRoundedUp) {
    const CcdResult near{Verdict::Contact, 0.0, kInfinity, 1, 0x1p-80};
    const CcdOptions options{.min_separation = 1.0, .norm = Norm::Euclidean, .t_max = 0.5};
    const auto question = tolerance_question(options, separated(), near);
    ASSERT_TRUE(question.has_value());
    EXPECT_EQ(question->min_separation, 1.0 + 0x1p-52);
    EXPECT_EQ(question->norm, Norm::Max);
    EXPECT_EQ(question->t_max, 0.5);
}

TEST(Claim, ATrueContactOrAnEndlessReachNeedsNoQuestion) {
    const CcdResult near{Verdict::Contact, 0.0, kInfinity, 1, 0x1p+1023};
    EXPECT_FALSE(tolerance_question({}, kTouches.truth, near).has_value());
    EXPECT_FALSE(tolerance_question({.min_separation = 0x1p+1023}, separated(), near).has_value());
    EXPECT_FALSE(tolerance_question({}, separated(), CcdResult{}).has_value());
}

TEST(Claim, OnlyWhatIsDeclaredCanBeBrokenAndTheFormIsDeclaredByAll) {
    const CcdResult wrong{Verdict::Separated, 0.0, -1.0, 0, kInfinity};
    EXPECT_EQ(broken_claims({}, {}, kTouches, wrong),
              set_of({Claim::NumbersInRange, Claim::InfiniteWhenSeparated}));
    EXPECT_EQ(broken_claims({.no_false_negatives = true}, {}, kTouches, wrong).first(),
              Claim::NoFalseNegatives);
    EXPECT_FALSE(broken_claims({}, {}, kTouches, separated()).first().has_value());
}

// A vertex that comes down to 1/2 above a triangle at t = 1, and is 3/4 above it at t = 1/2.
Question hovering(const CcdOptions& options) {
    Question question{QueryKind::VertexFace, {}, options};
    const std::array<Vec3, 3> face = {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
    question.record.corners[0] = {{0.25, 0.25, 1.0}, {0.25, 0.25, 0.5}};
    for (std::size_t i = 0; i < 3; ++i)
        question.record.corners[i + 1] = {face[i], face[i]};
    return question;
}

TEST(ExactCheck, ATooSmallToleranceIsFoundToTheLastBit) {
    const auto is_wrong = [](const CcdOptions& options, double tolerance) {
        const Question question = hovering(options);
        const CcdResult found{Verdict::Contact, 0.0, kInfinity, 1, tolerance};
        return faults_of(question, exact_answer(question), found).has(Claim::ProvedTolerance);
    };
    EXPECT_FALSE(is_wrong({}, 0.5));
    EXPECT_TRUE(is_wrong({}, next_down(0.5)));
    EXPECT_TRUE(is_wrong({.t_max = 0.5}, 0.5));
    EXPECT_FALSE(is_wrong({.t_max = 0.5}, 0.75));
    EXPECT_FALSE(is_wrong({.min_separation = 0.375, .norm = Norm::Max}, 0.125));
    EXPECT_TRUE(is_wrong({.min_separation = 0.375, .norm = Norm::Max}, 0.125 - 0x1p-54));
    EXPECT_FALSE(is_wrong({.min_separation = 1.0, .norm = Norm::Max}, 0.0));
}

TEST(NearestApproach, IsTheSmallestDoubleThatIsReachedUpToThatTime) {
    const Question question = hovering({});
    EXPECT_EQ(nearest_approach(question.record, question.kind, 1.0), 0.5);
    EXPECT_EQ(nearest_approach(question.record, question.kind, 0.5), 0.75);
    EXPECT_EQ(nearest_approach(question.record, question.kind, 0.0), 1.0);
}

// A separation of s counts as contact, and one of the double before s does not.
TEST(NearestApproach, AgreesWithTheOracleOnBothSides) {
    for (const double t_max : {0.75, 1.0}) {
        for (const QueryKind kind : kAllQueryKinds) {
            for (std::uint64_t seed = 0; seed < 2; ++seed) {
                Question question{kind,
                                  generate::query(generate::Family::Ordinary, kind, seed),
                                  {.norm = Norm::Max, .t_max = t_max}};
                const double s = nearest_approach(question.record, kind, t_max);
                question.options.min_separation = s;
                EXPECT_EQ(exact_answer(question).verdict, Verdict::Contact);
                if (s == 0.0) continue;
                question.options.min_separation = next_down(s);
                EXPECT_EQ(exact_answer(question).verdict, Verdict::Separated);
            }
        }
    }
}

TEST(NearestApproach, IsInfiniteWhereNoDoubleIsLargeEnough) {
    // All on a coarse grid, for the oracle's sake.
    Question question = hovering({});
    question.record = generate::placed(question.record, question.kind, {.scale = 1022});
    question.record.corners[0].start.z = question.record.corners[0].end.z = 0x1.8p+1023;
    for (std::size_t i = 1; i < 4; ++i) {
        question.record.corners[i].start.z = -0x1.8p+1023;
        question.record.corners[i].end.z = -0x1.8p+1023;
    }
    EXPECT_EQ(nearest_approach(question.record, question.kind, 1.0), kInfinity);
    EXPECT_EQ(nearest_approach(question.record, question.kind, 0.5), kInfinity);
}

}  // namespace
}  // namespace graze::verify
