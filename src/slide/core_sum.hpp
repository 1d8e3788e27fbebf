// The sum of a triangle and the core of a shape, tested as a whole: most of them are clear of the ball,
// and their faces need not be made (SS-12).
//
// Along a direction w the sum reaches as far as the triangle, and what the core reaches farther:
// max w . q + sum |w . axis|. A direction that separates the sum from the ball on its path is a proof
// for each of its faces, and that the core keeps the radius from the triangle.
#pragma once

#include <array>

#include "slide/core_clearance.hpp"
#include "slide/list_sweep.hpp"

namespace graze::slide {

template <class Real>
struct CoreSum {
    // The triangle in the frame, but that its bounds are those of the sum.
    NearTriangle itself;
    std::array<Vec<Real>, 3> triangle;  // as it is in the level
    std::uint32_t first;                // of its faces in the list, where it has_faces
    std::uint32_t count;
    bool has_faces;
    bool one_sided;
    bool is_cap;    // one cap stands for it: the core does not meet the triangle (SS-8)
    bool is_apart;  // as the last question found
    bool is_small;  // what is apart from the ball is clear of the core (is_core_clear())
    // What separated it from the ball when it was last searched for: tried first. Zero: nothing.
    Vec3 separating;
};

// The axes of the core, in the frame; of a segment the first alone is not zero.
struct CoreAxes {
    std::array<Vec3, 3> axis;
    bool is_box = false;
};

// The bounds of the sum. They have the errors of those of a round obstacle: the extent of the core, in
// the frame, is a sum of three products, off by 5 u, for which 32 u are put on.
inline void grow_bounds(NearTriangle& t, const Vec3& core_extent) noexcept {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double by = core_extent[axis] * (1.0 + 0x1p-48);
        t.bounds[axis] -= by;
        t.bounds[3 + axis] -= by;
    }
}

// What the core reaches along w from its centre, at least: a product of 2 u in each coordinate of an
// axis and a sum of three have less than kSumError of the products (SS-2).
[[nodiscard]] inline double core_reach(const CoreAxes& axes, const Vec3& w) noexcept {
    const auto along = [&](const Vec3& axis) {
        return std::fabs(dot(w, axis)) + kSumError * detail::product_size(w, axis);
    };
    const double reach = along(axes.axis[0]);
    return axes.is_box ? (reach + along(axes.axis[1])) + along(axes.axis[2]) : reach;
}

// A direction and a path, for many sums.
struct SumDirection {
    ProjectedPath path{{}, 0.0, 0.0, 0.0};  // of no length: proves nothing
    double core = 0.0;                      // core_reach()
};
[[nodiscard]] inline SumDirection sum_direction(const CoreAxes& axes,
                                                const ProjectedPath& path) noexcept {
    return {path, core_reach(axes, path.w)};
}

// At most w . (path.from - x) - radius |w| for all points x of the sum. Five sums are rounded, and
// 8 u of all that is added up are taken off.
[[nodiscard]] inline double sum_slack_at_from(const NearTriangle& t, const SumDirection& direction,
                                              double radius) noexcept {
    const ProjectedPath& path = direction.path;
    if (!(path.length >= kLeastLength)) return kNoSlack;
    const double top = radius * path.length + detail::top_of_vertices(t, path.w);
    return path.from - top - direction.core -
           0x1p-50 * (std::fabs(path.from) + std::fabs(top) + direction.core);
}

// Is the ball clear of the sum on all of its path? The slack is linear in time, and not negative at
// either end.
[[nodiscard]] inline bool is_sum_apart(const NearTriangle& t, const SumDirection& direction,
                                       double radius) noexcept {
    const double at_from = sum_slack_at_from(t, direction, radius);
    const double slope = direction.path.slope;
    const double sizes = std::fabs(at_from) + std::fabs(slope);
    return at_from >= 0.0 && at_from + slope - 0x1p-51 * sizes >= 0.0;
}

// Along the normal of the triangle, with what the core reaches along it beside the radius; one more
// sum is rounded. NaN makes it false.
[[nodiscard]] inline bool is_sum_apart_by_plane(const NearTriangle& t, const CoreAxes& axes,
                                                const PointProbe& probe) noexcept {
    const Vec3 normal = t.normal_vector();
    PointProbe grown = probe;
    grown.by += core_reach(axes, normal) * (1.0 + 4.0 * kSumError);
    return are_separated_by_plane(t, grown);
}
[[nodiscard]] inline bool is_sum_apart_by_plane(const NearTriangle& t, const CoreAxes& axes,
                                                const Probe& probe) noexcept {
    const Vec3 normal = t.normal_vector();
    Probe grown = probe;
    grown.error += core_reach(axes, normal) * (1.0 + 4.0 * kSumError);
    return are_separated_by_plane(t, grown);
}

}  // namespace graze::slide
