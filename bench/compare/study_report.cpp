#include "study_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench_report.hpp"
#include "graze/io/hex_float.hpp"

namespace graze::app {
namespace {

constexpr const char* kSweepRow =
    "{:<22}{:>9}{:>7}{:>7}{:>10}{:>9}{:>9}{:>7}{:>7}{:>8}{:>8}{:>8}{:>8}\n";
constexpr const char* kClaimRow = "{:<34}{:<20}{:<12}{:>8}{:>10}{:>10}{:>9}{:>9}{:>7}\n";

std::string count_or_dash(const std::optional<std::uint64_t>& count) {
    return count ? fmt::format("{}", *count) : "-";
}

bool same_section(const SweepRow& a, const SweepRow& b) {
    return a.group == b.group && a.kind == b.kind;
}

std::string sweep_heading(const Sweep& sweep, const SweepRow& row) {
    const bool exact = sweep.experiment == Experiment::Separation;
    return fmt::format("\n{}, {} {}{}\n", subject_of(sweep.experiment).heading, row.group,
                       long_name(row.kind), sweep.complete ? "" : " (INTERRUPTED)") +
           fmt::format(fmt::runtime(kSweepRow), "method", "value", "asked", "every", "mean",
                       "median", "max", "FP", "FN", exact ? "FP of d" : "", exact ? "FN of d" : "",
                       "over", "max tol");
}

std::string sweep_row(const SweepRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    return fmt::format(
        fmt::runtime(kSweepRow), row.method.name, value_text(row.value), counts.queries,
        fmt::format("{}{}", row.stride, row.complete ? "" : "*"), format_ns(times.mean),
        format_ns(times.median), format_ns(times.max), count_or_dash(row.tally.false_positives()),
        count_or_dash(row.tally.false_negatives()),
        row.exact ? fmt::format("{}", row.exact->false_positives) : "",
        row.exact ? fmt::format("{}", row.exact->false_negatives) : "", counts.over_budget,
        counts.max_tolerance ? fmt::format("{:.2g}", *counts.max_tolerance) : "-");
}

std::string sweep_text(const Sweep& sweep) {
    std::string text;
    for (std::size_t first = 0; first < sweep.rows.size(); ++first) {
        const bool is_new = first == 0 || !same_section(sweep.rows[first - 1], sweep.rows[first]);
        if (is_new) text += sweep_heading(sweep, sweep.rows[first]);
        text += sweep_row(sweep.rows[first]);
    }
    if (sweep.experiment == Experiment::Separation) {
        text +=
            "FP of d, FN of d: mistakes, against the exact answer to whether it comes within d\n"
            "FP, FN: against touching, as the study's tables seem to count; no mistakes: what "
            "comes "
            "within d need not touch\n";
    }
    return text;
}

std::string claims_text(const std::vector<ClaimRow>& rows) {
    std::string text = "\nRatios of times that the study states\n" +
                       fmt::format(fmt::runtime(kClaimRow), "claim", "group", "kind", "queries",
                                   "slow", "fast", "means", "medians", "study");
    for (const ClaimRow& row : rows) {
        text += fmt::format(fmt::runtime(kClaimRow), row.claim, row.group, long_name(row.kind),
                            row.queries, format_ns(row.slow_ns), format_ns(row.fast_ns),
                            ratio_text(row.ratio()), ratio_text(row.median_ratio()),
                            row.published ? fmt::format("{:g}x", *row.published) : "-");
    }
    return text;
}

Json exact_json(const std::optional<SeparationErrors>& exact) {
    if (!exact) return nullptr;
    return {{"judged", exact->judged},
            {"contacts", exact->contacts},
            {"false_positives", exact->false_positives},
            {"false_negatives", exact->false_negatives}};
}

Json row_json(const SweepRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    return {{"method", row.method.name},
            {"group", row.group},
            {"kind", short_name(row.kind)},
            {"value", json_number(row.value)},
            {"norm", row.norm == Norm::Max ? "max" : "euclidean"},
            {"queries", counts.queries},
            {"stride", row.stride},
            {"complete", row.complete},
            {"ns_min", json_number(times.min)},
            {"ns_mean", json_number(times.mean)},
            {"ns_median", json_number(times.median)},
            {"ns_p99", json_number(times.p99)},
            {"ns_max", json_number(times.max)},
            {"histogram", times_histogram(row.tally)},
            {"hits", json_optional(row.tally.true_contacts())},
            {"false_positives", json_optional(row.tally.false_positives())},
            {"false_negatives", json_optional(row.tally.false_negatives())},
            {"for_the_separation", exact_json(row.exact)},
            {"unresolved", counts.unresolved},
            {"over_budget", counts.over_budget},
            {"max_tolerance", json_optional(counts.max_tolerance)}};
}

Json sweep_json(const Sweep& sweep) {
    Json rows = Json::array();
    for (const SweepRow& row : sweep.rows)
        rows.push_back(row_json(row));
    return {{"experiment", name(sweep.experiment)},
            {"complete", sweep.complete},
            {"values", sweep.values},
            {"rows", rows}};
}

std::string csv_of_sweep_row(Experiment experiment, const SweepRow& row) {
    const Tally::Counts& counts = row.tally.counts();
    const TimeSummary times = row.tally.times().value_or(TimeSummary{});
    const auto count = [](const std::optional<std::uint64_t>& value) {
        return value ? fmt::format("{}", *value) : "";
    };
    const auto exact = [&](std::uint64_t SeparationErrors::*field) {
        return row.exact ? fmt::format("{}", (*row.exact).*field) : "";
    };
    std::string text = fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}", name(experiment),
        row.method.name, csv_quoted(row.group), short_name(row.kind), io::to_shortest(row.value),
        row.norm == Norm::Max ? "max" : "euclidean", counts.queries, row.stride,
        row.complete ? 1 : 0, times.min, times.mean, times.median, times.p99, times.max,
        count(row.tally.true_contacts()), count(row.tally.false_positives()),
        count(row.tally.false_negatives()), exact(&SeparationErrors::judged),
        exact(&SeparationErrors::contacts), exact(&SeparationErrors::false_positives),
        exact(&SeparationErrors::false_negatives), counts.unresolved, counts.over_budget,
        counts.max_tolerance ? io::to_shortest(*counts.max_tolerance) : "");
    return text;
}

Json claim_json(const ClaimRow& row) {
    return {{"claim", row.claim},
            {"slow", row.slow},
            {"fast", row.fast},
            {"group", row.group},
            {"kind", short_name(row.kind)},
            {"queries", row.queries},
            {"slow_ns", json_number(row.slow_ns)},
            {"fast_ns", json_number(row.fast_ns)},
            {"ratio", json_number(row.ratio())},
            {"median_ratio", json_optional(row.median_ratio())},
            {"published", json_optional(row.published)}};
}

}  // namespace

std::string value_text(double value) {
    return fmt::format("{:g}", value);
}

std::string ratio_text(const std::optional<double>& ratio) {
    if (!ratio) return "-";
    return *ratio < 10.0 ? fmt::format("{:.2g}x", *ratio) : fmt::format("{:.0f}x", *ratio);
}

std::string study_text(const Study& study) {
    std::string text;
    for (const Sweep& sweep : study.sweeps)
        text += sweep_text(sweep);
    if (study.has_claims) text += claims_text(study.claims);
    return text;
}

std::string study_csv(const Study& study, const BuildInfo& build) {
    std::string text =
        "experiment,method,group,kind,value,norm,queries,stride,complete,ns_min,ns_mean,ns_median,"
        "ns_p99,ns_max,hits,false_positives,false_negatives,judged,contacts_for_the_separation,"
        "false_positives_for_the_separation,false_negatives_for_the_separation,unresolved,"
        "over_budget,max_tolerance,version,compiler,flags,build_type,cpu,cores,os";
    for (const std::uint64_t bound : time_bin_bounds())
        text += fmt::format(",from_{}_ns", bound);
    text += "\n";
    for (const Sweep& sweep : study.sweeps) {
        for (const SweepRow& row : sweep.rows) {
            text +=
                fmt::format("{},{},{}\n", csv_of_sweep_row(sweep.experiment, row),
                            csv_machine_fields(build), fmt::join(times_histogram(row.tally), ","));
        }
    }
    return text;
}

Json study_json(const Study& study) {
    Json sweeps = Json::array();
    for (const Sweep& sweep : study.sweeps)
        sweeps.push_back(sweep_json(sweep));
    Json claims = Json::array();
    for (const ClaimRow& row : study.claims)
        claims.push_back(claim_json(row));
    return {{"sample", study.options.sample},
            {"budget_s", json_number(study.options.ask.budget_s)},
            {"complete", study.complete},
            {"sweeps", sweeps},
            {"claims", claims}};
}

}  // namespace graze::app
