#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "apps/html_checks.hpp"
#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

TEST(BenchCommand, TakesTolerancesFromBoundsOfEachGroup) {
    const auto bench = [](const char* bound) {
        return run_tool_for_json({"bench", "--quick", "--methods", "safe-cubic,tight-inclusion",
                                  "--bound", bound, "--budget", "0.05"});
    };
    for (const char* bound : {"pair", "scene"}) {
        const auto json = bench(bound);
        EXPECT_EQ(json["bound"], bound);
        for (const auto& row : json["rows"]) {
            if (row["false_negatives"].is_null()) continue;
            EXPECT_EQ(row["false_negatives"], 0);
        }
    }
    EXPECT_EQ(run_tool({"bench", "--methods", "certified", "--bound", "scene"}).exit_code, 2);
    EXPECT_EQ(
        run_tool({"bench", "--experiment", "claims", "--methods", "safe-cubic", "--bound", "scene"})
            .exit_code,
        2);
}

TEST(BenchCommand, ComparesMethodsByGroupAndKind) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv",
                 csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), false));
    const auto json = run_tool_for_json(
        {"bench", "--methods", "box-separation,oracle", "--data", folder / "mine"});
    ASSERT_EQ(json["rows"].size(), 2U);
    const auto& box = json["rows"][0];
    EXPECT_EQ(box["method"], "box-separation");
    EXPECT_EQ(box["group"], "mine");
    EXPECT_EQ(box["kind"], "vf");
    EXPECT_EQ(box["queries"], 2);
    EXPECT_EQ(box["hits"], 1);
    EXPECT_EQ(box["unresolved"], 1);
    EXPECT_EQ(box["false_positives"], 0);
    EXPECT_EQ(json["rows"][1]["contacts"], 1);
    EXPECT_TRUE(json["build"].contains("compiler"));
}

TEST(BenchCommand, HashesAreTheSameForEveryRepetitionAndNumberOfThreads) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", random_csv(20250105, 600));
    const auto hash = [&](const std::vector<std::string>& extra) {
        std::vector<std::string> arguments = {"bench", "--methods", "oracle", "--data",
                                              folder / "mine"};
        arguments.insert(arguments.end(), extra.begin(), extra.end());
        const auto methods = run_tool_for_json(arguments)["methods"];
        EXPECT_EQ(methods[0]["unsteady"], 0);
        return methods[0]["result_hash"].get<std::string>();
    };
    const std::string expected = hash({});
    EXPECT_EQ(expected.size(), 16U);
    EXPECT_EQ(hash({"--threads", "2"}), expected);
    EXPECT_EQ(hash({"--repeat", "2"}), expected);
    EXPECT_NE(hash({"--quick"}), expected);
}

TEST(BenchCommand, ChecksTimesAgainstTheExactOnesThatTheBinaryFormCarries) {
    const TempFolder folder;
    const std::string csv = folder.write("q.csv", csv_of(falling_vertex()));
    fs::create_directories(folder.path() / "mine/scene/vertex-face");
    ASSERT_EQ(run_tool({"convert", "--kind", "vf", "--with-truth", csv, "--out",
                        folder / "mine/scene/vertex-face/q.gzq"})
                  .exit_code,
              0);
    const auto json =
        run_tool_for_json({"bench", "--methods", "oracle", "--data", folder / "mine"});
    EXPECT_EQ(json["rows"][0]["toi_errors"], 0);
    EXPECT_EQ(json["rows"][0]["false_negatives"], 0);
}

TEST(BenchCommand, KeepsEveryAnswerAndTheTable) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", csv_of(falling_vertex(), true));
    const ToolOutcome outcome = run_tool({"bench", "--methods", "oracle", "--data", folder / "mine",
                                          "--raw", folder / "raw", "--csv", folder / "table.csv"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto files = folder.files();
    const auto raw = std::find_if(files.begin(), files.end(), [](const std::string& name) {
        return name.starts_with("raw/oracle/");
    });
    ASSERT_NE(raw, files.end());
    const auto lines = lines_of(read_file(folder / *raw));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], "index,verdict,toi_lower,toi_upper,checks,ns,heap_bytes");
    EXPECT_TRUE(lines[1].starts_with("0,contact,0.5,0.5,1,"));
    EXPECT_TRUE(fs::exists(folder / "raw/build.json"));
    EXPECT_EQ(lines_of(read_file(folder / "table.csv")).size(), 2U);
}

// The method of boxes is unresolved where the boxes meet: positive for the first, negative for the
// second.
TEST(BenchCommand, TellsTimesOfPositiveAndNegativeAnswersApart) {
    const TempFolder folder;
    Query64 apart = stopping_vertex();
    apart.end[0] = apart.start[0];
    folder.write("mine/scene/vertex-face/a.csv",
                 csv_of(falling_vertex(), true) + csv_of(apart, false) + csv_of(apart, false));
    const auto json =
        run_tool_for_json({"bench", "--methods", "box-separation", "--data", folder / "mine"});
    const auto& row = json["rows"][0];
    EXPECT_EQ(row["positive"]["queries"], 1);
    EXPECT_EQ(row["negative"]["queries"], 2);
    const auto& bounds = json["histogram_bounds_ns"];
    for (const char* answers : {"positive", "negative"}) {
        const auto& times = row[answers];
        const auto& histogram = times["histogram"];
        ASSERT_EQ(histogram.size(), bounds.size());
        int sum = 0;
        for (const auto& count : histogram)
            sum += count.get<int>();
        EXPECT_EQ(sum, times["queries"]);
        EXPECT_LE(times["ns_median"], times["ns_p99"]);
        EXPECT_LE(times["ns_p99"], times["ns_p999"]);
        EXPECT_LE(times["ns_p999"], times["ns_max"]);
        EXPECT_LE(times["ns_mean"], times["ns_max"]);
    }
    const ToolOutcome outcome =
        run_tool({"bench", "--methods", "box-separation", "--data", folder / "mine"});
    EXPECT_NE(outcome.out.find("times of positive (contact, unresolved) and negative (separated)"),
              std::string::npos);
}

// The oracle counts one check a query, so a budget of one is spent by every contact; its contacts
// are exact, and nothing else has a tolerance.
TEST(BenchCommand, SaysHowManyQueriesAreOverBudgetAndHowFarTheToleranceWent) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv",
                 csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), false));
    const auto row_of = [&](const char* method, const char* max_checks) {
        return run_tool_for_json({"bench", "--methods", method, "--data", folder / "mine",
                                  "--max-checks", max_checks})["rows"][0];
    };
    EXPECT_EQ(row_of("oracle", "1")["over_budget"], 1);
    EXPECT_EQ(row_of("oracle", "1")["over_budget_share"], 0.5);
    EXPECT_EQ(row_of("oracle", "2")["over_budget"], 0);
    EXPECT_EQ(row_of("oracle", "1")["max_tolerance"], 0.0);
    EXPECT_TRUE(row_of("box-separation", "1")["max_tolerance"].is_null());
}

TEST(BenchCommand, NewColumnsOfTheTableComeLast) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", csv_of(falling_vertex(), true));
    const ToolOutcome outcome = run_tool(
        {"bench", "--methods", "oracle", "--data", folder / "mine", "--csv", folder / "t.csv"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto lines = lines_of(read_file(folder / "t.csv"));
    EXPECT_EQ(lines[0],
              "method,group,kind,queries,hits,contacts,separated,unresolved,false_positives,"
              "false_negatives,toi_errors,checks,ns_per_query,ns_median,ns_p99,ns_max,"
              "version,compiler,flags,build_type,cpu,cores,os,"
              "over_budget,over_budget_share,max_tolerance,"
              "positive_queries,positive_ns_mean,positive_ns_median,positive_ns_p99,"
              "positive_ns_p999,positive_ns_max,"
              "negative_queries,negative_ns_mean,negative_ns_median,negative_ns_p99,"
              "negative_ns_p999,negative_ns_max,"
              "group_queries,stride,complete,ns_p999,heap_bytes_max,toi_lag_median,toi_lag_max,"
              "toi_lead_median,toi_lead_max,toi_late_max");
    EXPECT_NE(lines[1].find(",0,,,,,,1,1,1,"), std::string::npos) << lines[1];
    // Neither the heap of GMP nor an exact time is known.
    EXPECT_TRUE(lines[1].ends_with(",,,,,,")) << lines[1];
}

// Stored truths say whether the primitives touch: with a separation they answer another question.
TEST(BenchCommand, DoesNotCompareStoredTruthsWithASeparation) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv",
                 csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), false));
    for (const char* norm : {"max", "euclidean"}) {
        const auto json =
            run_tool_for_json({"bench", "--methods", "oracle", "--data", folder / "mine",
                               "--min-separation", "0.5", "--norm", norm});
        EXPECT_EQ(json["min_separation"], 0.5);
        EXPECT_EQ(json["norm"], norm);
        const auto& row = json["rows"][0];
        EXPECT_EQ(row["contacts"], 2);
        for (const char* count : {"hits", "false_positives", "false_negatives", "toi_errors"})
            EXPECT_TRUE(row[count].is_null()) << count;
    }
}

TEST(BenchCommand, RefusesToKeepTwoSetsUnderOneName) {
    const TempFolder folder;
    for (const char* place : {"old", "new"}) {
        folder.write(std::string(place) + "/mine/scene/vertex-face/a.csv",
                     csv_of(falling_vertex(), true));
    }
    std::vector<std::string> arguments = {
        "bench",  "--methods",        "oracle", "--data", folder / "old/mine",
        "--data", folder / "new/mine"};
    EXPECT_EQ(run_tool_for_json(arguments)["rows"][0]["queries"], 2);
    arguments.insert(arguments.end(), {"--raw", folder / "raw"});
    const ToolOutcome outcome = run_tool(arguments);
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("would both be"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(folder / "raw"));
}

// A list of no pairs is a set of no queries.
TEST(BenchCommand, ARunOverNothingIsAnErrorHereAndInTruth) {
    const TempFolder folder;
    const std::string mesh =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\n"
        "property double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    folder.write("mine/scene/frames/0.ply", mesh);
    folder.write("mine/scene/frames/1.ply", mesh);
    folder.write("mine/scene/boxes/0vf.json", "[]");
    for (const char* command : {"bench", "truth"}) {
        const ToolOutcome outcome = run_tool({command, "--data", folder / "mine", "--json", "-"});
        EXPECT_EQ(outcome.exit_code, 1) << command;
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
        EXPECT_TRUE(outcome.err.find("no query") != std::string::npos) << outcome.err;
    }
}

TEST(BenchCommand, EveryMethodKeepsItsWordOnTheEmbeddedQueries) {
    const auto declared = run_tool_for_json({"methods"})["methods"];
    const auto rows = run_tool_for_json({"bench"})["rows"];
    EXPECT_GE(rows.size(), 4 * declared.size());
    for (const auto& row : rows) {
        SCOPED_TRACE(row.dump());
        const auto method = std::find_if(declared.begin(), declared.end(), [&](const auto& entry) {
            return entry["name"] == row["method"];
        });
        ASSERT_NE(method, declared.end());
        const auto& guarantee = (*method)["guarantee"];
        if (guarantee["no_false_negatives"] == true) {
            EXPECT_EQ(row["false_negatives"], 0);
        }
        if (guarantee["proved_toi_lower"] == true && guarantee["proved_toi_upper"] == true) {
            EXPECT_EQ(row["toi_errors"], 0);
        }
    }
}

// The exact time is 1/2 and stored. The oracle knows it, bisection stops just before it, boxes know
// nothing of times.
TEST(BenchCommand, SaysHowFarTimesAreFromTheExactOne) {
    const TempFolder folder;
    const std::string csv = folder.write("q.csv", csv_of(falling_vertex()));
    fs::create_directories(folder.path() / "mine/scene/vertex-face");
    ASSERT_EQ(run_tool({"convert", "--kind", "vf", "--with-truth", csv, "--out",
                        folder / "mine/scene/vertex-face/q.gzq"})
                  .exit_code,
              0);
    const auto rows =
        run_tool_for_json({"bench", "--methods", "oracle,interval-univariate,box-separation",
                           "--data", folder / "mine"})["rows"];
    EXPECT_EQ(rows[0]["toi_lag"]["max"], 0.0);
    EXPECT_EQ(rows[0]["toi_lead"]["max"], 0.0);
    EXPECT_GT(rows[1]["toi_lag"]["max"], 0.0);
    EXPECT_LT(rows[1]["toi_lag"]["max"], 1e-5);
    EXPECT_EQ(rows[2]["toi_lag"]["queries"], 0);
    EXPECT_TRUE(rows[2]["toi_lag"]["max"].is_null());
}

// Boxes take no memory; the bisection keeps a list, from 64 checks on at the latest.
TEST(BenchCommand, CountsTheHeapOfAQuery) {
#ifdef GRAZE_SANITIZE_ADDRESS
    GTEST_SKIP() << "the sanitizer takes operator new for itself";
#endif
    const auto rows = run_tool_for_json(
        {"bench", "--quick", "--methods", "box-separation,tight-inclusion,oracle"})["rows"];
    std::uint64_t largest = 0;
    for (const auto& row : rows) {
        if (row["method"] == "box-separation") {
            EXPECT_EQ(row["heap_bytes_max"], 0);
        }
        if (row["method"] == "oracle") {
            EXPECT_TRUE(row["heap_bytes_max"].is_null());
        }
        if (row["method"] == "tight-inclusion")
            largest = std::max(largest, row["heap_bytes_max"].get<std::uint64_t>());
    }
    EXPECT_GT(largest, 1'000'000U);
}

TEST(BenchCommand, AStrideAsksEveryNthQueryOfAGroupWhateverItsSets) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", random_csv(20250120, 5));
    folder.write("mine/scene/vertex-face/b.csv", random_csv(20250121, 5));
    const auto json =
        run_tool_for_json({"bench", "--methods", "box-separation", "--data", folder / "mine",
                           "--stride", "4", "--raw", folder / "raw"});
    const auto& row = json["rows"][0];
    EXPECT_EQ(row["queries"], 3);
    EXPECT_EQ(row["group_queries"], 10);
    EXPECT_EQ(row["stride"], 4);
    EXPECT_EQ(json["complete"], true);
    // Queries 0, 4 and 8 of the group: 0 and 4 of the first set, 3 of the second.
    std::vector<std::string> starts;
    for (const std::string& file : folder.files()) {
        if (!file.starts_with("raw/box-separation/")) continue;
        for (const std::string& line : lines_of(read_file(folder / file)))
            starts.push_back(line.substr(0, line.find(',')));
    }
    EXPECT_EQ(starts, (std::vector<std::string>{"index", "0", "4", "index", "3"}));
}

// A budget of next to nothing leaves one query a method, and says so.
TEST(BenchCommand, ABudgetLeavesAnEvenSampleAndStatesItsStride) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", random_csv(20250122, 100));
    const std::vector<std::string> arguments = {
        "bench", "--methods", "box-separation", "--data", folder / "mine", "--budget", "1e-12"};
    const auto json = run_tool_for_json(arguments);
    EXPECT_EQ(json["rows"][0]["queries"], 1);
    EXPECT_EQ(json["rows"][0]["stride"], 128);
    EXPECT_EQ(json["rows"][0]["complete"], true);
    EXPECT_EQ(json["methods"][0]["is_sample"], true);
    EXPECT_NE(run_tool(arguments).out.find(" 128 "), std::string::npos);
    EXPECT_EQ(run_tool_for_json({"bench", "--methods", "box-separation", "--data", folder / "mine",
                                 "--budget", "0"})["rows"][0]["queries"],
              100);
}

TEST(BenchCommand, RefusesAWrongBudgetOrStride) {
    for (const auto& wrong :
         std::vector<std::vector<std::string>>{{"--budget", "-1"},
                                               {"--budget", "nan"},
                                               {"--budget", "soon"},
                                               {"--stride", "0"},
                                               {"--stride", "2", "--budget", "1"}}) {
        std::vector<std::string> arguments = {"bench", "--methods", "box-separation"};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const ToolOutcome outcome = run_tool(arguments);
        EXPECT_EQ(outcome.exit_code, 2) << wrong[1];
        EXPECT_EQ(lines_of(outcome.err).size(), 1U) << outcome.err;
    }
}

TEST(BenchCommand, RawAnswersDoNotStayWhereALaterOutputFails) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", random_csv(20250124, 20));
    const ToolOutcome outcome =
        run_tool({"bench", "--methods", "box-separation", "--data", folder / "mine", "--raw",
                  folder / "raw", "--csv", folder / "table.csv", "--json", "/dev/full"});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(folder.files(), std::vector<std::string>{"mine/scene/vertex-face/a.csv"});
}

TEST(BenchCommand, AnInterruptKeepsAndMarksWhatWasMeasured) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", random_csv(20250123, 400));
    // A thousand repetitions of 400 queries to the oracle take minutes, the first method does not.
    const pid_t tool =
        start_tool({"bench", "--methods", "box-separation,oracle", "--repeat", "1000", "--budget",
                    "0", "--data", folder / "mine", "--raw", folder / "raw", "--json",
                    folder / "out.json", "--html", folder / "out.html"},
                   folder / "out");
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!fs::exists(folder / "raw/box-separation") &&
           std::chrono::steady_clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(tool, SIGINT);
    EXPECT_EQ(wait_for_tool(tool).signal, SIGINT);
    const auto json = nlohmann::json::parse(read_file(folder / "out.json"), nullptr, false);
    ASSERT_TRUE(json.is_object());
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["rows"][0]["queries"], 400);
    EXPECT_EQ(json["rows"][0]["complete"], true);
    for (std::size_t i = 1; i < json["rows"].size(); ++i) {
        EXPECT_EQ(json["rows"][i]["complete"], false);
        EXPECT_LT(json["rows"][i]["queries"], 400);
    }
    EXPECT_NE(read_file(folder / "out").find("INTERRUPTED"), std::string::npos);
    EXPECT_NE(read_file(folder / "out.html").find("Interrupted"), std::string::npos);
}

TEST(BenchCommand, TheTableFitsIn120Columns) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv", random_csv(20250106, 50));
    const ToolOutcome outcome =
        run_tool({"bench", "--methods", "box-separation,oracle", "--data", folder / "mine"});
    ASSERT_EQ(outcome.exit_code, 0);
    for (const std::string& line : lines_of(outcome.out))
        EXPECT_LE(line.size(), 120U) << line;
}

TEST(BenchCommand, EndsWithWhatItComesTo) {
    const TempFolder folder;
    folder.write("mine/scene/vertex-face/a.csv",
                 csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), false));
    const ToolOutcome outcome =
        run_tool({"bench", "--methods", "certified,oracle", "--data", folder / "mine"});
    ASSERT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(lines_of(outcome.out).back(),
              "certified: 0 wrong of 2 queries; 1 other method: 1 makes no mistake");
    for (const char* column : {"\nevery  ", "\ntoi!  ", "\nover  "})
        EXPECT_NE(outcome.out.find(column), std::string::npos) << column;
}

TEST(BenchCommand, ThePageShowsEveryMethodAndLoadsNothing) {
    const TempFolder folder;
    const ToolOutcome outcome = run_tool({"bench", "--quick", "--html", folder / "bench.html"});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string page = read_file(folder / "bench.html");
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    for (const char* part :
         {"certified: 0 wrong of ", "mean time", "href=\"#group-degenerate\"",
          "id=\"group-degenerate\"", "box-separation", "oracle", "degenerate",
          "vertex-face:", "graze bench --quick", "<svg", "class=\"pos\"", "class=\"neg\""}) {
        EXPECT_NE(page.find(part), std::string::npos) << part;
    }
    EXPECT_EQ(nesting_error(page), "");
    EXPECT_EQ(loader_in(page), "");
}

}  // namespace
}  // namespace graze::test
