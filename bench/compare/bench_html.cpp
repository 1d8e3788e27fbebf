#include "bench_html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "bench_report.hpp"
#include "bench_verdict.hpp"
#include "graze/verify/methods.hpp"
#include "pictures/html_text.hpp"
#include "pictures/plot_svg.hpp"
#include "study_html.hpp"

namespace graze::app {
using namespace verify;
namespace {

// Rows of one group and kind.
using Section = std::vector<const BenchRow*>;

std::vector<Section> sections_of(const std::vector<BenchRow>& rows) {
    std::vector<Section> sections;
    for (const BenchRow& row : rows) {
        const auto found =
            std::find_if(sections.begin(), sections.end(), [&](const Section& section) {
                return section[0]->group == row.group && section[0]->kind == row.kind;
            });
        (found != sections.end() ? *found : sections.emplace_back()).push_back(&row);
    }
    return sections;
}

TimeSummary times_of(const BenchRow& row) {
    return row.tally.times().value_or(TimeSummary{});
}

// The axis that all bars share: from the smallest median to the largest time.
TimeAxis scale_of(const std::vector<BenchRow>& rows) {
    std::vector<double> values;
    for (const BenchRow& row : rows) {
        values.push_back(std::max(times_of(row).median, 10.0));
        values.push_back(times_of(row).max);
    }
    return time_axis(values, 0.0, 1.0);
}

BinRange bins_of(const std::vector<BenchRow>& rows) {
    TimeHistogram sum{};
    for (const BenchRow& row : rows) {
        for (std::size_t i = 0; i < kTimeBins; ++i) {
            sum[i] += row.tally.positive_times().histogram()[i] +
                      row.tally.negative_times().histogram()[i];
        }
    }
    return bins_in_use(sum);
}

std::string colour_of(const BenchRow& row) {
    if (row.tally.false_negatives().value_or(0) > 0) return "miss";
    return row.tally.false_positives().value_or(0) > 0 ? "near" : "right";
}

std::string share_text(const BenchRow& row) {
    std::string text = row.stride == 1 ? "" : fmt::format("1 of {}", row.stride);
    return row.complete ? text : text + " cut short";
}

BarRow bar_of(const BenchRow& row) {
    const TimeSummary times = times_of(row);
    return {.label = std::string(row.method.name),
            .tooltip =
                fmt::format("{}: {}\nmean {}, median {}, p99 {}, p99.9 {}, max {}", row.method.name,
                            row.method.summary, format_ns(times.mean), format_ns(times.median),
                            format_ns(times.p99), format_ns(times.p999), format_ns(times.max)),
            .css_class = colour_of(row),
            .times = times,
            .false_positives = row.tally.false_positives(),
            .false_negatives = row.tally.false_negatives(),
            .note = share_text(row)};
}

std::string count_cell(const std::optional<std::uint64_t>& count, std::string_view css_class) {
    if (!count) return element("span", "zero", "–");
    return element("span", *count == 0 ? "zero" : css_class, fmt::format("{}", *count));
}

std::string small_cell(const std::optional<double>& value) {
    return value ? fmt::format("{:.2g}", *value) : element("span", "zero", "–");
}

std::string table_of(const Section& section) {
    HtmlTable table({"method", "asked", "every", "mean", "median", "p99", "p99.9", "max", "heap",
                     "FP", "FN", "unres.", "toi!", "over", "max tol", "lag", "lead"});
    for (const BenchRow* row : section) {
        const TimeSummary times = times_of(*row);
        const Tally::Counts& counts = row->tally.counts();
        const Tally::TimeErrors errors = row->tally.time_errors();
        const auto heap = heap_of(*row);
        table.add_row(
            {escaped(row->method.name), fmt::format("{}", counts.queries),
             fmt::format("{}{}", row->stride, row->complete ? "" : "*"), format_ns(times.mean),
             format_ns(times.median), format_ns(times.p99), format_ns(times.p999),
             format_ns(times.max), heap ? format_bytes(*heap) : element("span", "zero", "–"),
             count_cell(row->tally.false_positives(), "near"),
             count_cell(row->tally.false_negatives(), "miss"),
             count_cell(counts.unresolved, "near"), count_cell(row->tally.toi_errors(), "miss"),
             count_cell(counts.over_budget, "near"), small_cell(counts.max_tolerance),
             small_cell(errors.lag.max()), small_cell(errors.lead.max())});
    }
    return table.html();
}

std::string heading_of(const Section& section) {
    const BenchRow& first = *section[0];
    const auto hits = first.tally.true_contacts();
    const std::string known =
        hits ? fmt::format(", {} of the {} asked touch", *hits, first.tally.counts().queries) : "";
    return fmt::format("{}: {} queries{}", long_name(first.kind), first.group_queries, known);
}

// What a reader of the counts has to know where some methods were asked a sample.
std::string sample_note(const std::vector<Section>& sections) {
    std::uint64_t coarsest = 1;
    for (const Section& section : sections) {
        for (const BenchRow* row : section)
            coarsest = std::max(coarsest, row->stride);
    }
    if (coarsest == 1) return "";
    return "Not all were asked the same queries: counts of mistakes compare only between rows with "
           "the same share (&quot;1 of 8&quot;; column every).";
}

// Why there are no counts, where it is so.
std::string truth_note(const std::vector<Section>& sections) {
    for (const Section& section : sections) {
        for (const BenchRow* row : section) {
            if (row->tally.counts().with_truth > 0) return "";
        }
    }
    return "FP and FN are dashes: no truth is stored with these queries.";
}

std::string notes_of(const std::vector<Section>& sections) {
    const std::string sample = sample_note(sections);
    const std::string truth = truth_note(sections);
    return sample.empty() || truth.empty() ? sample + truth : sample + " " + truth;
}

// Where links to a group lead.
std::string anchor_of(const std::string& group) {
    std::string anchor = "group-";
    for (const char c : group)
        anchor += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
    return anchor;
}

bool is_rare(const Section& section) {
    return section[0]->kind == QueryKind::VertexVertex || section[0]->kind == QueryKind::VertexEdge;
}

// All kinds of one group, beside each other.
std::string bars_figure(const std::vector<Section>& sections, const TimeAxis& scale,
                        const std::string& command) {
    std::string charts;
    for (const Section& section : sections) {
        std::vector<BarRow> bars;
        for (const BenchRow* row : section)
            bars.push_back(bar_of(*row));
        const std::string heading = element("h4", "", escaped(heading_of(section)));
        charts += element("div", "", heading + bar_chart(bars, scale));
    }
    const std::string& group = sections[0][0]->group;
    return figure_html({.id = is_rare(sections[0]) ? "" : anchor_of(group),
                        .heading = group,
                        .content = element("div", "pair", charts),
                        .note = notes_of(sections),
                        .command = command});
}

std::string numbers_figure(const std::vector<Section>& sections, const std::string& command) {
    std::string tables;
    for (const Section& section : sections)
        tables += element("h4", "", escaped(heading_of(section))) + table_of(section);
    return figure_html({.id = "",
                        .heading = sections[0][0]->group + ", in numbers",
                        .content = tables,
                        .note = notes_of(sections),
                        .command = command});
}

std::string histograms_figure(const std::vector<Section>& sections, const BinRange& bins,
                              const std::string& command) {
    std::string content;
    for (const Section& section : sections) {
        std::string plots;
        for (const BenchRow* row : section) {
            plots += histogram_plot({.title = std::string(row->method.name),
                                     .positive = row->tally.positive_times().histogram(),
                                     .negative = row->tally.negative_times().histogram()},
                                    bins);
        }
        content += element("h4", "", escaped(heading_of(section))) + element("div", "small", plots);
    }
    return figure_html({.id = "",
                        .heading = sections[0][0]->group,
                        .content = content,
                        .note = "",
                        .command = command});
}

// One figure a group.
std::string groups_html(const std::vector<Section>& sections,
                        const std::function<std::string(const std::vector<Section>&)>& figure) {
    std::string html;
    for (std::size_t first = 0; first < sections.size(); ++first) {
        const std::string& group = sections[first][0]->group;
        const auto same = [&](const Section& section) { return section[0]->group == group; };
        const auto begin = sections.begin();
        if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(first), same)) continue;
        std::vector<Section> members;
        std::copy_if(begin, sections.end(), std::back_inserter(members), same);
        html += figure(members);
    }
    return html;
}

// Groups of the common kinds, and the others behind a line that opens them.
std::string figures_html(const std::vector<Section>& sections,
                         const std::function<std::string(const std::vector<Section>&)>& figure) {
    std::vector<Section> common;
    std::vector<Section> rare;
    for (const Section& section : sections)
        (is_rare(section) ? rare : common).push_back(section);
    const std::string html = groups_html(common, figure);
    if (rare.empty()) return html;
    return html + element("details", "",
                          element("summary", "", "Vertex-vertex and vertex-edge queries") +
                              groups_html(rare, figure));
}

std::string swatch(std::string_view css_class, std::string_view meaning) {
    return element("span", "",
                   fmt::format("<span class=\"swatch {}\"></span>{}", css_class, meaning));
}

std::string bars_key() {
    return element("p", "key",
                   swatch("right", "no mistake") + swatch("near", "false positives") +
                       swatch("miss", "misses contacts (false negatives)") +
                       element("span", "soft",
                               "bar: mean; notch: median; line: on to p99.9 and the slowest query; "
                               "all on one logarithmic scale"));
}

std::string table_html(const BenchRequest& request, const BenchRun& run) {
    if (run.rows().empty()) return "";
    const std::vector<Section> sections = sections_of(run.rows());
    const TimeAxis scale = scale_of(run.rows());
    const BinRange bins = bins_of(run.rows());
    const std::string command = command_of(request, Experiment::Table);
    std::string html = element("h2", "", "<span id=\"table\">Time and mistakes</span>") +
                       element("p", "",
                               "False positives (FP) and false negatives (FN) are counted against "
                               "exact truth; unresolved counts as contact. A method that is too "
                               "slow for its time budget was asked an even sample: every "
                               "2nd, 4th, 8th, ... query.") +
                       bars_key();
    html += figures_html(sections, [&](const std::vector<Section>& group) {
        return bars_figure(group, scale, command);
    });
    html += element("h3", "", "The same in numbers") +
            element("p", "soft",
                    "every: asked every Nth query of the group; heap: the most that one query "
                    "took; toi!: times on the wrong side of the "
                    "exact first time; over: queries that spent the work budget; max tol: largest "
                    "tolerance that an answer ended with; lag and lead: largest distance of the "
                    "lower time before, of the upper time after the exact one.");
    html += figures_html(sections, [&](const std::vector<Section>& group) {
        return numbers_figure(group, command);
    });
    html += element("h2", "", "<span id=\"histograms\">Run times of hits and misses</span>") +
            element("p", "key",
                    swatch("pos", "answers contact or unresolved, above the axis") +
                        swatch("neg", "answers separated, below it") +
                        element("span", "soft", "three bins a decade, heights are logarithmic"));
    return html + figures_html(sections, [&](const std::vector<Section>& group) {
               return histograms_figure(group, bins, command);
           });
}

// "12 (3.4%)": a count with its share, which compares between samples.
std::string share_cell(std::uint64_t count, std::uint64_t total, std::string_view css_class) {
    if (total == 0) return element("span", "zero", "–");
    if (count == 0) return element("span", "zero", "0");
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(total);
    return element("span", css_class, fmt::format("{} ({:.2g}%)", count, percent));
}

std::string summary_note(const BenchSummary& summary) {
    std::string note = fmt::format(
        "Over the {} groups and kinds that every method answered; each group weighs by its "
        "queries. FP: false positives, FN: false negatives (missed contacts), against exact truth; "
        "unresolved counts as contact. Shares are of the queries asked of the method whose truth "
        "is known.",
        summary.sections);
    if (summary.sections_left > 0)
        note += fmt::format(" {} that not all can answer are left out.", summary.sections_left);
    return element("p", "soft", note);
}

// The verdict and one row a method: what the page comes to.
std::string summary_html(const BenchRun& run) {
    if (run.rows().empty()) return "";
    std::string html =
        element("p", "verdict", escaped(verdict_line(run.rows(), default_method_name())));
    const BenchSummary summary = comparable_summary(run.rows());
    if (summary.methods.empty()) return html;
    HtmlTable table({"method", "mean time", "FP", "FN", "unresolved", "wrong times", "asked"});
    for (const MethodSummary& method : summary.methods) {
        table.add_row({escaped(method.method.name), format_ns(method.mean_ns),
                       share_cell(method.false_positives, method.with_truth, "near"),
                       share_cell(method.false_negatives, method.with_truth, "miss"),
                       share_cell(method.unresolved, method.asked, "near"),
                       share_cell(method.wrong_times, method.with_truth, "miss"),
                       method.asked == method.queries
                           ? fmt::format("all {}", method.queries)
                           : fmt::format("{} of {}", method.asked, method.queries)});
    }
    return html + element("div", "summary", table.html()) + summary_note(summary);
}

std::string group_links(const BenchRun& run) {
    std::vector<std::string> groups;
    for (const Section& section : sections_of(run.rows())) {
        const std::string& group = section[0]->group;
        if (!is_rare(section) && std::find(groups.begin(), groups.end(), group) == groups.end())
            groups.push_back(group);
    }
    if (groups.size() < 2) return "";
    std::string links;
    for (const std::string& group : groups)
        links += fmt::format("<a href=\"#{}\">{}</a>", anchor_of(group), escaped(group));
    return element("nav", "groups", "Groups: " + links);
}

std::string header_html(const BenchRequest& request, const BenchRun& run, const Study& study,
                        const BuildInfo& build) {
    std::string links;
    if (!run.rows().empty()) {
        links +=
            "<a href=\"#table\">Time and mistakes</a>"
            "<a href=\"#histograms\">Hits and misses</a>";
    }
    links += study_links(study);
    std::string html =
        element("h1", "", "Continuous collision detection: methods compared") +
        element("p", "",
                "Two primitives move through a step. Do they touch, and when first? Each method "
                "answers the same queries, or an even sample of them; the truth is exact.") +
        summary_html(run) +
        element("p", "facts",
                escaped(fmt::format("graze {} · {} · {} · {} cores · {} · {} build", build.version,
                                    build.cpu, build.os, build.cores, build.compiler,
                                    build.build_type))) +
        element("p", "facts", "Made by " + element("code", "", escaped(command_of(request))));
    if (!run.is_complete() || !study.complete)
        html += element("p", "bad", "Interrupted: what is missing was not measured.");
    return html + element("nav", "", "Contents: " + links) + group_links(run) + "\n";
}

std::string footer_html(const BenchRun& run, const BuildInfo& build) {
    std::string hashes;
    for (const MethodHash& entry : run.hashes()) {
        if (run.rows().empty()) break;
        hashes += fmt::format("{} {}{} ", escaped(entry.method.name),
                              element("code", "", entry.hash.hex()),
                              entry.is_sample ? " (of a sample)" : "");
    }
    if (!hashes.empty()) hashes = element("p", "", "Result hashes: " + hashes);
    return element("footer", "", hashes + element("pre", "", escaped(to_text(build)))) + "\n";
}

}  // namespace

std::string page_html(const BenchRequest& request, const BenchRun& run, const Study& study,
                      const BuildInfo& build) {
    return page_frame("graze bench", header_html(request, run, study, build) +
                                         table_html(request, run) + study_html(request, study) +
                                         footer_html(run, build));
}

}  // namespace graze::app
