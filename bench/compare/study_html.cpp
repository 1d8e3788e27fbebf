#include "study_html.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pictures/html_text.hpp"
#include "pictures/plot_svg.hpp"
#include "study_report.hpp"

namespace graze::app {
namespace {

using Row = std::optional<double> (*)(const SweepRow&);

// Nothing where so few were asked that a share says little.
std::optional<double> share(std::uint64_t count, std::uint64_t total) {
    constexpr std::uint64_t kFew = 8;
    if (total < kFew) return std::nullopt;
    return static_cast<double>(count) / static_cast<double>(total);
}

std::optional<double> mean_time(const SweepRow& row) {
    const auto times = row.tally.times();
    return times ? std::optional(times->mean) : std::nullopt;
}
std::optional<double> least_time(const SweepRow& row) {
    const auto times = row.tally.times();
    return times ? std::optional(times->min) : std::nullopt;
}
std::optional<double> greatest_time(const SweepRow& row) {
    const auto times = row.tally.times();
    return times ? std::optional(times->max) : std::nullopt;
}
std::optional<double> touching_positives(const SweepRow& row) {
    const auto count = row.tally.false_positives();
    return count ? share(*count, row.tally.counts().with_truth) : std::nullopt;
}
std::optional<double> exact_positives(const SweepRow& row) {
    if (!row.exact) return std::nullopt;
    return share(row.exact->false_positives, row.exact->judged);
}
std::optional<double> exact_negatives(const SweepRow& row) {
    if (!row.exact) return std::nullopt;
    return share(row.exact->false_negatives, row.exact->judged);
}
std::optional<double> over_share(const SweepRow& row) {
    return share(row.tally.counts().over_budget, row.tally.counts().queries);
}
std::optional<double> largest_tolerance(const SweepRow& row) {
    return row.tally.counts().max_tolerance;
}

// Why a panel of mistakes has no curve.
std::string touching_remark(const std::vector<const SweepRow*>& rows) {
    const bool has_truth = std::any_of(rows.begin(), rows.end(), [](const SweepRow* row) {
        return row->tally.counts().with_truth > 0;
    });
    return has_truth ? "fewer than eight with a known truth" : "no truth is stored with these";
}
std::string exact_remark(const std::vector<const SweepRow*>& rows) {
    const bool has_exact = std::any_of(rows.begin(), rows.end(),
                                       [](const SweepRow* row) { return row->exact.has_value(); });
    return has_exact ? "fewer than eight decided exactly in time" : "none decided exactly in time";
}
std::string no_remark(const std::vector<const SweepRow*>&) {
    return "nothing to draw: no method reports it";
}

// What one panel of a sweep shows.
struct Panel {
    std::string_view title;
    LineChart::Scale scale;
    Row value;
    std::string (*remark)(const std::vector<const SweepRow*>&) = no_remark;  // where it is blank
};

std::vector<Panel> panels_of(Experiment experiment) {
    using Scale = LineChart::Scale;
    switch (experiment) {
        case Experiment::Separation:
            return {{"false positives for d", Scale::Share, exact_positives, exact_remark},
                    {"false negatives for d", Scale::Share, exact_negatives, exact_remark},
                    {"mean time", Scale::LogTime, mean_time}};
        case Experiment::Checks:
            return {{"ended by the budget", Scale::Share, over_share},
                    {"largest tolerance reached", Scale::LogNumber, largest_tolerance},
                    {"mean time", Scale::LogTime, mean_time}};
        case Experiment::Tolerance:
        case Experiment::Table:
        case Experiment::Claims:
            break;
    }
    return {{"false positives", Scale::Share, touching_positives, touching_remark},
            {"mean time", Scale::LogTime, mean_time}};
}

// Rows of one group and kind of a sweep.
struct SweepSection {
    std::string group;
    QueryKind kind = QueryKind::VertexFace;
    std::vector<const SweepRow*> rows;
};

std::vector<SweepSection> sections_of(const Sweep& sweep) {
    std::vector<SweepSection> sections;
    for (const SweepRow& row : sweep.rows) {
        const auto found =
            std::find_if(sections.begin(), sections.end(), [&](const SweepSection& section) {
                return section.group == row.group && section.kind == row.kind;
            });
        SweepSection& section = found != sections.end()
                                    ? *found
                                    : sections.emplace_back(SweepSection{row.group, row.kind, {}});
        section.rows.push_back(&row);
    }
    return sections;
}

// In the order in which they appear; the place is the colour.
std::vector<std::string> methods_of(const Sweep& sweep) {
    std::vector<std::string> methods;
    for (const SweepRow& row : sweep.rows) {
        const std::string method(row.method.name);
        if (std::find(methods.begin(), methods.end(), method) == methods.end())
            methods.push_back(method);
    }
    return methods;
}

const SweepRow* row_of(const SweepSection& section, std::string_view method, double value) {
    for (const SweepRow* row : section.rows) {
        if (row->method.name == method && row->value == value) return row;
    }
    return nullptr;
}

std::vector<std::string> place_names(const Sweep& sweep) {
    std::vector<std::string> names;
    for (const double value : sweep.values)
        names.push_back(value_text(value));
    return names;
}

std::string panel_svg(const Sweep& sweep, const SweepSection& section, const Panel& panel) {
    LineChart chart{.title = std::string(panel.title),
                    .places = place_names(sweep),
                    .series = {},
                    .scale = panel.scale,
                    .name_lines = panel.value == mean_time,
                    .remark = ""};
    const std::vector<std::string> methods = methods_of(sweep);
    for (std::size_t m = 0; m < methods.size(); ++m) {
        Series series{.label = methods[m], .colour = m, .y = {}};
        const bool has_range = panel.value == mean_time && methods[m] == distribution_method(sweep);
        for (const double value : sweep.values) {
            const SweepRow* row = row_of(section, methods[m], value);
            series.y.push_back(row != nullptr ? panel.value(*row) : std::nullopt);
            if (!has_range) continue;
            series.low.push_back(row != nullptr ? least_time(*row) : std::nullopt);
            series.high.push_back(row != nullptr ? greatest_time(*row) : std::nullopt);
        }
        const auto is_known = [](const std::optional<double>& y) { return y.has_value(); };
        if (std::any_of(series.y.begin(), series.y.end(), is_known))
            chart.series.push_back(std::move(series));
    }
    if (chart.series.empty()) chart.remark = panel.remark(section.rows);
    return line_chart(chart);
}

// The times at some values, as bars: answers that say contact stand on the axis, others hang from it.
std::string distributions_of(const Sweep& sweep, const SweepSection& section) {
    const std::string method = distribution_method(sweep);
    std::vector<const SweepRow*> rows;
    for (const double value : distribution_values(sweep.experiment)) {
        if (const SweepRow* row = row_of(section, method, value)) rows.push_back(row);
    }
    if (rows.empty()) return "";
    TimeHistogram all{};
    for (const SweepRow* row : rows) {
        const TimeHistogram times = times_histogram(row->tally);
        for (std::size_t i = 0; i < kTimeBins; ++i)
            all[i] += times[i];
    }
    const BinRange bins = bins_in_use(all);
    std::string plots;
    for (const SweepRow* row : rows) {
        plots += histogram_plot(
            {.title = fmt::format("{}, {} = {}", method, subject_of(sweep.experiment).symbol,
                                  value_text(row->value)),
             .positive = row->tally.positive_times().histogram(),
             .negative = row->tally.negative_times().histogram()},
            bins);
    }
    return element("div", "small", plots);
}

std::string coloured(std::uint64_t count, std::string_view css_class) {
    return element("span", count == 0 ? "zero" : css_class, fmt::format("{}", count));
}

// "3 / 0": in colour, as mistakes are.
std::string mistakes_text(std::uint64_t positives, std::uint64_t negatives) {
    return coloured(positives, "near") + " / " + coloured(negatives, "miss");
}

// With a separation only the answer to the question that was asked can be a mistake. What is
// counted against touching is no mistake, and has no colour.
std::string separation_counts(const SweepRow& row) {
    const std::string exact =
        row.exact ? mistakes_text(row.exact->false_positives, row.exact->false_negatives) +
                        element("span", "soft", fmt::format(" of {}", row.exact->judged))
                  : element("span", "soft", "– / –");
    if (!row.tally.false_positives()) return exact;
    return exact + element("span", "soft",
                           fmt::format(" · touching {} / {}", *row.tally.false_positives(),
                                       row.tally.false_negatives().value_or(0)));
}

std::string touching_counts(const SweepRow& row) {
    if (!row.tally.false_positives()) return element("span", "soft", "– / –");
    return mistakes_text(*row.tally.false_positives(), row.tally.false_negatives().value_or(0));
}

std::string cell_of(const SweepRow* row, Experiment experiment) {
    if (row == nullptr) return element("span", "zero", "–");
    const std::string counts =
        experiment == Experiment::Separation ? separation_counts(*row) : touching_counts(*row);
    return fmt::format("{} · {}", format_ns(mean_time(*row).value_or(0.0)), counts) +
           element("span", "soft", fmt::format(" · {} asked", row->tally.counts().queries));
}

std::string table_of(const Sweep& sweep, const SweepSection& section) {
    std::vector<std::string> headings = {std::string(subject_of(sweep.experiment).axis)};
    const std::vector<std::string> methods = methods_of(sweep);
    for (const std::string& method : methods)
        headings.push_back(escaped(method));
    HtmlTable table(headings);
    for (const double value : sweep.values) {
        std::vector<std::string> cells = {value_text(value)};
        for (const std::string& method : methods)
            cells.push_back(cell_of(row_of(section, method, value), sweep.experiment));
        table.add_row(cells);
    }
    return table.html();
}

std::string key_of(const Sweep& sweep) {
    std::string key;
    const std::vector<std::string> methods = methods_of(sweep);
    for (std::size_t m = 0; m < methods.size(); ++m) {
        key += element(
            "span", "",
            fmt::format("<span class=\"swatch s{}\"></span>{}", m % 8, escaped(methods[m])));
    }
    return element("p", "key", key);
}

std::string explanation_of(Experiment experiment) {
    switch (experiment) {
        case Experiment::Separation:
            return "Contact now means to come as near as d. The curves count against the exact "
                   "answer to that question. Methods that know the max-norm are asked in it, the "
                   "others in the Euclidean norm. Cells: mean time · FP / FN against the exact "
                   "answer for d, of so many that the oracle had time for: these are mistakes, and "
                   "in colour · in grey FP / FN against touching, as the study's tables seem to "
                   "count: to say, rightly, of two that never touch that they come within d is an "
                   "FP there, and no mistake · queries asked. With a separation methods guarantee "
                   "to miss nothing (no FN); what comes within d and their tolerance they may call "
                   "contact (an FP).";
        case Experiment::Tolerance:
            return "How near may count as contact. Cells: mean time · FP / FN · queries asked.";
        case Experiment::Checks:
            return "What a query may spend before it must answer; the answer is then contact, with "
                   "the tolerance that was reached. Cells: mean time · FP / FN · queries asked.";
        case Experiment::Table:
        case Experiment::Claims:
            break;
    }
    return "";
}

// What the shaded area and the bars are.
std::string range_remark(const Sweep& sweep) {
    if (distribution_values(sweep.experiment).empty()) return "";
    return fmt::format(
        " Shaded: from the least to the greatest time of {0}. Bars below: how its times are "
        "distributed at three values, contact above and separated below the axis, heights "
        "logarithmic.",
        escaped(distribution_method(sweep)));
}

std::string sweep_html(const BenchRequest& request, const Sweep& sweep) {
    const SweepSubject subject = subject_of(sweep.experiment);
    std::string html =
        element("h2", "",
                fmt::format("<span id=\"{}\">{}</span>", name(sweep.experiment), subject.heading)) +
        element("p", "", explanation_of(sweep.experiment)) +
        element("p", "soft",
                fmt::format("In the study: {}. Means of different samples differ where a few slow "
                            "queries rule them; curves that agree hide each other; a fraction of "
                            "fewer than eight queries is not drawn.{}",
                            subject.reference, range_remark(sweep))) +
        (sweep.complete ? "" : element("p", "bad", "Interrupted.")) + key_of(sweep);
    for (const SweepSection& section : sections_of(sweep)) {
        std::string panels;
        for (const Panel& panel : panels_of(sweep.experiment))
            panels += panel_svg(sweep, section, panel);
        html +=
            figure_html({.id = "",
                         .heading = fmt::format("{}, {}", section.group, long_name(section.kind)),
                         .content = element("div", "panels", panels) +
                                    distributions_of(sweep, section) + table_of(sweep, section),
                         .note = "",
                         .command = command_of(request, sweep.experiment)});
    }
    return html;
}

std::string claims_table(const std::vector<ClaimRow>& rows) {
    HtmlTable table({"claim", "slow", "fast", "group", "kind", "queries", "slow mean", "fast mean",
                     "means", "medians", "study"});
    for (const ClaimRow& row : rows) {
        table.add_row({escaped(row.claim), escaped(row.slow), escaped(row.fast), escaped(row.group),
                       std::string(long_name(row.kind)), fmt::format("{}", row.queries),
                       format_ns(row.slow_ns), format_ns(row.fast_ns), ratio_text(row.ratio()),
                       ratio_text(row.median_ratio()), ratio_text(row.published)});
    }
    return table.html();
}

std::string claims_html(const BenchRequest& request, const std::vector<ClaimRow>& rows) {
    std::vector<std::string_view> claims;
    for (const ClaimRow& row : rows) {
        if (std::find(claims.begin(), claims.end(), row.claim) == claims.end())
            claims.push_back(row.claim);
    }
    std::string plots;
    for (const std::string_view claim : claims) {
        std::vector<RatioRow> ratios;
        for (const ClaimRow& row : rows) {
            if (row.claim != claim) continue;
            ratios.push_back({.label = fmt::format("{}, {}", row.group, long_name(row.kind)),
                              .ratio = row.ratio(),
                              .median_ratio = row.median_ratio(),
                              .published = row.published});
        }
        plots += element("div", "", element("h3", "", escaped(claim)) + ratio_chart(ratios));
    }
    return element("h2", "", "<span id=\"claims\">Ratios of times</span>") +
           element("p", "",
                   "How many times faster the second way is than the first, on the same queries "
                   "here. Blue: ratio of means; pink: ratio of medians; diamond: what the study "
                   "states for its own data and machine.") +
           figure_html({.id = "",
                        .heading = "Speed-ups that the study states, and two of ours",
                        .content = element("div", "pair", plots) + claims_table(rows),
                        .note = "",
                        .command = command_of(request, Experiment::Claims)});
}

}  // namespace

std::string study_links(const Study& study) {
    std::string links;
    for (const Sweep& sweep : study.sweeps) {
        links += fmt::format("<a href=\"#{}\">{}</a>", name(sweep.experiment),
                             subject_of(sweep.experiment).heading);
    }
    return links + (study.has_claims ? "<a href=\"#claims\">Ratios of times</a>" : "");
}

std::string study_html(const BenchRequest& request, const Study& study) {
    std::string html;
    for (const Sweep& sweep : study.sweeps)
        html += sweep_html(request, sweep);
    if (study.has_claims) html += claims_html(request, study.claims);
    return html;
}

}  // namespace graze::app
