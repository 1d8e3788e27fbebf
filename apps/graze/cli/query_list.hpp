// Numbered lists of queries, so that a run over a part of one can be taken up by the next: what is
// generated, and what data folders hold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graze/generate/numbered.hpp"
#include "query_input.hpp"

namespace graze::app {

struct ListedQuery {
    QueryKind kind = QueryKind::VertexFace;
    io::QueryRecord record;
    std::string place;  // "near vf, seed 17", "handcrafted/spikes/a.csv, query 17"
};

// The query at this index of a set.
[[nodiscard]] ListedQuery listed(const QueryInput& input, const io::QueryRecord& record,
                                 std::uint64_t index);
// Query number n of the list that alternates between families and kinds. Requires: neither is empty.
[[nodiscard]] ListedQuery listed(std::uint64_t number, std::span<const generate::Family> families,
                                 std::span<const QueryKind> kinds);

// Which part of a list.
struct ListRange {
    std::uint64_t first = 0;
    std::optional<std::uint64_t> count;  // nothing: to the end
};

class QueryList {
public:
    virtual ~QueryList() = default;
    // The next queries, at most `most`; empty at the end.
    [[nodiscard]] virtual Expected<std::vector<ListedQuery>> next(std::size_t most) = 0;
};

// Requires: range.count, and neither list is empty.
[[nodiscard]] std::unique_ptr<QueryList> generated_list(std::vector<generate::Family> families,
                                                        std::vector<QueryKind> kinds,
                                                        const ListRange& range);

// The queries of all sets, one after the other, numbered through. With a sample: that many of each
// set, evenly spread and the same in every run (or all, where there are fewer), which costs a pass
// over the set to count it; the numbers are then those of the sample.
[[nodiscard]] std::unique_ptr<QueryList> stored_list(std::vector<QueryInput> inputs,
                                                     std::optional<std::uint64_t> sample,
                                                     const ListRange& range);

// Picks `wanted` of `total` indices, evenly spread; asked once for each index in turn.
//   A sum grows by `wanted` an index and picks when it reaches `total`. It starts at total - 1, so
//   index 0 is picked, and after all of them it has been reached
//   floor((total - 1 + total wanted) / total) = wanted times.
class EvenSample {
public:
    EvenSample(std::uint64_t wanted, std::uint64_t total)
        : wanted_(std::min(wanted, total)), total_(total), sum_(total == 0 ? 0 : total - 1) {}
    [[nodiscard]] bool picks_next() noexcept {
        // sum_ < total_ before and after; the sum itself could overflow only beyond 2^63 queries.
        sum_ += wanted_;
        if (sum_ < total_) return false;
        sum_ -= total_;
        return true;
    }

private:
    std::uint64_t wanted_;
    std::uint64_t total_;
    std::uint64_t sum_;
};

}  // namespace graze::app
