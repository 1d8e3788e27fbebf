#include "graze/verify/tally.hpp"

#include <algorithm>

namespace graze::verify {
namespace {

std::optional<std::uint64_t> known(std::uint64_t basis, std::uint64_t value) {
    return basis > 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

void Tally::count_verdict(Verdict verdict) {
    switch (verdict) {
        case Verdict::Separated:
            ++counts_.separated;
            break;
        case Verdict::Contact:
            ++counts_.contacts;
            break;
        case Verdict::Unresolved:
            ++counts_.unresolved;
            break;
    }
}

void Tally::add(const io::QueryRecord& record, const Answer& answer) {
    const CcdResult& result = answer.result;
    const bool says_contact = result.verdict != Verdict::Separated;
    ++counts_.queries;
    count_verdict(result.verdict);
    counts_.checks += result.checks;
    (says_contact ? positive_ : negative_).add(answer.ns);
    counts_.over_budget += answer.over_budget ? 1 : 0;
    counts_.heap_bytes = std::max(counts_.heap_bytes, answer.heap_bytes);
    if (result.tolerance < kInfinity) {
        counts_.max_tolerance =
            std::max(counts_.max_tolerance.value_or(result.tolerance), result.tolerance);
    }
    if (record.truth) {
        ++counts_.with_truth;
        counts_.true_contacts += *record.truth ? 1 : 0;
        counts_.false_positives += says_contact && !*record.truth ? 1 : 0;
        counts_.false_negatives += !says_contact && *record.truth ? 1 : 0;
    }
    counts_.with_time += record.first_time ? 1 : 0;
    if (record.first_time && says_contact) {
        counts_.toi_late += is_late(result, *record.first_time) ? 1 : 0;
        counts_.toi_early += is_early(result, *record.first_time) ? 1 : 0;
        if (record.first_time->lower < kInfinity) add_time(result, *record.first_time);
    }
}

// Differences of doubles in [0, 1]: an error of half a unit in the last place does no harm here.
void Tally::add_time(const CcdResult& result, const io::TimeBracket& exact) {
    if (result.toi_lower == kInfinity) return;
    reports_lower_ = reports_lower_ || result.toi_lower > 0.0;
    errors_.lag.add(std::max(exact.lower - result.toi_lower, 0.0));
    if (is_late(result, exact)) errors_.late.add(result.toi_lower - exact.lower);
    if (result.toi_upper != kInfinity)
        errors_.lead.add(std::max(result.toi_upper - exact.upper, 0.0));
}

Tally::TimeErrors Tally::time_errors() const {
    TimeErrors errors = errors_;
    if (!reports_lower_) errors.lag = {};
    return errors;
}

std::optional<std::uint64_t> Tally::true_contacts() const {
    return known(counts_.with_truth, counts_.true_contacts);
}
std::optional<std::uint64_t> Tally::false_positives() const {
    return known(counts_.with_truth, counts_.false_positives);
}
std::optional<std::uint64_t> Tally::false_negatives() const {
    return known(counts_.with_truth, counts_.false_negatives);
}
std::optional<std::uint64_t> Tally::toi_errors() const {
    return known(counts_.with_time, counts_.toi_late + counts_.toi_early);
}

}  // namespace graze::verify
