// Reads the benchmark's sample where it lies beside the checkout; skipped where it does not. What
// the readers promise is tested on the project's own data, in the other files of this folder.
#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "graze/io/query_sets.hpp"
#include "io/files.hpp"
#include "support/outside_data.hpp"

namespace graze::io {
namespace {

using namespace test;

const std::filesystem::path kData = graze::testing::outside_data("ccd-queries");

class PublishedQueries : public ::testing::Test {
protected:
    void SetUp() override {
        const std::string name = kData.lexically_normal().string();
        if (!std::filesystem::exists(kData)) GTEST_SKIP() << name << ": not there";
    }
};

TEST_F(PublishedQueries, IsReadWholeWithTheTruthsItStates) {
    const auto sets = find_query_sets(kData);
    ASSERT_TRUE(sets.has_value()) << sets.error().message;
    EXPECT_EQ(sets->size(), 24u);
    std::map<std::string, std::array<std::size_t, 2>> counts;  // queries, contacts
    std::size_t total = 0;
    for (const QuerySet& set : *sets) {
        const auto records = read_all(set.source);
        ASSERT_TRUE(records.has_value()) << records.error().message;
        total += records->size();
        for (const QueryRecord& record : *records) {
            ASSERT_TRUE(record.truth.has_value());
            auto& [queries, contacts] =
                counts[set.group + " " + std::string(short_name(set.source.kind))];
            ++queries;
            contacts += *record.truth ? 1 : 0;
        }
    }
    EXPECT_EQ(total, 31'670u);
    // 103 of 5,545 and 352 of 23,946 listed pairs of the simulations do not touch.
    EXPECT_EQ(counts["simulation vf"], (std::array<std::size_t, 2>{5545, 5545 - 103}));
    EXPECT_EQ(counts["simulation ee"], (std::array<std::size_t, 2>{23946, 23946 - 352}));
    EXPECT_GT(counts["handcrafted vf"][0], 0u);
    EXPECT_GT(counts["handcrafted ee"][0], 0u);
    for (const auto& [name, count] : counts) {
        std::cout << name << ": " << count[0] << " queries, " << count[1] << " contacts\n";
    }
}

TEST_F(PublishedQueries, IsFoundByGroupAndBySceneToo) {
    const auto sets_in = [](const std::filesystem::path& folder) {
        const auto sets = find_query_sets(folder);
        EXPECT_TRUE(sets.has_value()) << sets.error().message;
        return sets ? sets->size() : 0;
    };
    EXPECT_EQ(sets_in(kData / "handcrafted"), 18u);
    EXPECT_EQ(sets_in(kData / "simulation"), 6u);
    EXPECT_EQ(sets_in(kData / "handcrafted/unit-tests"), 2u);
    EXPECT_EQ(sets_in(kData / "simulation/rod-twist"), 2u);
}

TEST_F(PublishedQueries, IsRebuiltFromFramesAndBoxesCoordinateForCoordinate) {
    struct Step {
        const char* scene;
        const char* frame;
        const char* next;
        const char* kind;
    };
    for (const Step& step :
         {Step{"rod-twist", "3036", "3037", "vf"}, Step{"rod-twist", "3036", "3037", "ee"},
          Step{"cloth-funnel", "227", "228", "vf"}, Step{"cloth-funnel", "227", "228", "ee"},
          Step{"armadillo-rollers", "326", "327", "vf"}}) {
        const auto scene = kData / "simulation" / step.scene;
        const std::string name = std::string(step.frame) + step.kind;
        const QuerySource from_csv{.kind = *query_kind_from_name(step.kind),
                                   .queries = scene / "queries" / (name + ".csv"),
                                   .truth = {},
                                   .frames = {},
                                   .boxes = {}};
        QuerySource from_frames = from_csv;
        from_frames.queries.clear();
        from_frames.frames = {scene / "frames" / (std::string(step.frame) + ".ply"),
                              scene / "frames" / (std::string(step.next) + ".ply")};
        from_frames.boxes = scene / "boxes" / (name + ".json");
        const auto expected = read_all(from_csv);
        const auto rebuilt = read_all(from_frames);
        ASSERT_TRUE(expected.has_value()) << expected.error().message;
        ASSERT_TRUE(rebuilt.has_value()) << rebuilt.error().message;
        EXPECT_EQ(*rebuilt, *expected) << name;
    }
}

TEST_F(PublishedQueries, GivesTheArmadilloEdgesThatHaveNoCsv) {
    const auto scene = kData / "simulation/armadillo-rollers";
    const auto sets = find_query_sets(scene);
    ASSERT_TRUE(sets.has_value()) << sets.error().message;
    ASSERT_EQ(sets->size(), 2u);
    EXPECT_EQ(sets->back().source.kind, QueryKind::EdgeEdge);
    const auto records = read_all(sets->back().source);
    ASSERT_TRUE(records.has_value()) << records.error().message;
    EXPECT_EQ(records->size(), 19'313u);
}

TEST_F(PublishedQueries, SurvivesBothFormsOfOurOwnFiles) {
    const auto file = kData / "handcrafted/erleben-spikes/edge-edge/data_0_0.csv";
    QuerySource source{
        .kind = QueryKind::EdgeEdge, .queries = file, .truth = {}, .frames = {}, .boxes = {}};
    const auto records = read_all(source);
    ASSERT_TRUE(records.has_value()) << records.error().message;
    const TempFolder folder;
    for (const QueryFormat format : {QueryFormat::Csv, QueryFormat::Binary}) {
        source.queries = folder / "copy";
        const auto writer = create_query_file(source.queries, source.kind, format);
        ASSERT_TRUE(writer.has_value());
        for (const QueryRecord& record : *records)
            ASSERT_TRUE((*writer)->add(record).has_value());
        ASSERT_TRUE((*writer)->finish().has_value());
        if (format == QueryFormat::Csv) {
            EXPECT_EQ(read_file(source.queries), read_file(file));
        }
        EXPECT_EQ(*read_all(source), *records);
    }
}

}  // namespace
}  // namespace graze::io
