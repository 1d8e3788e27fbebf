// That the written tests compile and pass is shown by building them: see CMakeLists.txt.
#include <gtest/gtest.h>

#include "apps/tool_runner.hpp"

namespace graze::test {
namespace {

TEST(ReproCommand, WritesTheQueryInHexFloatsWithItsExactTruth) {
    const TempFolder folder;
    const std::string file =
        folder.write("q.csv", csv_of(stopping_vertex()) + csv_of(falling_vertex()));
    const ToolOutcome outcome = run_tool({"repro", "--kind", "vf", "--index", "1", "--method",
                                          "box-separation", "--name", "falls through", file});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    for (const char* part :
         {"FallsThrough", "{0x1p-2, 0x1p-2, -0x1p+0}", "kFirstTimeLower = 0x1p-1;",
          "registry.find(\"box-separation\")", "number 1 of q.csv"}) {
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
    }
    EXPECT_EQ(outcome.out.find(folder.path().string()), std::string::npos);
}

TEST(ReproCommand, NamesTheFileInAFolderByQueryAndWords) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const auto json = run_tool_for_json({"repro", "--kind", "vf", "--index", "0", "--name",
                                         "Falls through!", "--out", folder.path().string(), file});
    const std::string id = json["id"];
    EXPECT_EQ(id.size(), 8U);
    EXPECT_EQ(json["out"], folder / (id + "_falls_through.cpp"));
    EXPECT_EQ(read_file(json["out"].get<std::string>()), json["source"]);
    EXPECT_EQ(json["exact_verdict"], "contact");
}

TEST(ReproCommand, SaysHowManyQueriesThereAreWhenTheIndexIsTooLarge) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", csv_of(falling_vertex()));
    const ToolOutcome outcome = run_tool({"repro", "--kind", "vf", "--index", "1", file});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("there is no query 1: it holds 1"), std::string::npos);
}

// The first block is whole; what is wrong comes after it.
TEST(ReproCommand, SeesDamageBehindTheQuery) {
    const TempFolder folder;
    const std::string file = folder.write("q.csv", random_csv(20250112, 1100) + "1,2,3\n");
    const ToolOutcome outcome = run_tool({"repro", "--kind", "vf", "--index", "0", file});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("q.csv"), std::string::npos);
}

}  // namespace
}  // namespace graze::test
