// Boxes around straight motions. Nothing here rounds: bounds are selected, never calculated.
#pragma once

#include <algorithm>
#include <span>

#include "graze/io/mesh_file.hpp"
#include "graze/narrow/ccd.hpp"

namespace graze::bench {

struct SweptBox {
    Vec3 lower{kInfinity, kInfinity, kInfinity};
    Vec3 upper{-kInfinity, -kInfinity, -kInfinity};

    constexpr void add(const Vec3& point) noexcept {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            lower[axis] = std::min(lower[axis], point[axis]);
            upper[axis] = std::max(upper[axis], point[axis]);
        }
    }
};

[[nodiscard]] inline SweptBox swept_box(const io::MeshPair& frames,
                                        std::span<const std::uint32_t> corners) noexcept {
    SweptBox box;
    for (const std::uint32_t corner : corners) {
        box.add(frames.start[corner]);
        box.add(frames.end[corner]);
    }
    return box;
}

// Around every vertex of the mesh.
[[nodiscard]] inline SweptBox box_around(const io::MeshPair& frames) noexcept {
    SweptBox box;
    for (const Vec3& point : frames.start)
        box.add(point);
    for (const Vec3& point : frames.end)
        box.add(point);
    return box;
}

// Closed boxes: to touch is to overlap.
[[nodiscard]] constexpr bool overlap(const SweptBox& a, const SweptBox& b) noexcept {
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
           b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

}  // namespace graze::bench
