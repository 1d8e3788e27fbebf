// Stored queries in blocks: ranges of files, which any rank can read by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/query_list.hpp"

namespace graze::app {

// What a pass over an input finds.
struct InputSize {
    std::uint64_t queries = 0;
    std::uint64_t content = 0;  // CRC-64/XZ of all records: what blocks of it depend on
};
// Of all inputs, each read once by some rank; on every rank. Errors: those of reading.
[[nodiscard]] Expected<std::vector<InputSize>> sizes_of(const std::vector<QueryInput>& inputs);

struct InputRange {
    std::size_t input = 0;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
};
// Each input in ranges of at most `most` queries.
[[nodiscard]] std::vector<InputRange> ranges_of(const std::vector<InputSize>& sizes,
                                                std::uint64_t most);
// "handcrafted/near/0vf.gzq, queries 0 to 1023".
[[nodiscard]] std::string text_of(const QueryInput& input, const InputRange& range);
// The same with what the input holds.
[[nodiscard]] std::string key_of(const QueryInput& input, const InputSize& size,
                                 const InputRange& range);

// Reads ranges; those that ascend within an input in one pass.
class RangeReader {
public:
    // Refers to the inputs.
    explicit RangeReader(const std::vector<QueryInput>& inputs) : inputs_(inputs) {}
    // An error also where the input ends before the range does: it has changed since it was counted.
    [[nodiscard]] Expected<std::vector<io::QueryRecord>> read(const InputRange& range);

private:
    [[nodiscard]] Expected<io::QueryRecord> next(const InputRange& range);

    const std::vector<QueryInput>& inputs_;
    std::unique_ptr<io::QueryStream> stream_;
    std::size_t input_ = 0;       // that is open
    std::uint64_t position_ = 0;  // of its next query
};

// A numbered list of queries (cli/query_list.hpp) in blocks of about kListBlock.
inline constexpr std::uint64_t kListBlock = 440;
class ListBlocks {
public:
    // Requires: range.count, and neither list is empty.
    [[nodiscard]] static ListBlocks generated(std::vector<generate::Family> families,
                                              std::vector<QueryKind> kinds, const ListRange& range);
    // The list of stored_list(). Every rank calls it. Refers to the inputs.
    [[nodiscard]] static Expected<ListBlocks> stored(const std::vector<QueryInput>& inputs,
                                                     std::optional<std::uint64_t> sample,
                                                     const ListRange& range);

    [[nodiscard]] std::size_t count() const noexcept { return blocks_.size(); }
    [[nodiscard]] std::string name(std::size_t block) const;
    [[nodiscard]] std::string key(std::size_t block) const;
    // Of the first query of the block.
    [[nodiscard]] std::uint64_t number(std::size_t block) const { return blocks_[block].number; }
    [[nodiscard]] Expected<std::vector<ListedQuery>> read(std::size_t block);

private:
    struct ListBlock {
        InputRange range;           // of stored queries: before the sample is taken
        std::uint64_t number = 0;   // of its first query in the list
        std::uint64_t count = 0;    // of its queries in the list
        std::uint64_t skipped = 0;  // queries of the sample in the range that come before the list
    };
    void add_input(std::size_t input, std::uint64_t first_number, const ListRange& range);
    [[nodiscard]] std::uint64_t wanted(std::size_t input) const;

    std::vector<generate::Family> families_;
    std::vector<QueryKind> kinds_;
    const std::vector<QueryInput>* inputs_ = nullptr;  // null: generated
    std::vector<InputSize> sizes_;
    std::optional<std::uint64_t> sample_;
    std::vector<ListBlock> blocks_;
    std::unique_ptr<RangeReader> reader_;
};

}  // namespace graze::app
