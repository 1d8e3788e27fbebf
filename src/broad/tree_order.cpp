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
    // In which order nth_element leaves the halves is up to the standard library.
    std::sort(centres.begin(), centres.end(),
              [](const Centre& a, const Centre& b) { return a.box < b.box; });
}

// --- Radix sort ----------------------------------------------------------------------------------

constexpr int kDigitBits = 10;
constexpr int kPasses = static_cast<int>(CurveShape::kBits) / kDigitBits;
constexpr std::size_t kDigitValues = std::size_t{1} << kDigitBits;
static_assert(kPasses * kDigitBits == CurveShape::kBits);

using DigitCounts = std::array<std::uint32_t, kDigitValues>;

// Keys for a task, which has counts of its own. The sort is stable, so that its result does not
// depend on this number.
constexpr std::size_t kKeysOfChunk = 1U << 14U;
constexpr std::size_t kMostChunks = 64;

std::size_t chunk_size(std::size_t count) noexcept {
    return std::max(kKeysOfChunk, (count + kMostChunks - 1) / kMostChunks);
}

// How many come before: counts become the first positions of each digit of each chunk.
void set_begins(std::span<DigitCounts> chunks) noexcept {
    std::uint32_t sum = 0;
    for (std::size_t digit = 0; digit < kDigitValues; ++digit)
        for (DigitCounts& counts : chunks)
            sum += std::exchange(counts[digit], sum);
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

// --- Morton curve --------------------------------------------------------------------------------

CurveShape CurveShape::for_boxes(const std::array<float, 3>& extents) noexcept {
    // Boxes without extent on an axis count as small ones on it: its cells are halved early on. What
    // is without extent on all axes gets the same number of cells on each.
    const float largest = std::max({extents[0], extents[1], extents[2], 0x1p-40F});
    std::array<float, 3> boxes_per_cell;
    std::array<std::size_t, 3> bits{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        boxes_per_cell[axis] = 1.0F / std::max(extents[axis], 0x1p-20F * largest);
    CurveShape shape;
    for (std::size_t bit = kBits; bit-- > 0;) {
        std::size_t widest = 2;
        for (std::size_t axis = 2; axis-- > 0;)
            if (boxes_per_cell[axis] > boxes_per_cell[widest]) widest = axis;
        shape.axis_of[bit] = static_cast<std::uint8_t>(widest);
        boxes_per_cell[widest] *= ++bits[widest] < kMostPerAxis ? 0.5F : 0.0F;
    }
    return shape;
}

CurveKeys::CurveKeys(const CurveShape& shape) noexcept {
    std::array<std::size_t, 3> bits{};
    for (auto& digits : spread_)
        for (auto& values : digits)
            std::fill(std::begin(values), std::end(values), 0U);
    for (std::size_t bit = 0; bit < CurveShape::kBits; ++bit) {
        const std::size_t axis = shape.axis_of[bit];
        const std::size_t its = bits[axis]++;
        spread_[axis][its / kDigitBits][std::size_t{1} << (its % kDigitBits)] = 1U << bit;
    }
    // Each value from the one without its lowest bit.
    for (auto& digits : spread_)
        for (auto& values : digits)
            for (std::size_t value = 1; value < kDigitValues; ++value)
                values[value] = values[value & (value - 1)] | values[value & (~value + 1)];
    for (std::size_t axis = 0; axis < 3; ++axis)
        cells_[axis] = static_cast<float>(1U << bits[axis]);
}

// By the upper half of the keys, digit by digit, lowest first, in linear time; stable, so that equal
// keys stay in order. Each chunk counts its digits, and then knows where each of its keys goes.
void MortonOrder::sort_keys(SortBuffers& buffers, const RangeRunner& run) {
    const std::size_t count = count_;
    UninitializedVector<std::uint64_t>& keys = buffers.keys;
    UninitializedVector<std::uint64_t>& spare = buffers.spare;
    const std::size_t per_chunk = chunk_size(count);
    std::vector<DigitCounts> chunks((count + per_chunk - 1) / per_chunk);
    spare.resize(count);
    for (int pass = 0; pass < kPasses; ++pass) {
        const int shift = 32 + pass * kDigitBits;
        const auto for_each_key = [&](std::size_t chunk, const auto& body) {
            const std::size_t end = std::min(count, (chunk + 1) * per_chunk);
            for (std::size_t i = chunk * per_chunk; i < end; ++i)
                body(keys[i], chunks[chunk][(keys[i] >> shift) % kDigitValues]);
        };
        const auto count_digits = [&](std::size_t begin, std::size_t end) {
            for (std::size_t chunk = begin; chunk < end; ++chunk) {
                chunks[chunk].fill(0);
                for_each_key(chunk, [](std::uint64_t, std::uint32_t& of_digit) { ++of_digit; });
            }
        };
        run(chunks.size(), 1, std::cref(count_digits));
        set_begins(chunks);
        const auto distribute = [&](std::size_t begin, std::size_t end) {
            for (std::size_t chunk = begin; chunk < end; ++chunk)
                for_each_key(chunk, [&](std::uint64_t key, std::uint32_t& position) {
                    spare[position++] = key;
                });
        };
        run(chunks.size(), 1, std::cref(distribute));
        keys.swap(spare);
    }
    order_.resize((count + kTreeWidth - 1) / kTreeWidth * kTreeWidth);
    std::fill(order_.begin() + static_cast<std::ptrdiff_t>(count), order_.end(), 0U);
    const auto set_order = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            order_[i] = static_cast<std::uint32_t>(keys[i]);
    };
    run(count, kKeysAtATime, std::cref(set_order));
}

}  // namespace graze
