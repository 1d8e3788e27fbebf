#include "morton_order.hpp"

#include <algorithm>
#include <numeric>

namespace graze::bench {
namespace {

constexpr int kBitsPerAxis = 21;
static_assert(3 * kBitsPerAxis <= 64, "one code is one word");

// Bit i of the cell goes to bit 3 i.
std::uint64_t spread(std::uint64_t cell) {
    std::uint64_t bits = 0;
    for (int i = 0; i < kBitsPerAxis; ++i)
        bits |= ((cell >> i) & 1) << (3 * i);
    return bits;
}

// Halves first, so that no finite bounds overflow. A flat world makes NaN or infinity of the
// quotient, and that is the first cell, or the last.
std::uint64_t cell_of(const SweptBox& box, const SweptBox& world, std::size_t axis) {
    constexpr double kCells = 1 << kBitsPerAxis;
    const double centre = 0.5 * box.lower[axis] + 0.5 * box.upper[axis];
    const double offset = 0.5 * centre - 0.5 * world.lower[axis];
    const double extent = 0.5 * world.upper[axis] - 0.5 * world.lower[axis];
    const double cell = kCells * (offset / extent);
    if (!(cell >= 0.0)) return 0;
    return static_cast<std::uint64_t>(std::min(cell, kCells - 1));
}

std::uint64_t code_of(const SweptBox& box, const SweptBox& world) {
    std::uint64_t code = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        code |= spread(cell_of(box, world, axis)) << axis;
    return code;
}

}  // namespace

MortonOrder morton_order(const std::vector<SweptBox>& boxes, const SweptBox& world) {
    std::vector<std::uint64_t> codes;
    codes.reserve(boxes.size());
    for (const SweptBox& box : boxes)
        codes.push_back(code_of(box, world));
    MortonOrder order{std::vector<std::uint32_t>(boxes.size()),
                      std::vector<std::uint32_t>(boxes.size())};
    std::iota(order.at_rank.begin(), order.at_rank.end(), std::uint32_t{0});
    std::stable_sort(order.at_rank.begin(), order.at_rank.end(),
                     [&codes](std::uint32_t a, std::uint32_t b) { return codes[a] < codes[b]; });
    for (std::uint32_t rank = 0; rank < boxes.size(); ++rank)
        order.rank_of[order.at_rank[rank]] = rank;
    return order;
}

}  // namespace graze::bench
