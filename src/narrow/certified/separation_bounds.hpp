// What a direction proves free of distances <= d, and what a witness proves to be within d: the
// proofs of separation.cpp, each with one bound for all roundings.
//
// Notation (docs/derivations/certified_separation.md, sections CS-1 to CS-4)
//   u         2^-53
//   D_i(t)    corner differences, linear in t; their hull K(t) is as far from the origin as the
//             primitives are from each other
//   d         the minimum separation
//   n         a direction, any three doubles; |n| its length in the norm dual to that of the query
// All lengths are multiplied by one power of two, such that the largest |D_i| at both ends of the
// step is in [1, 2) on some axis.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "graze/narrow/ccd.hpp"
#include "graze/narrow/query_kind.hpp"
#include "narrow/certified/nearest.hpp"

namespace graze::certified {

// Corner i of the hull is plus - minus.
struct CornerPair {
    const MovingPoint* plus = nullptr;
    const MovingPoint* minus = nullptr;
};
struct CornerPairs {
    Shape shape = Shape::Point;
    std::array<CornerPair, kHullCorners> corner;
};
// Point into the motion.
[[nodiscard]] CornerPairs corner_pairs(const VertexFaceMotion& motion) noexcept;
[[nodiscard]] CornerPairs corner_pairs(const EdgeEdgeMotion& motion) noexcept;
[[nodiscard]] CornerPairs corner_pairs(const VertexVertexMotion& motion) noexcept;
[[nodiscard]] CornerPairs corner_pairs(const VertexEdgeMotion& motion) noexcept;

// x -> x 2^k in three exact steps, unless the result is subnormal or overflows. `before` is 1, or
// 1/4 where differences of coordinates would overflow.
struct Scale {
    double before = 1.0;
    double first = 1.0;
    double second = 1.0;

    [[nodiscard]] double down(double x) const noexcept;
    [[nodiscard]] double up(double x) const noexcept { return -down(-x); }
    // x 2^-k, rounded up and down.
    [[nodiscard]] double back_up(double x) const noexcept;
    [[nodiscard]] double back_down(double x) const noexcept { return -back_up(-x); }
};

inline constexpr std::size_t kLanes = 2 * kHullCorners;

struct SeparationQuery {
    CornerPairs pairs;
    Norm norm = Norm::Euclidean;
    Scale scale;
    // D as computed, scaled. Lanes: the corners at the start, then at the end of the step.
    std::array<double, kLanes> x{};
    std::array<double, kLanes> y{};
    std::array<double, kLanes> z{};
    Vec3 size;  // the largest |D| on each axis
    // Scaled: d, rounded both ways, and the tolerance, rounded down.
    double reach_lower = 0.0;
    double reach_upper = 0.0;
    double tolerance = 0.0;
};

// Nothing where all differences are zero. Requires: a finite motion, valid options.
[[nodiscard]] std::optional<SeparationQuery> scaled_query(const CornerPairs& pairs,
                                                          const CcdOptions& options) noexcept;

// D at time t, each coordinate with four roundings: the difference, 1 - t, a product and a sum.
[[nodiscard]] HullCorners corners_at(const SeparationQuery& query, double t) noexcept;

// n times a power of two such that its largest coordinate is in [1, 2): the proofs require that
// none is above 2, and prove less the smaller they are. Nothing for a direction that is nearly zero
// or not finite.
[[nodiscard]] std::optional<Vec3> normalised(const Vec3& n) noexcept;

// Free of distances <= d for begin < t < end. begin = -1: from the start on, end = 2: to the end of
// the step, those included. The default is empty.
struct FreeSpan {
    double begin = 2.0;
    double end = -1.0;
};
// Along one direction, over the whole step (CS-2).
[[nodiscard]] FreeSpan free_along(const SeparationQuery& query, const Vec3& n) noexcept;
// The same for the axis 0, 1 or 2, or its opposite, whichever the first corner is on.
[[nodiscard]] FreeSpan free_along_axis(const SeparationQuery& query, std::size_t axis) noexcept;

// What n proves of the distance at the start: a lower bound, scaled; 0 if nothing (CS-2).
[[nodiscard]] double distance_along(const SeparationQuery& query, const Vec3& n) noexcept;

// A direction at a time.
struct Turn {
    double t = 0.0;
    const HullCorners& corners;  // corners_at(query, t)
    Vec3 n;
};
// Along a direction that turns from one to the other (CS-3): a time until which, from first.t on, no
// distance is <= d; last.t: that time included. Not above first.t if nothing is proved.
// Requires: first.t < last.t, both in [0, 1].
[[nodiscard]] double free_between(const SeparationQuery& query, const Turn& first,
                                  const Turn& last) noexcept;

// By how much the distance at time t exceeds d at most, scaled; 0 if it is proved to be <= d (CS-4).
// The witness is the point of K(t) that the weights name.
[[nodiscard]] double excess_upper(const SeparationQuery& query, double t,
                                  const Weights& weights) noexcept;

}  // namespace graze::certified
