// `graze verify` from without, over the methods that there are.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

// The report without what differs from run to run.
nlohmann::json report_of(const std::vector<std::string>& arguments) {
    nlohmann::json json = run_tool_for_json(arguments);
    json.erase("build");
    return json;
}

TEST(VerifyCommand, EveryMethodKeepsItsWordOnEveryFamilyAndKind) {
    const auto json = report_of({"verify", "--count", "144", "--max-checks", "1000"});
    EXPECT_EQ(json["queries"], 144);
    EXPECT_EQ(json["next_seed"], 144);
    EXPECT_EQ(json["complete"], true);
    EXPECT_EQ(json["broken"], 0);
    EXPECT_TRUE(json["first_broken"].is_null());
    EXPECT_GE(json["rows"].size(), 4U);
    for (const auto& row : json["rows"]) {
        EXPECT_EQ(row["queries"], 36) << row.dump();
        EXPECT_NE(row["method"], "oracle");
        for (const auto& [promise, count] : row["broken"].items())
            EXPECT_EQ(count, 0) << promise;
    }
}

TEST(VerifyCommand, SaysTheSameForEveryNumberOfThreads) {
    const auto with_threads = [](const char* threads) {
        auto report = report_of({"verify", "--family", "near,static,small-integers", "--count",
                                 "300", "--max-checks", "200", "--threads", threads});
        EXPECT_EQ(report.erase("command"), 1U);
        return report;
    };
    EXPECT_EQ(with_threads("1"), with_threads("3"));
}

// Whatever number a query has, it has it in every run: a run that is taken up asks the same.
TEST(VerifyCommand, AsksAboutTheLeastDistanceOfEachQueryAndItsNeighbours) {
    const auto from = [](const char* seed, const char* count, const char* norm) {
        return report_of({"verify", "--methods", "certified", "--min-separation", "1e-3", "--norm",
                          norm, "--at-least-distance", "--family", "small-integers", "--seed", seed,
                          "--count", count, "--max-checks", "1000"});
    };
    for (const char* norm : {"euclidean", "max"}) {
        const auto whole = from("0", "9", norm);
        EXPECT_EQ(whole["broken"], 0) << whole["first_broken"].dump();
        EXPECT_EQ(whole["options"]["at_least_distance"], true);
        const auto first = from("0", "4", norm);
        const auto rest = from("4", "5", norm);
        for (std::size_t i = 0; i < whole["rows"].size(); ++i) {
            EXPECT_EQ(whole["rows"][i]["contacts"], first["rows"][i]["contacts"].get<int>() +
                                                        rest["rows"][i]["contacts"].get<int>());
        }
    }
    EXPECT_EQ(run_tool({"verify", "--at-least-distance"}).exit_code, 2);
}

// Stored truths are wrong on purpose: they must not be looked at.
TEST(VerifyCommand, TakesItsTruthFromTheOracleAndNotFromTheFile) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv",
                 csv_of(falling_vertex(), false) + csv_of(stopping_vertex(), true));
    folder.write("mine/scene/vertex-face/b.csv", random_csv(20250120, 50));
    const auto contacts = [&](const std::vector<std::string>& extra) {
        std::vector<std::string> arguments = {"verify", "--methods", "box-separation", "--data",
                                              folder / "mine"};
        arguments.insert(arguments.end(), extra.begin(), extra.end());
        const auto row = report_of(arguments)["rows"][0];
        return std::pair(row["queries"].get<int>(), row["contacts"].get<int>());
    };
    EXPECT_EQ(contacts({"--count", "2"}), std::pair(2, 1));
    EXPECT_EQ(contacts({"--count", "2", "--min-separation", "0.5"}), std::pair(2, 2));
    EXPECT_EQ(contacts({"--count", "2", "--min-separation", "0.5", "--scale", "1"}),
              std::pair(2, 1));
    EXPECT_EQ(contacts({"--count", "2", "--t-max", "0.25"}), std::pair(2, 0));
    EXPECT_EQ(contacts({"--seed", "1", "--count", "1"}), std::pair(1, 0));
    EXPECT_EQ(contacts({"--sample", "1", "--shift", "1000"}).first, 2);
    EXPECT_EQ(contacts({}).first, 52);
}

TEST(VerifyCommand, ARunOverNothingIsAnError) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", csv_of(falling_vertex()));
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"verify", "--data", folder / "mine", "--seed", "1"},
          {"verify", "--data", folder / "mine", "--kind", "ee"},
          {"verify", "--data", folder / "none"},
          {"verify", "--repro", folder / "none"}}) {
        const ToolOutcome outcome = run_tool(arguments);
        EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    }
}

// The counts are whole up to the query from which the run is to be taken up.
TEST(VerifyCommand, AnInterruptTellsWhatIsDoneAndWhereToGoOn) {
    const TempFolder folder;
    const pid_t tool =
        start_tool({"verify", "--methods", "box-separation", "--family", "ordinary", "--kind", "vf",
                    "--seed", "1000", "--count", "1000000000", "--json", folder / "out.json"},
                   folder / "out");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (folder.files().size() < 2 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    kill(tool, SIGINT);
    EXPECT_EQ(wait_for_tool(tool).signal, SIGINT);
    const auto json = nlohmann::json::parse(read_file(folder / "out.json"), nullptr, false);
    ASSERT_TRUE(json.is_object());
    const std::uint64_t done = json["queries"];
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["next_seed"], 1000 + done);
    const std::string resume = "--seed " + std::to_string(1000 + done) + " --count " +
                               std::to_string(1'000'000'000 - done) + "\n";
    const std::string out = read_file(folder / "out");
    EXPECT_NE(out.find(resume), std::string::npos) << out;
    if (done == 0) return;
    const auto same =
        report_of({"verify", "--methods", "box-separation", "--family", "ordinary", "--kind", "vf",
                   "--seed", "1000", "--count", std::to_string(done)});
    EXPECT_EQ(same["rows"], json["rows"]);
}

}  // namespace
}  // namespace graze::test
