// Which of eight boxes overlap one?
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "graze/broad/box_tree.hpp"

namespace graze {

// A box whose bounds are kStride floats apart: alone, or a lane of a block.
template <std::size_t kStride>
struct Probe {
    const float* lower;
    const float* upper;
};

inline Probe<1> probe_of(const GridBox& box) noexcept {
    return {box.lower.data(), box.upper.data()};
}
template <std::size_t kAxes>
Probe<kBoxesInBlock> probe_of(const BoxBlock<kAxes>& block, std::size_t lane) noexcept {
    return {block.lower[0] + lane, block.upper[0] + lane};
}

// In a namespace of its own, so that code for other instruction sets is not mistaken for it.
namespace any_machine {

// Bit i: box i of the block overlaps on the axes from kFirst to kLast - 1.
#if defined(__SSE2__)

// Four at a time, which every x86-64 can.
template <std::size_t kFirst, std::size_t kLast, std::size_t kStride, std::size_t kAxes>
[[nodiscard]] inline unsigned overlaps_on(const Probe<kStride>& box,
                                          const BoxBlock<kAxes>& block) noexcept {
    static_assert(kLast <= kAxes);
    __m128 low = _mm_castsi128_ps(_mm_set1_epi32(-1));
    __m128 high = low;
    for (std::size_t axis = kFirst; axis < kLast; ++axis) {
        const __m128 lower = _mm_set1_ps(box.lower[axis * kStride]);
        const __m128 upper = _mm_set1_ps(box.upper[axis * kStride]);
        low = _mm_and_ps(low, _mm_cmple_ps(lower, _mm_load_ps(block.upper[axis])));
        low = _mm_and_ps(low, _mm_cmple_ps(_mm_load_ps(block.lower[axis]), upper));
        high = _mm_and_ps(high, _mm_cmple_ps(lower, _mm_load_ps(block.upper[axis] + 4)));
        high = _mm_and_ps(high, _mm_cmple_ps(_mm_load_ps(block.lower[axis] + 4), upper));
    }
    return static_cast<unsigned>(_mm_movemask_ps(low) | (_mm_movemask_ps(high) << 4));
}

#else

template <std::size_t kFirst, std::size_t kLast, std::size_t kStride, std::size_t kAxes>
[[nodiscard]] inline unsigned overlaps_on(const Probe<kStride>& box,
                                          const BoxBlock<kAxes>& block) noexcept {
    static_assert(kLast <= kAxes);
    unsigned mask = 0;
    for (std::size_t i = 0; i < kBoxesInBlock; ++i) {
        unsigned hit = 1;
        for (std::size_t axis = kFirst; axis < kLast; ++axis) {
            hit &= static_cast<unsigned>(box.lower[axis * kStride] <= block.upper[axis][i]);
            hit &= static_cast<unsigned>(block.lower[axis][i] <= box.upper[axis * kStride]);
        }
        mask |= hit << i;
    }
    return mask;
}

#endif

}  // namespace any_machine

}  // namespace graze
