// Counts of what a method answered, and of where that is wrong.
#pragma once

#include <cstdint>
#include <optional>

#include "graze/verify/answers.hpp"
#include "graze/verify/stats.hpp"

namespace graze::verify {

// True iff toi_lower is not at or before the exact first time; NaN is nowhere, and late.
//   The bracket [L, U] holds the exact time e as equal doubles L = e = U, or as neighbours L < e <
//   U. toi_lower is a double, so toi_lower > e iff toi_lower > L, in both cases.
[[nodiscard]] constexpr bool is_late(const CcdResult& result,
                                     const io::TimeBracket& exact) noexcept {
    return !(result.toi_lower <= exact.lower);
}
// True iff toi_upper is not at or after it: by the same argument, unless toi_upper >= U.
[[nodiscard]] constexpr bool is_early(const CcdResult& result,
                                      const io::TimeBracket& exact) noexcept {
    return !(result.toi_upper >= exact.upper);
}

class Tally {
public:
    void add(const io::QueryRecord& record, const Answer& answer);

    // Unresolved counts as contact here, and has its own count besides.
    struct Counts {
        std::uint64_t queries = 0;
        std::uint64_t separated = 0;
        std::uint64_t contacts = 0;
        std::uint64_t unresolved = 0;
        std::uint64_t with_truth = 0;
        std::uint64_t true_contacts = 0;  // of those with a truth
        std::uint64_t false_positives = 0;
        std::uint64_t false_negatives = 0;
        std::uint64_t with_time = 0;  // exact first time known (infinite where separated)
        // Times on the wrong side of it; a miss called separated is a false negative instead.
        std::uint64_t toi_late = 0;   // toi_lower after it
        std::uint64_t toi_early = 0;  // toi_upper before it
        std::uint64_t checks = 0;
        std::uint64_t over_budget = 0;
        std::optional<double> max_tolerance;  // the largest finite one
        std::uint64_t heap_bytes = 0;         // the most that a query took
    };
    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }
    // Nothing where no query had a truth.
    [[nodiscard]] std::optional<std::uint64_t> true_contacts() const;
    [[nodiscard]] std::optional<std::uint64_t> false_positives() const;
    [[nodiscard]] std::optional<std::uint64_t> false_negatives() const;
    // Nothing where no exact time was known.
    [[nodiscard]] std::optional<std::uint64_t> toi_errors() const;
    [[nodiscard]] std::optional<TimeSummary> times() const {
        return (positive_ + negative_).summary();
    }
    // How far the times of true contacts are from the exact first time. Times on the wrong side of
    // it count as no distance here; `late` has theirs.
    struct TimeErrors {
        ErrorSample lag;   // of toi_lower behind it
        ErrorSample lead;  // of a finite toi_upper ahead of it
        ErrorSample late;  // of toi_lower after it
    };
    // Nothing where no exact time is known. A method that never returns more than 0 and infinity about
    // contacts after 0 reports no times: its lag and lead are empty.
    [[nodiscard]] TimeErrors time_errors() const;
    // Of the answers contact and unresolved, and of the answers separated.
    [[nodiscard]] const TimeSample& positive_times() const noexcept { return positive_; }
    [[nodiscard]] const TimeSample& negative_times() const noexcept { return negative_; }

private:
    void count_verdict(Verdict verdict);
    void add_time(const CcdResult& result, const io::TimeBracket& exact);
    Counts counts_;
    TimeErrors errors_;
    bool reports_lower_ = false;
    TimeSample positive_;
    TimeSample negative_;
};

}  // namespace graze::verify
