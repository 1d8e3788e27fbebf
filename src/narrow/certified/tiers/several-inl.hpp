// Proofs with a minimum separation for several queries at a time, one in each lane
// (docs/derivations/certified_separation.md, CS-11): an axis, the normal in the middle of the step, the
// direction of the nearest point at the start, at the end and at up to two times between, as they are
// or rotating from one to the next.
//
// Contract: a query that is called separated is so, and separation_answer() (separation-inl.hpp) says the
// same of it, or leaves it open and is_separated_alone() says it. What is not called so is open.
//
// Why: points, and directions one after the other (CS-12), are those of is_separated_alone(), to the bit. As
// for the rest, every number of a lane is computed by the operations of axis-inl.hpp, candidate-inl.hpp,
// near-inl.hpp and advance-inl.hpp in their order, and compared as they compare, under conditions under
// which separation_answer() comes to the same comparison, or has called the query separated before. So
// the bounds are those of CS-2, CS-3 and CS-9, and a lane needs none of its own. Whoever changes a
// formula there changes it here.
//
// Notation: near-inl.hpp, with a Pack in the place of each number. Of four vertices those that repeat
// another are left out: kVertices are left.
#if defined(GRAZE_TIERS_SEVERAL_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_SEVERAL_INL_HPP
#undef GRAZE_TIERS_SEVERAL_INL_HPP
#else
#define GRAZE_TIERS_SEVERAL_INL_HPP
#endif

#include <bit>
#include <cstddef>
#include <cstdint>

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/constants.hpp"
#include "narrow/certified/tiers/error_forms.hpp"
#include "narrow/certified/tiers/pack-inl.hpp"
#include "narrow/certified/tiers/points-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// --- The nearest point (estimates) --------------------------------------------------------------

// As Candidate, with what its weights follow from in their place.
struct PackCandidate {
    PackVector n;
    Pack length;
    Pack along;
    Mask is_face;
    Pack side;  // not on a face: that of the nearest point; in the max-norm where n is across it
    // Euclidean norm.
    Pack place;  // not on a face: the number of the side and the fraction of it, added up
    Pack g[4];   // on a face: windings
    // Max-norm.
    Mask is_axis;       // along an axis; otherwise, not on a face: across the side
    Mask is_across[3];  // and this axis
};

template <int kCount>
GRAZE_PIECE void sides_of(const PackVertices<kCount>& d, PackVector (&e)[4]) noexcept {
    e[0] = d.at(1) - d.at(0);
    e[1] = d.at(2) - d.at(1);
    e[2] = d.at(3) - d.at(2);
    e[3] = d.at(0) - d.at(3);
}
// g_i for the direction s.
GRAZE_PIECE Pack winding(const PackVector& d, const PackVector& e, const PackVector& s) noexcept {
    return (s.x * (d.y * e.z - d.z * e.y) + s.y * (d.z * e.x - d.x * e.z)) +
           s.z * (d.x * e.y - d.y * e.x);
}

// --- The Euclidean norm -------------------------------------------------------------------------

struct NearestOnSides {
    PackVector p;
    Pack square;
    Pack side;
    Pack fraction;
};
template <int kSide>
GRAZE_PIECE NearestOnSides nearest_on_side(const PackVector& from, const PackVector& e) noexcept {
    const Pack zero = same(0.0);
    const Pack ahead = zero - dot(from, e);
    const Pack fraction = smaller(larger(ahead / dot(e, e), zero), same(1.0));
    const PackVector p = {from.x + fraction * e.x, from.y + fraction * e.y,
                          from.z + fraction * e.z};
    return {p, dot(p, p), same(static_cast<double>(kSide)), fraction};
}
// The same for a side without length: 0 / 0 is not above 0, and + 0 takes the sign of -0.
template <int kSide>
GRAZE_PIECE NearestOnSides at_vertex(const PackVector& from) noexcept {
    const Pack zero = same(0.0);
    const PackVector p = {from.x + zero, from.y + zero, from.z + zero};
    return {p, dot(p, p), same(static_cast<double>(kSide)), zero};
}
// Of equal ones the first.
GRAZE_PIECE NearestOnSides nearer(const NearestOnSides& a, const NearestOnSides& b) noexcept {
    const Mask is_second = above(a.square, b.square);
    return {where(is_second, b.p, a.p), smaller(a.square, b.square),
            where(is_second, b.side, a.side), where(is_second, b.fraction, a.fraction)};
}
template <int kCount>
GRAZE_PIECE NearestOnSides nearest_on_sides(const PackVertices<kCount>& d,
                                            const PackVector (&e)[4]) noexcept {
    return nearer(nearer(nearest_on_side<0>(d.at(0), e[0]), nearest_on_side<1>(d.at(1), e[1])),
                  nearer(kCount == 3 ? at_vertex<2>(d.at(2)) : nearest_on_side<2>(d.at(2), e[2]),
                         nearest_on_side<3>(d.at(3), e[3])));
}

template <int kCount>
GRAZE_PIECE PackCandidate nearest_in_space(const PackVertices<kCount>& d) noexcept {
    PackVector e[4];
    sides_of(d, e);
    const Pack zero = same(0.0);
    const NearestOnSides on_side = nearest_on_sides(d, e);
    PackCandidate c;
    c.side = on_side.side;
    c.place = on_side.side + on_side.fraction;
    const PackVector n = cross(e[3], e[0]);
    c.g[0] = winding(d.at(0), e[0], n);
    c.g[1] = winding(d.at(1), e[1], n);
    c.g[3] = winding(d.at(3), e[3], n);
    c.is_face = (above(c.g[0], zero) & above(c.g[1], zero)) & above(c.g[3], zero);
    if constexpr (kCount == 4) {
        c.g[2] = winding(d.at(2), e[2], n);
        c.is_face = c.is_face & above(c.g[2], zero);
    }
    const Pack along = dot(n, d.at(0));
    const Pack sign = sign_of(along);
    c.n = where(c.is_face, n * sign, on_side.p);
    c.length = square_root(where(c.is_face, dot(n, n), on_side.square));
    c.along = where(c.is_face, sign * along, on_side.square);
    return c;
}

// --- The max-norm -------------------------------------------------------------------------------

// n.D_i, by vertex.
template <int kCount>
struct Projected {
    Pack h[kCount];
};
// How far a direction separates; 0 where it does not.
template <int kCount>
GRAZE_PIECE Pack distance_along(const Projected<kCount>& n, Pack length) noexcept {
    const Pack zero = same(0.0);
    Pack least = smaller(n.h[0], smaller(n.h[1], n.h[2]));
    Pack most = larger(n.h[0], larger(n.h[1], n.h[2]));
    if constexpr (kCount == 4) {
        least = smaller(least, n.h[3]);
        most = larger(most, n.h[3]);
    }
    const Pack beyond = where(above(least, zero), least, zero - most);
    return where(above(beyond, zero), beyond / length, zero);
}
// p q_i - q p_i, by vertex; axes by their number.
template <int kAxis>
GRAZE_PIECE Pack axis_of(const PackVector& v) noexcept {
    return kAxis == 0 ? v.x : kAxis == 1 ? v.y : v.z;
}
template <int kP, int kQ, int kCount>
GRAZE_PIECE Projected<kCount> across(const PackVector& e, const PackVertices<kCount>& d) noexcept {
    const Pack p = axis_of<kP>(e);
    const Pack q = axis_of<kQ>(e);
    Projected<kCount> n;
    for (int i = 0; i < kCount; ++i)
        n.h[i] = p * axis_of<kQ>(d.d[i]) - q * axis_of<kP>(d.d[i]);
    return n;
}
template <int kAxis, int kCount>
GRAZE_PIECE Projected<kCount> along_axis(const PackVertices<kCount>& d) noexcept {
    Projected<kCount> n;
    for (int i = 0; i < kCount; ++i)
        n.h[i] = axis_of<kAxis>(d.d[i]);
    return n;
}

// The best direction so far; of equal ones the latest: candidates come in the order that is the reverse
// of that in candidate-inl.hpp.
struct BestInCubes {
    Pack distance;
    PackVector n;
    Pack length;
    Pack first;  // n.D_0
    Pack side;
    Mask is_across[3];
};
template <int kCount>
GRAZE_PIECE Mask take(BestInCubes& best, const Projected<kCount>& along, Pack length,
                      const PackVector& n) noexcept {
    const Pack distance = distance_along(along, length);
    const Mask is_best = above(distance, best.distance) | equal(distance, best.distance);
    best.distance = larger(distance, best.distance);
    best.n = where(is_best, n, best.n);
    best.length = where(is_best, length, best.length);
    best.first = where(is_best, along.h[0], best.first);
    return is_best;
}
template <int kAxis, int kCount>
GRAZE_PIECE void take_across(BestInCubes& best, double side, const Projected<kCount>& along,
                             Pack length, const PackVector& n) noexcept {
    const Mask is_best = take(best, along, length, n);
    best.side = where(is_best, same(side), best.side);
    best.is_across[0] = without(best.is_across[0], is_best);
    best.is_across[1] = without(best.is_across[1], is_best);
    best.is_across[2] = without(best.is_across[2], is_best);
    best.is_across[kAxis] = best.is_across[kAxis] | is_best;
}
template <int kCount>
GRAZE_PIECE void take_side(BestInCubes& best, double side, const PackVector& e,
                           const PackVertices<kCount>& d) noexcept {
    const Pack zero = same(0.0);
    const Pack minus = same(-1.0);
    const Pack ax = magnitude(e.x);
    const Pack ay = magnitude(e.y);
    const Pack az = magnitude(e.z);
    take_across<2>(best, side, across<1, 0>(e, d), ax + ay, {e.y, minus * e.x, zero});
    take_across<1>(best, side, across<0, 2>(e, d), az + ax, {minus * e.z, zero, e.x});
    take_across<0>(best, side, across<2, 1>(e, d), ay + az, {zero, e.z, minus * e.y});
}
template <int kCount>
GRAZE_PIECE Projected<kCount> along(const PackVector& n, const PackVertices<kCount>& d) noexcept {
    Projected<kCount> heights;
    for (int i = 0; i < kCount; ++i)
        heights.h[i] = dot(n, d.d[i]);
    return heights;
}

template <int kCount>
GRAZE_PIECE PackCandidate nearest_in_cubes(const PackVertices<kCount>& d) noexcept {
    PackVector e[4];
    sides_of(d, e);
    const Pack zero = same(0.0);
    const Pack one = same(1.0);
    const Mask none = above(zero, zero);
    BestInCubes best = {zero, {zero, zero, zero}, zero, zero, zero, {none, none, none}};
    if constexpr (kCount == 3) take_side(best, 3.0, e[3], d);
    take_side(best, 1.0, e[1], d);
    take_side(best, 0.0, e[0], d);
    const PackVector normal = cross(e[3], e[0]);
    PackCandidate c;
    const Mask is_face = take(best, along(normal, d), one_norm(normal), normal);
    c.is_axis = take(best, along_axis<2>(d), one, {zero, zero, one});
    c.is_axis = c.is_axis | take(best, along_axis<1>(d), one, {zero, one, zero});
    c.is_axis = c.is_axis | take(best, along_axis<0>(d), one, {one, zero, zero});
    c.is_face = without(is_face, c.is_axis);
    c.n = best.n * sign_of(best.first);
    c.length = best.length;
    c.along = where(c.is_axis, best.distance, best.distance * best.length);
    c.side = best.side;
    for (int k = 0; k < 3; ++k)
        c.is_across[k] = best.is_across[k];
    return c;
}

template <Norm kNorm, int kCount>
GRAZE_PIECE PackCandidate candidate_at(const PackVertices<kCount>& d) noexcept {
    if constexpr (kNorm == Norm::Max) {
        return nearest_in_cubes(d);
    } else {
        return nearest_in_space(d);
    }
}

// --- Weights ------------------------------------------------------------------------------------

// By vertex, all four: a triangle's last stands for the third, too.
struct PackWeights {
    Pack w[4];
};
template <int kCount>
GRAZE_PIECE PackWeights weights_by_windings(const Pack (&g)[4]) noexcept {
    if constexpr (kCount == 3) {
        return {{g[1], g[3], g[0], same(0.0)}};
    } else {
        return {{g[1] * g[2], g[3] * g[2], g[3] * g[0], g[1] * g[0]}};
    }
}
// Of a point on a side, given as the number of the side and the fraction of it.
GRAZE_PIECE Pack weight_on_side(Pack place, double vertex) noexcept {
    const Pack one = same(1.0);
    const Pack near = one - magnitude(same(vertex) - place);
    const Pack around = one - magnitude(same(vertex + 4.0) - place);
    return larger(larger(near, around), same(0.0));
}
GRAZE_PIECE PackWeights weights_on_side(Pack place) noexcept {
    return {{weight_on_side(place, 0.0), weight_on_side(place, 1.0), weight_on_side(place, 2.0),
             weight_on_side(place, 3.0)}};
}
GRAZE_PIECE PackWeights where(Mask mask, const PackWeights& a, const PackWeights& b) noexcept {
    return {{where(mask, a.w[0], b.w[0]), where(mask, a.w[1], b.w[1]), where(mask, a.w[2], b.w[2]),
             where(mask, a.w[3], b.w[3])}};
}

// The side that the point is on: of two that are parallel the nearer.
struct ChosenSide {
    Pack number;
    PackVector from;
    PackVector e;
};
template <int kCount>
GRAZE_PIECE ChosenSide chosen_side(const PackVertices<kCount>& d, const PackVector (&e)[4],
                                   const PackCandidate& c) noexcept {
    const Mask is_second = equal(c.side, same(1.0));
    if constexpr (kCount == 3) {
        const Mask is_last = equal(c.side, same(3.0));
        return {c.side, where(is_last, d.at(3), where(is_second, d.at(1), d.at(0))),
                where(is_last, e[3], where(is_second, e[1], e[0]))};
    } else {
        const Pack here = where(is_second, dot(c.n, d.at(1)), dot(c.n, d.at(0)));
        const Pack there = where(is_second, dot(c.n, d.at(3)), dot(c.n, d.at(2)));
        const Mask is_other = above(here, there);
        return {
            where(is_other, c.side + same(2.0), c.side),
            where(is_second, where(is_other, d.at(3), d.at(1)), where(is_other, d.at(2), d.at(0))),
            where(is_second, where(is_other, e[3], e[1]), where(is_other, e[2], e[0]))};
    }
}
// The coordinate of the axis across which the direction is.
GRAZE_PIECE Pack chosen(const Mask (&is_across)[3], Pack x, Pack y, Pack z) noexcept {
    return where(is_across[0], x, where(is_across[1], y, z));
}
// Where the two other coordinates are as large as each other.
template <int kCount>
GRAZE_PIECE Pack place_in_cubes(const PackVertices<kCount>& d, const PackVector (&e)[4],
                                const PackCandidate& c) noexcept {
    const ChosenSide side = chosen_side(d, e, c);
    const Pack sp = sign_of(chosen(c.is_across, c.n.y, c.n.z, c.n.x));
    const Pack sq = sign_of(chosen(c.is_across, c.n.z, c.n.x, c.n.y));
    const Pack p = chosen(c.is_across, side.from.y, side.from.z, side.from.x);
    const Pack q = chosen(c.is_across, side.from.z, side.from.x, side.from.y);
    const Pack along_p = chosen(c.is_across, side.e.y, side.e.z, side.e.x);
    const Pack along_q = chosen(c.is_across, side.e.z, side.e.x, side.e.y);
    const Pack apart = sq * q - sp * p;
    return side.number +
           smaller(larger(apart / (sp * along_p - sq * along_q), same(0.0)), same(1.0));
}

template <int kCount>
GRAZE_PIECE PackWeights weights_in_cubes(const PackVertices<kCount>& d,
                                         const PackCandidate& c) noexcept {
    PackVector e[4];
    sides_of(d, e);
    const PackVector ray = {sign_of(c.n.x), sign_of(c.n.y), sign_of(c.n.z)};
    const Pack g[4] = {
        magnitude(winding(d.at(0), e[0], ray)), magnitude(winding(d.at(1), e[1], ray)),
        magnitude(winding(d.at(2), e[2], ray)), magnitude(winding(d.at(3), e[3], ray))};
    const Projected<kCount> heights = along(c.n, d);
    Pack least = smaller(heights.h[0], smaller(heights.h[1], heights.h[2]));
    if constexpr (kCount == 4) least = smaller(least, heights.h[3]);
    PackWeights on_face;
    for (int i = 0; i < 4; ++i) {
        on_face.w[i] =
            where(above(heights.h[i < kCount ? i : kCount - 1], least), same(0.0), same(1.0));
    }
    return where(
        c.is_axis, on_face,
        where(c.is_face, weights_by_windings<kCount>(g), weights_on_side(place_in_cubes(d, e, c))));
}

template <Norm kNorm, int kCount>
GRAZE_PIECE PackWeights weights_of(const PackVertices<kCount>& d, const PackCandidate& c) noexcept {
    if constexpr (kNorm == Norm::Max) {
        return weights_in_cubes(d, c);
    } else {
        return where(c.is_face, weights_by_windings<kCount>(c.g), weights_on_side(c.place));
    }
}

// --- What is proved -----------------------------------------------------------------------------

// As in near-inl.hpp and normal-inl.hpp: n.D(t) has 7 rounding errors, 8 with the sum of two.
static_assert(error_forms::kAlongAt.roundings() + 1 == 8 &&
              8.2 * constants::kU < constants::kAlongDirectionError * (1.0 - 6.0 * constants::kU));
static_assert(error_forms::kAlong.roundings() == 4 && 8.1 * constants::kU < constants::kAlongError);
static_assert(constants::kReachFactor >
              1.0 + 8.0 * constants::kU);                    // |n| <= 1 + 5.1u, two roundings
static_assert(constants::kAxisError > 2.0 * constants::kU);  // of the difference and of the margin

// n.D_i at both ends of the step, and what they must exceed.
template <int kCount>
struct PackHeights {
    PackVector n;
    Pack gap;  // of the sample that n is of
    Pack start[kCount];
    Pack end[kCount];
    Pack least;
};
template <int kCount>
GRAZE_PIECE PackHeights<kCount> heights_of(const PackQuery<kCount>& q,
                                           const PackCandidate& c) noexcept {
    const Pack inverse =
        where(above(c.length, same(constants::kShortest)), same(1.0) / c.length, same(0.0));
    PackHeights<kCount> h;
    h.n = c.n * inverse;
    h.gap = c.along * inverse - q.reach;
    for (int i = 0; i < kCount; ++i) {
        h.start[i] = dot(h.n, q.d.start.d[i]);
        h.end[i] = dot(h.n, q.d.end.d[i]);
    }
    const Pack size =
        (magnitude(h.n.x) * q.m.x + magnitude(h.n.y) * q.m.y) + magnitude(h.n.z) * q.m.z;
    h.least = (same(constants::kAlongDirectionError) * size + same(constants::kUnderflow)) +
              q.reach * same(constants::kReachFactor);
    return h;
}
template <int kCount>
GRAZE_PIECE Mask is_free(const PackHeights<kCount>& h) noexcept {
    Pack lowest = smaller(h.start[0], h.end[0]);
    for (int i = 1; i < kCount; ++i)
        lowest = smaller(lowest, smaller(h.start[i], h.end[i]));
    return above(lowest, h.least);
}
// The normal of the polygon in the middle of the step, as is_beyond() of separation-inl.hpp has it.
template <int kCount>
GRAZE_PIECE PackVector twice_middle(const PackQuery<kCount>& q, int i) noexcept {
    const PackVector& a = q.d.start.at(i);
    const PackVector& b = q.d.end.at(i);
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <Norm kNorm, int kCount>
GRAZE_PIECE Mask is_beyond_normal(const PackQuery<kCount>& q) noexcept {
    const PackVector first = twice_middle(q, 0);
    const PackVector n = cross(twice_middle(q, 1) - first, twice_middle(q, 3) - first);
    const Pack square = dot(n, n);
    const Pack size = one_norm(n);
    const Pack length = kNorm == Norm::Max ? size : square_root(square);
    const Pack error = same(constants::kAlongError) * size + same(constants::kUnderflow);
    const Pack bound =
        ((q.reach + same(constants::kUnderflow)) * length) * same(constants::kReachFactor) + error;
    const Projected<kCount> start = along(n, q.d.start);
    const Projected<kCount> end = along(n, q.d.end);
    Pack least = smaller(start.h[0], end.h[0]);
    Pack most = larger(start.h[0], end.h[0]);
    for (int i = 1; i < kCount; ++i) {
        least = smaller(least, smaller(start.h[i], end.h[i]));
        most = larger(most, larger(start.h[i], end.h[i]));
    }
    return above(square, same(constants::kLeastSquare)) &
           (above(least, bound) | above(same(0.0) - bound, most));
}

// Free of distances <= d for begin < t < end, as Span.
struct PackSpan {
    Pack begin;
    Pack end;
};
template <int kCount>
GRAZE_PIECE PackSpan free_span(const PackHeights<kCount>& h) noexcept {
    const Pack zero = same(0.0);
    const Pack two = same(2.0);
    const Pack minus = same(-1.0);
    Pack first_end;
    Pack last_begin;
    Pack least_start;
    Pack least_end;
    Mask is_nowhere;
    for (int i = 0; i < kCount; ++i) {
        const Pack start = h.start[i] - h.least;
        const Pack end = h.end[i] - h.least;
        const Mask starts = above(start, zero);
        const Mask ends = above(end, zero);
        const Pack crossing = start / (start - end);
        const Pack end_here = where(ends, two, crossing);
        const Pack begin_here = where(starts, minus, crossing);
        const Mask is_neither = without(equal(zero, zero), starts | ends);
        first_end = i == 0 ? end_here : smaller(first_end, end_here);
        last_begin = i == 0 ? begin_here : larger(last_begin, begin_here);
        least_start = i == 0 ? start : smaller(least_start, start);
        least_end = i == 0 ? end : smaller(least_end, end);
        is_nowhere = i == 0 ? is_neither : is_nowhere | is_neither;
    }
    const Pack underflow = same(constants::kUnderflow);
    const Pack rounded_end =
        where(above(first_end, underflow), first_end * same(1.0 - constants::kTimeError), zero);
    const Pack rounded_begin = larger(last_begin * same(1.0 + constants::kTimeError), underflow);
    const Pack end = where(above(least_end, zero), two, rounded_end);
    const Pack begin = where(above(least_start, zero), minus, rounded_begin);
    return {where(is_nowhere, two, begin), where(is_nowhere, minus, end)};
}
// Is all of the step free by the direction of the start and another one?
template <int kCount>
GRAZE_PIECE Mask is_free_by_spans(const PackHeights<kCount>& by_start,
                                  const PackHeights<kCount>& there) noexcept {
    const Pack zero = same(0.0);
    const Pack one = same(1.0);
    const PackSpan first = free_span(by_start);
    const PackSpan span = free_span(there);
    const Pack early = where(above(zero, first.begin), first.end, zero);
    const Pack until = where(above(early, span.begin), larger(early, span.end), early);
    const Pack last = where(above(span.end, one), smaller(one, span.begin), one);
    return is_free(there) | (above(until, last) | above(until, one));
}

// The query at one time of each lane, as Sample.
template <int kCount>
struct PackSample {
    Pack t;
    PackVertices<kCount> d;
    PackVector n;
    Pack least;
    Projected<kCount> height;  // n.D_i
};
template <int kCount>
GRAZE_PIECE PackSample<kCount> where(Mask mask, const PackSample<kCount>& a,
                                     const PackSample<kCount>& b) noexcept {
    PackSample<kCount> c;
    c.t = where(mask, a.t, b.t);
    c.n = where(mask, a.n, b.n);
    c.least = where(mask, a.least, b.least);
    for (int i = 0; i < kCount; ++i) {
        c.d.d[i] = where(mask, a.d.d[i], b.d.d[i]);
        c.height.h[i] = where(mask, a.height.h[i], b.height.h[i]);
    }
    return c;
}
// With its nearest point, and what its direction sees at the ends.
template <int kCount>
struct PackLook {
    PackSample<kCount> at;
    PackCandidate c;
    PackHeights<kCount> h;
};
template <Norm kNorm, int kCount>
GRAZE_RARE void look_at(const PackQuery<kCount>& q, Pack t, PackLook<kCount>& look) noexcept {
    const Pack s = same(1.0) - t;
    look.at.t = t;
    for (int i = 0; i < kCount; ++i) {
        const PackVector& a = q.d.start.d[i];
        const PackVector& b = q.d.end.d[i];
        look.at.d.d[i] = {a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t};
    }
    look.c = candidate_at<kNorm>(look.at.d);
    look.h = heights_of(q, look.c);
    look.at.n = look.h.n;
    look.at.least = look.h.least;
    look.at.height = along(look.h.n, look.at.d);
}
GRAZE_PIECE Pack sum(Pack a, Pack b, Pack c, Pack d) noexcept {
    return (a + b) + (c + d);
}
GRAZE_PIECE Pack sum(const PackWeights& w) noexcept {
    return sum(w.w[0], w.w[1], w.w[2], w.w[3]);
}
template <int kCount>
GRAZE_PIECE Pack weighted(const PackWeights& w, const Projected<kCount>& a) noexcept {
    return sum(w.w[0] * a.h[0], w.w[1] * a.h[1], w.w[2] * a.h[2], w.w[3] * a.h[kCount - 1]);
}

// What a direction that rotates from one sample to the next proves, as Turning.
template <int kCount>
struct PackTurning {
    Pack b0[kCount];
    Pack b1[kCount];
    Pack b2[kCount];
};
template <int kCount>
GRAZE_PIECE PackTurning<kCount> turning(const PackSample<kCount>& from,
                                        const PackSample<kCount>& to) noexcept {
    const Pack half = same(0.5);
    const Pack between = half * (from.least + to.least);
    PackTurning<kCount> b;
    for (int i = 0; i < kCount; ++i) {
        b.b0[i] = from.height.h[i] - from.least;
        b.b1[i] = half * (dot(from.n, to.d.d[i]) + dot(to.n, from.d.d[i])) - between;
        b.b2[i] = to.height.h[i] - to.least;
    }
    return b;
}
// From the start to the end.
template <int kCount>
GRAZE_PIECE PackTurning<kCount> turning_over_step(const PackHeights<kCount>& from,
                                                  const PackHeights<kCount>& to) noexcept {
    const Pack half = same(0.5);
    const Pack between = half * (from.least + to.least);
    PackTurning<kCount> b;
    for (int i = 0; i < kCount; ++i) {
        b.b0[i] = from.start[i] - from.least;
        b.b1[i] = half * (from.end[i] + to.start[i]) - between;
        b.b2[i] = to.end[i] - to.least;
    }
    return b;
}
template <int kCount>
GRAZE_PIECE Mask is_positive(const PackTurning<kCount>& b) noexcept {
    Pack lowest = smaller(smaller(b.b0[0], b.b1[0]), b.b2[0]);
    for (int i = 1; i < kCount; ++i)
        lowest = smaller(lowest, smaller(smaller(b.b0[i], b.b1[i]), b.b2[i]));
    return above(lowest, same(0.0));
}
template <int kCount>
GRAZE_PIECE Pack worst_part(const PackTurning<kCount>& b) noexcept {
    Pack least;
    Pack part;
    for (int i = 0; i < kCount; ++i) {
        const Pack half_fall = b.b0[i] - b.b1[i];
        const Pack bend = half_fall - (b.b1[i] - b.b2[i]);
        const Pack at = half_fall / bend;
        const Pack here = where(above(bend, same(0.0)), b.b0[i] - half_fall * at, same(2.0));
        if (i == 0) {
            least = here;
            part = at;
        } else {  // of equal ones the first
            part = where(above(least, here), at, part);
            least = smaller(here, least);
        }
    }
    return smaller(larger(part, same(0.25)), same(0.75));
}

template <Norm kNorm, int kCount>
struct PackStart {
    PackCandidate c;
    PackHeights<kCount> h;
    PackWeights weights;
    Pack slope;
    Pack by_line;  // when the distance is d, by its slope; 2: never
};
template <Norm kNorm, int kCount>
GRAZE_PIECE void set_slope(const PackQuery<kCount>& q, PackStart<kNorm, kCount>& start) noexcept {
    start.weights = weights_of<kNorm>(q.d.start, start.c);
    Projected<kCount> moved;
    for (int i = 0; i < kCount; ++i)
        moved.h[i] = start.h.end[i] - start.h.start[i];
    const Pack zero = same(0.0);
    start.slope = weighted(start.weights, moved) / sum(start.weights);
    start.by_line = where(above(zero, start.slope), zero - start.h.gap / start.slope, same(2.0));
}

template <int kCount>
GRAZE_PIECE PackVertices<kCount> moved_by(const PackQuery<kCount>& q) noexcept {
    PackVertices<kCount> moved;
    for (int i = 0; i < kCount; ++i)
        moved.d[i] = q.d.end.d[i] - q.d.start.d[i];
    return moved;
}
// Number `side` of the four, by lane.
GRAZE_PIECE PackVector chosen_of(Pack side, const PackVector (&e)[4]) noexcept {
    return where(equal(side, same(0.0)), e[0],
                 where(equal(side, same(1.0)), e[1], where(equal(side, same(2.0)), e[2], e[3])));
}
// When the distance should be least, and whether it does not come down to d by then: by_side() of
// advance-inl.hpp, up to its iteration. Requires: lanes whose nearest point is on a side.
struct PackApproach {
    Mask has_contact;
    Pack nearest;  // 2: not in the step
};
template <int kCount>
GRAZE_PIECE PackApproach by_side(const PackQuery<kCount>& q,
                                 const PackStart<Norm::Euclidean, kCount>& from) noexcept {
    const PackVertices<kCount> moved = moved_by(q);
    const PackWeights& w = from.weights;
    Projected<kCount> x;
    Projected<kCount> y;
    Projected<kCount> z;
    for (int i = 0; i < kCount; ++i) {
        x.h[i] = moved.d[i].x;
        y.h[i] = moved.d[i].y;
        z.h[i] = moved.d[i].z;
    }
    const PackVector v = {weighted(w, x), weighted(w, y), weighted(w, z)};
    const Pack zero = same(0.0);
    const Pack r = from.h.gap + q.reach;
    PackVector sides[4];
    sides_of(q.d.start, sides);
    const PackVector e = chosen_of(from.c.side, sides);
    sides_of(moved, sides);
    const PackVector turned = chosen_of(from.c.side, sides);
    const Pack slid = dot(v, e) + r * dot(from.h.n, turned);
    const Mask used[4] = {above(w.w[0], zero), above(w.w[1], zero), above(w.w[2], zero),
                          above(w.w[3], zero)};
    const Mask slides = (equal(from.c.side, zero) & used[0] & used[1]) |
                        (equal(from.c.side, same(1.0)) & used[1] & used[2]) |
                        (equal(from.c.side, same(2.0)) & used[2] & used[3]) |
                        (equal(from.c.side, same(3.0)) & used[3] & used[0]);
    const Pack bend = dot(v, v) - where(slides, slid * slid / dot(e, e), zero);
    const Pack fall = (same(-1.0) * r) * from.slope;
    const Pack begin = from.h.gap * (r + q.reach);
    const Pack contact = begin / (fall + square_root(fall * fall - bend * begin));
    const Pack nearest = fall / bend;
    return {above(contact, zero), where(above(nearest, same(0.0625)), nearest, same(2.0))};
}

// Lanes that go on, and where to.
struct PackRoute {
    Mask to_end;      // to a sample at the end
    Mask to_nearest;  // Euclidean norm: to one where the distance should be least
    Mask to_line;     // max-norm: to one where it is d by its slope
    Pack t;           // the time of those two
};
template <Norm kNorm, int kCount>
GRAZE_PIECE PackRoute route_of(const PackQuery<kCount>& q, const PackStart<kNorm, kCount>& start,
                               Mask left, double time_width) noexcept {
    const Pack one = same(1.0);
    const Mask arrives = left & above(one, start.by_line);
    PackRoute route;
    route.to_end = without(left, arrives);
    route.to_nearest = route.to_line = without(left, left);
    route.t = same(0.5);
    // Neither of a plane, nor so far that another point will be the nearest.
    const Mask is_far = above(same(0.25) * (start.h.gap + q.reach), q.reach);
    const Mask is_near = without(without(arrives, start.c.is_face), is_far);
    if (bits(is_near) == 0) return route;
    if constexpr (kNorm == Norm::Euclidean) {
        const PackApproach expected = by_side(q, start);
        const Mask stays = without(is_near, expected.has_contact);
        route.to_nearest = stays & above(one, expected.nearest);
        route.to_end = route.to_end | without(stays, route.to_nearest);
        route.t = where(route.to_nearest, expected.nearest, route.t);
    } else {
        const Pack t = start.by_line + same(constants::kBehind * time_width);
        const Mask is_along_axis = is_near & start.c.is_axis;
        route.to_line = is_along_axis & above(one, t) & above(t, same(constants::kLeastStep));
        route.t = where(route.to_line, t, route.t);
    }
    return route;
}

// Lanes that are decided, and those that are better decided together with others: what only few of
// them need is left for a pack of such.
struct PackOutcome {
    Mask separated;
    Mask deferred;
};
GRAZE_PIECE unsigned count(Mask mask) noexcept {
    return static_cast<unsigned>(std::popcount(bits(mask)));
}

// With a sample before the end.
template <Norm kNorm, int kCount>
GRAZE_RARE Mask separated_on_the_way(const PackQuery<kCount>& q,
                                     const PackStart<kNorm, kCount>& start,
                                     const PackRoute& route) noexcept {
    PackLook<kCount> there;
    look_at<kNorm>(q, route.t, there);
    const Mask is_free_now = is_free_by_spans(start.h, there.h);
    if constexpr (kNorm == Norm::Euclidean) {
        return route.to_nearest & is_free_now;
    } else {
        // by_turning() asks for spans where the distance does not seem to come down to d.
        const Pack zero = same(0.0);
        const PackWeights weights = weights_of<kNorm>(there.at.d, there.c);
        const Pack slope = weighted(weights, along(there.h.n, moved_by(q))) / sum(weights);
        const Pack by_slope = where(above(zero, slope), route.t - there.h.gap / slope, same(2.0));
        const Mask waits = above(same(1.0), by_slope);
        const Mask is_opposite = above(zero, dot(start.h.n, there.h.n));
        const Mask is_clear = above(there.h.gap, same(constants::kNoGap));
        return without(without(route.to_line & is_clear & is_free_now, is_opposite), waits);
    }
}

// Lanes in which a sample between sees a gap, on the same side as the one before it.
template <int kCount>
GRAZE_PIECE Mask is_clear(const PackLook<kCount>& look, const PackVector& before) noexcept {
    return without(above(look.h.gap, same(constants::kNoGap)),
                   above(same(0.0), dot(before, look.h.n)));
}
// From sample to sample, with one where the bound from the start to the end is least, and one more on
// the first side of it that is not proved then: by_cutting() up to its third sample. More of them are
// needed by so few lanes that they cost more than one query at a time.
template <Norm kNorm, int kCount>
GRAZE_RARE Mask separated_by_cutting(const PackQuery<kCount>& q, const PackSample<kCount>& start,
                                     const PackSample<kCount>& end,
                                     const PackTurning<kCount>& bound, Mask asked) noexcept {
    PackLook<kCount> middle;
    look_at<kNorm>(q, worst_part(bound), middle);
    asked = asked & is_clear(middle, start.n);
    const PackTurning<kCount> first = turning(start, middle.at);
    const PackTurning<kCount> second = turning(middle.at, end);
    const Mask is_first = is_positive(first);
    const Mask is_second = is_positive(second);
    const Mask is_proved = asked & (is_free(middle.h) | (is_first & is_second));
    const Mask left = without(asked, is_proved);
    if (bits(left) == 0) return is_proved;
    const PackSample<kCount> from = where(is_first, middle.at, start);
    const PackSample<kCount> to = where(is_first, end, middle.at);
    const Pack part = where(is_first, worst_part(second), worst_part(first));
    PackLook<kCount> other;
    look_at<kNorm>(q, from.t + part * (to.t - from.t), other);
    const Mask by_two = is_positive(turning(from, other.at)) & is_positive(turning(other.at, to));
    return is_proved | (left & is_clear(other, from.n) &
                        (is_free(other.h) | (by_two & (is_first | is_second))));
}

// With a sample at the end, and others between.
template <Norm kNorm, int kCount>
GRAZE_RARE PackOutcome separated_up_to_end(const PackQuery<kCount>& q,
                                           const PackStart<kNorm, kCount>& start, Mask asked,
                                           unsigned few) noexcept {
    const PackHeights<kCount> by_end = heights_of(q, candidate_at<kNorm>(q.d.end));
    const Mask ends_free = without(asked & above(by_end.gap, same(constants::kNoGap)),
                                   above(same(0.0), dot(start.h.n, by_end.n)));
    const PackTurning<kCount> bound = turning_over_step(start.h, by_end);
    const Mask is_proved = ends_free & (is_free(by_end) | is_positive(bound));
    const Mask left = without(ends_free, is_proved);
    if (count(left) < few) return {is_proved, left};
    PackSample<kCount> from = {same(0.0), q.d.start, start.h.n, start.h.least, {}};
    PackSample<kCount> to = {same(1.0), q.d.end, by_end.n, by_end.least, {}};
    for (int i = 0; i < kCount; ++i) {
        from.height.h[i] = start.h.start[i];
        to.height.h[i] = by_end.end[i];
    }
    return {is_proved | separated_by_cutting<kNorm>(q, from, to, bound, left), without(left, left)};
}

// Directions that do not rotate, one after the other: each is that of the nearest point at the time up to
// which those before it prove the step to be free (CS-12).
constexpr int kMostDirections = 6;
template <Norm kNorm, int kCount>
GRAZE_PIECE Mask separated_by_advancing(const PackQuery<kCount>& q, Mask asked) noexcept {
    const Pack one = same(1.0);
    Pack until = same(0.0);  // free before
    asked = asked & q.in_range;
    Mask found = without(asked, asked);
    for (int round = 0; round < kMostDirections; ++round) {
        PackLook<kCount> there;
        look_at<kNorm>(q, until, there);
        const PackSpan span = free_span(there.h);
        const Mask goes_on = asked & above(until, span.begin);
        until = where(goes_on, larger(until, span.end), until);
        const Mask is_done = goes_on & above(until, one);
        found = found | is_done;
        asked = without(goes_on, is_done);
        if (bits(asked) == 0) break;
        until = smaller(until, one);
    }
    return found;
}

// `few`: what fewer lanes need is deferred.
template <Norm kNorm, int kCount>
GRAZE_PIECE PackOutcome separated_by_directions(const PackQuery<kCount>& q, Mask asked,
                                                const FastSeparationOptions& o,
                                                unsigned few) noexcept {
    PackStart<kNorm, kCount> start;
    start.c = candidate_at<kNorm>(q.d.start);
    start.h = heights_of(q, start.c);
    const Mask none = without(asked, asked);
    asked = asked & q.in_range;
    const Mask begins_free = asked & above(start.h.gap, same(constants::kNoGap));
    PackOutcome found = {begins_free & is_free(start.h), none};
    if (bits(without(asked, found.separated)) == 0) return found;
    found.separated = found.separated | (asked & is_beyond_normal<kNorm>(q));
    const Mask left = without(begins_free, found.separated);
    if (o.t_max != 1.0 || bits(left) == 0) return found;
    if (count(left) < few) return {found.separated, left};
    set_slope(q, start);
    const PackRoute route = route_of(q, start, left, o.time_width);
    const Mask on_the_way = route.to_nearest | route.to_line;
    if (count(on_the_way) < few) {
        found.deferred = on_the_way;
    } else {
        found.separated = found.separated | separated_on_the_way(q, start, route);
    }
    if (count(route.to_end) < few) {
        found.deferred = found.deferred | route.to_end;
    } else {
        const PackOutcome at_end = separated_up_to_end(q, start, route.to_end, few);
        found.separated = found.separated | at_end.separated;
        found.deferred = found.deferred | at_end.deferred;
    }
    return found;
}

// --- Up to 64 queries ---------------------------------------------------------------------------

template <class Motion>
struct Several {
    const Motion* motions;
    const double* separations;
};

// Of kLanes queries, as bits.
struct Found {
    unsigned separated;
    unsigned deferred;
    unsigned open;       // after the axes
    unsigned by_points;  // separated so
};
// What all passes begin with.
template <class Motion>
struct Loaded {
    PackEnds<kVertices<Motion>> raw;
    Pack d;
    PackExtent extent;
    Mask open;  // by axes
};
template <class Motion>
GRAZE_PIECE Loaded<Motion> load(const Several<Motion>& queries, const std::uint8_t* lanes,
                                bool tests_axes) noexcept {
    const Motion* motions[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i)
        motions[i] = queries.motions + lanes[i];
    Loaded<Motion> loaded;
    loaded.raw = raw_ends(motions);
    loaded.d = gather(queries.separations, lanes);
    loaded.extent = extent_of(loaded.raw);
    // All lanes: one whose d is NaN is separated by nothing.
    loaded.open = equal(same(0.0), same(0.0));
    if (tests_axes) loaded.open = without(loaded.open, axis_separates(loaded.extent, loaded.d));
    return loaded;
}
GRAZE_PIECE unsigned others(Mask mask) noexcept {
    return ~bits(mask) & ((1U << kLanes) - 1U);
}

// Axes and one direction to a point, and the rest is deferred.
template <class Motion>
GRAZE_RARE Found find_by_points(const Several<Motion>& queries, const std::uint8_t* lanes,
                                unsigned few) noexcept {
    const Loaded<Motion> q = load(queries, lanes, true);
    const unsigned by_axes = others(q.open);
    if (count(q.open) < few) return {by_axes, bits(q.open), bits(q.open), 0};
    const Mask found = q.open & separated_by_points(q.raw, q.extent, q.d);
    return {by_axes | bits(found), bits(without(q.open, found)), bits(q.open), bits(found)};
}

// The first pass over a query tests axes; where those leave few lanes, the rest is deferred.
template <class Motion, Norm kNorm>
GRAZE_RARE Found find_separated(const Several<Motion>& queries, const std::uint8_t* lanes,
                                const FastSeparationOptions& o, unsigned few,
                                bool tests_axes) noexcept {
    const Loaded<Motion> q = load(queries, lanes, tests_axes);
    const unsigned by_axes = others(q.open);
    if (count(q.open) < few) return {by_axes, bits(q.open), bits(q.open), 0};
    const PackOutcome found =
        separated_by_directions<kNorm>(scaled_query(q.raw, q.extent, q.d), q.open, o, few);
    return {by_axes | bits(found.separated), bits(found.deferred), bits(q.open), 0};
}

// By directions that do not rotate; the rest is left to one query at a time.
template <class Motion, Norm kNorm>
GRAZE_RARE Found find_by_advancing(const Several<Motion>& queries,
                                   const std::uint8_t* lanes) noexcept {
    const Loaded<Motion> q = load(queries, lanes, false);
    const Mask found = separated_by_advancing<kNorm>(scaled_query(q.raw, q.extent, q.d), q.open);
    return {bits(found), 0, bits(q.open), 0};
}

// In passes over what the one before has deferred, each of which defers less.
constexpr unsigned kFewInPass[] = {(kLanes + 1) / 2, 1};

constexpr std::size_t kSeldomOpen = 8;

// Are points worth their time in a batch? While they decide half of what axes leave.
struct PointsRecord {
    std::size_t asked = 0;
    std::size_t found = 0;
    GRAZE_PIECE void add(const Found& pack) noexcept {
        asked += static_cast<std::size_t>(std::popcount(pack.open));
        found += static_cast<std::size_t>(std::popcount(pack.by_points));
    }
    [[nodiscard]] GRAZE_PIECE bool is_good() const noexcept {
        return asked <= kLanes || 2 * found > asked;
    }
};

template <class Motion, Norm kNorm>
GRAZE_FAST std::uint64_t separated_in(const Several<Motion>& queries, std::size_t count,
                                      const FastSeparationOptions& o) noexcept {
    std::uint8_t open[kMostInBatch + kLanes];
    for (std::size_t i = 0; i < count; ++i)
        open[i] = static_cast<std::uint8_t>(i);
    std::uint64_t separated = 0;
    std::size_t open_count = 0;
    bool is_first = true;
    bool advances = false;
    PointsRecord points;
    for (const unsigned few : kFewInPass) {
        // Lanes that are left over repeat a query.
        for (std::size_t i = 0; i < kLanes && count > 0; ++i)
            open[count + i] = open[count - 1];
        std::size_t deferred = 0;
        for (std::size_t first = 0; first < count; first += kLanes) {
            const bool by_points = kNorm == Norm::Euclidean && is_first && points.is_good();
            const Found found =
                by_points  ? find_by_points<Motion>(queries, open + first, few)
                : advances ? find_by_advancing<Motion, kNorm>(queries, open + first)
                           : find_separated<Motion, kNorm>(queries, open + first, o, few, is_first);
            if (by_points) points.add(found);
            for (std::size_t i = 0; i < kLanes && first + i < count; ++i) {
                const std::uint8_t query = open[first + i];
                separated |= static_cast<std::uint64_t>(found.separated >> i & 1U) << query;
                open[deferred] = query;
                deferred += found.deferred >> i & 1U;
                open_count += found.open >> i & 1U;
            }
        }
        // What axes leave over where they decide nearly all is far from its separation, and seldom
        // decided by what follows.
        if (is_first && open_count * kSeldomOpen <= count) break;
        // Where little rotates, so that one direction decided two thirds, some more do for the rest.
        advances = 3 * (count - open_count + points.found) > 2 * count;
        count = deferred;
        is_first = false;
    }
    return separated;
}

// One query by all that lanes prove and separation_answer() does not ask for: points, and directions that do
// not rotate. The same bits as in a lane of a batch.
template <class Motion>
GRAZE_RARE bool is_separated_alone(const Motion& motion, const FastSeparationOptions& o) noexcept {
    const std::uint8_t lanes[kLanes] = {};
    const Loaded<Motion> q = load(Several<Motion>{&motion, &o.d}, lanes, false);
    const auto scaled = scaled_query(q.raw, q.extent, q.d);
    const Mask found = o.norm == Norm::Max
                           ? separated_by_advancing<Norm::Max>(scaled, q.open)
                           : separated_by_points(q.raw, q.extent, q.d) |
                                 separated_by_advancing<Norm::Euclidean>(scaled, q.open);
    return (bits(found) & 1U) != 0U;
}

// Bit i: motions[i] stays farther than separations[i].
template <class Motion>
GRAZE_FAST std::uint64_t separated_of(const Motion* motions, const double* separations,
                                      std::size_t count, const FastSeparationOptions& o) noexcept {
    const Several<Motion> queries = {motions, separations};
    return o.norm == Norm::Max ? separated_in<Motion, Norm::Max>(queries, count, o)
                               : separated_in<Motion, Norm::Euclidean>(queries, count, o);
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_SEVERAL_INL_HPP
