// first_within and minimum_distance: the origin and a moving hull, fattened by a ball or a cube.
//
// Both norms lead to conditions on the signs of polynomials, closed as a whole, so the first time
// is t = 0 or a root of one of them: between roots nothing changes, and a closed set has a first
// point.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "default_arithmetic.hpp"
#include "descartes.hpp"
#include "exact_motion.hpp"
#include "graze/oracle/distance_estimate.hpp"
#include "graze/oracle/oracle.hpp"

namespace graze::oracle {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Time = std::optional<AlgebraicNumber>;

// Euclidean norm.
//
// distance(0, hull) <= d iff one of these clauses holds, X, Y corners, N the normal of A B C:
//   corner X    |X|^2 <= d^2
//   edge X Y    |X x Y|^2 <= d^2 |X - Y|^2, X.(X - Y) >= 0, Y.(Y - X) >= 0, |X - Y|^2 > 0
//   face        f^2 <= d^2 |N|^2, g_AB, g_BC, g_CA >= 0, |N|^2 > 0
// with f and g as in contact.cpp.
// The last condition of a clause keeps degenerate edges and faces out; they are the union of the
// lower features.
struct Clause {
    std::vector<Poly> non_positive;
    std::vector<Poly> non_zero;
};

Clause corner_clause(const VectorPoly& x, const mpz_class& d_sq) {
    return {{dot(x, x) - Poly::constant(d_sq)}, {}};
}

Clause edge_clause(const VectorPoly& x, const VectorPoly& y, const mpz_class& d_sq) {
    const VectorPoly area = cross(x, y);
    const VectorPoly along = x - y;
    const Poly length_sq = dot(along, along);
    return {{dot(area, area) - Poly::constant(d_sq) * length_sq, -dot(x, along), dot(y, along)},
            {length_sq}};
}

Clause face_clause(const Hull& hull, const mpz_class& d_sq) {
    const VectorPoly ab = cross(hull[0], hull[1]);
    const VectorPoly bc = cross(hull[1], hull[2]);
    const VectorPoly ca = cross(hull[2], hull[0]);
    const VectorPoly normal = ab + bc + ca;
    const Poly f = dot(ab, hull[2]);
    const Poly normal_sq = dot(normal, normal);
    return {{f * f - Poly::constant(d_sq) * normal_sq, -dot(ab, normal), -dot(bc, normal),
             -dot(ca, normal)},
            {normal_sq}};
}

bool clause_holds(const Clause& clause, const AlgebraicNumber& t) {
    for (const Poly& p : clause.non_positive) {
        if (t.sign_of(p) > 0) return false;
    }
    for (const Poly& p : clause.non_zero) {
        if (t.sign_of(p) == 0) return false;
    }
    return true;
}

std::vector<Clause> euclidean_clauses(const Hull& hull, const mpz_class& d) {
    const mpz_class d_sq = d * d;
    std::vector<Clause> clauses;
    for (const VectorPoly& x : hull)
        clauses.push_back(corner_clause(x, d_sq));
    for (std::size_t i = 0; i < hull.size(); ++i) {
        for (std::size_t j = i + 1; j < hull.size(); ++j) {
            clauses.push_back(edge_clause(hull[i], hull[j], d_sq));
        }
    }
    if (hull.size() == 3) clauses.push_back(face_clause(hull, d_sq));
    return clauses;
}

// 0 and the roots in [0, 1] of the polynomials of a clause: if the whole condition begins at t*, then t*
// is one of these for a clause that holds there. (Polynomials that vanish identically never obstruct,
// and the conditions "not zero" are open: neither can be what begins at t*.)
// A clause with a condition that holds nowhere has none.
std::vector<AlgebraicNumber> candidate_times(const Clause& clause) {
    std::vector<AlgebraicNumber> times;
    if (std::any_of(clause.non_positive.begin(), clause.non_positive.end(),
                    [](const Poly& p) { return is_surely_positive_in_unit_interval(p); }))
        return times;
    for (const Poly& p : clause.non_positive) {
        for (const AlgebraicNumber& root : roots_in_unit_interval(p))
            times.push_back(root);
    }
    return times;
}

bool any_holds_at_start(const std::vector<Clause>& clauses) {
    const AlgebraicNumber start = AlgebraicNumber::at({0, 0});
    return std::any_of(clauses.begin(), clauses.end(),
                       [&](const Clause& clause) { return clause_holds(clause, start); });
}

Time first_within_euclidean(const Hull& hull, const mpz_class& d, Time best) {
    const std::vector<Clause> clauses = euclidean_clauses(hull, d);
    if (any_holds_at_start(clauses)) return AlgebraicNumber::at({0, 0});
    for (const Clause& clause : clauses) {
        for (const AlgebraicNumber& t : candidate_times(clause)) {
            if ((!best || t.compare(*best) < 0) && clause_holds(clause, t)) best = t;
        }
    }
    return best;
}

// Whether the distance is ever <= d, without ordering times.
bool ever_within_euclidean(const Hull& hull, const mpz_class& d) {
    const std::vector<Clause> clauses = euclidean_clauses(hull, d);
    if (any_holds_at_start(clauses)) return true;
    return std::any_of(clauses.begin(), clauses.end(), [](const Clause& clause) {
        const std::vector<AlgebraicNumber> times = candidate_times(clause);
        return std::any_of(times.begin(), times.end(),
                           [&](const AlgebraicNumber& t) { return clause_holds(clause, t); });
    });
}

// Max-norm.
//
// distance(0, hull) > d iff a direction n separates the hull, fattened by the cube [-d, d]^3, from
// the origin: n.X + d |n|_1 < 0 for every corner X. The normals of the facets of the fattened hull
// suffice: +-axes, +-N, and +-(edge x axis). (|n|_1 is the largest of s.n over the signs s.)
struct Direction {
    std::vector<Poly> all_negative;  // n.X + d s.n over corners X and signs s
};

Direction direction(const VectorPoly& n, const Hull& hull, const mpz_class& d) {
    Direction result;
    std::vector<Poly> fattening;
    for (int signs = 0; signs < 8; ++signs) {
        Poly sum;
        bool redundant = false;
        for (int k = 0; k < 3; ++k) {
            const Poly& component = n[static_cast<std::size_t>(k)];
            const bool negative = (signs >> k & 1) != 0;
            redundant |= negative && component.is_zero();
            sum = negative ? sum - component : sum + component;
        }
        if (!redundant) fattening.push_back(Poly::constant(d) * sum);
    }
    for (const VectorPoly& x : hull) {
        const Poly along = dot(n, x);
        for (const Poly& fat : fattening)
            result.all_negative.push_back(along + fat);
    }
    return result;
}

std::vector<Direction> facet_directions(const Hull& hull, const mpz_class& d) {
    const Poly one = Poly::constant(1);
    const std::array<VectorPoly, 3> axes = {VectorPoly{one, Poly(), Poly()},
                                            VectorPoly{Poly(), one, Poly()},
                                            VectorPoly{Poly(), Poly(), one}};
    std::vector<VectorPoly> normals(axes.begin(), axes.end());
    for (std::size_t i = 0; i < hull.size(); ++i) {
        for (std::size_t j = i + 1; j < hull.size(); ++j) {
            for (const VectorPoly& axis : axes)
                normals.push_back(cross(hull[j] - hull[i], axis));
        }
    }
    if (hull.size() == 3) normals.push_back(cross(hull[1] - hull[0], hull[2] - hull[0]));
    std::vector<Direction> directions;
    for (const VectorPoly& n : normals) {
        directions.push_back(direction(n, hull, d));
        directions.push_back(direction({-n[0], -n[1], -n[2]}, hull, d));
    }
    return directions;
}

bool separates(const Direction& direction, const AlgebraicNumber& t) {
    return std::all_of(direction.all_negative.begin(), direction.all_negative.end(),
                       [&](const Poly& p) { return t.sign_of(p) < 0; });
}

// A direction that separates at t goes on separating until the first root of its polynomials above
// t.
Time end_of_separation(const Direction& direction, const AlgebraicNumber& t) {
    Time end;
    for (const Poly& p : direction.all_negative) {
        for (const AlgebraicNumber& root : roots_in_unit_interval(p)) {
            if (root.compare(t) <= 0) continue;
            if (!end || root.compare(*end) < 0) end = root;
            break;
        }
    }
    return end;
}

// Walks from one separating direction to the next; the first time without one is the answer.
// Finite: each step ends at a root, and there are finitely many.
Time first_within_max_norm(const Hull& hull, const mpz_class& d, const Time& best) {
    const std::vector<Direction> directions = facet_directions(hull, d);
    Time t = AlgebraicNumber::at({0, 0});
    while (t && !(best && t->compare(*best) >= 0)) {
        const auto separating =
            std::find_if(directions.begin(), directions.end(),
                         [&](const Direction& candidate) { return separates(candidate, *t); });
        if (separating == directions.end()) return t;
        t = end_of_separation(*separating, *t);
    }
    return best;
}

// For d = 0 distances need not keep their meaning, and scaling per axis keeps numbers short.
ScaledMotion scaled_for(const Query& query, double separation) {
    if (separation == 0.0) return {scaled_per_axis(query), 0};
    return scaled_uniformly(query, separation);
}

Truth found_within(const Query& query, double separation, Norm norm) {
    if (!is_finite(query) || !(separation >= 0.0 && separation < kInfinity)) return {};
    const ScaledMotion scaled = scaled_for(query, separation);
    Time first;
    for (const Hull& hull : difference_hulls(scaled.motion)) {
        first = norm == Norm::Euclidean ? first_within_euclidean(hull, scaled.separation, first)
                                        : first_within_max_norm(hull, scaled.separation, first);
    }
    if (!first) return {State::Separated, kInfinity, kInfinity};
    const auto [lower, upper] = first->double_bracket();
    return {State::Contact, lower, upper};
}

// A search over the bit patterns of the doubles, from a guess on in steps that grow fourfold, and then
// binary. Requires: within(0) is false, and within is monotone.
template <class Within>
DistanceBracket least_within(const Within& within, double guess) {
    // within(low) is false; high is infinite or within(high) is true.
    std::uint64_t low = 0;
    std::uint64_t high = std::bit_cast<std::uint64_t>(kInfinity);
    const auto test = [&](std::uint64_t at) {
        const bool is_within = within(std::bit_cast<double>(at));
        (is_within ? high : low) = at;
        return is_within;
    };
    if (guess > 0.0 && guess < kInfinity) {
        const std::uint64_t first = std::bit_cast<std::uint64_t>(guess);
        const bool down = test(first);
        // After 4^31 the step is zero again: halving does the rest.
        for (std::uint64_t step = 1; step != 0 && step < high - low; step *= 4) {
            const std::uint64_t next = down ? high - step : low + step;
            if (test(next) != down) break;
        }
    }
    while (high - low > 1)
        test(low + (high - low) / 2);
    return {true, std::bit_cast<double>(low), std::bit_cast<double>(high)};
}

DistanceBracket found_distance(const Query& query, Norm norm) {
    if (!is_finite(query)) return {};
    const auto within = [&](double d) {
        const ScaledMotion scaled = scaled_for(query, d);
        const std::vector<Hull> hulls = difference_hulls(scaled.motion);
        return std::any_of(hulls.begin(), hulls.end(), [&](const Hull& hull) {
            return norm == Norm::Euclidean
                       ? ever_within_euclidean(hull, scaled.separation)
                       : first_within_max_norm(hull, scaled.separation, {}).has_value();
        });
    };
    if (within(0.0)) return {true, 0.0, 0.0};
    return least_within(within, estimated_minimum_distance(query, norm));
}

}  // namespace

Truth first_within(const Query& query, double separation, Norm norm) {
    return with_default_arithmetic([&] { return found_within(query, separation, norm); }, Truth{});
}

DistanceBracket minimum_distance(const Query& query, Norm norm) {
    return with_default_arithmetic([&] { return found_distance(query, norm); }, DistanceBracket{});
}

}  // namespace graze::oracle
