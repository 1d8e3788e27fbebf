#include "truth_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace graze::app {
namespace {

template <class... Cells>
std::string line(std::size_t width, std::string_view name, const Cells&... cells) {
    return fmt::format("{:<{}}", printable(name), width) +
           fmt::format(" {:<4}{:>8} {:>8} {:>8} {:>8} {:>9}\n", cells...);
}

}  // namespace

TruthCounts& TruthCounts::operator+=(const TruthCounts& other) {
    queries += other.queries;
    contacts += other.contacts;
    invalid += other.invalid;
    compared += other.compared;
    disagreements += other.disagreements;
    way_differences += other.way_differences;
    seconds += other.seconds;
    return *this;
}

Expected<void> outcome_of(const TruthReport& report) {
    const TruthCounts& total = report.total;
    if (total.queries == 0) return Error{"there is no query to verify: every set is empty"};
    if (total.way_differences == 0) return {};
    return Error{fmt::format("the ways of asking differ on {} of {} queries", total.way_differences,
                             total.queries)};
}

Json counts_json(const TruthReport& report, const TruthCounts& counts) {
    const Json way_differences = report.check_ways ? Json(counts.way_differences) : Json(nullptr);
    const Json disagreements = counts.compared > 0 ? Json(counts.disagreements) : Json(nullptr);
    return {{"queries", counts.queries},
            {"contacts", counts.contacts},
            {"separated", counts.queries - counts.contacts - counts.invalid},
            {"unresolved", counts.invalid},
            {"compared", counts.compared},
            {"disagreements", disagreements},
            {"way_differences", way_differences},
            {"seconds", json_number(counts.seconds)}};
}

Json differences_json(const TruthReport& report) {
    Json listed = Json::array();
    for (const Difference& difference : report.differences) {
        listed.push_back({{"set", difference.set},
                          {"index", difference.index},
                          {"difference", difference.text}});
    }
    return listed;
}

std::string closing_text(const TruthReport& report) {
    const TruthCounts& total = report.total;
    std::string text;
    for (const Difference& difference : report.differences) {
        text += fmt::format("  {}: query {}: {}\n", printable(difference.set), difference.index,
                            difference.text);
    }
    text += total.compared == 0 ? std::string("no published truth to compare with\n")
                                : fmt::format("{} disagreements with {} published truths\n",
                                              total.disagreements, total.compared);
    if (report.check_ways) {
        text +=
            fmt::format("{} queries on which the ways of asking differ\n", total.way_differences);
    }
    return text;
}

TruthTable::TruthTable(const std::vector<QueryInput>& inputs) {
    for (const QueryInput& input : inputs)
        width_ = std::max(width_, input.name.size());
}

std::string TruthTable::header() const {
    return line(width_, "set", "kind", "queries", "contacts", "compared", "disagree", "time");
}

std::string TruthTable::row(std::string_view name, std::string_view kind,
                            const TruthCounts& counts) const {
    return line(width_, name, kind, counts.queries, counts.contacts, counts.compared,
                counts.disagreements, fmt::format("{:.2f} s", counts.seconds));
}

}  // namespace graze::app
