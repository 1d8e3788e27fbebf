// Threads of the caller's own: how a library call runs its tasks where the program has a scheduler.
#pragma once

#include <cstddef>
#include <functional>

namespace graze {

// Runs task(0), ..., task(count - 1), each once, on any threads and in any order, at once or one after
// the other, and returns when all of them have returned (also where it throws). Tasks throw nothing.
// A task that is not run costs time, not answers: the calling thread does what is left.
using Executor =
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)>;

}  // namespace graze
