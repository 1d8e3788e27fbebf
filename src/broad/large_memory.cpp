#include <cstdlib>
#include <new>

#include "graze/broad/wide_tree.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace graze {

#if defined(__linux__)

void* allocate_large(std::size_t bytes) {
    constexpr std::size_t kLargePage = std::size_t{1} << 21U;
    const std::size_t whole = (bytes + kLargePage - 1) / kLargePage * kLargePage;
    if (whole < bytes) throw std::bad_alloc();
    void* const memory = std::aligned_alloc(kLargePage, whole);
    if (memory == nullptr) throw std::bad_alloc();
    // A request that a system may leave unheard.
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}
void free_large(void* memory) noexcept {
    std::free(memory);
}

#else

void* allocate_large(std::size_t bytes) {
    return ::operator new(bytes, std::align_val_t{64});
}
void free_large(void* memory) noexcept {
    ::operator delete(memory, std::align_val_t{64});
}

#endif

}  // namespace graze
