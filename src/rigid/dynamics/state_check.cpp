// Derivation: docs/derivations/rigid_dynamics.md, RDY-3.
#include "rigid/dynamics/state_check.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/interval.hpp"
#include "graze/core/quaternion.hpp"

namespace graze::rigid::detail {
namespace {

using IntervalVector = std::array<Interval, 3>;

[[nodiscard]] Interval square_root(const Interval& a) noexcept {
    return {sqrt_down(std::max(0.0, a.lower())), sqrt_up(std::max(0.0, a.upper()))};
}
[[nodiscard]] Interval dot_of(const IntervalVector& a, const IntervalVector& b) noexcept {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
[[nodiscard]] IntervalVector vector_of(const Vec3& v) noexcept {
    return {Interval(v.x), Interval(v.y), Interval(v.z)};
}
[[nodiscard]] IntervalVector difference_of_vectors(const IntervalVector& a,
                                                   const IntervalVector& b) noexcept {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// Rows of the rotation q x q^-1: a matrix of polynomials over |q|^2.
[[nodiscard]] std::array<IntervalVector, 3> rotation_rows(const Quaternion& q) noexcept {
    const Interval w(q.w);
    const Interval x(q.x);
    const Interval y(q.y);
    const Interval z(q.z);
    const Interval ww = square(w);
    const Interval xx = square(x);
    const Interval yy = square(y);
    const Interval zz = square(z);
    const Interval n = ww + xx + yy + zz;
    const Interval two(2.0);
    return {IntervalVector{(ww + xx - yy - zz) / n, two * (x * y - w * z) / n,
                           two * (x * z + w * y) / n},
            IntervalVector{two * (x * y + w * z) / n, (ww - xx + yy - zz) / n,
                           two * (y * z - w * x) / n},
            IntervalVector{two * (x * z - w * y) / n, two * (y * z + w * x) / n,
                           (ww - xx - yy + zz) / n}};
}

// R^T v.
[[nodiscard]] IntervalVector into_frame(const std::array<IntervalVector, 3>& rows,
                                        const IntervalVector& v) noexcept {
    IntervalVector result;
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = rows[0][i] * v[0] + rows[1][i] * v[1] + rows[2][i] * v[2];
    return result;
}

// max m . x over the core, enclosed.
[[nodiscard]] Interval extent_of(const ConvexShape& shape, const IntervalVector& m) noexcept {
    const IntervalVector c = vector_of(shape.centre());
    const Vec3& h = shape.size();
    switch (shape.core()) {
        case ConvexShape::Core::Point:
            return dot_of(m, c);
        case ConvexShape::Core::Segment:
            return max(dot_of(m, c), dot_of(m, vector_of(h)));
        case ConvexShape::Core::Box:
            return dot_of(m, c) + abs(m[0]) * Interval(h.x) + abs(m[1]) * Interval(h.y) +
                   abs(m[2]) * Interval(h.z);
        case ConvexShape::Core::Cylinder:
            return dot_of(m, c) + Interval(h.x) * square_root(square(m[0]) + square(m[1])) +
                   abs(m[2]) * Interval(h.z);
        case ConvexShape::Core::Hull:
            break;
    }
    Interval largest = dot_of(m, vector_of(shape.points().front()));
    for (const Vec3& p : shape.points())
        largest = max(largest, dot_of(m, vector_of(p)));
    return largest;
}

// True only if min over B of n . x is more than max over A.
[[nodiscard]] bool separates(const CheckedBody& a, const CheckedBody& b, const Vec3& n) noexcept {
    const IntervalVector direction = vector_of(n);
    const IntervalVector opposite = vector_of(-n);
    const IntervalVector m_a = into_frame(rotation_rows(a.pose.rotation), direction);
    const IntervalVector m_b = into_frame(rotation_rows(b.pose.rotation), opposite);
    const IntervalVector offset =
        difference_of_vectors(vector_of(b.pose.translation), vector_of(a.pose.translation));
    const Interval length = square_root(dot_of(direction, direction));
    const Interval radii = Interval(a.shape->rounding()) + Interval(b.shape->rounding());
    const Interval gap = dot_of(direction, offset) - extent_of(*b.shape, m_b) -
                         extent_of(*a.shape, m_a) - radii * length;
    return certain_sign(gap) == Sign::Positive;
}

// Six times the signed volume of a tetrahedron with one vertex at p.
[[nodiscard]] Interval volume_of(const IntervalVector& p, const Vec3& x, const Vec3& y,
                                 const Vec3& z) noexcept {
    const IntervalVector a = difference_of_vectors(vector_of(x), p);
    const IntervalVector b = difference_of_vectors(vector_of(y), p);
    const IntervalVector c = difference_of_vectors(vector_of(z), p);
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// True only if p is in the tetrahedron.
[[nodiscard]] bool holds_point(const std::array<Vec3, 4>& v, const IntervalVector& p) noexcept {
    const std::array<Interval, 4> volumes = {
        volume_of(p, v[0], v[1], v[2]), volume_of(p, v[0], v[2], v[3]),
        volume_of(p, v[0], v[3], v[1]), volume_of(p, v[1], v[3], v[2])};
    const Sign first = certain_sign(volumes[0]);
    if (first != Sign::Positive && first != Sign::Negative) return false;
    return std::all_of(volumes.begin(), volumes.end(),
                       [&](const Interval& volume) { return certain_sign(volume) == first; });
}

// True only if |v| <= radius.
[[nodiscard]] bool is_within(const IntervalVector& v, double radius) noexcept {
    return dot_of(v, v).upper() <= square(Interval(radius)).lower();
}

// True only if the point of the world belongs to the body.
[[nodiscard]] bool holds(const CheckedBody& body, const Vec3& point) noexcept {
    const ConvexShape& shape = *body.shape;
    const IntervalVector p =
        into_frame(rotation_rows(body.pose.rotation),
                   difference_of_vectors(vector_of(point), vector_of(body.pose.translation)));
    const IntervalVector from_centre = difference_of_vectors(p, vector_of(shape.centre()));
    const Vec3& h = shape.size();
    switch (shape.core()) {
        case ConvexShape::Core::Point:
            return is_within(from_centre, shape.rounding());
        case ConvexShape::Core::Segment: {
            // A point of the segment that is near: any will do for the proof.
            const Vec3 c = shape.centre();
            const Vec3 along = h - c;
            const Vec3 near = {midpoint(from_centre[0]), midpoint(from_centre[1]),
                               midpoint(from_centre[2])};
            const double size_sq = norm_sq(along);
            const double t = size_sq > 0.0 ? std::clamp(dot(near, along) / size_sq, 0.0, 1.0) : 0.0;
            IntervalVector on;
            for (std::size_t i = 0; i < 3; ++i)
                on[i] = Interval(c[i]) + Interval(t) * (Interval(h[i]) - Interval(c[i]));
            return is_within(difference_of_vectors(p, on), shape.rounding());
        }
        case ConvexShape::Core::Box:
            return abs(from_centre[0]).upper() <= h.x && abs(from_centre[1]).upper() <= h.y &&
                   abs(from_centre[2]).upper() <= h.z;
        case ConvexShape::Core::Cylinder:
            return abs(from_centre[2]).upper() <= h.z &&
                   is_within({from_centre[0], from_centre[1], Interval(0.0)}, h.x);
        case ConvexShape::Core::Hull:
            break;
    }
    const std::span<const Vec3> points = shape.points();
    return std::any_of(body.triangles.begin(), body.triangles.end(), [&](const auto& t) {
        return holds_point({points[0], points[t[0]], points[t[1]], points[t[2]]}, p);
    });
}

// A point near the middle of a body, in the world.
[[nodiscard]] Vec3 middle_of(const CheckedBody& body) noexcept {
    const ConvexShape& shape = *body.shape;
    Vec3 middle = shape.centre();
    if (shape.core() == ConvexShape::Core::Segment) middle = 0.5 * (middle + shape.size());
    if (shape.core() == ConvexShape::Core::Hull) {
        middle = {};
        for (const Vec3& p : shape.points())
            middle = middle + (1.0 / static_cast<double>(shape.points().size())) * p;
    }
    return apply(body.pose, middle);
}

}  // namespace

PairState pair_state(const CheckedBody& a, const CheckedBody& b, const Vec3& proposed) noexcept {
    const Vec3 from = middle_of(a);
    const Vec3 to = middle_of(b);
    if (separates(a, b, proposed) || separates(a, b, to - from)) return PairState::Separated;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3 unit;
        unit[axis] = 1.0;
        const Vec3 of_a = rotate(a.pose.rotation, unit);
        const Vec3 of_b = rotate(b.pose.rotation, unit);
        if (separates(a, b, of_a) || separates(a, b, -of_a) || separates(a, b, of_b) ||
            separates(a, b, -of_b))
            return PairState::Separated;
    }
    constexpr int kSamples = 64;
    for (int i = 0; i <= kSamples; ++i) {
        const double s = static_cast<double>(i) / kSamples;
        const Vec3 p = from + s * (to - from);
        if (holds(a, p) && holds(b, p)) return PairState::Overlapping;
    }
    return PairState::NotProved;
}

}  // namespace graze::rigid::detail
