// Minimum separation (docs/derivations/certified.md, CERT-7): the tiers with d > 0, before the search
// of separation.cpp. Two quick proofs that the distance is above d for the whole step, and then
// directions by slabs of time (advance-inl.hpp).
//
// Contract: decides (with proof) or passes on; never wrong.
//
// Notation
//   reach     d, the separation asked about, > 0
//   n         the normal in the middle of the step; |n| its length in the dual of the norm: the
//             Euclidean length, or |n|_1 for the max-norm
//   D_i, u    hull-inl.hpp, but with one power of two for all axes: lengths have to stay lengths
//
// Proved, axis:   all D_i > d on one axis at both ends => for all t, at all points of the hull: no
//                 norm of the two is below the largest coordinate.
// Proved, normal: n.D_i > d |n| at both ends => n.x > d |n| for all x in the hull at all t, and
//                 |n| |x| >= n.x: |x| > d.
//
// Error bounds: a computed D is at most u of itself too large (exact where it is subnormal): > d
// (1 + 4u) suffices. n.D errs by less than 8.1u |n|_1 (normal-inl.hpp). |n| has at most six
// rounding errors under the root, which halves them, 4u in all, if its square is above 2^-900; the
// product with d has one more. Tested: n.D > d |n| (1 + 16u) + 16u |n|_1 + 2^-1000.
#if defined(GRAZE_TIERS_SEPARATION_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_SEPARATION_INL_HPP
#undef GRAZE_TIERS_SEPARATION_INL_HPP
#else
#define GRAZE_TIERS_SEPARATION_INL_HPP
#endif

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/advance-inl.hpp"
#include "narrow/certified/tiers/axis-inl.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/normal-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

GRAZE_FAST bool is_beyond(const Hull& hull, Quad n, double reach, Norm norm) noexcept {
    const double square = sum(n * n);
    // Squares of components below 2^-537 are lost: nothing beside one of 2^-450.
    if (!(square > constants::kLeastSquare)) return false;
    const double one_norm = sum(magnitude(n));
    const double length = norm == Norm::Max ? one_norm : square_root(square);
    const double error = kAlongError * one_norm + kUnderflow;
    const Quad bound = all((reach * length) * constants::kReachFactor + error);
    const Quad start = along(n, hull, 0);
    const bool is_above = above(start, bound) == 15U;
    const bool is_below = above(all(0.0) - bound, start) == 15U;
    if (!is_above && !is_below) return false;  // the distance at the start is hardly more than d
    const Quad end = along(n, hull, 1);
    return is_above ? above(end, bound) == 15U : above(all(0.0) - bound, end) == 15U;
}

// Requires: o.d > 0.
template <class Motion>
GRAZE_FAST FastAnswer separation_answer(const Motion& motion,
                                        const FastSeparationOptions& o) noexcept {
    const Ends raw = vertices_of(motion);
    const Extent extent = extent_of(raw);
    if (axis_separates_beyond(extent, all(o.d + constants::kAxisError * o.d))) {
        return {FastAnswer::State::Separated, Tier::Axis, 0.0, 0.0};
    }
    const Quad largest = largest_of(extent);
    const double xy = lane<0>(largest) > lane<1>(largest) ? lane<0>(largest) : lane<1>(largest);
    const double scale = normalising_scale(xy > lane<2>(largest) ? xy : lane<2>(largest));
    if (scale == 0.0) return {};
    Ends d;
    scale_by(all(scale), raw, d);
    NearQuery q;
    q.hull.shape = shape_of<Motion>();
    q.hull.m = largest * all(scale);
    set_vertices(q.hull, d);
    q.d = o.d * scale;
    q.norm = o.norm;
    if (is_polygon(q.hull.shape) &&
        is_beyond(q.hull, middle_normal(q.hull), q.d + kUnderflow, o.norm)) {
        return {FastAnswer::State::Separated, Tier::Normal, 0.0, 0.0};
    }
    // Otherwise the product was perhaps rounded, or all is contact.
    if (!(q.d > constants::kLeastReach && q.d < constants::kLargestReach)) return {};
    return by_advancing(q, o);
}

// --- The distance at the start ------------------------------------------------------------------

// What is nearer, against the largest difference, loses digits: left to distance.cpp.
constexpr double kLeastHeight = 0x1p-12;

// A lower bound of the distance at t = 0, proved; 0: passed on (docs/derivations/certified_separation.md,
// CS-10). n.D_i - 10u S for the direction n of the nearest point, |n| <= 1 + 5.1u, which with the
// roundings of a difference and a product 1 - 16u pays for.
template <class Motion>
GRAZE_FAST double start_distance_lower(const Motion& motion, Norm norm) noexcept {
    Ends raw = vertices_of(motion);
    for (int i = 0; i < 4; ++i)
        raw.end[i] = raw.start[i];
    const Quad largest = largest_of(extent_of(raw));
    const double scale =
        normalising_scale(larger(larger(lane<0>(largest), lane<1>(largest)), lane<2>(largest)));
    if (scale == 0.0) return 0.0;
    Ends d;
    scale_by(all(scale), raw, d);
    NearQuery q;
    q.hull.shape = shape_of<Motion>();
    q.hull.m = largest * all(scale);
    set_vertices(q.hull, d);
    q.norm = norm;
    const Vertices at_start = {q.hull.x[0], q.hull.y[0], q.hull.z[0]};
    const Direction n = sample_of(q, 0.0, at_start, candidate_at(q, at_start)).n;
    const double least = least_lane(along(n, at_start));
    if (!(least > kLeastHeight)) return 0.0;
    const double bound = (least - threshold(q, n)) * (1.0 - 16.0 * kU) / scale;
    return bound > 0x1p-1000 && bound < 0x1p+1000 ? bound
                                                  : 0.0;  // else the quotient may be rounded
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_SEPARATION_INL_HPP
