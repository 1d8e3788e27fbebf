// The items of Wang 2014: complete, with ids of their own, and agreeing with the paper where they say so.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "graze/narrow/safe_cubic.hpp"
#include "reproduce/item.hpp"

namespace graze::app {
namespace {

const ReproduceItem& item_2014(const std::vector<ReproduceItem>& items, std::string_view id) {
    for (const ReproduceItem& item : items) {
        if (item.id == id) return item;
    }
    ADD_FAILURE() << "no item " << id;
    return items.front();
}

void expect_complete_wang2014(const ReproduceItem& item) {
    ReproduceOptions options;
    options.quick = true;
    const Expected<Reproduction> made = item.run(options);
    ASSERT_TRUE(made) << item.id;
    EXPECT_FALSE(made->rows.empty()) << item.id;
    EXPECT_FALSE(made->conclusion.empty()) << item.id;
    for (const ComparedRow& row : made->rows) {
        std::printf("%s | %s | %s | %s\n", row.what.c_str(), row.published.c_str(),
                    row.ours.c_str(), row.verdict.c_str());
        EXPECT_FALSE(row.what.empty() || row.published.empty() || row.ours.empty() ||
                     row.verdict.empty())
            << item.id;
        EXPECT_EQ(row.verdict.find("differs"), std::string::npos) << item.id << ": " << row.what;
        EXPECT_EQ(row.ours.find("nan"), std::string::npos) << item.id << ": " << row.what;
    }
    for (const Drawing& drawing : made->drawings) {
        EXPECT_EQ(drawing.svg.find("<svg"), 0U) << item.id;
        EXPECT_EQ(drawing.svg.find("nan"), std::string::npos) << item.id;
    }
    for (const DataTable& table : made->tables) {
        for (const auto& row : table.rows)
            EXPECT_EQ(row.size(), table.headings.size()) << item.id;
    }
}

TEST(Wang2014Items, HaveIdsOfTheirOwnAndAFunctionOrAReason) {
    std::set<std::string_view> ids;
    for (const ReproduceItem& item : wang2014_items()) {
        EXPECT_EQ(item.paper, Paper::Wang2014);
        EXPECT_TRUE(ids.insert(item.id).second) << item.id;
        EXPECT_FALSE(item.title.empty()) << item.id;
        EXPECT_EQ(item.run != nullptr, item.status == ItemStatus::Reproduced) << item.id;
        EXPECT_EQ(item.reason.empty(), item.status == ItemStatus::Reproduced) << item.id;
    }
    EXPECT_GE(ids.size(), 20U);
}

TEST(Wang2014Items, OfConstantsAgreeWithThePaper) {
    const auto items = wang2014_items();
    for (const char* id : {"figure-2", "section-4.1", "section-6-precision", "appendix"})
        expect_complete_wang2014(item_2014(items, id));
}

TEST(Wang2014ItemsAttack, OfMeasurementsAgreeWithThePaper) {
    const auto items = wang2014_items();
    for (const char* id : {"section-4.4.1", "section-5-cube", "section-5-exact", "section-5-bound",
                           "section-5-safety"})
        expect_complete_wang2014(item_2014(items, id));
}

TEST(Wang2014Items, StateThatFloatIsNotProvedAndWiderFormatsAre) {
    const auto all = safe_cubic_precisions();
    EXPECT_FALSE(all[0].paper_values_hold);
    EXPECT_GT(all[0].relative_distance(), 1.0);
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_TRUE(all[i].errors_hold && all[i].paper_values_hold &&
                    all[i].paper_values_hold_here);
        EXPECT_EQ(all[i].distance, 41.0);
        EXPECT_EQ(all[i].radius, 6.0);
    }
    EXPECT_NEAR(all[1].relative_distance(), 0.005, 1e-4);
}

}  // namespace
}  // namespace graze::app
