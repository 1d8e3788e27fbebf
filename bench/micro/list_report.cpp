#include "list_report.hpp"

#include <fmt/format.h>

namespace graze::bench {
namespace {

using app::Json;
using verify::format_ns;
using verify::TimeSample;
using verify::TimeSummary;

constexpr const char* kStreamRow = "  {:<22}{:>10}{:>11}{:>11}{:>11}{:>8}  {}{}\n";
constexpr const char* kTimesRow = "  {:<22}{:<8}{:>10}{:>11}{:>11}{:>11}{:>11}{:>11}\n";
constexpr std::array<Verdict, 3> kVerdicts = {Verdict::Separated, Verdict::Contact,
                                              Verdict::Unresolved};

// Somebody's verdicts, and what they prove.
struct Opinion {
    std::string name;
    Guarantee guarantee;
    const std::vector<Verdict>* verdicts;
};

bool contradict(const Opinion& a, Verdict of_a, const Opinion& b, Verdict of_b) {
    const bool a_apart = of_a == Verdict::Separated && a.guarantee.no_false_negatives;
    const bool b_apart = of_b == Verdict::Separated && b.guarantee.no_false_negatives;
    const bool a_touches = of_a == Verdict::Contact && a.guarantee.no_false_positives;
    const bool b_touches = of_b == Verdict::Contact && b.guarantee.no_false_positives;
    return (a_apart && b_touches) || (a_touches && b_apart);
}

Agreement compared(const Opinion& a, const Opinion& b) {
    Agreement agreement{.a = a.name, .b = b.name};
    for (std::size_t i = 0; i < a.verdicts->size(); ++i) {
        const Verdict of_a = (*a.verdicts)[i];
        const Verdict of_b = (*b.verdicts)[i];
        ++agreement.counts[static_cast<std::size_t>(of_a)][static_cast<std::size_t>(of_b)];
        agreement.contradictions += contradict(a, of_a, b, of_b);
    }
    return agreement;
}

std::uint64_t count_of(const Agreement& agreement, Verdict a, Verdict b) {
    return agreement.counts[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
}

std::string agreement_text(const Agreement& agreement) {
    std::string same;
    std::string different;
    for (const Verdict a : kVerdicts) {
        for (const Verdict b : kVerdicts) {
            const std::uint64_t count = count_of(agreement, a, b);
            if (count == 0) continue;
            if (a == b) {
                same += fmt::format(", both {} {}", name(a), count);
            } else {
                different += fmt::format(", {}/{} {}", name(a), name(b), count);
            }
        }
    }
    std::string line = fmt::format("  {} / {}: ", agreement.a, agreement.b);
    const std::string list = same + different;
    line += list.empty() ? "" : list.substr(2);
    if (agreement.contradictions > 0)
        line += fmt::format("; PROOFS CONTRADICT in {}", agreement.contradictions);
    return line + "\n";
}

std::string stream_row(const MethodTiming& timing) {
    return fmt::format(fmt::runtime(kStreamRow), timing.method.name, timing.counts.contact,
                       timing.counts.separated, timing.counts.unresolved,
                       format_ns(timing.stream.ns), timing.stream.passes, timing.hash,
                       timing.steady ? "" : "  NOT STEADY");
}

std::string times_row(std::string_view method, std::string_view answers, const TimeSample& sample) {
    const std::optional<TimeSummary> times = sample.summary();
    const auto cell = [&times](double TimeSummary::*field) {
        return times ? format_ns((*times).*field) : std::string("-");
    };
    return fmt::format(fmt::runtime(kTimesRow), method, answers, sample.size(),
                       cell(&TimeSummary::mean), cell(&TimeSummary::median),
                       cell(&TimeSummary::p99), cell(&TimeSummary::p999), cell(&TimeSummary::max));
}

std::string times_rows(const MethodTiming& timing) {
    return times_row(timing.method.name, "all", timing.misses + timing.hits) +
           times_row("", "misses", timing.misses) + times_row("", "hits", timing.hits);
}

std::string heading(const ListReport& report) {
    std::string text = fmt::format("\n{} {}: {} queries", app::printable(report.name),
                                   long_name(report.kind), report.available);
    if (report.build_seconds) text += fmt::format(" listed in {:.2f} s", *report.build_seconds);
    if (report.asked < report.available) text += fmt::format(", {} of them asked", report.asked);
    if (report.asked > 0) {
        text += fmt::format("; gathering alone {} a query, with a method that does nothing {}",
                            format_ns(report.gathering.ns), format_ns(report.asking.ns));
    }
    return text + "\n";
}

// One row for each tier that decided something: its share of the queries, and whole calls' times.
std::string tier_rows(const ListReport& report) {
    std::string text = fmt::format(fmt::runtime(kTimesRow), "certified, by tier", "share",
                                   "answers", "mean", "median", "p99", "p99.9", "max");
    for (std::size_t tier = 0; tier < kAllCertifiedTiers.size(); ++tier) {
        const TimeSample& sample = report.tiers->of[tier];
        if (sample.size() == 0) continue;
        const double share = static_cast<double>(sample.size()) / static_cast<double>(report.asked);
        text += times_row(name(kAllCertifiedTiers[tier]), fmt::format("{:.2f} %", 100.0 * share),
                          sample);
    }
    return text;
}

Json times_json(const TimeSample& sample) {
    const std::optional<TimeSummary> times = sample.summary();
    if (!times) return {{"count", 0}};
    return {{"count", sample.size()},         {"mean_ns", times->mean},
            {"median_ns", times->median},     {"p99_ns", times->p99},
            {"p999_ns", times->p999},         {"max_ns", times->max},
            {"histogram", sample.histogram()}};
}

Json tiers_json(const TierTimes& tiers) {
    Json json = Json::object();
    for (std::size_t tier = 0; tier < kAllCertifiedTiers.size(); ++tier)
        json[std::string(name(kAllCertifiedTiers[tier]))] = times_json(tiers.of[tier]);
    return json;
}

Json method_json(const MethodTiming& timing) {
    return {{"method", timing.method.name},
            {"stream_ns", timing.stream.ns},
            {"stream_passes", timing.stream.passes},
            {"separated", timing.counts.separated},
            {"contact", timing.counts.contact},
            {"unresolved", timing.counts.unresolved},
            {"hash", timing.hash},
            {"steady", timing.steady},
            {"all", times_json(timing.misses + timing.hits)},
            {"misses", times_json(timing.misses)},
            {"hits", times_json(timing.hits)}};
}

Json agreement_json(const Agreement& agreement) {
    Json counts = Json::object();
    for (const Verdict a : kVerdicts) {
        for (const Verdict b : kVerdicts)
            counts[fmt::format("{}/{}", name(a), name(b))] = count_of(agreement, a, b);
    }
    return {{"a", agreement.a},
            {"b", agreement.b},
            {"counts", counts},
            {"contradictions", agreement.contradictions}};
}

}  // namespace

void compare_methods(ListReport& report, const std::vector<Verdict>& truths) {
    std::vector<Opinion> opinions;
    const Guarantee exact{.no_false_negatives = true, .no_false_positives = true};
    if (!truths.empty()) opinions.push_back({"truth", exact, &truths});
    for (const MethodTiming& timing : report.methods) {
        opinions.push_back(
            {std::string(timing.method.name), timing.method.guarantee, &timing.verdicts});
    }
    for (std::size_t a = 0; a < opinions.size(); ++a) {
        for (std::size_t b = a + 1; b < opinions.size(); ++b)
            report.agreements.push_back(compared(opinions[a], opinions[b]));
    }
    for (MethodTiming& timing : report.methods)
        timing.verdicts = {};
}

std::uint64_t contradictions(const ListReport& report) {
    std::uint64_t sum = 0;
    for (const Agreement& agreement : report.agreements)
        sum += agreement.contradictions;
    return sum;
}

std::string report_text(const ListReport& report) {
    std::string text = heading(report);
    if (report.methods.empty()) return text;
    text += fmt::format(fmt::runtime(kStreamRow), "streamed", "contact", "separated", "unresolved",
                        "a query", "passes", "hash", "");
    for (const MethodTiming& timing : report.methods)
        text += stream_row(timing);
    text += fmt::format(fmt::runtime(kTimesRow), "one by one", "", "answers", "mean", "median",
                        "p99", "p99.9", "max");
    for (const MethodTiming& timing : report.methods)
        text += times_rows(timing);
    if (report.tiers) text += tier_rows(report);
    for (const Agreement& agreement : report.agreements)
        text += agreement_text(agreement);
    return text;
}

Json report_json(const ListReport& report) {
    Json json = {{"name", report.name},
                 {"kind", long_name(report.kind)},
                 {"available", report.available},
                 {"asked", report.asked},
                 {"build_seconds", app::json_optional(report.build_seconds)},
                 {"gathering_ns", report.gathering.ns},
                 {"asking_ns", report.asking.ns},
                 {"methods", Json::array()},
                 {"agreements", Json::array()}};
    for (const MethodTiming& timing : report.methods)
        json["methods"].push_back(method_json(timing));
    for (const Agreement& agreement : report.agreements)
        json["agreements"].push_back(agreement_json(agreement));
    if (report.tiers) json["certified_tiers"] = tiers_json(*report.tiers);
    return json;
}

}  // namespace graze::bench
