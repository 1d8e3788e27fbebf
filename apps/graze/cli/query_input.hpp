// Queries from one or many places, read block by block.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graze/io/embedded.hpp"
#include "graze/io/query_sets.hpp"
#include "graze/narrow/query_bounds.hpp"
#include "progress.hpp"

namespace graze::app {

// Queries per block: big enough to keep threads busy, small enough to answer an interrupt soon.
inline constexpr std::size_t kBlockSize = 1024;

// One set of queries of one kind that has not been opened yet.
struct QueryInput {
    std::string name;   // for messages and tables
    std::string group;  // for tables
    QueryKind kind = QueryKind::VertexFace;
    std::function<Expected<std::unique_ptr<io::QueryStream>>()> open;
    // About how many queries there are, where a look at the head of a file tells; for progress.
    std::function<std::optional<ProgressTotal>()> estimate;
};

[[nodiscard]] QueryInput input_from(const io::QuerySource& source);
[[nodiscard]] QueryInput input_from(const io::QuerySet& set);
[[nodiscard]] QueryInput input_from(const io::EmbeddedSet& set);

// Every set of a data folder, of one kind or of all.
[[nodiscard]] Expected<std::vector<QueryInput>> inputs_in_folder(const std::string& folder,
                                                                 std::optional<QueryKind> kind);

// The sum of weight(input) times its queries, where every input has an estimate and a progress bar
// could show it.
[[nodiscard]] std::optional<ProgressTotal> total_for_progress(
    const std::vector<QueryInput>& inputs,
    const std::function<std::uint64_t(const QueryInput&)>& weight);
[[nodiscard]] std::optional<ProgressTotal> total_for_progress(
    const std::vector<QueryInput>& inputs);

// Reads one input. Memory does not grow with its length.
class BlockReader {
public:
    [[nodiscard]] static Expected<BlockReader> open(const QueryInput& input);
    // The next records, at most kBlockSize; empty at the end.
    [[nodiscard]] Expected<std::vector<io::QueryRecord>> next();

private:
    explicit BlockReader(std::unique_ptr<io::QueryStream> stream) : stream_(std::move(stream)) {}
    std::unique_ptr<io::QueryStream> stream_;
};

// Adds every query of an input to the bounds: reads all of it once.
[[nodiscard]] Expected<void> add_bounds(const QueryInput& input, BoundsOfQueries& bounds);

// Which stored truths answer the question that is asked. Files say whether the primitives touch in
// the whole step; a truth that the user names is taken for the question as it is asked.
struct TruthUse {
    bool stored_applies = true;  // no minimum separation, t_max = 1
    bool named_by_user = false;
};
// The record without what does not apply.
[[nodiscard]] io::QueryRecord with_applicable_truth(io::QueryRecord record, TruthUse use) noexcept;

}  // namespace graze::app
