// The parts of the tool that are easier to see from within.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "commands/truth/truth_report.hpp"
#include "compare/bench_run.hpp"
#include "graze/verify/answers.hpp"
#include "graze/verify/hash.hpp"
#include "graze/verify/methods.hpp"
#include "graze/verify/oracle_method.hpp"
#include "graze/verify/parallel.hpp"
#include "graze/verify/stats.hpp"
#include "graze/verify/tally.hpp"

namespace graze::app {
using namespace verify;
namespace {

constexpr double kDenormMin = 0x1p-1074;

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

TEST(Hash, IsFnv1aWithItsPublishedValues) {
    Fnv1a hash;
    EXPECT_EQ(hash.value(), 0xcbf29ce484222325U);
    hash.add('a', 1);
    EXPECT_EQ(hash.value(), 0xaf63dc4c8601ec8cU);
}

TEST(Hash, SeesVerdictTimesAndOrderButNotWork) {
    const CcdResult a = {Verdict::Contact, 0.25, 0.5, 1};
    const CcdResult b = {Verdict::Contact, 0.25, 0.75, 1};
    const auto hash_of = [](std::initializer_list<CcdResult> results) {
        ResultHash hash;
        for (const CcdResult& result : results)
            hash.add(result);
        return hash.hex();
    };
    EXPECT_NE(hash_of({a, b}), hash_of({b, a}));
    EXPECT_NE(hash_of({a}), hash_of({{Verdict::Unresolved, 0.25, 0.5, 1}}));
    EXPECT_NE(hash_of({{Verdict::Contact, 0.0, 0.5, 1}}),
              hash_of({{Verdict::Contact, -0.0, 0.5, 1}}));
    EXPECT_EQ(hash_of({a}), hash_of({{Verdict::Contact, 0.25, 0.5, 99}}));
}

TEST(Parallel, CallsEveryIndexOnce) {
    for (const unsigned threads : {0U, 1U, 2U, 5U}) {
        std::vector<int> calls(1000, 0);
        for_each_index({.threads = threads}, calls.size(), [&](std::size_t i) { ++calls[i]; });
        EXPECT_EQ(calls, std::vector<int>(1000, 1)) << threads;
    }
}

TEST(Parallel, AllCoresAreANumberOfThreads) {
    EXPECT_GE(threads_used(0), 1U);
    EXPECT_EQ(threads_used(7), 7U);
}

TEST(QuickSample, TakesTheHeadOfASetAndThenAFixedShare) {
    EXPECT_TRUE(is_sampled(kQuickHead - 1, true));
    EXPECT_TRUE(is_sampled(2 * kQuickHead, true));
    EXPECT_FALSE(is_sampled(kQuickHead + 1, true));
    EXPECT_TRUE(is_sampled(kQuickHead + 1, false));
}

TEST(Printable, LeavesNothingThatATerminalObeys) {
    EXPECT_EQ(printable("a\r\x1b[31mb\n\tc\x7f"), "a??[31mb??c?");
    EXPECT_EQ(printable("csi \xc2\x9b, nel \xc2\x85"), "csi ?, nel ?");
    EXPECT_EQ(printable("\xc3\xa4\xc2\xb5 \xe2\x82\xac \xc2"),
              "\xc3\xa4\xc2\xb5 \xe2\x82\xac \xc2");
    EXPECT_EQ(printable(std::string("\0", 1)), "?");
}

TEST(OutputFile, IsNotInTheWayOfAnotherForTheSamePlace) {
    std::string pattern = (std::filesystem::temp_directory_path() / "graze-parts-XXXXXX").string();
    const std::filesystem::path folder = mkdtemp(pattern.data());
    const std::string path = (folder / "out").string();
    {
        auto first = OutputFile::create(path);
        auto second = OutputFile::create(path);
        ASSERT_TRUE(first && second);
        EXPECT_TRUE(first->write("first") && first->finish());
        EXPECT_TRUE(second->write("second") && second->finish());
        EXPECT_FALSE(first->owns_stdout());
    }
    std::string text;
    std::ifstream(path) >> text;
    EXPECT_EQ(text, "second");
    std::filesystem::remove_all(folder);
}

TEST(TruthReport, FailsWhereTheOracleDiffersFromItselfButNotWhereOthersErr) {
    TruthReport report{.check_ways = true, .total = {.queries = 7}, .differences = {}};
    report.total.disagreements = 2;
    EXPECT_TRUE(outcome_of(report));
    report.total.way_differences = 3;
    ASSERT_FALSE(outcome_of(report));
    EXPECT_EQ(outcome_of(report).error().message, "the ways of asking differ on 3 of 7 queries");
}

TEST(Methods, DefaultIsCertifiedWhereItExistsAndElseTheOracle) {
    const MethodRegistry registry = all_methods();
    EXPECT_NE(registry.find("oracle"), nullptr);
    const bool has_certified = registry.find("certified") != nullptr;
    EXPECT_EQ(default_method_name(), has_certified ? "certified" : "oracle");
}

// One row per method of a table; forms with published failures are there for who names them.
TEST(Methods, ThoseAsPublishedTakePartOnlyWhereNamed) {
    const auto names_of = [](const std::vector<std::string>& named) {
        std::vector<std::string_view> names;
        for (const Method& method :
             choose_methods(all_methods(), named, {}, OracleUse::WhereNamed).methods)
            names.push_back(method.name);
        return names;
    };
    const auto unnamed = names_of({});
    EXPECT_EQ(std::count(unnamed.begin(), unnamed.end(), "floating-point-roots"), 1);
    EXPECT_TRUE(std::none_of(unnamed.begin(), unnamed.end(),
                             [](std::string_view name) { return name.ends_with("-published"); }));
    EXPECT_EQ(names_of({"root-parity-published", "tight-bernstein-published"}).size(), 2U);
}

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

TEST(OverBudget, IsABudgetSpentWithoutAProofOfSeparation) {
    const CcdOptions options{.max_checks = 10};
    EXPECT_TRUE(is_over_budget(options, {Verdict::Contact, 0.0, kInfinity, 10, 1.0}));
    EXPECT_TRUE(is_over_budget(options, {Verdict::Unresolved, 0.0, kInfinity, 11, 1.0}));
    EXPECT_FALSE(is_over_budget(options, {Verdict::Contact, 0.0, kInfinity, 9, 1.0}));
    EXPECT_FALSE(is_over_budget(options, separated(10)));
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

TEST(OracleMethod, CutsAtTMaxWithoutLosingTheBoundary) {
    using oracle::State;
    const double next = std::nextafter(0.5, 1.0);
    const auto verdict = [](oracle::Truth truth, double t_max) {
        return result_up_to(truth, t_max).verdict;
    };
    EXPECT_EQ(verdict({State::Contact, 0.5, 0.5}, 0.5), Verdict::Contact);
    EXPECT_EQ(verdict({State::Contact, 0.5, next}, 0.5), Verdict::Separated);
    EXPECT_EQ(verdict({State::Contact, 0.5, next}, next), Verdict::Contact);
    EXPECT_EQ(verdict({State::Contact, 0.0, kDenormMin}, 0.0), Verdict::Separated);
    EXPECT_EQ(verdict({State::Contact, 0.0, 0.0}, 0.0), Verdict::Contact);
    EXPECT_EQ(verdict({State::Separated, kInfinity, kInfinity}, 1.0), Verdict::Separated);
    EXPECT_EQ(verdict({State::Invalid, 0.0, kInfinity}, 1.0), Verdict::Unresolved);
}

VertexFaceMotion random_motion(std::mt19937_64& rng) {
    std::uniform_real_distribution<double> coordinate(-1.0, 1.0);
    std::array<MovingPoint, 4> corners;
    for (MovingPoint& corner : corners) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            corner.start[axis] = coordinate(rng);
            corner.end[axis] = coordinate(rng);
        }
    }
    return motion_from_vertices<VertexFaceMotion>(corners);
}

// The cut at t_max is derived; here it is held against the oracle's own answer on a shortened step,
// at the doubles around the first time where a mistake would show.
TEST(OracleMethod, TheCutAgreesWithTheOracleOnTheShortenedStep) {
    std::mt19937_64 rng(20250111);
    const Method method = make_oracle();
    int contacts = 0;
    for (int i = 0; i < 400; ++i) {
        const VertexFaceMotion motion = random_motion(rng);
        const CcdResult whole = run(method, motion);
        if (whole.verdict != Verdict::Contact || whole.toi_lower == 0.0) continue;
        ++contacts;
        const oracle::Query query = oracle_query(io::record_of(motion), QueryKind::VertexFace);
        for (const double t_max :
             {std::nextafter(whole.toi_lower, 0.0), whole.toi_lower, whole.toi_upper}) {
            const CcdResult cut = run(method, motion, {.t_max = t_max});
            const bool touches =
                oracle::first_contact_in(query, 0.0, t_max).state == oracle::State::Contact;
            EXPECT_EQ(cut.verdict, touches ? Verdict::Contact : Verdict::Separated);
        }
    }
    EXPECT_GT(contacts, 20);
}

TEST(OracleMethod, InputThatIsNotFiniteIsUnresolved) {
    VertexFaceMotion motion;
    motion.vertex.start.x = std::nan("");
    const CcdResult result = run(make_oracle(), motion);
    EXPECT_EQ(result, CcdResult{});
}

}  // namespace
}  // namespace graze::app
