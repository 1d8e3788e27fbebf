// Which of eight boxes overlap one?
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "graze/broad/box_tree.hpp"

namespace graze {

// Bit i: box i of the block overlaps on the axes from kFirst to kLast - 1.
#if defined(__SSE2__)

// Four at a time, which every x86-64 can.
template <std::size_t kFirst, std::size_t kLast, std::size_t kAxes>
[[nodiscard]] inline unsigned overlaps_on(const GridBox& box,
                                          const BoxBlock<kAxes>& block) noexcept {
    static_assert(kLast <= kAxes);
    unsigned mask = 0;
    for (int half = 0; half < 2; ++half) {
        __m128 all = _mm_castsi128_ps(_mm_set1_epi32(-1));
        for (std::size_t axis = kFirst; axis < kLast; ++axis) {
            const __m128 lower = _mm_load_ps(block.lower[axis] + 4 * half);
            const __m128 upper = _mm_load_ps(block.upper[axis] + 4 * half);
            all = _mm_and_ps(all, _mm_cmple_ps(_mm_set1_ps(box.lower[axis]), upper));
            all = _mm_and_ps(all, _mm_cmple_ps(lower, _mm_set1_ps(box.upper[axis])));
        }
        mask |= static_cast<unsigned>(_mm_movemask_ps(all)) << (4 * half);
    }
    return mask;
}

#else

template <std::size_t kFirst, std::size_t kLast, std::size_t kAxes>
[[nodiscard]] inline unsigned overlaps_on(const GridBox& box,
                                          const BoxBlock<kAxes>& block) noexcept {
    static_assert(kLast <= kAxes);
    unsigned mask = 0;
    for (std::size_t i = 0; i < kBoxesInBlock; ++i) {
        unsigned hit = 1;
        for (std::size_t axis = kFirst; axis < kLast; ++axis) {
            hit &= static_cast<unsigned>(box.lower[axis] <= block.upper[axis][i]);
            hit &= static_cast<unsigned>(block.lower[axis][i] <= box.upper[axis]);
        }
        mask |= hit << i;
    }
    return mask;
}

#endif

// On x, y and z.
template <std::size_t kAxes>
[[nodiscard]] inline unsigned overlaps(const GridBox& box, const BoxBlock<kAxes>& block) noexcept {
    return overlaps_on<0, 3>(box, block);
}
[[nodiscard]] inline unsigned overlap_diagonals(const GridBox& box,
                                                const LeafBlock& block) noexcept {
    return overlaps_on<3, kGridAxes>(box, block);
}

}  // namespace graze
