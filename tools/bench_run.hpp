// Runs methods over query sets and collects what a comparison table needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output.hpp"
#include "progress.hpp"
#include "query_input.hpp"
#include "tally.hpp"

namespace graze::tools {

struct BenchOptions {
    CcdOptions query;
    // Each query is asked this often; its smallest time counts.
    unsigned repeat = 1;
    unsigned threads = 1;
    // Only the first kQuickHead queries of each set, and then every kQuickStride-th.
    bool quick = false;
    // Folder for every answer; empty: none are kept.
    std::string raw;
};
inline constexpr std::uint64_t kQuickHead = 256;
inline constexpr std::uint64_t kQuickStride = 64;
// All methods answer the same queries, so that their counts compare.
[[nodiscard]] bool is_sampled(std::uint64_t index_in_set, bool quick) noexcept;

// A block without what is not sampled, with the place of each record in its set.
struct SampledBlock {
    std::vector<dataset::QueryRecord> records;
    std::vector<std::uint64_t> indices;
};

// One line of the table.
struct BenchRow {
    Method method;
    std::string group;
    QueryKind kind = QueryKind::VertexFace;
    Tally tally;
};

struct MethodHash {
    Method method;
    ResultHash hash;
    // Queries whose answer was not the same in every repetition.
    std::uint64_t unsteady = 0;
};

// Rows in the order in which groups and kinds first appear, methods in the order given.
class BenchRun {
public:
    BenchRun(const std::vector<Method>& methods, BenchOptions options);

    // An error if two of the sets would keep their answers under one name.
    [[nodiscard]] Expected<void> check_raw_names(const std::vector<QueryInput>& inputs) const;
    // Every method that has a query of this kind answers the set.
    [[nodiscard]] Expected<void> add_set(const QueryInput& input, Progress& progress);
    [[nodiscard]] const std::vector<BenchRow>& rows() const noexcept { return rows_; }
    [[nodiscard]] const std::vector<MethodHash>& hashes() const noexcept { return hashes_; }
    // How often a query of this kind is asked, over all methods and repetitions.
    [[nodiscard]] std::uint64_t answers_a_query(QueryKind kind) const;
    // Queries in all rows.
    [[nodiscard]] std::uint64_t queries() const;

private:
    [[nodiscard]] BenchRow& row_of(const Method& method, const QueryInput& input);
    // The answers with the smallest time of all repetitions.
    [[nodiscard]] std::vector<Answer> best_answers(MethodHash& method, const Run& run,
                                                   std::span<const dataset::QueryRecord> records);
    // One file a method that answers this kind, none where raw answers are not kept.
    using RawFiles = std::vector<std::optional<OutputFile>>;
    [[nodiscard]] Expected<RawFiles> create_raw(const QueryInput& input) const;
    [[nodiscard]] Expected<void> answer_block(const QueryInput& input, const SampledBlock& block,
                                              RawFiles& raw, Progress& progress);

    BenchOptions options_;
    std::vector<BenchRow> rows_;
    std::vector<MethodHash> hashes_;
};

}  // namespace graze::tools
