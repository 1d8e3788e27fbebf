#include "apps/allocation_limit.hpp"

#include <cstdlib>
#include <new>

namespace {

// Allocations of this thread that still succeed; negative: all of them.
thread_local long allocations_left = -1;

}  // namespace

void* operator new(std::size_t size) {
    if (allocations_left == 0) throw std::bad_alloc();
    if (allocations_left > 0) --allocations_left;
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept {
    std::free(memory);
}

namespace graze::test {

AllocationLimit::AllocationLimit(long count) {
    allocations_left = count;
}
AllocationLimit::~AllocationLimit() {
    allocations_left = -1;
}

}  // namespace graze::test
