#include "bench_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace graze::tools {
namespace {

constexpr std::string_view kStyle = R"(
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 2rem 0 .4rem }
table { border-collapse: collapse; width: 100% } th { text-align: right; color: #666; font-weight: 500 }
th:first-child, td:first-child { text-align: left; width: 11rem } td { text-align: right; border-top: 1px solid #eee }
th, td { padding: .2rem .5rem; white-space: nowrap; font-variant-numeric: tabular-nums }
td.bar { width: 16rem; text-align: left } td.bar div { height: .8rem; background: #8fb7de; position: relative }
td.bar i { position: absolute; top: -.1rem; height: 1rem; border-left: 2px solid #2f6cab }
td.histogram { width: 24rem; text-align: left } svg { display: block }
.positive { color: #2f6cab; fill: #2f6cab } .negative { color: #d97b29; fill: #d97b29 }
svg line { stroke: #ddd } svg text { fill: #888; font-size: 9px }
.bad { color: #c0392b; font-weight: 700 } .note { color: #e08e0b } .zero { color: #999 }
footer { margin-top: 2.5rem; color: #666; font-size: .85rem; overflow-wrap: anywhere })";

std::string escaped(std::string_view text) {
    std::string html;
    for (const char c : text) {
        switch (c) {
            case '&':
                html += "&amp;";
                break;
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            case '"':
                html += "&quot;";
                break;
            default:
                html += c;
        }
    }
    return html;
}

// A count in a colour of its own unless it is zero; "-" where it is not known.
std::string count_cell(const std::optional<std::uint64_t>& count, std::string_view colour) {
    if (!count) return "<td class=zero>-</td>";
    return fmt::format("<td class={}>{}</td>", *count == 0 ? "zero" : colour, *count);
}

std::string tolerance_cell(const std::optional<double>& tolerance) {
    if (!tolerance) return "<td class=zero>-</td>";
    return fmt::format("<td>{:.2g}</td>", *tolerance);
}

// The time axis that all sections share, from a tenth below the smallest median to the largest p99.
struct LogScale {
    double low = std::log(1.0);
    double high = std::log(10.0);

    [[nodiscard]] double percent(double ns) const {
        return 100.0 * std::clamp((std::log(std::max(ns, 1.0)) - low) / (high - low), 0.0, 1.0);
    }
};

LogScale scale_of(const std::vector<BenchRow>& rows) {
    double smallest = kInfinity;
    double largest = 10.0;
    for (const BenchRow& row : rows) {
        const TimeSummary times = row.tally.times().value_or(TimeSummary{});
        smallest = std::min(smallest, std::max(times.median, 1.0));
        largest = std::max(largest, times.p99);
    }
    if (!(smallest < largest)) return {};
    return {std::log(smallest / 10.0), std::log(largest)};
}

std::string row_html(const BenchRow& row, const LogScale& scale) {
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    std::string html = fmt::format("<tr><td title=\"{}\">{}</td>", escaped(row.method.summary),
                                   escaped(row.method.name));
    html += fmt::format(
        "<td class=bar><div style=\"width:{:.1f}%\"></div>"
        "<div style=\"height:0\"><i style=\"left:{:.1f}%;top:-.9rem\"></i></div></td>",
        scale.percent(times.median), scale.percent(times.p99));
    for (const double ns : {times.mean, times.median, times.p99, times.max}) {
        html += fmt::format("<td>{}</td>", format_ns(ns));
    }
    return html + count_cell(row.tally.false_positives(), "note") +
           count_cell(row.tally.false_negatives(), "bad") +
           count_cell(row.tally.counts().unresolved, "note") +
           count_cell(row.tally.toi_errors(), "bad") +
           count_cell(row.tally.counts().over_budget, "note") +
           tolerance_cell(row.tally.counts().max_tolerance) + "</tr>\n";
}

// The bins that any row uses; all sections draw these and no others.
struct BinRange {
    std::size_t first = 0;
    std::size_t count = 0;
};

BinRange bins_of(const std::vector<BenchRow>& rows) {
    TimeHistogram sum{};
    for (const BenchRow& row : rows) {
        for (std::size_t i = 0; i < kTimeBins; ++i) {
            sum[i] += row.tally.positive_times().histogram()[i] +
                      row.tally.negative_times().histogram()[i];
        }
    }
    const auto is_used = [](std::uint64_t count) { return count > 0; };
    const auto first = std::find_if(sum.begin(), sum.end(), is_used);
    const auto last = std::find_if(sum.rbegin(), sum.rend(), is_used).base();
    if (first == sum.end()) return {};
    return {static_cast<std::size_t>(first - sum.begin()), static_cast<std::size_t>(last - first)};
}

// Sizes in the units of the picture: bars of positive answers stand on the axis, bars of negative
// ones hang from it. Heights are logarithmic, so that a single slow query can be seen.
constexpr double kBinWidth = 14.0;
constexpr double kHalfHeight = 26.0;
constexpr double kLabelHeight = 11.0;

// "10 us": a bound is 1, 2 or 5 times a power of ten.
std::string bound_text(std::uint64_t ns) {
    constexpr std::array<std::string_view, 4> kUnits = {"ns", "us", "ms", "s"};
    std::size_t unit = 0;
    for (; ns >= 1000 && unit + 1 < kUnits.size(); ++unit)
        ns /= 1000;
    return fmt::format("{} {}", ns, kUnits[unit]);
}

std::string bin_text(std::size_t bin) {
    constexpr auto kBounds = time_bin_bounds();
    return bin + 1 < kTimeBins
               ? fmt::format("{} to {}", bound_text(kBounds[bin]), bound_text(kBounds[bin + 1]))
               : bound_text(kBounds[bin]) + " or more";
}

// `largest` is the largest count of the row, so that both colours compare.
std::string bars_svg(const TimeHistogram& histogram, const BinRange& bins, std::uint64_t largest,
                     bool is_positive) {
    std::string svg;
    for (std::size_t i = 0; i < bins.count; ++i) {
        const std::uint64_t count = histogram[bins.first + i];
        if (count == 0) continue;
        const double height = kHalfHeight * std::log1p(static_cast<double>(count)) /
                              std::log1p(static_cast<double>(largest));
        const std::string_view answers = is_positive ? "positive" : "negative";
        svg += fmt::format(
            "<rect class={} x={:.0f} y={:.1f} width={:.0f} height={:.1f}><title>{}: {} "
            "{}</title></rect>",
            answers, kBinWidth * static_cast<double>(i) + 1.0,
            is_positive ? kHalfHeight - height : kHalfHeight, kBinWidth - 2.0, height,
            bin_text(bins.first + i), count, answers);
    }
    return svg;
}

// The axis with a label at every decade.
std::string axis_svg(const BinRange& bins) {
    constexpr auto kBounds = time_bin_bounds();
    std::string svg = fmt::format("<line x1=0 x2={0:.0f} y1={1:.1f} y2={1:.1f} />",
                                  kBinWidth * static_cast<double>(bins.count), kHalfHeight);
    for (std::size_t i = 0; i < bins.count; ++i) {
        const std::size_t bin = bins.first + i;
        if (bin % 3 != 1) continue;  // 10, 100, 1000, ... ns are bounds 1, 4, 7, ...
        const double x = kBinWidth * static_cast<double>(i);
        svg += fmt::format(
            "<line x1={0:.0f} x2={0:.0f} y1=0 y2={1:.0f} /><text x={2:.0f} y={3:.0f}>{4}</text>", x,
            2.0 * kHalfHeight, x + 1.0, 2.0 * kHalfHeight + kLabelHeight - 2.0,
            bound_text(kBounds[bin]));
    }
    return svg;
}

std::string histogram_svg(const BenchRow& row, const BinRange& bins) {
    const TimeHistogram& positive = row.tally.positive_times().histogram();
    const TimeHistogram& negative = row.tally.negative_times().histogram();
    const std::uint64_t largest =
        std::max({*std::max_element(positive.begin(), positive.end()),
                  *std::max_element(negative.begin(), negative.end()), std::uint64_t{1}});
    // Room for the label of a decade that begins with the last bin.
    const double width = kBinWidth * static_cast<double>(bins.count + 2);
    return fmt::format("<svg width={:.0f} height={:.0f} role=img>{}{}{}</svg>", width,
                       2.0 * kHalfHeight + kLabelHeight, axis_svg(bins),
                       bars_svg(positive, bins, largest, true),
                       bars_svg(negative, bins, largest, false));
}

// Two lines in a cell: of the positive answers and of the negative ones.
std::string split_cell(const std::string& positive, const std::string& negative) {
    return fmt::format("<td><span class=positive>{}</span><br><span class=negative>{}</span></td>",
                       positive, negative);
}

std::string split_row_html(const BenchRow& row, const BinRange& bins) {
    const TimeSample& positive = row.tally.positive_times();
    const TimeSample& negative = row.tally.negative_times();
    const auto time = [](const TimeSample& sample, double TimeSummary::*field) {
        const std::optional<TimeSummary> times = sample.summary();
        return times ? format_ns((*times).*field) : std::string("-");
    };
    std::string html = fmt::format("<tr><td>{}</td><td class=histogram>{}</td>",
                                   escaped(row.method.name), histogram_svg(row, bins)) +
                       split_cell(fmt::format("{} positive", positive.size()),
                                  fmt::format("{} negative", negative.size()));
    for (const auto field : {&TimeSummary::mean, &TimeSummary::median, &TimeSummary::p99,
                             &TimeSummary::p999, &TimeSummary::max}) {
        html += split_cell(time(positive, field), time(negative, field));
    }
    return html + "</tr>\n";
}

// What rows of one section share.
struct PageScales {
    LogScale times;
    BinRange bins;
};

std::string section_html(const std::vector<BenchRow>& rows, const BenchRow& first,
                         const PageScales& scales) {
    const auto hits = first.tally.true_contacts();
    std::string html = fmt::format(
        "<h2>{} {}: {} queries, {} hits</h2>\n<table><tr><th>method<th>median, p99 (log)"
        "<th>mean<th>median<th>p99<th>max<th>FP<th>FN<th>unresolved<th>toi!<th>over"
        "<th>max tol</tr>\n",
        escaped(first.group), long_name(first.kind), first.tally.counts().queries,
        hits ? fmt::format("{}", *hits) : "?");
    std::string split =
        "<table><tr><th>method<th>answers by time (log)<th>answers<th>mean<th>median<th>p99"
        "<th>p99.9<th>max</tr>\n";
    for (const BenchRow& row : rows) {
        if (row.group != first.group || row.kind != first.kind) continue;
        html += row_html(row, scales.times);
        split += split_row_html(row, scales.bins);
    }
    return html + "</table>\n" + split + "</table>\n";
}

std::string footer_html(const BenchRun& run, const std::string& command, const BuildInfo& build) {
    std::string html = fmt::format("<footer><p>Made by <code>{}</code></p><p>", escaped(command));
    for (const MethodHash& entry : run.hashes()) {
        html += fmt::format("{} <code>{}</code> ", escaped(entry.method.name), entry.hash.hex());
    }
    return html + fmt::format("(result hashes)</p><p>{}</p></footer>", escaped(to_text(build)));
}

}  // namespace

std::string page_html(const BenchRequest& request, const BenchRun& run, const Study&,
                      const BuildInfo& build) {
    const std::string command = command_of(request);
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=en><meta charset=utf-8><title>graze bench</title>"
        "<style>{}</style>\n<h1>Continuous collision detection: methods compared</h1>\n"
        "<p>FP, FN: false positives and false negatives against exact truth; Unresolved counts as "
        "contact. toi!: times on the wrong side of the exact first time. over: queries that spent "
        "the "
        "work budget. max tol: the largest tolerance that an answer ended with.</p>\n"
        "<p>The histograms count answers by their time, three bins a decade, with logarithmic "
        "heights: <span class=positive>positive answers</span> (contact, unresolved) above the "
        "axis, <span class=negative>negative answers</span> (separated) below it.</p>\n",
        kStyle);
    if (!run.is_complete())
        html += "<p class=bad>Interrupted: what is missing was not measured.</p>\n";
    const PageScales scales{scale_of(run.rows()), bins_of(run.rows())};
    std::vector<std::pair<std::string, QueryKind>> done;
    for (const BenchRow& row : run.rows()) {
        const std::pair section(row.group, row.kind);
        if (std::find(done.begin(), done.end(), section) != done.end()) continue;
        done.push_back(section);
        html += section_html(run.rows(), row, scales);
    }
    return html + footer_html(run, command, build) + "</html>\n";
}

}  // namespace graze::tools
