// Points and segments that move within a coordinate plane (docs/derivations/certified.md, CERT-5).
//
// Contract: each function decides (with proof) or passes on; never wrong.
//
// Notation
//   p, q        the two coordinates in the plane, scaled; m_p, m_q their largest magnitudes
//   i, j        vertices of the difference polygon that stay in the plane
//   end         0: start of the step, 1: its end
//   h           p_i q_j - q_i p_j: zero iff the origin is on the line through i and j
//   mask        bits of vertices
//
// Error bounds
//   h at ends          8u m_p m_q: two products of differences with one rounding error each, the
//                      product a third, the subtraction a fourth. Tested against 16u m_p m_q.
//   p or q at a root   (4u + 2w) m, as D(r) in inside-inl.hpp. Tested against (6u + 3w) m.
//   the cubic of h     c_i err by 34u m_p m_q, |b_i| <= 2 m_p m_q; cubic-inl.hpp allows 180u and 6
//   signs              exact, as they are those of unscaled differences
#if defined(GRAZE_TIERS_PLANE_MOTION_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_PLANE_MOTION_INL_HPP
#undef GRAZE_TIERS_PLANE_MOTION_INL_HPP
#else
#define GRAZE_TIERS_PLANE_MOTION_INL_HPP
#endif

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/cubic-inl.hpp"
#include "narrow/certified/tiers/error_forms.hpp"
#include "narrow/certified/tiers/first_contact-inl.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/inside-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/root-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// One coordinate of the four D at both ends, by vertex.
struct Coordinate {
    double at[2][4];
    double m;
};
GRAZE_FAST Coordinate coordinate(const Quad (&d)[2], double m) noexcept {
    Coordinate c;
    store(d[0], c.at[0]);
    store(d[1], c.at[1]);
    c.m = m;
    return c;
}

// The signs of one coordinate of D, exact: bits by vertex, at both ends.
struct Signs {
    unsigned positive[2];
    unsigned negative[2];

    // Vertices of the mask all strictly on one side, at both ends.
    GRAZE_FAST bool separates(unsigned mask) const noexcept {
        return (positive[0] & positive[1] & mask) == mask ||
               (negative[0] & negative[1] & mask) == mask;
    }
    GRAZE_FAST bool separates_at(int end, unsigned mask) const noexcept {
        return (positive[end] & mask) == mask || (negative[end] & mask) == mask;
    }
    GRAZE_FAST bool are_weakly_one_sided() const noexcept {
        return (positive[0] | positive[1]) == 0U || (negative[0] | negative[1]) == 0U;
    }
    GRAZE_FAST unsigned zeros(int end) const noexcept {
        return 15U & ~(positive[end] | negative[end]);
    }
};
GRAZE_FAST Signs signs_of(Quad start, Quad end) noexcept {
    const Quad zero = all(0.0);
    return {{above(start, zero), above(end, zero)}, {above(zero, start), above(zero, end)}};
}

struct PlaneMotion {
    Coordinate p;
    Coordinate q;
    Signs sign_p;
    Signs sign_q;
};

// h with i at one end, j at the other.
GRAZE_FAST double cross_2d(const PlaneMotion& c, int i, int at_i, int j, int at_j) noexcept {
    return c.p.at[at_i][i] * c.q.at[at_j][j] - c.q.at[at_i][i] * c.p.at[at_j][j];
}
static_assert(error_forms::units(error_forms::kCross) == 8);
GRAZE_PIECE double cross_2d_error(const PlaneMotion& c) noexcept {
    return 16.0 * kU * (c.p.m * c.q.m) + kUnderflow;
}

GRAZE_FAST int sign_at(const Coordinate& c, int i, const Bracket& root) noexcept {
    const double x = c.at[0][i] * (1.0 - root.middle) + c.at[1][i] * root.middle;
    const double width = root.upper - root.lower;
    return certain_sign(x, (6.0 * kU + 3.0 * width) * c.m + kUnderflow);
}

// --- At one end of the step ---------------------------------------------------------------------

// Is the origin certainly not in the hull of the vertices of the mask? By signs, or for two
// vertices by their line, which does not hold the origin.
GRAZE_FAST bool is_disjoint_at(const PlaneMotion& c, int end, unsigned mask) noexcept {
    if (c.sign_p.separates_at(end, mask) || c.sign_q.separates_at(end, mask)) return true;
    const double error = cross_2d_error(c);
    for (int i = 0; i < 4; ++i) {  // two vertices: is the origin off their line?
        for (int j = i + 1; j < 4; ++j) {
            if (mask == ((1U << i) | (1U << j))) {
                return certain_sign(cross_2d(c, i, end, j, end), error) != 0;
            }
        }
    }
    return false;
}

// --- Over the step ------------------------------------------------------------------------------

// One vertex: does it certainly pass the origin? If h of its own two ends is not zero, they are
// seen from the origin at an angle that is neither 0 nor pi, and the path between them does not meet it.
GRAZE_PIECE bool passes_origin(const PlaneMotion& c, int i) noexcept {
    return certain_sign(cross_2d(c, i, 0, i, 1), cross_2d_error(c)) != 0;
}

// Two vertices: given that the origin is on their line at the root, it is between them iff p_i and
// p_j (or q_i and q_j) have opposite strict signs, and not if they have the same.
GRAZE_FAST Location locate_on_segment(const PlaneMotion& c, int i, int j,
                                      const Bracket& root) noexcept {
    int si = sign_at(c.p, i, root);
    int sj = sign_at(c.p, j, root);
    if (si * sj == 0) {
        si = sign_at(c.q, i, root);
        sj = sign_at(c.q, j, root);
    }
    if (si * sj == 0) return Location::Unknown;
    return si == sj ? Location::Outside : Location::Inside;
}

// Two vertices: when first is the origin on their segment? Only at roots of the quadratic
//     h(t) = h00 s^2 + (h01 + h10) s t + h11 t^2.
// Times s + t = 1 it is a cubic with c = (h00, h00 + h01 + h10, h01 + h10 + h11, h11), and the tier
// of the cubic applies with size = m_p m_q.
GRAZE_FAST FastAnswer by_segment(const PlaneMotion& c, int i, int j,
                                 const FastOptions& options) noexcept {
    const double h00 = cross_2d(c, i, 0, j, 0);
    const double h11 = cross_2d(c, i, 1, j, 1);
    const double mixed = cross_2d(c, i, 0, j, 1) + cross_2d(c, i, 1, j, 0);
    const Cubic f = {h00, h00 + mixed, mixed + h11, h11, c.p.m * c.q.m};
    return first_inside(f, options, Tier::Plane,
                        [&](const Bracket& root) { return locate_on_segment(c, i, j, root); });
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_PLANE_MOTION_INL_HPP
