#include <cstdint>
#include <memory>
#include <new>

#include "graze/broad/wide_tree.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace graze {

#if defined(__linux__)

namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21U;
// Beyond this small pages are taken: where memory is scattered, a system spends more on making room for many
// large ones than they save (a million faces on a busy machine: 0.8 s of system time in the place of 0.3).
constexpr std::size_t kMostInLargePages = std::size_t{1} << 24U;

// Written before the memory that is handed out.
struct Mapping {
    void* begin;
    std::size_t bytes;
};

}  // namespace

// Mapped, so that what is given back is the system's at once: the heap would keep it.
void* allocate_large(std::size_t bytes) {
    if (bytes > SIZE_MAX - 2 * kLargePage) throw std::bad_alloc();
    const std::size_t all = bytes + 2 * kLargePage;
    void* const begin =
        mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    void* memory = static_cast<char*>(begin) + sizeof(Mapping);
    std::size_t space = all - sizeof(Mapping);
    memory = std::align(kLargePage, bytes, memory, space);
    static_cast<Mapping*>(memory)[-1] = {begin, all};
    // A request that a system may leave unheard.
    if (bytes <= kMostInLargePages) (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}
void free_large(void* memory) noexcept {
    const Mapping mapping = static_cast<Mapping*>(memory)[-1];
    (void)munmap(mapping.begin, mapping.bytes);
}

#else

void* allocate_large(std::size_t bytes) {
    return ::operator new (bytes, std::align_val_t{64});
}
void free_large(void* memory) noexcept {
    ::operator delete (memory, std::align_val_t{64});
}

#endif

}  // namespace graze
