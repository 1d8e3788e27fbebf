#include <array>
#include <bit>
#include <utility>

#include "graze/broad/wide_tree.hpp"

namespace graze {
namespace {

// --- Median splits -------------------------------------------------------------------------------

// Equal centres are ordered by the number of their box, so that the tree, and with it the order of
// pairs, is the same on every machine.
struct Centre {
    std::array<float, 3> at;
    std::uint32_t box;
};

std::size_t widest_axis(std::span<const Centre> centres) noexcept {
    std::array<float, 3> lower = centres.front().at;
    std::array<float, 3> upper = lower;
    for (const Centre& centre : centres) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            lower[axis] = std::min(lower[axis], centre.at[axis]);
            upper[axis] = std::max(upper[axis], centre.at[axis]);
        }
    }
    std::size_t widest = 0;
    for (std::size_t axis = 1; axis < 3; ++axis) {
        if (upper[axis] - lower[axis] > upper[widest] - lower[widest]) widest = axis;
    }
    return widest;
}

// Splits at the largest power of two below the size, so that every subtree but the last is full
// and begins at a multiple of its size: blocks need no pointers.
void split(std::span<Centre> centres) {
    while (centres.size() > kTreeWidth) {
        const std::size_t half = std::bit_ceil(centres.size()) / 2;
        const std::size_t axis = widest_axis(centres);
        std::nth_element(centres.begin(), centres.begin() + static_cast<std::ptrdiff_t>(half),
                         centres.end(), [axis](const Centre& a, const Centre& b) {
                             return a.at[axis] < b.at[axis] ||
                                    (a.at[axis] == b.at[axis] && a.box < b.box);
                         });
        split(centres.first(half));
        centres = centres.subspan(half);
    }
}

// --- Morton curve --------------------------------------------------------------------------------

constexpr int kBitsPerAxis = 10;

// ...x x x -> ..x..x..x
constexpr std::uint32_t spread(std::uint32_t x) noexcept {
    x = (x | (x << 16)) & 0x030000ffU;
    x = (x | (x << 8)) & 0x0300f00fU;
    x = (x | (x << 4)) & 0x030c30c3U;
    return (x | (x << 2)) & 0x09249249U;
}
static_assert(spread(0x3ffU) == 0x09249249U && spread(5U) == 0x41U);

// Which of 2^10 cells of [-1, 1] holds the centre; the grid maps the scene to about that interval,
// and what lies outside belongs to the outermost cells.
std::uint32_t cell(float lower, float upper) noexcept {
    constexpr float kCells = 1 << kBitsPerAxis;
    const float middle = 0.5F * lower + 0.5F * upper;
    return static_cast<std::uint32_t>(
        std::clamp((middle + 1.0F) * (0.5F * kCells), 0.0F, kCells - 1.0F));
}

// Radix sort by the upper half of the keys, three times ten bits, lowest first, in linear
// time; stable, so that equal keys stay in order.
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

std::vector<std::uint32_t> median_order(std::span<const FloatBox<3>> boxes) {
    std::vector<Centre> centres(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            centres[i].at[axis] = 0.5F * boxes[i].lower[axis] + 0.5F * boxes[i].upper[axis];
        centres[i].box = static_cast<std::uint32_t>(i);
    }
    split(centres);
    std::vector<std::uint32_t> order(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        order[i] = centres[i].box;
    return order;
}

template <std::size_t kAxes>
void MortonOrder::sort(std::span<const FloatBox<kAxes>> boxes) {
    keys_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto& [lower, upper] = boxes[i];
        const std::uint32_t key = spread(cell(lower[0], upper[0])) |
                                  (spread(cell(lower[1], upper[1])) << 1) |
                                  (spread(cell(lower[2], upper[2])) << 2);
        keys_[i] = (std::uint64_t{key} << 32) | i;
    }
    sort_keys(keys_, spare_);
    order_.resize(keys_.size());
    for (std::size_t i = 0; i < keys_.size(); ++i)
        order_[i] = static_cast<std::uint32_t>(keys_[i]);
}
template void MortonOrder::sort<3>(std::span<const FloatBox<3>>);
template void MortonOrder::sort<9>(std::span<const FloatBox<9>>);

}  // namespace graze
