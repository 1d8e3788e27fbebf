#include "plot_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "graze/core/elementary.hpp"
#include "html_text.hpp"
#include "svg_file.hpp"

namespace graze::app {
namespace {

std::string svg(double width, double height, std::string_view label, const std::string& content) {
    return fmt::format(
        "<svg width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" "
        "aria-label=\"{2}\">{3}</svg>\n",
        width, height, escaped(label), content);
}

std::string text(double x, double y, std::string_view css_class, std::string_view content) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>", x, y, css_class,
                       escaped(content));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view css_class) {
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\" />", x1, y1, x2,
        y2, css_class);
}

std::string rect(double x, double y, double width, double height, std::string_view css_class,
                 std::string_view tooltip) {
    return fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" class=\"{}\">"
        "<title>{}</title></rect>",
        x, y, std::max(width, 0.5), height, css_class, escaped(tooltip));
}

std::string dot(double x, double y, double radius, std::string_view css_class,
                std::string_view tooltip) {
    return fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" class=\"{}\"><title>{}</title></circle>",
        x, y, radius, css_class, escaped(tooltip));
}

std::string diamond(double x, double y, double radius, std::string_view tooltip) {
    return fmt::format(
        "<path d=\"M{0:.1f} {2:.1f}L{3:.1f} {1:.1f}L{0:.1f} {4:.1f}L{5:.1f} {1:.1f}Z\" "
        "class=\"hollow\"><title>{6}</title></path>",
        x, y, y - radius, x + radius, y + radius, x - radius, escaped(tooltip));
}

// A count in its colour, a zero without.
std::string count_text(double x, double y, const std::optional<std::uint64_t>& count,
                       std::string_view css_class) {
    if (!count) return text(x, y, "soft end", "–");
    return text(x, y, *count == 0 ? "soft end" : fmt::format("{} end", css_class),
                fmt::format("{}", *count));
}

constexpr double kLabelWidth = 152.0;
constexpr double kBarWidth = 318.0;
constexpr double kBarStep = 20.0;
constexpr double kBarTop = 34.0;

std::string bar_svg(const BarRow& row, const TimeAxis& axis, double y) {
    const double middle = y + 7.0;
    const TimeSummary& times = row.times;
    std::string content = text(kLabelWidth - 8.0, y + 11.0, "end", row.label);
    content += line(axis.place(times.mean), middle, axis.place(times.max), middle, "whisker");
    for (const double end : {times.p999, times.max})
        content += line(axis.place(end), y + 3.0, axis.place(end), y + 11.0, "whisker");
    content +=
        rect(axis.from, y, axis.place(times.mean) - axis.from, 14.0, row.css_class, row.tooltip);
    const double median = axis.place(times.median);
    if (median < axis.place(times.mean)) content += line(median, y, median, y + 14.0, "tick");
    const double right = kLabelWidth + kBarWidth;
    content += text(right + 54.0, y + 11.0, "soft end", format_ns(times.mean));
    content += count_text(right + 100.0, y + 11.0, row.false_positives, "near");
    content += count_text(right + 146.0, y + 11.0, row.false_negatives, "miss");
    return content + text(right + 154.0, y + 11.0, "soft tiny", row.note);
}

// Label places at least `gap` apart, as near to the wished ones as going down allows.
std::vector<double> spread(std::vector<double> wished, double gap, double lowest) {
    std::vector<std::size_t> order(wished.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return wished[a] < wished[b]; });
    for (std::size_t i = 1; i < order.size(); ++i)
        wished[order[i]] = std::max(wished[order[i]], wished[order[i - 1]] + gap);
    double limit = lowest;
    for (std::size_t i = order.size(); i-- > 0; limit -= gap)
        wished[order[i]] = std::min(wished[order[i]], limit);
    return wished;
}

struct ChartFrame {
    double left = 52.0;
    double top = 22.0;
    double width = 220.0;
    double height = 130.0;

    [[nodiscard]] double x(std::size_t place, std::size_t places) const {
        const double step = width / static_cast<double>(std::max<std::size_t>(places, 1));
        return left + step * (static_cast<double>(place) + 0.5);
    }
    [[nodiscard]] double bottom() const { return top + height; }
};

// The y-axis of a line chart: a logarithmic one, or shares from 0 to a round number above the
// largest.
struct ValueAxis {
    LineChart::Scale scale;
    TimeAxis log;
    double largest = 0.01;
    ChartFrame frame;

    [[nodiscard]] double place(double value) const {
        if (scale != LineChart::Scale::Share) return log.place(value);
        return frame.bottom() - frame.height * std::clamp(value / largest, 0.0, 1.0);
    }
    [[nodiscard]] std::string value_text(double value) const {
        if (scale == LineChart::Scale::LogTime) return format_ns(value);
        return scale == LineChart::Scale::Share ? fmt::format("{:.3g}%", 100.0 * value)
                                                : fmt::format("{:.2g}", value);
    }
    [[nodiscard]] std::string tick_text(double value) const {
        if (scale == LineChart::Scale::LogTime) return decade_text(value);
        return scale == LineChart::Scale::Share ? fmt::format("{:g}%", 100.0 * value)
                                                : fmt::format("{:g}", value);
    }
    [[nodiscard]] std::vector<double> ticks() const {
        if (scale != LineChart::Scale::Share) return log.ticks();
        return {0.0, 0.5 * largest, largest};
    }
};

double round_share(double share) {
    for (const double bound : {0.01, 0.02, 0.04, 0.1, 0.2, 0.4}) {
        if (share <= bound) return bound;
    }
    return 1.0;
}

ValueAxis value_axis(const LineChart& chart, const ChartFrame& frame) {
    std::vector<double> values;
    for (const Series& series : chart.series) {
        for (const auto* column : {&series.y, &series.low, &series.high}) {
            for (const std::optional<double>& y : *column) {
                if (y) values.push_back(*y);
            }
        }
    }
    ValueAxis axis{chart.scale, time_axis(values, frame.bottom(), frame.top), 0.01, frame};
    for (const double value : values)
        axis.largest = std::max(axis.largest, value);
    axis.largest = round_share(axis.largest);
    return axis;
}

std::string chart_grid(const LineChart& chart, const ChartFrame& frame, const ValueAxis& axis) {
    std::string content = text(frame.left, 12.0, "strong", chart.title);
    for (const double tick : axis.ticks()) {
        const double y = axis.place(tick);
        content += line(frame.left, y, frame.left + frame.width, y, "grid");
        content += text(frame.left - 6.0, y + 4.0, "soft end tiny", axis.tick_text(tick));
    }
    for (std::size_t i = 0; i < chart.places.size(); ++i) {
        content += text(frame.x(i, chart.places.size()), frame.bottom() + 15.0, "soft middle tiny",
                        chart.places[i]);
    }
    return content +
           line(frame.left, frame.bottom(), frame.left + frame.width, frame.bottom(), "axis");
}

// From the lower ends there, along the upper ones back.
std::string band_svg(const Series& series, const ChartFrame& frame, const ValueAxis& axis) {
    std::string there;
    std::string back;
    for (std::size_t i = 0; i < std::min(series.low.size(), series.high.size()); ++i) {
        if (!series.low[i] || !series.high[i]) continue;
        const double x = frame.x(i, series.low.size());
        there += fmt::format("{:.1f},{:.1f} ", x, axis.place(*series.low[i]));
        back.insert(0, fmt::format("{:.1f},{:.1f} ", x, axis.place(*series.high[i])));
    }
    if (there.empty()) return "";
    return fmt::format("<polygon points=\"{}{}\" class=\"band s{}\" />", there, back,
                       series.colour % 8);
}

std::string curve_svg(const Series& series, const ChartFrame& frame, const ValueAxis& axis) {
    std::string points;
    std::string dots;
    for (std::size_t i = 0; i < series.y.size(); ++i) {
        if (!series.y[i]) continue;
        const double x = frame.x(i, series.y.size());
        const double y = axis.place(*series.y[i]);
        points += fmt::format("{:.1f},{:.1f} ", x, y);
        dots += dot(x, y, 3.0, fmt::format("dot s{}", series.colour % 8),
                    fmt::format("{}: {}", series.label, axis.value_text(*series.y[i])));
    }
    if (!series.is_joined) return dots;
    return fmt::format("<polyline points=\"{}\" class=\"curve s{}\" />{}", points,
                       series.colour % 8, dots);
}

std::string line_names(const LineChart& chart, const ChartFrame& frame, const ValueAxis& axis) {
    std::vector<double> wished;
    for (const Series& series : chart.series)
        wished.push_back(axis.place(series.y.empty() ? 0.0 : series.y.back().value_or(0.0)) + 4.0);
    const std::vector<double> places = spread(wished, 13.0, frame.bottom());
    std::string content;
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        content += text(frame.left + frame.width - 8.0, places[i],
                        fmt::format("name s{}", chart.series[i].colour % 8), chart.series[i].label);
    }
    return content;
}

constexpr double kBinWidth = 9.0;
constexpr double kHalfHeight = 28.0;
constexpr double kTitleHeight = 16.0;

std::string bin_text(std::size_t bin) {
    constexpr auto kBounds = time_bin_bounds();
    const auto bound = [](std::uint64_t ns) { return format_ns(static_cast<double>(ns)); };
    return bin + 1 < kTimeBins
               ? fmt::format("{} to {}", bound(kBounds[bin]), bound(kBounds[bin + 1]))
               : bound(kBounds[bin]) + " or more";
}

std::string half_histogram(const TimeHistogram& histogram, const BinRange& bins,
                           std::uint64_t largest, bool is_positive) {
    const double axis = kTitleHeight + kHalfHeight;
    std::string content;
    for (std::size_t i = 0; i < bins.count; ++i) {
        const std::uint64_t count = histogram[bins.first + i];
        if (count == 0) continue;
        const double height = kHalfHeight * logarithm(1.0 + static_cast<double>(count)) /
                              logarithm(1.0 + static_cast<double>(largest));
        content +=
            rect(kBinWidth * static_cast<double>(i) + 0.5, is_positive ? axis - height : axis,
                 kBinWidth - 1.0, height, is_positive ? "pos" : "neg",
                 fmt::format("{}: {} {}", bin_text(bins.first + i), count,
                             is_positive ? "positive" : "negative"));
    }
    return content;
}

}  // namespace

double TimeAxis::place(double value) const {
    if (!(value > low)) return from;
    if (!(value < high)) return to;
    return from + (to - from) * (logarithm(value / low) / logarithm(high / low));
}

std::vector<double> TimeAxis::ticks() const {
    const int decades = static_cast<int>(std::lround(logarithm(high / low) / std::numbers::ln10));
    const int step = (decades + 7) / 8;
    std::vector<double> places;
    for (int i = 0; i <= decades; i += std::max(step, 1))
        places.push_back(low * power_of_ten(i));
    return places;
}

TimeAxis time_axis(const std::vector<double>& values, double from, double to) {
    double smallest = 1e300;
    double largest = 0.0;
    for (const double value : values) {
        if (!(value > 0.0 && value < 1e300)) continue;
        smallest = std::min(smallest, value);
        largest = std::max(largest, value);
    }
    if (!(largest > 0.0)) return {1.0, 10.0, from, to};
    // Rounding errors of a power of ten take no decade more.
    const int low = decade_of((1.0 + 1e-9) * smallest);
    const int high = std::max(decade_of((1.0 - 1e-9) * largest), low) + 1;
    return {power_of_ten(low), power_of_ten(high), from, to};
}

std::string decade_text(double ns) {
    constexpr std::array<std::string_view, 4> kUnits = {"ns", "us", "ms", "s"};
    std::size_t unit = 0;
    for (; ns >= 999.0 && unit + 1 < kUnits.size(); ++unit)
        ns /= 1000.0;
    return fmt::format("{:g} {}", std::round(ns * 1000.0) / 1000.0, kUnits[unit]);
}

std::string bar_chart(const std::vector<BarRow>& rows, const TimeAxis& scale) {
    const double right = kLabelWidth + kBarWidth;
    const TimeAxis axis{scale.low, scale.high, kLabelWidth, right};
    const double bottom = kBarTop + kBarStep * static_cast<double>(rows.size());
    std::string content;
    for (const double tick : axis.ticks()) {
        content += line(axis.place(tick), kBarTop - 8.0, axis.place(tick), bottom, "grid");
        content += text(axis.place(tick), kBarTop - 13.0, "soft middle tiny", decade_text(tick));
    }
    content += text(right + 54.0, kBarTop - 13.0, "soft end tiny", "mean");
    content += text(right + 100.0, kBarTop - 13.0, "soft end tiny", "FP");
    content += text(right + 146.0, kBarTop - 13.0, "soft end tiny", "FN");
    for (std::size_t i = 0; i < rows.size(); ++i)
        content += bar_svg(rows[i], axis, kBarTop + kBarStep * static_cast<double>(i));
    return svg(right + 210.0, bottom + 4.0, "times by method", content);
}

std::string line_chart(const LineChart& chart) {
    ChartFrame frame;
    frame.width =
        std::max(frame.width, chart.position_width * static_cast<double>(chart.places.size()));
    const ValueAxis axis = value_axis(chart, frame);
    std::string content = chart_grid(chart, frame, axis);
    for (const Series& series : chart.series)
        content += band_svg(series, frame, axis);
    for (const Series& series : chart.series)
        content += curve_svg(series, frame, axis);
    if (chart.name_lines) content += line_names(chart, frame, axis);
    if (!chart.remark.empty())
        content += text(frame.left + 0.5 * frame.width, frame.top + 0.5 * frame.height - 8.0,
                        "soft middle tiny", chart.remark);
    const double names = chart.name_lines ? 140.0 : 8.0;
    return svg(frame.left + frame.width + names, frame.bottom() + 22.0, chart.title, content);
}

BinRange bins_in_use(const TimeHistogram& histogram) {
    const auto is_used = [](std::uint64_t count) { return count > 0; };
    const auto first = std::find_if(histogram.begin(), histogram.end(), is_used);
    const auto last = std::find_if(histogram.rbegin(), histogram.rend(), is_used).base();
    if (first == histogram.end()) return {};
    return {static_cast<std::size_t>(first - histogram.begin()),
            static_cast<std::size_t>(last - first)};
}

std::string histogram_plot(const HistogramPlot& plot, const BinRange& bins) {
    constexpr auto kBounds = time_bin_bounds();
    const std::uint64_t largest =
        std::max({*std::max_element(plot.positive.begin(), plot.positive.end()),
                  *std::max_element(plot.negative.begin(), plot.negative.end()), std::uint64_t{1}});
    const double width = kBinWidth * static_cast<double>(bins.count + 1);
    const double bottom = kTitleHeight + 2.0 * kHalfHeight;
    std::string content = text(0.0, 11.0, "strong", plot.title);
    for (std::size_t i = 0; i < bins.count; ++i) {
        const std::size_t bin = bins.first + i;
        if (bin % 3 != 1) continue;  // 10, 100, 1000, ... ns are bounds 1, 4, 7, ...
        const double x = kBinWidth * static_cast<double>(i);
        content += line(x, kTitleHeight, x, bottom, "grid");
        if (bin % 9 != 1 && bin % 9 != 7 && bin % 9 != 4) continue;
        const bool is_labelled = (bin / 3) % 2 == 0;
        if (is_labelled)
            content +=
                text(x, bottom + 11.0, "soft tiny", decade_text(static_cast<double>(kBounds[bin])));
    }
    content += line(0.0, kTitleHeight + kHalfHeight, width, kTitleHeight + kHalfHeight, "axis");
    content += half_histogram(plot.positive, bins, largest, true);
    content += half_histogram(plot.negative, bins, largest, false);
    // The last tick may be labelled beyond its bin, and titles are bold.
    constexpr double kLabelRoom = 24.0;
    return svg(std::max({width + kLabelRoom, 150.0, 1.1 * text_width(plot.title)}), bottom + 14.0,
               plot.title, content);
}

std::string ratio_chart(const std::vector<RatioRow>& rows) {
    constexpr double kLeft = 250.0;
    constexpr double kWidth = 380.0;
    const TimeAxis axis{0.01, 10000.0, kLeft, kLeft + kWidth};
    const double bottom = kBarTop + kBarStep * static_cast<double>(rows.size());
    std::string content;
    for (const double tick : axis.ticks()) {
        content += line(axis.place(tick), kBarTop - 8.0, axis.place(tick), bottom,
                        std::abs(tick - 1.0) < 0.01 ? "axis" : "grid");
        content += text(axis.place(tick), kBarTop - 13.0, "soft middle tiny",
                        fmt::format("{:g}x", std::round(tick * 100.0) / 100.0));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const RatioRow& row = rows[i];
        const double y = kBarTop + kBarStep * static_cast<double>(i) + 7.0;
        content += text(kLeft - 10.0, y + 4.0, "end", row.label);
        content += line(axis.place(1.0), y, axis.place(row.ratio), y, "whisker");
        content += dot(axis.place(row.ratio), y, 5.0, "right",
                       fmt::format("ratio of means {:.3g}", row.ratio));
        if (row.median_ratio)
            content += dot(axis.place(*row.median_ratio), y, 3.5, "neg",
                           fmt::format("ratio of medians {:.3g}", *row.median_ratio));
        if (row.published)
            content += diamond(axis.place(*row.published), y, 6.0,
                               fmt::format("in the study {:g}", *row.published));
    }
    return svg(kLeft + kWidth + 20.0, bottom + 4.0, "ratios of times", content);
}

}  // namespace graze::app
