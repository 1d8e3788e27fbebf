// Work in numbered blocks, run by all ranks and put together by rank 0 in their order.
//
// Every rank runs the same command line up to run_blocks(). Rank 0 hands out blocks as ranks become
// free, the lowest number first, and runs blocks itself, in a thread beside the one that answers
// messages; the other ranks ask for blocks until there are none. What a block gives depends on the
// block alone, and blocks are reduced in the order of their numbers: the outcome is the same for every
// number of ranks, and for every history of interrupts where there is a journal.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "cluster/block_journal.hpp"
#include "cluster/transport.hpp"

namespace graze::app {

struct BlockJob {
    std::size_t count = 0;
    // What a block is of, for errors: "queries 440 to 879".
    std::function<std::string(std::size_t)> name;
    // What its result depends on, beside the settings of the journal; empty: the name.
    std::function<std::string(std::size_t)> key = {};
    // On any rank, one block at a time; not in the thread that reduces.
    std::function<Expected<Payload>(std::size_t)> run;
    // On rank 0, for every block in the order of their numbers.
    std::function<Expected<void>(std::size_t, const Payload&)> reduce = {};
    // On rank 0, as soon as a block is done: what must not wait for slower ones before it.
    std::function<Expected<void>(std::size_t, const Payload&)> arrive = {};
    // On rank 0, before anything is run: blocks that need neither run() nor reduce().
    std::function<bool(std::size_t)> is_known = {};
};

// One rank of a run of several.
class RankSession {
public:
    explicit RankSession(Transport& transport) : transport_(transport) {}

    [[nodiscard]] int rank() const noexcept { return transport_.rank(); }
    [[nodiscard]] int size() const noexcept { return transport_.size(); }
    [[nodiscard]] bool is_worker() const noexcept { return rank() != 0; }

    // Runs all blocks. Rank 0 has reduced them when it returns; then every rank returns the bytes of
    // `shared`, which is asked on rank 0 alone.
    // Errors: that of the failed block with the lowest number, with its name, once all blocks before it
    // are done; of reduce() and of the journal; on other ranks, that rank 0 has ended the run.
    [[nodiscard]] Expected<Payload> run(const BlockJob& job, BlockJournal* journal,
                                        const std::function<Payload()>& shared);

    // The end of the run for this rank. A worker hands over why it failed, if it did. Rank 0 waits for
    // the others, and ends them where they do not follow within `patience`: they are within a block.
    void leave(const std::string& failure, std::chrono::milliseconds patience);

private:
    friend class BlockServer;
    [[nodiscard]] Expected<Payload> work(const BlockJob& job);
    [[nodiscard]] Expected<void> answer(const BlockJob& job, std::uint64_t index);
    void leave_as_worker(const std::string& failure);

    Transport& transport_;
    std::uint64_t phase_ = 0;  // calls of run() so far
    bool is_told_to_leave_ = false;
    std::set<int> gone_;  // rank 0: ranks that have left
};

// The session of this process; null where it is alone.
void set_session(RankSession* session) noexcept;
[[nodiscard]] RankSession* session() noexcept;
[[nodiscard]] bool is_worker() noexcept;
// 1 where it is alone.
[[nodiscard]] int rank_count() noexcept;

// What a worker returns when the rest of the command is that of rank 0: nothing is printed for it.
[[nodiscard]] Error left_to_rank_0();

// Runs and reduces all blocks, on this process or on all ranks. On ranks other than 0 always an error,
// left_to_rank_0() where all went well.
[[nodiscard]] Expected<void> run_blocks(const BlockJob& job, BlockJournal* journal = nullptr);
// The results of all blocks, on every rank. For small ones; reduce() is not called.
[[nodiscard]] Expected<std::vector<Payload>> gather_blocks(BlockJob job);

}  // namespace graze::app
