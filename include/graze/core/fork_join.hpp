// Work over an index range, in chunks that several tasks take in turn.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "graze/core/executor.hpp"

namespace graze {

// An Executor: the calling thread and count - 1 new ones, which end before it returns. Where the
// system gives no more threads, those that there are do the work.
inline void run_on_new_threads(std::size_t count, const std::function<void(std::size_t)>& task) {
    std::vector<std::jthread> threads;
    threads.reserve(count > 0 ? count - 1 : 0);
    std::size_t next = 1;
    try {
        for (; next < count; ++next)
            threads.emplace_back([&task, next] { task(next); });
    } catch (const std::system_error&) {
        for (std::size_t i = next; i < count; ++i)
            task(i);
    }
    if (count > 0) task(0);
}

namespace core_detail {

// The first exception of several tasks.
class FirstException {
public:
    void keep(std::exception_ptr exception) noexcept {
        const std::lock_guard lock(mutex_);
        if (!exception_) exception_ = std::move(exception);
    }
    // Requires: all tasks have returned.
    void rethrow() const {
        if (exception_) std::rethrow_exception(exception_);
    }

private:
    std::mutex mutex_;
    std::exception_ptr exception_;
};

}  // namespace core_detail

// body(begin, end) for ranges of `chunk` indices that make up [0, count), by at most `tasks` tasks of
// the executor, and by the calling thread for what those leave. After an exception no further chunk is
// begun; the first one is thrown again here. Requires: chunk >= 1.
template <class Body>
void for_each_chunk(const Executor& executor, std::size_t tasks, std::size_t count,
                    std::size_t chunk, const Body& body) {
    std::atomic<std::size_t> next = 0;
    core_detail::FirstException failure;
    // A chunk belongs to whoever advances `next` over it: each is taken exactly once.
    const auto take_chunks = [&] {
        try {
            for (std::size_t begin = next.fetch_add(chunk); begin < count;
                 begin = next.fetch_add(chunk)) {
                body(begin, std::min(count, begin + chunk));
            }
        } catch (...) {
            failure.keep(std::current_exception());
            next.store(count);
        }
    };
    const std::size_t chunks = count / chunk + (count % chunk != 0 ? 1 : 0);
    const std::size_t wanted = std::min(tasks, chunks);
    if (wanted > 1) executor(wanted, [&](std::size_t) { take_chunks(); });
    take_chunks();
    failure.rethrow();
}

}  // namespace graze
