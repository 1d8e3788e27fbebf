// Is the origin in the polygon at a root of the cubic? (docs/derivations/certified.md, CERT-4)
//
// Contract: answers Inside or Outside with proof, or Unknown; never wrong.
//
// Notation
//   t*         the root, in a bracket [lower, upper] of width w; r its middle
//   g_i        one component of D_i x D_(i+1): P_i Q_(i+1) - Q_i P_(i+1), (P, Q) two axes of three
//   m_p, m_q   the largest |P|, |Q| over the step
//   sides      bits of the i for which (i, i + 1) is a side of the polygon
//
// At t* all D_i lie in a plane through the origin, so the D_i x D_(i+1) are parallel to its normal.
// Proved, Inside:  all g_i of one strict sign. From the origin each side winds the same way, by
//                  an angle in (0, pi); the angles add up to a multiple of 2 pi below 4 pi: once
//                  around, and the polygon is convex. (Without area the g_i add up to zero, and are
//                  never all of one sign.)
// Proved, Outside: two g_i of opposite strict signs. A convex polygon that holds the origin has all
//                  g_i >= 0 or all <= 0 (without area: all vertices on a line through the origin,
//                  all g_i = 0).
//
// Error bound: D(r) has 4 rounding errors (hull-inl.hpp), a product 9, their difference 10, two
// products: 20u m_p m_q. From r to t*, |D_k| changes by at most 2 m_k w, and g, a sum of two
// products, one factor at a time, by at most 8 w m_p m_q. Tested against (24u + 9w) m_p m_q: the
// signs hold on the whole bracket, hence at t*.
#if defined(GRAZE_TIERS_INSIDE_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_INSIDE_INL_HPP
#undef GRAZE_TIERS_INSIDE_INL_HPP
#else
#define GRAZE_TIERS_INSIDE_INL_HPP
#endif

#include <cstdint>

#include "narrow/certified/tiers/error_forms.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/root-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

enum class Location : std::uint8_t { Inside, Outside, Unknown };

static_assert(error_forms::kCrossAt.roundings() == 10 && 2 * 10 < 24);

// One component. p, q: by vertex, at r; mp, mq: m_p and m_q.
GRAZE_FAST Location locate(Quad p, Quad q, double mp, double mq, double width,
                           unsigned sides) noexcept {
    const Quad g = p * rotate(q) - q * rotate(p);
    const Quad error = all((24.0 * kU + 9.0 * width) * (mp * mq) + kUnderflow);
    const unsigned left = above(g, error) & sides;
    const unsigned right = above(all(0.0) - error, g) & sides;
    if (left == sides || right == sides) return Location::Inside;
    return left != 0U && right != 0U ? Location::Outside : Location::Unknown;
}

// Each of the three components decides with proof, or not at all: one after the other.
GRAZE_FAST Location locate_at(const Hull& h, const Bracket& root) noexcept {
    const Quad t = all(root.middle);
    const Quad s = all(1.0 - root.middle);
    const Quad x = h.x[0] * s + h.x[1] * t;
    const Quad y = h.y[0] * s + h.y[1] * t;
    const Quad z = h.z[0] * s + h.z[1] * t;
    const double width = root.upper - root.lower;
    const double mx = lane<0>(h.m);
    const double my = lane<1>(h.m);
    const double mz = lane<2>(h.m);
    Location where = locate(x, y, mx, my, width, h.shape.sides);
    if (where == Location::Unknown) where = locate(y, z, my, mz, width, h.shape.sides);
    if (where == Location::Unknown) where = locate(z, x, mz, mx, width, h.shape.sides);
    return where;
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_INSIDE_INL_HPP
