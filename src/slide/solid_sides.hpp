// Is a point inside of a box that is a part of a world?
//
// A shape that keeps a distance from the faces of a box may be inside of it, and its centre tells: on
// a path that is clear of the faces it stays on its side of them (SS-11).
#pragma once

#include "slide/obstacles_state.hpp"
#include "slide/separation.hpp"

namespace graze::slide {

// How far a point is in front of the side of a box that it is farthest in front of, in the frame.
struct SolidSide {
    double distance = -HUGE_VAL;  // proved, negative inside: what a shift along w has to be at most
    double size = 0.0;            // of all coordinates that it was found from
    Vec3 w;                       // outward, unit length, about
    std::uint32_t face = 0;       // one of the two of that side
};

// Along the axes of the box as it is placed; whatever they are, the proof is that of SS-2 for all of
// its vertices.
// Requires: part.mesh->is_solid, placed.
template <class Real>
[[nodiscard]] SolidSide nearest_side(const PartView<Real>& part, const Frame& frame,
                                     const Vec3& point) noexcept {
    std::array<Vec3, 12> vertex;
    Vec3 largest;
    for (std::uint32_t face = 0; face < 4; ++face) {
        const std::array<Vec<Real>, 3> t = part.triangle_at(part.mesh->position_of(face));
        for (std::size_t k = 0; k < 3; ++k) {
            Vec3& v = vertex[3 * face + k] = frame.local(widened(t[k]));
            for (std::size_t axis = 0; axis < 3; ++axis)
                largest[axis] = std::max(largest[axis], std::fabs(v[axis]));
        }
    }
    SolidSide best;
    best.size = norm_one(largest) + norm_one(point);
    const double least_scale = std::min({frame.scale.x, frame.scale.y, frame.scale.z});
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const unsigned is_upper : {0U, 1U}) {
            Vec3 w;  // a normal in the frame is that of true space over the scale
            for (std::size_t i = 0; i < 3; ++i)
                w[i] = (is_upper != 0 ? 1.0 : -1.0) * part.placement->row[i][axis] *
                       (least_scale / frame.scale[i]);
            double top = -HUGE_VAL;
            for (const Vec3& v : vertex)
                top = std::max(top, dot(w, v));
            top += kSumError * detail::product_size(w, largest);
            const double slack = detail::less_rounding(detail::lower_sum(w, point) - top);
            const double length = std::sqrt(norm_sq(w));
            if (!(length >= kLeastLength)) continue;
            const double lower = slack / (length * (slack < 0.0 ? 1.0 - 0x1p-50 : 1.0 + 0x1p-50));
            const double distance = lower - 0x1p-51 * std::fabs(lower);
            if (!(distance > best.distance)) continue;
            best.distance = distance;
            best.w = (1.0 / length) * w;
            best.face = static_cast<std::uint32_t>(4 * (2 - axis)) + 2 * is_upper;
        }
    }
    return best;
}

}  // namespace graze::slide
