// Items of `graze reproduce` that simulate.
#include "simulations/simulated_items.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "apps/html_checks.hpp"

namespace graze::app {
namespace {

TEST(SimulatedItems, TakeThePlacesOfThoseThatWaitForSimulators) {
    const std::size_t count = all_items().size();
    add_simulated_items();
    EXPECT_EQ(all_items().size(), count);
    for (const ReproduceItem& item : all_items())
        EXPECT_NE(item.status, ItemStatus::WaitsForSimulator) << item.id;
}

TEST(SimulatedItems, AStopEndsEachWithAnError) {
    ReproduceOptions options;
    options.quick = true;
    options.stop = StopToken([](const void*) noexcept { return true; });
    for (const ReproduceItem& item : simulated_items()) {
        const auto made = item.run(options);
        ASSERT_FALSE(made) << item.id;
        EXPECT_EQ(made.error().code, ErrorCode::Cancelled) << item.id;
    }
}

void expect_whole_simulation(const ReproduceItem& item) {
    SCOPED_TRACE(std::string(item.id));
    ReproduceOptions options;
    options.quick = true;
    options.threads = 0;
    const auto made = item.run(options);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_FALSE(made->rows.empty());
    EXPECT_FALSE(made->conclusion.empty());
    for (const ComparedRow& row : made->rows) {
        std::printf("%s | %s | %s | %s\n", row.what.c_str(), row.published.c_str(),
                    row.ours.c_str(), row.verdict.c_str());
        EXPECT_FALSE(row.what.empty() || row.published.empty() || row.ours.empty() ||
                     row.verdict.empty());
        EXPECT_EQ(row.verdict.find("a proved method"), std::string::npos) << row.what;
        EXPECT_EQ(row.ours.find("nan"), std::string::npos) << row.what;
    }
    for (const DataTable& table : made->tables) {
        EXPECT_FALSE(table.rows.empty()) << table.name;
        for (const auto& row : table.rows)
            EXPECT_EQ(row.size(), table.headings.size()) << table.name;
    }
    for (const Drawing& drawing : made->drawings) {
        EXPECT_EQ(test::nesting_error(drawing.svg), "") << drawing.name;
        EXPECT_NE(drawing.svg.find("xmlns="), std::string::npos) << drawing.name;
    }
}

TEST(SimulatedItemsAttack, AllRunQuicklyAndNoProvedMethodFails) {
    for (const ReproduceItem& item : simulated_items())
        expect_whole_simulation(item);
}

}  // namespace
}  // namespace graze::app
