#include "baselines/root_parity/origin_in_plane.hpp"

#include <algorithm>

namespace graze::parity {
namespace {

bool is_zero(const AreaVector& v) noexcept {
    return v[0].sign() == 0 && v[1].sign() == 0 && v[2].sign() == 0;
}

// Two points in line with the origin have it between them iff they do not point the same way.
bool segment_holds_origin(const Point& a, const Point& b, const AreaVector& a_cross_b) noexcept {
    return is_zero(a_cross_b) && dot(a, b).sign() <= 0;
}

// p(s) = p0 + p1 s + p2 s^2, the coefficients sums of up to three areas; p1 + 2 p2 of nine: four
// bits.
constexpr int kFormBits = kAreaBits + 4;
using Form = BigInteger<kFormBits>;
struct Quadratic {
    Form p0, p1, p2;
    [[nodiscard]] bool is_zero() const noexcept {
        return p0.sign() == 0 && p1.sign() == 0 && p2.sign() == 0;
    }
};

// From p(s) = b0 (1-s)^2 + b1 s (1-s) + b2 s^2.
Quadratic quadratic(const Area& b0, const Area& b1, const Area& b2) noexcept {
    const Form start(b0);
    const Form middle(b1);
    return {start, middle - start - start, start - middle + Form(b2)};
}

// A(s) x B(s), coordinate `axis`, and A(s) . B(s), for A from q0 to q1 and B from q2 to q3.
Quadratic cross_of_ends(const std::array<Point, 4>& q, std::size_t axis) noexcept {
    return quadratic(cross_coordinate(q[0], q[2], axis),
                     cross_coordinate(q[0], q[3], axis) + cross_coordinate(q[1], q[2], axis),
                     cross_coordinate(q[1], q[3], axis));
}
Quadratic dot_of_ends(const std::array<Point, 4>& q) noexcept {
    return quadratic(dot(q[0], q[2]), dot(q[0], q[3]) + dot(q[1], q[2]), dot(q[1], q[3]));
}

// Is p(s) <= 0 for some s in [0, 1]? At an end, or at the lowest point -p1 / (2 p2) between them,
// where p = (4 p0 p2 - p1^2) / (4 p2).
bool reaches_zero_from_above(const Quadratic& p) noexcept {
    if (p.p0.sign() <= 0 || (p.p0 + p.p1 + p.p2).sign() <= 0) return true;
    if (p.p2.sign() <= 0) return false;
    const Form twice = p.p2 + p.p2;
    const bool inside = p.p1.sign() < 0 && (p.p1 + twice).sign() > 0;
    constexpr int kBits = 2 * (kFormBits + 1);
    return inside && product<kBits>(p.p0 + p.p0, twice) <= product<kBits>(p.p1, p.p1);
}

// The sign of l0 + l1 s at a root s of the quadratic c with c2 != 0, by
//   2 c2 (l0 + l1 s) = P + Q R,  P = 2 c2 l0 - l1 c1,  Q = +-l1,  R = sqrt(c1^2 - 4 c0 c2):
// where P and Q differ in sign, P^2 and Q^2 R^2 are compared.
// `Line` are integers of 2 kFormBits + 1 bits: what is left of a quadratic modulo c.
constexpr int kLineBits = 2 * kFormBits + 1;
using Line = BigInteger<kLineBits>;
class QuadraticRoots {
public:
    explicit QuadraticRoots(const Quadratic& c) noexcept
        : c_(c),
          discriminant_(product<kDiscriminantBits>(c.p1, c.p1) -
                        product<kDiscriminantBits>(c.p0 + c.p0, c.p2 + c.p2)) {}

    [[nodiscard]] bool are_real() const noexcept { return discriminant_.sign() >= 0; }
    // Requires: are_real(); which = 1 or -1, the sign before the square root.
    [[nodiscard]] int sign_of(const Line& l0, const Line& l1, int which) const noexcept {
        const auto p = product<kPBits>(l0, c_.p2 + c_.p2) - product<kPBits>(l1, c_.p1);
        const int q_sign = discriminant_.sign() == 0 ? 0 : which * l1.sign();
        return sum_sign(p, q_sign, l1) * c_.p2.sign();
    }

private:
    static constexpr int kDiscriminantBits = 2 * (kFormBits + 1) + 1;
    static constexpr int kPBits = kLineBits + kFormBits + 2;
    static constexpr int kSquareBits = std::max(2 * kPBits, 2 * kLineBits + kDiscriminantBits);

    Quadratic c_;
    BigInteger<kDiscriminantBits> discriminant_;

    [[nodiscard]] int sum_sign(const BigInteger<kPBits>& p, int q_sign,
                               const Line& q) const noexcept {
        if (p.sign() == 0) return q_sign;
        if (p.sign() != -q_sign) return p.sign();
        const auto q_sq = product<2 * kLineBits>(q, q);
        return p.sign() *
               compare(product<kSquareBits>(p, p), product<kSquareBits>(q_sq, discriminant_));
    }
};

// Is d <= 0 at a root of c in [0, 1], for c2 != 0? Modulo c, and times c2^2 > 0, d is the line
// c2 (c2 d - d2 c); its factor c2 is left to the sign.
bool is_met_at_a_root(const Quadratic& c, const Quadratic& d) noexcept {
    const QuadraticRoots roots(c);
    if (!roots.are_real()) return false;
    const auto line = [&](const Form& dk, const Form& ck) {
        return product<kLineBits>(dk, c.p2) - product<kLineBits>(d.p2, ck);
    };
    const Line l0 = line(d.p0, c.p0);
    const Line l1 = line(d.p1, c.p1);
    for (const int which : {1, -1}) {
        if (roots.sign_of(Line(0), Line(1), which) < 0) continue;   // s < 0
        if (roots.sign_of(Line(1), Line(-1), which) < 0) continue;  // 1 - s < 0
        if (roots.sign_of(l0, l1, which) * c.p2.sign() <= 0) return true;
    }
    return false;
}

// The same for c2 = 0, c1 != 0, where the root is s = -c0 / c1, and c1^2 d(s) is a sum of products.
bool is_met_at_the_root(const Quadratic& c, const Quadratic& d) noexcept {
    const int slope = c.p1.sign();
    if (c.p0.sign() * slope > 0 || (c.p0 + c.p1).sign() * slope < 0) return false;
    constexpr int kSquareBits = 2 * kFormBits;
    constexpr int kBits = 3 * kFormBits + 2;
    const auto value = product<kBits>(product<kSquareBits>(c.p1, c.p1), d.p0) -
                       product<kBits>(product<kSquareBits>(c.p0, c.p1), d.p1) +
                       product<kBits>(product<kSquareBits>(c.p0, c.p0), d.p2);
    return value.sign() <= 0;
}

}  // namespace

bool triangle_holds_origin(const Point& a, const Point& b, const Point& c) noexcept {
    const std::array<AreaVector, 3> weights = {cross(b, c), cross(c, a), cross(a, b)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // Twice the area along this axis; the weights are its parts, hence of its sign or 0.
        const Form area = Form(weights[0][axis]) + Form(weights[1][axis]) + Form(weights[2][axis]);
        if (area.sign() == 0) continue;
        return std::none_of(weights.begin(), weights.end(), [&](const AreaVector& weight) {
            return weight[axis].sign() == -area.sign();
        });
    }
    return segment_holds_origin(b, c, weights[0]) || segment_holds_origin(c, a, weights[1]) ||
           segment_holds_origin(a, b, weights[2]);
}

// The patch is swept by the segment from A(s) to B(s), s in [0, 1]. The origin is on that segment
// iff A x B = 0 and A . B <= 0. All A x B are multiples of one vector, the normal of the plane, so
// that a coordinate in which they are not all 0 stands for them.
bool flat_patch_holds_origin(const std::array<Point, 4>& q) noexcept {
    const Quadratic d = dot_of_ends(q);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Quadratic c = cross_of_ends(q, axis);
        if (c.is_zero()) continue;
        if (c.p2.sign() != 0) return is_met_at_a_root(c, d);
        return c.p1.sign() != 0 && is_met_at_the_root(c, d);
    }
    return reaches_zero_from_above(d);
}

}  // namespace graze::parity
