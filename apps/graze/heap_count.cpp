// operator new that counts. Linked into the tool alone: a test may bring one of its own.
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "graze/verify/heap_probe.hpp"

namespace {

// Of this thread. What another thread frees makes them err by that much until begin().
thread_local std::int64_t bytes_in_use = 0;
thread_local std::int64_t bytes_at_most = 0;
thread_local std::int64_t bytes_at_begin = 0;

void* counted(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    bytes_in_use += static_cast<std::int64_t>(malloc_usable_size(memory));
    bytes_at_most = std::max(bytes_at_most, bytes_in_use);
    return memory;
}

void release(void* memory) noexcept {
    if (memory == nullptr) return;
    bytes_in_use -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

}  // namespace

// The forms for arrays are defined by these. The nothrow one would be, too, but a sanitizer brings
// its own, whose memory our delete may not free.
void* operator new(std::size_t size) {
    return counted(std::malloc(std::max<std::size_t>(size, 1)));
}
void* operator new(std::size_t size, const std::nothrow_t& /*nothrow*/) noexcept {
    void* memory = std::malloc(std::max<std::size_t>(size, 1));
    return memory == nullptr ? nullptr : counted(memory);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    const std::size_t whole = (std::max<std::size_t>(size, 1) + step - 1) / step * step;
    return counted(whole < size ? nullptr : std::aligned_alloc(step, whole));
}
void operator delete(void* memory) noexcept {
    release(memory);
}
void operator delete(void* memory, const std::nothrow_t& /*nothrow*/) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    release(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
    release(memory);
}

namespace graze::verify {

HeapProbe counting_heap_probe() noexcept {
    return {
        .begin =
            []() noexcept {
                bytes_at_begin = bytes_in_use;
                bytes_at_most = bytes_in_use;
            },
        .peak =
            []() noexcept { return static_cast<std::uint64_t>(bytes_at_most - bytes_at_begin); }};
}

}  // namespace graze::verify
