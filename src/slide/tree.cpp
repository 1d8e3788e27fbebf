#include "slide/tree.hpp"

#include <algorithm>

#include "graze/core/assert.hpp"

namespace graze::slide {
namespace {

template <class Real>
Box box_of(const std::array<Vec<Real>, 3>& triangle) noexcept {
    Box box;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto [low, high] =
            std::minmax({triangle[0][axis], triangle[1][axis], triangle[2][axis]});
        box.lower[axis] = low;
        box.upper[axis] = high;
    }
    return box;
}

template <class Real>
Box box_of(std::span<const Vec<Real>> points) noexcept {
    Box box;
    for (const Vec<Real>& point : points)
        box.add(widened(point));
    return box;
}

}  // namespace

// The order of the faces is that of the tree's leaves, and vertices are stored by first use in it:
// what a query finds together lies together in memory.
template <class Real>
void PartTree<Real>::build(std::span<const Point> positions, std::span<const Face> faces) {
    GRAZE_ASSERT(faces.size() <= (std::size_t{1} << 31));
    map_ = float_map_around(box_of(positions));
    order_faces(positions, faces);
    store_vertices(positions, faces);
    tree_.resize(faces.size());
    fit();
}

// By medians of the boxes: a balanced tree, whatever the triangles are.
template <class Real>
void PartTree<Real>::order_faces(std::span<const Point> positions, std::span<const Face> faces) {
    std::vector<FloatBox<3>> boxes(faces.size());
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const Face& f = faces[i];
        boxes[i] = map_.map(box_of<Real>({positions[f[0]], positions[f[1]], positions[f[2]]}));
    }
    face_at_ = median_order(boxes);
    position_of_.resize(faces.size());
    for (std::size_t i = 0; i < faces.size(); ++i)
        position_of_[face_at_[i]] = static_cast<std::uint32_t>(i);
}

// Vertices that no face uses come last: they keep their numbers for move().
template <class Real>
void PartTree<Real>::store_vertices(std::span<const Point> positions, std::span<const Face> faces) {
    constexpr std::uint32_t kNone = 0xffff'ffffU;
    point_at_.assign(positions.size(), kNone);
    vertices_.resize(faces.size());
    std::uint32_t used = 0;
    for (std::size_t position = 0; position < faces.size(); ++position) {
        for (std::size_t k = 0; k < 3; ++k) {
            std::uint32_t& at = point_at_[faces[face_at_[position]][k]];
            if (at == kNone) at = used++;
            vertices_[position][k] = at;
        }
    }
    for (std::uint32_t& at : point_at_) {
        if (at == kNone) at = used++;
    }
    points_.resize(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        points_[point_at_[i]] = positions[i];
}

// The order stays, the boxes are fitted again: right for any positions, and fast for small moves.
template <class Real>
void PartTree<Real>::move(std::span<const Point> positions) {
    GRAZE_ASSERT(positions.size() == points_.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        points_[point_at_[i]] = positions[i];
    map_ = float_map_around(box_of(positions));
    fit();
}

template <class Real>
void PartTree<Real>::fit() {
    bounds_ = {};
    tree_.fit([&](std::size_t i) {
        const std::array<Point, 3> triangle = triangle_at(static_cast<std::uint32_t>(i));
        for (const Point& vertex : triangle)
            bounds_.add(widened(vertex));
        return map_.map(box_of(triangle));
    });
}

template class PartTree<float>;
template class PartTree<double>;

}  // namespace graze::slide
