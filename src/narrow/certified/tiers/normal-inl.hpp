// Tier Normal (docs/derivations/certified.md, CERT-2): a direction separates the whole step.
//
// Contract: decides (with proof) or passes on; never wrong. Any n whatever is a candidate: a bad
// one costs the proof, not its truth.
//
// Notation
//   n        a direction, any doubles; |n|_1 = |n_x| + |n_y| + |n_z|
//   D_i      scaled, |D_k| < 2 on each axis k (hull-inl.hpp)
//   u        2^-53
//
// Proved: n.D_i(0) > 0 and n.D_i(1) > 0 for all i => n.D_i(t) > 0 for all t in [0, 1] (linear in t)
// => n.x > 0 for every point x of the hull => it never holds the origin: Separated. Likewise < 0.
//
// Error bound: computed is (n_x X + n_y Y) + n_z Z, with one rounding error of the difference, one
// of the product and two of the sums, so that
//     |computed - exact| <= ((1 + u)^4 - 1)(1 + u) sum |n_k| |D_k| < 8.1u |n|_1.
// Tested is against 16u |n|_1 as computed, whose relative error is below 4u. The other half serves
// slabs of time (slabs-inl.hpp), where D(t) has three rounding errors more: 14.2u |n|_1.
#if defined(GRAZE_TIERS_NORMAL_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_NORMAL_INL_HPP
#undef GRAZE_TIERS_NORMAL_INL_HPP
#else
#define GRAZE_TIERS_NORMAL_INL_HPP
#endif

#include "narrow/certified/tiers/error_forms.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

constexpr double kAlongError = constants::kAlongError;
static_assert(error_forms::kAlong.magnitude().coefficient == Dyadic{3});  // n_k D_k, three times
static_assert(error_forms::kAlong.roundings() == 4 && 2.0 * 4.0 * kU < kAlongError);
static_assert(error_forms::kAlongAt.roundings() == 7 && 2.0 * 7.1 * kU < kAlongError);

// n.D_i at one end, by vertex.
GRAZE_PIECE Quad along(Quad n, const Hull& hull, int end) noexcept {
    return (broadcast<0>(n) * hull.x[end] + broadcast<1>(n) * hull.y[end]) +
           broadcast<2>(n) * hull.z[end];
}

// Does the plane through the origin with this normal (by axis; any numbers) have all D_i at both
// ends strictly on one side?
GRAZE_FAST bool separates(const Hull& hull, Quad n) noexcept {
    const Quad start = along(n, hull, 0);
    const Quad end = along(n, hull, 1);
    const Quad one_norm =
        (magnitude(broadcast<0>(n)) + magnitude(broadcast<1>(n))) + magnitude(broadcast<2>(n));
    const Quad error = all(kAlongError) * one_norm + all(kUnderflow);
    const Quad least = smaller(start, end);
    const Quad most = larger(start, end);
    return above(least, error) == 15U || above(all(0.0) - error, most) == 15U;
}

// The candidate for the whole step: the normal of the polygon in the middle of it (four times it,
// since hull.middle is twice the middle; lengths do not matter).
GRAZE_FAST Quad middle_normal(const Hull& hull) noexcept {
    return cross(hull.middle1 - hull.middle0, hull.middle3 - hull.middle0);
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_NORMAL_INL_HPP
