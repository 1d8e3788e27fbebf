// Two triangles at a time of the motion: how long they stay separated, whether they cross, their
// distance. In any number type.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "graze/verify/rigid_reference_motion.hpp"

namespace graze::rigid::reference {

// Relative to the size of the pair: 128 rounding errors cover the map of a vertex (3 products and sums of
// entries with some 20 rounding errors each) and its projection on a direction.
template <class Real>
Real roundings() {
    return Real(128) * std::numeric_limits<Real>::epsilon();
}

template <class Real>
using Triangle = std::array<Vector<Real>, 3>;

// A triangle of B with the motion of its vertices.
template <class Real>
struct MovingTriangle {
    Triangle<Real> corners;
    Triangle<Real> velocities;
    Real acceleration{};  // the largest
};
template <class Real>
MovingTriangle<Real> moving(const Triangle<Real>& local, const RelativeMotion<Real>& motion,
                            const RigidMap<Real>& pose) {
    MovingTriangle<Real> result;
    for (std::size_t i = 0; i < 3; ++i) {
        result.corners[i] = pose(local[i]);
        result.velocities[i] = motion.velocity(result.corners[i]);
        result.acceleration =
            std::max<Real>(result.acceleration, motion.acceleration(result.corners[i]));
    }
    return result;
}

// The largest s with gap - speed s - acceleration s^2 / 2 >= 0 (gap > 0, acceleration >= 0).
template <class Real>
Real free_time(const Real& gap, const Real& speed, const Real& acceleration) {
    using std::sqrt;
    if (!(acceleration > 0))
        return speed > 0 ? Real(gap / speed) : Real(std::numeric_limits<double>::max());
    const Real root = sqrt(speed * speed + Real(2) * acceleration * gap);
    return speed > 0 ? Real(2) * gap / (speed + root) : (root - speed) / acceleration;
}

// What is taken off all gaps, and added to all speeds.
template <class Real>
struct Margins {
    Real gap{};  // with the separation asked for
    Real speed{};
};

// How long n (any length but 0) separates the triangles, with B on the side of n.
template <class Real>
Real free_time_along(const Vector<Real>& n, const Triangle<Real>& a, const MovingTriangle<Real>& b,
                     const Margins<Real>& margins) {
    const Real top = std::max<Real>(dot(n, a[0]), std::max<Real>(dot(n, a[1]), dot(n, a[2])));
    Real result = Real(std::numeric_limits<double>::max());
    for (std::size_t i = 0; i < 3; ++i) {
        const Real gap = dot(n, b.corners[i]) - top - margins.gap;
        if (!(gap > 0)) return Real(0);
        const Real speed = margins.speed - dot(n, b.velocities[i]);
        result =
            std::min<Real>(result, free_time(gap, speed, Real(b.acceleration + margins.speed)));
    }
    return result;
}

template <class Real>
struct PairSearch {
    const Triangle<Real>& a;
    const MovingTriangle<Real>& b;
    const Margins<Real>& margins;
    Real best{};    // of the directions so far
    Real enough{};  // no need to know more

    // True where `enough` is reached. Directions shorter than the rounding errors of long edges tell
    // nothing: their unit vectors still give a valid bound, as any direction does.
    bool look_along(const Vector<Real>& direction) {
        const Real size = length(direction);
        if (!(size > 0)) return false;
        const Vector<Real> n = Real(1) / size * direction;
        Real s = free_time_along(n, a, b, margins);
        if (!(s > 0)) s = free_time_along(Real(-1) * n, a, b, margins);
        best = std::max<Real>(best, s);
        return best >= enough;
    }
};

template <class Real>
Vector<Real> edge(const Triangle<Real>& t, std::size_t i) {
    return t[(i + 1) % 3] - t[i];
}

// A time for which the pair is proved separated; 0 where it crosses or rounding leaves doubt. Stops
// short where it is at least `enough`. The directions are those of the theorem of separating axes
// for triangles, in one plane too, so that one of them separates wherever the triangles are disjoint.
template <class Real>
Real free_time(const Triangle<Real>& a, const MovingTriangle<Real>& b, const Margins<Real>& margins,
               const Real& enough, const Vector<Real>& hint) {
    PairSearch<Real> search{a, b, margins, Real(0), enough};
    const Vector<Real> normal_a = cross(edge(a, 0), edge(a, 1));
    const Vector<Real> normal_b = cross(edge(b.corners, 0), edge(b.corners, 1));
    if (search.look_along(hint) || search.look_along(normal_a) || search.look_along(normal_b))
        return search.best;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            if (search.look_along(cross(edge(a, i), edge(b.corners, j)))) return search.best;
    for (std::size_t i = 0; i < 3; ++i)
        if (search.look_along(cross(edge(a, i), normal_a)) ||
            search.look_along(cross(edge(b.corners, i), normal_b)))
            return search.best;
    return search.best;
}

// Six times the volume of a tetrahedron.
template <class Real>
Real volume(const Vector<Real>& a, const Vector<Real>& b, const Vector<Real>& c,
            const Vector<Real>& d) {
    return dot(cross(b - a, c - a), d - a);
}

// The segment runs through the inside of the triangle, by more than rounding: volumes of
// differences
// of at most `extent`, of vertices known to within margin, are off by less than 8 margin extent^2.
template <class Real>
bool pierces(const Vector<Real>& p, const Vector<Real>& q, const Triangle<Real>& t,
             const Real& margin, const Real& extent) {
    const Real doubt = Real(8) * margin * extent * extent;
    const Real from = volume(t[0], t[1], t[2], p);
    const Real to = volume(t[0], t[1], t[2], q);
    if (!((from > doubt && to < -doubt) || (from < -doubt && to > doubt))) return false;
    bool all_left = true;
    bool all_right = true;
    for (std::size_t i = 0; i < 3; ++i) {
        const Real side = volume(p, q, t[i], t[(i + 1) % 3]);
        all_left = all_left && side > doubt;
        all_right = all_right && side < -doubt;
    }
    return all_left || all_right;
}
template <class Real>
bool cross_each_other(const Triangle<Real>& a, const Triangle<Real>& b, const Real& margin) {
    Real extent = Real(0);
    for (const auto& x : a)
        for (const auto& y : b)
            extent = std::max<Real>(extent, length(x - y));
    for (std::size_t i = 0; i < 3; ++i)
        extent = std::max<Real>(extent, std::max<Real>(length(edge(a, i)), length(edge(b, i))));
    for (std::size_t i = 0; i < 3; ++i)
        if (pierces(a[i], a[(i + 1) % 3], b, margin, extent) ||
            pierces(b[i], b[(i + 1) % 3], a, margin, extent))
            return true;
    return false;
}

// --- Distances, in double --------------------------------------------------------------------

using Vector64 = Vector<double>;
using Triangle64 = Triangle<double>;

// The vector from the nearest point of the first to the nearest point of the second.
Vector64 between(const Vector64& point, const Triangle64& triangle);
Vector64 between_segments(const Vector64& p0, const Vector64& p1, const Vector64& q0,
                          const Vector64& q1);
// 0 where they cross.
Vector64 between(const Triangle64& a, const Triangle64& b);

}  // namespace graze::rigid::reference
