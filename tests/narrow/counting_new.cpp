#include "narrow/counting_new.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
// In front of each block: its size, in as much room as keeps the block aligned.
constexpr std::size_t kHeader = alignof(std::max_align_t);
static_assert(kHeader >= sizeof(std::size_t));

// Atomic, since a test that joins a thread looks at what the thread has left.
std::atomic<std::size_t> held{0};
std::atomic<std::size_t> peak{0};
std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> allocations_left{kNoLimit};

}  // namespace

namespace {

// `header` is a multiple of the alignment.
void* allocate(std::size_t size, std::size_t header) {
    if (allocations_left == 0) throw std::bad_alloc();
    if (allocations_left != kNoLimit) --allocations_left;
    const std::size_t whole = (size + 2 * header - 1) / header * header;
    void* block = std::aligned_alloc(header, whole);
    if (block == nullptr) throw std::bad_alloc();
    *static_cast<std::size_t*>(block) = size;
    ++allocations;
    held += size;
    peak = std::max(peak.load(), held.load());
    return static_cast<char*>(block) + header;
}
void release(void* memory, std::size_t header) noexcept {
    if (memory == nullptr) return;
    void* block = static_cast<char*>(memory) - header;
    held -= *static_cast<std::size_t*>(block);
    std::free(block);
}
std::size_t header_of(std::align_val_t alignment) noexcept {
    return std::max(static_cast<std::size_t>(alignment), kHeader);
}

}  // namespace

void* operator new(std::size_t size) {
    return allocate(size, kHeader);
}
void operator delete(void* memory) noexcept {
    release(memory, kHeader);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, header_of(alignment));
}
void operator delete(void* memory, std::align_val_t alignment) noexcept {
    release(memory, header_of(alignment));
}
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t alignment) noexcept {
    release(memory, header_of(alignment));
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    operator delete(memory);
}
// By default these call the above, but not those that AddressSanitizer brings along.
void* operator new[](std::size_t size) {
    return operator new(size);
}
void operator delete[](void* memory) noexcept {
    operator delete(memory);
}
void operator delete[](void* memory, std::size_t /*size*/) noexcept {
    operator delete(memory);
}

namespace graze::test {

void watch_memory() noexcept {
    peak = held.load();
    allocations = 0;
}
Memory memory() noexcept {
    return {held, peak, allocations};
}
AllocationFailure::AllocationFailure(std::size_t count) noexcept {
    allocations_left = count;
}
AllocationFailure::~AllocationFailure() {
    allocations_left = kNoLimit;
}

}  // namespace graze::test
