// Small plots as inline SVG: bars and curves on logarithmic axes, histograms.
//
// Colours and fonts come from the style sheet of the page (html_text.cpp) by class names, so that a
// plot follows light and dark. Lengths are in the units of the picture (pixels at normal size).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graze/verify/stats.hpp"

namespace graze::app {
using namespace verify;

// An axis of times, in nanoseconds, from one power of ten to another.
struct TimeAxis {
    double low = 1.0;
    double high = 10.0;
    double from = 0.0;  // place of `low`
    double to = 1.0;    // place of `high`

    // Clamped to the axis; NaN and what is not positive is at its beginning.
    [[nodiscard]] double place(double value) const;
    // The powers of ten on it, thinned out to at most eight.
    [[nodiscard]] std::vector<double> ticks() const;
};
// From the power of ten at or below the smallest to the one at or above the largest value > 0.
[[nodiscard]] TimeAxis time_axis(const std::vector<double>& values, double from, double to);
// "10 ns", "1 us": of a power of ten.
[[nodiscard]] std::string decade_text(double ns);

// One method: a bar to its mean, a notch at the median, a line on to p99.9 and to the maximum.
struct BarRow {
    std::string label;
    std::string tooltip;
    std::string css_class;  // colour of the bar
    TimeSummary times;
    std::optional<std::uint64_t> false_positives;
    std::optional<std::uint64_t> false_negatives;
    std::string note;  // shown beside it: which share of the queries was asked
};
[[nodiscard]] std::string bar_chart(const std::vector<BarRow>& rows, const TimeAxis& scale);

struct Series {
    std::string label;
    std::size_t colour = 0;                // of the eight of the page
    std::vector<std::optional<double>> y;  // one per position; nothing: a gap
    // Shaded between them where both are known: empty, or one per position.
    std::vector<std::optional<double>> low = {};
    std::vector<std::optional<double>> high = {};
    bool is_joined = true;  // false: dots alone, for positions without an order
};
struct LineChart {
    std::string title;
    std::vector<std::string> places;  // at equal distances along the x-axis
    std::vector<Series> series;
    enum class Scale : std::uint8_t { LogTime, LogNumber, Share } scale = Scale::LogTime;
    bool name_lines = false;       // label each curve at its end
    std::string remark;            // in the middle of the chart: why it is blank
    double position_width = 36.0;  // at least, of each; enough for "1e-100"
};
[[nodiscard]] std::string line_chart(const LineChart& chart);

// Counts by time, three bins a decade, with logarithmic heights: positive answers stand on the
// axis, negative ones hang from it.
struct HistogramPlot {
    std::string title;
    const TimeHistogram& positive;
    const TimeHistogram& negative;
};
// The bins that all plots of a page draw.
struct BinRange {
    std::size_t first = 0;
    std::size_t count = 0;
};
// From the first bin with a count to the last.
[[nodiscard]] BinRange bins_in_use(const TimeHistogram& histogram);
[[nodiscard]] std::string histogram_plot(const HistogramPlot& plot, const BinRange& bins);

// A measured ratio beside the one that was published, on a logarithmic axis from 1/100 to 10000.
struct RatioRow {
    std::string label;
    double ratio = 1.0;
    std::optional<double> median_ratio;
    std::optional<double> published;
};
[[nodiscard]] std::string ratio_chart(const std::vector<RatioRow>& rows);

}  // namespace graze::app
