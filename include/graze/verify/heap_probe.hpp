// How much heap a single query takes, where the program counts it.
#pragma once

#include <cstdint>

namespace graze::verify {

// Both count the calling thread alone, and what goes through operator new: what a C library
// takes by malloc is not seen.
struct HeapProbe {
    void (*begin)() noexcept = nullptr;
    // Bytes that were in use at most since begin(), above what was in use there.
    std::uint64_t (*peak)() noexcept = nullptr;
};

// A program that replaces operator new by one that counts registers it once, before it starts threads.
void set_heap_probe(HeapProbe probe) noexcept;
// Null functions where nobody counts.
[[nodiscard]] HeapProbe heap_probe() noexcept;

// The probe of bench_heap_count.cpp, for programs that link it.
[[nodiscard]] HeapProbe counting_heap_probe() noexcept;

}  // namespace graze::verify
