#include "bench_report.hpp"

#include <fmt/format.h>

#include <functional>

#include "graze/io/hex_float.hpp"
#include "graze/verify/heap_probe.hpp"

namespace graze::app {
using namespace verify;
namespace {

constexpr const char* kTextRow =
    "{:<22}{:>6}{:>10}{:>9}{:>9}{:>9}{:>8}{:>7}{:>8}{:>6}{:>9}{:>8}{:>8}\n";
constexpr const char* kTimesRow = "{:<26}{:<11}{:>10} {:>9} {:>9} {:>9} {:>9} {:>9}\n";
constexpr const char* kWorstRow = "{:<22}{:>9} {:>9} {:>9} {:>10}{:>10} {:>10}{:>10} {:>10}\n";

// At most 120 columns wide, as the table.
constexpr std::string_view kColumnsText =
    "\nevery     only every Nth query was asked, for lack of time: compare counts of rows with the "
    "same N alone\n"
    "FP, FN    false positives, false negatives (missed contacts) against exact truth; unresolved "
    "counts as contact\n"
    "toi!      times of contact on the wrong side of the exact first time\n"
    "checks    mean work of a query, in units of the method's own\n"
    "over      share of queries that spent the work budget (--max-checks)\n"
    "max tol   largest tolerance that an answer ended with\n";

std::string count_or_dash(const std::optional<std::uint64_t>& count) {
    return count ? fmt::format("{}", *count) : "-";
}

double share_of(std::uint64_t count, std::uint64_t total) {
    return total == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(total);
}

// A share as "0.25%"; "0" where it is nothing at all.
std::string percent_of(std::uint64_t count, std::uint64_t total) {
    if (count == 0) return "0";
    return fmt::format("{:.2f}%", 100.0 * share_of(count, total));
}

std::string tolerance_or_dash(const std::optional<double>& tolerance) {
    return tolerance ? fmt::format("{:.2g}", *tolerance) : "-";
}

std::string small_or_dash(const std::optional<double>& value) {
    return value ? fmt::format("{:.2g}", *value) : "-";
}

// The row of the section that was asked most: the first one that was asked every query, if any.
const BenchRow& widest_row(const std::vector<BenchRow>& rows, const BenchRow& first) {
    const BenchRow* widest = &first;
    for (const BenchRow& row : rows) {
        if (row.group != first.group || row.kind != first.kind) continue;
        if (row.tally.counts().queries > widest->tally.counts().queries) widest = &row;
    }
    return *widest;
}

std::string hits_text(const BenchRow& row) {
    if (row.stride == 1) return fmt::format("{} hits", count_or_dash(row.tally.true_contacts()));
    return fmt::format("{} hits among every {}th", count_or_dash(row.tally.true_contacts()),
                       row.stride);
}

std::string section_heading(const std::vector<BenchRow>& rows, const BenchRow& row) {
    return fmt::format("\n{} {}: {} queries, {}\n", row.group, long_name(row.kind),
                       row.group_queries, hits_text(widest_row(rows, row))) +
           fmt::format(fmt::runtime(kTextRow), "method", "every", "mean", "median", "p99", "max",
                       "FP", "FN", "unres.", "toi!", "checks", "over", "max tol");
}

// "64", and "64*" where an interrupt cut it short.
std::string stride_text(const BenchRow& row) {
    return fmt::format("{}{}", row.stride, row.complete ? "" : "*");
}

// Six characters at most: "0.0", "123.4", "12345", "1e+06".
std::string mean_checks_text(const Tally::Counts& counts) {
    const double checks = counts.queries > 0 ? static_cast<double>(counts.checks) /
                                                   static_cast<double>(counts.queries)
                                             : 0.0;
    if (checks < 1e4) return fmt::format("{:.1f}", checks);
    return checks < 1e6 ? fmt::format("{:.0f}", checks) : fmt::format("{:.2g}", checks);
}

std::string text_row(const BenchRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    return fmt::format(
        fmt::runtime(kTextRow), row.method.name, stride_text(row), format_ns(times.mean),
        format_ns(times.median), format_ns(times.p99), format_ns(times.max),
        count_or_dash(row.tally.false_positives()), count_or_dash(row.tally.false_negatives()),
        counts.unresolved, count_or_dash(row.tally.toi_errors()), mean_checks_text(counts),
        percent_of(counts.over_budget, counts.queries), tolerance_or_dash(counts.max_tolerance));
}

std::string worst_heading(const BenchRow& row) {
    return fmt::format("{} {}\n", row.group, long_name(row.kind)) +
           fmt::format(fmt::runtime(kWorstRow), "method", "p99.9", "max", "heap", "lag: mid",
                       "largest", "lead: mid", "largest", "late");
}

std::string worst_row(const BenchRow& row) {
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    const Tally::TimeErrors errors = row.tally.time_errors();
    const std::optional<std::uint64_t> heap = heap_of(row);
    return fmt::format(fmt::runtime(kWorstRow), row.method.name, format_ns(times.p999),
                       format_ns(times.max), heap ? format_bytes(*heap) : "-",
                       small_or_dash(errors.lag.median()), small_or_dash(errors.lag.max()),
                       small_or_dash(errors.lead.median()), small_or_dash(errors.lead.max()),
                       small_or_dash(errors.late.max()));
}

std::string times_row(std::string_view method, std::string_view answers, const TimeSample& sample) {
    const std::optional<TimeSummary> times = sample.summary();
    const auto cell = [&](double TimeSummary::*field) {
        return times ? format_ns((*times).*field) : std::string("-");
    };
    return fmt::format(fmt::runtime(kTimesRow), method, answers, sample.size(),
                       cell(&TimeSummary::mean), cell(&TimeSummary::median),
                       cell(&TimeSummary::p99), cell(&TimeSummary::p999), cell(&TimeSummary::max));
}

std::string times_heading(const BenchRow& row) {
    return fmt::format("{} {}\n", row.group, long_name(row.kind)) +
           fmt::format(fmt::runtime(kTimesRow), "method", "", "answers", "mean", "median", "p99",
                       "p99.9", "max");
}

std::string times_rows(const BenchRow& row) {
    return times_row(row.method.name, "positive", row.tally.positive_times()) +
           times_row("", "negative", row.tally.negative_times());
}

bool same_section(const BenchRow& a, const BenchRow& b) {
    return a.group == b.group && a.kind == b.kind;
}

// Rows of a section need not be neighbours: sets of a group may lie apart.
std::string sections_text(const std::vector<BenchRow>& rows,
                          const std::function<std::string(const BenchRow&)>& heading,
                          const std::function<std::string(const BenchRow&)>& row_text) {
    std::string text;
    std::vector<bool> printed(rows.size(), false);
    for (std::size_t first = 0; first < rows.size(); ++first) {
        if (printed[first]) continue;
        text += heading(rows[first]);
        for (std::size_t i = first; i < rows.size(); ++i) {
            if (!same_section(rows[i], rows[first])) continue;
            text += row_text(rows[i]);
            printed[i] = true;
        }
    }
    return text;
}

std::string count_or_empty(const std::optional<std::uint64_t>& count) {
    return count ? fmt::format("{}", *count) : "";
}

std::string csv_row(const BenchRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", row.method.name,
                       csv_quoted(row.group), short_name(row.kind), counts.queries,
                       count_or_empty(row.tally.true_contacts()), counts.contacts, counts.separated,
                       counts.unresolved, count_or_empty(row.tally.false_positives()),
                       count_or_empty(row.tally.false_negatives()),
                       count_or_empty(row.tally.toi_errors()), counts.checks, times.mean,
                       times.median, times.p99, times.max);
}

// Empty where there is no such answer.
std::string csv_times(const TimeSample& sample) {
    const std::optional<TimeSummary> times = sample.summary();
    if (!times) return "0,,,,,";
    return fmt::format("{},{},{},{},{},{}", sample.size(), times->mean, times->median, times->p99,
                       times->p999, times->max);
}

// What came later stands behind the machine.
std::string csv_later_fields(const BenchRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    return fmt::format(
        "{},{},{},{},{}", counts.over_budget, share_of(counts.over_budget, counts.queries),
        counts.max_tolerance ? io::to_shortest(*counts.max_tolerance) : "",
        csv_times(row.tally.positive_times()), csv_times(row.tally.negative_times()));
}

std::string number_or_empty(const std::optional<double>& value) {
    return value ? io::to_shortest(*value) : "";
}

std::string csv_worst_fields(const BenchRow& row) {
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    const Tally::TimeErrors errors = row.tally.time_errors();
    return fmt::format("{},{},{},{},{},{},{},{},{},{}", row.group_queries, row.stride,
                       row.complete ? 1 : 0, times.p999, count_or_empty(heap_of(row)),
                       number_or_empty(errors.lag.median()), number_or_empty(errors.lag.max()),
                       number_or_empty(errors.lead.median()), number_or_empty(errors.lead.max()),
                       number_or_empty(errors.late.max()));
}

Json errors_json(const ErrorSample& sample) {
    const auto number = [](const std::optional<double>& value) {
        return value ? json_number(*value) : Json(nullptr);
    };
    return {{"queries", sample.size()},
            {"median", number(sample.median())},
            {"max", number(sample.max())}};
}

Json times_json(const TimeSample& sample) {
    const std::optional<TimeSummary> times = sample.summary();
    const auto number = [&](double TimeSummary::*field) {
        return times ? json_number((*times).*field) : Json(nullptr);
    };
    return {{"queries", sample.size()},
            {"ns_mean", number(&TimeSummary::mean)},
            {"ns_median", number(&TimeSummary::median)},
            {"ns_p99", number(&TimeSummary::p99)},
            {"ns_p999", number(&TimeSummary::p999)},
            {"ns_max", number(&TimeSummary::max)},
            {"histogram", sample.histogram()}};
}

Json row_json(const BenchRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    const Tally::TimeErrors errors = row.tally.time_errors();
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    return {{"method", row.method.name},
            {"group", row.group},
            {"kind", short_name(row.kind)},
            {"queries", counts.queries},
            {"hits", json_optional(row.tally.true_contacts())},
            {"contacts", counts.contacts},
            {"separated", counts.separated},
            {"unresolved", counts.unresolved},
            {"false_positives", json_optional(row.tally.false_positives())},
            {"false_negatives", json_optional(row.tally.false_negatives())},
            {"toi_errors", json_optional(row.tally.toi_errors())},
            {"toi_late", counts.with_time > 0 ? Json(counts.toi_late) : Json(nullptr)},
            {"checks", counts.checks},
            {"ns_per_query", json_number(times.mean)},
            {"ns_median", json_number(times.median)},
            {"ns_p99", json_number(times.p99)},
            {"ns_max", json_number(times.max)},
            {"over_budget", counts.over_budget},
            {"over_budget_share", json_number(share_of(counts.over_budget, counts.queries))},
            {"max_tolerance", json_optional(counts.max_tolerance)},
            {"positive", times_json(row.tally.positive_times())},
            {"negative", times_json(row.tally.negative_times())},
            {"group_queries", row.group_queries},
            {"stride", row.stride},
            {"complete", row.complete},
            {"ns_p999", json_number(times.p999)},
            {"heap_bytes_max", json_optional(heap_of(row))},
            {"toi_lag", errors_json(errors.lag)},
            {"toi_lead", errors_json(errors.lead)},
            {"toi_late_by", errors_json(errors.late)}};
}

}  // namespace

// The oracle calculates with GMP, whose memory operator new does not see.
std::optional<std::uint64_t> heap_of(const BenchRow& row) {
    if (heap_probe().peak == nullptr || row.method.role == MethodRole::GroundTruth)
        return std::nullopt;
    return row.tally.counts().heap_bytes;
}

std::string table_text(const std::vector<BenchRow>& rows) {
    const auto heading = [&rows](const BenchRow& row) { return section_heading(rows, row); };
    return sections_text(rows, heading, text_row) + std::string(kColumnsText);
}

std::string worst_text(const std::vector<BenchRow>& rows) {
    return "\nworst case, and how far toi_lower lags behind and toi_upper leads the exact first "
           "time "
           "of contact\n" +
           sections_text(rows, worst_heading, worst_row);
}

std::string csv_quoted(const std::string& text) {
    std::string field = "\"";
    for (const char c : text)
        field += c == '"' ? std::string("\"\"") : std::string(1, c);
    return field + "\"";
}

std::string csv_machine_fields(const BuildInfo& build) {
    return fmt::format("{},{},{},{},{},{},{}", csv_quoted(build.version),
                       csv_quoted(build.compiler), csv_quoted(build.flags),
                       csv_quoted(build.build_type), csv_quoted(build.cpu), build.cores,
                       csv_quoted(build.os));
}

std::string times_text(const std::vector<BenchRow>& rows) {
    return "\ntimes of positive (contact, unresolved) and negative (separated) answers\n" +
           sections_text(rows, times_heading, times_rows);
}

std::string hash_text(const std::vector<MethodHash>& hashes) {
    std::string text = "\nresult hash\n";
    for (const MethodHash& entry : hashes) {
        text += fmt::format("{:<22} {}", entry.method.name, entry.hash.hex());
        if (entry.is_sample) text += "  of a sample that the clock chose";
        if (entry.unsteady > 0)
            text +=
                fmt::format("  NOT STEADY: {} answers changed between repetitions", entry.unsteady);
        text += "\n";
    }
    return text;
}

std::string table_csv(const std::vector<BenchRow>& rows, const BuildInfo& build) {
    std::string text =
        "method,group,kind,queries,hits,contacts,separated,unresolved,false_positives,"
        "false_negatives,toi_errors,checks,ns_per_query,ns_median,ns_p99,ns_max,"
        "version,compiler,flags,build_type,cpu,cores,os,over_budget,over_budget_share,"
        "max_tolerance";
    for (const std::string_view answers : {"positive", "negative"}) {
        text += fmt::format(
            ",{0}_queries,{0}_ns_mean,{0}_ns_median,{0}_ns_p99,{0}_ns_p999,{0}_ns_max", answers);
    }
    text +=
        ",group_queries,stride,complete,ns_p999,heap_bytes_max,toi_lag_median,toi_lag_max,"
        "toi_lead_median,toi_lead_max,toi_late_max\n";
    for (const BenchRow& row : rows) {
        text += fmt::format("{},{},{},{}\n", csv_row(row), csv_machine_fields(build),
                            csv_later_fields(row), csv_worst_fields(row));
    }
    return text;
}

Json rows_json(const std::vector<BenchRow>& rows) {
    Json list = Json::array();
    for (const BenchRow& row : rows)
        list.push_back(row_json(row));
    return list;
}

Json hashes_json(const std::vector<MethodHash>& hashes) {
    Json list = Json::array();
    for (const MethodHash& entry : hashes) {
        list.push_back({{"method", entry.method.name},
                        {"result_hash", entry.hash.hex()},
                        {"unsteady", entry.unsteady},
                        {"is_sample", entry.is_sample}});
    }
    return list;
}

}  // namespace graze::app
