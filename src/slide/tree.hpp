// The triangles of one mesh, in the order of the tree over them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/broad/wide_tree.hpp"
#include "graze/slide/precision.hpp"

namespace graze::slide {

template <class Real>
class PartTree {
public:
    using Point = Vec<Real>;
    using Face = std::array<std::uint32_t, 3>;

    // Requires: finite positions, faces with vertices, at most 2^31 faces.
    void build(std::span<const Point> positions, std::span<const Face> faces);
    // Requires: as many positions as there were, finite.
    void move(std::span<const Point> positions);

    [[nodiscard]] std::size_t face_count() const noexcept { return vertices_.size(); }
    [[nodiscard]] std::size_t vertex_count() const noexcept { return points_.size(); }
    [[nodiscard]] const Box& bounds() const noexcept { return bounds_; }

    // The position of a face is where it stands in the order of the tree.
    [[nodiscard]] std::uint32_t position_of(std::uint32_t face) const noexcept {
        return position_of_[face];
    }
    [[nodiscard]] std::uint32_t face_at(std::uint32_t position) const noexcept {
        return face_at_[position];
    }
    [[nodiscard]] std::array<Point, 3> triangle_at(std::uint32_t position) const noexcept {
        const Face& f = vertices_[position];
        return {points_[f[0]], points_[f[1]], points_[f[2]]};
    }

    // Calls visit(position) for every triangle whose box meets the box, in the order of positions,
    // and may call it for some others; ends where it returns false. `visit` must not throw.
    template <class Visit>
    void search(const Box& box, Visit&& visit) const noexcept {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (!(box.lower[axis] <= bounds_.upper[axis] && bounds_.lower[axis] <= box.upper[axis]))
                return;
        }
        tree_.search(map_.map(box), visit);
    }

private:
    void order_faces(std::span<const Point> positions, std::span<const Face> faces);
    void store_vertices(std::span<const Point> positions, std::span<const Face> faces);
    void fit();

    std::vector<Point> points_;            // by first use in the order of the tree
    std::vector<std::uint32_t> point_at_;  // where a vertex of the caller's stands in points_
    std::vector<Face> vertices_;           // by position, indices into points_
    std::vector<std::uint32_t> face_at_;
    std::vector<std::uint32_t> position_of_;
    WideTree<3> tree_;
    FloatMap<3> map_;
    Box bounds_;
};

extern template class PartTree<float>;
extern template class PartTree<double>;

}  // namespace graze::slide
