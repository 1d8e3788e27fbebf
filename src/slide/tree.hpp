// A tree over the triangles of one part of a level.
//
// Triangles are put in an order in which neighbours in space are near each other, eight to a block
// of boxes; eight blocks have a block of their bounds above them, and so on. Nothing is allocated
// while searching.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "graze/broad/box.hpp"
#include "graze/slide/level.hpp"

namespace graze::slide {

inline constexpr std::size_t kLanes = 8;

struct alignas(32) TreeBlock {
    float lower[3][kLanes];
    float upper[3][kLanes];
};

// Maps each axis to floats by a function that never exchanges two numbers (a subtraction, a
// multiplication by a positive number, clamping and rounding do not): boxes that overlap still do.
struct FloatGrid {
    Vec3 middle;
    Vec3 scale{1.0, 1.0, 1.0};

    [[nodiscard]] float map(double x, std::size_t axis) const noexcept {
        const double place = (x - middle[axis]) * scale[axis];
        return static_cast<float>(std::clamp(place, -0x1p100, 0x1p100));
    }
};

// Around `box`, which is finite; one that holds nothing gives a grid, too.
[[nodiscard]] FloatGrid grid_around(const Box& box) noexcept;

struct FloatBox {
    std::array<float, 3> lower;
    std::array<float, 3> upper;
};

// Bit i: box i of the block overlaps. To touch is to overlap.
#if defined(__SSE2__)
[[nodiscard]] inline unsigned overlapping(const FloatBox& box, const TreeBlock& block) noexcept {
    __m128 low = _mm_castsi128_ps(_mm_set1_epi32(-1));
    __m128 high = low;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const __m128 lower = _mm_set1_ps(box.lower[axis]);
        const __m128 upper = _mm_set1_ps(box.upper[axis]);
        low = _mm_and_ps(low, _mm_cmple_ps(lower, _mm_load_ps(block.upper[axis])));
        low = _mm_and_ps(low, _mm_cmple_ps(_mm_load_ps(block.lower[axis]), upper));
        high = _mm_and_ps(high, _mm_cmple_ps(lower, _mm_load_ps(block.upper[axis] + 4)));
        high = _mm_and_ps(high, _mm_cmple_ps(_mm_load_ps(block.lower[axis] + 4), upper));
    }
    return static_cast<unsigned>(_mm_movemask_ps(low) | (_mm_movemask_ps(high) << 4));
}
#else
[[nodiscard]] inline unsigned overlapping(const FloatBox& box, const TreeBlock& block) noexcept {
    unsigned mask = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        unsigned hit = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            hit &= static_cast<unsigned>(box.lower[axis] <= block.upper[axis][lane]);
            hit &= static_cast<unsigned>(block.lower[axis][lane] <= box.upper[axis]);
        }
        mask |= hit << lane;
    }
    return mask;
}
#endif

template <class Real>
class PartTree {
public:
    using Point = Vector<Real>;
    using Face = std::array<std::uint32_t, 3>;

    // Requires: finite positions, faces with vertices, at most 2^31 faces.
    void build(std::span<const Point> positions, std::span<const Face> faces);
    // Requires: as many positions as there were, finite.
    void move(std::span<const Point> positions);

    [[nodiscard]] std::size_t face_count() const noexcept { return corners_.size(); }
    [[nodiscard]] std::size_t vertex_count() const noexcept { return points_.size(); }
    [[nodiscard]] const Box& bounds() const noexcept { return bounds_; }

    // A place is where a triangle stands in the order of the tree.
    [[nodiscard]] std::uint32_t place_of(std::uint32_t face) const noexcept {
        return place_of_face_[face];
    }
    [[nodiscard]] std::uint32_t face_at(std::uint32_t place) const noexcept {
        return face_at_place_[place];
    }
    [[nodiscard]] std::array<Point, 3> triangle_at(std::uint32_t place) const noexcept {
        const Face& f = corners_[place];
        return {points_[f[0]], points_[f[1]], points_[f[2]]};
    }

    // Calls visit(place) for every triangle whose box meets the box, in the order of places, and
    // may call it for some others; ends where it returns false. `visit` must not throw.
    template <class Visit>
    void search(const Box& box, Visit&& visit) const noexcept;

private:
    void order_faces(std::span<const Point> positions, std::span<const Face> faces);
    void store_corners(std::span<const Point> positions, std::span<const Face> faces);
    void fit();

    std::vector<Point> points_;               // by first use in the order of places
    std::vector<std::uint32_t> point_place_;  // where a vertex of the caller's stands in points_
    std::vector<Face> corners_;               // by place, indices into points_
    std::vector<std::uint32_t> face_at_place_;
    std::vector<std::uint32_t> place_of_face_;
    std::vector<TreeBlock> blocks_;         // boxes of triangles first, the root block last
    std::vector<std::size_t> level_begin_;  // of each level, in blocks_
    FloatGrid grid_;
    Box bounds_;
};

// 2^31 triangles make 2^28 blocks, and ten levels of blocks.
inline constexpr std::size_t kMaxTreeLevels = 11;

template <class Real>
template <class Visit>
void PartTree<Real>::search(const Box& box, Visit&& visit) const noexcept {
    if (blocks_.empty()) return;
    FloatBox wanted;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(box.lower[axis] <= bounds_.upper[axis] && bounds_.lower[axis] <= box.upper[axis]))
            return;
        wanted.lower[axis] = grid_.map(box.lower[axis], axis);
        wanted.upper[axis] = grid_.map(box.upper[axis], axis);
    }
    // What is left to do on each level: the block, and its lanes not yet looked into.
    std::size_t block_of[kMaxTreeLevels];
    unsigned left[kMaxTreeLevels];
    std::size_t level = level_begin_.size() - 1;
    block_of[level] = 0;
    left[level] = overlapping(wanted, blocks_.back());
    while (true) {
        if (left[level] == 0) {
            if (++level == level_begin_.size()) return;
            continue;
        }
        const std::size_t child =
            block_of[level] * kLanes + static_cast<std::size_t>(std::countr_zero(left[level]));
        left[level] &= left[level] - 1;
        if (level == 0) {
            if (!visit(static_cast<std::uint32_t>(child))) return;
            continue;
        }
        --level;
        block_of[level] = child;
        left[level] = overlapping(wanted, blocks_[level_begin_[level] + child]);
    }
}

template <class Real>
struct Level<Real>::State {
    struct Part {
        PartTree<Real> tree;
        std::vector<FaceMarks> marks;  // none, one for all faces, or one for each

        [[nodiscard]] FaceMarks marks_of(std::uint32_t face) const noexcept {
            if (marks.empty()) return {};
            return marks.size() == 1 ? marks.front() : marks[face];
        }
    };
    std::vector<Part> parts;
};

extern template class PartTree<float>;
extern template class PartTree<double>;

}  // namespace graze::slide
