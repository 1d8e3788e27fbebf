#include "narrow/certified/exact_contact.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include "narrow/certified/cross_estimate.hpp"
#include "narrow/certified/exact_roots-inl.hpp"
#include "narrow/certified/fixed_polynomial.hpp"

// Notation (docs/derivations/certified_exact.md)
//   q_i(t)    vertices of the difference of the primitives, in cyclic order: one for vertex-vertex,
//             two for vertex-edge, three for vertex-face, the four of a parallelogram for edge-edge
//   contact   the convex hull of the q_i contains the origin
// All four kinds are this one question about a moving polygon.
namespace graze::certified {
namespace {

// Coordinates of a vertex, each a polynomial that is linear in t.
template <class Linear>
using MovingVector = std::array<Linear, 3>;
// Up to four vertices, in cyclic order.
template <class Linear>
using Polygon = std::span<const MovingVector<Linear>* const>;

// Coordinate `axis` of u x w.
template <class Linear>
auto cross(const MovingVector<Linear>& u, const MovingVector<Linear>& w, std::size_t axis) {
    const std::size_t j = (axis + 1) % 3;
    const std::size_t k = (axis + 2) % 3;
    auto result = u[j] * w[k];
    result -= u[k] * w[j];
    return result;
}

// The sign of coordinate `axis` of u x w at an instant.
template <class Linear, class InstantType>
int cross_sign(const MovingVector<Linear>& u, const MovingVector<Linear>& w, std::size_t axis,
               const InstantType& now) {
    if constexpr (!std::is_same_v<InstantType, Instant>) {
        const std::size_t j = (axis + 1) % 3;
        const std::size_t k = (axis + 2) % 3;
        const SignBracket bracket{now.lower(), now.upper()};
        const auto certain = certain_sign(cross_est(u[j], u[k], w[j], w[k], bracket));
        if (certain) return *certain;
    }
    return now.sign(cross(u, w, axis));
}

template <class Linear>
auto determinant(const MovingVector<Linear>& u, const MovingVector<Linear>& v,
                 const MovingVector<Linear>& w) {
    auto result = cross(u, v, 0) * w[0];
    result += cross(u, v, 1) * w[1];
    result += cross(u, v, 2) * w[2];
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

// The vertices lie on one line through the origin: it is between them iff it is so in every
// coordinate.
template <class Linear, class InstantType>
bool line_covers_origin(Polygon<Linear> polygon, const InstantType& now) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        bool reaches_below = false;
        bool reaches_above = false;
        for (const MovingVector<Linear>* q : polygon) {
            const int sign = now.sign((*q)[axis]);
            reaches_below = reaches_below || sign <= 0;
            reaches_above = reaches_above || sign >= 0;
        }
        if (!reaches_below || !reaches_above) return false;
    }
    return true;
}

// Does the polygon contain the origin? Section CE-2.
// Requires: vertices and origin in one plane now.
template <class Linear, class InstantType>
bool covers_origin(Polygon<Linear> polygon, const InstantType& now) {
    if (polygon.size() == 1) return line_covers_origin(polygon, now);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        SeenSigns windings;
        for (std::size_t i = 0; i < polygon.size() && !windings.opposite(); ++i) {
            const MovingVector<Linear>& next = *polygon[(i + 1) % polygon.size()];
            windings.see(cross_sign(*polygon[i], next, axis, now));
        }
        if (!windings.all_zero()) return !windings.opposite();
    }
    return line_covers_origin(polygon, now);
}

// The form in which the roots of f are searched: one for all degrees.
template <class Linear>
struct SearchForm {
    using Type = ExactPolynomial;
};
template <std::size_t kCoordinateLimbs>
struct SearchForm<FixedPolynomial<1, kCoordinateLimbs>> {
    static constexpr std::size_t kLimbs = 3 * kCoordinateLimbs;
    using Type = FixedPolynomial<3, kLimbs>;
};

// search(f), with f in that form.
template <class Linear, class Polynomial, class Search>
auto in_search_form(const Polynomial& f, const Search& search) {
    using Form = typename SearchForm<Linear>::Type;
    if constexpr (std::is_same_v<Form, ExactPolynomial>) {
        return search(f);
    } else {
        // Most f are far from as wide as they could be.
        constexpr std::size_t kFew = SearchForm<FixedPolynomial<1, 1>>::kLimbs;
        const Form whole(f);
        if (SearchForm<Linear>::kLimbs > kFew &&
            fits(whole, kFew, fixed_width::kSearchReserveBits)) {
            return search(whole.template truncated<kFew>());
        }
        return search(whole);
    }
}

template <class Linear, class Polynomial>
std::optional<TimeBracket> first_covering_root(const Polynomial& f, Polygon<Linear> polygon,
                                               const Horizon& horizon) {
    const auto covers = [&](const auto& now) { return covers_origin(polygon, now); };
    return in_search_form<Linear>(f, [&]<class Form>(const Form& form) {
        if constexpr (std::is_same_v<Form, ExactPolynomial>) {
            return first_root_where(form, horizon, covers);
        } else {
            return first_root_of(form, horizon, covers);
        }
    });
}

template <class Linear>
std::optional<TimeBracket> first_contact_of(Polygon<Linear> polygon, const Horizon& horizon);

// f vanishes identically: the first contact is at t = 0 or on the boundary of the polygon, each
// part of which has `part` vertices (CE-3). Brackets of the parts give a bracket of the least time:
// the least lower end and the least upper end (CE-6).
template <class Linear>
std::optional<TimeBracket> first_contact_on_parts(Polygon<Linear> polygon, std::size_t part,
                                                  Horizon horizon) {
    const auto start = InstantOf<typename SearchForm<Linear>::Type>::at(0.0);
    if (covers_origin(polygon, start)) return TimeBracket{0.0, 0.0};
    std::optional<TimeBracket> first;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const std::array vertices = {polygon[i], polygon[(i + 1) % polygon.size()]};
        const auto found = first_contact_of(Polygon<Linear>(vertices).first(part), horizon);
        if (!found) continue;
        first = TimeBracket{std::min(found->lower, first.value_or(*found).lower), found->upper};
        horizon.t_max = found->upper;  // only what is not later matters from here on
    }
    return first;
}

// A vertex against an edge: contact needs q_0 x q_1 = 0, three quadratics.
template <class Linear>
std::optional<TimeBracket> first_contact_of_two(Polygon<Linear> polygon, const Horizon& horizon) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto f = cross(*polygon[0], *polygon[1], axis);
        f.strip_twos();
        if (!f.is_zero()) return first_covering_root(f, polygon, horizon);
    }
    return first_contact_on_parts(polygon, 1, horizon);
}

// A vertex against a vertex: contact needs q_0 = 0, three linear polynomials.
template <class Linear>
std::optional<TimeBracket> first_contact_of_one(Polygon<Linear> polygon, const Horizon& horizon) {
    for (const Linear& f : *polygon[0]) {
        if (!f.is_zero()) return first_covering_root(f, polygon, horizon);
    }
    return TimeBracket{0.0, 0.0};
}

// Of a triangle or parallelogram. The last vertex of a parallelogram is the sum of its neighbours less
// the one across, so any three vertices have the span of all.
template <class Linear>
auto coplanarity(Polygon<Linear> polygon) {
    return determinant(*polygon[0], *polygon[1], *polygon.back());
}

template <class Linear>
std::optional<TimeBracket> first_contact_of(Polygon<Linear> polygon, const Horizon& horizon) {
    if (polygon.size() == 1) return first_contact_of_one(polygon, horizon);
    if (polygon.size() == 2) return first_contact_of_two(polygon, horizon);
    const auto f = coplanarity(polygon);
    if (!f.is_zero()) return first_covering_root(f, polygon, horizon);
    return first_contact_on_parts(polygon, 2, horizon);
}

// --- From doubles to integers -------------------------------------------------------------------

// In units of two to the exponent of its axis, all coordinates are integers of at most `bits` bits.
// Contact does not change when an axis is scaled, so each has its own unit.
struct Units {
    std::array<int, 3> exponents{};
    int bits = 0;
};

Units units_of(std::span<const MovingPoint> points) noexcept {
    Units units;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        int least = std::numeric_limits<int>::max();
        int most = std::numeric_limits<int>::min();
        const auto see = [&](double x) {
            const DyadicParts parts = dyadic_parts(x);
            if (parts.significand == 0) return;
            least = std::min(least, parts.exponent);
            most = std::max(most,
                            parts.exponent + static_cast<int>(std::bit_width(parts.significand)));
        };
        for (const MovingPoint& point : points) {
            see(point.start[axis]);
            see(point.end[axis]);
        }
        units.exponents[axis] = least;
        if (least <= most) units.bits = std::max(units.bits, most - least);
    }
    return units;
}

// Differences have one bit more than coordinates, and fixed widths need five bits beside; the slopes
// of differences keep four, which is enough (CE-8).
constexpr int kSpareBits = 6;
IntegerWidth width_for(const Units& units) noexcept {
    if (units.bits <= 64 - kSpareBits) return IntegerWidth::OneLimb;
    if (units.bits <= 128 - kSpareBits) return IntegerWidth::TwoLimbs;
    return IntegerWidth::Growing;
}

// A point in those units at both ends of the step.
template <class Integer>
struct IntegerPoint {
    std::array<Integer, 3> start;
    std::array<Integer, 3> end;
};

template <class Integer>
IntegerPoint<Integer> integer_point(const MovingPoint& point, const Units& units) {
    IntegerPoint<Integer> result;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int exponent = units.exponents[axis];
        result.start[axis] = Integer(dyadic_parts(point.start[axis]), exponent);
        result.end[axis] = Integer(dyadic_parts(point.end[axis]), exponent);
    }
    return result;
}

// b - a as polynomials in t.
template <class Linear, class Integer>
MovingVector<Linear> difference(const IntegerPoint<Integer>& b, const IntegerPoint<Integer>& a) {
    MovingVector<Linear> result;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Integer start = b.start[axis] - a.start[axis];
        const Integer end = b.end[axis] - a.end[axis];
        result[axis] = Linear(std::array{start, end - start});
    }
    return result;
}

// Which vertices of the motion a vertex of the polygon is the difference of.
struct VertexPair {
    std::size_t b;
    std::size_t a;
};
template <class Motion>
constexpr auto polygon_pairs() noexcept {
    if constexpr (Motion::kKind == QueryKind::VertexFace) {
        return std::array<VertexPair, 3>{{{1, 0}, {2, 0}, {3, 0}}};
    } else if constexpr (Motion::kKind == QueryKind::EdgeEdge) {
        // b_0 - a_0, b_0 - a_1, b_1 - a_1, b_1 - a_0: neighbours differ by one edge.
        return std::array<VertexPair, 4>{{{2, 0}, {2, 1}, {3, 1}, {3, 0}}};
    } else if constexpr (Motion::kKind == QueryKind::VertexVertex) {
        return std::array<VertexPair, 1>{{{1, 0}}};
    } else {
        return std::array<VertexPair, 2>{{{1, 0}, {2, 0}}};
    }
}

// action(polygon) with coordinates as polynomials of this type.
template <class Linear, class Motion, class Action>
auto with_polygon(const Motion& motion, const Units& units, const Action& action) {
    using Integer = typename Linear::Integer;
    constexpr auto kPairs = polygon_pairs<Motion>();
    const auto vertices_in = vertices(motion);
    std::array<IntegerPoint<Integer>, Motion::kVertices> points;
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = integer_point<Integer>(vertices_in[i], units);
    std::array<MovingVector<Linear>, kPairs.size()> vectors;
    std::array<const MovingVector<Linear>*, kPairs.size()> polygon{};
    for (std::size_t i = 0; i < kPairs.size(); ++i) {
        vectors[i] = difference<Linear>(points[kPairs[i].b], points[kPairs[i].a]);
        polygon[i] = &vectors[i];
    }
    return action(Polygon<Linear>(polygon));
}

// The same with the integers of a width.
template <class Motion, class Action>
auto with_polygon_in(IntegerWidth width, const Motion& motion, const Units& units,
                     const Action& action) {
    switch (width) {
        case IntegerWidth::OneLimb:
            return with_polygon<FixedPolynomial<1, 1>>(motion, units, action);
        case IntegerWidth::TwoLimbs:
            return with_polygon<FixedPolynomial<1, 2>>(motion, units, action);
        case IntegerWidth::Growing:
            break;
    }
    return with_polygon<ExactPolynomial>(motion, units, action);
}

template <class Motion>
ExactContact contact_in(IntegerWidth width, const Motion& motion, const Units& units,
                        const Horizon& horizon) {
    const auto found =
        with_polygon_in(width, motion, units,
                        [&]<class Linear>(Polygon<Linear> polygon) -> std::optional<TimeBracket> {
                            return first_contact_of(polygon, horizon);
                        });
    constexpr double kNever = std::numeric_limits<double>::infinity();
    return found ? ExactContact{true, found->lower, found->upper}
                 : ExactContact{false, kNever, kNever};
}

}  // namespace

template <class Motion>
IntegerWidth integer_width(const Motion& motion) noexcept {
    return width_for(units_of(vertices(motion)));
}

template <class Motion>
ExactContact exact_first_contact_in(IntegerWidth width, const Motion& motion, double t_max,
                                    double time_width) {
    const Units units = units_of(vertices(motion));
    GRAZE_ASSERT(width >= width_for(units));
    return contact_in(width, motion, units, {t_max, time_width});
}

template <class Motion>
ExactContact exact_first_contact(const Motion& motion, double t_max, double time_width) {
    GRAZE_ASSERT(is_finite_motion(motion));
    const Units units = units_of(vertices(motion));
    return contact_in(width_for(units), motion, units, {t_max, time_width});
}

template <class Motion>
ExactContact narrowest_contact(const Motion& motion, double lower, double upper) {
    static_assert(Motion::kKind == QueryKind::VertexFace || Motion::kKind == QueryKind::EdgeEdge);
    GRAZE_ASSERT(is_finite_motion(motion));
    const Units units = units_of(vertices(motion));
    const TimeBracket found = with_polygon_in(
        width_for(units), motion, units, [&]<class Linear>(Polygon<Linear> polygon) -> TimeBracket {
            return in_search_form<Linear>(coplanarity(polygon), [&](const auto& f) {
                return narrowed(f, lower, upper, 0.0);
            });
        });
    return {true, found.lower, found.upper};
}
template ExactContact narrowest_contact(const VertexFaceMotion&, double, double);
template ExactContact narrowest_contact(const EdgeEdgeMotion&, double, double);

#define GRAZE_INSTANTIATE(Motion)                                                              \
    template IntegerWidth integer_width(const Motion&) noexcept;                               \
    template ExactContact exact_first_contact_in(IntegerWidth, const Motion&, double, double); \
    template ExactContact exact_first_contact(const Motion&, double, double);
GRAZE_INSTANTIATE(VertexFaceMotion)
GRAZE_INSTANTIATE(EdgeEdgeMotion)
GRAZE_INSTANTIATE(VertexVertexMotion)
GRAZE_INSTANTIATE(VertexEdgeMotion)
#undef GRAZE_INSTANTIATE

}  // namespace graze::certified
