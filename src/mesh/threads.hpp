// On which threads a step is searched: those of oneTBB, new ones (GRAZE_THREADS=std), the calling one
// alone (GRAZE_THREADS=off), or those of the caller's executor. Nothing else in the module knows of it,
// and no result depends on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(GRAZE_THREADS_TBB)
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#endif

#include "graze/core/expected.hpp"
#include "graze/core/fork_join.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/mesh/step.hpp"

namespace graze::mesh_detail {

// Thrown by a task whose thread cannot be set to sound arithmetic; in_arena() makes an error of it.
struct UnsoundThread {};

// Threads of oneTBB have the settings of whoever started them, or those of the task that they serve,
// or what another task left: so each task sets its own.
template <class Body>
void as_sound_task(const Body& body) {
    with_sound_arithmetic(body, [] { throw UnsoundThread{}; });
}

// The executor that the calls of this thread go to, and how many tasks it gets. Tasks of an executor
// have one task each: what they call runs on their own thread.
struct TaskSource {
    const Executor* executor = nullptr;
    std::size_t tasks = 1;
};

// Null: the threads that the library was built for.
inline thread_local const TaskSource* current_task_source = nullptr;

// Sets it for as long as it lives.
class TaskScope {
public:
    explicit TaskScope(const TaskSource& source) noexcept
        : before_(std::exchange(current_task_source, &source)) {}
    TaskScope(const TaskScope&) = delete;
    TaskScope& operator=(const TaskScope&) = delete;
    ~TaskScope() { current_task_source = before_; }

private:
    const TaskSource* before_;
};

template <class Body>
void for_each_range_of(const TaskSource& source, std::size_t count, std::size_t grain,
                       const Body& body) {
    static const Executor kNone;  // with one task it is not called
    const Executor& executor = source.executor != nullptr ? *source.executor : kNone;
    for_each_chunk(executor, source.tasks, count, grain, [&](std::size_t begin, std::size_t end) {
        const TaskSource own_thread;
        const TaskScope scope(own_thread);
        body(begin, end);
    });
}

template <class... Tasks>
void run_all_of(const TaskSource& source, const Tasks&... tasks) {
    const std::array<std::function<void()>, sizeof...(Tasks)> all{std::cref(tasks)...};
    for_each_range_of(source, all.size(), 1, [&](std::size_t begin, std::size_t) { all[begin](); });
}

// As many as are asked for, or as there are cores (0).
inline std::size_t task_count(int threads) noexcept {
    if (threads > 0) return static_cast<std::size_t>(threads);
    return std::max(1u, std::thread::hardware_concurrency());
}

// body() with the tasks of an executor.
template <class Body>
auto execute(const Executor& executor, int threads, const Body& body) {
    const TaskSource source{&executor, task_count(threads)};
    const TaskScope scope(source);
    return body();
}

#if defined(GRAZE_THREADS_TBB)

// body(begin, end) for ranges of at least `grain` indices that make up [0, count), in parallel.
template <class Body>
void for_each_range(std::size_t count, std::size_t grain, const Body& body) {
    if (current_task_source != nullptr)
        return for_each_range_of(*current_task_source, count, grain, body);
    // Isolated: where a callback of the caller waits for parallel work of its own, its thread takes
    // no other range of this search, which would find the values of the thread (PerThread) in the
    // middle of a change.
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                          tbb::this_task_arena::isolate([&] { body(range.begin(), range.end()); });
                      });
}

template <class... Tasks>
void run_all(const Tasks&... tasks) {
    if (current_task_source != nullptr) return run_all_of(*current_task_source, tasks...);
    tbb::parallel_invoke(tasks...);
}

// One value per thread that asks for it, made by the function given to the constructor.
template <class T>
using PerThread = tbb::enumerable_thread_specific<T>;

// As many threads as are asked for, or as there are cores (0); but no more than oneTBB may use,
// which would print a warning and give no more.
inline int arena_size(int threads) {
    const std::size_t most =
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    const int wanted = threads > 0 ? threads : tbb::info::default_concurrency();
    return static_cast<int>(std::min(static_cast<std::size_t>(wanted), most));
}

// One thread is the calling one, outside of any arena: what callbacks begin there and leave to be
// done would have no other thread.
template <class Body>
auto execute(int threads, const Body& body) {
    const int size = arena_size(threads);
    if (size <= 1) {
        const TaskSource own_thread;
        const TaskScope scope(own_thread);
        return body();
    }
    tbb::task_arena arena(size);
    return arena.execute(body);
}

// Where a callback runs that may wait for parallel work that an earlier call of it began: in an
// isolated range its thread would take none of that, and none but it might be left to do so.
class CallbackArena {
public:
    // With an executor, and on one thread, callbacks run where they are called.
    explicit CallbackArena(const StepOptions& options) {
        const int size = options.executor ? 1 : arena_size(options.threads);
        if (size > 1) arena_.emplace(size);
    }
    template <class Body>
    void run(const Body& body) {
        arena_ ? arena_->execute(body) : body();
    }

private:
    std::optional<tbb::task_arena> arena_;
};

#else

template <class Body>
void for_each_range(std::size_t count, std::size_t grain, const Body& body) {
    for_each_range_of(current_task_source != nullptr ? *current_task_source : TaskSource{}, count,
                      grain, body);
}

template <class... Tasks>
void run_all(const Tasks&... tasks) {
    run_all_of(current_task_source != nullptr ? *current_task_source : TaskSource{}, tasks...);
}

template <class T>
class PerThread {
public:
    template <class Make>
    explicit PerThread(Make make) : make_(std::move(make)) {}

    // References stay valid: a deque does not move what it has.
    [[nodiscard]] T& local() {
        const std::lock_guard lock(mutex_);
        const auto own = std::find(owners_.begin(), owners_.end(), std::this_thread::get_id());
        if (own != owners_.end()) return values_[static_cast<std::size_t>(own - owners_.begin())];
        values_.push_back(make_());
        owners_.push_back(std::this_thread::get_id());
        return values_.back();
    }
    // Requires: no other thread is at work.
    [[nodiscard]] auto begin() noexcept { return values_.begin(); }
    [[nodiscard]] auto end() noexcept { return values_.end(); }
    [[nodiscard]] auto begin() const noexcept { return values_.begin(); }
    [[nodiscard]] auto end() const noexcept { return values_.end(); }

private:
    std::function<T()> make_;
    std::mutex mutex_;
    std::deque<T> values_;
    std::vector<std::thread::id> owners_;
};

class CallbackArena {
public:
    explicit CallbackArena(const StepOptions& /*options*/) {}
    template <class Body>
    void run(const Body& body) {
        body();
    }
};

template <class Body>
auto execute([[maybe_unused]] int threads, const Body& body) {
#if defined(GRAZE_THREADS_STD)
    static const Executor kNewThreads = run_on_new_threads;
    return execute(kNewThreads, threads, body);
#else
    return body();
#endif
}

#endif

// body(), which gives an Expected<>, on at most as many threads as the options have, this one or others.
template <class Body>
auto in_arena(const StepOptions& options, const Body& body) -> std::invoke_result_t<const Body&> {
    const auto sound = [&] { return with_sound_arithmetic(body); };
    try {
        return options.executor ? execute(options.executor, options.threads, sound)
                                : execute(options.threads, sound);
    } catch (const UnsoundThread&) {
        return Error{"a thread cannot be set to round to nearest with gradual underflow",
                     ErrorCode::Unsupported};
    }
}

}  // namespace graze::mesh_detail
