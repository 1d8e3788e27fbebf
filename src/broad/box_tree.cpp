#include "graze/broad/box_tree.hpp"

#include <array>
#include <bit>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "broad/tree_kernel.hpp"
#include "graze/core/assert.hpp"
#include "graze/core/target_pragmas.hpp"

namespace graze {
namespace {

constexpr std::size_t blocks_for(std::size_t count) noexcept {
    return (count + kBoxesInBlock - 1) / kBoxesInBlock;
}

template <std::size_t kAxes>
void set_lane(BoxBlock<kAxes>& block, std::size_t lane, const GridBox& box) noexcept {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        block.lower[axis][lane] = box.lower[axis];
        block.upper[axis][lane] = box.upper[axis];
    }
}

template <std::size_t kAxes>
GridBox bounds_of(const BoxBlock<kAxes>& block) noexcept {
    GridBox box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t lane = 0; lane < kBoxesInBlock; ++lane) {
            box.lower[axis] = std::min(box.lower[axis], block.lower[axis][lane]);
            box.upper[axis] = std::max(box.upper[axis], block.upper[axis][lane]);
        }
    }
    return box;
}

// Sets the bounds of `below` in the lanes of `above`.
template <class Block>
void set_bounds(const std::vector<Block>& below, std::vector<NodeBlock>& above) {
    for (std::size_t i = 0; i < above.size() * kBoxesInBlock; ++i) {
        set_lane(above[i / kBoxesInBlock], i % kBoxesInBlock,
                 i < below.size() ? bounds_of(below[i]) : GridBox{});
    }
}

// --- The order of the curve ----------------------------------------------------------------------

constexpr int kBitsPerAxis = 10;

// ...x x x -> ..x..x..x
constexpr std::uint32_t spread(std::uint32_t x) noexcept {
    x = (x | (x << 16)) & 0x030000ffU;
    x = (x | (x << 8)) & 0x0300f00fU;
    x = (x | (x << 4)) & 0x030c30c3U;
    return (x | (x << 2)) & 0x09249249U;
}
static_assert(spread(0x3ffU) == 0x09249249U && spread(5U) == 0x41U);

std::uint32_t cell(float lower, float upper) noexcept {
    constexpr float kCells = 1 << kBitsPerAxis;
    const float middle = 0.5F * lower + 0.5F * upper;
    return static_cast<std::uint32_t>(
        std::clamp((middle + 1.0F) * (0.5F * kCells), 0.0F, kCells - 1.0F));
}

std::uint32_t curve_place(const GridBox& box) noexcept {
    return spread(cell(box.lower[0], box.upper[0])) |
           (spread(cell(box.lower[1], box.upper[1])) << 1) |
           (spread(cell(box.lower[2], box.upper[2])) << 2);
}

// By the upper half of the keys, three times ten bits; stable, so that equal keys stay in order.
void sort_keys(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare) {
    constexpr std::size_t kDigits = 1U << kBitsPerAxis;
    spare.resize(keys.size());
    for (int pass = 0; pass < 3; ++pass) {
        const int shift = 32 + pass * kBitsPerAxis;
        std::array<std::uint32_t, kDigits> begin{};
        for (const std::uint64_t key : keys)
            ++begin[(key >> shift) % kDigits];
        std::uint32_t sum = 0;
        for (std::uint32_t& count : begin)
            sum += std::exchange(count, sum);
        for (const std::uint64_t key : keys)
            spare[begin[(key >> shift) % kDigits]++] = key;
        keys.swap(spare);
    }
}

}  // namespace

// --- Building ------------------------------------------------------------------------------------

void BoxTree::build(std::span<const GridBox> boxes) {
    GRAZE_ASSERT(boxes.size() <= 0xffff'ffffU);
    keys_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        keys_[i] = (std::uint64_t{curve_place(boxes[i])} << 32) | i;
    sort_keys(keys_, spare_);
    order_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        order_[i] = static_cast<std::uint32_t>(keys_[i]);
    leaves_.resize(blocks_for(boxes.size()));
    std::size_t depth = 0;
    for (std::size_t count = leaves_.size(); count > 1; ++depth) {
        count = blocks_for(count);
        if (levels_.size() <= depth) levels_.emplace_back();
        levels_[depth].resize(count);
    }
    levels_.resize(depth);
    fill(boxes);
}

void BoxTree::refit(std::span<const GridBox> boxes) {
    GRAZE_ASSERT(boxes.size() == order_.size());
    fill(boxes);
}

void BoxTree::fill(std::span<const GridBox> boxes) {
    for (std::size_t place = 0; place < leaves_.size() * kBoxesInBlock; ++place) {
        set_lane(leaves_[place / kBoxesInBlock], place % kBoxesInBlock,
                 place < order_.size() ? boxes[order_[place]] : GridBox{});
    }
    for (std::size_t level = 0; level < levels_.size(); ++level) {
        if (level == 0) {
            set_bounds(leaves_, levels_[level]);
        } else {
            set_bounds(levels_[level - 1], levels_[level]);
        }
    }
}

// --- Searching -----------------------------------------------------------------------------------

namespace {

// What a search sees of a tree.
struct TreeView {
    std::span<const LeafBlock> leaves;
    std::span<const std::vector<NodeBlock>> levels;
    std::span<const std::uint32_t> order;
};

namespace portable {
using any_machine::overlaps_on;
#include "broad/tree_search.inc"
}  // namespace portable

#ifdef GRAZE_X86_DISPATCH
GRAZE_TARGET_BEGIN("avx2")
namespace avx2 {

template <std::size_t kFirst, std::size_t kLast, std::size_t kStride, std::size_t kAxes>
inline unsigned overlaps_on(const Probe<kStride>& box, const BoxBlock<kAxes>& block) noexcept {
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
    function({leaves_, levels_, order_}, block, {other.leaves_, other.levels_, other.order_}, false,
             sink);
}

void BoxTree::search_self(std::size_t block, PairSink& sink) const {
    const TreeView view{leaves_, levels_, order_};
    static const SearchFunction function = search_function();
    function(view, block, view, true, sink);
}

}  // namespace graze
