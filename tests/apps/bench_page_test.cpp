// The page of the benchmark and its plots.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apps/html_checks.hpp"
#include "pictures/html_text.hpp"
#include "pictures/plot_svg.hpp"

namespace graze::app {
namespace {

using test::nesting_error;

TEST(HtmlChecks, FindWhatIsWrong) {
    EXPECT_EQ(nesting_error("<p class=\"a\">x<br /></p>"), "");
    EXPECT_NE(nesting_error("<p>x"), "");
    EXPECT_NE(nesting_error("<p><b>x</p></b>"), "");
    EXPECT_NE(nesting_error("<p class=a>x</p>"), "");
    EXPECT_NE(nesting_error("x</p>"), "");
    EXPECT_NE(test::loader_in("<img src=\"x\" />"), "");
}

TEST(HtmlText, WhatNamesHoldIsNeverMarkup) {
    EXPECT_EQ(escaped("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
    HtmlTable table({"one", "two"});
    table.add_row({escaped("<b>"), "2"});
    EXPECT_EQ(nesting_error(table.html()), "");
    EXPECT_NE(table.html().find("&lt;b&gt;"), std::string::npos);
    const std::string figure = figure_html({.id = "",
                                            .heading = "<h>",
                                            .content = "",
                                            .note = "",
                                            .command = "graze bench --data <x>"});
    EXPECT_EQ(nesting_error(figure), "");
    EXPECT_NE(figure.find("graze bench --data &lt;x&gt;"), std::string::npos);
}

TEST(TimeAxis, GoesFromDecadeToDecade) {
    const TimeAxis axis = time_axis({35.0, 2e6}, 0.0, 100.0);
    EXPECT_NEAR(axis.low, 10.0, 1e-9);
    EXPECT_NEAR(axis.high, 1e7, 1e-3);
    EXPECT_EQ(axis.ticks().size(), 7U);
    EXPECT_NEAR(axis.place(10.0), 0.0, 1e-9);
    EXPECT_NEAR(axis.place(1e4), 50.0, 1e-9);
    EXPECT_NEAR(axis.place(1e7), 100.0, 1e-9);
}

TEST(TimeAxis, HoldsWhatHasNoLogarithm) {
    const TimeAxis axis = time_axis({0.0, -1.0, std::nan(""), HUGE_VAL}, 0.0, 1.0);
    EXPECT_LT(axis.low, axis.high);
    for (const double value : {0.0, -1.0, std::nan("")})
        EXPECT_EQ(axis.place(value), 0.0);
    EXPECT_EQ(axis.place(HUGE_VAL), 1.0);
    const TimeAxis point = time_axis({100.0}, 0.0, 1.0);
    EXPECT_LT(point.low, point.high);
}

TEST(TimeAxis, HasAtMostNineTicks) {
    EXPECT_LE(time_axis({1e-100, 1e-2}, 0.0, 1.0).ticks().size(), 9U);
    EXPECT_EQ(decade_text(1000.0), "1 us");
    EXPECT_EQ(decade_text(100.0), "100 ns");
    EXPECT_EQ(decade_text(1e10), "10 s");
}

// The longest bar belongs to the largest mean, and a bar never leaves the axis.
TEST(BarChart, LengthsFollowTheMeans) {
    const auto row = [](const char* name, double mean) {
        return BarRow{.label = name,
                      .tooltip = "<t>",
                      .css_class = "right",
                      .times = {mean, mean, mean, mean, 10.0 * mean},
                      .false_positives = 3,
                      .false_negatives = std::nullopt,
                      .note = "1 of 2"};
    };
    const TimeAxis scale = time_axis({10.0, 1e6}, 0.0, 1.0);
    const std::string svg = bar_chart({row("slow", 1e6), row("fast", 100.0)}, scale);
    EXPECT_EQ(nesting_error(svg), "");
    const auto width_at = [&](std::size_t from) {
        const std::size_t at = svg.find("width=\"", svg.find("<rect", from)) + 7;
        return std::stod(svg.substr(at));
    };
    const std::size_t first = svg.find("<rect");
    EXPECT_NEAR(width_at(first), 5.0 * width_at(first + 5), 1.0);
    EXPECT_NE(svg.find(">3<"), std::string::npos);
    EXPECT_NE(svg.find(">–<"), std::string::npos);
}

TEST(LineChart, LeavesGapsAndKeepsLabelsApart) {
    LineChart chart{.title = "a < b",
                    .places = {"1", "2", "3"},
                    .series = {{"one", 0, {1e3, std::nullopt, 1e4}},
                               {"two", 1, {1e3, 2e3, 1e4}},
                               {"three", 9, {std::nullopt, std::nullopt, std::nullopt}}},
                    .scale = LineChart::Scale::LogTime,
                    .name_lines = true,
                    .remark = ""};
    for (const auto scale :
         {LineChart::Scale::LogTime, LineChart::Scale::LogNumber, LineChart::Scale::Share}) {
        chart.scale = scale;
        const std::string svg = line_chart(chart);
        EXPECT_EQ(nesting_error(svg), "");
        EXPECT_EQ(svg.find("nan"), std::string::npos);
        EXPECT_EQ(svg.find("inf"), std::string::npos);
    }
    const std::string svg = line_chart(chart);
    const auto count = [&](const std::string& part) {
        int found = 0;
        for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count("<circle"), 5);
    std::vector<double> heights;
    for (std::size_t at = svg.find("class=\"name"); at != std::string::npos;
         at = svg.find("class=\"name", at + 1)) {
        const std::size_t y = svg.rfind("y=\"", at) + 3;
        heights.push_back(std::stod(svg.substr(y)));
    }
    ASSERT_EQ(heights.size(), 3U);
    std::sort(heights.begin(), heights.end());
    for (std::size_t i = 1; i < heights.size(); ++i)
        EXPECT_GE(heights[i] - heights[i - 1], 12.9);
}

TEST(HistogramPlot, DrawsABarForEachBinThatIsUsed) {
    TimeHistogram positive{};
    TimeHistogram negative{};
    positive[4] = 7;
    negative[5] = 1;
    const std::string svg = histogram_plot({"m", positive, negative}, {3, 6});
    EXPECT_EQ(nesting_error(svg), "");
    EXPECT_NE(svg.find("7 positive"), std::string::npos);
    EXPECT_NE(svg.find("1 negative"), std::string::npos);
    EXPECT_EQ(nesting_error(histogram_plot({"m", {}, {}}, {})), "");
}

TEST(RatioChart, StaysOnItsAxis) {
    const std::string svg = ratio_chart({{"a", 1e9, 0.0, 4.0}, {"b", 1e-9, std::nullopt, {}}});
    EXPECT_EQ(nesting_error(svg), "");
    EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace graze::app
