// Which of many boxes have a point in common with a box? A binary tree over them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze::robot::detail {

// All points between two corners, these included.
struct AxisBox {
    Vec3 low;
    Vec3 high;
};

// Exact: false only if they have no point in common.
[[nodiscard]] inline bool may_overlap(const AxisBox& a, const AxisBox& b) noexcept {
    return !(a.low.x > b.high.x || a.high.x < b.low.x || a.low.y > b.high.y || a.high.y < b.low.y ||
             a.low.z > b.high.z || a.high.z < b.low.z);
}
// The least box around both.
[[nodiscard]] AxisBox hull(const AxisBox& a, const AxisBox& b) noexcept;

class BoxIndex {
public:
    BoxIndex() = default;
    // Requires: fewer than 2^31 boxes, none with NaN.
    explicit BoxIndex(std::span<const AxisBox> boxes);

    // Calls visit(i) for every box i that may_overlap() this one, in an order that is always the same.
    template <class Visit>
    void visit_overlapping(const AxisBox& box, const Visit& visit) const {
        visit_near([&](const AxisBox& other) { return may_overlap(other, box); }, visit);
    }
    // The same for every box that `is_near`. Requires: what holds a box that is near is near.
    template <class IsNear, class Visit>
    void visit_near(const IsNear& is_near, const Visit& visit) const {
        if (nodes_.empty()) return;
        std::array<std::uint32_t, kMostLevels + 1> stack;  // one waits per level
        stack[0] = 0;
        std::size_t size = 1;
        while (size > 0) {
            const IndexNode& node = nodes_[stack[--size]];
            if (!is_near(node.box)) continue;
            if (node.is_leaf) {
                visit(node.child);
                continue;
            }
            stack[size++] = node.child + 1;
            stack[size++] = node.child;
        }
    }

private:
    struct IndexNode {
        AxisBox box;
        std::uint32_t child = 0;  // the first of two neighbours; a box for a leaf
        bool is_leaf = false;
    };
    // Halves are split at the median: the logarithm of 2^31, rounded up, and the leaves.
    static constexpr std::size_t kMostLevels = 33;

    void build(std::uint32_t at, std::span<std::uint32_t> range, std::span<const AxisBox> boxes);

    std::vector<IndexNode> nodes_;  // the root first
};

}  // namespace graze::robot::detail
