// `graze reproduce`, run as a user does.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "apps/html_checks.hpp"
#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

TEST(ReproduceCommand, ListsOneLineForEachItem) {
    const ToolOutcome outcome = run_tool({"reproduce", "--list", "--paper", "linahan"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto lines = lines_of(outcome.out);
    EXPECT_EQ(lines.size(), 13U);
    for (const std::string& line : lines)
        EXPECT_TRUE(line.starts_with("linahan ")) << line;
    EXPECT_NE(outcome.out.find("not reproducible"), std::string::npos);
    const auto json = run_tool_for_json({"reproduce", "--list", "--paper", "linahan"});
    EXPECT_EQ(json["items"].size(), lines.size());
    EXPECT_EQ(json["items"][2]["item"], "table-1");
}

TEST(ReproduceCommand, SuggestsWhatWasMeant) {
    const TempFolder folder;
    const auto wrong = [&](std::vector<std::string> words, const std::string& part) {
        words.insert(words.begin(), "reproduce");
        const ToolOutcome outcome = run_tool(words);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U);
    };
    wrong({"--paper", "linahan", "--figure", "figur-4", "--out", folder / "o"},
          "did you mean 'figure-4'?");
    wrong({"--paper", "linahan", "--figure", "nothing-like-it", "--out", folder / "o"},
          "see --list");
    wrong({"--paper", "linahn", "--out", folder / "o"}, "did you mean 'linahan'?");
    wrong({"--paper", "linahan"}, "--out is required");
    wrong({"--resume", "--fresh", "--out", folder / "o"}, "exclude each other");
    EXPECT_TRUE(folder.files().empty());
}

TEST(ReproduceCommand, MakesOneItemAndKeepsIt) {
    const TempFolder folder;
    const std::vector<std::string> words = {"reproduce",  "--paper", "linahan", "--figure",
                                            "section-3a", "--quick", "--out",   folder / "o"};
    auto json = run_tool_for_json(words);
    EXPECT_EQ(json["made"], 1);
    EXPECT_EQ(json["kept"], 0);
    EXPECT_EQ(json["failed"], 0);
    EXPECT_EQ(nesting_error(read_file(folder / "o/index.html")), "");
    EXPECT_NE(read_file(folder / "o/linahan/section-3a/normals.csv").find("touch point"),
              std::string::npos);
    json = run_tool_for_json(words);
    EXPECT_EQ(json["made"], 0);
    EXPECT_EQ(json["kept"], 1);
}

TEST(ReproduceCommand, SaysInOneLineWhatCannotBeWrittenOrRead) {
    const TempFolder folder;
    const std::string file = folder.write("file", "x");
    for (const auto& words : {std::vector<std::string>{"reproduce", "--out", file},
                              std::vector<std::string>{"reproduce", "--data", folder / "none",
                                                       "--out", folder / "o"}}) {
        const ToolOutcome outcome = run_tool(words);
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    }
}

TEST(ReproduceCommand, StopsWithinASecondAndSaysHowToGoOn) {
    const TempFolder folder;
    const pid_t tool = start_tool({"reproduce", "--paper", "linahan", "--figure",
                                   "section-4-snagging", "--out", folder / "o"});
    usleep(300'000);
    kill(tool, SIGINT);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(wait_for_tool(tool).signal, SIGINT);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), 5.0);  // a second, and what a busy machine takes
    for (const std::string& name : folder.files())
        EXPECT_EQ(name.find("result.json"), std::string::npos);
}

}  // namespace
}  // namespace graze::test
