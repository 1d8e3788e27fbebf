// On which threads a step is searched: those of oneTBB, or the calling one alone (GRAZE_THREADS=off).
// Nothing else in the module knows of it, and no result depends on it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

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
#include "graze/core/fp_environment.hpp"

namespace graze::mesh_detail {

// Thrown by a task whose thread cannot be set to sound arithmetic; in_arena() makes an error of it.
struct UnsoundThread {};

// Threads of oneTBB have the settings of whoever started them, or those of the task that they serve,
// or what another task left: so each task sets its own.
template <class Body>
void as_sound_task(const Body& body) {
    with_sound_arithmetic(body, [] { throw UnsoundThread{}; });
}

#if defined(GRAZE_THREADS_TBB)

// body(begin, end) for ranges of at least `grain` indices that make up [0, count), in parallel.
template <class Body>
void for_each_range(std::size_t count, std::size_t grain, const Body& body) {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, grain),
        [&](const tbb::blocked_range<std::size_t>& range) { body(range.begin(), range.end()); });
}

template <class... Tasks>
void run_all(const Tasks&... tasks) {
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

template <class Body>
auto execute(int threads, const Body& body) {
    tbb::task_arena arena(arena_size(threads));
    return arena.execute(body);
}

#else

template <class Body>
void for_each_range(std::size_t count, std::size_t grain, const Body& body) {
    for (std::size_t begin = 0; begin < count; begin += grain)
        body(begin, std::min(count, begin + grain));
}

template <class... Tasks>
void run_all(const Tasks&... tasks) {
    (tasks(), ...);
}

template <class T>
class PerThread {
public:
    template <class Make>
    explicit PerThread(Make make) : make_(std::move(make)) {}

    [[nodiscard]] T& local() {
        if (!value_) value_.emplace(make_());
        return *value_;
    }
    // No value, or the one.
    [[nodiscard]] T* begin() noexcept { return value_ ? &*value_ : nullptr; }
    [[nodiscard]] T* end() noexcept { return value_ ? &*value_ + 1 : nullptr; }
    [[nodiscard]] const T* begin() const noexcept { return value_ ? &*value_ : nullptr; }
    [[nodiscard]] const T* end() const noexcept { return value_ ? &*value_ + 1 : nullptr; }

private:
    std::function<T()> make_;
    std::optional<T> value_;
};

template <class Body>
auto execute(int, const Body& body) {
    return body();
}

#endif

// body(), which gives an Expected<>, on at most so many threads, this one or others.
template <class Body>
auto in_arena(int threads, const Body& body) -> std::invoke_result_t<const Body&> {
    try {
        return execute(threads, [&] { return with_sound_arithmetic(body); });
    } catch (const UnsoundThread&) {
        return Error{"a thread cannot be set to round to nearest with gradual underflow",
                     ErrorCode::Unsupported};
    }
}

}  // namespace graze::mesh_detail
