// first_contact_by_decomposition: cuts [0, 1] at every sign change and visits the cells in order.
//
// Formulation native to each kind (no reduction to triangles of differences for edges):
//   vertex-face    where the face has a normal N, with N_k != 0 for some axis k, project along k:
//                  touching iff f = 0 and the three areas (X x Y)_k have the sign of N_k or are zero;
//                  where N = 0: iff every X x Y = 0 and each coordinate's range contains zero.
//   edge-edge      where N = (a1 - a0) x (b1 - b0) has N_k != 0: touching iff f = 0 and Cramer's rule
//                  in the projection along k gives u, v in [0, 1];
//                  where N = 0 (parallel or of no length): iff an end of one lies on the other.
//   vertex-edge    X x Y = 0 and each coordinate's range contains zero.
//   vertex-vertex  all coordinates zero.
// The truth of each is a function of the signs of finitely many polynomials of degree <= 3.
#include <functional>
#include <stdexcept>

#include "default_arithmetic.hpp"
#include "exact_motion.hpp"
#include "graze/oracle/oracle.hpp"
#include "sturm.hpp"

namespace graze::oracle {
namespace {

// Collects the polynomials of a formulation; a formula refers to them by number.
class SignTable {
public:
    using Index = std::size_t;

    Index add(Poly p) {
        polys_.push_back(primitive_part(p));
        return polys_.size() - 1;
    }
    std::array<Index, 3> add(const VectorPoly& v) { return {add(v[0]), add(v[1]), add(v[2])}; }
    [[nodiscard]] const std::vector<Poly>& polys() const noexcept { return polys_; }

private:
    std::vector<Poly> polys_;
};

using Index = SignTable::Index;
using Indices = std::array<Index, 3>;
using SignOf = std::function<int(Index)>;
using Formula = std::function<bool(const SignOf&)>;

bool all_zero(const Indices& v, const SignOf& sign) {
    return sign(v[0]) == 0 && sign(v[1]) == 0 && sign(v[2]) == 0;
}

// Zero lies between the smallest and the largest of the values.
bool range_contains_zero(std::initializer_list<int> signs) {
    bool some_non_negative = false;
    bool some_non_positive = false;
    for (const int s : signs) {
        some_non_negative |= s >= 0;
        some_non_positive |= s <= 0;
    }
    return some_non_negative && some_non_positive;
}

Formula vertex_on_vertex(SignTable& table, const VectorPoly& difference) {
    const Indices d = table.add(difference);
    return [d](const SignOf& sign) { return all_zero(d, sign); };
}

// The origin on the segment from x to y.
Formula origin_on_segment(SignTable& table, const VectorPoly& x, const VectorPoly& y) {
    const Indices area = table.add(cross(x, y));
    const Indices xs = table.add(x);
    const Indices ys = table.add(y);
    return [=](const SignOf& sign) {
        if (!all_zero(area, sign)) return false;
        for (std::size_t k = 0; k < 3; ++k) {
            if (!range_contains_zero({sign(xs[k]), sign(ys[k])})) return false;
        }
        return true;
    };
}

// The origin in the triangle a, b, c.
Formula origin_in_triangle(SignTable& table, const VectorPoly& a, const VectorPoly& b,
                           const VectorPoly& c) {
    const VectorPoly normal = cross(b - a, c - a);
    const Index f = table.add(dot(a, normal));
    const Indices n = table.add(normal);
    const std::array<Indices, 3> area = {table.add(cross(a, b)), table.add(cross(b, c)),
                                         table.add(cross(c, a))};
    const std::array<Indices, 3> corner = {table.add(a), table.add(b), table.add(c)};
    return [=](const SignOf& sign) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int s = sign(n[k]);
            if (s == 0) continue;
            return sign(f) == 0 && sign(area[0][k]) * s >= 0 && sign(area[1][k]) * s >= 0 &&
                   sign(area[2][k]) * s >= 0;
        }
        for (std::size_t k = 0; k < 3; ++k) {
            if (!all_zero(area[k], sign)) return false;
            if (!range_contains_zero(
                    {sign(corner[0][k]), sign(corner[1][k]), sign(corner[2][k])})) {
                return false;
            }
        }
        return true;
    };
}

// Edges a0 a1 and b0 b1: a0 + u p = b0 + v q with p = a1 - a0, q = b1 - b0, w = b0 - a0. Crossing
// both sides with q and with p gives u (p x q) = w x q and v (p x q) = w x p.
Formula edges_touch(SignTable& table, const std::array<VectorPoly, 4>& corner) {
    const auto& [a0, a1, b0, b1] = corner;
    const VectorPoly p = a1 - a0;
    const VectorPoly q = b1 - b0;
    const VectorPoly w = b0 - a0;
    const VectorPoly normal = cross(p, q);
    const VectorPoly u_num = cross(w, q);
    const VectorPoly v_num = cross(w, p);
    const Index f = table.add(dot(w, normal));
    const Indices n = table.add(normal);
    // Numerators of u, 1 - u, v, 1 - v over the common denominator N.
    const std::array<Indices, 4> numerators = {table.add(u_num), table.add(normal - u_num),
                                               table.add(v_num), table.add(normal - v_num)};
    const std::array<Formula, 4> ends = {
        origin_on_segment(table, b0 - a0, b1 - a0), origin_on_segment(table, b0 - a1, b1 - a1),
        origin_on_segment(table, a0 - b0, a1 - b0), origin_on_segment(table, a0 - b1, a1 - b1)};
    return [=](const SignOf& sign) {
        for (std::size_t k = 0; k < 3; ++k) {
            const int s = sign(n[k]);
            if (s == 0) continue;
            if (sign(f) != 0) return false;
            for (const Indices& numerator : numerators) {
                if (sign(numerator[k]) * s < 0) return false;
            }
            return true;
        }
        return ends[0](sign) || ends[1](sign) || ends[2](sign) || ends[3](sign);
    };
}

Formula native_formula(SignTable& table, const IntegerMotion& motion) {
    const auto path = [&](std::size_t c) { return corner_path(motion, c); };
    switch (motion.kind) {
        case Kind::VertexVertex:
            return vertex_on_vertex(table, path(1) - path(0));
        case Kind::VertexEdge: {
            return origin_on_segment(table, path(1) - path(0), path(2) - path(0));
        }
        case Kind::VertexFace: {
            return origin_in_triangle(table, path(1) - path(0), path(2) - path(0),
                                      path(3) - path(0));
        }
        case Kind::EdgeEdge:
            break;
    }
    return edges_touch(table, {path(0), path(1), path(2), path(3)});
}

// A point of [0, 1] at which some polynomial may change sign.
struct Cut {
    SturmRoot at;
    std::vector<bool> vanishes;  // by polynomial
};

// Every root in [0, 1] of every polynomial, and 0 and 1 themselves, ascending, each once.
std::vector<Cut> all_cuts(const std::vector<Poly>& polys) {
    const std::vector<bool> none(polys.size(), false);
    std::vector<Cut> cuts = {{sturm_zero(), none}, {sturm_one(), none}};
    for (Index i = 0; i < polys.size(); ++i) {
        for (SturmRoot& root : sturm_roots_in_unit_interval(polys[i])) {
            std::size_t place = 0;
            int order = 1;
            while ((order = sturm_compare(root, cuts[place].at)) > 0)
                ++place;  // ends at 1
            const auto position = cuts.begin() + static_cast<std::ptrdiff_t>(place);
            if (order != 0) cuts.insert(position, {root, none});
            cuts[place].vanishes[i] = true;
        }
    }
    return cuts;
}

std::vector<int> signs_at(const std::vector<Poly>& polys, const mpq_class& t) {
    std::vector<int> signs;
    signs.reserve(polys.size());
    for (const Poly& p : polys)
        signs.push_back(sign_at(p, t));
    return signs;
}

// Signs in the cell between two neighbouring cuts, at a rational point of it.
std::vector<int> signs_between(const std::vector<Poly>& polys, Cut& below, Cut& above) {
    if (sturm_compare(below.at, above.at) >= 0) throw std::logic_error("oracle: cuts out of order");
    return signs_at(polys, below.at.upper);  // the intervals are disjoint by now
}

// A polynomial that does not vanish at a cut has there the sign that it has in the cells beside it.
std::vector<int> signs_on(const Cut& cut, std::vector<int> signs_beside) {
    for (Index i = 0; i < signs_beside.size(); ++i) {
        if (cut.vanishes[i]) signs_beside[i] = 0;
    }
    return signs_beside;
}

bool holds(const Formula& formula, const std::vector<int>& signs) {
    return formula([&](Index i) { return signs[i]; });
}

Truth contact_at(const SturmRoot& root) {
    const auto [lower, upper] = sturm_double_bracket(root);
    return {State::Contact, lower, upper};
}

Truth decomposed(const Query& query) {
    if (!is_finite(query)) return {};
    SignTable table;
    const Formula formula = native_formula(table, scaled_per_axis(query));
    std::vector<Cut> cuts = all_cuts(table.polys());
    std::vector<int> beside = signs_between(table.polys(), cuts[0], cuts[1]);
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        if (holds(formula, signs_on(cuts[i], beside))) return contact_at(cuts[i].at);
        if (i + 1 == cuts.size()) break;
        beside = signs_between(table.polys(), cuts[i], cuts[i + 1]);
        // Contact is a closed condition: a cell cannot touch unless the cut before it does.
        if (holds(formula, beside)) throw std::logic_error("oracle: contact begins inside a cell");
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {State::Separated, kInfinity, kInfinity};
}

}  // namespace

Truth first_contact_by_decomposition(const Query& query) {
    return with_default_arithmetic([&] { return decomposed(query); }, Truth{});
}

}  // namespace graze::oracle
