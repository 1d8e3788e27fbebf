// first_contact: the first time at which the origin lies in a moving hull.
//
// For a triangle A B C with normal N = A x B + B x C + C x A and f = det(A, B, C), the origin lies
//   strictly inside   iff  f = 0 and g_AB, g_BC, g_CA > 0, where g_XY = (X x Y) . N;
//   on the edge X Y   iff  X x Y = 0 and X . Y <= 0          (also right for X = Y and for X = 0).
// The hull of a triangle, zero-area ones included, is the union of its inside and its edges; a
// zero-area triangle has N = 0, so that all g vanish, and is the union of its edges alone.
// Derivation and the treatment of identically vanishing polynomials: docs/derivations/oracle.md.
#include <optional>

#include "default_arithmetic.hpp"
#include "descartes.hpp"
#include "exact_motion.hpp"
#include "graze/oracle/oracle.hpp"

namespace graze::oracle {
namespace {

using Time = std::optional<AlgebraicNumber>;

AlgebraicNumber time_zero() {
    return AlgebraicNumber::at({0, 0});
}

Time earlier(Time a, Time b) {
    if (!a) return b;
    if (!b) return a;
    return a->compare(*b) <= 0 ? a : b;
}

// First t in [0, 1] with h(t) <= 0.
Time first_non_positive(const Poly& h) {
    if (h.is_zero() || sgn(h.coefficient(0)) <= 0) return time_zero();
    auto roots = roots_in_unit_interval(h);
    if (roots.empty()) return std::nullopt;
    return roots.front();
}

// First t in [0, 1] at which the origin lies on the segment X Y.
Time first_on_segment(const VectorPoly& x, const VectorPoly& y) {
    const Poly h = dot(x, y);
    Poly common;  // vanishes exactly where X x Y does
    for (const Poly& component : cross(x, y)) {
        common = gcd(common, component);
        if (common.degree() == 0) return std::nullopt;
    }
    if (common.is_zero()) return first_non_positive(h);
    for (const AlgebraicNumber& root : roots_in_unit_interval(common)) {
        if (root.sign_of(h) <= 0) return root;
    }
    return std::nullopt;
}

// First t in [0, 1] at which the origin lies strictly inside the triangle, as far as the edges do
// not already give an earlier or equal time.
Time first_strictly_inside(const VectorPoly& a, const VectorPoly& b, const VectorPoly& c) {
    const VectorPoly ab = cross(a, b);
    const Poly f = dot(ab, c);
    const bool always_coplanar = f.is_zero();
    // f = 0 throughout: the set of inside times is open, so that it can only begin at t = 0; any
    // other begin lies on an edge.
    std::vector<AlgebraicNumber> times;
    if (always_coplanar) {
        times.push_back(time_zero());
    } else {
        times = roots_in_unit_interval(f);
    }
    if (times.empty()) return std::nullopt;
    const VectorPoly bc = cross(b, c);
    const VectorPoly ca = cross(c, a);
    const VectorPoly normal = ab + bc + ca;
    const std::array<Poly, 3> g = {dot(ab, normal), dot(bc, normal), dot(ca, normal)};
    for (const AlgebraicNumber& t : times) {
        if (t.sign_of(g[0]) > 0 && t.sign_of(g[1]) > 0 && t.sign_of(g[2]) > 0) return t;
    }
    return std::nullopt;
}

Time first_in_hull(const Hull& hull) {
    if (hull.size() == 1) return first_on_segment(hull[0], hull[0]);
    if (hull.size() == 2) return first_on_segment(hull[0], hull[1]);
    Time first = first_strictly_inside(hull[0], hull[1], hull[2]);
    for (std::size_t i = 0; i < 3; ++i) {
        first = earlier(std::move(first), first_on_segment(hull[i], hull[(i + 1) % 3]));
    }
    return first;
}

Truth first_contact_of(const IntegerMotion& motion) {
    Time first;
    for (const Hull& hull : difference_hulls(motion)) {
        first = earlier(std::move(first), first_in_hull(hull));
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (!first) return {State::Separated, kInfinity, kInfinity};
    const auto [lower, upper] = first->double_bracket();
    return {State::Contact, lower, upper};
}

}  // namespace

Truth first_contact(const Query& query) {
    return with_default_arithmetic(
        [&]() -> Truth {
            if (!is_finite(query)) return {};
            return first_contact_of(scaled_per_axis(query));
        },
        Truth{});
}

Truth first_contact_in(const Query& query, double begin, double end) {
    return with_default_arithmetic(
        [&]() -> Truth {
            if (!is_finite(query) || !(0.0 <= begin && begin < end && end <= 1.0)) return {};
            return first_contact_of(restricted_to(scaled_per_axis(query), begin, end));
        },
        Truth{});
}

}  // namespace graze::oracle
