// What a box of B covers in all of a slab of time along the axes of A and along its own mean axes, and
// boxes of A against it. Derivation: docs/derivations/robot.md, RB-6.
#pragma once

#include <cstdint>
#include <vector>

#include "rigid/impact/slab.hpp"
#include "robot/body.hpp"

namespace graze::robot::detail {

struct SweptBox {
    // Along the axes of A, and along B's mean ones, the last three of slab.axes: every point of the box, at every time of the
    // slab, is between them by the slack of the slab at least.
    Vec3 low;
    Vec3 high;
    Vec3 low_own;
    Vec3 high_own;
    // Estimates: of the centre in the middle of the slab, and of how far it gets.
    Vec3 middle;
    double displacement_sq = 0.0;
    double bulge = 0.0;
};
// What it covers along a direction of unit length within 2^-45, beyond both ends by the slack of the slab.
struct SweptRange {
    double low = 0.0;
    double high = 0.0;
};
[[nodiscard]] SweptRange swept_range(const rigid::detail::Slab& slab, const TreeNode& b,
                                     const Vec3& n) noexcept;
[[nodiscard]] SweptBox swept_box(const rigid::detail::Slab& slab, const TreeNode& b) noexcept;

// True only if they are separated in all of the slab.
[[nodiscard]] bool are_separated(const rigid::detail::Slab& slab, const TreeNode& a,
                                 const SweptBox& b) noexcept;
[[nodiscard]] bool are_separated(const rigid::detail::Slab& slab, const AxisBox& a,
                                 const SweptBox& b) noexcept;

// The direction that separated a piece of A from a box of B last: its neighbours lie alike.
struct SeparatingHint {
    Vec3 direction;  // 0 where there is none
    std::uint32_t node = 0;
    SweptRange range;  // of that node of B
};

// The swept boxes of one body in one slab: those near the root meet many boxes of A.
class SweptBoxCache {
public:
    // Forgets all. A slab whose slack grows must begin anew.
    void begin() noexcept { ++slab_; }
    // Valid up to the next call.
    [[nodiscard]] const SweptBox& of(const rigid::detail::Slab& slab, const Body& b,
                                     std::uint32_t node) {
        Entry* entry = &entries_[node % entries_.size()];
        if (entry->slab == slab_ && entry->node == node) return entry->box;
        if (++misses_ == kManyMisses) {
            entries_.assign(kManyEntries, {});
            entry = &entries_[node % entries_.size()];
        }
        *entry = {slab_, node, swept_box(slab, b.node(node))};
        return entry->box;
    }

private:
    struct Entry {
        std::uint64_t slab = 0;
        std::uint32_t node = 0;
        SweptBox box;
    };
    // A search that ends soon needs few of them.
    static constexpr std::size_t kFewEntries = 16;
    static constexpr std::size_t kManyEntries = 512;
    static constexpr std::size_t kManyMisses = 256;
    std::vector<Entry> entries_ = std::vector<Entry>(kFewEntries);
    std::size_t misses_ = 0;
    std::uint64_t slab_ = 1;
};

}  // namespace graze::robot::detail
