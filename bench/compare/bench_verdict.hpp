// What a method comparison comes to: one line, and one row a method.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench_run.hpp"

namespace graze::app {

// One method over several groups and kinds.
struct MethodSummary {
    Method method;
    std::uint64_t queries = 0;     // that these groups have
    std::uint64_t asked = 0;       // fewer where the method was asked a sample
    std::uint64_t with_truth = 0;  // of those asked
    std::uint64_t false_positives = 0;
    std::uint64_t false_negatives = 0;
    std::uint64_t wrong_times = 0;  // as Tally::toi_errors() counts: perhaps two a query
    std::uint64_t unresolved = 0;
    // [ns] Each group counts by the queries that it has, so that a sample does not weigh less.
    double mean_ns = 0.0;

    [[nodiscard]] std::uint64_t wrong_verdicts() const noexcept {
        return false_positives + false_negatives;
    }
};

// Methods in the order of the rows.
struct BenchSummary {
    std::vector<MethodSummary> methods;
    std::size_t sections = 0;       // groups and kinds that are summed up
    std::size_t sections_left = 0;  // those that some method has no answers for
};

// Of all rows: what each method was asked, whatever the others were asked.
[[nodiscard]] BenchSummary summary_of_all(const std::vector<BenchRow>& rows);
// Of the groups and kinds that every method answered, so that rows compare.
[[nodiscard]] BenchSummary comparable_summary(const std::vector<BenchRow>& rows);

// "certified: 0 wrong of 418 queries; 13 other methods: 5 miss contacts, 4 ...": the method named,
// and how many others make mistakes of which kind; without that method just all of them. Against
// the stored truth; of a method that was asked a sample, in the sample. Empty for no rows.
[[nodiscard]] std::string verdict_line(const std::vector<BenchRow>& rows, std::string_view method);

}  // namespace graze::app
