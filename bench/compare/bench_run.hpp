// Runs methods over query sets and collects what a comparison table needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench_sample.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/query_input.hpp"
#include "cluster/journal_options.hpp"
#include "graze/verify/tally.hpp"

namespace graze::app {
using namespace verify;

struct BenchOptions {
    CcdOptions query;
    AskOptions ask;
    // Every so many queries of each group, for all methods; 0: chosen for each method by the
    // budget, or 1 where there is none.
    std::uint64_t stride = 0;
    unsigned threads = 1;
    // Only the first kQuickHead queries of each set, and then every kQuickStride-th.
    bool quick = false;
    // Folder for every answer; empty: none are kept.
    std::string raw;
    // Of the methods that have tolerances; the scene is the group.
    BoundChoice bound;
};
inline constexpr std::uint64_t kQuickHead = 256;
inline constexpr std::uint64_t kQuickStride = 64;
[[nodiscard]] bool is_sampled(std::uint64_t index_in_set, bool quick) noexcept;

// One line of the table.
struct BenchRow {
    Method method;
    std::string group;
    QueryKind kind = QueryKind::VertexFace;
    Tally tally;
    // Queries that the group has (those of the quick sample, where only that is looked at), and
    // every how many of them this method was asked.
    std::uint64_t group_queries = 0;
    std::uint64_t stride = 1;
    // False where an interrupt left the sample coarser, or shorter, than it should be.
    bool complete = true;
};

struct MethodHash {
    Method method;
    ResultHash hash;
    // Queries whose answer was not the same in every repetition.
    std::uint64_t unsteady = 0;
    // True iff a budget chose which queries were asked: another run may choose others, and then has
    // another hash.
    bool is_sample = false;
};

// Answers of one method as files, one a set. Sets come one after the other.
class RawAnswers {
public:
    // The files go to `files` when they are complete.
    RawAnswers(std::string folder, OutputBatch& files)
        : folder_(std::move(folder)), files_(files) {}
    [[nodiscard]] Expected<void> add(const QueryGroup& group, const Portion& portion,
                                     const Asked& asked);
    [[nodiscard]] Expected<void> finish();

private:
    [[nodiscard]] Expected<void> turn_to(const QueryInput& input);
    std::string folder_;
    OutputBatch& files_;
    std::string open_name_;
    std::optional<OutputFile> file_;
};

// Which queries of a group are there, and how many in memory at a time.
[[nodiscard]] PortionOptions portions_for(const BenchOptions& options);

// Rows in the order in which groups and kinds first appear, methods in the order given.
class BenchRun {
public:
    BenchRun(const std::vector<Method>& methods, BenchOptions options);

    // An error if two of the sets would keep their answers under one name.
    [[nodiscard]] Expected<void> check_raw_names(const std::vector<QueryInput>& inputs) const;
    // Every method that has queries of this kind answers the group, or a sample of it. After an
    // interrupt what was measured stays, and is marked.
    // Answers that are kept go to `files`.
    [[nodiscard]] Expected<void> add_group(const QueryGroup& group, Progress& progress,
                                           OutputBatch& files);
    // The same for all groups, in blocks on all ranks: a method and, without a budget, a range of queries.
    // Times are those of the rank that measured them; all else is the same for every number of ranks.
    [[nodiscard]] Expected<void> add_in_blocks(const std::vector<QueryGroup>& groups,
                                               Progress& progress, OutputBatch& files,
                                               std::optional<BlockJournal>& journal);
    [[nodiscard]] const std::vector<BenchRow>& rows() const noexcept { return rows_; }
    [[nodiscard]] const std::vector<MethodHash>& hashes() const noexcept { return hashes_; }
    [[nodiscard]] const BenchOptions& options() const noexcept { return options_; }
    // False iff an interrupt left out something that was asked for.
    [[nodiscard]] bool is_complete() const noexcept { return complete_; }
    // How often a query of this kind is asked, over all methods and repetitions.
    [[nodiscard]] std::uint64_t answers_a_query(QueryKind kind) const;
    [[nodiscard]] std::uint64_t methods_for(QueryKind kind) const;
    // Queries in all rows.
    [[nodiscard]] std::uint64_t queries() const;

private:
    friend class BenchBlocks;
    [[nodiscard]] BenchRow& row_of(const Method& method, const QueryGroup& group);
    // Queries of the group as a method answers them, with the bounds of the group.
    [[nodiscard]] Asked answers_of_method(std::size_t method, const QueryGroup& group,
                                          const Portion& portion, const Workers& crew) const;
    [[nodiscard]] Expected<void> add_portion(const QueryGroup& group, const Portion& portion,
                                             std::vector<RawAnswers>& raw, Progress& progress);
    [[nodiscard]] Expected<void> set_bounds(const QueryGroup& group);
    void count(MethodHash& method, const QueryGroup& group, const Portion& portion,
               const Asked& asked);

    BenchOptions options_;
    QueryBounds bounds_;  // of the group that is asked, with BenchOptions::bound
    std::vector<BenchRow> rows_;
    std::vector<MethodHash> hashes_;
    bool complete_ = true;
};

}  // namespace graze::app
