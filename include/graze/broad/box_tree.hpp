// Which k-DOPs overlap? A wide tree over them, in the order of a Morton curve.
//
// A block of eight goes down the tree as one, or eight of them do, and the leaves that they reach are
// compared one by one. Nothing is allocated while searching.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "graze/broad/box.hpp"
#include "graze/broad/wide_tree.hpp"

namespace graze {

// Indices of two boxes. In pairs of one list with itself: first < second. Without initial values,
// so that buffers of them cost nothing.
struct IndexPair {
    std::uint32_t first;
    std::uint32_t second;
    friend constexpr auto operator<=>(const IndexPair&, const IndexPair&) noexcept = default;
};

// Where pairs go while a tree is searched: taken away in portions, so that memory is bounded
// however many there are.
class PairSink {
public:
    static constexpr std::size_t kPortion = 1024;

    virtual void take(std::span<const IndexPair> pairs) = 0;

protected:
    PairSink() = default;
    PairSink(const PairSink&) = default;
    PairSink& operator=(const PairSink&) = default;
    ~PairSink() = default;
};

class BoxTree {
public:
    // Sorts the boxes and builds the tree. Requires: fewer than 2^32 boxes, none with NaN.
    // Cost: linear (a radix sort); buffers are kept for the next time.
    void build(std::span<const GridBox> boxes);
    // The same for boxes that are nowhere stored: `box_at(i)` is called once for each, on the
    // threads of `run`. The tree depends on boxes and shape alone.
    // `bounds_at(i)`: about where the box is, on x, y and z; for its position alone.
    template <class BoundsAt, class BoxAt>
    void build(std::size_t count, const BoundsAt& bounds_at, const BoxAt& box_at,
               SortBuffers& buffers, const CurveShape& shape, const RangeRunner& run) {
        order_.sort(count, bounds_at, buffers, shape, run);
        tree_.resize(count);
        refit(box_at, run);
    }
    // The same elements at other positions, in the order that they have: right wherever they are,
    // and fast where they are near those of build(). Requires: as many as there were.
    void refit(std::span<const GridBox> boxes);
    template <class BoxAt>
    void refit(const BoxAt& box_at, const RangeRunner& run) {
        // Bounds of eight leaves or nodes each, from the leaves up. Any order of leaves gives bounds
        // that hold theirs: the order costs time, never a pair.
        const std::span<const std::uint32_t> order = order_.last();
        tree_.fit([&](std::size_t position) { return box_at(order[position]); }, run);
    }

    [[nodiscard]] std::size_t size() const noexcept { return tree_.size(); }
    // Blocks of eight boxes, neighbours in space: the units of work of a search.
    [[nodiscard]] std::size_t blocks() const noexcept { return tree_.blocks(); }

    // Every pair (a, b) of a box in block `block` of this tree and a box of `other` that overlap.
    void search(std::size_t block, const BoxTree& other, PairSink& sink) const;
    // Every pair of a box in block `block` and a box in it or in a later one that overlap: over all
    // blocks, each pair of boxes once.
    void search_self(std::size_t block, PairSink& sink) const;

    // The same for groups of eight blocks, which go down the tree as one: less work than one block
    // after another.
    [[nodiscard]] std::size_t groups() const noexcept {
        return (blocks() + kTreeWidth - 1) / kTreeWidth;
    }
    void search_group(std::size_t group, const BoxTree& other, PairSink& sink) const;
    void search_self_group(std::size_t group, PairSink& sink) const;

private:
    MortonOrder order_;    // the box at each position
    SortBuffers buffers_;  // for boxes that are stored
    WideTree<kGridAxes> tree_;
};

}  // namespace graze
