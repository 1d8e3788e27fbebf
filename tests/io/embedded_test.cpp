#include "graze/io/embedded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "io/files.hpp"

namespace graze::io {
namespace {

TEST(EmbeddedSets, AreWholeAndComeSortedByNameEachOnce) {
    const auto sets = embedded_sets();
    ASSERT_FALSE(sets.empty());
    std::vector<std::string> names;
    for (const EmbeddedSet& set : sets) {
        names.push_back(std::string(set.group) + "." + std::string(short_name(set.kind)));
        SCOPED_TRACE(names.back());
        auto stream = open_embedded(set);
        ASSERT_TRUE(stream.has_value()) << stream.error().message;
        const auto records = test::drain(**stream);
        ASSERT_TRUE(records.has_value()) << records.error().message;
        EXPECT_FALSE(records->empty());
    }
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

std::filesystem::path file_of(const EmbeddedSet& set) {
    return std::filesystem::path(GRAZE_SOURCE_DIR "/data/embedded") /
           (std::string(set.group) + "." + std::string(short_name(set.kind)) + ".gzq");
}

// What lies in data/embedded is what is built in.
TEST(EmbeddedSets, AreAllTheFilesOfTheFolder) {
    std::size_t files = 0;
    std::error_code failed;
    const std::filesystem::path folder = GRAZE_SOURCE_DIR "/data/embedded";
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
        if (entry.path().extension() == ".gzq") ++files;
    }
    ASSERT_FALSE(failed) << folder << ": " << failed.message();
    EXPECT_GT(files, 0u);
    EXPECT_EQ(embedded_sets().size(), files);
    for (const EmbeddedSet& set : embedded_sets()) {
        EXPECT_EQ(test::read_file(file_of(set)), test::Bytes(set.bytes.begin(), set.bytes.end()));
    }
}

TEST(EmbeddedSets, HaveQueriesOfEveryKindAllWithTruthAndTimes) {
    std::map<QueryKind, std::size_t> queries;
    for (const EmbeddedSet& set : embedded_sets()) {
        const auto records = test::drain(**open_embedded(set));
        ASSERT_TRUE(records.has_value()) << records.error().message;
        for (const QueryRecord& record : *records)
            EXPECT_TRUE(record.truth && record.first_time) << set.group;
        queries[set.kind] += records->size();
    }
    for (const QueryKind kind : kAllQueryKinds)
        EXPECT_GT(queries[kind], 0u) << long_name(kind);
}

TEST(EmbeddedSets, SurviveBothFormsOfOurOwnFiles) {
    const test::TempFolder folder;
    for (const EmbeddedSet& set : embedded_sets()) {
        auto records = *test::drain(**open_embedded(set));
        for (const QueryFormat format : {QueryFormat::Binary, QueryFormat::Csv}) {
            const auto copy = folder / "copy";
            const auto writer = create_query_file(copy, set.kind, format);
            ASSERT_TRUE(writer.has_value()) << writer.error().message;
            for (QueryRecord& record : records) {
                ASSERT_TRUE((*writer)->add(record).has_value());
                if (format == QueryFormat::Csv) record.first_time.reset();
            }
            ASSERT_TRUE((*writer)->finish().has_value());
            EXPECT_EQ(
                *read_all(
                    {.kind = set.kind, .queries = copy, .truth = {}, .frames = {}, .boxes = {}}),
                records);
            if (format == QueryFormat::Binary) {
                EXPECT_EQ(test::read_file(copy), test::read_file(file_of(set)));
            }
        }
    }
}

}  // namespace
}  // namespace graze::io
