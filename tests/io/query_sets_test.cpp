#include "graze/io/query_sets.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/files.hpp"

namespace graze::io {
namespace {

using namespace test;

// One line a set: "group/scene kind query-file truth-file frames boxes", names only.
std::vector<std::string> lines_of(const std::vector<QuerySet>& sets) {
    std::vector<std::string> lines;
    for (const QuerySet& set : sets) {
        std::string line = set.group + "/" + set.scene + " " +
                           std::string(short_name(set.source.kind)) + " " +
                           set.source.queries.filename().string();
        if (set.source.truth) line += " " + set.source.truth->filename().string();
        for (const auto& frame : set.source.frames)
            line += " " + frame.filename().string();
        if (set.source.boxes) line += " " + set.source.boxes->filename().string();
        lines.push_back(line);
    }
    return lines;
}
std::vector<std::string> found_in(const std::filesystem::path& folder) {
    const auto sets = find_query_sets(folder);
    return sets ? lines_of(*sets) : std::vector{sets.error().message};
}

const std::string kTooDeep = ": lies more than 8 folders deep, where nothing is searched";

class QuerySets : public ::testing::Test {
protected:
    QuerySets() {
        for (const char* file : {"data/hand/spikes/vertex-face/b.csv",
                                 "data/hand/spikes/vertex-face/a.csv.gz",
                                 "data/hand/spikes/vertex-face/b.csv.gz",
                                 "data/hand/spikes/vertex-face/notes.txt",
                                 "data/hand/spikes/edge-edge/c.gzq",
                                 "data/hand/cracks/vertex-vertex/d.csv",
                                 "data/hand/LICENSE",
                                 "data/sim/rod/queries/12vf.csv",
                                 "data/sim/rod/mma_bool/12vf_mma_bool.json",
                                 "data/sim/rod/boxes/12vf.json",
                                 "data/sim/rod/boxes/12ee.json",
                                 "data/sim/rod/frames/12.ply",
                                 "data/sim/rod/frames/9.ply",
                                 "data/sim/rod/frames/20.ply",
                                 "data/sim/rod/frames/13.ply",
                                 "data/sim/ball/boxes/92ee.json",
                                 "data/sim/ball/mma_bool/92ee_mma_bool.json",
                                 "data/sim/ball/frames/ball92.ply",
                                 "data/sim/ball/frames/ball192.ply",
                                 "data/sim/ball/frames/ball100.ply"}) {
            write_file(folder / file, "");
        }
    }

    // The one message that looking through `in` ends with, or what it finds.
    std::string outcome(const char* in) {
        const auto sets = find_query_sets(folder / in);
        return sets ? std::to_string(sets->size()) + " sets" : sets.error().message;
    }
    std::string at(std::string_view file) const { return (folder / file).string(); }
    void dangle(std::string_view link) const {
        std::filesystem::create_symlink("nowhere", folder / link);
    }

    TempFolder folder;
    std::vector<std::string> hand = {"hand/cracks vv d.csv", "hand/spikes vf a.csv.gz",
                                     "hand/spikes vf b.csv", "hand/spikes ee c.gzq"};
    std::vector<std::string> rod = {"sim/rod vf 12vf.csv 12vf_mma_bool.json",
                                    "sim/rod ee  12.ply 13.ply 12ee.json"};
    std::vector<std::string> ball = {
        "sim/ball ee  92ee_mma_bool.json ball92.ply ball100.ply 92ee.json"};
};

TEST_F(QuerySets, AreFoundInAFolderOfGroupsInSortedOrder) {
    std::vector<std::string> all = hand;
    all.insert(all.end(), ball.begin(), ball.end());
    all.insert(all.end(), rod.begin(), rod.end());
    EXPECT_EQ(found_in(folder / "data"), all);
    EXPECT_EQ(found_in(folder.path()), all);
}

TEST_F(QuerySets, AreFoundInAGroupAndInAScene) {
    EXPECT_EQ(found_in(folder / "data/hand"), hand);
    EXPECT_EQ(found_in(folder / "data/hand/"), hand);
    EXPECT_EQ(found_in(folder / "data/sim/../hand/."), hand);
    EXPECT_EQ(found_in(folder / "data/sim/rod"), rod);
    EXPECT_EQ(found_in(folder / "data/sim/rod/"), rod);
}

TEST_F(QuerySets, KeepThePathAsItWasGiven) {
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(folder / "data");
    const auto sets = find_query_sets("hand");
    const auto here = found_in(".");
    std::filesystem::current_path(folder / "data/sim/rod");
    const auto scene = found_in(".");
    std::filesystem::current_path(before);
    ASSERT_TRUE(sets.has_value());
    EXPECT_EQ(sets->front().source.queries, "hand/cracks/vertex-vertex/d.csv");
    EXPECT_EQ(here.size(), 7u);
    EXPECT_EQ(scene, rod);
}

TEST_F(QuerySets, AreAnErrorWhereThereAreNone) {
    std::filesystem::create_directories(folder / "empty");
    EXPECT_EQ(find_query_sets(folder / "empty").error().message,
              (folder / "empty").string() + ": holds no query set");
    EXPECT_EQ(find_query_sets(folder / "none").error().message,
              (folder / "none").string() + ": cannot be read: No such file or directory");
    EXPECT_EQ(find_query_sets(folder / "data/hand/LICENSE").error().message,
              (folder / "data/hand/LICENSE").string() + ": is not a folder");
}

TEST_F(QuerySets, AreAnErrorWhereAFrameIsMissing) {
    std::filesystem::remove(folder / "data/sim/rod/frames/13.ply");
    std::filesystem::remove(folder / "data/sim/rod/frames/20.ply");
    EXPECT_EQ(found_in(folder / "data/sim").front(),
              (folder / "data/sim/rod/boxes/12ee.json").string() +
                  ": there is no frame 12 with a next one in " +
                  (folder / "data/sim/rod/frames").string());
}

TEST_F(QuerySets, AreAnErrorWhereAnEntryCannotBeLookedAt) {
    for (const char* link :
         {"data/hand/spikes/vertex-face/y.csv", "data/hand/LICENCE", "data/sim/rod/frames/14.ply",
          "data/sim/rod/queries/13vf.csv", "data/sim/rod/boxes/13vf.json", "data/sim/stick"}) {
        dangle(link);
        EXPECT_EQ(outcome("data"), at(link) + ": cannot be looked at: No such file or directory");
        std::filesystem::remove(folder / link);
    }
    EXPECT_EQ(outcome("data"), "7 sets");
}

TEST_F(QuerySets, AreAnErrorWhereAnEntryIsNeitherAFileNorAFolder) {
    ASSERT_EQ(mkfifo(at("data/hand/spikes/vertex-face/z.csv").c_str(), 0600), 0);
    EXPECT_EQ(outcome("data"),
              at("data/hand/spikes/vertex-face/z.csv") + ": is neither a file nor a folder");
}

TEST_F(QuerySets, AreAnErrorWhereTheTruthIsALinkThatLeadsNowhere) {
    const char* truth = "data/sim/rod/mma_bool/12vf_mma_bool.json";
    std::filesystem::remove(folder / truth);
    EXPECT_EQ(found_in(folder / "data/sim/rod").front(), "sim/rod vf 12vf.csv");
    dangle(truth);
    EXPECT_EQ(outcome("data"), at(truth) + ": cannot be looked at: No such file or directory");
    std::filesystem::remove_all(folder / "data/sim/rod/mma_bool");
    dangle("data/sim/rod/mma_bool");
    EXPECT_EQ(outcome("data/sim/rod"),
              at("data/sim/rod/mma_bool") + ": cannot be looked at: No such file or directory");
}

TEST_F(QuerySets, NameATruthThatIsThereButDoesNotOpen) {
    const char* truth = "data/sim/rod/mma_bool/12vf_mma_bool.json";
    std::filesystem::remove(folder / truth);
    std::filesystem::create_directory(folder / truth);
    std::string query;
    for (int row = 0; row < 8; ++row)
        query += "0,1,0,1,0,1\n";
    write_file(folder / "data/sim/rod/queries/12vf.csv", query);
    const auto sets = find_query_sets(folder / "data/sim/rod");
    ASSERT_TRUE(sets.has_value()) << sets.error().message;
    EXPECT_EQ(read_all(sets->front().source).error().message,
              at(truth) + ": cannot be read: Is a directory");
}

TEST_F(QuerySets, MustAgreeWithTheTruthBesideThem) {
    const auto sets = find_query_sets(folder / "data/sim/rod");
    ASSERT_TRUE(sets.has_value());
    EXPECT_EQ(sets->front().source.truth_conflict, TruthConflict::IsError);
}

TEST_F(QuerySets, AreAnErrorWhereTheNameOfAQueryFileDoesNotTellTheKind) {
    for (const char* file : {"data/sim/rod/queries/12.csv", "data/sim/rod/queries/12xy.csv.gz",
                             "data/sim/rod/queries/vf.csv", "data/sim/rod/queries/12.gzq",
                             "data/sim/rod/queries/12vf.CSV", "data/sim/rod/queries/12ve.gzq.GZ"}) {
        write_file(folder / file, "");
        EXPECT_EQ(outcome("data"),
                  at(file) + ": is not named <frame><vf|ee|vv|ve>.csv, .csv.gz, .gzq or .gzq.gz");
        std::filesystem::remove(folder / file);
    }
    write_file(folder / "data/sim/rod/boxes/pairs.json", "");
    EXPECT_EQ(outcome("data"), at("data/sim/rod/boxes/pairs.json") +
                                   ": is not named <frame><vf|ee|vv|ve>.json or .json.gz");
}

TEST_F(QuerySets, AreAnErrorWhereAFileOfAKindFolderIsAlmostNamedAsQueries) {
    for (const char* file : {"data/hand/spikes/edge-edge/.csv", "data/hand/spikes/edge-edge/E.CSV",
                             "data/hand/spikes/edge-edge/e.Csv.gz"}) {
        write_file(folder / file, "");
        EXPECT_EQ(outcome("data"),
                  at(file) + ": is not named <name>.csv, .csv.gz, .gzq or .gzq.gz");
        std::filesystem::remove(folder / file);
    }
}

TEST_F(QuerySets, AreAnErrorWhereQueriesLieInAFolderBelowTheirPlace) {
    for (const char* file : {"data/hand/spikes/edge-edge/more/e.csv",
                             "data/sim/rod/queries/more/and/more/13vf.csv.gz"}) {
        write_file(folder / file, "");
        EXPECT_EQ(outcome("data"), at(file) + ": lies too deep, below the folder for query files");
        std::filesystem::remove_all((folder / file).parent_path());
    }
    write_file(folder / "data/sim/rod/queries/more/notes.txt", "");
    EXPECT_EQ(outcome("data"), "7 sets");
}

TEST_F(QuerySets, AreFilesOfTheFolderItselfThatNameTheirKind) {
    for (const char* file :
         {"run/stack/step_000001.vf.gzq", "run/stack/step_000000.ee.gzq", "run/stack/frame.csv",
          "run/stack/.vf.gzq", "run/stack/shelf.gzq", "run/queries/step_000002.vf.gzq"}) {
        write_file(folder / file, "");
    }
    const std::vector<std::string> stack = {"run/stack ee step_000000.ee.gzq",
                                            "run/stack vf step_000001.vf.gzq"};
    EXPECT_EQ(found_in(folder / "run/stack"), stack);
    // A folder of that name is a part of a scene or one itself, never both.
    const std::vector<std::string> queries = {"run/queries vf step_000002.vf.gzq"};
    EXPECT_EQ(found_in(folder / "run/queries"), queries);
    EXPECT_EQ(outcome("run"), "3 sets");
}

TEST_F(QuerySets, MayLieBelowAScene) {
    write_file(folder / "data/hand/spikes/blunt/vertex-face/a.csv", "");
    write_file(folder / "data/hand/spikes/blunt/queries/1ee.csv", "");
    std::vector<std::string> all = hand;
    all.push_back("spikes/blunt vf a.csv");
    all.push_back("spikes/blunt ee 1ee.csv");
    EXPECT_EQ(found_in(folder / "data/hand"), all);
}

TEST_F(QuerySets, MayLieInAFolderCalledLikeAPartOfAScene) {
    write_file(folder / "other/queries/spikes/vertex-face/a.csv", "");
    EXPECT_EQ(found_in(folder / "other"), std::vector<std::string>{"queries/spikes vf a.csv"});
}

TEST_F(QuerySets, AreAnErrorWhereFoldersAreTooDeepToBeSearched) {
    write_file(folder / "1/2/3/4/5/6/7/vertex-face/a.csv", "");
    EXPECT_EQ(outcome("."), "8 sets");
    write_file(folder / "1/2/3/4/5/6/7/8/vertex-face/a.csv", "");
    EXPECT_EQ(outcome("."), at("./1/2/3/4/5/6/7/8/vertex-face") + kTooDeep);
    EXPECT_EQ(outcome("1"), "2 sets");
}

TEST_F(QuerySets, AreAnErrorWhereLinksMakeALoop) {
    std::filesystem::create_directory_symlink(folder / "data", folder / "data/loop");
    std::filesystem::create_directory_symlink(folder / "data", folder / "data/loop2");
    EXPECT_TRUE(outcome("data").starts_with(at("data/loop/loop/")));
    EXPECT_TRUE(outcome("data").ends_with(kTooDeep));
}

}  // namespace
}  // namespace graze::io
