#include "graze/verify/ground_truth.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>

#include "graze/io/hex_float.hpp"
#include "graze/verify/oracle_method.hpp"

namespace graze::verify {
namespace {

std::string ways_that_differ(const oracle::Query& query) {
    const oracle::Truth expected = oracle::first_contact(query);
    const std::pair<const char*, oracle::Truth> ways[] = {
        {"decomposition", oracle::first_contact_by_decomposition(query)},
        {"separation 0, euclidean", oracle::first_within(query, 0.0, oracle::Norm::Euclidean)},
        {"separation 0, max norm", oracle::first_within(query, 0.0, oracle::Norm::Max)}};
    std::string text;
    for (const auto& [way, truth] : ways) {
        if (truth == expected) continue;
        if (text.empty()) text = "first contact: " + describe(expected);
        text += fmt::format("; {}: {}", way, describe(truth));
    }
    return text;
}

GroundTruth ground_truth_of(const oracle::Query& query, const GroundTruthOptions& options) {
    const oracle::Norm norm = oracle_norm(options.norm);
    GroundTruth truth;
    truth.truth = options.min_separation == 0.0
                      ? oracle::first_contact(query)
                      : oracle::first_within(query, options.min_separation, norm);
    if (options.distance) truth.distance = oracle::minimum_distance(query, norm);
    if (options.check_ways) truth.ways_differ = ways_that_differ(query);
    return truth;
}

}  // namespace

std::vector<GroundTruth> ground_truths(std::span<const io::QueryRecord> records, QueryKind kind,
                                       const GroundTruthOptions& options) {
    std::vector<GroundTruth> truths(records.size());
    for_each_index(options.workers, records.size(), [&](std::size_t i) {
        truths[i] = ground_truth_of(oracle_query(records[i], kind), options);
    });
    return truths;
}

// Doubles >= 0 are ordered as their bit patterns are, so one can search among these by halving.
//   Invariant: the smallest s is in [low, high]; whether a separation is reached is monotone in it.
//   It begins with the nearest approach of the whole step, which [0, t_max] cannot beat.
double nearest_approach(const io::QueryRecord& record, QueryKind kind, double t_max) {
    constexpr double kLargest = std::numeric_limits<double>::max();
    const oracle::Query query = oracle_query(record, kind);
    const double whole_step = oracle::minimum_distance(query, oracle::Norm::Max).upper;
    const auto is_reached = [&](double s) {
        const oracle::Truth truth = oracle::first_within(query, s, oracle::Norm::Max);
        return result_up_to(truth, t_max).verdict == Verdict::Contact;
    };
    if (t_max == 1.0 || is_reached(whole_step)) return whole_step;
    if (!is_reached(kLargest)) return kInfinity;
    std::uint64_t low = std::bit_cast<std::uint64_t>(whole_step) + 1;
    std::uint64_t high = std::bit_cast<std::uint64_t>(kLargest);
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        if (is_reached(std::bit_cast<double>(middle))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return std::bit_cast<double>(high);
}

std::optional<bool> touches(const oracle::Truth& truth) noexcept {
    if (truth.state == oracle::State::Invalid) return std::nullopt;
    return truth.state == oracle::State::Contact;
}

io::QueryRecord with_exact_truth(io::QueryRecord record, const oracle::Truth& exact) {
    record.truth = touches(exact);
    record.first_time.reset();
    if (record.truth) record.first_time = io::TimeBracket{exact.toi_lower, exact.toi_upper};
    return record;
}

std::string describe(const oracle::Truth& truth) {
    switch (truth.state) {
        case oracle::State::Separated:
            return "separated";
        case oracle::State::Invalid:
            return "invalid";
        case oracle::State::Contact:
            break;
    }
    return fmt::format("contact in [{}, {}]", io::to_hex(truth.toi_lower),
                       io::to_hex(truth.toi_upper));
}

std::string disagreement(const io::QueryRecord& record, const oracle::Truth& exact) {
    if (record.truth && record.truth != touches(exact)) {
        return fmt::format("published {}, exact {}", *record.truth ? "contact" : "separated",
                           describe(exact));
    }
    const io::TimeBracket time{exact.toi_lower, exact.toi_upper};
    if (record.first_time && *record.first_time != time) {
        return fmt::format("published time [{}, {}], exact {}",
                           io::to_hex(record.first_time->lower),
                           io::to_hex(record.first_time->upper), describe(exact));
    }
    return "";
}

}  // namespace graze::verify
