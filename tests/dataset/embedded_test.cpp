#include "graze/dataset/embedded.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "files.hpp"

namespace graze::dataset {
namespace {

TEST(EmbeddedSets, AreWholeAndComeSortedByNameEachOnce) {
    const auto sets = embedded_sets();
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

// What lies in data/embedded is what is built in.
TEST(EmbeddedSets, AreAllTheFilesOfTheFolder) {
    std::size_t files = 0;
    std::error_code not_there;  // no folder: nothing is built in
    const std::filesystem::path folder = GRAZE_SOURCE_DIR "/data/embedded";
    for (const auto& entry : std::filesystem::directory_iterator(folder, not_there)) {
        if (entry.path().extension() == ".gzq") ++files;
    }
    EXPECT_EQ(embedded_sets().size(), files);
}

}  // namespace
}  // namespace graze::dataset
