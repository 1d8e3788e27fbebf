// Vertex-face and edge-edge tests (algorithms 3 and 4 of Wang 2014), with and without protection.
//
// Both are one test on three relative positions p, q, r that are linear in time: the corners are
// coplanar where F = p . (q x r) vanishes, and N = q x r is normal to the face, or to both edges.
//   vertex-face  p = x0 - x1, q = x2 - x1, r = x3 - x1   (x0 the vertex)
//   edge-edge    p = x2 - x0, q = x1 - x0, r = x3 - x2
// Notation: tolerances.hpp; derivations: docs/derivations/safe_cubic.md.
#pragma once

#include <array>

#include "graze/narrow/safe_cubic.hpp"
#include "narrow/safe_cubic/polynomial_roots.hpp"
#include "narrow/safe_cubic/relative_motion.hpp"
#include "narrow/safe_cubic/tolerances.hpp"
#include "narrow/safe_cubic/vertex_edge.hpp"

namespace graze::safe_cubic {

using FourCorners = std::array<MovingPoint, 4>;

enum class Protection : std::uint8_t { None, Proved };

// Counts, or does nothing and costs nothing.
struct NoTrace {
    static constexpr void add(std::uint32_t SafeCubicCounters::*, std::uint32_t = 1) noexcept {}
};
struct CountingTrace {
    SafeCubicCounters& counters;
    void add(std::uint32_t SafeCubicCounters::*field, std::uint32_t count = 1) const noexcept {
        counters.*field += count;
    }
};

template <QueryKind Kind>
class CoplanarTest {
    static_assert(Kind == QueryKind::VertexFace || Kind == QueryKind::EdgeEdge);
    static constexpr bool kFace = Kind == QueryKind::VertexFace;

public:
    CoplanarTest(const FourCorners& c, const Frame& frame) noexcept
        : p_(kFace ? seen_from(c[1], c[0], frame) : seen_from(c[0], c[2], frame)),
          q_(kFace ? seen_from(c[1], c[2], frame) : seen_from(c[0], c[1], frame)),
          r_(kFace ? seen_from(c[1], c[3], frame) : seen_from(c[2], c[3], frame)) {}

    // The largest relative velocity of two corners, as far as it is looked at.
    [[nodiscard]] double velocity_range() const noexcept {
        const Vector& p = p_.path.v;
        const Vector& q = q_.path.v;
        const Vector& r = r_.path.v;
        if constexpr (kFace) return largest_range({}, p, q, r);
        return largest_range({}, q, p, p + r);
    }

    // Does a plane separate the whole motion (SC-3)? Tried are the normals at both ends; a distance
    // from a plane of fixed direction is linear in time, so that both ends decide.
    [[nodiscard]] bool plane_separates(double tolerance) const noexcept {
        const Vector n0 = cross(q_.path.x, r_.path.x);
        const Vector n1 = cross(q_.end, r_.end);
        const bool by_start =
            on_one_side(dot(n0, p_.path.x), heights(n0, p_.end, q_.end, r_.end), tolerance);
        const bool by_end =
            on_one_side(dot(n1, p_.end), heights(n1, p_.path.x, q_.path.x, r_.path.x), tolerance);
        return by_start | by_end;
    }

    [[nodiscard]] Cubic<double> cubic() const noexcept {
        return coplanarity(p_.path, q_.path, r_.path);
    }

    // Everything that the tests at time t look at.
    struct Crossing {
        Vector normal;
        double square;    // N . N
        double weight_q;  // the weight of q's end, times N . N
        double weight_r;  // that of r's end
        double longest;   // of the sides, in the max-norm
    };
    [[nodiscard]] Crossing at(double t) const noexcept {
        const Vector p = p_.path.at(t);
        const Vector q = q_.path.at(t);
        const Vector r = r_.path.at(t);
        const Vector n = cross(q, r);
        double longest = larger(largest_magnitude(q), largest_magnitude(r));
        if constexpr (kFace) longest = larger(longest, largest_magnitude(r - q));
        // p = w_q q + w_r r + ... for a face, p = w_q q - w_r r + ... for edges.
        const double weight_r = kFace ? weight(n, q, p) : weight(n, p, q);
        return {n, dot(n, n), weight(n, p, r), weight_r, longest};
    }

    // How far the weight that is furthest off lies outside its range; negative: all are inside. For
    // a face the third weight is N . N less the other two, and none is above N . N if none is below
    // 0.
    [[nodiscard]] static double excess(const Crossing& c) noexcept {
        const double below = -smaller(c.weight_q, c.weight_r);
        if constexpr (kFace) return larger(below, c.weight_q + c.weight_r - c.square);
        return larger(below, larger(c.weight_q, c.weight_r) - c.square);
    }
    // Large and not slim: area and height tests.
    [[nodiscard]] static bool is_well_shaped(const Crossing& c, const Tolerances& tol) noexcept {
        const double size = largest_magnitude(c.normal);
        return size >= tol.tau() && c.longest * tol.eta() <= size;
    }

private:
    struct Range {
        double lower;
        double upper;
    };
    // n . (point of one primitive - point of the other), over all pairs of corners.
    static Range heights(const Vector& n, const Vector& p, const Vector& q,
                         const Vector& r) noexcept {
        const double s = dot(n, p);
        const double sq = dot(n, q);
        const double sr = dot(n, r);
        if constexpr (kFace) {
            return {s - larger(larger(sq, sr), 0.0), s - smaller(smaller(sq, sr), 0.0)};
        } else {
            return {s - larger(sq, 0.0) + smaller(sr, 0.0), s - smaller(sq, 0.0) + larger(sr, 0.0)};
        }
    }
    // At the end to which n is normal, all differences have the height of one.
    static bool on_one_side(double own_end, const Range& other_end, double tolerance) noexcept {
        return ((own_end > tolerance) & (other_end.lower > tolerance)) |
               ((own_end < -tolerance) & (other_end.upper < -tolerance));
    }

    RelativeMotion p_;
    RelativeMotion q_;
    RelativeMotion r_;
};

// SC-9: can a contact that belongs to the candidate t be excluded without vertex-edge tests?
// Some weight is outside its range by more than it can change in a time h, and on both sides of t,
// h away, |F| is beyond what the solver allows between a root and its candidate: then the root is
// nearer than h, and is no contact. The paper has h = eps^(1/2); the larger h, the more is
// excluded.
[[nodiscard]] inline bool is_excluded(double excess, const Cubic<double>& f, double t,
                                      const Tolerances& tol) noexcept {
    const double h = smaller(tol.time_for(excess), kLongestCull);
    if (!(h >= kEps12)) return false;
    const double limit = tol.cull_mu();
    const bool not_before = (t - h < 0.0) | (std::fabs(f.at(t - h)) > limit);
    const bool not_after = (t + h > 1.0) | (std::fabs(f.at(t + h)) > limit);
    return not_before & not_after;
}

// Which corners: vertex, end i, end j.
struct VertexEdgeIndices {
    std::size_t vertex, i, j;
};
inline constexpr std::array<VertexEdgeIndices, 3> kFaceTests = {{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}}};
inline constexpr std::array<VertexEdgeIndices, 4> kEdgeTests = {
    {{2, 0, 1}, {3, 0, 1}, {0, 2, 3}, {1, 2, 3}}};

// Is some vertex within R of an edge of the other primitive? Seldom asked.
template <class Motion, class Trace>
[[nodiscard, gnu::noinline]] bool vertex_near_edge(const Motion& motion, const Frame& frame,
                                                   const Tolerances& tol, Trace trace) noexcept {
    constexpr auto kTests = [] {
        if constexpr (Motion::kKind == QueryKind::VertexFace) return kFaceTests;
        if constexpr (Motion::kKind == QueryKind::EdgeEdge) return kEdgeTests;
    }();
    const FourCorners c = vertices(motion);
    for (const auto& [vertex, i, j] : kTests) {
        const VertexEdgeAnswer answer = vertex_meets_edge(
            seen_from(c[i], c[vertex], frame).path, seen_from(c[i], c[j], frame).path,
            seen_from(c[j], c[vertex], frame).path, kRadius14, tol);
        trace.add(&SafeCubicCounters::vertex_edge_tests);
        trace.add(&SafeCubicCounters::candidates, answer.candidates);
        if (answer.meet) return true;
    }
    return false;
}

struct Culling {
    bool planes = true;
    bool vertex_edge = true;
};

struct Answer {
    bool can_touch = false;
    double bound = 0.0;  // B, in units of the frame
};

// Can the two touch? Proved if not, and protected. `positions`: bound of all differences of corners
// at both ends, in units of the frame.
template <Protection P, class Motion, class Trace>
[[nodiscard]] inline Answer can_touch(const Motion& motion, const Frame& frame, double positions,
                                      const Culling& culling, Trace trace) noexcept {
    constexpr bool kProved = P == Protection::Proved;
    constexpr QueryKind kKind = Motion::kKind;
    using Test = CoplanarTest<kKind>;
    const Test test(vertices(motion), frame);
    Tolerances tol;
    if constexpr (kProved) tol = {.b = bound_from(positions, test.velocity_range())};
    if (culling.planes && test.plane_separates(kProved ? tol.plane() : 0.0)) {
        trace.add(&SafeCubicCounters::plane_culled);
        return {false, tol.b};
    }
    const Cubic<double> f = test.cubic();
    const RootList roots =
        kProved ? cubic_roots(f.a, f.b, f.c, f.d, tol.mu()) : plain_cubic_roots(f.a, f.b, f.c, f.d);
    trace.add(&SafeCubicCounters::roots, static_cast<std::uint32_t>(roots.count));
    bool excluded = true;
    for (int i = 0; i < roots.count; ++i) {
        const double t = roots.values[static_cast<std::size_t>(i)];
        const auto crossing = test.at(t);
        const double excess = Test::excess(crossing);
        if constexpr (!kProved) {
            if (excess <= 0.0) return {true, tol.b};
        } else if (!(excess > 0.0)) {
            if (Test::is_well_shaped(crossing, tol)) return {true, tol.b};
            excluded = false;
        } else {
            excluded = excluded && culling.vertex_edge && is_excluded(excess, f, t, tol);
        }
    }
    // Without a candidate there is no root, and without a root no contact.
    if (!kProved || roots.count == 0) return {false, tol.b};
    if (excluded) {
        trace.add(&SafeCubicCounters::vertex_edge_spared);
        return {false, tol.b};
    }
    return {vertex_near_edge(motion, frame, tol, trace), tol.b};
}

}  // namespace graze::safe_cubic
