// Work over an index range on a stated number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "graze/core/stop.hpp"

namespace graze::verify {

struct Workers {
    unsigned threads = 1;  // 0: all cores; 1: the calling thread alone
    // Called for every index that is done, from the thread that did it; empty: nothing is.
    std::function<void(std::uint64_t)> done = {};
    StopToken stop = {};
};

// How many threads that is: 1 where the library was built without threads (GRAZE_THREADS=off).
[[nodiscard]] unsigned threads_used(unsigned threads);

// Calls body(i) once for every i < count, in any order; on one thread in theirs. Each call must
// write to its own element only: then the result is the same for every number of threads. Stops
// early, leaving the rest undone, once the token asks for it.
void for_each_index(const Workers& workers, std::size_t count,
                    const std::function<void(std::size_t)>& body);

}  // namespace graze::verify
