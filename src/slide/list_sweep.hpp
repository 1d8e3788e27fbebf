// A ball on a straight path through a list of triangles.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "slide/separation.hpp"

namespace graze::slide {

// A ball on a part of a path, ready for the cheap tests.
struct Probe {
    Vec3 from;
    Vec3 to;
    double limits[6];  // of the path, grown by the radius, errors included: the upper ones, and
                       // minus the lower ones
    double radius;
    double error;  // of normal . (a point of the path), for normals of at most one unit
};

// The ends of the part are off by 13 u of the largest coordinate of the whole path; 3 u more for
// the sums with normals, 2 u of the radius for what is added to it (SS-4).
[[nodiscard]] inline Probe probe_of(const Path& path, double radius, double begin = 0.0,
                                    double end = 1.0) noexcept {
    const Path part = cut(path, begin, end);
    Probe probe{part.from, part.to, {}, radius, kSumError * radius};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double largest = std::max(std::fabs(path.from[axis]), std::fabs(path.to[axis]));
        const double error = kSumError * (largest + radius);
        probe.limits[axis] = std::max(part.from[axis], part.to[axis]) + radius + error;
        probe.limits[3 + axis] = radius + error - std::min(part.from[axis], part.to[axis]);
        probe.error += 2.0 * kSumError * largest;
    }
    return probe;
}

// Is the box of the triangle beyond one of the limits? NaN makes it false.
[[nodiscard, gnu::always_inline]] inline bool is_box_beyond_limits(
    const NearTriangle& t, const double (&limits)[6]) noexcept {
#if defined(__SSE2__)
    const auto beyond = [&](std::size_t i) {
        return _mm_cmplt_pd(_mm_loadu_pd(limits + i), _mm_loadu_pd(t.bounds + i));
    };
    return _mm_movemask_pd(_mm_or_pd(beyond(0), _mm_or_pd(beyond(2), beyond(4)))) != 0;
#else
    bool apart = false;
    for (std::size_t i = 0; i < 6; ++i)
        apart |= limits[i] < t.bounds[i];
    return apart;
#endif
}

// Are the boxes apart along an axis? NaN makes it false.
[[nodiscard]] inline bool are_boxes_apart(const NearTriangle& t, const Probe& probe) noexcept {
    return is_box_beyond_limits(t, probe.limits);
}

// Does the normal of the triangle separate it from the ball on all of its path? NaN makes it false.
[[nodiscard]] inline bool are_separated_by_plane(const NearTriangle& t,
                                                 const Probe& probe) noexcept {
    const NearTriangle::Plane& plane = t.plane();
    const Vec3 normal{plane.normal[0], plane.normal[1], plane.normal[2]};
    const double a = dot(normal, probe.from);
    const double b = dot(normal, probe.to);
    const double by = probe.radius + probe.error;
    return std::min(a, b) - by >= plane.upper || std::max(a, b) + by <= plane.lower;
}

// False: the ball is clear of the triangle on all of its path, separated from it along an axis or
// the normal of the triangle. NaN makes it true.
[[nodiscard]] inline bool may_meet(const NearTriangle& t, const Probe& probe) noexcept {
    return !are_boxes_apart(t, probe) && !are_separated_by_plane(t, probe);
}

// A ball that stays where it is.
struct PointProbe {
    Vec3 at;
    Vec3 lower;  // the point, errors included
    Vec3 upper;
    double radius_sq;  // at least, with what the square of a distance may be off by
    double by;         // the radius and the error of a height
    double limits[6];  // as of a Probe
};

// Errors as of a path from the point to itself: 16 u of each coordinate, of which 13 u are its own
// and 1 u the sum here; those of heights are three more sums of 16 u.
[[nodiscard]] inline PointProbe point_probe_of(const Vec3& point, double radius) noexcept {
    const Vec3 error{kSumError * std::fabs(point.x), kSumError * std::fabs(point.y),
                     kSumError * std::fabs(point.z)};
    PointProbe probe{point,
                     point - error,
                     point + error,
                     radius * radius * (1.0 + 0x1p-48),
                     radius + (kSumError * radius + 2.0 * (error.x + error.y + error.z)),
                     {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double off = kSumError * (std::fabs(point[axis]) + radius);
        probe.limits[axis] = point[axis] + radius + off;
        probe.limits[3 + axis] = radius + off - point[axis];
    }
    return probe;
}

// Is the box of the triangle farther from the point than the radius? The square of the distance is
// off by less than 2^-49 of itself, and 2^-48 are put on that of the radius. Most boxes are that far
// along one axis, which costs less to see. NaN makes it false.
[[nodiscard]] inline bool is_box_beyond(const NearTriangle& t, const PointProbe& probe) noexcept {
    return is_box_beyond_limits(t, probe.limits) ||
           t.box_distance_sq(probe.lower, probe.upper) > probe.radius_sq;
}

// Does the normal of the triangle separate it from the ball? NaN makes it false.
[[nodiscard]] inline bool are_separated_by_plane(const NearTriangle& t,
                                                 const PointProbe& probe) noexcept {
    const NearTriangle::Plane& plane = t.plane();
    const double height = dot({plane.normal[0], plane.normal[1], plane.normal[2]}, probe.at);
    return height - probe.by >= plane.upper || height + probe.by <= plane.lower;
}

// When a ball first meets a triangle on [begin, end] of its path. Without a hit: clear on all of
// it, or met at the start (s = 0) and not entered; with one: clear on [begin, time).
struct TriangleHit {
    bool hit = false;
    bool met = false;  // not proved clear at the start
    double time = 1.0;
    Direction direction;  // on_triangle is not set
};
[[nodiscard]] TriangleHit sweep_triangle(const NearTriangle& t, const Path& path, double radius,
                                         double begin = 0.0, double end = 1.0) noexcept;

// What a ball meets first on [begin, end] of its path.
struct ListHit {
    bool hit = false;
    bool met_at_start = false;  // a triangle could not be proved clear at `begin`
    double time = 1.0;          // clear before, but for what was met at `begin` and is not entered
    std::uint32_t index = 0;    // in the list
    Direction direction;        // at the contact
};

// Guarantee: at every s in [begin, time) of the exact path the ball is clear of each triangle, that
// is, the distance of centre and triangle is at least `radius`; without a hit on [begin, end]. Left
// out are triangles that it met at `begin` and does not get deeper into by more than rounding.
// Requires: 0 <= begin <= end <= 1, radius > 0.
[[nodiscard]] ListHit sweep_list(const NearSpan& list, const Path& path, double radius,
                                 double begin = 0.0, double end = 1.0) noexcept;

// True is a proof: the ball is clear of all triangles on all of the path, both ends included.
[[nodiscard]] bool clear_of_list(const NearSpan& list, const Path& path, double radius) noexcept;

// How far triangle i is from a point.
struct ListDistance {
    double lower = 0.0;   // proved: the local distance is at least this, >= 0
    double length = 0.0;  // of direction.w, about
    Direction direction;
};
[[nodiscard]] ListDistance distance_in_list(const NearSpan& list, std::size_t i,
                                            const Vec3& point) noexcept;

// Can triangle i come within `reach` of the point? False is a proof that it does not. For many
// triangles: make probe_of({point, point}, reach) once, and ask may_meet().
[[nodiscard]] inline bool may_be_within(const NearSpan& list, std::size_t i, const Vec3& point,
                                        double reach) noexcept {
    return may_meet(list.triangle[i], probe_of({point, point}, reach));
}

}  // namespace graze::slide
