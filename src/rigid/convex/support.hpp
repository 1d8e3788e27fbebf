// Support functions of convex shapes, and two shapes at one time. Derivation:
// docs/derivations/rigid_convex.md, RC-1 and RC-2.
#pragma once

#include <algorithm>
#include <cmath>

#include "graze/core/rounding.hpp"
#include "graze/rigid/convex.hpp"
#include "rigid/convex/hull_points.hpp"

namespace graze::rigid::detail {

[[nodiscard]] inline Vec3 linear_times(const Matrix3& m, const Vec3& v) noexcept {
    return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}
[[nodiscard]] inline Vec3 transposed_linear_times(const Matrix3& m, const Vec3& v) noexcept {
    return {m[0].x * v.x + m[1].x * v.y + m[2].x * v.z, m[0].y * v.x + m[1].y * v.y + m[2].y * v.z,
            m[0].z * v.x + m[1].z * v.y + m[2].z * v.z};
}

// max m . x over the core, off by 6u |m| core_radius() at most (RC-1).
[[nodiscard]] inline double core_extent(const ConvexShape& shape, const Vec3& m) noexcept {
    const Vec3& c = shape.centre();
    const Vec3& h = shape.size();
    switch (shape.core()) {
        case ConvexShape::Core::Point:
            return dot(m, c);
        case ConvexShape::Core::Segment:
            return std::max(dot(m, c), dot(m, h));
        case ConvexShape::Core::Box:
            return dot(m, c) +
                   ((std::fabs(m.x) * h.x + std::fabs(m.y) * h.y) + std::fabs(m.z) * h.z);
        case ConvexShape::Core::Cylinder:
            return dot(m, c) + (h.x * std::sqrt(m.x * m.x + m.y * m.y) + std::fabs(m.z) * h.z);
        case ConvexShape::Core::Hull:
            break;
    }
    // Where m is no number, this is none, and proves nothing.
    return largest_along(hull_points(shape), m);
}

// A point of the core, within 4u core_radius() of it, that is nearly extreme in the direction m.
[[nodiscard]] inline Vec3 core_support(const ConvexShape& shape, const Vec3& m) noexcept {
    const Vec3& c = shape.centre();
    const Vec3& h = shape.size();
    switch (shape.core()) {
        case ConvexShape::Core::Point:
            return c;
        case ConvexShape::Core::Segment:
            return dot(m, c) >= dot(m, h) ? c : h;
        case ConvexShape::Core::Box:
            return {c.x + std::copysign(h.x, m.x), c.y + std::copysign(h.y, m.y),
                    c.z + std::copysign(h.z, m.z)};
        case ConvexShape::Core::Cylinder: {
            const double across = std::sqrt(m.x * m.x + m.y * m.y);
            const double z = c.z + std::copysign(h.z, m.z);
            if (!(across > 0x1p-500)) return {c.x, c.y, z};
            return {c.x + h.x * (m.x / across), c.y + h.x * (m.y / across), z};
        }
        case ConvexShape::Core::Hull:
            break;
    }
    const HullPoints& hull = hull_points(shape);
    return hull.points[extreme_along(hull, m).point];
}

// A shape with its motion: what is rounded about the core moves with a rigid motion as it is, and is
// taken into the core, as radius |m| more in every direction, where the motion is not rigid.
struct MovingShape {
    const ConvexShape& shape;
    const Motion& motion;
    double inflation = 0.0;  // radius that is taken into the core
    double reach = 0.0;      // of the core, with it

    MovingShape(const ConvexShape& s, const Motion& m) noexcept
        : shape(s),
          motion(m),
          inflation(m.is_rigid() ? 0.0 : s.rounding()),
          reach((s.core_radius() + inflation) * (1.0 + 0x1p-40)) {}

    [[nodiscard]] double separate_rounding() const noexcept {
        return motion.is_rigid() ? shape.rounding() : 0.0;
    }
    [[nodiscard]] double extent(const Vec3& m) const noexcept {
        const double extent = core_extent(shape, m);
        return inflation == 0.0 ? extent : extent + inflation * std::sqrt(norm_sq(m));
    }
    [[nodiscard]] Vec3 support(const Vec3& m) const noexcept {
        const Vec3 point = core_support(shape, m);
        if (inflation == 0.0) return point;
        const double size = std::sqrt(norm_sq(m));
        return size > 0x1p-500 ? point + (inflation / size) * m : point;
    }
};

// Both bodies at one time, in coordinates relative to one origin.
struct PairFrame {
    double t = 0.0;
    PoseEnclosure a;
    PoseEnclosure b;
    Vec3 offset;  // translation of B less that of A
    // For a unit direction n (within 2^-45): |computed gap - exact| <= error; the same for the
    // coordinates of every difference of support points, as a vector (RC-2).
    double error = 0.0;
};

[[nodiscard]] inline PairFrame pair_frame(const MovingShape& a, const MovingShape& b,
                                          const Vec3& origin, double t) noexcept {
    constexpr double kU = 0x1p-53;
    PairFrame f;
    f.t = t;
    f.a = a.motion.at(t, origin);
    f.b = b.motion.at(t, origin);
    f.offset = f.b.translation - f.a.translation;
    const double reach_a = a.reach * (f.a.linear_error + 16.0 * kU * f.a.linear_norm);
    const double reach_b = b.reach * (f.b.linear_error + 16.0 * kU * f.b.linear_norm);
    f.error = (f.a.translation_error + f.b.translation_error + reach_a + reach_b +
               8.0 * kU * norm_one(f.offset)) *
                  (1.0 + 0x1p-40) +
              0x1p-1000;
    return f;
}

// min over B less max over A of n . x, of the cores; less f.error it is a lower bound.
[[nodiscard]] inline double gap_along(const MovingShape& a, const MovingShape& b,
                                      const PairFrame& f, const Vec3& n) noexcept {
    const Vec3 m_a = transposed_linear_times(f.a.linear, n);
    const Vec3 m_b = transposed_linear_times(f.b.linear, -n);
    return dot(n, f.offset) - b.extent(m_b) - a.extent(m_a);
}

}  // namespace graze::rigid::detail
