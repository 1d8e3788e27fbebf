// Items of Wang et al. 2021 about methods in floating point, on the data inside the program.
#include "reproduce/wang2021_floating_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace graze::app {
namespace {

Reproduction quick(Expected<Reproduction> (*item)(const ReproduceOptions&)) {
    ReproduceOptions options;
    options.quick = true;
    auto made = item(options);
    EXPECT_TRUE(made);
    return made ? std::move(*made) : Reproduction{};
}

const ComparedRow& row_of(const Reproduction& made, std::string_view what) {
    const auto found = std::find_if(made.rows.begin(), made.rows.end(), [&](const ComparedRow& r) {
        return r.what.find(what) != std::string::npos;
    });
    EXPECT_NE(found, made.rows.end()) << what;
    return found == made.rows.end() ? made.rows.front() : *found;
}

void expect_is_complete(const Reproduction& made) {
    ASSERT_FALSE(made.rows.empty());
    EXPECT_FALSE(made.conclusion.empty());
    for (const ComparedRow& row : made.rows) {
        EXPECT_FALSE(row.published.empty()) << row.what;
        EXPECT_FALSE(row.ours.empty()) << row.what;
        const bool is_known = row.verdict.starts_with("agrees") ||
                              row.verdict.starts_with("better") ||
                              row.verdict.starts_with("differs");
        EXPECT_TRUE(is_known) << row.verdict;
    }
    for (const Drawing& drawing : made.drawings) {
        EXPECT_TRUE(drawing.svg.starts_with("<svg xmlns")) << drawing.name;
        EXPECT_EQ(drawing.svg.find("nan"), std::string::npos) << drawing.name;
    }
    for (const DataTable& table : made.tables) {
        for (const auto& row : table.rows)
            EXPECT_EQ(row.size(), table.headings.size()) << table.name;
    }
}

TEST(Wang2021FloatingPoint, AppendixBIsMissedByPublishedParityAlone) {
    const Reproduction made = quick(reproduce_appendix_b);
    expect_is_complete(made);
    EXPECT_EQ(made.drawings.size(), 2U);
    EXPECT_EQ(row_of(made, "published form").ours, "no contact");
    EXPECT_EQ(row_of(made, "root parity, mended").ours, "contact");
    EXPECT_TRUE(row_of(made, "certified").ours.starts_with("contact"));
}

TEST(Wang2021FloatingPoint, AppendixCHasTheCubicThatIsPrintedAndOtherCoefficients) {
    const Reproduction made = quick(reproduce_appendix_c);
    expect_is_complete(made);
    EXPECT_EQ(row_of(made, "the cubic").verdict, "agrees");
    EXPECT_EQ(row_of(made, "Bernstein coefficients").ours, "(3, -35/3, 41/3, 7)");
    EXPECT_EQ(row_of(made, "second example, sign").verdict, "agrees");
    EXPECT_EQ(row_of(made, "cut at the inflection").ours, "no contact");
}

// Takes seconds: boxes at a separation of 1e-2.
TEST(Wang2021FloatingPointAttack, Table3AndThePublishedMethodsAreComplete) {
    expect_is_complete(quick(reproduce_table_3));
    const Reproduction forms = quick(reproduce_published_methods);
    expect_is_complete(forms);
    EXPECT_EQ(forms.tables.size(), 1U);
}

TEST(Wang2021FloatingPoint, DataThatIsNotThereIsAnError) {
    ReproduceOptions options;
    options.data = "no/such/folder";
    EXPECT_FALSE(reproduce_table_3(options));
    EXPECT_FALSE(reproduce_published_methods(options));
}

}  // namespace
}  // namespace graze::app
