// Proofs with a minimum separation for several queries at a time, one in each lane
// (docs/derivations/certified_separation.md, CS-11): an axis, one direction towards a point (points-inl.hpp),
// the normal in the middle of the step, and the directions of the nearest points at the start, at the end and
// at some times between, as they are or rotating from one to the next.
//
// Contract: a query that is called separated is so on [0, t_max]. separation_answer() (separation-inl.hpp)
// says the same of it, or leaves it open, and then is_separated_alone() says it. What is not called so is
// open.
//
// Why: separation_answer() calls nothing a contact without a witness, asks axes as lanes do, and
// is_separated_alone() asks all else that lanes ask, to the bit.
//
// Notation: near-inl.hpp, with a Pack in the place of each number. Of four vertices those that repeat
// another are left out: kVertices are left.
//
// Proved, free: as in near-inl.hpp, for a direction as it is (CS-2) and for one that rotates (CS-3).
//
// Error bounds: those of near-inl.hpp. n.D(t) is (1 - t) n.D(0) + t n.D(1) here: 4 rounding errors of a
// height at an end, and 3 more (1 - t, product, sum) are the 7 of n.D(t) there.
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

// As Candidate, without its weights.
struct PackCandidate {
    PackVector n;
    Pack length;
    Pack along;
};

// --- The Euclidean norm -------------------------------------------------------------------------

// The polygon is D_0 + s e + t f, with e and f its sides at D_0: for s and t in [0, 1], of a triangle also
// s + t <= 1. Nearest to the origin: of the points on the sides, or inside where the gradient of the square of
// the distance, |D_0|^2 + s (s a + 2 p) + t (t c + 2 q) + 2 s t b, vanishes.
struct PackPolygon {
    PackVector e;
    PackVector f;
    Pack a;  // e.e
    Pack b;  // e.f
    Pack c;  // f.f
    Pack p;  // D_0.e
    Pack q;  // D_0.f
};
// A point, and its square less that of D_0.
struct PackPlace {
    Pack s;
    Pack t;
    Pack less;
};
GRAZE_PIECE PackPlace nearer(const PackPlace& x, const PackPlace& y) noexcept {
    const Mask is_second = above(x.less, y.less);
    return {where(is_second, y.s, x.s), where(is_second, y.t, x.t), smaller(x.less, y.less)};
}
GRAZE_PIECE Pack within_side(Pack fraction) noexcept {
    return smaller(larger(fraction, same(0.0)), same(1.0));
}
template <int kCount>
GRAZE_PIECE PackPlace nearest_on_sides(const PackPolygon& v) noexcept {
    const Pack zero = same(0.0);
    const Pack one = same(1.0);
    const Pack two = same(2.0);
    const Pack s0 = within_side((zero - v.p) / v.a);
    const Pack t0 = within_side((zero - v.q) / v.c);
    const PackPlace first =
        nearer({s0, zero, s0 * (s0 * v.a + two * v.p)}, {zero, t0, t0 * (t0 * v.c + two * v.q)});
    const Pack at_e = v.a + two * v.p;  // of s = 1, t = 0
    if constexpr (kCount == 3) {
        const Pack along = ((v.q + v.b) - v.p) - v.a;  // D_1.(f - e)
        const Pack square = (v.a - two * v.b) + v.c;
        const Pack r = within_side((zero - along) / square);
        return nearer(first, {one - r, r, at_e + r * (r * square + two * along)});
    } else {
        const Pack p = v.p + v.b;
        const Pack q = v.q + v.b;
        const Pack s1 = within_side((zero - p) / v.a);
        const Pack t1 = within_side((zero - q) / v.c);
        const Pack at_f = v.c + two * v.q;
        return nearer(first, nearer({s1, one, at_f + s1 * (s1 * v.a + two * p)},
                                    {one, t1, at_e + t1 * (t1 * v.c + two * q)}));
    }
}
template <int kCount>
GRAZE_PIECE Mask is_over_face(const PackPolygon& v) noexcept {
    const Pack zero = same(0.0);
    const Pack s = v.b * v.q - v.c * v.p;
    const Pack t = v.b * v.p - v.a * v.q;
    const Pack whole = v.a * v.c - v.b * v.b;
    const Mask is_positive = above(s, zero) & above(t, zero);
    if constexpr (kCount == 3) return is_positive & above(whole, s + t);
    return is_positive & above(whole, s) & above(whole, t);
}
template <int kCount>
GRAZE_PIECE PackCandidate nearest_in_space(const PackVertices<kCount>& d) noexcept {
    const PackVector& first = d.at(0);
    PackPolygon v;
    v.e = d.at(1) - first;
    v.f = d.at(3) - first;
    v.a = dot(v.e, v.e);
    v.b = dot(v.e, v.f);
    v.c = dot(v.f, v.f);
    v.p = dot(first, v.e);
    v.q = dot(first, v.f);
    const PackPlace on_side = nearest_on_sides<kCount>(v);
    const PackVector point = {(first.x + on_side.s * v.e.x) + on_side.t * v.f.x,
                              (first.y + on_side.s * v.e.y) + on_side.t * v.f.y,
                              (first.z + on_side.s * v.e.z) + on_side.t * v.f.z};
    const PackVector normal = cross(v.e, v.f);
    const Mask is_face = is_over_face<kCount>(v);
    const Pack along = dot(normal, first);
    const Pack sign = sign_of(along);
    PackCandidate c;
    c.n = where(is_face, normal * sign, point);
    const Pack square = dot(c.n, c.n);
    c.length = square_root(square);
    c.along = where(is_face, sign * along, square);
    return c;
}

// --- The max-norm -------------------------------------------------------------------------------

// n.D_i, by vertex.
template <int kCount>
struct Projected {
    Pack h[kCount];
};
// How far a direction separates, times its length; not above 0 where it does not.
template <int kCount>
GRAZE_PIECE Pack beyond_along(const Projected<kCount>& n) noexcept {
    Pack least = smaller(n.h[0], smaller(n.h[1], n.h[2]));
    Pack most = larger(n.h[0], larger(n.h[1], n.h[2]));
    if constexpr (kCount == 4) {
        least = smaller(least, n.h[3]);
        most = larger(most, n.h[3]);
    }
    return larger(least, same(0.0) - most);
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

// The best direction so far: `beyond` over `length` is the largest. Compared by products, since
// quotients take ten times as long.
struct BestInCubes {
    Pack beyond;
    Pack length;
    PackVector n;
    Pack first;  // n.D_0
};
template <int kCount>
GRAZE_PIECE void take(BestInCubes& best, const Projected<kCount>& along, Pack length,
                      const PackVector& n) noexcept {
    const Pack beyond = beyond_along(along);
    const Mask is_better = above(beyond * best.length, best.beyond * length);
    best.beyond = where(is_better, beyond, best.beyond);
    best.length = where(is_better, length, best.length);
    best.n = where(is_better, n, best.n);
    best.first = where(is_better, along.h[0], best.first);
}
template <int kCount>
GRAZE_PIECE void take_side(BestInCubes& best, const PackVector& e,
                           const PackVertices<kCount>& d) noexcept {
    const Pack zero = same(0.0);
    const Pack minus = same(-1.0);
    const Pack ax = magnitude(e.x);
    const Pack ay = magnitude(e.y);
    const Pack az = magnitude(e.z);
    take(best, across<1, 0>(e, d), ax + ay, {e.y, minus * e.x, zero});
    take(best, across<0, 2>(e, d), az + ax, {minus * e.z, zero, e.x});
    take(best, across<2, 1>(e, d), ay + az, {zero, e.z, minus * e.y});
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
    const PackVector first = d.at(1) - d.at(0);
    const PackVector second = d.at(2) - d.at(1);
    const PackVector last = d.at(0) - d.at(3);
    const Pack zero = same(0.0);
    const Pack one = same(1.0);
    BestInCubes best = {zero, one, {zero, zero, zero}, zero};
    take(best, along_axis<0>(d), one, {one, zero, zero});
    take(best, along_axis<1>(d), one, {zero, one, zero});
    take(best, along_axis<2>(d), one, {zero, zero, one});
    const PackVector normal = cross(last, first);
    take(best, along(normal, d), one_norm(normal), normal);
    take_side(best, first, d);
    take_side(best, second, d);
    if constexpr (kCount == 3) take_side(best, last, d);
    return {best.n * sign_of(best.first), best.length, best.beyond};
}

template <Norm kNorm, int kCount>
GRAZE_PIECE PackCandidate candidate_at(const PackVertices<kCount>& d) noexcept {
    if constexpr (kNorm == Norm::Max) {
        return nearest_in_cubes(d);
    } else {
        return nearest_in_space(d);
    }
}

// --- What is proved -----------------------------------------------------------------------------

// As in near-inl.hpp and normal-inl.hpp: n.D(t) has 7 rounding errors, 8 with the sum of two.
static_assert(error_forms::kAlongBetween.roundings() == error_forms::kAlongAt.roundings());
static_assert(error_forms::kAlongBetween.roundings() + 1 == 8 &&
              8.2 * constants::kU < constants::kAlongDirectionError * (1.0 - 6.0 * constants::kU));
static_assert(error_forms::kAlong.roundings() == 4 && 8.1 * constants::kU < constants::kAlongError);
static_assert(constants::kReachFactor >
              1.0 + 8.0 * constants::kU);                    // |n| <= 1 + 5.1u, two roundings
static_assert(constants::kAxisError > 2.0 * constants::kU);  // of the difference and of the margin

// A direction, that of the nearest point at time t of each lane.
template <int kCount>
struct PackSample {
    Pack t;
    PackVector n;
    Pack gap;
    Pack least;  // what n.D_i must exceed
    // n.D_i
    Projected<kCount> start;
    Projected<kCount> end;
    Projected<kCount> here;
};
// n.D_i at another time, s = 1 - t.
template <int kCount>
GRAZE_PIECE Pack height_at(const PackSample<kCount>& sample, int i, Pack s, Pack t) noexcept {
    return sample.start.h[i] * s + sample.end.h[i] * t;
}
// Requires: |n| <= 1 + 5.1u in the dual norm.
template <int kCount>
GRAZE_PIECE void set_heights(const PackQuery<kCount>& q, PackSample<kCount>& sample) noexcept {
    sample.start = along(sample.n, q.d.start);
    sample.end = along(sample.n, q.d.end);
    const Pack before = same(1.0) - sample.t;
    for (int i = 0; i < kCount; ++i)
        sample.here.h[i] = height_at(sample, i, before, sample.t);
    const Pack size = (magnitude(sample.n.x) * q.m.x + magnitude(sample.n.y) * q.m.y) +
                      magnitude(sample.n.z) * q.m.z;
    sample.least = (same(constants::kAlongDirectionError) * size + same(constants::kUnderflow)) +
                   q.reach * same(constants::kReachFactor);
}
template <Norm kNorm, int kCount>
GRAZE_PIECE void set_direction(const PackQuery<kCount>& q, const PackVertices<kCount>& d, Pack t,
                               PackSample<kCount>& sample) noexcept {
    const PackCandidate c = candidate_at<kNorm>(d);
    const Pack inverse =
        where(above(c.length, same(constants::kShortest)), same(1.0) / c.length, same(0.0));
    sample.t = t;
    sample.n = c.n * inverse;
    sample.gap = c.along * inverse - q.reach;
    set_heights(q, sample);
}
template <Norm kNorm, int kCount>
GRAZE_RARE void sample_at(const PackQuery<kCount>& q, Pack t, PackSample<kCount>& sample) noexcept {
    const Pack s = same(1.0) - t;
    PackVertices<kCount> d;
    for (int i = 0; i < kCount; ++i) {
        const PackVector& a = q.d.start.d[i];
        const PackVector& b = q.d.end.d[i];
        d.d[i] = {a.x * s + b.x * t, a.y * s + b.y * t, a.z * s + b.z * t};
    }
    set_direction<kNorm>(q, d, t, sample);
}
template <int kCount>
GRAZE_PIECE PackSample<kCount> where(Mask mask, const PackSample<kCount>& a,
                                     const PackSample<kCount>& b) noexcept {
    PackSample<kCount> c;
    c.t = where(mask, a.t, b.t);
    c.n = where(mask, a.n, b.n);
    c.gap = where(mask, a.gap, b.gap);
    c.least = where(mask, a.least, b.least);
    for (int i = 0; i < kCount; ++i) {
        c.start.h[i] = where(mask, a.start.h[i], b.start.h[i]);
        c.end.h[i] = where(mask, a.end.h[i], b.end.h[i]);
        c.here.h[i] = where(mask, a.here.h[i], b.here.h[i]);
    }
    return c;
}

template <int kCount>
GRAZE_PIECE Pack lowest_of(const Projected<kCount>& heights) noexcept {
    Pack lowest = heights.h[0];
    for (int i = 1; i < kCount; ++i)
        lowest = smaller(lowest, heights.h[i]);
    return lowest;
}
// Is the whole step free by the direction of a sample as it is?
template <int kCount>
GRAZE_PIECE Mask is_free(const PackSample<kCount>& sample) noexcept {
    return above(smaller(lowest_of(sample.start), lowest_of(sample.end)), sample.least);
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
GRAZE_PIECE PackSpan free_span(const PackSample<kCount>& sample) noexcept {
    const Pack zero = same(0.0);
    const Pack two = same(2.0);
    const Pack minus = same(-1.0);
    Pack first_end;
    Pack last_begin;
    Pack least_start;
    Pack least_end;
    Mask is_nowhere;
    for (int i = 0; i < kCount; ++i) {
        const Pack start = sample.start.h[i] - sample.least;
        const Pack end = sample.end.h[i] - sample.least;
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
    const Pack one = same(1.0);
    const Pack half = same(0.5);
    const Pack between = half * (from.least + to.least);
    const Pack before_from = one - from.t;
    const Pack before_to = one - to.t;
    PackTurning<kCount> b;
    for (int i = 0; i < kCount; ++i) {
        b.b0[i] = from.here.h[i] - from.least;
        b.b1[i] =
            half * (height_at(from, i, before_to, to.t) + height_at(to, i, before_from, from.t)) -
            between;
        b.b2[i] = to.here.h[i] - to.least;
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

// Lanes that are decided, and those that are better decided together with others: what only few of
// them need is left for a pack of such.
struct PackOutcome {
    Mask separated;
    Mask deferred;
};
GRAZE_PIECE unsigned count(Mask mask) noexcept {
    return static_cast<unsigned>(std::popcount(bits(mask)));
}

// What is proved to be free of a step, [0, early) and (last, t_max], and where it is proved next.
template <int kCount>
struct PackPath {
    Pack early;
    Pack last;
    PackSample<kCount> from;  // [0, from.t] is free, but for the start
    PackSample<kCount> to;
    PackSample<kCount> end;  // at t_max
};
// The direction of a sample as it is, over all of the step.
template <int kCount>
GRAZE_PIECE void add_span(const PackSample<kCount>& sample, PackPath<kCount>& path) noexcept {
    const PackSpan span = free_span(sample);
    path.early = where(above(path.early, span.begin), larger(path.early, span.end), path.early);
    path.last = where(above(span.end, path.end.t), smaller(path.last, span.begin), path.last);
}
// Lanes in which a sample sees a gap, on the same side as the one before it.
template <int kCount>
GRAZE_PIECE Mask is_clear(const PackSample<kCount>& sample,
                          const PackSample<kCount>& before) noexcept {
    return without(above(sample.gap, same(constants::kNoGap)),
                   above(same(0.0), dot(before.n, sample.n)));
}
// A time between `from` and `to` that is not known to be free: where the bound of the direction that
// rotates between them is least, and not near what is free.
template <int kCount>
GRAZE_PIECE Pack time_between(const PackPath<kCount>& path,
                              const PackTurning<kCount>& bound) noexcept {
    const Pack quarter = same(0.25);
    const Pack least = path.from.t + worst_part(bound) * (path.to.t - path.from.t);
    const Pack begin = larger(path.from.t, path.early);
    const Pack end = smaller(path.to.t, path.last);
    const Pack margin = quarter * (end - begin);
    return smaller(larger(least, begin + margin), end - margin);
}

// Samples between, until all is free, by their directions as they are and as they rotate from one to the
// next. `bound`: of what rotates from path.from to path.to.
constexpr int kMostCuts = 6;
template <Norm kNorm, int kCount>
GRAZE_RARE Mask separated_by_cutting(const PackQuery<kCount>& q, PackPath<kCount>& path,
                                     PackTurning<kCount> bound, Mask asked) noexcept {
    Mask found = without(asked, asked);
    for (int i = 0; i < kMostCuts; ++i) {
        PackSample<kCount> middle;
        sample_at<kNorm>(q, time_between(path, bound), middle);
        asked = asked & is_clear(middle, path.from);
        add_span(middle, path);
        const PackTurning<kCount> first = turning(path.from, middle);
        const PackTurning<kCount> second = turning(middle, path.to);
        const Mask is_at_end = equal(path.to.t, path.end.t);
        const Mask is_first = is_positive(first) | above(path.early, middle.t);
        const Mask is_second = is_positive(second) | above(middle.t, path.last);
        const Mask is_both = is_first & is_second;
        path.early = where(is_first, larger(path.early, middle.t), path.early);
        path.last = where(is_second & is_at_end, smaller(path.last, middle.t), path.last);
        found = found | (asked & (above(path.early, path.last) | (is_both & is_at_end)));
        asked = without(asked, found);
        if (bits(asked) == 0) break;
        path.from = where(is_both, path.to, where(is_first, middle, path.from));
        path.to = where(is_both, path.end, where(is_first, path.to, middle));
        for (int k = 0; k < kCount; ++k) {
            bound.b0[k] = where(is_first, second.b0[k], first.b0[k]);
            bound.b1[k] = where(is_first, second.b1[k], first.b1[k]);
            bound.b2[k] = where(is_first, second.b2[k], first.b2[k]);
        }
        if (bits(asked & is_both) == 0) continue;
        // A part of the step is done, and the next one goes up to the end.
        bound = turning(path.from, path.to);
        found = found | (asked & is_both & is_positive(bound));
        asked = without(asked, found);
        if (bits(asked) == 0) break;
    }
    return found;
}

// The direction of the start, the normal in the middle of the step, the direction of the end and what rotates
// to it from the start; then samples between. `few`: what fewer lanes need is deferred.
template <Norm kNorm, int kCount>
GRAZE_PIECE PackOutcome separated_by_directions(const PackQuery<kCount>& q, Mask asked,
                                                const FastSeparationOptions& o,
                                                unsigned few) noexcept {
    PackPath<kCount> path;
    set_direction<kNorm>(q, q.d.start, same(0.0), path.from);
    const Mask none = without(asked, asked);
    asked = asked & q.in_range;
    const Mask begins_free = asked & above(path.from.gap, same(constants::kNoGap));
    Mask found = begins_free & is_free(path.from);
    Mask left = without(begins_free, found);
    // Where d is about the distance at the start, the normal decides nothing that the rest does not.
    const Mask is_far = left & above(path.from.gap, q.reach);
    if (bits(is_far) != 0) {
        found = found | (is_far & is_beyond_normal<kNorm>(q));
        left = without(left, found);
    }
    if (bits(left) == 0 || !(o.t_max > constants::kLeastEnd)) return {found, none};
    if (count(left) < few) return {found, left};
    sample_at<kNorm>(q, same(o.t_max), path.end);
    left = left & above(path.end.gap, same(constants::kNoGap));
    const PackTurning<kCount> bound = turning(path.from, path.end);
    found = found | (left & (is_free(path.end) | is_positive(bound)));
    left = without(left, found);
    if (bits(left) == 0) return {found, none};
    if (count(left) < few) return {found, left};
    path.early = same(0.0);
    path.last = same(o.t_max);
    add_span(path.from, path);
    add_span(path.end, path);
    const Mask is_free_by_two = left & above(path.early, path.last);
    found = found | is_free_by_two;
    left = without(left, is_free_by_two);
    if (bits(left) == 0) return {found, none};
    path.to = path.end;
    return {found | separated_by_cutting<kNorm>(q, path, bound, left), none};
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
    const Mask found = q.open & separated_by_points(scaled_query(q.raw, q.extent, q.d));
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

// In passes over what the one before has deferred, each of which defers less.
constexpr unsigned kFewInPass[] = {(kLanes + 1) / 2, 1};

// Are points worth their time in a batch? While they decide half of what axes leave.
struct PointsRecord {
    std::size_t asked = 0;
    std::size_t found = 0;
    GRAZE_PIECE void add(const Found& pack) noexcept {
        asked += static_cast<std::size_t>(std::popcount(pack.open));
        found += static_cast<std::size_t>(std::popcount(pack.by_points));
    }
    [[nodiscard]] GRAZE_PIECE bool is_good() const noexcept {
        return asked < kLanes || 2 * found > asked;
    }
};

template <class Motion, Norm kNorm>
GRAZE_FAST std::uint64_t separated_in(const Several<Motion>& queries, std::size_t count,
                                      const FastSeparationOptions& o) noexcept {
    std::uint8_t open[kMostInBatch + kLanes];
    for (std::size_t i = 0; i < count; ++i)
        open[i] = static_cast<std::uint8_t>(i);
    std::uint64_t separated = 0;
    std::size_t asked = 0;
    bool is_first = true;
    PointsRecord points;
    for (const unsigned few : kFewInPass) {
        // Lanes that are left over repeat a query.
        for (std::size_t i = 0; i < kLanes && count > 0; ++i)
            open[count + i] = open[count - 1];
        std::size_t deferred = 0;
        for (std::size_t first = 0; first < count; first += kLanes) {
            const bool by_points = kNorm == Norm::Euclidean && is_first && points.is_good();
            const Found found =
                by_points ? find_by_points<Motion>(queries, open + first, few)
                          : find_separated<Motion, kNorm>(queries, open + first, o, few, is_first);
            if (by_points) points.add(found);
            for (std::size_t i = 0; i < kLanes && first + i < count; ++i) {
                const std::uint8_t query = open[first + i];
                separated |= static_cast<std::uint64_t>(found.separated >> i & 1U) << query;
                open[deferred] = query;
                deferred += found.deferred >> i & 1U;
            }
            // Contacts, as it seems.
            if (!by_points) asked += static_cast<std::size_t>(std::popcount(found.open));
            if (asked >= 2 * kLanes && separated == 0) return 0;
        }
        count = deferred;
        is_first = false;
    }
    return separated;
}

// One query by all that lanes ask, but for axes. The same bits as in a lane of a batch.
template <class Motion>
GRAZE_RARE bool is_separated_alone(const Motion& motion, const FastSeparationOptions& o) noexcept {
    const std::uint8_t lanes[kLanes] = {};
    const Loaded<Motion> q = load(Several<Motion>{&motion, &o.d}, lanes, false);
    const auto scaled = scaled_query(q.raw, q.extent, q.d);
    const Mask found =
        o.norm == Norm::Max
            ? separated_by_directions<Norm::Max>(scaled, q.open, o, 1).separated
            : separated_by_points(scaled) |
                  separated_by_directions<Norm::Euclidean>(scaled, q.open, o, 1).separated;
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
