#include <gtest/gtest.h>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

TEST(GenerateCommand, WritesQueriesWhoseTruthIsExact) {
    const TempFolder folder;
    const auto json = run_tool_for_json({"generate", "--family", "near,flat", "--kind", "ee",
                                         "--count", "12", "--out", folder / "q.gzq"});
    EXPECT_EQ(json["queries"], 24);
    EXPECT_EQ(json["families"], (nlohmann::json{"near", "flat"}));
    const auto truth = run_tool_for_json({"truth", "--kind", "ee", folder / "q.gzq"});
    EXPECT_EQ(truth["compared"], 24);
    EXPECT_EQ(truth["disagreements"], 0);
    EXPECT_EQ(truth["contacts"], json["contacts"]);
}

TEST(GenerateCommand, GoesOnWhereAnEarlierSeedEnded) {
    const TempFolder folder;
    const auto generate = [&](const char* seed, const char* count, const char* name) {
        const ToolOutcome outcome =
            run_tool({"generate", "--family", "boundary", "--kind", "ve", "--seed", seed, "--count",
                      count, "--out", folder / name});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return read_file(folder / name);
    };
    EXPECT_EQ(generate("0", "3", "a.csv") + generate("3", "4", "b.csv"),
              generate("0", "7", "all.csv"));
}

TEST(GenerateCommand, RefusesWhatItDoesNotKnow) {
    const TempFolder folder;
    const auto exit_code = [&](const std::string& family, const std::string& out) {
        return run_tool({"generate", "--family", family, "--kind", "vf", "--out", folder / out})
            .exit_code;
    };
    EXPECT_EQ(exit_code("round", "q.gzq"), 2);
    EXPECT_EQ(exit_code("near", "q.txt"), 2);
    EXPECT_EQ(exit_code("near", "missing/q.gzq"), 1);
    EXPECT_TRUE(folder.files().empty());
}

TEST(GenerateCommand, MakesASceneWithContactsAndNearMisses) {
    const TempFolder folder;
    for (const char* scene : {"cliff-edges", "tumbling-bodies"}) {
        const auto json = run_tool_for_json({"generate", "--scene", scene, "--kind", "vf",
                                             "--count", "200", "--out", folder / "q.gzq"});
        EXPECT_EQ(json["scene"], scene);
        EXPECT_EQ(json["queries"], 200);
        EXPECT_GE(json["contacts"], 10);
        EXPECT_LE(json["contacts"], 30);
        const auto truth = run_tool_for_json({"truth", "--kind", "vf", folder / "q.gzq"});
        EXPECT_EQ(truth["disagreements"], 0);
        EXPECT_EQ(truth["contacts"], json["contacts"]);
    }
}

TEST(GenerateCommand, ListsWhatItMakes) {
    const auto json = run_tool_for_json({"generate", "--list"});
    EXPECT_EQ(json["families"].size(), 18U);
    EXPECT_EQ(json["contact"].size(), 10U);
    EXPECT_EQ(json["motion"].size(), 6U);
    EXPECT_GE(json["sets"]["large"], 1'000'000);
    const ToolOutcome text = run_tool({"generate", "--list"});
    EXPECT_EQ(text.exit_code, 0);
    EXPECT_NE(text.out.find("twisting-mat"), std::string::npos);
}

TEST(GenerateCommand, WantsOneThingToMakeAndAPlaceForIt) {
    const TempFolder folder;
    const std::string out = folder / "q.gzq";
    const std::vector<std::vector<std::string>> wrong = {
        {"generate"},
        {"generate", "--kind", "vf", "--out", out},
        {"generate", "--family", "near", "--scene", "spikes", "--kind", "vf", "--out", out},
        {"generate", "--family", "near", "--kind", "vf"},
        {"generate", "--family", "near", "--out", out},
        {"generate", "--scene", "spoons", "--kind", "vf", "--out", out},
        {"generate", "--scene", "spikes", "--kind", "vv", "--out", out},
        {"generate", "--set", "huge", "--out", out},
        {"generate", "--set", "smoke"},
        {"generate", "--set", "smoke", "--format", "xml", "--out", out},
        {"generate", "--set", "smoke", "--kind", "vf", "--out", out},
        {"generate", "--set", "smoke", "--seed", "1000000001", "--out", out},
        {"generate", "--list", "--out", out}};
    for (const auto& arguments : wrong) {
        const ToolOutcome outcome = run_tool(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << ::testing::PrintToString(arguments);
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    }
    EXPECT_TRUE(folder.files().empty());
}

TEST(SelfCheckCommand, PassesAndCountsEveryFamily) {
    const auto json = run_tool_for_json({"self-check", "--count", "36", "--seed", "72"});
    EXPECT_EQ(json["queries"], 36);
    EXPECT_EQ(json["failures"], 0);
    EXPECT_EQ(json["families"].size(), 18U);
    for (const auto& family : json["families"])
        EXPECT_EQ(family["queries"], 2);
}

}  // namespace
}  // namespace graze::test
