#include "graze/verify/parallel.hpp"

#if defined(GRAZE_THREADS_TBB)
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#elif defined(GRAZE_THREADS_STD)
#include <algorithm>
#include <thread>

#include "graze/core/fork_join.hpp"
#endif

namespace graze::verify {
namespace {

// Queries differ a thousandfold in cost, so chunks are small.
[[maybe_unused]] constexpr std::size_t kChunk = 8;

#if defined(GRAZE_THREADS_TBB)

// run(begin, end) for ranges that make up [0, count). More threads than cores are taken at their
// word: results must not depend on it.
template <class Run>
void run_on_threads(unsigned threads, std::size_t count, const Run& run) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(static_cast<int>(threads));
    arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, count, kChunk),
            [&](const tbb::blocked_range<std::size_t>& range) { run(range.begin(), range.end()); });
    });
}

#elif defined(GRAZE_THREADS_STD)

template <class Run>
void run_on_threads(unsigned threads, std::size_t count, const Run& run) {
    for_each_chunk(run_on_new_threads, threads, count, kChunk, run);
}

#else

template <class Run>
void run_on_threads(unsigned, std::size_t count, const Run& run) {
    run(std::size_t{0}, count);
}

#endif

}  // namespace

unsigned threads_used([[maybe_unused]] unsigned threads) {
#if defined(GRAZE_THREADS_TBB)
    return threads == 0 ? static_cast<unsigned>(tbb::info::default_concurrency()) : threads;
#elif defined(GRAZE_THREADS_STD)
    return threads == 0 ? std::max(1u, std::thread::hardware_concurrency()) : threads;
#else
    return 1;
#endif
}

void for_each_index(const Workers& workers, std::size_t count,
                    const std::function<void(std::size_t)>& body) {
    const auto run_range = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && !workers.stop.stop_requested(); ++i) {
            body(i);
            if (workers.done) workers.done(1);
        }
    };
    const unsigned wanted = threads_used(workers.threads);
    if (wanted == 1) return run_range(0, count);
    run_on_threads(wanted, count, run_range);
}

}  // namespace graze::verify
