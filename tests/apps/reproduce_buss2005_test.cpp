// The items of Buss 2005: each runs, and its rows, tables and pictures are complete.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "html_checks.hpp"
#include "reproduce/item.hpp"

namespace graze::app {
namespace {

constexpr std::string_view kSlow = "section-9.1-chords";  // some seconds: with the attacks

void expect_filled(const std::string& text, std::string_view what) {
    EXPECT_FALSE(text.empty()) << what;
    EXPECT_EQ(text.find("nan"), std::string::npos) << what << ": " << text;
}

void expect_complete(const ReproduceItem& item) {
    SCOPED_TRACE(std::string(item.id));
    ReproduceOptions options;
    options.quick = true;
    const auto made = item.run(options);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_FALSE(made->rows.empty());
    EXPECT_FALSE(made->conclusion.empty());
    for (const ComparedRow& row : made->rows) {
        for (const std::string& cell : {row.what, row.published, row.ours, row.verdict})
            expect_filled(cell, row.what);
        EXPECT_TRUE(row.verdict == "agrees" || row.verdict == "better" ||
                    (row.verdict == "-" && row.published == "-") ||
                    row.verdict.rfind("differs: ", 0) == 0)
            << row.verdict;
    }
    for (const DataTable& table : made->tables) {
        expect_filled(table.name, "name of a table");
        expect_filled(table.caption, table.name);
        EXPECT_FALSE(table.rows.empty()) << table.name;
        for (const auto& row : table.rows) {
            EXPECT_EQ(row.size(), table.headings.size()) << table.name;
            for (const std::string& cell : row)
                expect_filled(cell, table.name);
        }
    }
    for (const Drawing& drawing : made->drawings) {
        expect_filled(drawing.caption, drawing.name);
        EXPECT_EQ(drawing.svg.rfind("<svg xmlns=", 0), 0U) << drawing.name;
        EXPECT_EQ(test::nesting_error(drawing.svg), "") << drawing.name;
        EXPECT_EQ(drawing.svg.find("nan"), std::string::npos) << drawing.name;
    }
}

TEST(ReproduceBuss2005, ListsEachItemOnceWithAFunctionOrAReason) {
    std::set<std::string_view> ids;
    for (const ReproduceItem& item : buss2005_items()) {
        EXPECT_EQ(item.paper, Paper::Buss2005);
        EXPECT_TRUE(ids.insert(item.id).second) << item.id;
        EXPECT_FALSE(item.title.empty()) << item.id;
        const bool is_made = item.status == ItemStatus::Reproduced;
        EXPECT_EQ(item.run != nullptr, is_made) << item.id;
        EXPECT_EQ(item.reason.empty(), is_made) << item.id;
    }
    for (const int figure : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14})
        EXPECT_EQ(ids.count("figure-" + std::to_string(figure)), 1U) << figure;
    EXPECT_EQ(ids.count("figures-10-11"), 1U);
}

TEST(ReproduceBuss2005, MakesEveryItemComplete) {
    for (const ReproduceItem& item : buss2005_items())
        if (item.run != nullptr && item.id != kSlow) expect_complete(item);
}

TEST(ReproduceBuss2005Attack, MakesTheGrowthComplete) {
    for (const ReproduceItem& item : buss2005_items())
        if (item.id == kSlow) expect_complete(item);
}

// What the paper states and we measure anew does not differ, save where the row says why.
TEST(ReproduceBuss2005, AgreesWithTheFiguresOfThePaper) {
    for (const ReproduceItem& item : buss2005_items()) {
        if (item.id != "figure-2" && item.id != "figure-4" && item.id != "figure-5" &&
            item.id != "figures-10-11" && item.id != "figure-13")
            continue;
        const auto made = item.run({});
        ASSERT_TRUE(made);
        for (const ComparedRow& row : made->rows)
            EXPECT_EQ(row.verdict.rfind("differs", 0), std::string::npos) << item.id << row.what;
    }
}

}  // namespace
}  // namespace graze::app
