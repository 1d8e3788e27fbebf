#include "bench_html.hpp"

#include <fmt/format.h>

#include <algorithm>
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
           count_cell(row.tally.toi_errors(), "bad") + "</tr>\n";
}

std::string section_html(const std::vector<BenchRow>& rows, const BenchRow& first,
                         const LogScale& scale) {
    const auto hits = first.tally.true_contacts();
    std::string html = fmt::format(
        "<h2>{} {}: {} queries, {} hits</h2>\n<table><tr><th>method<th>median, p99 (log)"
        "<th>mean<th>median<th>p99<th>max<th>FP<th>FN<th>unresolved<th>toi!</tr>\n",
        escaped(first.group), long_name(first.kind), first.tally.counts().queries,
        hits ? fmt::format("{}", *hits) : "?");
    for (const BenchRow& row : rows) {
        if (row.group == first.group && row.kind == first.kind) html += row_html(row, scale);
    }
    return html + "</table>\n";
}

std::string footer_html(const BenchRun& run, const std::string& command, const BuildInfo& build) {
    std::string html = fmt::format("<footer><p>Made by <code>{}</code></p><p>", escaped(command));
    for (const MethodHash& entry : run.hashes()) {
        html += fmt::format("{} <code>{}</code> ", escaped(entry.method.name), entry.hash.hex());
    }
    return html + fmt::format("(result hashes)</p><p>{}</p></footer>", escaped(to_text(build)));
}

}  // namespace

std::string page_html(const BenchRun& run, const std::string& command, const BuildInfo& build) {
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=en><meta charset=utf-8><title>graze bench</title>"
        "<style>{}</style>\n<h1>Continuous collision detection: methods compared</h1>\n"
        "<p>FP, FN: false positives and false negatives against exact truth; Unresolved counts as "
        "contact. toi!: times on the wrong side of the exact first time.</p>\n",
        kStyle);
    const LogScale scale = scale_of(run.rows());
    std::vector<std::pair<std::string, QueryKind>> done;
    for (const BenchRow& row : run.rows()) {
        const std::pair section(row.group, row.kind);
        if (std::find(done.begin(), done.end(), section) != done.end()) continue;
        done.push_back(section);
        html += section_html(run.rows(), row, scale);
    }
    return html + footer_html(run, command, build) + "</html>\n";
}

}  // namespace graze::tools
