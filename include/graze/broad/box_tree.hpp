// Which boxes overlap? A tree over boxes in the order of a space-filling curve.
//
// Boxes are sorted along a Morton curve and stored eight to a block; eight blocks have a block of
// their bounds above them, and so on. A block of boxes goes down the tree as one, and what it meets
// at the bottom is compared box by box. All of it is arrays: nothing is allocated while searching.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/broad/box.hpp"

namespace graze {

// Indices of two boxes. In pairs of one list with itself: first < second. Without initial values,
// so that buffers of them cost nothing.
struct IndexPair {
    std::uint32_t first;
    std::uint32_t second;
    friend constexpr auto operator<=>(const IndexPair&, const IndexPair&) noexcept = default;
};

inline constexpr std::size_t kBoxesInBlock = 8;

// Eight boxes, axis by axis: all axes at the bottom of a tree, the first three above it.
template <std::size_t kAxes>
struct alignas(32) BoxBlock {
    float lower[kAxes][kBoxesInBlock];
    float upper[kAxes][kBoxesInBlock];
};
using LeafBlock = BoxBlock<kGridAxes>;
using NodeBlock = BoxBlock<3>;

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
    // The same boxes at other places, in the order in which they are: right, whatever the places
    // are, and fast where they are near those of build(). Requires: as many as there were.
    void refit(std::span<const GridBox> boxes);

    [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
    // Blocks of eight boxes, neighbours in space: the units of work of a search.
    [[nodiscard]] std::size_t blocks() const noexcept { return leaves_.size(); }

    // Every pair (a, b) of a box in block `block` of this tree and a box of `other` that overlap.
    void search(std::size_t block, const BoxTree& other, PairSink& sink) const;
    // Every pair of a box in block `block` and a box in it or in a later one that overlap: over all
    // blocks, each pair of boxes once.
    void search_self(std::size_t block, PairSink& sink) const;

private:
    void fill(std::span<const GridBox> boxes);

    std::vector<std::uint32_t> order_;  // the box in each place
    std::vector<LeafBlock> leaves_;
    // Bounds of the blocks below: of the leaves first, and one block at last. Empty for one leaf.
    std::vector<std::vector<NodeBlock>> levels_;
    std::vector<std::uint64_t> keys_;   // for sorting
    std::vector<std::uint64_t> spare_;  // for sorting
};

}  // namespace graze
