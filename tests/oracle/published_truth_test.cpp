// The published truth of the CCD benchmark's samples, where they lie beside the checkout.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "graze/io/query_sets.hpp"
#include "graze/verify/oracle_method.hpp"
#include "support/outside_data.hpp"

namespace graze {
namespace {

TEST(PublishedTruth, EveryHandcraftedQueryAndEveryTenthSimulatedOneAgrees) {
    const std::filesystem::path folder = testing::outside_data("ccd-queries");
    if (!std::filesystem::is_directory(folder)) {
        GTEST_SKIP() << "no benchmark samples at " << folder;
    }
    const auto sets = io::find_query_sets(folder);
    ASSERT_TRUE(sets) << sets.error().message;
    std::size_t judged = 0;
    for (const io::QuerySet& set : *sets) {
        const auto records = io::read_all(set.source);
        ASSERT_TRUE(records) << records.error().message;
        const std::size_t stride = set.group == "handcrafted" ? 1 : 10;
        for (std::size_t i = 0; i < records->size(); i += stride) {
            const io::QueryRecord& record = (*records)[i];
            ASSERT_TRUE(record.truth.has_value()) << set.scene << " #" << i;
            const auto truth = oracle::first_contact(verify::oracle_query(record, set.source.kind));
            EXPECT_EQ(truth.state == oracle::State::Contact, *record.truth)
                << set.scene << ' ' << short_name(set.source.kind) << " #" << i;
            ++judged;
        }
    }
    std::printf("judged %zu published truths\n", judged);
    EXPECT_GT(judged, 5000U);
}

}  // namespace
}  // namespace graze
