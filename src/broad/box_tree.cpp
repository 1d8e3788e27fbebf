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
    order_.sort(boxes);
    tree_.resize(boxes.size());
    fit(boxes);
}

void BoxTree::refit(std::span<const GridBox> boxes) {
    GRAZE_ASSERT(boxes.size() == tree_.size());
    fit(boxes);
}

// Bounds of eight leaves or nodes each, from the leaves up. Any order of leaves gives bounds that
// hold theirs: the order costs time, never a pair.
void BoxTree::fit(std::span<const GridBox> boxes) {
    const std::span<const std::uint32_t> order = order_.last();
    tree_.fit([&](std::size_t position) -> const GridBox& { return boxes[order[position]]; });
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
#include "broad/tree_search.inc"
}  // namespace portable

#ifdef GRAZE_X86_DISPATCH
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
#include "broad/tree_search.inc"

}  // namespace avx2
GRAZE_TARGET_END
#endif

using SearchFunction = void (*)(const TreeView&, std::size_t, const TreeView&, bool, PairSink&);

SearchFunction search_function() noexcept {
#ifdef GRAZE_X86_DISPATCH
    if (is_available(InstructionSet::Avx2)) return &avx2::search;
#endif
    return &portable::search;
}

}  // namespace

void BoxTree::search(std::size_t block, const BoxTree& other, PairSink& sink) const {
    static const SearchFunction function = search_function();
    function({tree_, order_.last()}, block, {other.tree_, other.order_.last()}, false, sink);
}

void BoxTree::search_self(std::size_t block, PairSink& sink) const {
    const TreeView view{tree_, order_.last()};
    static const SearchFunction function = search_function();
    function(view, block, view, true, sink);
}

}  // namespace graze
