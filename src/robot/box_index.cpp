#include "robot/box_index.hpp"

#include <algorithm>
#include <numeric>

namespace graze::robot::detail {

AxisBox hull(const AxisBox& a, const AxisBox& b) noexcept {
    AxisBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.low[k] = std::min(a.low[k], b.low[k]);
        box.high[k] = std::max(a.high[k], b.high[k]);
    }
    return box;
}

BoxIndex::BoxIndex(std::span<const AxisBox> boxes) {
    if (boxes.empty()) return;
    std::vector<std::uint32_t> order(boxes.size());
    std::iota(order.begin(), order.end(), 0U);
    nodes_.reserve(2 * boxes.size());
    nodes_.resize(1);
    build(0, order, boxes);
}

// At the median of the axis along which the whole is widest; equal middles in the order of indices.
void BoxIndex::build(std::uint32_t at, std::span<std::uint32_t> range,
                     std::span<const AxisBox> boxes) {
    AxisBox all = boxes[range[0]];
    for (const std::uint32_t i : range)
        all = hull(all, boxes[i]);
    nodes_[at].box = all;
    if (range.size() == 1) {
        nodes_[at].is_leaf = true;
        nodes_[at].child = range[0];
        return;
    }
    const Vec3 width = all.high - all.low;
    const std::size_t short_of_z = width.x >= width.y ? 0 : 1;
    const std::size_t axis = width[short_of_z] >= width.z ? short_of_z : 2;
    const auto middle = [&](std::uint32_t i) {
        return 0.5 * boxes[i].low[axis] + 0.5 * boxes[i].high[axis];
    };
    const std::size_t half = range.size() / 2;
    std::nth_element(range.begin(), range.begin() + static_cast<std::ptrdiff_t>(half), range.end(),
                     [&](std::uint32_t i, std::uint32_t j) {
                         return middle(i) != middle(j) ? middle(i) < middle(j) : i < j;
                     });
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[at].child = child;
    nodes_.resize(nodes_.size() + 2);
    build(child, range.first(half), boxes);
    build(child + 1, range.subspan(half), boxes);
}

}  // namespace graze::robot::detail
