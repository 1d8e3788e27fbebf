#include "graze/broad/box_tree.hpp"

#include <array>
#include <bit>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "graze/core/assert.hpp"
#include "graze/core/target_pragmas.hpp"

namespace graze {

void BoxTree::build(std::span<const GridBox> boxes) {
    GRAZE_ASSERT(boxes.size() <= 0xffff'ffffU);
    const auto box_at = [boxes](std::size_t i) -> const GridBox& { return boxes[i]; };
    build(boxes.size(), box_at, box_at, buffers_, CurveShape{}, in_sequence);
}

void BoxTree::refit(std::span<const GridBox> boxes) {
    GRAZE_ASSERT(boxes.size() == tree_.size());
    refit([boxes](std::size_t i) -> const GridBox& { return boxes[i]; }, in_sequence);
}

// --- Searching -----------------------------------------------------------------------------------

namespace {

// What a search reads of a tree: bounds by position, and which box is at each position.
struct TreeView {
    const WideTree<kGridAxes>& tree;
    std::span<const std::uint32_t> order;
};

namespace portable {
using any_machine::overlaps_on;

// Behind `out`: box a with those of the eight `others` whose bits are set. The number of them.
// Up to eight more are written behind them.
template <bool kIsSorted>
inline std::size_t put_pairs(std::uint32_t a, const std::uint32_t* others, unsigned hits,
                             IndexPair* out) noexcept {
    std::size_t count = 0;
    for (; hits != 0; hits &= hits - 1) {
        const std::uint32_t b = others[std::countr_zero(hits)];
        out[count++] = kIsSorted && a > b ? IndexPair{b, a} : IndexPair{a, b};
    }
    return count;
}
#include "broad/tree_search.inc"
}  // namespace portable

#ifdef GRAZE_X86_DISPATCH

// For each of the 256 sets of lanes: its lanes, one in each byte from the lowest up.
constexpr std::array<std::uint64_t, 256> kLanesOf = [] {
    std::array<std::uint64_t, 256> lanes{};
    for (unsigned set = 0; set < 256; ++set) {
        unsigned shift = 0;
        for (unsigned lane = 0; lane < kTreeWidth; ++lane) {
            if ((set >> lane & 1U) == 0) continue;
            lanes[set] |= std::uint64_t{lane} << shift;
            shift += 8;
        }
    }
    return lanes;
}();

GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {

// The lanes of a block that overlap the box on these axes. Ordered comparisons (OQ): bounds that are
// empty (lower > upper) meet nothing, as in the portable form.
template <std::size_t kFirst, std::size_t kLast, std::size_t kStride, std::size_t kAxes>
inline unsigned overlaps_on(const BoxProbe<kStride>& box, const BoxBlock<kAxes>& block) noexcept {
    static_assert(kLast <= kAxes);
    __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for (std::size_t axis = kFirst; axis < kLast; ++axis) {
        const __m256 lower = _mm256_broadcast_ss(box.lower + axis * kStride);
        const __m256 upper = _mm256_broadcast_ss(box.upper + axis * kStride);
        const __m256 above = _mm256_cmp_ps(lower, _mm256_load_ps(block.upper[axis]), _CMP_LE_OQ);
        const __m256 below = _mm256_cmp_ps(_mm256_load_ps(block.lower[axis]), upper, _CMP_LE_OQ);
        all = _mm256_and_ps(all, _mm256_and_ps(above, below));
    }
    return static_cast<unsigned>(_mm256_movemask_ps(all));
}

// Without a branch that depends on the boxes: how many of them hit is hard to predict.
template <bool kIsSorted>
inline std::size_t put_pairs(std::uint32_t a, const std::uint32_t* others, unsigned hits,
                             IndexPair* out) noexcept {
    const __m256i lanes =
        _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(kLanesOf[hits])));
    const __m256i b = _mm256_permutevar8x32_epi32(
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(others)), lanes);
    const __m256i all_a = _mm256_set1_epi32(static_cast<int>(a));
    const __m256i first = kIsSorted ? _mm256_min_epu32(all_a, b) : all_a;
    const __m256i second = kIsSorted ? _mm256_max_epu32(all_a, b) : b;
    const __m256i even = _mm256_unpacklo_epi32(first, second);  // pairs 0, 1, 4, 5
    const __m256i odd = _mm256_unpackhi_epi32(first, second);   // pairs 2, 3, 6, 7
    auto* to = reinterpret_cast<__m256i*>(out);
    _mm256_storeu_si256(to, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
    return static_cast<std::size_t>(std::popcount(hits));
}
#include "broad/tree_search.inc"

}  // namespace avx2
GRAZE_TARGET_END
#endif

using SearchFunction = void (*)(const TreeView&, std::size_t, unsigned, const TreeView&, bool,
                                PairSink&);

SearchFunction search_function() noexcept {
    static const SearchFunction function = [] {
#ifdef GRAZE_X86_DISPATCH
        if (is_available(InstructionSet::Avx2)) return &avx2::search;
#endif
        return &portable::search;
    }();
    return function;
}

// The leaves that a group of a tree has, as bits.
unsigned leaves_of(const WideTree<kGridAxes>& tree, std::size_t group) noexcept {
    const std::size_t count = std::min(tree.blocks() - group * kTreeWidth, kTreeWidth);
    return (1U << count) - 1U;
}

}  // namespace

void BoxTree::search(std::size_t block, const BoxTree& other, PairSink& sink) const {
    search_function()({tree_, order_.last()}, block / kTreeWidth, 1U << (block % kTreeWidth),
                      {other.tree_, other.order_.last()}, false, sink);
}

void BoxTree::search_self(std::size_t block, PairSink& sink) const {
    const TreeView view{tree_, order_.last()};
    search_function()(view, block / kTreeWidth, 1U << (block % kTreeWidth), view, true, sink);
}

void BoxTree::search_group(std::size_t group, const BoxTree& other, PairSink& sink) const {
    search_function()({tree_, order_.last()}, group, leaves_of(tree_, group),
                      {other.tree_, other.order_.last()}, false, sink);
}

void BoxTree::search_self_group(std::size_t group, PairSink& sink) const {
    const TreeView view{tree_, order_.last()};
    search_function()(view, group, leaves_of(tree_, group), view, true, sink);
}

}  // namespace graze
