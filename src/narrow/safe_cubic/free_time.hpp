// How long a query that may end in contact is certainly free of it (SC-10 of
// docs/derivations/safe_cubic.md).
//
// From t = 0 on, as long as it goes: each step is a time in which one proof holds.
//   cubic      F keeps its sign: without coplanar vertices there is no contact
//   weights    the point of coplanarity stays outside of the face, or of the edges
//   direction  a fixed direction separates (vertex-vertex and vertex-edge queries)
// Only asked about contacts. Notation: tolerances.hpp.
#pragma once

#include <array>

#include "narrow/safe_cubic/coplanar_test.hpp"

namespace graze::safe_cubic {

inline constexpr int kFreeTimeSteps = 16;
// What a step is shortened by covers the roundings of its length, below 2^-40 of it, and of the sum
// t + h, at most 2^-53, where the step is not shorter than this (or t = 0, so that the sum is
// exact).
inline constexpr double kStepFraction = 1.0 - 0x1p-20;
inline constexpr double kLeastStep = 0x1p-32;
static_assert(kLeastStep * (0x1p-20 - 0x1p-40) > 0x1p-53);
// Weights are computed where the cubic allows less than this; where they allow nothing, the step of
// the cubic is the last: what is left of the way to its root is of the order of the step's square.
inline constexpr double kShortStep = 0x1p-12;

// A time h such that F has no root in [t, t + h), as far as that is in [0, 1]; 0 for none. With
// gap, closing and bend, bounds of |F(t)|, of how fast it falls at t and of how much faster later:
// gap - closing h - bend h^2 / 2 > 0 up to the root that is returned.
[[nodiscard]] inline double cubic_step(const Cubic<double>& f, double t,
                                       const Tolerances& tol) noexcept {
    const double value = f.at(t);
    const double gap = std::fabs(value) - tol.cubic_error();
    if (!(gap > 0.0)) return 0.0;
    const double sign = value > 0.0 ? 1.0 : -1.0;
    const double closing = tol.slope_error() - sign * f.slope(t);
    const double least_curvature = smaller(sign * f.curvature(t), sign * f.curvature(1.0));
    const double bend = larger(tol.curvature_error() - least_curvature, 0.0);
    const double root = std::sqrt(closing * closing + 2.0 * bend * gap);
    if (closing > 0.0) return 2.0 * gap / (closing + root);
    return bend > 0.0 ? (root - closing) / bend : 1.0;
}

// A time h such that n separates during [t, t + h): n . c stays positive for every difference c of
// a vertex of one primitive and a vertex of the other. 0 for none.
template <std::size_t Count>
[[nodiscard]] double direction_step(const Vector& n, const std::array<Moving, Count>& differences,
                                    double t, const Tolerances& tol) noexcept {
    double gap = dot(n, differences[0].at(t));
    double growth = dot(n, differences[0].v);
    for (std::size_t i = 1; i < Count; ++i) {
        gap = smaller(gap, dot(n, differences[i].at(t)));
        growth = smaller(growth, dot(n, differences[i].v));
    }
    gap -= tol.square_error();
    const double closing = tol.square_error() - growth;
    if (!(gap > 0.0)) return 0.0;
    return closing > 0.0 ? gap / closing : 1.0;
}

struct FreeStep {
    double length = 0.0;
    bool is_last = false;
};

// The end of the steps from t = 0 on; step(t) is the one at t.
template <class Step>
[[nodiscard]] double advance_free_time(const Step& step) noexcept {
    double t = 0.0;
    for (int i = 0; i < kFreeTimeSteps && t < 1.0; ++i) {
        const FreeStep next = step(t);
        if (!(next.length > 0.0 && (t == 0.0 || next.length >= kLeastStep))) break;
        t = smaller(t + kStepFraction * next.length, 1.0);
        if (next.is_last) break;
    }
    return t;
}

// [0, part t_max) is free of contact, for the part of t_max that is returned.
template <class Motion>
[[nodiscard]] double free_part(const Motion& motion, const Frame& frame,
                               const Tolerances& tol) noexcept {
    using Test = CoplanarTest<Motion::kKind>;
    const Test test(vertices(motion), frame);
    const Cubic<double> f = test.cubic();
    return advance_free_time([&](double t) noexcept -> FreeStep {
        const double by_cubic = cubic_step(f, t, tol);
        if (by_cubic >= kShortStep) return {by_cubic};
        const double by_weights = tol.time_for(Test::excess(test.at(t)));
        return {larger(by_cubic, by_weights), !(by_weights > 0.0)};
    });
}
template <>
[[nodiscard]] inline double free_part(const VertexVertexMotion& motion, const Frame& frame,
                                      const Tolerances& tol) noexcept {
    const std::array<Moving, 1> between = {seen_from(motion.a, motion.b, frame).path};
    return advance_free_time([&](double t) noexcept -> FreeStep {
        return {direction_step(between[0].at(t), between, t, tol)};
    });
}
// The direction is that from the nearest point of the edge to the vertex.
template <>
[[nodiscard]] inline double free_part(const VertexEdgeMotion& motion, const Frame& frame,
                                      const Tolerances& tol) noexcept {
    const std::array<Moving, 2> from_ends = {seen_from(motion.edge[0], motion.vertex, frame).path,
                                             seen_from(motion.edge[1], motion.vertex, frame).path};
    const Moving edge = seen_from(motion.edge[0], motion.edge[1], frame).path;
    return advance_free_time([&](double t) noexcept -> FreeStep {
        const Vector p = from_ends[0].at(t);
        const Vector q = edge.at(t);
        const double s = smaller(larger(dot(p, q) / dot(q, q), 0.0), 1.0);
        return {direction_step(p - s * q, from_ends, t, tol)};
    });
}

}  // namespace graze::safe_cubic
