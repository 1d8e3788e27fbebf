// Tier Slabs (docs/derivations/certified.md, CERT-2): directions separate the step, slab of time by
// slab of time. For motion that is almost flat, after the cubic has left the query open.
//
// Contract: decides (with proof) or passes on; never wrong. Directions are candidates: how they are
// found is no part of the proof.
//
// Notation
//   slab [t0, t1]   a part of the step; its ends are D(t0) and D(t1)
//   n, |n|_1        a direction and its 1-norm, as in normal-inl.hpp
//   whole, d        the scaled D at both ends of the whole step
//
// Proved: D(t) for t in [t0, t1] is a convex combination of D(t0) and D(t1), so a direction that has
// these strictly on one side separates the slab (normal-inl.hpp). Slabs that cover the step and
// are all separated prove Separated.
//
// Error bound: D(t) has 4 rounding errors in the place of 1 (hull-inl.hpp), n.D(t) has 7: together
// 7u sum |n_k| |D_k| < 14.2u |n|_1, still below the 16u |n|_1 that separates() tests against. Along
// an axis D(t) alone counts: 4u |D_k| < 8.1u, tested against 16u.
#if defined(GRAZE_TIERS_SLABS_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_SLABS_INL_HPP
#undef GRAZE_TIERS_SLABS_INL_HPP
#else
#define GRAZE_TIERS_SLABS_INL_HPP
#endif

#include "narrow/certified/tiers/axis-inl.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/normal-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// --- Candidates ---------------------------------------------------------------------------------

// The point of the segment from a to b (by axis) that is nearest to the origin, roughly.
GRAZE_FAST Quad nearest_on_segment(Quad a, Quad b) noexcept {
    const Quad along = b - a;
    const double length = sum(along * along);
    const double ahead = -sum(a * along);
    if (!(ahead > 0.0)) return a;
    return ahead >= length ? b : a + all(ahead / length) * along;
}

// Directions in the plane of the polygon, across its sides.
GRAZE_FAST bool separated_in_plane(const Hull& hull, Quad normal) noexcept {
    return separates(hull, cross(normal, hull.middle1 - hull.middle0)) ||
           separates(hull, cross(normal, hull.middle3 - hull.middle0)) ||
           separates(hull, cross(normal, hull.middle3 - hull.middle1));
}

// --- One slab -----------------------------------------------------------------------------------

GRAZE_FAST bool separates_slab(const Ends& whole, double begin, double end,
                               bool has_plane) noexcept {
    Ends slab;
    for (int i = 0; i < 4; ++i) {
        slab.start[i] = difference_at(whole, i, begin);
        slab.end[i] = difference_at(whole, i, end);
    }
    Hull hull;
    set_vertices(hull, slab);
    if (!has_plane) {
        return separates(hull, nearest_on_segment(hull.middle0, hull.middle1)) ||
               separates(hull, nearest_on_segment(slab.start[0], slab.end[0]));
    }
    const Quad normal = middle_normal(hull);
    return separates(hull, normal) || separated_in_plane(hull, normal);
}

// Where only the beginning of the step is asked about: an axis or the normal separates [0, t].
GRAZE_PIECE bool separated_until(const Ends& whole, double t) noexcept {
    Ends slab;
    for (int i = 0; i < 4; ++i) {
        slab.start[i] = whole.start[i];
        slab.end[i] = difference_at(whole, i, t);
    }
    if (axis_separates_beyond(extent_of(slab), all(kAlongError + kUnderflow))) return true;
    Hull hull;
    set_vertices(hull, slab);
    return separates(hull, middle_normal(hull));
}

// --- The whole step -----------------------------------------------------------------------------

// Halves slabs until each is separated, at most four times (begin and width are then exact, as are
// begin + width and the halves), and tests at most 24. Invariant: what is not on the stack is
// proved separated.
GRAZE_FAST bool separated_by_slabs(const Ends& d, bool has_plane) noexcept {
    constexpr int kDepth = 4;
    constexpr int kMaxSlabs = 24;
    double begins[kDepth + 2];
    double widths[kDepth + 2];
    begins[0] = 0.0;
    widths[0] = 1.0;
    int slabs = 1;
    for (int tested = 0; slabs > 0; ++tested) {
        if (tested == kMaxSlabs) return false;
        const double begin = begins[--slabs];
        const double width = widths[slabs];
        if (separates_slab(d, begin, begin + width, has_plane)) continue;
        const double half = 0.5 * width;
        if (half < 1.0 / (1 << kDepth)) return false;
        begins[slabs] = begin + half;
        widths[slabs++] = half;
        begins[slabs] = begin;
        widths[slabs++] = half;
    }
    return true;
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_SLABS_INL_HPP
