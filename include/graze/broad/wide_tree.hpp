// The one bounding volume tree of the library, eight children wide, and the floats that it is made
// of. Inside of graze: mesh, rigid and surface search pairs with BoxTree, slide searches the
// triangles of a level with one box at a time.
//
// Boxes are put in an order in which neighbours in space are near each other, and stored eight to a
// block; eight blocks have a block of their bounds above them, and so on. No pointers: child k of
// block i is block 8 i + k of the level below. Nothing is allocated while searching.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "graze/broad/float_box.hpp"
#include "graze/broad/ranges.hpp"

namespace graze {

inline constexpr std::size_t kTreeWidth = 8;

// Leaves the elements of a vector that grows as they are: whoever grows it writes each of them, and
// does so on several threads, where zeros would be written twice and on one.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = UninitializedAllocator<U>;
    };
    template <class U>
    void construct(U* at) noexcept {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
    }
};
template <class T>
using UninitializedVector = std::vector<T, UninitializedAllocator<T>>;

// Eight boxes, axis by axis: as many axes as the boxes have in a leaf, x, y and z above the leaves.
template <std::size_t kAxes>
struct alignas(32) BoxBlock {
    float lower[kAxes][kTreeWidth];
    float upper[kAxes][kTreeWidth];

    constexpr void set(std::size_t lane, const FloatBox<kAxes>& box) noexcept {
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
            lower[axis][lane] = box.lower[axis];
            upper[axis][lane] = box.upper[axis];
        }
    }
    // All lanes.
    void set(const FloatBox<kAxes> (&boxes)[kTreeWidth]) noexcept {
#if defined(__SSE2__)
        // Rows of the block are columns of the boxes: four by four of them are transposed.
        static_assert(sizeof(FloatBox<kAxes>) == 2 * kAxes * sizeof(float));
        constexpr std::size_t kRows = 2 * kAxes;
        const float* from[kTreeWidth];
        for (std::size_t lane = 0; lane < kTreeWidth; ++lane)
            from[lane] = reinterpret_cast<const float*>(&boxes[lane]);
        float* const to = reinterpret_cast<float*>(this);
        std::size_t row = 0;
        for (; row + 4 <= kRows; row += 4) {
            for (std::size_t lane = 0; lane < kTreeWidth; lane += 4) {
                __m128 a = _mm_loadu_ps(from[lane] + row);
                __m128 b = _mm_loadu_ps(from[lane + 1] + row);
                __m128 c = _mm_loadu_ps(from[lane + 2] + row);
                __m128 d = _mm_loadu_ps(from[lane + 3] + row);
                _MM_TRANSPOSE4_PS(a, b, c, d);
                _mm_store_ps(to + row * kTreeWidth + lane, a);
                _mm_store_ps(to + (row + 1) * kTreeWidth + lane, b);
                _mm_store_ps(to + (row + 2) * kTreeWidth + lane, c);
                _mm_store_ps(to + (row + 3) * kTreeWidth + lane, d);
            }
        }
        for (; row < kRows; ++row)
            for (std::size_t lane = 0; lane < kTreeWidth; ++lane)
                to[row * kTreeWidth + lane] = from[lane][row];
#else
        for (std::size_t lane = 0; lane < kTreeWidth; ++lane)
            set(lane, boxes[lane]);
#endif
    }
};
using NodeBlock = BoxBlock<3>;

// Of all eight boxes, on the axes from kFirst to kLast - 1.
template <std::size_t kFirst, std::size_t kLast, std::size_t kAxes>
[[nodiscard]] FloatBox<kLast - kFirst> bounds_on(const BoxBlock<kAxes>& block) noexcept {
    static_assert(kLast <= kAxes);
    FloatBox<kLast - kFirst> box;
    for (std::size_t axis = kFirst; axis < kLast; ++axis) {
        float& least = box.lower[axis - kFirst];
        float& most = box.upper[axis - kFirst];
#if defined(__SSE2__)
        __m128 low = _mm_min_ps(_mm_load_ps(block.lower[axis]), _mm_load_ps(block.lower[axis] + 4));
        __m128 high =
            _mm_max_ps(_mm_load_ps(block.upper[axis]), _mm_load_ps(block.upper[axis] + 4));
        low = _mm_min_ps(low, _mm_movehl_ps(low, low));
        high = _mm_max_ps(high, _mm_movehl_ps(high, high));
        least = _mm_cvtss_f32(_mm_min_ss(low, _mm_shuffle_ps(low, low, 1)));
        most = _mm_cvtss_f32(_mm_max_ss(high, _mm_shuffle_ps(high, high, 1)));
#else
        for (std::size_t lane = 0; lane < kTreeWidth; ++lane) {
            least = std::min(least, block.lower[axis][lane]);
            most = std::max(most, block.upper[axis][lane]);
        }
#endif
    }
    return box;
}

// On x, y and z.
template <std::size_t kAxes>
[[nodiscard]] FloatBox<3> bounds_of(const BoxBlock<kAxes>& block) noexcept {
    return bounds_on<0, 3>(block);
}

// --- Which of eight boxes overlap one? -----------------------------------------------------------

// A box whose bounds are kStride floats from each other: alone, or a lane of a block.
template <std::size_t kStride>
struct BoxProbe {
    const float* lower;
    const float* upper;
};
template <std::size_t kAxes>
[[nodiscard]] BoxProbe<1> probe_of(const FloatBox<kAxes>& box) noexcept {
    return {box.lower.data(), box.upper.data()};
}
template <std::size_t kAxes>
[[nodiscard]] BoxProbe<kTreeWidth> probe_of(const BoxBlock<kAxes>& block,
                                            std::size_t lane) noexcept {
    return {block.lower[0] + lane, block.upper[0] + lane};
}

// In a namespace of its own, so that code for other instruction sets is not mistaken for it.
namespace any_machine {

// Bit i: box i of the block overlaps on the axes from kFirst to kLast - 1. To touch is to overlap.
#if defined(__SSE2__)

// Four at a time, which every x86-64 can.
template <std::size_t kFirst, std::size_t kLast, std::size_t kStride, std::size_t kAxes>
[[nodiscard]] inline unsigned overlaps_on(const BoxProbe<kStride>& box,
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
[[nodiscard]] inline unsigned overlaps_on(const BoxProbe<kStride>& box,
                                          const BoxBlock<kAxes>& block) noexcept {
    static_assert(kLast <= kAxes);
    unsigned mask = 0;
    for (std::size_t i = 0; i < kTreeWidth; ++i) {
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

// --- The tree ------------------------------------------------------------------------------------

// Over boxes in an order that the caller has chosen: where a box stands in it is its position.
template <std::size_t kAxes>
class WideTree {
public:
    // Requires: fewer than 2^32 boxes. fit() is to follow.
    void resize(std::size_t count) {
        count_ = count;
        leaves_.resize(blocks_for(count));
        level_begin_.clear();
        std::size_t total = 0;
        for (std::size_t blocks = leaves_.size(); blocks > 1;) {
            blocks = blocks_for(blocks);
            level_begin_.push_back(total);
            total += blocks;
        }
        nodes_.resize(total);
        if constexpr (kHasMore) more_.resize(height() == 0 ? 0 : blocks_for(leaves_.size()));
    }
    // Sets the boxes, `box_at(position)`, and the bounds above them.
    template <class BoxAt>
    void fit(const BoxAt& box_at, const RangeRunner& run = in_sequence) {
        const auto set_leaves = [&](std::size_t begin, std::size_t end) {
            for (std::size_t leaf = begin; leaf < end; ++leaf) {
                FloatBox<kAxes> boxes[kTreeWidth];
                const std::size_t first = leaf * kTreeWidth;
                const std::size_t count = std::min(kTreeWidth, count_ - first);
                for (std::size_t lane = 0; lane < count; ++lane)
                    boxes[lane] = box_at(first + lane);
                leaves_[leaf].set(boxes);
            }
        };
        if (height() == 0) return set_leaves(0, leaves_.size());
        // Leaves and the bounds right above them in one pass, while they are in the cache.
        const std::span<NodeBlock> lowest = std::span(nodes_).first(blocks_for(leaves_.size()));
        const auto set_lowest = [&](std::size_t begin, std::size_t end) {
            set_leaves(begin * kTreeWidth, std::min(end * kTreeWidth, leaves_.size()));
            set_bounds(std::span<const BoxBlock<kAxes>>(leaves_), lowest, begin, end);
            if constexpr (kHasMore) set_more(begin, end);
        };
        run(lowest.size(), kNodesAtATime, std::cref(set_lowest));
        for (std::size_t level = 1; level < height(); ++level) {
            const std::span<const NodeBlock> below =
                std::span(nodes_).subspan(level_begin_[level - 1], blocks_below(level));
            const std::span<NodeBlock> above =
                std::span(nodes_).subspan(level_begin_[level], blocks_for(below.size()));
            set_bounds(below, above, 0, above.size());
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] std::size_t blocks() const noexcept { return leaves_.size(); }
    [[nodiscard]] const BoxBlock<kAxes>& leaf(std::size_t i) const noexcept { return leaves_[i]; }
    // Levels of bounds: level 0 above the leaves, one block on the last. None for a single leaf.
    [[nodiscard]] std::size_t height() const noexcept { return level_begin_.size(); }
    [[nodiscard]] const NodeBlock& node(std::size_t level, std::size_t i) const noexcept {
        return nodes_[level_begin_[level] + i];
    }

    // The bounds of eight leaves on the axes beyond x, y and z, beside block i of level 0.
    static constexpr bool kHasMore = kAxes > 3;
    using MoreBlock = BoxBlock<kHasMore ? kAxes - 3 : 1>;
    [[nodiscard]] const MoreBlock& more(std::size_t i) const noexcept { return more_[i]; }

    // Calls visit(position) for every box that overlaps on x, y and z, in the order of positions;
    // ends where it returns false. `visit` must not throw.
    template <class Visit>
    void search(const FloatBox<3>& box, Visit&& visit) const noexcept;

private:
    static constexpr std::size_t blocks_for(std::size_t count) noexcept {
        return (count + kTreeWidth - 1) / kTreeWidth;
    }
    [[nodiscard]] std::size_t blocks_below(std::size_t level) const noexcept {
        return level == 0 ? leaves_.size() : level_begin_[level] - level_begin_[level - 1];
    }
    // The blocks [begin, end) of a level from the level below it.
    template <class Block>
    static void set_bounds(std::span<const Block> below, std::span<NodeBlock> above,
                           std::size_t begin, std::size_t end) {
        for (std::size_t i = begin * kTreeWidth; i < end * kTreeWidth; ++i)
            above[i / kTreeWidth].set(i % kTreeWidth,
                                      i < below.size() ? bounds_of(below[i]) : FloatBox<3>{});
    }

    void set_more(std::size_t begin, std::size_t end) {
        for (std::size_t i = begin * kTreeWidth; i < end * kTreeWidth; ++i)
            more_[i / kTreeWidth].set(i % kTreeWidth, i < leaves_.size()
                                                          ? bounds_on<3, kAxes>(leaves_[i])
                                                          : FloatBox<kAxes - 3>{});
    }

    // 64 boxes each: enough to pay for a task.
    static constexpr std::size_t kNodesAtATime = 64;

    std::size_t count_ = 0;
    UninitializedVector<BoxBlock<kAxes>> leaves_;
    UninitializedVector<NodeBlock> nodes_;  // bounds of the leaves first, the root last
    UninitializedVector<MoreBlock> more_;
    std::vector<std::size_t> level_begin_;
};

// 2^32 boxes make 2^29 leaves and ten levels above them; one more for the parent of the root.
inline constexpr std::size_t kMaxTreeLevels = 11;

template <std::size_t kAxes>
template <class Visit>
void WideTree<kAxes>::search(const FloatBox<3>& box, Visit&& visit) const noexcept {
    if (leaves_.empty()) return;
    const BoxProbe<1> probe = probe_of(box);
    // What is left to do on each level: the block, and its lanes not yet searched. The root is the
    // only child of a block that is not there.
    std::size_t block_of[kMaxTreeLevels];
    unsigned left[kMaxTreeLevels];
    std::size_t level = height();
    block_of[level] = 0;
    left[level] = 1;
    while (true) {
        if (left[level] == 0) {
            if (++level > height()) return;
            continue;
        }
        const std::size_t child =
            block_of[level] * kTreeWidth + static_cast<std::size_t>(std::countr_zero(left[level]));
        left[level] &= left[level] - 1;
        if (level > 0) {
            --level;
            block_of[level] = child;
            left[level] = any_machine::overlaps_on<0, 3>(probe, node(level, child));
            continue;
        }
        for (unsigned hits = any_machine::overlaps_on<0, 3>(probe, leaf(child)); hits != 0;
             hits &= hits - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(hits));
            if (!visit(static_cast<std::uint32_t>(child * kTreeWidth + lane))) return;
        }
    }
}

// --- Orders --------------------------------------------------------------------------------------

// Both deterministic: the same boxes in the same order give the same positions.

// Which box stands at each position: by median splits along the widest axis. Better to search than
// a curve, and slower to build: for trees that are built once. Cost: n log n.
[[nodiscard]] std::vector<std::uint32_t> median_order(std::span<const FloatBox<3>> boxes);

// Which of the three axes each bit of a position on the curve belongs to, lowest bit first.
struct CurveShape {
    static constexpr std::size_t kBits = 30;
    static constexpr std::size_t kMostPerAxis = 21;

    std::array<std::uint8_t, kBits> axis_of;

    // The same number for each axis, in turns: for boxes about which nothing is known.
    constexpr CurveShape() noexcept {
        for (std::size_t bit = 0; bit < kBits; ++bit)
            axis_of[bit] = static_cast<std::uint8_t>(bit % 3);
    }
    // Cells that are equally many boxes wide on every axis, for boxes of these extents on average. A
    // flat sheet whose thickness is one box gets no cells across it, so that what is near each other
    // on the curve is near each other in the sheet.
    [[nodiscard]] static CurveShape for_boxes(const std::array<float, 3>& extents) noexcept;
};

// Positions on the curve, and a radix sort by them.
class CurveKeys {
public:
    explicit CurveKeys(const CurveShape& shape) noexcept;
    // Of the centre, in [-1, 1], about: what lies outside belongs to the outermost cells.
    template <std::size_t kAxes>
    [[nodiscard]] std::uint32_t operator()(const FloatBox<kAxes>& box) const noexcept {
        std::uint32_t key = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const float middle = 0.5F * box.lower[axis] + 0.5F * box.upper[axis];
            const auto cell = static_cast<std::uint32_t>(
                std::clamp((middle + 1.0F) * (0.5F * cells_[axis]), 0.0F, cells_[axis] - 1.0F));
            for (std::size_t digit = 0; digit < kDigits; ++digit)
                key |= spread_[axis][digit][(cell >> (digit * kDigitBits)) % kDigitValues];
        }
        return key;
    }

private:
    static constexpr std::size_t kDigitBits = 7;
    static constexpr std::size_t kDigits = CurveShape::kMostPerAxis / kDigitBits;
    static constexpr std::size_t kDigitValues = std::size_t{1} << kDigitBits;

    std::array<float, 3> cells_;
    // What a digit of an axis' cell adds to the key.
    std::uint32_t spread_[3][kDigits][kDigitValues];
};

// What a sort needs besides its result, kept for the next time. Several orders may have it in common,
// one after another.
struct SortBuffers {
    UninitializedVector<std::uint64_t> keys;
    UninitializedVector<std::uint64_t> spare;
};

// Along a Morton curve, by a radix sort: for trees that are built in every step. Boxes in [-1, 1],
// about. Cost: linear.
class MortonOrder {
public:
    // By the first three axes. `box_at(i)` has those at least.
    template <class BoxAt>
    void sort(std::size_t count, const BoxAt& box_at, SortBuffers& buffers,
              const CurveShape& shape = {}, const RangeRunner& run = in_sequence) {
        count_ = count;
        buffers.keys.resize(count);
        const CurveKeys key_of(shape);
        const auto set_keys = [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                buffers.keys[i] = (std::uint64_t{key_of(box_at(i))} << 32) | i;
        };
        run(count, kKeysAtATime, std::cref(set_keys));
        sort_keys(buffers, run);
    }
    [[nodiscard]] std::span<const std::uint32_t> last() const noexcept {
        return std::span(order_).first(count_);
    }

private:
    static constexpr std::size_t kKeysAtATime = 4096;

    void sort_keys(SortBuffers& buffers, const RangeRunner& run);

    // The box at each position, and behind them zeros up to a multiple of the tree's width, so that
    // a whole block of it can be read.
    UninitializedVector<std::uint32_t> order_;
    std::size_t count_ = 0;
};

}  // namespace graze
