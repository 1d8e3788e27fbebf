#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "apps/tool_runner.hpp"
#include "support/outside_data.hpp"

namespace graze::test {
namespace {

TEST(TruthCommand, ReportsADisagreementWithThePublishedTruthAndStillSucceeds) {
    const TempFolder folder;
    const std::string file =
        folder.write("q.csv", csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), true));
    const auto json = run_tool_for_json({"truth", "--kind", "vf", file});
    EXPECT_EQ(json["compared"], 2);
    EXPECT_EQ(json["disagreements"], 1);
    ASSERT_EQ(json["differences"].size(), 1U);
    EXPECT_EQ(json["differences"][0]["index"], 1);

    const ToolOutcome outcome = run_tool({"truth", "--kind", "vf", file});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("1 disagreements with 2 published truths"), std::string::npos);
    EXPECT_NE(outcome.out.find("query 1: published contact, exact separated"), std::string::npos);
}

TEST(TruthCommand, DisagreementsAreNullWhereNothingIsPublished) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const auto json = run_tool_for_json({"truth", "--kind", "vf", file});
    EXPECT_EQ(json["contacts"], 1);
    EXPECT_TRUE(json["disagreements"].is_null());
}

TEST(TruthCommand, AddsTheSmallestDistanceInTheNormThatIsNamed) {
    const TempFolder folder;
    Query64 query = stopping_vertex();
    query.start[0] = query.end[0] = {96, 96, 32};  // 1/2 past the long side in x + y, 1/2 above
    const std::string file = folder.write("q.csv", csv_of(query));
    // Nearest point (1/2, 1/2, 0): differences (1, 1, 1/2), max 1, Euclidean 3/2.
    for (const auto& [norm, exact] : {std::pair("max", 1.0), std::pair("euclidean", 1.5)}) {
        ASSERT_EQ(run_tool({"truth", "--kind", "vf", "--distance", "--norm", norm, "--out",
                            folder / "out.csv", file})
                      .exit_code,
                  0);
        const auto lines = lines_of(read_file(folder / "out.csv"));
        ASSERT_EQ(lines.size(), 2U);
        EXPECT_EQ(lines[0],
                  "index,verdict,toi_lower,toi_upper,min_distance_lower,min_distance_upper");
        ASSERT_TRUE(lines[1].starts_with("0,separated,inf,inf,")) << lines[1];
        char* comma = nullptr;
        const double lower = std::strtod(lines[1].c_str() + 20, &comma);
        const double upper = std::strtod(comma + 1, nullptr);
        EXPECT_TRUE(lower == exact || upper == exact) << lines[1];
        EXPECT_TRUE(lower == upper || std::nextafter(lower, upper) == upper) << lines[1];
    }
}

TEST(TruthCommand, MinimumSeparationIsClosed) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(stopping_vertex()));
    const auto contacts = [&](const char* separation) {
        return run_tool_for_json(
            {"truth", "--kind", "vf", "--min-separation", separation, file})["contacts"];
    };
    EXPECT_EQ(contacts("0.5"), 1);
    EXPECT_EQ(contacts("0x1.fffffffffffffp-2"), 0);
}

TEST(TruthCommand, AllWaysOfAskingAgreeOnRandomQueries) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", random_csv(20250103, 60));
    const auto json = run_tool_for_json({"truth", "--kind", "vf", "--check-ways", file});
    EXPECT_EQ(json["queries"], 60);
    EXPECT_EQ(json["way_differences"], 0);
}

TEST(TruthCommand, JudgesEverySetOfAFolder) {
    const TempFolder folder;
    folder.write("group/scene/vertex-face/a.csv", csv_of(falling_vertex(), true));
    folder.write("group/scene/vertex-face/b.csv", csv_of(stopping_vertex(), true));
    const auto json = run_tool_for_json({"truth", "--data", folder / "group"});
    ASSERT_EQ(json["sets"].size(), 2U);
    EXPECT_EQ(json["sets"][0]["disagreements"], 0);
    EXPECT_EQ(json["sets"][1]["disagreements"], 1);
    EXPECT_EQ(json["queries"], 2);
    EXPECT_EQ(json["disagreements"], 1);
}

TEST(TruthCommand, OutputIsTheSameForEveryNumberOfThreads) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", random_csv(20250104, 1500));
    for (const char* threads : {"1", "2"}) {
        ASSERT_EQ(run_tool({"truth", "--kind", "vf", "--threads", threads, "--out",
                            folder / (std::string("out") + threads), file})
                      .exit_code,
                  0);
    }
    EXPECT_EQ(lines_of(read_file(folder / "out1")).size(), 1501U);
    EXPECT_EQ(read_file(folder / "out1"), read_file(folder / "out2"));
}

// Outside data is used where it is there, and the run says whether it was.
TEST(TruthCommand, AgreesWithThePublishedHandcraftedTruths) {
    const fs::path data = graze::testing::outside_data("ccd-queries") / "handcrafted";
    if (!fs::exists(data)) GTEST_SKIP() << "no published queries at " << data;
    const auto json = run_tool_for_json({"truth", "--data", data.string()});
    EXPECT_GT(json["compared"], 0);
    EXPECT_EQ(json["disagreements"], 0);
}

}  // namespace
}  // namespace graze::test
