// Which queries a method is asked when it is too slow for all of them.
//
// Queries of a group are numbered from 0. A sample of stride s holds 0, s, 2 s, ...; strides that a
// time budget chooses are powers of two, and a sample is made finer level by level: each level asks
// the queries half way between those of the level before. So a level takes about as long as all
// levels before it together, and every finished level leaves an even sample.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/query_input.hpp"
#include "graze/verify/answers.hpp"

namespace graze::app {
using namespace verify;

class StrideLevels {
public:
    // Without a budget (0) the first level holds every query, and is the last.
    StrideLevels(std::uint64_t count, double budget_s) noexcept;

    // Of all levels that were not given up.
    [[nodiscard]] std::uint64_t stride() const noexcept { return stride_; }
    // The places of the first level, ascending. With a budget it is a single query, so that even
    // the slowest method answers one.
    [[nodiscard]] std::vector<std::uint64_t> first() const;
    // The places of the next level, after `spent_s` for all before; empty where there is no finer
    // one or where it would not fit: it takes about as long as all before it.
    [[nodiscard]] std::vector<std::uint64_t> finer(double spent_s);
    // True iff the level that is being asked does not fit after all.
    [[nodiscard]] bool is_overdrawn(double spent_s) const noexcept;
    // The last level of finer() was not finished: its answers do not count.
    void give_up() noexcept { stride_ *= 2; }

private:
    std::uint64_t count_;
    double budget_s_;
    std::uint64_t stride_ = 1;
    bool is_first_ = true;
};

// Seconds on some clock that does not go back.
using Seconds = std::function<double()>;
[[nodiscard]] Seconds steady_seconds();

struct AskOptions {
    // Wall seconds for one method on one group and kind; 0: no limit, every query is asked.
    double budget_s = 0.0;
    // Each query is asked this often; its smallest time counts.
    unsigned repeat = 1;
    Seconds now = steady_seconds();
};

// What a method said of some queries of a group: those at `places`, which ascend.
struct Asked {
    std::vector<std::uint64_t> places;
    std::vector<Answer> answers;
    std::uint64_t stride = 1;
    // Queries whose answer was not the same in every repetition.
    std::uint64_t unsteady = 0;
    double spent_s = 0.0;
    // False after an interrupt: then this is the last sample that was whole, or the head of the
    // first.
    bool complete = true;
};
[[nodiscard]] Asked ask(const Run& run, std::span<const io::QueryRecord> records,
                        const AskOptions& options);

// All sets of one group and kind.
struct QueryGroup {
    std::string name;
    QueryKind kind = QueryKind::VertexFace;
    std::vector<QueryInput> inputs;
};
// In the order in which they first appear.
[[nodiscard]] std::vector<QueryGroup> groups_of(const std::vector<QueryInput>& inputs);

struct PortionOptions {
    // Queries in memory at a time.
    std::uint64_t limit = std::uint64_t{1} << 18;
    // A group that is larger is thinned out evenly instead of being read in several portions.
    bool thin_out = false;
    // Only every so many queries of the group are there.
    std::uint64_t stride = 1;
    // Which queries of a set are there at all, by their number in it; empty: all.
    std::function<bool(std::uint64_t)> is_wanted;
};

// Queries of a group, and where each is from.
struct Portion {
    struct Place {
        std::size_t input = 0;    // index into QueryGroup::inputs
        std::uint64_t index = 0;  // in that set
    };
    std::vector<io::QueryRecord> records;
    std::vector<Place> places;
    // Queries that were read for it, and every how many is here.
    std::uint64_t read = 0;
    std::uint64_t stride = 1;
};

class PortionReader {
public:
    PortionReader(const QueryGroup& group, PortionOptions options)
        : group_(group), options_(std::move(options)) {}
    // Empty at the end of the group.
    [[nodiscard]] Expected<Portion> next();

private:
    [[nodiscard]] Expected<std::vector<io::QueryRecord>> next_block();
    void add(Portion& portion, const std::vector<io::QueryRecord>& block);

    const QueryGroup& group_;
    PortionOptions options_;
    std::size_t input_ = 0;
    std::uint64_t index_ = 0;  // in the set
    std::uint64_t seen_ = 0;   // in the group, of those wanted
    std::optional<BlockReader> reader_;
};

}  // namespace graze::app
