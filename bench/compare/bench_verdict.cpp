#include "bench_verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cli/text_layout.hpp"

namespace graze::app {
namespace {

using SectionName = std::pair<std::string, QueryKind>;

SectionName section_name(const BenchRow& row) {
    return {row.group, row.kind};
}

MethodSummary& summary_for(std::vector<MethodSummary>& methods, const Method& method) {
    const auto found = std::find_if(methods.begin(), methods.end(), [&](const MethodSummary& m) {
        return m.method.name == method.name;
    });
    if (found != methods.end()) return *found;
    methods.emplace_back().method = method;
    return methods.back();
}

// mean_ns holds the sum of the weighted means until all rows are in.
void add_row(MethodSummary& summary, const BenchRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    summary.queries += row.group_queries;
    summary.asked += counts.queries;
    summary.with_truth += counts.with_truth;
    summary.false_positives += row.tally.false_positives().value_or(0);
    summary.false_negatives += row.tally.false_negatives().value_or(0);
    summary.wrong_times += row.tally.toi_errors().value_or(0);
    summary.unresolved += counts.unresolved;
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    summary.mean_ns += times.mean * static_cast<double>(row.group_queries);
}

BenchSummary summed_up(const std::vector<BenchRow>& rows, const std::set<SectionName>& chosen) {
    BenchSummary summary;
    summary.sections = chosen.size();
    for (const BenchRow& row : rows) {
        if (chosen.contains(section_name(row)))
            add_row(summary_for(summary.methods, row.method), row);
    }
    for (MethodSummary& method : summary.methods) {
        if (method.queries > 0) method.mean_ns /= static_cast<double>(method.queries);
    }
    return summary;
}

std::string lead_text(const MethodSummary& method) {
    if (method.with_truth == 0)
        return fmt::format("{}: no truth is known of {}", method.method.name,
                           counted(method.asked, "query", "queries"));
    std::string text =
        fmt::format("{}: {} wrong of {}", method.method.name, method.wrong_verdicts(),
                    counted(method.with_truth, "query", "queries"));
    std::vector<std::string> parts;
    const auto add = [&](std::uint64_t count, std::string_view one, std::string_view many) {
        if (count > 0) parts.push_back(counted(count, one, many));
    };
    add(method.false_positives, "false positive", "false positives");
    add(method.false_negatives, "missed contact", "missed contacts");
    add(method.wrong_times, "wrong time", "wrong times");
    if (!parts.empty()) text += fmt::format(" ({})", fmt::join(parts, ", "));
    return text;
}

// How many of the methods make the worst mistake of which kind.
std::string others_text(const std::vector<MethodSummary>& methods) {
    std::uint64_t miss = 0, early = 0, times = 0, right = 0;
    for (const MethodSummary& method : methods) {
        ++(method.false_negatives > 0   ? miss
           : method.false_positives > 0 ? early
           : method.wrong_times > 0     ? times
                                        : right);
    }
    std::vector<std::string> parts;
    const auto add = [&](std::uint64_t count, std::string_view one, std::string_view many) {
        if (count > 0) parts.push_back(counted(count, one, many));
    };
    add(miss, "misses contacts", "miss contacts");
    add(early, "reports false contacts", "report false contacts");
    add(times, "tells wrong times", "tell wrong times");
    add(right, "makes no mistake", "make no mistake");
    return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

BenchSummary summary_of_all(const std::vector<BenchRow>& rows) {
    std::set<SectionName> all;
    for (const BenchRow& row : rows)
        all.insert(section_name(row));
    return summed_up(rows, all);
}

BenchSummary comparable_summary(const std::vector<BenchRow>& rows) {
    std::set<SectionName> common;
    std::set<std::string_view> methods;
    for (const BenchRow& row : rows) {
        common.insert(section_name(row));
        methods.insert(row.method.name);
    }
    const std::size_t all = common.size();
    std::erase_if(common, [&](const SectionName& section) {
        std::size_t answered = 0;
        for (const BenchRow& row : rows) {
            if (section_name(row) == section && row.tally.counts().queries > 0) ++answered;
        }
        return answered < methods.size();
    });
    BenchSummary summary = summed_up(rows, common);
    summary.sections_left = all - common.size();
    return summary;
}

std::string verdict_line(const std::vector<BenchRow>& rows, std::string_view method) {
    std::vector<MethodSummary> methods = summary_of_all(rows).methods;
    if (methods.empty()) return "";
    const auto lead = std::find_if(methods.begin(), methods.end(),
                                   [&](const MethodSummary& m) { return m.method.name == method; });
    std::string text;
    if (lead != methods.end()) {
        text = lead_text(*lead);
        methods.erase(lead);
        if (methods.empty()) return text;
        text += "; ";
    }
    const std::string kind = text.empty() ? "" : "other ";
    // Without a truth nobody can be told right from wrong.
    const bool has_truth = std::any_of(methods.begin(), methods.end(),
                                       [](const MethodSummary& m) { return m.with_truth > 0; });
    text += counted(methods.size(), kind + "method", kind + "methods");
    return has_truth ? text + ": " + others_text(methods) : text;
}

}  // namespace graze::app
