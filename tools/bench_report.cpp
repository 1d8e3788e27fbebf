#include "bench_report.hpp"

#include <fmt/format.h>

namespace graze::tools {
namespace {

constexpr const char* kTextRow = "{:<20}{:>9} {:>9} {:>9} {:>9}{:>8}{:>7}{:>8}{:>6}{:>11}\n";

std::string count_or_dash(const std::optional<std::uint64_t>& count) {
    return count ? fmt::format("{}", *count) : "-";
}

std::string section_heading(const BenchRow& row) {
    return fmt::format("\n{} {}: {} queries, {} hits\n", row.group, long_name(row.kind),
                       row.tally.counts().queries, count_or_dash(row.tally.true_contacts())) +
           fmt::format(fmt::runtime(kTextRow), "method", "mean", "median", "p99", "max", "FP", "FN",
                       "unres.", "toi!", "checks");
}

std::string text_row(const BenchRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    const double checks = counts.queries > 0 ? static_cast<double>(counts.checks) /
                                                   static_cast<double>(counts.queries)
                                             : 0.0;
    return fmt::format(fmt::runtime(kTextRow), row.method.name, format_ns(times.mean),
                       format_ns(times.median), format_ns(times.p99), format_ns(times.max),
                       count_or_dash(row.tally.false_positives()),
                       count_or_dash(row.tally.false_negatives()), counts.unresolved,
                       count_or_dash(row.tally.toi_errors()), fmt::format("{:.1f}", checks));
}

bool same_section(const BenchRow& a, const BenchRow& b) {
    return a.group == b.group && a.kind == b.kind;
}

// A text as one CSV field: quoted, quotes doubled.
std::string quoted(const std::string& text) {
    std::string field = "\"";
    for (const char c : text)
        field += c == '"' ? std::string("\"\"") : std::string(1, c);
    return field + "\"";
}

std::string count_or_empty(const std::optional<std::uint64_t>& count) {
    return count ? fmt::format("{}", *count) : "";
}

std::string machine_fields(const BuildInfo& build) {
    return fmt::format("{},{},{},{},{},{},{}", quoted(build.version), quoted(build.compiler),
                       quoted(build.flags), quoted(build.build_type), quoted(build.cpu),
                       build.cores, quoted(build.os));
}

std::string csv_row(const BenchRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", row.method.name,
                       quoted(row.group), short_name(row.kind), counts.queries,
                       count_or_empty(row.tally.true_contacts()), counts.contacts, counts.separated,
                       counts.unresolved, count_or_empty(row.tally.false_positives()),
                       count_or_empty(row.tally.false_negatives()),
                       count_or_empty(row.tally.toi_errors()), counts.checks, times.mean,
                       times.median, times.p99, times.max);
}

}  // namespace

std::string table_text(const std::vector<BenchRow>& rows) {
    // Rows of a section need not be neighbours: sets of a group may lie apart.
    std::string text;
    std::vector<bool> printed(rows.size(), false);
    for (std::size_t first = 0; first < rows.size(); ++first) {
        if (printed[first]) continue;
        text += section_heading(rows[first]);
        for (std::size_t i = first; i < rows.size(); ++i) {
            if (!same_section(rows[i], rows[first])) continue;
            text += text_row(rows[i]);
            printed[i] = true;
        }
    }
    return text;
}

std::string hash_text(const std::vector<MethodHash>& hashes) {
    std::string text = "\nresult hash\n";
    for (const MethodHash& entry : hashes) {
        text += fmt::format("{:<20} {}{}\n", entry.method.name, entry.hash.hex(),
                            entry.unsteady == 0
                                ? ""
                                : fmt::format("  NOT STEADY: {} answers changed between "
                                              "repetitions",
                                              entry.unsteady));
    }
    return text;
}

std::string table_csv(const std::vector<BenchRow>& rows, const BuildInfo& build) {
    std::string text =
        "method,group,kind,queries,hits,contacts,separated,unresolved,false_positives,"
        "false_negatives,toi_errors,checks,ns_per_query,ns_median,ns_p99,ns_max,"
        "version,compiler,flags,build_type,cpu,cores,os\n";
    for (const BenchRow& row : rows) {
        text += fmt::format("{},{}\n", csv_row(row), machine_fields(build));
    }
    return text;
}

Json rows_json(const std::vector<BenchRow>& rows) {
    Json list = Json::array();
    for (const BenchRow& row : rows) {
        const Tally::Counts& counts = row.tally.counts();
        const TimeSummary times = row.tally.times().value_or(TimeSummary{});
        list.push_back({{"method", row.method.name},
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
                        {"ns_max", json_number(times.max)}});
    }
    return list;
}

Json hashes_json(const std::vector<MethodHash>& hashes) {
    Json list = Json::array();
    for (const MethodHash& entry : hashes) {
        list.push_back({{"method", entry.method.name},
                        {"result_hash", entry.hash.hex()},
                        {"unsteady", entry.unsteady}});
    }
    return list;
}

}  // namespace graze::tools
