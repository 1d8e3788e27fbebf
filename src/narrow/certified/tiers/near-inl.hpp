// What directions and witnesses prove with a minimum separation (docs/derivations/certified_separation.md,
// CS-9).
//
// Contract: true, and every time that is called free, is a proof, for any times, any weights that are
// not negative, and any directions of dual length at most 1 + 5.1u.
//
// Notation
//   D_i, x, y, z   all axes scaled by one power of two, such that the largest |D| is in [1, 2)
//   m              by axis, the largest |D| at both ends of the step
//   d              the separation, scaled without rounding
//   n, |n|         a direction and its length in the dual of the norm: Euclidean, or |n|_1
//   u              2^-53
//
// Proved, free:   n.D_i(0) and n.D_i(1), each less d |n|, bound n.D_i(t) - d |n| from below by a line,
//                 for all t at once (CS-2). Where the lines of all i are positive, the distance is > d.
//                 Likewise, between two samples, for a direction that goes from one to the other, by a
//                 quadratic (CS-3).
// Proved, within: the point of the hull that the weights name is within d (CS-4).
//
// Error bounds. n.D(t): 8 rounding errors on each term with the sum of two, 4 at an end of the step:
// |computed - exact| < 8.1u S, S = sum |n_k| m_k; tested against 10u S + d (1 + 16u) + 2^-1000. Times:
// 1 -+ 8u for the five of a quotient. A witness: 7 rounding errors on terms of together W m, where
// 10u W m is taken, and 1 + 16u for the length, W and the quotient.
#if defined(GRAZE_TIERS_NEAR_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_NEAR_INL_HPP
#undef GRAZE_TIERS_NEAR_INL_HPP
#else
#define GRAZE_TIERS_NEAR_INL_HPP
#endif

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/candidate-inl.hpp"
#include "narrow/certified/tiers/error_forms.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// The query, scaled. Requires: 2^-500 < d < 8.
struct NearQuery {
    Hull hull;  // hull.m: m
    double d = 0.0;
    Norm norm = Norm::Euclidean;
};

// The query at one time. Of n only its length is relied on, and of the vertices what vertices_at()
// has rounded.
struct Sample {
    double t;
    Vertices d;
    Direction n;   // of dual length 1, about; zero where there is none
    Quad height;   // n.D_i, by vertex
    double least;  // what they must exceed
    Quad weights;
    double gap;    // the distance less d, about; below 0 beyond the other side
    double slope;  // of the distance, about
    bool is_face;  // does it seem to be that of the plane?
    int side;      // else of this side, as in Candidate
    int axis;
};

// What n.D must exceed for n.D > d |n|, at an end of the step and between.
constexpr double kAlongDirectionError = constants::kAlongDirectionError;
static_assert(error_forms::kAlongAt.roundings() + 1 == 8);
GRAZE_FAST double threshold(const NearQuery& q, const Direction& n) noexcept {
    const double size =
        (magnitude_of(n.x) * lane<0>(q.hull.m) + magnitude_of(n.y) * lane<1>(q.hull.m)) +
        magnitude_of(n.z) * lane<2>(q.hull.m);
    return (kAlongDirectionError * size + kUnderflow) + q.d * constants::kReachFactor;
}

// Of a sample whose vertices and direction are set.
GRAZE_PIECE void set_height(const NearQuery& q, Sample& sample) noexcept {
    sample.height = along(sample.n, sample.d);
    sample.least = threshold(q, sample.n);
}

// --- What a direction proves (CS-2) -------------------------------------------------------------

constexpr double kTimeError = constants::kTimeError;

// n.D_i, by vertex, at both ends of the step, and what they must exceed.
struct Heights {
    Quad start;
    Quad end;
    double least;
};
GRAZE_PIECE Heights heights_of(const NearQuery& q, const Direction& n) noexcept {
    return {along(n, {q.hull.x[0], q.hull.y[0], q.hull.z[0]}),
            along(n, {q.hull.x[1], q.hull.y[1], q.hull.z[1]}), threshold(q, n)};
}

// Is all of the step free?
GRAZE_FAST bool is_free(const Heights& h) noexcept {
    return above(smaller(h.start, h.end), all(h.least)) == 15U;
}
// Free of distances <= d for begin < t < end; begin = -1: from the start on, end = 2: to the end of
// the step, those included.
struct Span {
    double begin = 2.0;
    double end = -1.0;
};
GRAZE_FAST Span free_span(const Heights& h) noexcept {
    const Quad start = h.start - all(h.least);
    const Quad end = h.end - all(h.least);
    const Quad zero = all(0.0);
    const unsigned starts = above(start, zero);
    const unsigned ends = above(end, zero);
    if ((starts & ends) == 15U) return {-1.0, 2.0};
    if ((starts | ends) != 15U) return {};
    const Quad crossing = start / (start - end);
    Span span{-1.0, 2.0};
    if (ends != 15U) {
        const double t = least_lane(where_above(end, zero, all(2.0), crossing));
        span.end = t > kUnderflow ? t * (1.0 - kTimeError) : 0.0;
    }
    if (starts != 15U) {
        const double t = largest_lane(where_above(start, zero, all(-1.0), crossing));
        span.begin = larger(t * (1.0 + kTimeError), kUnderflow);
    }
    return span;
}

// --- What a direction that rotates proves (CS-3) ------------------------------------------------

// Bernstein coefficients, by vertex, of a lower bound of n(t).D(t) - d |n(t)| from one sample to
// the next.
struct Turning {
    Quad b0;
    Quad b1;
    Quad b2;
};
GRAZE_FAST Turning turning(const Sample& from, const Sample& to) noexcept {
    return {
        from.height - all(from.least),
        all(0.5) * (along(from.n, to.d) + along(to.n, from.d)) - all(0.5 * (from.least + to.least)),
        to.height - all(to.least)};
}
// The same for samples at the ends of the step, t = 0 and t = 1: to the bit, for D(0) * 1 + D(1) * 0
// is D(0).
GRAZE_FAST Turning turning_over_step(const Heights& from, const Heights& to) noexcept {
    return {from.start - all(from.least),
            all(0.5) * (from.end + to.start) - all(0.5 * (from.least + to.least)),
            to.end - all(to.least)};
}
// Is it positive on all of the time between? So it is where all coefficients are.
GRAZE_FAST bool is_positive(const Turning& b) noexcept {
    return above(smaller(smaller(b.b0, b.b1), b.b2), all(0.0)) == 15U;
}
// Is it positive on all of the first part of the way, ended by `part` in [0, 1]? De Casteljau: the
// coefficients there are means, rounded five times at most, of numbers up to the largest |b|.
GRAZE_FAST bool is_positive_until(const Turning& b, double part) noexcept {
    const Quad r = all(part);
    const Quad s = all(1.0 - part);
    const Quad c1 = s * b.b0 + r * b.b1;
    const Quad c2 = s * c1 + r * (s * b.b1 + r * b.b2);
    const Quad error =
        all(8.0 * kU) * larger(larger(magnitude(b.b0), magnitude(b.b1)), magnitude(b.b2)) +
        all(kUnderflow);
    return above(b.b0, all(0.0)) == 15U && above(smaller(c1, c2), error) == 15U;
}
// A lower bound of from + part (to - from).
GRAZE_FAST double time_at(double from, double to, double part) noexcept {
    return (from + part * (to - from) * (1.0 - kTimeError)) * (1.0 - 2.0 * kU);
}

// --- What a witness proves (CS-4) ---------------------------------------------------------------

constexpr double kWitnessError = 10.0 * kU;
static_assert(error_forms::kDifferenceAt.roundings() + 3 < 10);

GRAZE_FAST bool is_within(const NearQuery& q, double t, Quad weights) noexcept {
    const Vertices at = vertices_at(q.hull, t);
    const double total = sum(weights);
    // Weights that are not numbers, and products with them that underflow.
    if (!(total > 0x1p-400 && total < 0x1p+400)) return false;
    const double e = kWitnessError * total;
    const double x = magnitude_of(sum(weights * at.x)) + e * lane<0>(q.hull.m);
    const double y = magnitude_of(sum(weights * at.y)) + e * lane<1>(q.hull.m);
    const double z = magnitude_of(sum(weights * at.z)) + e * lane<2>(q.hull.m);
    const double length =
        q.norm == Norm::Max ? larger(larger(x, y), z) : square_root((x * x + y * y) + z * z);
    return length / total * (1.0 + 16.0 * kU) + kUnderflow <= q.d;
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_NEAR_INL_HPP
