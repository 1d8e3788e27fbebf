// Loops whose parts may run on several threads. Inside of graze: this module starts none; who calls
// it may.
#pragma once

#include <cstddef>
#include <functional>

namespace graze {

// Does [begin, end) of a loop; parts do not depend on each other.
using RangeBody = std::function<void(std::size_t begin, std::size_t end)>;
// Calls `body` for ranges of at least `grain` indices (but the last) that make up [0, count).
using RangeRunner =
    std::function<void(std::size_t count, std::size_t grain, const RangeBody& body)>;

// All of it, on the calling thread.
inline void in_sequence(std::size_t count, std::size_t, const RangeBody& body) {
    if (count > 0) body(0, count);
}

}  // namespace graze
