// Work over an index range on a stated number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace graze::tools {

// Calls body(i) once for every i < count, in any order, on `threads` threads (0: all cores; 1: in
// the calling thread, in order). Each call must write to its own place only: then the result is the
// same for every number of threads. Stops early, leaving the rest undone, once stop_requested().
void for_each_index(unsigned threads, std::size_t count,
                    const std::function<void(std::size_t)>& body);

}  // namespace graze::tools
