// The cascade of the fast tiers (docs/derivations/certified.md, CERT-6), cheapest first:
//
//   Axis, Coincident   axis-inl.hpp            signs of differences, exact
//   Slabs up to t_max  slabs-inl.hpp           only where t_max (or `until`) is below 1
//   Normal             normal-inl.hpp          one direction for the whole step
//   Cubic              first_contact-inl.hpp   roots (cubic, root) and the location there (inside)
//   Plane              plane-inl.hpp           vertices that stay in a coordinate plane
//   Slabs              slabs-inl.hpp           directions, slab of time by slab of time
//
// Contract: decides (with proof) or passes on (State::Open); never wrong. Each tier keeps it for
// itself, so the order is a matter of speed alone: any tier may be left out. What is left open goes
// to the exact tier (exact_contact.hpp). NaN and infinities fail every test, and pass on.
//
// Notation: raw: D as computed; d, hull: D scaled (hull-inl.hpp). GRAZE_RARE: better not inlined.
#if defined(GRAZE_TIERS_CASCADE_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_CASCADE_INL_HPP
#undef GRAZE_TIERS_CASCADE_INL_HPP
#else
#define GRAZE_TIERS_CASCADE_INL_HPP
#endif

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/axis-inl.hpp"
#include "narrow/certified/tiers/first_contact-inl.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/normal-inl.hpp"
#include "narrow/certified/tiers/plane-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/slabs-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// The tiers of a polygon. Requires: d and hull normalised.
GRAZE_PIECE FastAnswer by_normal_and_cubic(const Ends& d, const Hull& hull,
                                           const FastOptions& options) noexcept {
    const double until = smaller(options.until, options.t_max);
    if (until < 1.0 && separated_until(d, until)) {
        return {FastAnswer::State::Separated, Tier::Slabs, 0.0, 0.0};
    }
    // What the normal of [0, until] did not separate, that of the whole step hardly does.
    if (!(options.until < 1.0) && separates(hull, middle_normal(hull))) {
        return {FastAnswer::State::Separated, Tier::Normal, 0.0, 0.0};
    }
    return by_cubic(hull, options);
}

// What nearly every query needs. Points and segments have no normal: they pass on after the axes.
template <class Motion>
GRAZE_FAST FastAnswer usual_answer(const Motion& motion, const FastOptions& options) noexcept {
    const Ends raw = vertices_of(motion);
    const Extent extent = extent_of(raw);
    if (axis_separates(extent)) return {FastAnswer::State::Separated, Tier::Axis, 0.0, 0.0};
    if (vertices_coincide_at_start(raw)) {
        return {FastAnswer::State::Contact, Tier::Coincident, 0.0, 0.0};
    }
    if (!is_polygon(shape_of<Motion>())) return {};
    Ends d;
    Hull hull;
    hull.shape = shape_of<Motion>();
    if (!normalise(raw, extent, d, hull)) return {};
    return by_normal_and_cubic(d, hull, options);
}

// What is left over: a function of its own that begins anew, so that usual_answer() keeps D in
// registers. Queries that normalise() refused, out of range, take two factors and begin with the
// tiers that they missed.
template <class Motion>
GRAZE_RARE FastAnswer rare_answer(const Motion& motion, const FastOptions& options) noexcept {
    const Ends raw = vertices_of(motion);
    Ends d;
    Hull hull;
    hull.shape = shape_of<Motion>();
    if (!normalise(raw, extent_of(raw), d, hull)) {
        const Ends in_range = brought_into_range(raw, extent_of(raw));
        if (!normalise(in_range, extent_of(in_range), d, hull)) return {};
        if (is_polygon(hull.shape)) {
            const FastAnswer usual = by_normal_and_cubic(d, hull, options);
            if (usual.state != FastAnswer::State::Open || usual.lower > 0.0) return usual;
        }
    }
    // For all of [0, t_max]: the brackets of several sides make up one answer.
    const FastAnswer in_plane = by_planes(raw, hull, {options.t_max, options.time_width});
    if (in_plane.state != FastAnswer::State::Open) return in_plane;
    if (!separated_by_slabs(d, is_polygon(hull.shape))) return {};
    return {FastAnswer::State::Separated, Tier::Slabs, 0.0, 0.0};
}

template <class Motion>
GRAZE_FAST FastAnswer answer(const Motion& motion, const FastOptions& options) noexcept {
    FastAnswer answer = usual_answer(motion, options);
    const bool is_left = answer.state == FastAnswer::State::Open && !(answer.lower > 0.0);
    if (is_left) answer = rare_answer(motion, options);
    return answer;
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_CASCADE_INL_HPP
