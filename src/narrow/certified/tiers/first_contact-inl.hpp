// Tier Cubic (docs/derivations/certified.md, CERT-6): the roots of the cubic in the order of time.
//
// Contract: decides (with proof) or passes on; never wrong.
//
// Notation
//   f                cubic-inl.hpp; contact is only at its roots
//   piece            a part of the step, with what is proved of the roots in it
//   locate_origin    is the origin in the hull at the root? Inside, Outside (proved) or Unknown
//
// Invariant of the loop: the pieces on the stack, topmost first, are what is left of [0, 1] in the
// order of time, and before them f has no root but those that were proved Outside.
// Proved, Contact:   the first root that is Inside is the first contact, in its bracket.
// Proved, Separated: no piece is left that begins before t_max (or `until`: then on [0, until]), and
//                    none had a root Inside.
// Passed on:         signs unknown at the largest depth, a root not bracketed or at which the
//                    location is unknown, and brackets that touch 0, hold t_max or are wider than
//                    time_width. The last ones are contacts, but not yet answers.
//
// Error bounds: those of cubic-inl.hpp, root-inl.hpp and inside-inl.hpp; there are none here.
#if defined(GRAZE_TIERS_FIRST_CONTACT_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_FIRST_CONTACT_INL_HPP
#undef GRAZE_TIERS_FIRST_CONTACT_INL_HPP
#else
#define GRAZE_TIERS_FIRST_CONTACT_INL_HPP
#endif

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/cubic-inl.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/inside-inl.hpp"
#include "narrow/certified/tiers/root-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

template <class Locate>
GRAZE_FAST FastAnswer first_inside(const Cubic& f, const FastOptions& options, Tier tier,
                                   const Locate& locate_origin) noexcept {
    const double end = smaller(options.until, options.t_max);
    Piece stack[kMaxDepth + 2];
    int pieces = 1;
    stack[0] = whole_step(f);
    while (pieces > 0) {
        const Piece piece = stack[--pieces];
        if (piece.begin > end) break;
        const Roots roots = roots_by_signs(piece, f.size);
        if (roots == Roots::None) continue;
        if (roots == Roots::Unknown) {
            if (piece.depth == kMaxDepth) return {};
            halve(piece, stack[pieces + 1], stack[pieces]);
            pieces += 2;
            continue;
        }
        const Bracket root = bracket_root(f, piece);
        if (!root.found || !(root.lower > 0.0)) return {};
        if (root.lower > end) break;
        const Location where = locate_origin(root);
        if (where == Location::Unknown) return {};
        if (where == Location::Outside) continue;
        if (root.upper > options.t_max) return {};
        if (!(root.upper - root.lower <= options.time_width)) {
            if (tier != Tier::Cubic || options.time_width != kNarrowest) return {};
            return {FastAnswer::State::Open, Tier::Exact, root.lower, root.upper};
        }
        return {FastAnswer::State::Contact, tier, root.lower, root.upper};
    }
    return {FastAnswer::State::Separated, tier, 0.0, 0.0};
}

GRAZE_FAST FastAnswer by_cubic(const Hull& hull, const FastOptions& options) noexcept {
    const Cubic f = coplanarity(hull);
    if (f.size == 0.0) return {};  // flat in an axis: f is zero
    return first_inside(f, options, Tier::Cubic,
                        [&](const Bracket& root) { return locate_at(hull, root); });
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_FIRST_CONTACT_INL_HPP
