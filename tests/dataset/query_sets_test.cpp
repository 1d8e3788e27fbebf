#include "graze/dataset/query_sets.hpp"

#include <gtest/gtest.h>

#include "files.hpp"

namespace graze::dataset {
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

class QuerySets : public testing::Test {
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
                                 "data/sim/rod/queries/12.csv",
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

TEST_F(QuerySets, DoNotFollowALoopOfLinksForEver) {
    std::filesystem::create_directory_symlink(folder / "data", folder / "data/loop");
    EXPECT_GE(found_in(folder / "data").size(), 7u);
}

}  // namespace
}  // namespace graze::dataset
