#include "graze/narrow/start_separation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "graze/core/big_integer.hpp"
#include "graze/core/fp_environment.hpp"
#include "graze/core/power_of_two.hpp"
#include "graze/narrow/query_kind.hpp"

// Notation (docs/derivations/start_separation.md)
//   x, d      coordinates and separation times one power of two: integers
//   c_i       differences of a corner of one primitive and a corner of the other; K is their hull
//   n         a direction; |n| the sum of the magnitudes of its coordinates
//   g_i       n . c_i(0) - d |n|, the gap of corner i along n at the start
//   h_i       n . (c_i(1) - c_i(0)), by how much it grows over the step
// For n and for -n alike: `flipped` says which of the two is meant.
namespace graze {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Sizes in bits, |value| < 2^bits (section ST-5). Doubles are multiples of 2^-1074 below 2^1024, and
// positions at t = 2^-1074 are multiples of 2^-2148.
constexpr int kCoordinateBits = kMaxExponent + 1 - 2 * kMinExponent;
constexpr int kDifferenceBits = kCoordinateBits + 1;  // of two coordinates: c_i
constexpr int kMoveBits = kDifferenceBits + 1;        // of two c_i; edges of the swept hull, too
constexpr int kNormalBits = 2 * kMoveBits + 1;        // of two products of edges
// h_i is three products of a normal and a move; g_i is three of a normal and a difference, and d
// times three coordinates of a normal: together below 3 (2^-1 + 2^-2) of the same unit.
constexpr int kDotBits = kNormalBits + kMoveBits + 2;
static_assert(kCoordinateBits == 3172 && kDotBits == 9525, "redo section S5");

using Integer = BigInteger<kDotBits>;
using IntegerVec = std::array<Integer, 3>;

IntegerVec operator-(const IntegerVec& a, const IntegerVec& b) noexcept {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Integer dot(const IntegerVec& a, const IntegerVec& b) noexcept {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
IntegerVec cross(const IntegerVec& a, const IntegerVec& b) noexcept {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Integer magnitude(const Integer& x) noexcept {
    return x.sign() < 0 ? -x : x;
}
Integer norm_one(const IntegerVec& a) noexcept {
    return magnitude(a[0]) + magnitude(a[1]) + magnitude(a[2]);
}
IntegerVec axis_vector(std::size_t axis) noexcept {
    IntegerVec result;
    result[axis] = Integer(1);
    return result;
}

// The exponent of the last set bit among all numbers of the query: times 2^-exponent they are
// integers, and no shorter ones. Zeros do not count; 0 where all are zero.
int common_exponent(std::span<const MovingPoint> corners, double d) noexcept {
    int least = std::numeric_limits<int>::max();
    const auto see = [&](double x) {
        const DyadicParts parts = dyadic_parts(x);
        if (parts.significand != 0) least = std::min(least, parts.exponent);
    };
    see(d);
    for (const MovingPoint& corner : corners) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            see(corner.start[axis]);
            see(corner.end[axis]);
        }
    }
    return least == std::numeric_limits<int>::max() ? 0 : least;
}

IntegerVec scaled_point(const Vec3& p, int scale) noexcept {
    return {Integer::from_scaled(p.x, scale), Integer::from_scaled(p.y, scale),
            Integer::from_scaled(p.z, scale)};
}

// A corner of K: where it starts, and how far it moves.
struct DifferenceCorner {
    IntegerVec start;
    IntegerVec move;
};

// K with the directions of its edges at the start. Every edge of K is parallel to one of `edges`,
// and the plane of K, if K has one, to the first two (section ST-2).
template <std::size_t kPoints, std::size_t kEdges>
struct DifferenceHull {
    Integer separation;
    std::array<DifferenceCorner, kPoints> corners;
    std::array<IntegerVec, kEdges> edges;
};

// Along n, or along -n: the time until which every corner certainly stays beyond the separation,
// rounded down; kNever if until the end of the step and beyond. Nothing if neither direction
// separates at the start (n = 0 never does).
// Only quotients <= 1 matter: the others, and corners that recede, have g_i + h_i > 0.
std::optional<double> free_time_along(const IntegerVec& n, const Integer& separation,
                                      std::span<const DifferenceCorner> corners) noexcept {
    const Integer reach = separation * norm_one(n);
    const bool flipped = dot(n, corners[0].start).sign() < 0;
    double time = kNever;
    for (const DifferenceCorner& corner : corners) {
        const Integer along = dot(n, corner.start);
        const Integer gap = (flipped ? -along : along) - reach;
        if (gap.sign() <= 0) return std::nullopt;
        const Integer growth = dot(n, corner.move);
        const Integer closing = flipped ? growth : -growth;
        if (closing >= gap) time = std::min(time, quotient_down(gap, closing));
    }
    return time;
}

// The best over all directions of section ST-2; nothing if none separates at the start, which is
// to say: if the distance is not above the separation. quotient_down is monotonic, so the largest
// of the rounded times is the largest time, rounded.
template <std::size_t kPoints, std::size_t kEdges>
std::optional<double> best_free_time(const DifferenceHull<kPoints, kEdges>& hull) noexcept {
    std::optional<double> best;
    const auto is_never = [&](const IntegerVec& n) {
        best = std::max(best, free_time_along(n, hull.separation, hull.corners));
        return best == kNever;
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (is_never(axis_vector(axis))) return best;
    }
    if constexpr (kEdges >= 2) {
        if (is_never(cross(hull.edges[0], hull.edges[1]))) return best;
    }
    for (const IntegerVec& edge : hull.edges) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (is_never(cross(edge, axis_vector(axis)))) return best;
        }
    }
    return best;
}

// Does n or -n leave every point beyond the separation?
bool separates(const IntegerVec& n, const Integer& separation,
               std::span<const IntegerVec> points) noexcept {
    const Integer reach = separation * norm_one(n);
    const bool flipped = dot(n, points[0]).sign() < 0;
    return std::all_of(points.begin(), points.end(), [&](const IntegerVec& point) {
        const Integer along = dot(n, point);
        return (flipped ? -along : along) > reach;
    });
}

// Is the hull of the points, any points, beyond the separation? Section ST-4: axes, edges times axes
// and normals of faces are all the directions there are to try.
bool hull_is_beyond(const Integer& separation, std::span<const IntegerVec> points) noexcept {
    const auto proves = [&](const IntegerVec& n) { return separates(n, separation, points); };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (proves(axis_vector(axis))) return true;
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = i + 1; j < points.size(); ++j) {
            const IntegerVec edge = points[j] - points[i];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (proves(cross(edge, axis_vector(axis)))) return true;
            }
            for (std::size_t k = j + 1; k < points.size(); ++k) {
                if (proves(cross(edge, points[k] - points[i]))) return true;
            }
        }
    }
    return false;
}

// For starts that are apart while every time of best_free_time is below the smallest double, as
// where a gap of 2^-700 meets a motion of 2^900: does any one direction, not only those of K at the
// start, separate during the closed interval [0, 2^-1074]? All is multiplied by 2^1074.
template <std::size_t kPoints, std::size_t kEdges>
bool apart_for_the_smallest_time(const DifferenceHull<kPoints, kEdges>& hull) noexcept {
    constexpr int kScale = -kMinExponent;
    std::array<IntegerVec, 2 * kPoints> swept;
    for (std::size_t i = 0; i < kPoints; ++i) {
        const DifferenceCorner& corner = hull.corners[i];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            swept[2 * i][axis] = corner.start[axis].shifted_left(kScale);
            swept[2 * i + 1][axis] = swept[2 * i][axis] + corner.move[axis];
        }
    }
    return hull_is_beyond(hull.separation.shifted_left(kScale), swept);
}

// The corners of a query as integers.
template <std::size_t kCorners>
struct IntegerMotion {
    Integer separation;
    std::array<IntegerVec, kCorners> start;
    std::array<IntegerVec, kCorners> end;

    [[nodiscard]] DifferenceCorner difference(std::size_t a, std::size_t b) const noexcept {
        const IntegerVec at_start = start[a] - start[b];
        return {at_start, (end[a] - end[b]) - at_start};
    }
    [[nodiscard]] IntegerVec edge(std::size_t from, std::size_t to) const noexcept {
        return start[to] - start[from];
    }
};

template <class Motion>
IntegerMotion<Motion::kVertices> integer_motion(const Motion& motion, double d) noexcept {
    const std::array<MovingPoint, Motion::kVertices> all = vertices(motion);
    const int scale = -common_exponent(all, d);
    IntegerMotion<Motion::kVertices> result;
    result.separation = Integer::from_scaled(d, scale);
    for (std::size_t i = 0; i < Motion::kVertices; ++i) {
        result.start[i] = scaled_point(all[i].start, scale);
        result.end[i] = scaled_point(all[i].end, scale);
    }
    return result;
}

DifferenceHull<3, 3> difference_hull(const VertexFaceMotion& motion, double d) noexcept {
    const auto m = integer_motion(motion, d);
    return {m.separation,
            {m.difference(0, 1), m.difference(0, 2), m.difference(0, 3)},
            {m.edge(1, 2), m.edge(1, 3), m.edge(2, 3)}};
}
DifferenceHull<4, 2> difference_hull(const EdgeEdgeMotion& motion, double d) noexcept {
    const auto m = integer_motion(motion, d);
    return {m.separation,
            {m.difference(0, 2), m.difference(0, 3), m.difference(1, 2), m.difference(1, 3)},
            {m.edge(0, 1), m.edge(2, 3)}};
}
DifferenceHull<1, 0> difference_hull(const VertexVertexMotion& motion, double d) noexcept {
    const auto m = integer_motion(motion, d);
    return {m.separation, {m.difference(0, 1)}, {}};
}
DifferenceHull<2, 1> difference_hull(const VertexEdgeMotion& motion, double d) noexcept {
    const auto m = integer_motion(motion, d);
    return {m.separation, {m.difference(0, 1), m.difference(0, 2)}, {m.edge(1, 2)}};
}

// What is not as required proves nothing free.
template <class Motion>
double sound_free_time_of(const Motion& motion, double d) noexcept {
    if (!is_finite_motion(motion) || !is_finite(d) || d < 0.0) return 0.0;
    const auto hull = difference_hull(motion, d);
    const std::optional<double> time = best_free_time(hull);
    if (!time || *time > 0.0) return time.value_or(0.0);
    return apart_for_the_smallest_time(hull) ? power_of_two(kMinExponent) : 0.0;
}

template <class Motion>
double free_time_of(const Motion& motion, double d) noexcept {
    return with_sound_arithmetic([&]() noexcept { return sound_free_time_of(motion, d); },
                                 []() noexcept { return 0.0; });
}

}  // namespace

template <QueryMotion Motion>
double free_time_from_start(const Motion& motion, double min_separation) noexcept {
    return free_time_of(motion, min_separation);
}
template double free_time_from_start(const VertexFaceMotion&, double) noexcept;
template double free_time_from_start(const EdgeEdgeMotion&, double) noexcept;
template double free_time_from_start(const VertexVertexMotion&, double) noexcept;
template double free_time_from_start(const VertexEdgeMotion&, double) noexcept;

}  // namespace graze
