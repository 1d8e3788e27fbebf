#include <gtest/gtest.h>

#include "tools/tool_runner.hpp"

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
