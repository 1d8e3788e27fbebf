#include "graze/broad/box_tree.hpp"

#include <array>
#include <bit>
#include <utility>

#include "broad/tree_kernel.hpp"
#include "graze/core/assert.hpp"

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

// On the axes that the block has; on others nothing.
template <std::size_t kAxes>
GridBox lane_of(const BoxBlock<kAxes>& block, std::size_t lane) noexcept {
    GridBox box;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
        box.lower[axis] = block.lower[axis][lane];
        box.upper[axis] = block.upper[axis][lane];
    }
    return box;
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

class TreeSearch {
public:
    TreeSearch(const BoxTree& from, std::size_t block, const BoxTree& in, bool is_self,
               PairSink& sink)
        : from_(from),
          in_(in),
          block_(block),
          leaf_(from.leaves_[block]),
          bounds_(bounds_of(leaf_)),
          is_self_(is_self),
          sink_(sink) {}

    void run() {
        if (in_.leaves_.empty()) return;
        if (in_.levels_.empty()) {
            compare(0, bounds_of(in_.leaves_.front()));
        } else {
            descend(in_.levels_.size() - 1, 0);
        }
        flush();
    }

private:
    // Block `index` of a level: bounds of eight blocks below it; below level 0 are the leaves.
    void descend(std::size_t level, std::size_t index) {
        const NodeBlock& block = in_.levels_[level][index];
        for (unsigned hits = overlaps(bounds_, block); hits != 0; hits &= hits - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(hits));
            const std::size_t child = index * kBoxesInBlock + lane;
            if (is_self_ && !is_ahead(level, child)) continue;
            if (level == 0) {
                compare(child, lane_of(block, lane));
            } else {
                descend(level - 1, child);
            }
        }
    }

    // Does a child of a block of that level hold leaves at or behind the one that searches?
    [[nodiscard]] bool is_ahead(std::size_t level, std::size_t index) const noexcept {
        return ((index + 1) << (3 * level)) > block_;
    }

    // Box by box against a leaf: those of ours that meet its bounds.
    void compare(std::size_t other, const GridBox& its_bounds) {
        const LeafBlock& there = in_.leaves_[other];
        if (count_ + kBoxesInBlock * kBoxesInBlock > pairs_.size()) flush();
        for (unsigned ours = overlaps(its_bounds, leaf_); ours != 0; ours &= ours - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(ours));
            const GridBox box = lane_of(leaf_, lane);
            unsigned hits = overlaps(box, there);
            if (hits != 0) hits &= overlap_diagonals(box, there);
            if (is_self_ && other == block_) hits &= ~((2U << lane) - 1U);
            for (; hits != 0; hits &= hits - 1) {
                const auto hit = static_cast<std::size_t>(std::countr_zero(hits));
                emit(from_.order_[block_ * kBoxesInBlock + lane],
                     in_.order_[other * kBoxesInBlock + hit]);
            }
        }
    }

    void emit(std::uint32_t a, std::uint32_t b) noexcept {
        pairs_[count_++] = is_self_ && a > b ? IndexPair{b, a} : IndexPair{a, b};
    }

    void flush() {
        if (count_ > 0) sink_.take({pairs_.data(), count_});
        count_ = 0;
    }

    const BoxTree& from_;
    const BoxTree& in_;
    std::size_t block_;
    const LeafBlock& leaf_;
    GridBox bounds_;
    bool is_self_;
    PairSink& sink_;
    std::size_t count_ = 0;
    std::array<IndexPair, PairSink::kPortion> pairs_;
};

void BoxTree::search(std::size_t block, const BoxTree& other, PairSink& sink) const {
    TreeSearch(*this, block, other, false, sink).run();
}

void BoxTree::search_self(std::size_t block, PairSink& sink) const {
    TreeSearch(*this, block, *this, true, sink).run();
}

}  // namespace graze
