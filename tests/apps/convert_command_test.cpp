#include <gtest/gtest.h>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

std::string answers(const TempFolder& folder, const std::string& file) {
    EXPECT_EQ(run_tool({"query", "--kind", "vf", "--method", "oracle", "--out",
                        folder / "answers.csv", file})
                  .exit_code,
              0);
    return read_file(folder / "answers.csv");
}

TEST(ConvertCommand, EveryFormHoldsTheSameQueries) {
    const TempFolder folder;
    const std::string csv = folder.write("q.csv", random_csv(20250107, 1100));
    const std::string expected = answers(folder, csv);
    std::string source = csv;
    for (const char* name : {"a.gzq", "b.csv.gz", "c.csv"}) {
        SCOPED_TRACE(name);
        const ToolOutcome outcome =
            run_tool({"convert", "--kind", "vf", source, "--out", folder / name});
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        source = folder / name;
        EXPECT_EQ(answers(folder, source), expected);
    }
}

TEST(ConvertCommand, FillsInTheExactTruthAndSaysWhatItReplaced) {
    const TempFolder folder;
    const std::string csv =
        folder.write("q.csv", csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), true));
    const auto json = run_tool_for_json(
        {"convert", "--kind", "vf", csv, "--with-truth", "--out", folder / "q.gzq"});
    EXPECT_EQ(json["queries"], 2);
    EXPECT_EQ(json["contacts"], 1);
    EXPECT_EQ(json["disagreements"], 1);
    const auto truth = run_tool_for_json({"truth", "--kind", "vf", folder / "q.gzq"});
    EXPECT_EQ(truth["compared"], 2);
    EXPECT_EQ(truth["disagreements"], 0);
}

TEST(ConvertCommand, KeepsATruthFileAsAColumn) {
    const TempFolder folder;
    const std::string csv = folder.write("q.csv", csv_of(falling_vertex()));
    const std::string truth = folder.write("t.json", "[false]");
    ASSERT_EQ(
        run_tool({"convert", "--kind", "vf", csv, "--truth", truth, "--out", folder / "out.csv"})
            .exit_code,
        0);
    EXPECT_EQ(run_tool_for_json({"truth", "--kind", "vf", folder / "out.csv"})["disagreements"], 1);
}

TEST(ConvertCommand, AnErrorLeavesNoOutputBehind) {
    const TempFolder folder;
    const std::string csv = folder.write("q.csv", random_csv(20250108, 1100) + "1,2,3\n");
    const ToolOutcome outcome =
        run_tool({"convert", "--kind", "vf", csv, "--out", folder / "q.gzq"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(folder.files(), std::vector<std::string>{"q.csv"});
}

}  // namespace
}  // namespace graze::test
