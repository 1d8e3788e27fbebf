// Counts what operator new hands out in the whole program that links this, and lets it fail on
// demand. One thread at a time: the counts are those of the program.
#pragma once

#include <cstddef>

namespace graze::test {

struct Memory {
    std::size_t held = 0;         // bytes that were asked for and not given back
    std::size_t peak = 0;         // the most that was held since the last watch began
    std::size_t allocations = 0;  // since the last watch began
};

// Begins a watch: the peak starts at what is held now.
void watch_memory() noexcept;
[[nodiscard]] Memory memory() noexcept;

// While it lives, `count` more allocations succeed, then all fail.
class AllocationFailure {
public:
    explicit AllocationFailure(std::size_t count) noexcept;
    AllocationFailure(const AllocationFailure&) = delete;
    AllocationFailure& operator=(const AllocationFailure&) = delete;
    ~AllocationFailure();
};

}  // namespace graze::test
