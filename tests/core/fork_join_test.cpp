// Chunks of work on several threads: each once, whatever the executor does.
#include "graze/core/fork_join.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace graze {
namespace {

using Task = std::function<void(std::size_t)>;

void run_in_order(std::size_t count, const Task& task) {
    for (std::size_t i = 0; i < count; ++i)
        task(i);
}

// How often each index was taken; every one by one thread alone.
std::vector<int> taken(const Executor& executor, std::size_t tasks, std::size_t count,
                       std::size_t chunk) {
    std::vector<int> times(count, 0);
    for_each_chunk(executor, tasks, count, chunk, [&](std::size_t begin, std::size_t end) {
        EXPECT_LT(begin, end);
        EXPECT_LE(end - begin, chunk);
        for (std::size_t i = begin; i < end; ++i)
            ++times[i];
    });
    return times;
}

TEST(ForkJoinThreads, TakeEveryIndexOnce) {
    for (const std::size_t tasks : {0U, 1U, 2U, 3U, 8U}) {
        for (const std::size_t count : {0U, 1U, 7U, 1000U}) {
            for (const std::size_t chunk : {1U, 3U, 1000U, 5000U}) {
                EXPECT_EQ(taken(run_on_new_threads, tasks, count, chunk),
                          std::vector<int>(count, 1))
                    << tasks << " " << count << " " << chunk;
            }
        }
    }
}

TEST(ForkJoinThreads, LeaveToTheCallerWhatAnExecutorDoesNotRun) {
    const Executor runs_none = [](std::size_t, const Task&) {};
    const Executor runs_the_last = [](std::size_t count, const Task& task) { task(count - 1); };
    for (const Executor& executor : {runs_none, runs_the_last, Executor(run_in_order)})
        EXPECT_EQ(taken(executor, 4, 100, 7), std::vector<int>(100, 1));
}

TEST(ForkJoinThreads, DoNotCallAnExecutorForWhatOneTaskDoes) {
    const Executor fails = [](std::size_t, const Task&) { FAIL(); };
    EXPECT_EQ(taken(fails, 1, 100, 7), std::vector<int>(100, 1));
    EXPECT_EQ(taken(fails, 8, 7, 7), std::vector<int>(7, 1));
}

TEST(ForkJoinThreads, ThrowAgainWhatATaskThrew) {
    for (const Executor& executor : {Executor(run_on_new_threads), Executor(run_in_order)}) {
        std::atomic<int> begun = 0;
        const auto body = [&](std::size_t begin, std::size_t) {
            ++begun;
            if (begin >= 50) throw std::runtime_error("fifty");
        };
        EXPECT_THROW(for_each_chunk(executor, 4, 100000, 1, body), std::runtime_error);
        EXPECT_LT(begun.load(), 100000);  // no chunk is begun after it
    }
}

}  // namespace
}  // namespace graze
