// Help, version, exit codes, error lines, output files and signals: what holds for every command.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <map>
#include <thread>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

void expect_one_error_line(const ToolOutcome& outcome, int exit_code) {
    EXPECT_EQ(outcome.exit_code, exit_code);
    EXPECT_EQ(outcome.out, "");
    ASSERT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    EXPECT_TRUE(outcome.err.starts_with("graze: error: ")) << outcome.err;
}

TEST(CommandLine, HelpOfEveryCommandNamesItsOptionsAndGivesExamples) {
    const std::map<std::string, std::vector<std::string>> options = {
        {"query",
         {"--kind", "--method", "--tolerance", "--time-width", "--max-checks", "--min-separation",
          "--norm", "--t-max", "--truth", "--out", "--json", "--threads", "FILE"}},
        {"truth",
         {"--kind", "--min-separation", "--norm", "--distance", "--truth", "--check-ways", "--data",
          "--out", "--json", "--threads", "FILE"}},
        {"bench",
         {"--methods", "--data", "--json", "--csv", "--html", "--raw", "--quick", "--repeat",
          "--min-separation", "--norm", "--threads"}},
        {"repro", {"--kind", "--index", "--method", "--name", "--out", "--json", "FILE"}},
        {"convert",
         {"--kind", "--frames", "--boxes", "--truth", "--out", "--with-truth", "--json", "FILE"}},
        {"verify",
         {"--methods", "--data", "--family", "--kind", "--seed", "--count", "--sample", "--scale",
          "--shift", "--min-separation", "--norm", "--t-max", "--tolerance", "--max-checks",
          "--threads", "--json", "--repro"}},
        {"methods", {"--json"}}};
    for (const auto& [command, names] : options) {
        const ToolOutcome outcome = run_tool({command, "--help"});
        EXPECT_EQ(outcome.exit_code, 0) << command;
        EXPECT_EQ(outcome.err, "");
        EXPECT_NE(outcome.out.find("Examples:\n  graze " + command), std::string::npos) << command;
        for (const std::string& name : names) {
            EXPECT_NE(outcome.out.find(name), std::string::npos) << command << " " << name;
        }
    }
}

TEST(CommandLine, VersionSaysCompilerFlagsAndMachine) {
    const ToolOutcome outcome = run_tool({"--version"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_TRUE(outcome.out.starts_with("graze "));
    for (const char* fact : {"compiler", "flags", "build type", "cpu", "system"}) {
        EXPECT_NE(outcome.out.find(fact), std::string::npos) << fact;
    }
}

TEST(CommandLine, MethodsListsWhatEachOneDeclares) {
    const auto json = run_tool_for_json({"methods"});
    bool has_oracle = false;
    for (const auto& method : json["methods"]) {
        has_oracle |= method["name"] == "oracle";
        EXPECT_EQ(method["guarantee"].size(), 11U) << method["name"];
    }
    EXPECT_TRUE(has_oracle);
    const ToolOutcome outcome = run_tool({"methods"});
    EXPECT_NE(outcome.out.find("box-separation"), std::string::npos);
}

std::vector<std::vector<std::string>> wrong_usages(const std::string& file) {
    const std::string folder = fs::path(file).parent_path().string();
    return {{},
            {"frobnicate"},
            {"query", file},
            {"query", "--kind", "vf"},
            {"query", "--kind", "xx", file},
            {"query", "--kind", "vf", "--method", "nothing", file},
            {"query", "--kind", "vf", "--frobnicate", file},
            {"query", "--kind", "vf", "--tolerance", "0", file},
            {"query", "--kind", "vf", "--tolerance", "nan", file},
            {"query", "--kind", "vf", "--tolerance", "1e", file},
            {"query", "--kind", "vf", "--time-width", "-1", file},
            {"query", "--kind", "vf", "--min-separation", "-1", file},
            {"query", "--kind", "vf", "--min-separation", "inf", file},
            {"query", "--kind", "vf", "--norm", "l1", file},
            {"query", "--kind", "vf", "--t-max", "1.5", file},
            {"query", "--kind", "vf", "--max-checks", "many", file},
            {"query", "--kind", "vf", "--max-checks", "0", file},
            {"query", "--kind", "vf", "--max-checks", "-1", file},
            {"query", "--kind", "vf", "--max-checks", "1e6", file},
            {"query", "--kind", "vf", "--threads", "-1", file},
            {"query", "--kind", "vf", "--threads", "1025", file},
            {"query", "--kind", "vf", "--truth", "a.json", "--truth", "b.json", file},
            {"truth", file},
            {"truth", "--kind", "vf"},
            {"truth", "--kind", "vf", "--data", "somewhere", file},
            {"truth", "--kind", "vf", "--distance", file},
            {"bench", "--methods", "nothing"},
            {"bench", "--methods", "oracle,box-separation,oracle"},
            {"bench", "--data", "some/where", "--data", "some/where"},
            {"bench", "--data", folder, "--data", folder + "/./"},
            {"bench", "--min-separation", "-1"},
            {"bench", "--norm", "l1"},
            {"bench", "--repeat", "0"},
            {"bench", "--repeat", "-1"},
            {"self-check", "--count", "0"},
            {"self-check", "--count", "-1"},
            {"self-check", "--count", "99999999999999999999"},
            {"self-check", "--count", "1", "--seed", "-1"},
            {"self-check", "--count", "2", "--seed", "18446744073709551615"},
            {"verify", "--methods", "nothing"},
            {"verify", "--methods", "box-separation,box-separation"},
            {"verify", "--count", "0"},
            {"verify", "--count", "2", "--seed", "18446744073709551615"},
            {"verify", "--data", folder, "--family", "near"},
            {"verify", "--data", folder, "--data", folder},
            {"verify", "--family", "near,all"},
            {"verify", "--family", "round"},
            {"verify", "--kind", "xx"},
            {"verify", "--sample", "5"},
            {"verify", "--data", folder, "--sample", "0"},
            {"verify", "--scale", "1.5"},
            {"verify", "--scale", "2101"},
            {"verify", "--shift", "inf"},
            {"verify", "--min-separation", "-1"},
            {"verify", "--t-max", "2"},
            {"generate", "--family", "near", "--kind", "vf", "--out", "q.csv", "--count", "0"},
            {"generate", "--family", "near", "--kind", "vf", "--out", "q.csv", "--count", "-1"},
            {"generate", "--family", "near", "--kind", "vf", "--out", "q.csv", "--seed", "-1"},
            {"generate", "--family", "near", "--kind", "vf", "--out", "q.csv", "--seed", "1x"},
            {"repro", "--kind", "vf", "--index", "-1", file},
            {"repro", "--kind", "vf", "--index", "18446744073709551616", file},
            {"repro", "--kind", "vf", "--index", "", file},
            {"repro", "--kind", "vf", file},
            {"repro", "--kind", "vf", "--index", "0", "--name", "1st", file},
            {"convert", "--kind", "vf", file},
            {"convert", "--kind", "vf", file, "--out", "q.txt"},
            {"convert", "--kind", "vf", "--out", "q.csv"},
            {"convert", "--kind", "vf", "--frames", "a.ply", "b.ply", "--out", "q.csv"}};
}

TEST(CommandLine, WrongUsageExitsWith2AndOneLine) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    for (const auto& arguments : wrong_usages(file)) {
        std::string joined;
        for (const std::string& argument : arguments)
            joined += argument + " ";
        SCOPED_TRACE(joined);
        expect_one_error_line(run_tool(arguments), 2);
    }
}

TEST(CommandLine, AWrongOptionIsNamedWithTheNearestThatThereIs) {
    const auto error_of = [](const std::vector<std::string>& arguments) {
        const ToolOutcome outcome = run_tool(arguments);
        expect_one_error_line(outcome, 2);
        return outcome.err;
    };
    EXPECT_EQ(error_of({"--verbos"}),
              "graze: error: graze has no option '--verbos'; did you mean '--verbose'? (see graze "
              "--help)\n");
    EXPECT_EQ(error_of({"mesh", "--frist", "a.obj", "b.obj"}),
              "graze: error: graze mesh has no option '--frist'; did you mean '--first'? (see "
              "graze mesh --help)\n");
    EXPECT_EQ(error_of({"mesh", "--xyzzy"}),
              "graze: error: graze mesh has no option '--xyzzy' (see graze mesh --help)\n");
    EXPECT_EQ(error_of({"query", "--knid=vf", "q.csv"}),
              "graze: error: graze query has no option '--knid'; did you mean '--kind'? (see graze "
              "query --help)\n");
    EXPECT_EQ(
        error_of({"mehs"}),
        "graze: error: there is no command 'mehs'; did you mean 'mesh'? (see graze --help)\n");
    EXPECT_EQ(
        error_of({"help", "mehs"}),
        "graze: error: there is no command 'mehs'; did you mean 'mesh'? (see graze --help)\n");
    EXPECT_NE(error_of({"methods", "extra"}).find("'extra' is one argument too many"),
              std::string::npos);
}

TEST(CommandLine, HelpIsAskedForInEveryUsualWayAndFitsTheScreen) {
    const ToolOutcome mesh = run_tool({"mesh", "--help"});
    EXPECT_EQ(run_tool({"help", "mesh"}).out, mesh.out);
    EXPECT_EQ(run_tool({"mesh", "-h"}).out, mesh.out);
    EXPECT_EQ(run_tool({"--help"}).out, run_tool({"help"}).out);
    EXPECT_EQ(run_tool({"-V"}).out, run_tool({"--version"}).out);
    for (const std::string command :
         {"query", "mesh", "slide", "level", "rigid", "model", "truth", "bench", "repro", "convert",
          "generate", "self-check", "methods", "verify"}) {
        bool is_example = false;
        for (const std::string& line : lines_of(run_tool({command, "--help"}).out)) {
            is_example |= line == "Examples:";
            EXPECT_TRUE(is_example || line.size() <= 80 || line.starts_with(" ")) << line;
        }
        EXPECT_TRUE(is_example) << command;
    }
    EXPECT_EQ(mesh.out.find('\033'), std::string::npos) << "colour without a terminal";
}

TEST(CommandLine, QuietPrintsErrorsAloneAndVerboseMore) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const ToolOutcome quiet = run_tool({"query", "--kind", "vf", file, "-q"});
    EXPECT_EQ(quiet.exit_code, 0);
    EXPECT_EQ(quiet.out + quiet.err, "");
    EXPECT_EQ(run_tool({"--quiet", "query", "--kind", "vf", file}).out, "");
    expect_one_error_line(run_tool({"query", "--kind", "vf", folder / "none.csv", "-q"}), 1);
    const ToolOutcome verbose = run_tool({"query", "--kind", "vf", file, "-v"});
    EXPECT_EQ(verbose.out.empty(), false);
    EXPECT_NE(verbose.err.find("graze: note: "), std::string::npos);
    EXPECT_NE(verbose.err.find(" MiB of memory at most"), std::string::npos);
    expect_one_error_line(run_tool({"methods", "-q", "-v"}), 2);
}

TEST(CommandLine, TheExitCodeIsTheVerdictWhereThatIsAskedFor) {
    const TempFolder folder;
    const std::string contact = folder.write("contact.csv", csv_of(falling_vertex()));
    const std::string free = folder.write("free.csv", csv_of(stopping_vertex()));
    const auto code_of = [](const std::string& command, const std::string& file,
                            const std::vector<std::string>& extra) {
        std::vector<std::string> arguments = {command, "--kind", "vf", file};
        arguments.insert(arguments.end(), extra.begin(), extra.end());
        return run_tool(arguments).exit_code;
    };
    for (const std::string command : {"query", "truth"}) {
        EXPECT_EQ(code_of(command, contact, {}), 0);
        EXPECT_EQ(code_of(command, contact, {"--exit-code"}), 3);
        EXPECT_EQ(code_of(command, free, {"--exit-code"}), 0);
    }
    EXPECT_EQ(code_of("query", contact, {"--exit-code", "--method", "box-separation"}), 4);
}

TEST(CommandLine, EveryJsonNamesItsSchemaAndTheCommand) {
    const TempFolder folder;
    const std::string file = folder.write("a 'b'.csv", csv_of(falling_vertex()));
    const auto json = run_tool_for_json({"query", "--kind", "vf", file});
    EXPECT_EQ(json["schema_version"], 1);
    EXPECT_EQ(json["command"],
              "graze query --kind vf '" + folder / "a '\\''b'\\''.csv" + "' --json -");
    EXPECT_EQ(run_tool_for_json({"methods"})["command"], "graze methods --json -");
}

TEST(CommandLine, AWrongWordIsNamedWithWhatWouldBeRight) {
    EXPECT_NE(
        run_tool({"frobnicate"}).err.find("there is no command 'frobnicate'; there are: query"),
        std::string::npos);
    EXPECT_NE(run_tool({"self-check", "--threads", "abc"})
                  .err.find("--threads: 'abc' is no whole number from 0 to 1024"),
              std::string::npos);
    EXPECT_NE(run_tool({"self-check", "--count", "-1"})
                  .err.find("--count: '-1' is no whole number from 1 to 1000000000000"),
              std::string::npos);
}

TEST(CommandLine, NothingInAFileNameReachesTheTerminalAsACommand) {
    const ToolOutcome outcome = run_tool({"query", "--kind", "vf", "none\r\x1b[2J\x07\nhere.csv"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("none??[2J??here.csv"), std::string::npos) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1U);
}

TEST(CommandLine, BadInputExitsWith1AndNamesThePlace) {
    const TempFolder folder;
    const std::string good = folder.write("good.csv", csv_of(falling_vertex()));
    const std::string garbage = folder.write("garbage.csv", "no,query,at,all,in,here\n");
    const std::string cut = folder.write("cut.csv", csv_of(falling_vertex()) + "1,1,1,1,1,1\n");
    const std::string short_truth = folder.write("short.json", "[]");
    const std::vector<std::pair<std::vector<std::string>, std::string>> bad = {
        {{"query", "--kind", "vf", folder / "none.csv"}, "none.csv"},
        {{"query", "--kind", "vf", folder.path().string()}, folder.path().string()},
        {{"query", "--kind", "vf", garbage}, "garbage.csv"},
        {{"query", "--kind", "vf", good, cut}, "cut.csv"},
        {{"query", "--kind", "vf", "--truth", short_truth, good}, "short.json"},
        {{"query", "--kind", "vf", "--out", folder / "none/out.csv", good}, "none/out.csv"},
        {{"query", "--kind", "vf", "--json", folder / "none/out.json", good}, "none/out.json"},
        {{"truth", "--kind", "vf", garbage}, "garbage.csv"},
        {{"truth", "--kind", "vf", folder / "none.csv"}, "none.csv"},
        {{"truth", "--data", folder / "none"}, "none"},
        {{"bench", "--data", folder / "none"}, "none"},
        {{"bench", "--csv", folder / "none/t.csv", "--data", folder.path().string()}, ""},
        {{"repro", "--kind", "vf", "--index", "0", garbage}, "garbage.csv"},
        {{"convert", "--kind", "vf", garbage, "--out", folder / "out.csv"}, "garbage.csv"},
        {{"convert", "--kind", "vf", good, "--out", folder / "none/out.csv"}, "none/out.csv"}};
    for (const auto& [arguments, place] : bad) {
        SCOPED_TRACE(arguments[0] + " " + place);
        const ToolOutcome outcome = run_tool(arguments);
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        EXPECT_TRUE(outcome.err.starts_with("graze: error: ")) << outcome.err;
        EXPECT_NE(outcome.err.find(place), std::string::npos) << outcome.err;
    }
}

TEST(CommandLine, AnErrorKeepsOldOutputAndLeavesNothingPartial) {
    const TempFolder folder;
    // The error comes in the second block, when answers have been written already.
    const std::string file = folder.write("q.csv", random_csv(20250109, 1100) + "1,2,3\n");
    folder.write("out.csv", "old");
    for (const char* command : {"query", "truth"}) {
        const ToolOutcome outcome = run_tool({command, "--kind", "vf", "--out", folder / "out.csv",
                                              "--json", folder / "out.json", file});
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_EQ(read_file(folder / "out.csv"), "old");
        EXPECT_EQ(folder.files(), (std::vector<std::string>{"out.csv", "q.csv"}));
    }
}

// Until there is the file that the tool is about to write, for a minute at most.
void wait_for_partial_file(const TempFolder& folder) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (folder.files().size() < 2 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

TEST(CommandLine, AnInterruptEndsTheToolWithoutPartialFiles) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        SCOPED_TRACE(signal);
        const TempFolder folder;
        const std::string file = folder.write("q.csv", random_csv(20250110, 15'000));
        std::vector<std::string> arguments = {
            "query", "--kind", "vf", "--method", "oracle", "--out", folder / "out.csv"};
        // Hours of work: the tool cannot finish before the signal.
        arguments.insert(arguments.end(), 2'000, file);
        const pid_t tool = start_tool(arguments);
        wait_for_partial_file(folder);
        kill(tool, signal);
        EXPECT_EQ(wait_for_tool(tool).signal, signal);
        EXPECT_EQ(folder.files(), std::vector<std::string>{"q.csv"});
    }
}

// The shell of a terminal that goes away sends it, and then the kernel.
TEST(CommandLine, HangupsOnlyAskToStopHoweverManyThereAre) {
    for (int i = 0; i < 5; ++i) {
        const TempFolder folder;
        const pid_t tool = start_tool({"self-check", "--count", "1000000", "--seed", "1000",
                                       "--json", folder / "out.json", "--threads", "1"},
                                      folder / "out");
        wait_for_partial_file(folder);
        for (int k = 0; k < 3; ++k)
            kill(tool, SIGHUP);
        EXPECT_EQ(wait_for_tool(tool).signal, SIGHUP);
        EXPECT_NE(read_file(folder / "out").find("to go on: --seed "), std::string::npos);
    }
}

TEST(CommandLine, AHangupThatIsIgnoredAsUnderNohupStopsNothing) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", random_csv(20250110, 1500));
    std::vector<std::string> arguments = {"query", "--kind",          "vf", "--method", "oracle",
                                          "--out", folder / "out.csv"};
    arguments.insert(arguments.end(), 4, file);
    const pid_t tool = start_tool_under_nohup(arguments);
    wait_for_partial_file(folder);
    kill(tool, SIGHUP);
    EXPECT_EQ(wait_for_tool(tool).exit_code, 0);
    EXPECT_EQ(folder.files(), (std::vector<std::string>{"out.csv", "q.csv"}));
    EXPECT_EQ(lines_of(read_file(folder / "out.csv")).size(), 6001U);
}

// The first signal asks, the second kills: at once, and without leaving anything either.
TEST(CommandLine, ASecondInterruptLeavesNoPartialFilesEither) {
    for (int i = 0; i < 5; ++i) {
        const TempFolder folder;
        const pid_t tool = start_tool(
            {"self-check", "--count", "1000000", "--json", folder / "out.json", "--threads", "1"});
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (folder.files().empty() && std::chrono::steady_clock::now() < deadline) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        kill(tool, SIGINT);
        kill(tool, SIGTERM);
        kill(tool, SIGINT);
        EXPECT_NE(wait_for_tool(tool).signal, 0);
        for (const std::string& file : folder.files())
            EXPECT_EQ(file.find(".part"), std::string::npos) << file;
    }
}

TEST(CommandLine, AnInterruptedSelfCheckSaysHowToGoOn) {
    const TempFolder folder;
    const pid_t tool = start_tool(
        {"self-check", "--count", "1000000", "--seed", "1000", "--json", folder / "out.json"},
        folder / "out");
    wait_for_partial_file(folder);
    kill(tool, SIGINT);
    EXPECT_EQ(wait_for_tool(tool).signal, SIGINT);
    const std::string out = read_file(folder / "out");
    const std::size_t at = out.find("interrupted after ");
    ASSERT_NE(at, std::string::npos) << out;
    const std::uint64_t done = std::stoull(out.substr(at + 18));
    EXPECT_NE(out.find("to go on: --seed " + std::to_string(1000 + done) + " --count " +
                       std::to_string(1'000'000 - done) + "\n"),
              std::string::npos)
        << out;
}

TEST(CommandLine, JsonGoesToAFileBesideTheTextForPeople) {
    const TempFolder folder;
    const ToolOutcome outcome = run_tool({"methods", "--json", folder / "m.json"});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out, "");
    EXPECT_TRUE(nlohmann::json::parse(read_file(folder / "m.json")).contains("build"));
}

}  // namespace
}  // namespace graze::test
