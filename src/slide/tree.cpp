#include "slide/tree.hpp"

#include <cmath>
#include <limits>

#include "graze/core/assert.hpp"

namespace graze::slide {
namespace {

constexpr std::size_t blocks_for(std::size_t count) noexcept {
    return (count + kLanes - 1) / kLanes;
}

// Of the middle of a triangle's box, in the floats of the grid.
struct Centre {
    std::array<float, 3> at;
    std::uint32_t face;
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
void order(std::span<Centre> centres) {
    while (centres.size() > kLanes) {
        const std::size_t half = std::bit_ceil(centres.size()) / 2;
        const std::size_t axis = widest_axis(centres);
        std::nth_element(centres.begin(), centres.begin() + static_cast<std::ptrdiff_t>(half),
                         centres.end(), [axis](const Centre& a, const Centre& b) {
                             return a.at[axis] < b.at[axis] ||
                                    (a.at[axis] == b.at[axis] && a.face < b.face);
                         });
        order(centres.first(half));
        centres = centres.subspan(half);
    }
}

void set_lane(TreeBlock& block, std::size_t lane, const FloatBox& box) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        block.lower[axis][lane] = box.lower[axis];
        block.upper[axis][lane] = box.upper[axis];
    }
}

// Overlaps nothing.
FloatBox empty_box() noexcept {
    constexpr float kInfinite = std::numeric_limits<float>::infinity();
    return {{kInfinite, kInfinite, kInfinite}, {-kInfinite, -kInfinite, -kInfinite}};
}

FloatBox bounds_of(const TreeBlock& block) noexcept {
    FloatBox box = empty_box();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            box.lower[axis] = std::min(box.lower[axis], block.lower[axis][lane]);
            box.upper[axis] = std::max(box.upper[axis], block.upper[axis][lane]);
        }
    }
    return box;
}

template <class Real>
FloatBox box_of(const std::array<Vector<Real>, 3>& triangle, const FloatGrid& grid) noexcept {
    FloatBox box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [low, high] =
            std::minmax({triangle[0][axis], triangle[1][axis], triangle[2][axis]});
        box.lower[axis] = grid.map(low, axis);
        box.upper[axis] = grid.map(high, axis);
    }
    return box;
}

template <class Real>
Box box_of(std::span<const Vector<Real>> points) noexcept {
    Box box;
    for (const Vector<Real>& point : points)
        box.add(widened(point));
    return box;
}

}  // namespace

FloatGrid grid_around(const Box& box) noexcept {
    FloatGrid grid;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(box.lower[axis] <= box.upper[axis])) continue;
        grid.middle[axis] = 0.5 * box.lower[axis] + 0.5 * box.upper[axis];
        const double half = 0.5 * box.upper[axis] - 0.5 * box.lower[axis];
        // Never subnormal, never above 2^1022.
        if (half > 0.0)
            grid.scale[axis] = std::ldexp(1.0, std::clamp(-std::ilogb(half), -1022, 1022));
    }
    // One scale for all axes, that of the widest one, so that extents compare.
    const double scale = std::min({grid.scale[0], grid.scale[1], grid.scale[2]});
    grid.scale = {scale, scale, scale};
    return grid;
}

template <class Real>
void PartTree<Real>::build(std::span<const Point> positions, std::span<const Face> faces) {
    GRAZE_ASSERT(faces.size() <= (std::size_t{1} << 31));
    grid_ = grid_around(box_of(positions));
    order_faces(positions, faces);
    store_corners(positions, faces);
    level_begin_.clear();
    std::size_t total = 0;
    for (std::size_t count = blocks_for(faces.size()); count > 0; count = blocks_for(count)) {
        level_begin_.push_back(total);
        total += count;
        if (count == 1) break;
    }
    blocks_.resize(total);
    fit();
}

template <class Real>
void PartTree<Real>::order_faces(std::span<const Point> positions, std::span<const Face> faces) {
    std::vector<Centre> centres(faces.size());
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const Face& f = faces[i];
        const FloatBox box =
            box_of<Real>({positions[f[0]], positions[f[1]], positions[f[2]]}, grid_);
        for (std::size_t axis = 0; axis < 3; ++axis)
            centres[i].at[axis] = 0.5F * box.lower[axis] + 0.5F * box.upper[axis];
        centres[i].face = static_cast<std::uint32_t>(i);
    }
    order(centres);
    face_at_place_.resize(faces.size());
    place_of_face_.resize(faces.size());
    for (std::size_t place = 0; place < faces.size(); ++place) {
        face_at_place_[place] = centres[place].face;
        place_of_face_[centres[place].face] = static_cast<std::uint32_t>(place);
    }
}

template <class Real>
void PartTree<Real>::store_corners(std::span<const Point> positions, std::span<const Face> faces) {
    constexpr std::uint32_t kNone = 0xffff'ffffU;
    point_place_.assign(positions.size(), kNone);
    corners_.resize(faces.size());
    std::uint32_t used = 0;
    for (std::size_t place = 0; place < faces.size(); ++place) {
        for (std::size_t k = 0; k < 3; ++k) {
            std::uint32_t& at = point_place_[faces[face_at_place_[place]][k]];
            if (at == kNone) at = used++;
            corners_[place][k] = at;
        }
    }
    for (std::uint32_t& at : point_place_) {
        if (at == kNone) at = used++;
    }
    points_.resize(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        points_[point_place_[i]] = positions[i];
}

template <class Real>
void PartTree<Real>::move(std::span<const Point> positions) {
    GRAZE_ASSERT(positions.size() == points_.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        points_[point_place_[i]] = positions[i];
    grid_ = grid_around(box_of(positions));
    fit();
}

template <class Real>
void PartTree<Real>::fit() {
    bounds_ = {};
    if (blocks_.empty()) return;
    const std::size_t leaves = blocks_for(corners_.size());
    for (std::size_t place = 0; place < leaves * kLanes; ++place) {
        FloatBox box = empty_box();
        if (place < corners_.size()) {
            const std::array<Point, 3> triangle = triangle_at(static_cast<std::uint32_t>(place));
            for (const Point& corner : triangle)
                bounds_.add(widened(corner));
            box = box_of(triangle, grid_);
        }
        set_lane(blocks_[place / kLanes], place % kLanes, box);
    }
    for (std::size_t level = 1; level < level_begin_.size(); ++level) {
        const std::size_t below = level_begin_[level - 1];
        const std::size_t here = level_begin_[level];
        const std::size_t end =
            level + 1 < level_begin_.size() ? level_begin_[level + 1] : blocks_.size();
        for (std::size_t i = 0; i < (end - here) * kLanes; ++i) {
            set_lane(blocks_[here + i / kLanes], i % kLanes,
                     below + i < here ? bounds_of(blocks_[below + i]) : empty_box());
        }
    }
}

template class PartTree<float>;
template class PartTree<double>;

}  // namespace graze::slide
