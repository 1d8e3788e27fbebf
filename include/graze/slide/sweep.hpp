// The first contact of a moving sphere, ellipsoid, capsule or rounded box with a level, never late.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "graze/core/pose.hpp"
#include "graze/core/verdict.hpp"
#include "graze/slide/level.hpp"
#include "graze/slide/precision.hpp"

namespace graze::slide {

// An ellipsoid with its axes along x, y and z; a sphere where all radii are equal.
// With a half axis: all points within such a shape around each point of the segment from
// centre - half_axis to centre + half_axis, its core. With equal radii that is a capsule.
// With side axes the core is the box of all points centre + p half_axis + q side_axes[0] +
// r side_axes[1], p, q and r in [-1, 1], and the shape a box with rounded edges. Axes have to be
// perpendicular but for 2^-10, and sums of them have to be exact: rounded_box() makes such.
template <class Real>
struct Shape {
    Vec<Real> radii{Real{1}, Real{1}, Real{1}};
    Vec<Real> half_axis{};  // [length] of any direction
    std::array<Vec<Real>, 2> side_axes{};
};

// A capsule whose core is 2 half_height long: half_height + radius from its centre to either end.
// The half axis is rounded to Reals, and what is guaranteed is guaranteed of the rounded one; it is
// exact along x, y and z. An axis that is zero or not finite makes a shape that every query refuses.
template <class Real>
[[nodiscard]] Shape<Real> capsule(Real radius, Real half_height,
                                  const Vec<Real>& axis = {Real{0}, Real{1}, Real{0}}) noexcept;

// A box whose faces are half_extents from its centre, and whose edges are rounded by a ball of
// that radius: 0 < rounding <= each half extent. It is turned by `rotation`, then its axes are
// rounded to Reals, by 2^-20 (float) or 2^-48 (double) of the longest; unrotated they are exact but
// for that. What is guaranteed is guaranteed of the rounded ones. Other numbers make a shape that
// every query refuses.
template <class Real>
[[nodiscard]] Shape<Real> rounded_box(const Vec<Real>& half_extents, Real rounding,
                                      const Quaternion& rotation = {}) noexcept;

enum class FeatureKind : std::uint8_t { Face, Edge, Vertex };

template <class Real>
struct SweepContact {
    std::uint32_t part = 0;
    std::uint32_t face = 0;
    std::uint32_t tag = 0;
    FeatureKind feature = FeatureKind::Face;
    Real time{};       // [fraction of the displacement]
    Vec<Real> point;   // on the level
    Vec<Real> normal;  // unit length, from the level to the shape, in true space
};

template <class Real>
struct SweepQuery {
    Vec<Real> start;  // of the centre
    Vec<Real> displacement;
    // [length] >= 0: contact means that the gap is at most this. For an ellipsoid the shape grows
    // by the factor 1 + margin / (smallest radius), which keeps at least that gap everywhere.
    Real margin{};
    std::uint32_t layers = 0xffff'ffffU;
};

// Separated: the shape, with its margin, provably meets nothing on the exact motion
// start + t * displacement, t in [0, 1]. Contact: could not be excluded, and is there within the
// tolerance below. Unresolved: nothing is known, and toi_lower is 0 (NaN or Inf, radii outside
// [2^-1000, 2^1000], a margin that is negative or not finite in smallest radii, floating-point settings
// that cannot be made right), or the level could not be searched farther than toi_lower.
// Whatever the verdict, no contact in [0, toi_lower) - but for faces that it met at the start and
// does not move deeper into, which met_at_start reports. Deeper: the centre, in the space where the
// shape is a ball, comes nearer to the face by more than rounding; a centre in the face cannot. A centre is
// in it from 2^-30 of the radius on, margin included (SS-4): with a margin of more than 2^30 times the
// distance of the centre from a face that face bars no way, and the result is met_at_start.
// Hardly early: with Contact the gap at toi_lower is at most the margin plus 2^-38 of the shape and
// 2^-46 of the longest of the displacement and the distance to the far end of the triangle (and what
// the rounding of the time to a Real takes).
// One-sided faces bar the shape unless its centre is provably behind them at the start.
// A core that may meet a face at the start: Contact at 0, wherever it moves.
template <class Real>
struct SweepResult {
    Verdict verdict = Verdict::Unresolved;
    bool met_at_start = false;
    Real toi_lower{};  // [fraction of the displacement] 1 for Separated
    // Infinite: that they touch exactly, and not only nearly, is not proved.
    Real toi_upper = std::numeric_limits<Real>::infinity();
    SweepContact<Real> contact;  // for Contact
};

// Neither allocates nor throws. Cost: grows with the logarithm of the level and with the number of
// triangles near the path.
template <class Real>
[[nodiscard]] SweepResult<Real> first_contact(const Obstacles<Real>& level,
                                              const Shape<Real>& shape,
                                              const SweepQuery<Real>& query) noexcept;

// The nearest face within `reach` of the shape's surface at `centre`, and a proved lower bound of
// the gap (negative where they overlap: minus how deep, at least). Without one: found is false, and
// the gap is at least reach.
template <class Real>
struct GapResult {
    bool found = false;
    double gap_lower = 0.0;
    SweepContact<Real> contact;
};
template <class Real>
[[nodiscard]] GapResult<Real> smallest_gap(const Obstacles<Real>& level, const Shape<Real>& shape,
                                           const Vec<Real>& centre, Real reach,
                                           std::uint32_t layers = 0xffff'ffffU) noexcept;

// The nearest point of the faces within `reach` of a point, and a proved lower bound of its distance:
// no face is nearer than that. Without one: found is false, and the distance is at least reach.
// One-sided faces that the point is behind do not count.
// The point is the nearest one but for rounding. NaN, Inf, a reach that is not positive: found, at
// a distance of 0.
template <class Real>
struct NearestPoint {
    bool found = false;
    double distance_lower = 0.0;
    SweepContact<Real> contact;  // where found; its normal leads from the face to the point
};
template <class Real>
[[nodiscard]] NearestPoint<Real> nearest_point(const Obstacles<Real>& obstacles,
                                               const Vec<Real>& point, Real reach,
                                               std::uint32_t layers = 0xffff'ffffU) noexcept;

// Is the shape at `centre` clear of all faces, by at least the margin? Separated is a proof.
// Contact: could not be excluded. Unresolved: NaN or Inf, a shape without size, a negative margin.
template <class Real>
[[nodiscard]] Verdict overlap_at(const Obstacles<Real>& obstacles, const Shape<Real>& shape,
                                 const Vec<Real>& centre, Real margin = Real{0},
                                 std::uint32_t layers = 0xffff'ffffU) noexcept;

// The first face on a ray, never missed and never late: a ray is as thick as 2^-20 of its longest
// coordinate, and meets what comes as near as that. The verdicts are those of first_contact().
// Unresolved: a displacement of zero.
template <class Real>
[[nodiscard]] SweepResult<Real> cast_ray(const Obstacles<Real>& obstacles, const Vec<Real>& origin,
                                         const Vec<Real>& displacement,
                                         std::uint32_t layers = 0xffff'ffffU) noexcept;

}  // namespace graze::slide
