// What `graze truth` counts, and how it is said.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "cli/query_input.hpp"

namespace graze::app {

struct TruthCounts {
    std::uint64_t queries = 0;
    std::uint64_t contacts = 0;
    std::uint64_t invalid = 0;
    std::uint64_t compared = 0;
    std::uint64_t disagreements = 0;
    std::uint64_t way_differences = 0;
    double seconds = 0.0;

    TruthCounts& operator+=(const TruthCounts& other);
};

// One query on which something differs.
struct Difference {
    std::string set;
    std::uint64_t index = 0;  // within the set
    std::string text;
};

struct TruthReport {
    bool check_ways = false;  // whether the ways of asking were compared
    TruthCounts total;
    std::vector<Difference> differences;  // the first few; all are counted
};

// The published truths may be wrong, and that is a result. The oracle may not contradict itself,
// nor may a run over nothing pass for one that has found nothing.
[[nodiscard]] Expected<void> outcome_of(const TruthReport& report);

[[nodiscard]] Json counts_json(const TruthReport& report, const TruthCounts& counts);
[[nodiscard]] Json differences_json(const TruthReport& report);
[[nodiscard]] std::string closing_text(const TruthReport& report);

// One line a set; the first column is as wide as the longest name.
class TruthTable {
public:
    explicit TruthTable(const std::vector<QueryInput>& inputs);
    [[nodiscard]] std::string header() const;
    [[nodiscard]] std::string row(std::string_view name, std::string_view kind,
                                  const TruthCounts& counts) const;

private:
    std::size_t width_ = 20;
};

}  // namespace graze::app
