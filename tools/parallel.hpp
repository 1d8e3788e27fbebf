// Work over an index range on a stated number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace graze::tools {

class Progress;

struct Workers {
    unsigned threads = 1;          // 0: all cores; 1: the calling thread alone
    Progress* progress = nullptr;  // told of every index that is done, if there is one
};

// How many threads that is.
[[nodiscard]] unsigned threads_used(unsigned threads);

// Calls body(i) once for every i < count, in any order; on one thread in theirs. Each call must
// write to its own place only: then the result is the same for every number of threads. Stops
// early, leaving the rest undone, once stop_requested().
void for_each_index(const Workers& workers, std::size_t count,
                    const std::function<void(std::size_t)>& body);

}  // namespace graze::tools
