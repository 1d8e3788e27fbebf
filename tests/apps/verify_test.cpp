// `graze verify` over methods that lie: each breaks one guarantee, and must be caught at it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "commands/commands.hpp"
#include "commands/verify/verify_report.hpp"
#include "graze/verify/methods.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::app {
using namespace verify;
namespace {

namespace fs = std::filesystem;

// What a lie does to the exact answer.
CcdResult false_negative(CcdResult /*truth*/) noexcept {
    return separated();
}
CcdResult false_positive(CcdResult truth) noexcept {
    if (truth.verdict != Verdict::Separated) return truth;
    return {Verdict::Contact, 0x1p-1074, kInfinity, 1, kInfinity};
}
CcdResult late(CcdResult truth) noexcept {
    if (truth.verdict == Verdict::Contact) truth.toi_lower = next_up(truth.toi_lower);
    return truth;
}
CcdResult early(CcdResult truth) noexcept {
    if (truth.toi_upper > 0.0 && truth.verdict == Verdict::Contact)
        truth.toi_upper = next_down(truth.toi_upper);
    return truth;
}
CcdResult too_near(CcdResult truth) noexcept {
    if (truth.verdict != Verdict::Separated) return truth;
    return {Verdict::Contact, 1.0, kInfinity, 1, 0.0};
}
CcdResult still(CcdResult truth) noexcept {
    return truth.verdict == Verdict::Contact
               ? CcdResult{Verdict::Contact, 0.0, truth.toi_upper, 1, 0.0}
               : truth;
}
CcdResult unresolved(CcdResult /*truth*/) noexcept {
    return {Verdict::Unresolved, 0x1p-1074, kInfinity, 1, kInfinity};
}
CcdResult no_number(CcdResult truth) noexcept {
    truth.tolerance = std::nan("");
    return truth;
}
CcdResult finite_and_separated(CcdResult truth) noexcept {
    if (truth.verdict == Verdict::Separated) truth.toi_lower = 1.0;
    return truth;
}
CcdResult honest(CcdResult truth) noexcept {
    return truth;
}

using Lie = CcdResult (*)(CcdResult) noexcept;

template <Lie kLie, class Motion>
CcdResult lying_query(const void*, const Motion& motion, const CcdOptions& options) noexcept {
    return kLie(run(make_oracle(), motion, options));
}

template <Lie kLie>
Method liar(std::string_view name, const Guarantee& guarantee) {
    return {.name = name,
            .summary = "for tests",
            .guarantee = guarantee,
            .vertex_face = {&lying_query<kLie, VertexFaceMotion>},
            .edge_edge = {&lying_query<kLie, EdgeEdgeMotion>},
            .vertex_vertex = {&lying_query<kLie, VertexVertexMotion>},
            .vertex_edge = {&lying_query<kLie, VertexEdgeMotion>}};
}

std::vector<ListedQuery> queries(std::uint64_t first, std::uint64_t count) {
    const std::vector<generate::Family> families = {
        generate::Family::Ordinary, generate::Family::Boundary, generate::Family::SmallIntegers};
    const auto list =
        generated_list(families, {kAllQueryKinds.begin(), kAllQueryKinds.end()}, {first, count});
    return *list->next(count);
}

VerifyReport verified(const std::vector<Method>& methods, unsigned threads = 1,
                      const generate::Placement& placement = {}) {
    VerifyRun run(methods, {}, placement, 0);
    run.add(queries(0, 120), {.threads = threads});
    return run.report();
}

// With this promise alone the lie breaks it; without any it breaks nothing.
template <Lie kLie>
void expect_caught(Claim promise, bool Guarantee::*declared) {
    SCOPED_TRACE(name(promise));
    Guarantee guarantee;
    guarantee.*declared = true;
    const VerifyReport report = verified({liar<kLie>("liar", guarantee)});
    ASSERT_TRUE(report.first_broken.has_value());
    EXPECT_EQ(report.first_broken->broken.first(), promise);
    EXPECT_FALSE(outcome_of(report));
    std::uint64_t broken = 0;
    for (const VerifyRow& row : report.rows) {
        EXPECT_EQ(row.broken(promise), row.counts.broken);
        broken += row.counts.broken;
    }
    EXPECT_EQ(broken, report.broken);
    EXPECT_NE(report_text(report).find(breach_of(promise)), std::string::npos);
    EXPECT_FALSE(verified({liar<kLie>("silent", {})}).first_broken.has_value());
}

TEST(Verify, CatchesEveryPromiseThatIsBroken) {
    expect_caught<false_negative>(Claim::NoFalseNegatives, &Guarantee::no_false_negatives);
    expect_caught<false_positive>(Claim::NoFalsePositives, &Guarantee::no_false_positives);
    expect_caught<late>(Claim::ProvedToiLower, &Guarantee::proved_toi_lower);
    expect_caught<early>(Claim::ProvedToiUpper, &Guarantee::proved_toi_upper);
    expect_caught<too_near>(Claim::ProvedTolerance, &Guarantee::proved_tolerance);
    expect_caught<still>(Claim::ProgressWhenApart, &Guarantee::progress_when_separated);
    expect_caught<unresolved>(Claim::AlwaysResolves, &Guarantee::always_resolves);
}

TEST(Verify, CatchesWhatNoMethodMayDo) {
    const VerifyReport no_numbers = verified({liar<no_number>("liar", {})});
    ASSERT_TRUE(no_numbers.first_broken.has_value());
    EXPECT_EQ(no_numbers.first_broken->broken.first(), Claim::NumbersInRange);
    EXPECT_EQ(no_numbers.broken, no_numbers.queries);
    const VerifyReport finite = verified({liar<finite_and_separated>("liar", {})});
    ASSERT_TRUE(finite.first_broken.has_value());
    EXPECT_EQ(finite.first_broken->broken.first(), Claim::InfiniteWhenSeparated);
}

TEST(Verify, FindsNothingInAnHonestMethodThatPromisesAll) {
    const VerifyReport report =
        verified({liar<honest>("honest", make_oracle().guarantee), make_oracle()});
    EXPECT_TRUE(outcome_of(report));
    EXPECT_EQ(report.queries, 120U);
    ASSERT_EQ(report.rows.size(), 8U);
    for (const VerifyRow& row : report.rows) {
        EXPECT_EQ(row.counts.queries, 30U);
        EXPECT_GT(row.counts.contacts, 0U);
        EXPECT_EQ(row.counts.max_tolerance, 0.0);
        EXPECT_EQ(row.counts.over_budget, 0U);
    }
    EXPECT_NE(report_text(report).find("every guarantee holds on 120 queries"), std::string::npos);
}

TEST(Verify, CountsFalsePositivesAndTheBudgetAsInformation) {
    const VerifyReport report = verified({liar<unresolved>("lazy", {})});
    std::uint64_t misses = 0;
    std::uint64_t false_positives = 0;
    for (const VerifyRow& row : report.rows) {
        misses += row.counts.queries - row.counts.contacts;
        false_positives += row.counts.false_positives;
        EXPECT_EQ(row.counts.unresolved, row.counts.queries);
    }
    EXPECT_EQ(false_positives, misses);
    EXPECT_TRUE(outcome_of(report));
    VerifyRun run({liar<unresolved>("lazy", {})}, {.max_checks = 1}, {}, 0);
    run.add(queries(0, 12), {});
    for (const VerifyRow& row : run.report().rows)
        EXPECT_EQ(row.counts.over_budget, row.counts.queries);
}

TEST(Verify, SaysTheSameForEveryNumberOfThreads) {
    const std::vector<Method> methods = {liar<late>("late", make_oracle().guarantee),
                                         liar<too_near>("near", make_oracle().guarantee)};
    const std::string expected = report_json(verified(methods, 1)).dump();
    for (const unsigned threads : {0U, 2U, 5U})
        EXPECT_EQ(report_json(verified(methods, threads)).dump(), expected) << threads;
}

TEST(Verify, PartsOfARunAddUpToTheWhole) {
    const std::vector<Method> methods = {liar<late>("late", make_oracle().guarantee)};
    const VerifyReport whole = verified(methods);
    VerifyRun run(methods, {}, {}, 0);
    for (const std::uint64_t first : {0U, 40U, 80U})
        run.add(queries(first, 40), {});
    EXPECT_EQ(report_json(run.report()).dump(), report_json(whole).dump());
    VerifyRun resumed(methods, {}, {}, 80);
    resumed.add(queries(80, 40), {});
    EXPECT_EQ(resumed.report().next, 120U);
    EXPECT_GE(resumed.report().first_broken->number, 80U);
}

TEST(Verify, AQueryThatIsScaledOutOfRangeMustBeLeftUnresolved) {
    const VerifyReport report =
        verified({liar<honest>("honest", make_oracle().guarantee)}, 1, {.scale = 2100});
    EXPECT_GT(report.not_finite, 0U);
    EXPECT_EQ(report.unjudged, 0U);
    EXPECT_FALSE(report.first_broken.has_value());
    EXPECT_NE(report_text(report).find("are not finite"), std::string::npos);
}

TEST(Verify, NothingToJudgeIsAnError) {
    EXPECT_FALSE(outcome_of(VerifyRun({make_oracle()}, {}, {}, 0).report()));
    VerifyReport report = verified({make_oracle()});
    report.unjudged = 1;
    EXPECT_FALSE(outcome_of(report));
}

TEST(Verify, TheTableFitsIn120Columns) {
    std::istringstream table(report_text(verified({liar<too_near>("tight-inclusion-paper", {})})));
    for (std::string line; std::getline(table, line);)
        EXPECT_LE(line.size(), 120U) << line;
}

// The command as main() runs it, over methods of our own.
struct CommandOutcome {
    Expected<ExitCode> result;
    std::string out;
};

CommandOutcome run_command(const std::vector<Method>& methods, std::vector<std::string> arguments) {
    MethodRegistry registry;
    for (const Method& method : methods)
        EXPECT_TRUE(registry.add(method));
    App app("", "graze");
    const Command command = add_verify_command(app, registry);
    arguments.insert(arguments.begin(), "verify");
    app.parse(arguments);
    ::testing::internal::CaptureStdout();
    const Expected<ExitCode> result = command.run();
    return {result, ::testing::internal::GetCapturedStdout()};
}

TEST(VerifyCommand, PrintsTheFirstQueryInHexAndFails) {
    const auto [result, out] =
        run_command({liar<honest>("honest", make_oracle().guarantee),
                     liar<late>("late", {.proved_toi_lower = true})},
                    {"--family", "boundary", "--kind", "vf", "--count", "20", "--threads", "1"});
    ASSERT_FALSE(result);
    EXPECT_NE(result.error().message.find("late: toi_lower lies after the first contact"),
              std::string::npos)
        << result.error().message;
    EXPECT_NE(out.find("first: query 0 (boundary vf, seed 0), late"), std::string::npos) << out;
    EXPECT_NE(out.find("{0x"), std::string::npos) << out;
}

TEST(VerifyCommand, WritesTheFirstQueryAsARegressionTest) {
    std::string pattern = (fs::temp_directory_path() / "graze-verify-XXXXXX").string();
    const fs::path folder = mkdtemp(pattern.data());
    const auto written = [&](const std::vector<Method>& methods) {
        const auto [result, out] =
            run_command(methods, {"--family", "ordinary", "--kind", "ee", "--count", "20",
                                  "--scale", "3", "--shift", "0.5", "--repro", folder.string()});
        EXPECT_FALSE(result);
        EXPECT_NE(out.find("regression test: "), std::string::npos) << out;
        std::string text;
        for (const auto& entry : fs::directory_iterator(folder)) {
            std::ifstream file(entry.path());
            std::ostringstream content;
            content << file.rdbuf();
            text += content.str();
            fs::remove(entry.path());
        }
        return text;
    };
    const std::string late_test = written({liar<late>("late", {.proved_toi_lower = true})});
    for (const char* part : {"kFirstTimeLower", "scaled by 2^3, shifted by 0.5", "EdgeEdgeMotion"})
        EXPECT_NE(late_test.find(part), std::string::npos) << part << " in\n" << late_test;
    const std::string near_test = written({liar<too_near>("near", {.proved_tolerance = true})});
    EXPECT_NE(near_test.find("constexpr double kNearest = 0x"), std::string::npos) << near_test;
    fs::remove_all(folder);
    EXPECT_FALSE(run_command({liar<honest>("honest", {})}, {"--repro", folder.string()}).result);
}

// The separation is what a method may lack: then it is left out, and may not be named.
TEST(VerifyCommand, LeavesOutWhatDoesNotHonourTheSeparation) {
    const std::vector<Method> methods = {
        liar<honest>("touch-only", {}),
        liar<honest>("both", {.min_separation_euclidean = true, .min_separation_max_norm = true})};
    const std::vector<std::string> separation = {"--min-separation", "0.5", "--norm", "max",
                                                 "--count",          "8"};
    const auto [result, out] = run_command(methods, separation);
    EXPECT_TRUE(result);
    EXPECT_NE(out.find("left out, no --min-separation in the max norm: touch-only\n"),
              std::string::npos)
        << out;
    std::vector<std::string> named = separation;
    named.insert(named.end(), {"--methods", "touch-only"});
    EXPECT_THROW(static_cast<void>(run_command(methods, named)), UsageError);
    EXPECT_THROW(static_cast<void>(run_command({methods[0]}, separation)), UsageError);
    EXPECT_THROW(static_cast<void>(run_command({make_oracle()}, {})), UsageError);
}

}  // namespace
}  // namespace graze::app
