// The items of Wang et al. 2021: what the list holds, and that each of them runs.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "apps/html_checks.hpp"
#include "pictures/plot_sheet.hpp"
#include "pictures/plot_svg.hpp"
#include "reproduce/item.hpp"

namespace graze::app {
namespace {

const ReproduceItem* find_item(const std::vector<ReproduceItem>& items, std::string_view id) {
    for (const ReproduceItem& item : items) {
        if (item.id == id) return &item;
    }
    return nullptr;
}

// What every page needs of an item.
void expect_whole(const ReproduceItem& item, const Expected<Reproduction>& made) {
    SCOPED_TRACE(std::string(item.id));
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_FALSE(made->rows.empty());
    EXPECT_FALSE(made->conclusion.empty());
    for (const ComparedRow& row : made->rows) {
        EXPECT_FALSE(row.what.empty() || row.published.empty() || row.ours.empty() ||
                     row.verdict.empty())
            << row.what;
        EXPECT_EQ(row.verdict.find("a proved method missed"), std::string::npos) << row.what;
        EXPECT_EQ(row.verdict.find("a contact is left out"), std::string::npos) << row.what;
    }
    for (const DataTable& table : made->tables) {
        EXPECT_FALSE(table.rows.empty()) << table.name;
        for (const auto& cells : table.rows)
            EXPECT_EQ(cells.size(), table.headings.size()) << table.name;
    }
    for (const Drawing& drawing : made->drawings) {
        EXPECT_EQ(test::nesting_error(drawing.svg), "") << drawing.name;
        EXPECT_NE(drawing.svg.find("xmlns="), std::string::npos) << drawing.name;
        EXPECT_EQ(drawing.svg.find("nan"), std::string::npos) << drawing.name;
    }
}

TEST(Wang2021Items, AreUniqueAndSayWhyTheyAreNotReproduced) {
    std::set<std::string_view> ids;
    int reproduced = 0;
    for (const ReproduceItem& item : wang2021_items()) {
        SCOPED_TRACE(std::string(item.id));
        EXPECT_EQ(item.paper, Paper::Wang2021);
        EXPECT_TRUE(ids.insert(item.id).second);
        EXPECT_FALSE(item.title.empty());
        const bool runs = item.status == ItemStatus::Reproduced;
        EXPECT_EQ(item.run != nullptr, runs);
        EXPECT_EQ(item.reason.empty(), runs);
        reproduced += runs ? 1 : 0;
    }
    EXPECT_GE(reproduced, 15);
    for (const std::string_view id : {"figure-12", "figure-13"})
        EXPECT_EQ(find_item(wang2021_items(), id)->status, ItemStatus::WaitsForSimulator);
}

TEST(Wang2021Items, LineSearchIsStuckWithFEqualZeroAndOursIsNot) {
    const std::vector<ReproduceItem> items = wang2021_items();
    const ReproduceItem& item = *find_item(items, "algorithm-4");
    ReproduceOptions options;
    options.quick = true;
    const auto made = item.run(options);
    expect_whole(item, made);
    ASSERT_TRUE(made);
    EXPECT_NE(made->rows.front().what.find("F = 0"), std::string::npos);
    EXPECT_EQ(made->rows.front().verdict, "agrees");
    EXPECT_NE(made->rows.back().what.find("line_search()"), std::string::npos);
    EXPECT_NE(made->rows.back().verdict.find("never stuck"), std::string::npos);
}

TEST(Wang2021Items, AStopEndsAnItemWithAnError) {
    const std::vector<ReproduceItem> items = wang2021_items();
    ReproduceOptions options;
    options.quick = true;
    options.stop = StopToken([](const void*) noexcept { return true; });
    const auto made = find_item(items, "table-1")->run(options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::Cancelled);
}

void run_every_item(const std::string& data) {
    for (const ReproduceItem& item : wang2021_items()) {
        if (item.run == nullptr) continue;
        ReproduceOptions options;
        options.quick = true;
        options.data = data;
        expect_whole(item, item.run(options));
    }
}

TEST(Wang2021ItemsAttack, AllRunOnOurOwnQueries) {
    run_every_item("");
}

TEST(Wang2021ItemsAttack, AllRunOnThePublishedQueries) {
    const std::string data = std::string(GRAZE_DATA_DIR) + "/ccd-queries";
    if (!std::filesystem::exists(data)) GTEST_SKIP() << "no benchmark samples";
    run_every_item(data);
}

// --- Pictures ------------------------------------------------------------------------------------

TEST(PlotSheet, IsCompleteInItselfAndKeepsPlotsApart) {
    const LineChart chart{.title = "a < b",
                          .places = {"1", "2"},
                          .series = {{"one", 0, {1.0, 2.0}, {0.5, 1.0}, {2.0, 4.0}}},
                          .scale = LineChart::Scale::LogNumber,
                          .name_lines = true,
                          .remark = ""};
    const std::string plot = line_chart(chart);
    EXPECT_NE(plot.find("class=\"band s0\""), std::string::npos);
    const std::string sheet = plot_sheet(
        {.title = "two <plots>", .plots = {plot, "", plot}, .notes = {"a note"}, .width = 2000.0});
    EXPECT_EQ(test::nesting_error(sheet), "");
    EXPECT_NE(sheet.find("xmlns="), std::string::npos);
    EXPECT_NE(sheet.find(".band{"), std::string::npos);
    EXPECT_EQ(sheet.find("var(--"), std::string::npos);
    EXPECT_EQ(sheet.find("<plots>"), std::string::npos);
    // The empty one began a row: both are at the left edge, one below the other.
    const std::size_t first = sheet.find("translate(16.0 ");
    const std::size_t second = sheet.find("translate(16.0 ", first + 1);
    ASSERT_NE(second, std::string::npos);
    EXPECT_NE(sheet.substr(first, 22), sheet.substr(second, 22));
}

TEST(HistogramPlot, BinsInUseGoFromTheFirstToTheLast) {
    TimeHistogram histogram{};
    EXPECT_EQ(bins_in_use(histogram).count, 0U);
    histogram[3] = 1;
    histogram[7] = 2;
    EXPECT_EQ(bins_in_use(histogram).first, 3U);
    EXPECT_EQ(bins_in_use(histogram).count, 5U);
}

}  // namespace
}  // namespace graze::app
