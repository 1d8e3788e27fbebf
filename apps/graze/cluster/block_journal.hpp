// Blocks that are done, kept in a file so that a run can go on after it was interrupted, whatever
// interrupted it, with any number of ranks.
//
//   header   magic[8]  version u32  length u64  settings text  CRC-64 u64 of all before it
//   record   index u64  key u64  length u64  payload  CRC-64 u64 of the record before it
// All numbers are little-endian. Records are appended in the order in which blocks are done. What cuts
// the file short, or changes a byte of it, costs the records from there on, and nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "cluster/payload.hpp"
#include "graze/core/expected.hpp"

namespace graze::app {

class BlockJournal {
public:
    // An empty journal in the place of whatever is there.
    [[nodiscard]] static Expected<BlockJournal> create(const std::string& path,
                                                       const std::string& settings);
    // What the file holds; an empty journal where there is none. `settings` is all that results depend on
    // beside the keys of the blocks. Errors: a journal of other settings, a file that is no journal.
    [[nodiscard]] static Expected<BlockJournal> resume(const std::string& path,
                                                       const std::string& settings);

    BlockJournal(BlockJournal&& other) noexcept;
    BlockJournal& operator=(BlockJournal&&) = delete;
    ~BlockJournal();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    // Blocks that were there when it was opened.
    [[nodiscard]] std::size_t kept() const noexcept { return kept_; }
    // Is the block there, made of the content that this key stands for?
    [[nodiscard]] bool has(std::uint64_t index, std::uint64_t key) const;
    // Requires: has(). Memory holds no payloads.
    [[nodiscard]] Expected<Payload> read(std::uint64_t index) const;
    // With the operating system when it returns; on the disk within about a second of work.
    [[nodiscard]] Expected<void> add(std::uint64_t index, std::uint64_t key,
                                     const Payload& payload);
    // The run is complete: the file goes.
    void remove();

private:
    struct Entry {
        std::uint64_t key = 0;
        std::uint64_t offset = 0;  // of the payload
        std::uint64_t length = 0;
    };
    explicit BlockJournal(std::string path) : path_(std::move(path)) {}
    [[nodiscard]] Expected<void> open(bool anew);
    [[nodiscard]] Expected<void> begin(const std::string& settings);
    [[nodiscard]] Expected<void> scan(const std::string& settings);
    // False at the end of what is whole.
    [[nodiscard]] bool scan_record();
    [[nodiscard]] Expected<void> append(const Payload& bytes);

    std::string path_;
    int file_ = -1;
    std::uint64_t end_ = 0;  // of what is whole
    std::size_t kept_ = 0;
    std::map<std::uint64_t, Entry> entries_;
    std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace graze::app
