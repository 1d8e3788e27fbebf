// Which boxes overlap? A sweep along one axis.
//
// Boxes are sorted by where they begin on the axis on which they spread the most. Each is compared
// with those that begin before it ends, eight at a time. No tree, no levels: simple, and fast where
// boxes are small against the scene along that axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/broad/box_tree.hpp"

namespace graze {

class BoxSweep {
public:
    // Requires: fewer than 2^32 boxes, none with NaN. Cost: a sort.
    void build(std::span<const GridBox> boxes);
    // With the axis given, for sweeps that are to be searched together.
    void build(std::span<const GridBox> boxes, std::size_t axis);

    [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
    [[nodiscard]] std::size_t axis() const noexcept { return axis_; }
    [[nodiscard]] std::size_t blocks() const noexcept { return blocks_.size(); }

    // As BoxTree; both sweeps go along the same axis.
    void search(std::size_t block, const BoxSweep& other, PairSink& sink) const;
    void search_self(std::size_t block, PairSink& sink) const;

private:
    friend class SweepSearch;

    std::size_t axis_ = 0;
    float longest_ = 0.0F;              // along the axis
    std::vector<float> begins_;         // of each block, ascending
    std::vector<std::uint32_t> order_;  // the box in each place
    std::vector<LeafBlock> blocks_;
};

}  // namespace graze
