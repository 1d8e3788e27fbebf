// What the interval root finders evaluate: the difference of two primitives over a box of
// parameters, and the coplanarity of four corners over an interval of time.
//
// Everything here requires that a RoundingUp is alive.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "baselines/interval/enclosure.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::interval {

using EnclosureVector = std::array<Enclosure, 3>;

// A corner over an interval of time: x(T) = start + (end - start) T.
class MovingCorner {
public:
    MovingCorner() = default;
    explicit MovingCorner(const MovingPoint& point) noexcept : start_(point.start) {
        for (std::size_t k = 0; k < 3; ++k)
            displacement_[k] = Enclosure(point.end[k]) - Enclosure(point.start[k]);
    }
    [[nodiscard]] Enclosure at(const Enclosure& time, std::size_t axis) const noexcept {
        return Enclosure(start_[axis]) + displacement_[axis] * time;
    }
    [[nodiscard]] EnclosureVector at(const Enclosure& time) const noexcept {
        return {at(time, 0), at(time, 1), at(time, 2)};
    }

private:
    Vec3 start_;
    EnclosureVector displacement_;
};

template <class Motion>
using MovingCorners = std::array<MovingCorner, Motion::kVertices>;

template <class Motion>
[[nodiscard]] MovingCorners<Motion> moving_corners(const Motion& motion) noexcept {
    MovingCorners<Motion> moving;
    const auto points = vertices(motion);
    std::transform(points.begin(), points.end(), moving.begin(),
                   [](const MovingPoint& point) { return MovingCorner(point); });
    return moving;
}

// How far a length changes at most while a parameter runs through its domain; 0 or infinity where
// the squares leave the range of doubles, which makes boxes coarser or finer than the tolerance
// asks for, and proves nothing else.
[[nodiscard]] inline double length_est(const Vec3& v) noexcept {
    return std::sqrt(norm_sq(v));
}
template <class Motion>
[[nodiscard]] double largest_displacement_est(const Motion& motion) noexcept {
    double largest = 0.0;
    for (const MovingPoint& corner : vertices(motion))
        largest = std::max(largest, length_est(corner.end - corner.start));
    return largest;
}

// Parameters of F: t, u and v, of which the lower kinds lack the last ones.
template <class Motion>
inline constexpr std::size_t kParameters = Motion::kVertices - 1;
using DomainBox = std::array<Enclosure, 3>;

// F(t, u, v) = point of the first primitive - point of the second, by its natural extension.
//   vertex-face    p - [(v1 + u (v2 - v1)) + v (v3 - v1)]
//   edge-edge      [a + u (b - a)] - [c + v (d - c)]
//   vertex-edge    p - [a + u (b - a)]
//   vertex-vertex  p - q
template <class Motion>
class Inclusion {
public:
    explicit Inclusion(const Motion& motion) noexcept : corners_(moving_corners(motion)) {}

    // Holds every value of one axis of F over the box. Remembers the corners at the last time.
    [[nodiscard]] Enclosure component(const DomainBox& box, std::size_t axis) noexcept {
        const Slice& f = slice(box[0], axis);
        if constexpr (Motion::kKind == QueryKind::VertexFace) {
            return f.first - ((f.second + box[1] * f.along_u) + box[2] * f.along_v);
        } else if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
            return (f.first + box[1] * f.along_u) - (f.second + box[2] * f.along_v);
        } else if constexpr (Motion::kKind == QueryKind::VertexEdge) {
            return f.first - (f.second + box[1] * f.along_u);
        } else {
            return f.first - f.second;
        }
    }

private:
    // One axis at one interval of time.
    struct Slice {
        double t_lower = std::numeric_limits<double>::quiet_NaN();
        double t_upper = std::numeric_limits<double>::quiet_NaN();
        Enclosure first;
        Enclosure second;
        Enclosure along_u;
        Enclosure along_v;
    };

    const Slice& slice(const Enclosure& time, std::size_t axis) noexcept {
        Slice& f = slices_[axis];
        if (f.t_lower == time.lower() && f.t_upper == time.upper()) return f;
        const auto at = [&](std::size_t corner) { return corners_[corner].at(time, axis); };
        f.t_lower = time.lower();
        f.t_upper = time.upper();
        f.first = at(0);
        if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
            f.along_u = at(1) - f.first;
            f.second = at(2);
            f.along_v = at(3) - f.second;
        } else {
            f.second = at(1);
            if constexpr (kParameters < Motion >> 1) f.along_u = at(2) - f.second;
            if constexpr (kParameters < Motion >> 2) f.along_v = at(3) - f.second;
        }
        return f;
    }

    MovingCorners<Motion> corners_;
    std::array<Slice, 3> slices_;
};

[[nodiscard]] inline EnclosureVector operator-(const EnclosureVector& a,
                                               const EnclosureVector& b) noexcept {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
[[nodiscard]] inline EnclosureVector cross(const EnclosureVector& a,
                                           const EnclosureVector& b) noexcept {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
[[nodiscard]] inline Enclosure dot(const EnclosureVector& a, const EnclosureVector& b) noexcept {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

// Four corners at one interval of time: the triangle a, b, c and the vertex d, or the edges a, b
// and c, d.
template <class Motion>
class FourCorners {
public:
    FourCorners(const MovingCorners<Motion>& moving, const Enclosure& time) noexcept {
        constexpr std::size_t kFirst = Motion::kKind == QueryKind::VertexFace ? 1 : 0;
        for (std::size_t i = 0; i < 4; ++i)
            at_[i] = moving[(kFirst + i) % 4].at(time);
    }

    // Holds f at every time: (d - a) . ((b - a) x (c - a)), or (c - a) . ((b - a) x (d - c)) for
    // edges. The two are opposite numbers, but how they are written decides how wide they come
    // out; these give the times of the published root finder.
    [[nodiscard]] Enclosure coplanarity() const noexcept {
        const auto& [a, b, c, d] = at_;
        if constexpr (Motion::kKind == QueryKind::VertexFace) {
            return dot(d - a, cross(b - a, c - a));
        } else {
            return dot(c - a, cross(b - a, d - c));
        }
    }

    // Numbers that are all >= 0 at every time at which the primitives touch.
    // Vertex-face: at a contact, (y - x) x (p - x) is the weight of z times (y - x) x (z - x), for
    //   an edge from x to y and the corner z across it. Weights are >= 0.
    // Edge-edge: at a contact (1 - u) a + u b = (1 - v) c + v d. For v > 0 this is
    //   d = alpha a + beta b + gamma c with alpha = (1 - u) / v, beta = u / v,
    //   gamma = -(1 - v) / v, and the three numbers below are alpha |n|^2, beta |n|^2 and
    //   -gamma |n|^2. For v = 0 the corner c lies on the first edge: n = 0, and so are they.
    [[nodiscard]] EnclosureVector inside() const noexcept {
        if constexpr (Motion::kKind == QueryKind::VertexFace) {
            return {beside(0, 1, 2), beside(1, 2, 0), beside(2, 0, 1)};
        } else {
            const auto& [a, b, c, d] = at_;
            const EnclosureVector n = cross(b - a, c - a);
            return {dot(cross(b - d, c - d), n), dot(cross(c - d, a - d), n),
                    -dot(cross(a - d, b - d), n)};
        }
    }

private:
    [[nodiscard]] Enclosure beside(std::size_t x, std::size_t y, std::size_t z) const noexcept {
        const EnclosureVector edge = at_[y] - at_[x];
        return dot(cross(edge, at_[3] - at_[x]), cross(edge, at_[z] - at_[x]));
    }

    std::array<EnclosureVector, 4> at_;
};

}  // namespace graze::interval
