// Where results may go: standard output by any name, what is open already, what a link names.
// Defends G-FILES-3 (docs/GUARANTEES.md).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

constexpr const char* kAnswers = "index,verdict,toi_lower,toi_upper\n0,contact,0.5,0.5\n";

std::vector<std::string> oracle_query(const std::string& file, std::vector<std::string> extra) {
    extra.insert(extra.begin(), {"query", "--kind", "vf", "--method", "oracle", file});
    return extra;
}

TEST(Output, ADashIsStandardOutputForTheAnswersAlone) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
        SCOPED_TRACE(name);
        const ToolOutcome outcome = run_tool(oracle_query(file, {"--out", name}));
        EXPECT_EQ(outcome.exit_code, 0);
        EXPECT_EQ(outcome.out, kAnswers);
        EXPECT_EQ(outcome.err, "");
        EXPECT_EQ(run_tool({"truth", "--kind", "vf", file, "--out", name}).out, kAnswers);
    }
    EXPECT_EQ(folder.files(), std::vector<std::string>{"q.csv"});
}

TEST(Output, TheSourceOfARegressionAndTheTableOfABenchGoToStandardOutputAlone) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const std::vector<std::string> repro = {"repro", "--kind", "vf", "--index", "0", file};
    std::vector<std::string> repro_to_dash = repro;
    repro_to_dash.insert(repro_to_dash.end(), {"--out", "-"});
    EXPECT_EQ(run_tool(repro_to_dash).out, run_tool(repro).out);
    const ToolOutcome bench =
        run_tool({"bench", "--quick", "--methods", "certified", "--csv", "-"});
    EXPECT_TRUE(bench.out.starts_with("method,group,kind,")) << bench.out;
    EXPECT_EQ(bench.out.find("result hash"), std::string::npos);
}

TEST(Output, WhatTheShellAppendsToIsKept) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const std::string all = folder.write("all.txt", "before\n");
    for (const std::string& name : {std::string("-"), std::string("/dev/stdout"), all}) {
        SCOPED_TRACE(name);
        folder.write("all.txt", "before\n");
        const ToolOutcome outcome = run_tool_appending_to(all, oracle_query(file, {"--out", name}));
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        EXPECT_EQ(read_file(all), "before\n" + std::string(kAnswers));
        EXPECT_EQ(run_tool_appending_to(all, oracle_query(file, {"--json", name})).exit_code, 0);
        const std::string text = read_file(all);
        EXPECT_TRUE(text.starts_with("before\n" + std::string(kAnswers) + "{\n")) << text;
        EXPECT_TRUE(text.ends_with("}\n")) << text;
    }
}

TEST(Output, OpenDescriptorsAreWrittenAfterWhatTheyHold) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const std::string all = folder.write("all.txt", "before\n");
    const int descriptor = open(all.c_str(), O_WRONLY | O_APPEND);  // inherited by the tool
    ASSERT_GE(descriptor, 0);
    const std::string name = "/dev/fd/" + std::to_string(descriptor);
    const ToolOutcome outcome = run_tool(oracle_query(file, {"--out", name}));
    close(descriptor);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out, "");
    EXPECT_EQ(read_file(all), "before\n" + std::string(kAnswers));

    const ToolOutcome closed = run_tool(oracle_query(file, {"--out", "/dev/fd/77"}));
    EXPECT_EQ(closed.exit_code, 1);
    EXPECT_NE(closed.err.find("/dev/fd/77: "), std::string::npos) << closed.err;
}

TEST(Output, GoesThroughDevicesAndLinks) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    EXPECT_EQ(run_tool(oracle_query(file, {"--out", "/dev/null", "--json", "/dev/null"})).exit_code,
              0);
    folder.write("real.csv", "old");
    fs::create_symlink("real.csv", folder / "link.csv");
    EXPECT_EQ(run_tool(oracle_query(file, {"--out", folder / "link.csv"})).exit_code, 0);
    EXPECT_TRUE(fs::is_symlink(folder / "link.csv"));
    EXPECT_EQ(read_file(folder / "real.csv"), kAnswers);
}

TEST(Output, AReaderThatHasGoneEndsTheToolQuietly) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"methods"},
          {"methods", "--json", "-"},
          {"--help"},
          oracle_query(file, {"--out", "-"}),
          oracle_query(file, {"--json", "/dev/stdout"})}) {
        const ToolOutcome outcome = run_tool_into_closed_pipe(arguments);
        EXPECT_EQ(outcome.signal, SIGPIPE);
        EXPECT_EQ(outcome.err, "");
    }
}

TEST(Output, ALinkThatLeadsToNothingIsFollowed) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    fs::create_symlink("new.csv", folder / "link.csv");
    EXPECT_EQ(run_tool(oracle_query(file, {"--out", folder / "link.csv"})).exit_code, 0);
    EXPECT_TRUE(fs::is_symlink(folder / "link.csv"));
    EXPECT_TRUE(fs::is_regular_file(folder / "new.csv"));
    // Both names are one place, before there is anything.
    fs::remove(folder / "new.csv");
    const ToolOutcome clash =
        run_tool(oracle_query(file, {"--out", folder / "link.csv", "--json", folder / "new.csv"}));
    EXPECT_EQ(clash.exit_code, 2) << clash.err;
}

TEST(Output, AllFilesOfACommandAppearOrNone) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const ToolOutcome outcome =
        run_tool(oracle_query(file, {"--out", folder / "out.csv", "--json", "/dev/full"}));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(folder.files(), std::vector<std::string>{"q.csv"});
}

TEST(Output, AFullDeviceIsAnErrorThatNamesIt) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const ToolOutcome outcome = run_tool(oracle_query(file, {"--out", "/dev/full"}));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("/dev/full: "), std::string::npos) << outcome.err;
}

TEST(Output, ErrorsThatCannotBeWrittenChangeNothingElse) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const ToolOutcome good =
        run_tool_with_full_errors(oracle_query(file, {"--out", "-", "--verbose"}));
    EXPECT_EQ(good.exit_code, 0);
    EXPECT_EQ(good.out, kAnswers);
    EXPECT_EQ(run_tool_with_full_errors(oracle_query(folder / "missing.csv", {})).exit_code, 1);
    EXPECT_EQ(run_tool_with_full_errors({"query", "--no-such-option"}).exit_code, 2);
    EXPECT_EQ(run_tool_with_closed_stream(STDERR_FILENO, {"query"}).exit_code, 2);
}

// Closed streams would leave their numbers to the files that are opened next.
TEST(Output, WhatIsPrintedOnAClosedStreamEndsInNoFile) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const std::string out = folder / "out.csv";
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        SCOPED_TRACE(stream);
        fs::remove(out);
        const ToolOutcome outcome =
            run_tool_with_closed_stream(stream, oracle_query(file, {"--out", out, "--verbose"}));
        EXPECT_EQ(outcome.signal, 0);
        EXPECT_EQ(outcome.exit_code, stream == STDOUT_FILENO ? 1 : 0) << outcome.err;
        EXPECT_EQ(read_file(out), kAnswers);
        EXPECT_EQ(read_file(file), csv_of(falling_vertex()));
    }
    for (const char* name : {"-", "/dev/stdout"}) {
        const ToolOutcome outcome =
            run_tool_with_closed_stream(STDOUT_FILENO, oracle_query(file, {"--json", name}));
        EXPECT_EQ(outcome.exit_code, 1) << name;
        EXPECT_NE(outcome.err, "") << name;
    }
    const ToolOutcome outcome = run_tool_with_closed_stream(
        STDIN_FILENO, oracle_query("/dev/stdin", {"--out", folder / "none.csv"}));
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("/dev/stdin"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(folder / "none.csv"));
}

TEST(Output, AFileThatMayNotGrowFurtherIsAnErrorThatNamesIt) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", random_csv(20250111, 1500));
    const ToolOutcome outcome = run_tool_with_file_limit(
        4096, {"query", "--kind", "vf", file, "--out", folder / "out.csv"});
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("out.csv"), std::string::npos) << outcome.err;
    EXPECT_EQ(folder.files(), std::vector<std::string>{"q.csv"});
}

TEST(Output, AClashOfPlacesIsNamedAndNothingIsTouched) {
    const TempFolder folder;
    const std::string text = csv_of(falling_vertex());
    const std::string file = folder.write("q.csv", text);
    const std::string truth = folder.write("t.json", "[true]");
    const std::string frame = folder.write("f.csv", "no mesh");
    fs::create_symlink("q.csv", folder / "link.csv");
    const std::vector<std::vector<std::string>> clashes = {
        oracle_query(file, {"--out", folder / "x", "--json", folder / "./x"}),
        oracle_query(file, {"--out", "-", "--json", "-"}),
        oracle_query(file, {"--out", "/dev/stdout", "--json", "-"}),
        oracle_query(file, {"--out", file}),
        oracle_query(file, {"--out", folder / "link.csv"}),
        oracle_query(folder / "link.csv", {"--json", file}),
        oracle_query(file, {"--truth", truth, "--out", truth}),
        {"truth", "--kind", "vf", file, "--out", file},
        {"truth", "--kind", "vf", file, "--out", "-", "--json", "-"},
        {"convert", "--kind", "vf", file, "--out", file},
        {"convert", "--kind", "vf", "--frames", frame, frame, "--boxes", truth, "--out", frame},
        {"convert", "--kind", "vf", file, "--out", folder / "x.csv", "--json", folder / "x.csv"},
        {"repro", "--kind", "vf", "--index", "0", file, "--out", file},
        {"generate", "--family", "near", "--kind", "vf", "--out", folder / "x.csv", "--json",
         folder / "x.csv"},
        {"bench", "--csv", folder / "x", "--json", folder / "x"}};
    for (const auto& arguments : clashes) {
        const ToolOutcome outcome = run_tool(arguments);
        SCOPED_TRACE(outcome.err);
        EXPECT_EQ(outcome.exit_code, 2);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(lines_of(outcome.err).size(), 1U);
        EXPECT_TRUE(outcome.err.find("name the same place") != std::string::npos ||
                    outcome.err.find("would overwrite the input") != std::string::npos);
        EXPECT_EQ(read_file(file), text);
        EXPECT_EQ(folder.files().size(), 4U);  // the link counts as what it names
    }
}

}  // namespace
}  // namespace graze::test
