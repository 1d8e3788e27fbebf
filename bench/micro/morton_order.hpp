// Boxes along a Morton curve: what is near on the curve is near in space, and mostly the reverse.
#pragma once

#include <cstdint>
#include <vector>

#include "swept_box.hpp"

namespace graze::bench {

struct MortonOrder {
    std::vector<std::uint32_t> at_rank;  // the boxes in the order of the curve
    std::vector<std::uint32_t> rank_of;  // the inverse
};

// By the centres of the boxes in a grid of 2^21 cells an axis over `world`; by index in one cell.
// The centres are rounded: only the order depends on them, and it is the same on every machine.
[[nodiscard]] MortonOrder morton_order(const std::vector<SweptBox>& boxes, const SweptBox& world);

}  // namespace graze::bench
