// The experiments, on sets of a few queries.
#include <gtest/gtest.h>

#include "apps/html_checks.hpp"
#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

// A vertex that falls through the triangle, and one that stops at a distance of 1/8 above it.
std::string two_queries() {
    return csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), false);
}

nlohmann::json study_of(const TempFolder& folder, std::vector<std::string> extra) {
    folder.write("mine/scene/vertex-face/a.csv", two_queries());
    std::vector<std::string> arguments = {"bench", "--data", folder / "mine"};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    return run_tool_for_json(arguments)["study"];
}

TEST(BenchStudy, WithoutAnExperimentThereIsTheTableAlone) {
    const TempFolder folder;
    const auto study = study_of(folder, {"--methods", "box-separation"});
    EXPECT_TRUE(study["sweeps"].empty());
    EXPECT_TRUE(study["claims"].empty());
}

// Both truths: touching, and the exact answer for the separation.
TEST(BenchStudy, SeparationsAreComparedWithTouchingAndWithTheExactAnswer) {
    const TempFolder folder;
    const auto study =
        study_of(folder, {"--experiment", "separation", "--methods", "oracle,certified"});
    ASSERT_EQ(study["sweeps"].size(), 1U);
    const auto& sweep = study["sweeps"][0];
    EXPECT_EQ(sweep["experiment"], "separation");
    EXPECT_EQ(sweep["values"].size(), 8U);
    EXPECT_EQ(sweep["values"].front(), 1.0);
    EXPECT_EQ(sweep["values"][6], 1e-50);
    EXPECT_EQ(sweep["rows"].size(), 16U);
    for (const auto& row : sweep["rows"]) {
        SCOPED_TRACE(row.dump());
        EXPECT_EQ(row["norm"], "max");
        EXPECT_EQ(row["queries"], 2);
        EXPECT_EQ(row["false_negatives"], 0);
        EXPECT_EQ(row["for_the_separation"]["judged"], 2);
        EXPECT_EQ(row["for_the_separation"]["contacts"], row["value"] == 1.0 ? 2 : 1);
        EXPECT_EQ(row["for_the_separation"]["false_positives"], 0);
        EXPECT_EQ(row["for_the_separation"]["false_negatives"], 0);
    }
}

// Ranges and distributions of Figures 8 and 11.
TEST(BenchStudy, RowsHaveTheRangeAndTheDistributionOfTheirTimes) {
    const TempFolder folder;
    const auto study = study_of(folder, {"--experiment", "tolerance"});
    for (const auto& row : study["sweeps"][0]["rows"]) {
        EXPECT_GT(row["ns_min"], 0.0);
        EXPECT_LE(row["ns_min"], row["ns_mean"]);
        EXPECT_LE(row["ns_mean"], row["ns_max"]);
        int sum = 0;
        for (const auto& bin : row["histogram"])
            sum += bin.get<int>();
        EXPECT_EQ(sum, row["queries"]);
    }
}

TEST(BenchStudy, SweepsWithoutTheTableAreTheCsv) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", two_queries());
    const ToolOutcome outcome =
        run_tool({"bench", "--experiment", "separation,tolerance", "--methods", "tight-inclusion",
                  "--data", folder / "mine", "--csv", folder / "out.csv"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto lines = lines_of(read_file(folder / "out.csv"));
    ASSERT_EQ(lines.size(), 1U + 8U + 5U);
    EXPECT_EQ(lines[0].rfind("experiment,method,group,kind,value,norm,queries,", 0), 0U);
    EXPECT_NE(lines[0].find(",os,from_0_ns,from_10_ns,"), std::string::npos);
    EXPECT_EQ(lines[1].rfind("separation,tight-inclusion,\"mine\",vf,1,max,2,", 0), 0U);
    EXPECT_EQ(lines[13].rfind("tolerance,tight-inclusion,\"mine\",vf,1e-08,euclidean,2,", 0), 0U);
    for (const std::string& line : lines)
        EXPECT_EQ(std::count(line.begin(), line.end(), ','),
                  std::count(lines[0].begin(), lines[0].end(), ','));
}

// A search ends near its tolerance, and does less where that is wide.
TEST(BenchStudy, ToleranceReachesTheMethods) {
    const TempFolder folder;
    const auto study =
        study_of(folder, {"--experiment", "tolerance", "--methods", "tight-inclusion"});
    const auto& rows = study["sweeps"][0]["rows"];
    ASSERT_EQ(rows.size(), 5U);
    for (const auto& row : rows) {
        EXPECT_LE(row["max_tolerance"], row["value"]);
        EXPECT_GE(row["max_tolerance"].get<double>(), 0.01 * row["value"].get<double>());
    }
}

TEST(BenchStudy, TheWorkBudgetReachesTheMethods) {
    const TempFolder folder;
    const auto study = study_of(
        folder, {"--experiment", "checks", "--methods", "tight-inclusion", "--tolerance", "1e-12"});
    const auto& rows = study["sweeps"][0]["rows"];
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[0]["value"], 100.0);
    EXPECT_GE(rows[0]["over_budget"].get<int>(), rows[4]["over_budget"].get<int>());
    EXPECT_GE(rows[0]["max_tolerance"].get<double>(), rows[4]["max_tolerance"].get<double>());
}

TEST(BenchStudy, RatiosAreThoseOfTheirTimes) {
    const TempFolder folder;
    const auto claims = study_of(folder, {"--experiment", "claims"})["claims"];
    ASSERT_EQ(claims.size(), 6U);
    for (const auto& claim : claims) {
        SCOPED_TRACE(claim.dump());
        EXPECT_GT(claim["queries"], 0);
        EXPECT_GT(claim["fast_ns"], 0.0);
        EXPECT_NEAR(claim["ratio"].get<double>(),
                    claim["slow_ns"].get<double>() / claim["fast_ns"].get<double>(), 1e-6);
    }
    EXPECT_EQ(claims[0]["published"], 4.0);
    EXPECT_TRUE(claims[2]["published"].is_null());
    EXPECT_EQ(claims[5]["slow"], "tight-inclusion-paper");
    EXPECT_EQ(claims[5]["published"], 3.0);
}

TEST(BenchStudy, ASampleIsEvenAndStatesItsStride) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", random_csv(20250130, 100));
    const auto study =
        run_tool_for_json({"bench", "--experiment", "tolerance", "--methods", "interval-univariate",
                           "--sample", "10", "--budget", "0", "--data", folder / "mine"})["study"];
    for (const auto& row : study["sweeps"][0]["rows"]) {
        EXPECT_EQ(row["stride"], 16);
        EXPECT_EQ(row["queries"], 7);
    }
}

TEST(BenchStudy, ThePageOfAllExperimentsIsWholeAndLoadsNothing) {
    const TempFolder folder;
    folder.write("mine<&>/scene/vertex-face/a.csv", two_queries());
    const ToolOutcome outcome =
        run_tool({"bench", "--experiment", "all", "--data", folder / "mine<&>", "--html",
                  folder / "out.html", "--csv", folder / "out.csv"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const std::string& line : lines_of(outcome.out))
        EXPECT_LE(line.size(), 120U) << line;
    const std::string page = read_file(folder / "out.html");
    EXPECT_EQ(nesting_error(page), "");
    EXPECT_EQ(loader_in(page.substr(page.find("<body"))), "") << "besides folders";
    EXPECT_EQ(page.find("mine<&>"), std::string::npos);
    for (const char* part :
         {"id=\"table\"", "id=\"histograms\"", "id=\"separation\"", "id=\"tolerance\"",
          "id=\"checks\"", "id=\"claims\"", "<span class=\"soft\"> · touching ",
          "fewer than eight with a known truth", "class=\"band ",
          "tight-inclusion-paper, delta = 0.0001", "tight-inclusion-paper, d = 1e-50",
          "graze bench --experiment all", "graze bench --experiment separation",
          "prefers-color-scheme: dark", "-ffp-contract=off"}) {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
}

TEST(BenchStudy, RefusesWhatItCannotDo) {
    for (const auto& wrong :
         std::vector<std::vector<std::string>>{{"--experiment", "magic"},
                                               {"--experiment", "claims", "--csv", "-"},
                                               {"--experiment", "claims", "--raw", "somewhere"},
                                               {"--sample", "0"}}) {
        std::vector<std::string> arguments = {"bench"};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const ToolOutcome outcome = run_tool(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << wrong[1];
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    }
}

}  // namespace
}  // namespace graze::test
