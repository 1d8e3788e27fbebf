#include "slide/sum_faces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace graze::slide {
namespace {

// [of all lengths together, times what a normal is made of] Below this the sign of a height is not
// decided, and faces of either sign are kept (SS-9).
constexpr double kDoubt = 0x1p-40;
// The square of a length that is shorter may underflow: 2^-1022 is the least normal double.
constexpr double kShortestNormal = 0x1p-400;

// A normal of faces, and how the triangle and the box lie along it.
struct SumNormal {
    std::array<double, 3> height{};  // of the vertices over the middle
    std::array<double, 3> along{};   // of the axes
    double doubt = 0.0;

    // Does the corner have the highest point of the box along the normal, or could it?
    [[nodiscard]] bool may_hold(std::size_t axis, bool is_added) const noexcept {
        return !((is_added ? along[axis] : -along[axis]) < -doubt);
    }
    [[nodiscard]] double top() const noexcept {
        return std::max({height[0], height[1], height[2]});
    }
};

class SumSearch {
public:
    SumSearch(const std::array<Vec3, 3>& vertices, const std::array<Vec3, 3>& axes,
              const CentreRegion& region) noexcept
        : vertices_(vertices), axes_(axes), region_(region) {
        size_ = norm_one(region.middle) + region.all;
        for (std::size_t k = 0; k < 3; ++k) {
            const double axis_size = norm_one(axes[k]);
            is_axis_[k] = axis_size > 0.0;
            size_ += axis_size + norm_one(vertices[k]);
        }
    }

    [[nodiscard]] SumFaces run() noexcept {
        const Vec3 normal = cross(edge(0), edge(1));
        for_both_sides(normal, size_ * size_, [&](const SumNormal& n) { add_caps(n); });
        for (std::size_t axis = 0; axis < 3; ++axis)
            add_box_faces(axis);
        for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t axis = 0; axis < 3; ++axis)
                add_sides(k, axis);
        if (faces_.is_beyond) faces_.count = 0;
        return faces_;
    }

private:
    [[nodiscard]] Vec3 edge(std::size_t k) const noexcept {
        return vertices_[(k + 1) % 3] - vertices_[k];
    }

    // Calls visit(normal) for w and for -w, where some position of the centre is in front of the plane
    // across it on which the sum ends. `made`: the product of the sizes of what w is the vector product of.
    // NaN makes it so.
    template <class Visit>
    void for_both_sides(const Vec3& w, double made, const Visit& visit) noexcept {
        SumNormal n;
        n.doubt = kDoubt * made * size_;
        double extent = 0.0;
        for (std::size_t k = 0; k < 3; ++k) {
            n.height[k] = dot(w, vertices_[k] - region_.middle);
            n.along[k] = dot(w, axes_[k]);
            extent += std::fabs(n.along[k]);
        }
        const double length = std::sqrt(norm_sq(w));
        // Squares that underflow: nothing is known of such a normal, and every piece is kept (SS-9).
        if (!(length >= kShortestNormal)) n.doubt = std::numeric_limits<double>::infinity();
        if (is_faced(n, extent, length)) visit(n);
        for (std::size_t k = 0; k < 3; ++k) {
            n.height[k] = -n.height[k];
            n.along[k] = -n.along[k];
        }
        if (is_faced(n, extent, length)) visit(n);
    }
    [[nodiscard]] bool is_faced(const SumNormal& n, double extent, double length) noexcept {
        if (faces_.is_beyond) return false;
        const double over = -(n.top() + extent);
        if (over - region_.all * length > n.doubt) {
            faces_.is_beyond = true;
            return false;
        }
        return !(over + region_.centres * length < -n.doubt);
    }

    void add(SumVertex a, SumVertex b, SumVertex c) noexcept {
        faces_.face[faces_.count++] = {a, b, c};
    }
    void add_quad(SumVertex a, SumVertex b, SumVertex c, SumVertex d) noexcept {
        add(a, b, c);
        add(a, c, d);
    }
    static SumVertex at(std::size_t vertex, unsigned corner) noexcept {
        return {static_cast<std::uint8_t>(vertex), static_cast<std::uint8_t>(corner)};
    }

    // Of an axis without length one sign stands for both.
    [[nodiscard]] bool may_be_corner(const SumNormal& n, std::size_t axis,
                                     unsigned corner) const noexcept {
        const bool is_added = (corner >> axis & 1U) != 0;
        return is_axis_[axis] ? n.may_hold(axis, is_added) : !is_added;
    }

    void add_caps(const SumNormal& n) noexcept {
        for (unsigned corner = 0; corner < kBoxCorners; ++corner) {
            if (may_be_corner(n, 0, corner) && may_be_corner(n, 1, corner) &&
                may_be_corner(n, 2, corner))
                add(at(0, corner), at(1, corner), at(2, corner));
        }
    }

    void add_box_faces(std::size_t axis) noexcept {
        const std::size_t j = (axis + 1) % 3;
        const std::size_t k = (axis + 2) % 3;
        if (!is_axis_[j] || !is_axis_[k]) return;
        const double made = norm_one(axes_[j]) * norm_one(axes_[k]);
        for_both_sides(cross(axes_[j], axes_[k]), made,
                       [&](const SumNormal& n) { add_box_face(axis, n); });
    }

    void add_box_face(std::size_t axis, const SumNormal& n) noexcept {
        const std::size_t j = (axis + 1) % 3;
        const std::size_t k = (axis + 2) % 3;
        for (std::size_t vertex = 0; vertex < 3; ++vertex) {
            if (n.height[vertex] < n.top() - n.doubt) continue;
            for (const unsigned side : {0U, 1U << axis}) {
                if (!may_be_corner(n, axis, side)) continue;
                add_quad(at(vertex, side), at(vertex, side | 1U << j),
                         at(vertex, side | 1U << j | 1U << k), at(vertex, side | 1U << k));
            }
        }
    }

    void add_sides(std::size_t k, std::size_t axis) noexcept {
        if (!is_axis_[axis]) return;
        for_both_sides(cross(edge(k), axes_[axis]), size_ * norm_one(axes_[axis]),
                       [&](const SumNormal& n) { add_side(k, axis, n); });
    }

    void add_side(std::size_t k, std::size_t axis, const SumNormal& n) noexcept {
        const std::size_t next = (k + 1) % 3;
        if (n.height[(k + 2) % 3] > std::max(n.height[k], n.height[next]) + n.doubt) return;
        const std::size_t i = (axis + 1) % 3;
        const std::size_t j = (axis + 2) % 3;
        const unsigned along = 1U << axis;
        for (const unsigned first : {0U, 1U << i}) {
            for (const unsigned second : {0U, 1U << j}) {
                const unsigned corner = first | second;
                if (!may_be_corner(n, i, corner) || !may_be_corner(n, j, corner)) continue;
                add_quad(at(k, corner), at(next, corner), at(next, corner | along),
                         at(k, corner | along));
            }
        }
    }

    std::array<Vec3, 3> vertices_;
    std::array<Vec3, 3> axes_;
    CentreRegion region_;
    double size_ = 0.0;  // of all lengths
    std::array<bool, 3> is_axis_{};
    SumFaces faces_;
};

}  // namespace

SumFaces sum_faces_near(const std::array<Vec3, 3>& vertices, const std::array<Vec3, 3>& axes,
                        const CentreRegion& region) noexcept {
    return SumSearch(vertices, axes, region).run();
}

}  // namespace graze::slide
