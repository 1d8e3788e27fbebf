// Tiers Axis and Coincident (docs/derivations/certified.md, CERT-1): exact, by signs alone.
//
// Contract: each decides (with proof) or passes on; never wrong.
//
// Notation: D_i(t) as in hull-inl.hpp; raw: D not scaled; least, most: by axis, over all i and both
// ends of the step.
//
// Proved, Axis:       all D_i at both ends positive (negative) on one axis => so is D_i(t) for all
//                     t in [0, 1], being a convex combination of its ends => so is every point of
//                     the hull => the hull does not hold the origin: Separated.
// Proved, Coincident: D_i(0) = 0 for some i => two vertices coincide at t = 0: Contact, at 0.
//
// Error bound: none is needed. A computed difference has the sign of the exact one, and is zero iff
// that is (subnormal numbers are there for it), so signs are exact. NaN fails each comparison.
#if defined(GRAZE_TIERS_AXIS_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_AXIS_INL_HPP
#undef GRAZE_TIERS_AXIS_INL_HPP
#else
#define GRAZE_TIERS_AXIS_INL_HPP
#endif

#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

GRAZE_PIECE bool axis_separates(const Extent& extent) noexcept {
    const Quad zero = all(0.0);
    return (above(extent.least, zero) | above(zero, extent.most)) != 0U;
}

// The same with D that err by less than the margin: all D_i beyond it, on one side.
GRAZE_PIECE bool axis_separates_beyond(const Extent& extent, Quad margin) noexcept {
    return (above(extent.least, margin) | above(all(0.0) - margin, extent.most)) != 0U;
}

GRAZE_PIECE bool vertices_coincide_at_start(const Ends& raw) noexcept {
    const Quad zero = all(0.0);
    for (const Quad& d : raw.start) {
        if (equal(d, zero) == 15U) return true;
    }
    return false;
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_AXIS_INL_HPP
