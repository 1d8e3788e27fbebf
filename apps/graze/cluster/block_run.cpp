#include "cluster/block_run.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <thread>

#include "cli/console.hpp"
#include "cli/interrupt.hpp"

namespace graze::app {
namespace {

// The first byte of a message.
enum class Note : unsigned char {
    Ready = 1,  // worker: phase; it may be sent blocks
    Result,     // worker: number of the block, payload
    Failed,     // worker: number of the block, message
    Bye,        // worker: why, empty where all went well; nothing follows
    Block,      // rank 0: number
    PhaseEnd,   // rank 0: what all share
    Leave,      // rank 0: nothing follows
};

// Between two looks at the messages. Blocks take a hundred times as long, and the next one lies ready.
constexpr std::chrono::microseconds kPollStep{500};
// Results that wait for an earlier block, on rank 0; the next blocks are handed out when it is less.
constexpr std::size_t kMostWaiting = std::size_t{1} << 28;

using Nanoseconds = std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

// Processor time of this thread.
Nanoseconds thread_time() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
}

// Note, number, time and what follows.
constexpr std::size_t kNoteHead = 1 + 8 + 8;

Payload note_of(Note note, std::uint64_t number, std::span<const unsigned char> rest = {},
                Nanoseconds taken = {}) {
    PayloadWriter head;
    head.byte(static_cast<unsigned char>(note));
    head.natural(number);
    head.natural(static_cast<std::uint64_t>(taken.count()));
    Payload bytes = head.take();
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    return bytes;
}

std::span<const unsigned char> bytes_of(std::string_view text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

struct ReceivedNote {
    Note note = Note::Leave;
    std::uint64_t number = 0;
    Nanoseconds taken{};  // by the block
    Payload rest;

    [[nodiscard]] std::string text() const { return {rest.begin(), rest.end()}; }
};

ReceivedNote received(const Payload& bytes) {
    PayloadReader reader(bytes);
    ReceivedNote got;
    got.note = static_cast<Note>(reader.byte());
    got.number = reader.natural();
    got.taken = Nanoseconds(static_cast<std::int64_t>(reader.natural()));
    if (bytes.size() > kNoteHead)
        got.rest.assign(bytes.begin() + static_cast<std::ptrdiff_t>(kNoteHead), bytes.end());
    return got;
}

Expected<Payload> run_guarded(const BlockJob& job, std::size_t index) {
    try {
        return job.run(index);
    } catch (const std::bad_alloc&) {
        return Error{"out of memory", ErrorCode::OutOfMemory};
    } catch (const std::exception& error) {
        return Error{error.what()};
    }
}

Error of_block(const BlockJob& job, std::size_t index, Error error) {
    return located(fmt::format("block {} of {} ({})", index, job.count, job.name(index)),
                   std::move(error));
}

std::uint64_t key_of(const BlockJob& job, std::size_t index) {
    return checksum_of(job.key ? job.key(index) : job.name(index));
}

bool is_known(const BlockJob& job, std::size_t index) {
    return job.is_known && job.is_known(index);
}

// Blocks that rank 0 runs itself, one after the other, in a thread of its own.
class OwnBlocks {
public:
    struct Finished {
        std::size_t index = 0;
        Expected<Payload> result;
        Nanoseconds taken{};
    };

    explicit OwnBlocks(const BlockJob& job) : job_(job), thread_([this] { run_queue(); }) {}
    OwnBlocks(const OwnBlocks&) = delete;
    OwnBlocks& operator=(const OwnBlocks&) = delete;
    // Waits for the block that is under way.
    ~OwnBlocks() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    void push(std::size_t index) {
        {
            const std::lock_guard lock(mutex_);
            queue_.push_back(index);
        }
        changed_.notify_all();
    }
    // The blocks that were finished since the last call; waits for one at most that long.
    [[nodiscard]] std::vector<Finished> take(std::chrono::microseconds patience) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, patience, [this] { return !finished_.empty(); });
        return std::exchange(finished_, {});
    }

private:
    void run_queue() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return is_over_ || !queue_.empty(); });
            if (is_over_) return;
            const std::size_t index = queue_.front();
            queue_.pop_front();
            lock.unlock();
            const Clock::time_point start = Clock::now();
            Expected<Payload> result = run_guarded(job_, index);
            lock.lock();
            finished_.push_back({index, std::move(result), Clock::now() - start});
            changed_.notify_all();
        }
    }

    const BlockJob& job_;
    std::mutex mutex_;  // guards what follows
    std::condition_variable changed_;
    std::deque<std::size_t> queue_;
    std::vector<Finished> finished_;
    bool is_over_ = false;
    std::thread thread_;  // last: it uses all of the above
};

RankSession* session_of_process = nullptr;

}  // namespace

// Rank 0 in one call of run().
class BlockServer {
public:
    BlockServer(RankSession& session, const BlockJob& job, BlockJournal* journal)
        : session_(session),
          job_(job),
          journal_(journal),
          held_(static_cast<std::size_t>(session.size()), 0),
          is_ready_(static_cast<std::size_t>(session.size()), false),
          own_(job) {
        is_ready_[0] = true;
        for (std::size_t i = 0; i < job.count; ++i) {
            if (is_known(job, i)) continue;
            if (journal == nullptr || !journal->has(i, key_of(job, i))) to_do_.push_back(i);
        }
    }

    Expected<void> run() {
        while (true) {
            if (stop_requested()) return stopped();
            const Nanoseconds start = thread_time();
            const std::uint64_t before = events();
            if (auto reduced = reduce_ready(); !reduced) return reduced;
            if (reduced_ == job_.count) return {};
            if (const Error* error = failure()) return *error;
            hand_out();
            if (auto taken = take_messages(); !taken) return taken;
            if (events() > before) served_ += thread_time() - start;
            for (OwnBlocks::Finished& block : own_.take(kPollStep)) {
                --held_[0];
                const auto done = settle(block.index, std::move(block.result), 0, block.taken);
                if (!done) return done;
            }
        }
    }

    // For --verbose, and for the model of docs/cluster.md.
    void tell_figures() const {
        if (settled_ == 0) return;
        const auto count = static_cast<double>(settled_);
        tell(fmt::format(
            "{} blocks on {} ranks: {:.3g} s each, {:.3g} s at most, {:.0f} bytes of result; rank "
            "0 "
            "spent {:.3g} s on each",
            settled_, session_.size(), std::chrono::duration<double>(sum_taken_).count() / count,
            std::chrono::duration<double>(longest_).count(), static_cast<double>(bytes_) / count,
            std::chrono::duration<double>(served_).count() / count));
    }

private:
    [[nodiscard]] std::uint64_t events() const noexcept { return settled_ + reduced_ + next_; }

    Expected<void> reduce_ready() {
        for (; reduced_ < job_.count; ++reduced_) {
            if (is_known(job_, reduced_)) continue;
            const auto found = waiting_.find(reduced_);
            if (found == waiting_.end()) {
                if (journal_ == nullptr || !journal_->has(reduced_, key_of(job_, reduced_)))
                    return {};
                const Expected<Payload> kept = journal_->read(reduced_);
                if (!kept) return kept.error();
                if (auto taken = reduce(reduced_, *kept); !taken) return taken;
                continue;
            }
            const Payload payload = std::move(found->second);
            waiting_.erase(found);
            waiting_bytes_ -= payload.size();
            if (auto taken = reduce(reduced_, payload); !taken) return taken;
        }
        return {};
    }

    Expected<void> reduce(std::size_t index, const Payload& payload) const {
        if (!job_.reduce) return {};
        const Expected<void> taken = job_.reduce(index, payload);
        if (taken || stop_requested()) return taken;
        return of_block(job_, index, taken.error());
    }

    // That of the lowest block, once nothing before it can fail any more.
    [[nodiscard]] const Error* failure() const {
        if (failures_.empty()) return nullptr;
        const bool is_first = under_way_.empty() || failures_.begin()->first < *under_way_.begin();
        return is_first ? &failures_.begin()->second : nullptr;
    }

    // Two blocks for each rank, so that none waits for an answer; one where few are left, so that none
    // lies behind a slow one while others have nothing to do.
    void hand_out() {
        const std::size_t left = to_do_.size() - next_;
        const std::size_t most = left > 4 * held_.size() ? 2 : 1;
        for (std::size_t depth = 0; depth < most; ++depth) {
            for (std::size_t rank = 0; rank < held_.size(); ++rank) {
                if (next_ == to_do_.size() || !failures_.empty()) return;
                if (waiting_bytes_ > kMostWaiting) return;
                if (!is_ready_[rank] || held_[rank] > depth) continue;
                give(rank, to_do_[next_++]);
            }
        }
    }

    void give(std::size_t rank, std::size_t index) {
        ++held_[rank];
        under_way_.insert(index);
        if (rank == 0) return own_.push(index);
        session_.transport_.send(static_cast<int>(rank), note_of(Note::Block, index));
    }

    Expected<void> take_messages() {
        while (auto message = session_.transport_.poll()) {
            const auto rank = static_cast<std::size_t>(message->from);
            ReceivedNote got = received(message->bytes);
            if (got.note == Note::Ready) {
                is_ready_[rank] = is_ready_[rank] || got.number == session_.phase_;
            } else if (got.note == Note::Bye) {
                session_.gone_.insert(message->from);
                return Error{
                    fmt::format("rank {}: {}", rank, got.rest.empty() ? "has left" : got.text())};
            } else if (got.note == Note::Result || got.note == Note::Failed) {
                --held_[rank];
                const auto index = static_cast<std::size_t>(got.number);
                Expected<Payload> result = got.note == Note::Failed
                                               ? Expected<Payload>(Error{got.text()})
                                               : Expected<Payload>(std::move(got.rest));
                const auto done = settle(index, std::move(result), message->from, got.taken);
                if (!done) return done;
            }
        }
        return {};
    }

    Expected<void> settle(std::size_t index, Expected<Payload> result, int rank,
                          Nanoseconds taken) {
        under_way_.erase(index);
        ++settled_;
        sum_taken_ += taken;
        longest_ = std::max(longest_, taken);
        if (stop_requested()) return stopped();
        if (!result) {
            Error error = of_block(job_, index, result.error());
            if (rank > 0) error = located(fmt::format("rank {}", rank), std::move(error));
            failures_.emplace(index, std::move(error));
            return {};
        }
        if (journal_ != nullptr) {
            const auto kept = journal_->add(index, key_of(job_, index), *result);
            if (!kept) return of_block(job_, index, kept.error());
        }
        if (job_.arrive) {
            const auto arrived = job_.arrive(index, *result);
            if (!arrived) return of_block(job_, index, arrived.error());
        }
        bytes_ += result->size();
        waiting_bytes_ += result->size();
        waiting_.emplace(index, *std::move(result));
        return {};
    }

    RankSession& session_;
    const BlockJob& job_;
    BlockJournal* journal_;
    std::vector<std::size_t> held_;  // by rank: blocks that it was given and has not answered
    std::vector<bool> is_ready_;     // by rank: whether it is in this phase
    std::vector<std::size_t> to_do_;
    std::size_t next_ = 0;  // in to_do_
    std::size_t reduced_ = 0;
    std::set<std::size_t> under_way_;
    std::map<std::size_t, Payload> waiting_;
    std::size_t waiting_bytes_ = 0;
    std::map<std::size_t, Error> failures_;
    // Figures of the run.
    std::uint64_t settled_ = 0;
    std::uint64_t bytes_ = 0;
    Nanoseconds sum_taken_{};
    Nanoseconds longest_{};
    Nanoseconds served_{};  // processor time, without looking for messages that are not there
    OwnBlocks own_;         // last: its thread goes first
};

Expected<Payload> RankSession::run(const BlockJob& job, BlockJournal* journal,
                                   const std::function<Payload()>& shared) {
    ++phase_;
    if (is_worker()) return work(job);
    {
        BlockServer server(*this, job, journal);
        if (auto done = server.run(); !done) return done.error();
        server.tell_figures();
    }
    Payload payload = shared ? shared() : Payload();
    if (payload.size() + kNoteHead >= Transport::kMessageLimit)
        return Error{"the results are too large for a message"};
    for (int rank = 1; rank < size(); ++rank)
        if (!gone_.contains(rank)) transport_.send(rank, note_of(Note::PhaseEnd, phase_, payload));
    return payload;
}

Expected<Payload> RankSession::work(const BlockJob& job) {
    transport_.send(0, note_of(Note::Ready, phase_));
    while (!stop_requested()) {
        const auto message = transport_.poll();
        if (!message) {
            std::this_thread::sleep_for(kPollStep);
            continue;
        }
        ReceivedNote got = received(message->bytes);
        if (got.note == Note::PhaseEnd) return std::move(got.rest);
        if (got.note == Note::Block) {
            if (auto done = answer(job, got.number); !done) return done.error();
            continue;
        }
        is_told_to_leave_ = true;
        return left_to_rank_0();
    }
    return stopped();
}

Expected<void> RankSession::answer(const BlockJob& job, std::uint64_t index) {
    const Clock::time_point start = Clock::now();
    Expected<Payload> result = run_guarded(job, static_cast<std::size_t>(index));
    const Nanoseconds taken = Clock::now() - start;
    if (stop_requested()) return stopped();
    if (result && result->size() + kNoteHead >= Transport::kMessageLimit)
        result = Error{"the result is too large for a message"};
    transport_.send(0, result ? note_of(Note::Result, index, *result, taken)
                              : note_of(Note::Failed, index, bytes_of(result.error().message)));
    return {};
}

void RankSession::leave_as_worker(const std::string& failure) {
    transport_.send(0, note_of(Note::Bye, 0, bytes_of(failure)));
    while (!is_told_to_leave_ && !stop_requested()) {
        const auto message = transport_.poll();
        if (!message)
            std::this_thread::sleep_for(kPollStep);
        else
            is_told_to_leave_ = received(message->bytes).note == Note::Leave;
    }
}

void RankSession::leave(const std::string& failure, std::chrono::milliseconds patience) {
    if (is_worker()) {
        leave_as_worker(failure);
        return stop_requested() ? void() : transport_.finish();
    }
    for (int rank = 1; rank < size(); ++rank)
        transport_.send(rank, note_of(Note::Leave, 0));
    const auto end = std::chrono::steady_clock::now() + patience;
    while (gone_.size() + 1 < static_cast<std::size_t>(size())) {
        const auto message = transport_.poll();
        if (message && received(message->bytes).note == Note::Bye) gone_.insert(message->from);
        if (message) continue;
        if (std::chrono::steady_clock::now() > end || stop_requested()) return transport_.abort(1);
        std::this_thread::sleep_for(kPollStep);
    }
    transport_.finish();
}

void set_session(RankSession* session) noexcept {
    session_of_process = session;
}

RankSession* session() noexcept {
    return session_of_process;
}

bool is_worker() noexcept {
    return session_of_process != nullptr && session_of_process->is_worker();
}

int rank_count() noexcept {
    return session_of_process == nullptr ? 1 : session_of_process->size();
}

Error left_to_rank_0() {
    return Error{"left to rank 0", ErrorCode::Cancelled};
}

namespace {

// One block after the other, in this thread.
Expected<void> run_alone(const BlockJob& job, BlockJournal* journal) {
    for (std::size_t i = 0; i < job.count; ++i) {
        if (stop_requested()) return stopped();
        if (is_known(job, i)) continue;
        const bool is_kept = journal != nullptr && journal->has(i, key_of(job, i));
        const Expected<Payload> result = is_kept ? journal->read(i) : run_guarded(job, i);
        if (stop_requested()) return stopped();
        if (!result) return journal == nullptr ? result.error() : of_block(job, i, result.error());
        if (journal != nullptr && !is_kept) {
            if (auto kept = journal->add(i, key_of(job, i), *result); !kept)
                return of_block(job, i, kept.error());
        }
        if (job.arrive && !is_kept) {
            if (auto taken = job.arrive(i, *result); !taken) return taken;
        }
        if (!job.reduce) continue;
        if (auto taken = job.reduce(i, *result); !taken) return taken;
    }
    return {};
}

}  // namespace

Expected<void> run_blocks(const BlockJob& job, BlockJournal* journal) {
    if (session() == nullptr) return run_alone(job, journal);
    const Expected<Payload> done = session()->run(job, journal, {});
    if (!done) return done.error();
    return is_worker() ? Expected<void>(left_to_rank_0()) : Expected<void>();
}

Expected<std::vector<Payload>> gather_blocks(BlockJob job) {
    std::vector<Payload> all(job.count);
    job.reduce = [&all](std::size_t i, const Payload& payload) -> Expected<void> {
        all[i] = payload;
        return {};
    };
    if (session() == nullptr) {
        if (auto done = run_alone(job, nullptr); !done) return done.error();
        return all;
    }
    const auto shared = [&all] {
        PayloadWriter bytes;
        for (const Payload& payload : all)
            bytes.text({reinterpret_cast<const char*>(payload.data()), payload.size()});
        return bytes.take();
    };
    const Expected<Payload> together = session()->run(job, nullptr, shared);
    if (!together) return together.error();
    if (!is_worker()) return all;
    PayloadReader reader(*together);
    for (Payload& payload : all) {
        const std::string text = reader.text();
        payload.assign(text.begin(), text.end());
    }
    return all;
}

}  // namespace graze::app
