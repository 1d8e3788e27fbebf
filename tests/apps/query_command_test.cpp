#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

TEST(QueryCommand, SummaryHasEveryFieldOfTheContract) {
    const TempFolder folder;
    const std::string file =
        folder.write("q.csv", csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), false));
    const auto json = run_tool_for_json({"query", "--kind", "vf", "--method", "oracle", file});
    EXPECT_EQ(json["method"], "oracle");
    EXPECT_EQ(json["kind"], "vf");
    EXPECT_EQ(json["queries"], 2);
    EXPECT_EQ(json["contacts"], 1);
    EXPECT_EQ(json["separated"], 1);
    EXPECT_EQ(json["unresolved"], 0);
    EXPECT_EQ(json["false_positives"], 0);
    EXPECT_EQ(json["false_negatives"], 0);
    for (const char* field : {"ns_per_query", "ns_median", "ns_p99", "ns_max", "clock_ns"}) {
        EXPECT_TRUE(json[field].is_number()) << field;
    }
    for (const char* field : {"version", "compiler", "flags", "build_type", "cpu", "cores", "os"}) {
        EXPECT_TRUE(json["build"].contains(field)) << field;
    }
    EXPECT_EQ(json["threads"], 1);
}

TEST(QueryCommand, TakesTolerancesFromBoundsOfAllFiles) {
    const TempFolder folder;
    const std::string file =
        folder.write("q.csv", csv_of(falling_vertex(), true) + csv_of(stopping_vertex(), false));
    for (const char* method : {"safe-cubic", "tight-inclusion", "tight-inclusion-paper"}) {
        for (const char* bound : {"query", "pair", "scene", "0.001"}) {
            const auto json = run_tool_for_json(
                {"query", "--kind", "vf", "--method", method, "--bound", bound, file});
            EXPECT_EQ(json["false_negatives"], 0) << method << bound;
            EXPECT_EQ(json.contains("bound"), std::string(bound) != "query");
        }
    }
    // It passes the face in a distance of 0.18; the tolerance is half a percent of B.
    Query64 beside = falling_vertex();
    beside.start[0] = {40, 40, 64};
    beside.end[0] = {40, 40, -64};
    const std::string near = folder.write("near.csv", csv_of(beside, false));
    const auto contacts = [&](const char* bound) {
        return run_tool_for_json({"query", "--kind", "vf", "--method", "safe-cubic", "--bound",
                                  bound, near})["contacts"];
    };
    EXPECT_EQ(contacts("scene"), 0);
    EXPECT_EQ(contacts("1000"), 1);
    EXPECT_EQ(run_tool({"query", "--kind", "vf", "--bound", "scene", file}).exit_code, 2);
}

TEST(QueryCommand, SaysThatItWasBuiltWithoutADevice) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"query", "--kind", "vf", "--device", "cuda", file},
          {"verify", "--count", "3", "--methods", "certified", "--device", "cuda"},
          {"bench", "--quick", "--methods", "certified", "--device", "cuda"}}) {
        const ToolOutcome outcome = run_tool(command);
        EXPECT_EQ(outcome.exit_code, 1) << command[0];
        EXPECT_NE(outcome.err.find("--device cuda"), std::string::npos) << outcome.err;
        EXPECT_EQ(outcome.out, "");
    }
    EXPECT_EQ(run_tool({"query", "--kind", "vf", "--device", "gpu", file}).exit_code, 2);
    EXPECT_EQ(run_tool({"query", "--kind", "vf", "--device", "cpu", file}).exit_code, 0);
}

TEST(QueryCommand, SaysHowManyThreadsAllCoresAre) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    EXPECT_GE(run_tool_for_json({"query", "--kind", "vf", "--threads", "0", file})["threads"], 1);
}

TEST(QueryCommand, WritesTheAnswersInTheColumnsOfTheContract) {
    const TempFolder folder;
    const std::string hit = folder.write("hit.csv", csv_of(falling_vertex()));
    const std::string miss = folder.write("miss.csv", csv_of(stopping_vertex()));
    const ToolOutcome outcome = run_tool({"query", "--kind", "vf", "--method", "oracle", "--out",
                                          folder / "out.csv", hit, miss, hit});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(read_file(folder / "out.csv"),
              "index,verdict,toi_lower,toi_upper\n0,contact,0.5,0.5\n1,separated,inf,inf\n"
              "2,contact,0.5,0.5\n");
}

TEST(QueryCommand, CountsUnresolvedAsContactAgainstTheTruth) {
    const TempFolder folder;
    const std::string file =
        folder.write("q.csv", csv_of(falling_vertex(), false) + csv_of(stopping_vertex(), true));
    const auto json =
        run_tool_for_json({"query", "--kind", "vf", "--method", "box-separation", file});
    EXPECT_EQ(json["unresolved"], 1);
    EXPECT_EQ(json["false_positives"], 1);
    EXPECT_EQ(json["false_negatives"], 1);
}

TEST(QueryCommand, WithoutTruthTheFalseFieldsAreNull) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const auto json = run_tool_for_json({"query", "--kind", "vf", file});
    EXPECT_TRUE(json["false_positives"].is_null());
    EXPECT_TRUE(json["false_negatives"].is_null());
}

TEST(QueryCommand, AnEmptyFileIsAnswersToNothing) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", "");
    const ToolOutcome outcome = run_tool({"query", "--kind", "vf", "--json", "-", file});
    if (outcome.exit_code == 0) {
        const auto json = nlohmann::json::parse(outcome.out);
        EXPECT_EQ(json["queries"], 0);
        EXPECT_TRUE(json["ns_per_query"].is_null());
    } else {
        EXPECT_EQ(outcome.exit_code, 1);
        EXPECT_EQ(lines_of(outcome.err).size(), 1U);
    }
}

TEST(QueryCommand, TakesOneTruthFilePerQueryFile) {
    const TempFolder folder;
    const std::string a = folder.write("a.csv", csv_of(falling_vertex()));
    const std::string b = folder.write("b.csv", csv_of(stopping_vertex()));
    const std::string yes = folder.write("a.json", "[true]");
    const std::string no = folder.write("b.json", "[true]");
    const auto json = run_tool_for_json(
        {"query", "--kind", "vf", "--method", "oracle", "--truth", yes, a, "--truth", no, b});
    EXPECT_EQ(json["false_positives"], 0);
    EXPECT_EQ(json["false_negatives"], 1);
}

TEST(QueryCommand, StoredTruthIsNotComparedWithAnotherQuestion) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(stopping_vertex(), false));
    const auto json = run_tool_for_json(
        {"query", "--kind", "vf", "--method", "oracle", "--min-separation", "0.5", file});
    EXPECT_EQ(json["contacts"], 1);
    EXPECT_TRUE(json["false_positives"].is_null());
}

TEST(QueryCommand, TruthNamedByTheUserIsComparedWithTheQuestionAsked) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(stopping_vertex()));
    const std::string truth = folder.write("t.json", "[false]");
    const auto json = run_tool_for_json({"query", "--kind", "vf", "--method", "oracle",
                                         "--min-separation", "0.5", "--truth", truth, file});
    EXPECT_EQ(json["false_positives"], 1);
    EXPECT_EQ(json["false_negatives"], 0);
}

TEST(QueryCommand, HonoursTMaxAndCountsContactAtIt) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const auto contacts = [&](const std::string& t_max) {
        return run_tool_for_json(
            {"query", "--kind", "vf", "--method", "oracle", "--t-max", t_max, file})["contacts"];
    };
    EXPECT_EQ(contacts("0.5"), 1);
    EXPECT_EQ(contacts("0x1.fffffffffffffp-2"), 0);
}

TEST(QueryCommand, PrintedTimesReadBackToDoublesThatBracketTightly) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", random_csv(20250101, 300));
    ASSERT_EQ(
        run_tool({"query", "--kind", "vf", "--method", "oracle", "--out", folder / "out.csv", file})
            .exit_code,
        0);
    int contacts = 0;
    for (const std::string& line : lines_of(read_file(folder / "out.csv"))) {
        if (line.find(",contact,") == std::string::npos) continue;
        ++contacts;
        const std::size_t second = line.rfind(',');
        const std::size_t first = line.rfind(',', second - 1);
        const double lower = std::strtod(line.c_str() + first + 1, nullptr);
        const double upper = std::strtod(line.c_str() + second + 1, nullptr);
        EXPECT_TRUE(lower == upper || std::nextafter(lower, 2.0) == upper) << line;
    }
    EXPECT_GT(contacts, 5);
}

TEST(QueryCommand, AnswersAreTheSameForEveryNumberOfThreads) {
    const TempFolder folder;
    // More than two blocks, so that blocks of different threads meet.
    const std::string file = folder.write("q.csv", random_csv(20250102, 2500));
    for (const char* threads : {"1", "2", "0", "7"}) {
        const ToolOutcome outcome =
            run_tool({"query", "--kind", "vf", "--method", "oracle", "--threads", threads, "--out",
                      folder / (std::string("out") + threads), file});
        ASSERT_EQ(outcome.exit_code, 0);
        EXPECT_EQ(outcome.err, "");
    }
    const std::string expected = read_file(folder / "out1");
    EXPECT_EQ(lines_of(expected).size(), 2501U);
    EXPECT_EQ(read_file(folder / "out2"), expected);
    EXPECT_EQ(read_file(folder / "out0"), expected);
    EXPECT_EQ(read_file(folder / "out7"), expected);
}

TEST(QueryCommand, TheTableForPeopleSaysWhatTheJsonSays) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex(), true));
    const ToolOutcome outcome = run_tool({"query", "--kind", "vf", "--method", "oracle", file});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out.find("1 contact, 0 separated, 0 unresolved"), std::string::npos);
    EXPECT_NE(outcome.out.find("0 false positives, 0 false negatives"), std::string::npos);
}

TEST(QueryCommand, AnswersAllFourKinds) {
    const TempFolder folder;
    const std::vector<Corner64> axis = {{-64, 0, 0}, {64, 0, 0}};
    const Query64 ee = {{{-64, 0, 64}, {64, 0, 64}, {0, -64, 0}, {0, 64, 0}},
                        {{-64, 0, -64}, {64, 0, -64}, {0, -64, 0}, {0, 64, 0}}};
    const Query64 vv = {{{-64, 0, 0}, {64, 0, 0}}, {{64, 0, 0}, {-64, 0, 0}}};
    const Query64 ve = {{{0, 64, 0}, axis[0], axis[1]}, {{0, -64, 0}, axis[0], axis[1]}};
    const std::pair<const char*, Query64> cases[] = {
        {"vf", falling_vertex()}, {"ee", ee}, {"vv", vv}, {"ve", ve}};
    for (const auto& [kind, query] : cases) {
        SCOPED_TRACE(kind);
        const std::string file = folder.write(std::string(kind) + ".csv", csv_of(query));
        ASSERT_EQ(run_tool({"query", "--kind", kind, "--method", "oracle", "--out",
                            folder / "out.csv", file})
                      .exit_code,
                  0);
        EXPECT_EQ(lines_of(read_file(folder / "out.csv"))[1], "0,contact,0.5,0.5");
    }
}

}  // namespace
}  // namespace graze::test
