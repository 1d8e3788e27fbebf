#include "narrow/certified/exact_contact.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>

#include "narrow/certified/exact_roots.hpp"

// Notation (docs/derivations/certified_exact.md)
//   q_i(t)    corners of the difference of the primitives, in cyclic order: one for vertex-vertex,
//             two for vertex-edge, three for vertex-face, the four of a parallelogram for edge-edge
//   contact   the convex hull of the q_i contains the origin
// All four kinds are this one question about a moving polygon.
namespace graze::certified {
namespace {

// Coordinates of a corner, each linear in t.
using MovingVector = std::array<ExactPolynomial, 3>;
// Up to four corners, in cyclic order.
using Polygon = std::span<const MovingVector* const>;

// Coordinate `axis` of u x w.
ExactPolynomial cross(const MovingVector& u, const MovingVector& w, std::size_t axis) {
    const std::size_t j = (axis + 1) % 3;
    const std::size_t k = (axis + 2) % 3;
    ExactPolynomial result = u[j] * w[k];
    result -= u[k] * w[j];
    return result;
}

ExactPolynomial determinant(const MovingVector& u, const MovingVector& v, const MovingVector& w) {
    ExactPolynomial result;
    for (std::size_t axis = 0; axis < 3; ++axis)
        result += cross(u, v, axis) * w[axis];
    result.strip_twos();
    return result;
}

// Signs that were seen: whether two of them are strictly opposite, or all are zero.
struct SeenSigns {
    bool positive = false;
    bool negative = false;
    void see(int sign) noexcept {
        positive = positive || sign > 0;
        negative = negative || sign < 0;
    }
    [[nodiscard]] bool opposite() const noexcept { return positive && negative; }
    [[nodiscard]] bool all_zero() const noexcept { return !positive && !negative; }
};

// The corners lie on one line through the origin: it is between them iff it is so in every
// coordinate.
bool line_covers_origin(Polygon polygon, const Instant& now) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        bool reaches_below = false;
        bool reaches_above = false;
        for (const MovingVector* q : polygon) {
            const int sign = now.sign((*q)[axis]);
            reaches_below = reaches_below || sign <= 0;
            reaches_above = reaches_above || sign >= 0;
        }
        if (!reaches_below || !reaches_above) return false;
    }
    return true;
}

// Does the polygon contain the origin? Section CE-2. Requires: corners and origin in one plane now.
bool covers_origin(Polygon polygon, const Instant& now) {
    if (polygon.size() == 1) return line_covers_origin(polygon, now);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        SeenSigns turns;
        for (std::size_t i = 0; i < polygon.size() && !turns.opposite(); ++i) {
            const MovingVector& next = *polygon[(i + 1) % polygon.size()];
            turns.see(now.sign(cross(*polygon[i], next, axis)));
        }
        if (!turns.all_zero()) return !turns.opposite();
    }
    return line_covers_origin(polygon, now);
}

std::optional<TimeBracket> first_covering_root(const ExactPolynomial& f, Polygon polygon,
                                               const Horizon& horizon) {
    return first_root_where(f, horizon,
                            [&](const Instant& now) { return covers_origin(polygon, now); });
}

std::optional<TimeBracket> first_contact_of(Polygon polygon, const Horizon& horizon);

// f vanishes identically: the first contact is at t = 0 or on the boundary of the polygon, each
// part of which has `part` corners (CE-3). Brackets of the parts give a bracket of the least time:
// the least lower end and the least upper end (CE-6).
std::optional<TimeBracket> first_contact_on_parts(Polygon polygon, std::size_t part,
                                                  Horizon horizon) {
    if (covers_origin(polygon, Instant::at(0.0))) return TimeBracket{0.0, 0.0};
    std::optional<TimeBracket> first;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const std::array corners = {polygon[i], polygon[(i + 1) % polygon.size()]};
        const auto found = first_contact_of(Polygon(corners).first(part), horizon);
        if (!found) continue;
        first = TimeBracket{std::min(found->lower, first.value_or(*found).lower), found->upper};
        horizon.t_max = found->upper;  // only what is not later matters from here on
    }
    return first;
}

// A vertex against an edge: contact needs q_0 x q_1 = 0, three quadratics.
std::optional<TimeBracket> first_contact_of_two(Polygon polygon, const Horizon& horizon) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        ExactPolynomial f = cross(*polygon[0], *polygon[1], axis);
        f.strip_twos();
        if (!f.is_zero()) return first_covering_root(f, polygon, horizon);
    }
    return first_contact_on_parts(polygon, 1, horizon);
}

// A vertex against a vertex: contact needs q_0 = 0, three linear polynomials.
std::optional<TimeBracket> first_contact_of_one(Polygon polygon, const Horizon& horizon) {
    for (const ExactPolynomial& f : *polygon[0]) {
        if (!f.is_zero()) return first_covering_root(f, polygon, horizon);
    }
    return TimeBracket{0.0, 0.0};
}

std::optional<TimeBracket> first_contact_of(Polygon polygon, const Horizon& horizon) {
    if (polygon.size() == 1) return first_contact_of_one(polygon, horizon);
    if (polygon.size() == 2) return first_contact_of_two(polygon, horizon);
    // The last corner of a parallelogram is the sum of its neighbours less the one across, so any
    // three corners have the span of all.
    const ExactPolynomial f = determinant(*polygon[0], *polygon[1], *polygon.back());
    if (!f.is_zero()) return first_covering_root(f, polygon, horizon);
    return first_contact_on_parts(polygon, 2, horizon);
}

// The least exponent of a coordinate on this axis: in units of two to that power all coordinates
// are integers. Contact does not change when an axis is scaled, so each has its own unit.
int unit_exponent(std::span<const MovingPoint> corners, std::size_t axis) noexcept {
    int least = std::numeric_limits<int>::max();
    for (const MovingPoint& corner : corners) {
        for (const double x : {corner.start[axis], corner.end[axis]}) {
            const DyadicParts parts = dyadic_parts(x);
            if (parts.significand != 0) least = std::min(least, parts.exponent);
        }
    }
    return least;
}

// b - a as polynomials in t, axis k in units of 2^exponents[k].
MovingVector difference(const MovingPoint& b, const MovingPoint& a,
                        const std::array<int, 3>& exponents) {
    MovingVector result;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto integer = [&](double x) {
            return ExactInteger(dyadic_parts(x), exponents[axis]);
        };
        const ExactInteger start = integer(b.start[axis]) - integer(a.start[axis]);
        const ExactInteger end = integer(b.end[axis]) - integer(a.end[axis]);
        result[axis] = ExactPolynomial(std::array{start, end - start});
    }
    return result;
}

// Which corners of the motion a corner of the polygon is the difference of.
struct Pair {
    std::size_t b;
    std::size_t a;
};

template <class Motion, std::size_t kSize>
ExactContact contact_of(const Motion& motion, const std::array<Pair, kSize>& pairs,
                        const Horizon& horizon) {
    GRAZE_ASSERT(is_finite_motion(motion));
    const auto points = vertices(motion);
    const std::array exponents = {unit_exponent(points, 0), unit_exponent(points, 1),
                                  unit_exponent(points, 2)};
    std::array<MovingVector, kSize> vectors;
    std::array<const MovingVector*, kSize> polygon{};
    for (std::size_t i = 0; i < kSize; ++i) {
        vectors[i] = difference(points[pairs[i].b], points[pairs[i].a], exponents);
        polygon[i] = &vectors[i];
    }
    const auto found = first_contact_of(polygon, horizon);
    constexpr double kNever = std::numeric_limits<double>::infinity();
    return found ? ExactContact{true, found->lower, found->upper}
                 : ExactContact{false, kNever, kNever};
}

}  // namespace

ExactContact exact_first_contact(const VertexFaceMotion& motion, double t_max, double time_width) {
    constexpr std::array<Pair, 3> kFaceFromVertex = {{{1, 0}, {2, 0}, {3, 0}}};
    return contact_of(motion, kFaceFromVertex, {t_max, time_width});
}

ExactContact exact_first_contact(const EdgeEdgeMotion& motion, double t_max, double time_width) {
    // b_0 - a_0, b_0 - a_1, b_1 - a_1, b_1 - a_0: neighbours differ by one edge.
    constexpr std::array<Pair, 4> kParallelogram = {{{2, 0}, {2, 1}, {3, 1}, {3, 0}}};
    return contact_of(motion, kParallelogram, {t_max, time_width});
}

ExactContact exact_first_contact(const VertexVertexMotion& motion, double t_max,
                                 double time_width) {
    constexpr std::array<Pair, 1> kPoint = {{{1, 0}}};
    return contact_of(motion, kPoint, {t_max, time_width});
}

ExactContact exact_first_contact(const VertexEdgeMotion& motion, double t_max, double time_width) {
    constexpr std::array<Pair, 2> kEdgeFromVertex = {{{1, 0}, {2, 0}}};
    return contact_of(motion, kEdgeFromVertex, {t_max, time_width});
}

}  // namespace graze::certified
