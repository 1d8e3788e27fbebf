// Tier Slabs with a minimum separation (docs/derivations/certified_separation.md, CS-9): directions
// separate slab after slab of time by more than d, until the end of the step or until a witness is
// within d.
//
// Contract: decides (with proof) or passes on; never wrong. All proofs and their error bounds are in
// near-inl.hpp; what is here chooses directions, weights and times, and needs no bound.
//
// Notation: near-inl.hpp; gap: the distance less d, about; slope: of the distance over time, about;
// sample: the query at one time, with its nearest point.
#if defined(GRAZE_TIERS_ADVANCE_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_ADVANCE_INL_HPP
#undef GRAZE_TIERS_ADVANCE_INL_HPP
#else
#define GRAZE_TIERS_ADVANCE_INL_HPP
#endif

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/candidate-inl.hpp"
#include "narrow/certified/tiers/cubic-inl.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/near-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/root-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// --- Samples (estimates) ------------------------------------------------------------------------

GRAZE_FAST Candidate candidate_at(const NearQuery& q, const Vertices& d) noexcept {
    return q.norm == Norm::Max ? nearest_in_cubes(d, q.hull.shape)
                               : nearest_in_space(d, q.hull.shape);
}
GRAZE_FAST double dual_length(const NearQuery& q, const Direction& n) noexcept {
    return q.norm == Norm::Max ? one_norm(n) : square_root((n.x * n.x + n.y * n.y) + n.z * n.z);
}
// Of a polygon, if its nearest point is inside.
GRAZE_FAST bool face_at(const NearQuery& q, const Vertices& d, Candidate& found) noexcept {
    const Vertices e = sides_of(d);
    const Direction n = normal_of(e);
    const Quad g = windings(d, e, q.norm == Norm::Max ? diagonal_of(n) : n);
    if (!is_inside(g, q.hull.shape)) return false;
    found = on_face(d, n, g, q.hull.shape, dual_length(q, n));
    return true;
}
// The motion of the vertices.
GRAZE_PIECE Vertices moved_by(const Hull& hull) noexcept {
    return {hull.x[1] - hull.x[0], hull.y[1] - hull.y[0], hull.z[1] - hull.z[0]};
}
// Not above 1 + 5.1u in length: the computed one is at least (1 - 3u) of the exact one, if it is not
// tiny, and the quotient and the products are rounded once each.
GRAZE_FAST double inverse_length(double length) noexcept {
    return length > constants::kShortest ? 1.0 / length : 0.0;
}
GRAZE_PIECE Direction scaled(const Direction& n, double factor) noexcept {
    return {n.x * factor, n.y * factor, n.z * factor};
}
GRAZE_PIECE Sample sample_of(const NearQuery& q, double t, const Vertices& d,
                             const Candidate& candidate) noexcept {
    const double inverse = inverse_length(candidate.length);
    Sample sample;
    sample.t = t;
    sample.d = {d.x, d.y, d.z};
    sample.n = scaled(candidate.n, inverse);
    sample.weights = candidate.weights;
    sample.gap = candidate.along * inverse - q.d;
    sample.is_face = candidate.is_face;
    sample.side = candidate.side;
    sample.axis = candidate.axis;
    set_height(q, sample);
    return sample;
}
GRAZE_PIECE void set_slope(const NearQuery& q, Sample& sample) noexcept {
    sample.slope = sum(sample.weights * along(sample.n, moved_by(q.hull))) / sum(sample.weights);
}
// Its slope is left to those who ask for it.
GRAZE_FAST Sample sample_at(const NearQuery& q, double t) noexcept {
    const Vertices d = vertices_at(q.hull, t);
    return sample_of(q, t, d, candidate_at(q, d));
}
// The same where the nearest point is expected inside of the polygon. False, and nothing set, where it is
// not.
GRAZE_FAST bool sample_face_at(const NearQuery& q, double t, Sample& sample) noexcept {
    const Vertices d = vertices_at(q.hull, t);
    Candidate found;
    if (!face_at(q, d, found)) return false;
    sample = sample_of(q, t, d, found);
    return true;
}
// After another one, whose face is tried first.
GRAZE_FAST Sample sample_after(const NearQuery& q, double t, const Sample& before) noexcept {
    Sample sample;
    if (before.is_face && sample_face_at(q, t, sample)) return sample;
    return sample_at(q, t);
}
// Beyond the other side, as seen from a sample before, the distance counts as negative. True where
// it does.
GRAZE_FAST bool is_opposite(const Sample& a, const Sample& b) noexcept {
    return (a.n.x * b.n.x + a.n.y * b.n.y) + a.n.z * b.n.z < 0.0;
}
GRAZE_FAST bool orient(const NearQuery& q, const Sample& by, Sample& sample) noexcept {
    if (!is_opposite(by, sample)) return false;
    sample.n = {-sample.n.x, -sample.n.y, -sample.n.z};
    sample.height = all(0.0) - sample.height;
    sample.gap = -(sample.gap + q.d) - q.d;
    sample.slope = -sample.slope;
    return true;
}

// The fraction of the time between up to which it should be positive: the roots of the quadratics.
GRAZE_FAST double first_root(const Turning& b) noexcept {
    const Quad half_fall = b.b0 - b.b1;
    const Quad bend = half_fall - (b.b1 - b.b2);
    const Quad root = square_root(half_fall * half_fall - bend * b.b0);
    // NaN: there is none.
    const Quad part = b.b0 / (half_fall + root);
    return least_lane(where_above(part, all(0.0), part, all(2.0)));
}

// The fraction of the time between at which it is least: not near the ends, which are samples.
GRAZE_FAST double worst_part(const Turning& b) noexcept {
    const Quad half_fall = b.b0 - b.b1;
    const Quad bend = half_fall - (b.b1 - b.b2);
    const Quad at = half_fall / bend;
    const Quad least = where_above(bend, all(0.0), b.b0 - half_fall * at, all(2.0));
    double parts[4];
    store(at, parts);
    const double part = parts[first_bit(equal(least, all(least_lane(least))))];
    return smaller(larger(part, 0.25), 0.75);  // NaN: no matter where
}

// --- When the distance is d (estimates) ---------------------------------------------------------

// Where the distance is d, by the line at one sample; by two, the inverse cubic with both slopes.
GRAZE_FAST double by_slope(const Sample& at) noexcept {
    return at.slope < 0.0 ? at.t - at.gap / at.slope : 2.0;
}
GRAZE_FAST double by_two_slopes(const Sample& a, const Sample& b) noexcept {
    const double h = b.gap - a.gap;
    const double x = -a.gap / h;  // the position of 0 between the gaps
    const double y = 1.0 - x;
    const double da = h / a.slope;
    const double db = h / b.slope;
    return (a.t * y * y * (1.0 + 2.0 * x) + b.t * x * x * (3.0 - 2.0 * x)) +
           x * y * (da * y - db * x);
}

// Newton's iteration for a side: at most so many steps, and one that is smaller is the last.
constexpr int kSideSteps = 3;
constexpr double kSmallStep = 0x1p-17;

struct Approach {
    double contact;  // when the distance is d; 2: never
    double nearest;  // else when it is least; 2: after the step
};

GRAZE_PIECE double dot(const Direction& a, const Direction& b) noexcept {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
GRAZE_PIECE Direction moved_to(const Direction& p, const Direction& v, double t) noexcept {
    return {p.x + t * v.x, p.y + t * v.y, p.z + t * v.z};
}
GRAZE_PIECE Direction vertex_of(const Vertices& d, int i) noexcept {
    double x[4];
    double y[4];
    double z[4];
    store(d.x, x);
    store(d.y, y);
    store(d.z, z);
    return {x[i], y[i], z[i]};
}

// From a sample on the nearest point slides along its side, if it is not a vertex, and the side
// rotates: up to the second order in time, and then by Newton's iteration for the distance of the
// line. A nearest time next to the sample is no better than the sample.
// p + t v: the point that is nearest at the sample; e + t w: the side; t: from there on.
GRAZE_FAST Approach by_side(const NearQuery& q, const Sample& from) noexcept {
    const int side = from.side;
    const Vertices moved = moved_by(q.hull);
    const Direction v = {sum(from.weights * moved.x), sum(from.weights * moved.y),
                         sum(from.weights * moved.z)};
    const double r = from.gap + q.d;
    const Direction e = vertex_of(sides_of(from.d), side);
    const Direction w = vertex_of(sides_of(moved), side);
    const double slid = dot(v, e) + r * dot(from.n, w);
    const unsigned used = above(from.weights, all(0.0));
    const bool slides = (used >> side & 1U) != 0U && (used >> ((side + 1) & 3) & 1U) != 0U;
    const double bend = dot(v, v) - (slides ? slid * slid / dot(e, e) : 0.0);
    const double fall = -r * from.slope;
    const double begin = from.gap * (r + q.d);
    double contact = begin / (fall + square_root(fall * fall - bend * begin));
    const double nearest = fall / bend;
    if (!(contact > 0.0)) return {2.0, nearest > 0.0625 ? from.t + nearest : 2.0};  // NaN: none
    const Direction p = scaled(from.n, r);
    for (int i = 0; i < kSideSteps && slides; ++i) {
        const Direction at = moved_to(p, v, contact);
        const Direction along_side = moved_to(e, w, contact);
        const double k = dot(at, along_side) / dot(along_side, along_side);
        const Direction foot = moved_to(at, along_side, -k);
        const double step = 0.5 * (dot(foot, foot) - q.d * q.d) / dot(foot, moved_to(v, w, -k));
        contact -= step;
        if (magnitude_of(step) < kSmallStep) break;
    }
    return {contact > 0.0 ? from.t + contact : 2.0, nearest > 0.0625 ? from.t + nearest : 2.0};
}

// The same in the max-norm, for the direction across a side and an axis: with p and q on the two other
// axes, and the side as (ep, eq), the distance is |eq p - ep q| / (|eq| + |ep|), and all are linear in
// time. The first root of a quadratic.
GRAZE_FAST double by_cube_edge(const NearQuery& q, const Sample& from) noexcept {
    const Vertices moved = moved_by(q.hull);
    const Vertices sides = sides_of(from.d);
    const Vertices sides_moved = sides_of(moved);
    const auto across = [&](const Vertices& v) {
        const Direction d = vertex_of(v, from.side);
        return from.axis == 0   ? Direction{d.y, d.z, 0.0}
               : from.axis == 1 ? Direction{d.z, d.x, 0.0}
                                : Direction{d.x, d.y, 0.0};
    };
    const Direction at = across(from.d);
    const Direction v = across(moved);
    const Direction e = across(sides);
    const Direction w = across(sides_moved);
    const double sign = sign_of(e.y * at.x - e.x * at.y);
    const double dx = q.d * sign_of(e.x);
    const double dy = q.d * sign_of(e.y);
    const double c0 = sign * (e.y * at.x - e.x * at.y) - (dx * e.x + dy * e.y);
    const double c1 =
        sign * ((e.y * v.x + w.y * at.x) - (e.x * v.y + w.x * at.y)) - (dx * w.x + dy * w.y);
    const double c2 = sign * (w.y * v.x - w.x * v.y);
    const double t = 2.0 * c0 / (square_root(c1 * c1 - 4.0 * c0 * c2) - c1);
    return t > 0.0 ? from.t + t : 2.0;  // NaN: none
}

// A step of Halley's iteration that is not the last but one.
constexpr double kLargeStep = 0x1p-5;

// The same for the plane of the polygon, whose distance is f / |N| with f a cubic and N a vector of
// quadratics: from the start on with |N| by a parabola, from a later sample by its slope, and then a step
// of Halley's iteration with the true |N| and its slope.
GRAZE_FAST double by_plane(const NearQuery& q, const Sample& from) noexcept {
    const Hull& h = q.hull;
    // Sides from D_0 to D_1 at t = 0, 0, 1, 1, and from D_1 to D_2 at t = 0, 1, 0, 1.
    const Quad ax = pair_up<1>(h.x[0], h.x[1]) - pair_up<0>(h.x[0], h.x[1]);
    const Quad ay = pair_up<1>(h.y[0], h.y[1]) - pair_up<0>(h.y[0], h.y[1]);
    const Quad az = pair_up<1>(h.z[0], h.z[1]) - pair_up<0>(h.z[0], h.z[1]);
    const Quad bx = alternate<2>(h.x[0], h.x[1]) - alternate<1>(h.x[0], h.x[1]);
    const Quad by = alternate<2>(h.y[0], h.y[1]) - alternate<1>(h.y[0], h.y[1]);
    const Quad bz = alternate<2>(h.z[0], h.z[1]) - alternate<1>(h.z[0], h.z[1]);
    const Quad nx = ay * bz - az * by;
    const Quad ny = az * bx - ax * bz;
    const Quad nz = ax * by - ay * bx;
    const Direction n0 = {lane<0>(nx), lane<0>(ny), lane<0>(nz)};
    const Direction n1 = {lane<3>(nx), lane<3>(ny), lane<3>(nz)};
    const Direction twice = {(lane<1>(nx) + lane<2>(nx)), (lane<1>(ny) + lane<2>(ny)),
                             (lane<1>(nz) + lane<2>(nz))};
    const auto normal_at = [&](double t) {
        const double s = 1.0 - t;
        return Direction{(n0.x * s + twice.x * t) * s + n1.x * t * t,
                         (n0.y * s + twice.y * t) * s + n1.y * t * t,
                         (n0.z * s + twice.z * t) * s + n1.z * t * t};
    };
    const double l0 = q.d * dual_length(q, n0);
    const double l2 = q.d * dual_length(q, n1);
    const double l1 = 2.0 * q.d * dual_length(q, normal_at(0.5)) - 0.5 * (l0 + l2);
    const Cubic f = coplanarity(h);
    const bool is_start = from.t == 0.0;
    const double sign = sign_of(is_start ? f.c0 : value(f, from.t));
    // With |N| by the parabola.
    const Cubic g = {sign * f.c0 - l0, sign * f.c1 - (l0 + 2.0 * l1), sign * f.c2 - (2.0 * l1 + l2),
                     sign * f.c3 - l2, f.size};
    if (is_start && !(g.c0 > 0.0)) return 2.0;
    const Powers powers = powers_of(g);
    double t = is_start ? root_of_parabola(whole_step(g)) : by_slope(from);
    if (is_start || t - from.t > kLargeStep) {
        Guess guess = improved(powers, t);
        if (magnitude_of(guess.moved) > kLargeStep) guess = improved(powers, guess.root);
        t = guess.root;
    }
    if (!(t > 0.0 && t < 1.0)) return 2.0;
    const Direction n = normal_at(t);
    const auto slope_at = [&](double a, double b, double c) {
        return 2.0 * ((1.0 - t) * (0.5 * b - a) + t * (c - 0.5 * b));
    };
    const Direction v = {slope_at(n0.x, twice.x, n1.x), slope_at(n0.y, twice.y, n1.y),
                         slope_at(n0.z, twice.z, n1.z)};
    const Powers true_f = powers_of(f);
    const double y = sign * ((true_f.a3 * t + true_f.a2) * (t * t) + (true_f.a1 * t + true_f.a0));
    const double dy = sign * ((3.0 * true_f.a3 * t + 2.0 * true_f.a2) * t + true_f.a1);
    const double half_ddy = 3.0 * powers.a3 * t + powers.a2;
    if (q.norm == Norm::Max) {
        const double rest = y - q.d * one_norm(n);
        const double slope =
            dy - q.d * ((sign_of(n.x) * v.x + sign_of(n.y) * v.y) + sign_of(n.z) * v.z);
        return t - (rest * slope) / (slope * slope - rest * half_ddy);
    }
    // All multiplied by |N|: |N|' is N.N' / |N|.
    const double length = dual_length(q, n);
    const double rest = length * (y - q.d * length);
    const double slope = length * dy - q.d * ((n.x * v.x + n.y * v.y) + n.z * v.z);
    return t - (rest * slope) / (slope * slope - rest * (length * half_ddy));
}

// So far that another point will be the nearest when the distance is d?
GRAZE_FAST bool is_far(const NearQuery& q, const Sample& at) noexcept {
    return q.d < 0.25 * (at.gap + q.d);
}
// When the plane is at distance d, if the nearest point is inside of the polygon now or may come to be.
GRAZE_FAST double plane_time(const NearQuery& q, const Sample& start) noexcept {
    const bool may_be_inside = start.is_face || (is_polygon(q.hull.shape) && is_far(q, start));
    return may_be_inside ? by_plane(q, start) : 2.0;
}
// By what is nearest at the start. plane: plane_time().
GRAZE_FAST Approach approach(const NearQuery& q, const Sample& start, double plane) noexcept {
    const double by_line = by_slope(start);
    if (start.is_face) return {plane > 0.0 ? plane : by_line, 2.0};
    if (q.norm == Norm::Max) {
        const bool is_on_edge = start.axis >= 0 && q.d > 0x1p-6 * (start.gap + q.d);
        return {is_on_edge ? by_cube_edge(q, start) : by_line, 2.0};
    }
    return is_far(q, start) ? Approach{by_line, 2.0} : by_side(q, start);
}

// Free up to little before the witness, by what the direction from one to the other proves?
GRAZE_FAST bool is_free_before_witness(const FastSeparationOptions& o, const Sample& from,
                                       const Sample& to, double& lower) noexcept {
    const double width = to.t - from.t;
    const Turning bound = turning(from, to);
    // The contact is expected 0.4 time widths before the witness: just before that, or half a width.
    for (const double before : {0.45 * o.time_width, 0.9 * o.time_width}) {
        const double part = larger(1.0 - before / width, 0.25);
        lower = time_at(from.t, to.t, part);
        if (to.t - lower <= o.time_width && is_positive_until(bound, part)) return true;
    }
    return false;
}
// The same sample with the normal of the polygon in the place of the direction of its nearest point.
GRAZE_FAST Sample with_normal(const NearQuery& q, const Sample& sample) noexcept {
    const Direction n = oriented(normal_of(sides_of(sample.d)), sample.d);
    Sample other = sample;
    other.n = scaled(n, inverse_length(dual_length(q, n)));
    set_height(q, other);
    return other;
}
// The same by either direction at the first sample. Above the plane of the face all the way: its normal
// rotates less than the nearest point's direction where that begins on a side.
GRAZE_FAST bool is_free_between(const NearQuery& q, const FastSeparationOptions& o,
                                const Sample& from, const Sample& to, double& lower) noexcept {
    if (to.is_face && !from.is_face && is_free_before_witness(o, with_normal(q, from), to, lower))
        return true;
    return is_free_before_witness(o, from, to, lower);
}
// Is the second sample beyond a contact by no more than was meant, as its own slope has it, and is that
// proved? So it is with nearly all contacts.
GRAZE_FAST bool is_contact_between(const NearQuery& q, const FastSeparationOptions& o,
                                   const Sample& from, const Sample& to, double& lower) noexcept {
    if (!(to.gap <= 0.0)) return false;
    const double fall = sum(to.weights * along(to.n, moved_by(q.hull)));
    if (!(to.gap * sum(to.weights) >= 0.8 * o.time_width * fall)) return false;
    return is_within(q, to.t, to.weights) && is_free_between(q, o, from, to, lower);
}

// --- The search ---------------------------------------------------------------------------------

constexpr FastAnswer kFreeBySlabs = {FastAnswer::State::Separated, Tier::Slabs, 0.0, 0.0};

constexpr int kMaxSamples = 32;
constexpr double kNoGap = constants::kNoGap;
constexpr double kLeastStep = constants::kLeastStep;

// Invariant: [0, t) of the first sample of the path, [0, early) and (last, t_max] are free. The rest
// of the path seems to be, in the order of time. Where has_witness is set, `other` is within d:
// proved.
struct Advance {
    GRAZE_PIECE Advance(const NearQuery& query, const FastSeparationOptions& options) noexcept
        : q(query), o(options), last(options.t_max) {}

    const NearQuery& q;
    const FastSeparationOptions& o;
    double last;
    Sample samples[kMaxSamples];  // but that of the start
    int count = 0;                // of samples
    Sample* path[kMaxSamples + 1];
    int end = 0;                    // of the path
    const Sample* other = nullptr;  // a sample before, or one beyond the contact
    bool has_witness = false;  // is `other` within d, as little after the contact as is asked for?
    int flips = 0;  // so often was `other` on the other side since the path has grown; 0: it is not
    double beyond = 2.0;          // the least time that seems to be too late, if any
    double early = 0.0;           // free before, by directions that do not rotate
    bool is_slow = false;         // has the last sample beyond said little new?
    bool has_plane_time = false;  // was the plane of the polygon asked?
    int side_times = 0;           // so often was a side asked
    double stride = 2.0;          // how far ahead the next sample is, at most; 2: proofs can wait

    GRAZE_PIECE const Sample& here() const noexcept { return *path[end]; }
};

// When the distance is d, by the slopes at the last sample and at another; 2 if that is not before
// `limit`, or far before what the last sample alone makes of it.
GRAZE_FAST double by_slopes(const Sample& here, const Sample& other, double limit) noexcept {
    if (!(here.slope < 0.0 && other.slope < 0.0)) return 2.0;
    const double t = by_two_slopes(here, other);
    const bool is_likely = t - here.t > 0.5 * (smaller(by_slope(here), limit) - here.t);
    return is_likely && t < limit ? t : 2.0;
}
GRAZE_FAST double expected_time(const Advance& a) noexcept {
    const Sample& here = a.here();
    // What is on the other side says little of when it came there, and nothing new is to be had
    // where it was seen.
    const double limit = a.flips > 0 ? a.beyond - 2.0 * a.o.time_width : a.beyond;
    double t = 2.0;
    if (a.end > 0 && (a.flips > 0 || a.beyond == 2.0))
        t = by_slopes(here, *a.path[a.end - 1], limit);
    if (t == 2.0 && a.other != nullptr && a.flips < 2) t = by_slopes(here, *a.other, limit);
    if (t == 2.0) t = by_slope(here);
    return t < limit ? t : 2.0;
}
GRAZE_FAST double next_time(const Advance& a) noexcept {
    const double expected = expected_time(a) + 0.4 * a.o.time_width;
    const double begin = a.here().t;
    const double in_reach = smaller(begin + a.stride, a.last);
    if (expected < a.beyond && !a.is_slow) return smaller(expected, in_reach);
    return a.beyond < 2.0 ? smaller(0.5 * (begin + a.beyond), in_reach) : in_reach;
}

// Proves the path, or goes as far as can be proved. False where that is nowhere.
GRAZE_RARE bool prove_path(Advance& a) noexcept {
    while (a.end > 0) {
        int proved = a.end;
        while (proved > 0 && !is_positive(turning(*a.path[0], *a.path[proved])))
            --proved;
        if (proved == 0) break;
        for (int i = proved; i <= a.end; ++i)
            a.path[i - proved] = a.path[i];
        a.end -= proved;
    }
    if (a.end == 0) {
        a.stride = smaller(4.0 * a.stride, 2.0);
        return true;
    }
    a.end = 0;
    const Sample& from = *a.path[0];
    const Sample& to = *a.path[1];
    const Turning bound = turning(from, to);
    const double part = 0.9375 * first_root(bound);
    if (part > 0.375 && part < 1.0 && a.count < kMaxSamples && is_positive_until(bound, part)) {
        const double t = time_at(from.t, to.t, part);
        a.stride = 2.0 * (t - from.t);
        a.samples[a.count] = sample_at(a.q, t);
        set_slope(a.q, a.samples[a.count]);
        a.path[0] = &a.samples[a.count++];
        return a.path[0]->gap > kNoGap;
    }
    a.stride = 0.375 * (to.t - from.t);
    return a.stride > kLeastStep;
}

// A contact between the end of the proved path and the witness, within the time asked for?
GRAZE_FAST bool prove_contact(const Advance& a, double& lower) noexcept {
    const Sample& from = *a.path[0];
    // From the start on something must be free: the distance there is above d.
    if (a.other->t - from.t <= 0.9 * a.o.time_width && from.t > 0.0) {
        lower = from.t;
        return true;
    }
    return is_free_between(a.q, a.o, from, *a.other, lower);
}
GRAZE_FAST FastAnswer contact_before_witness(Advance& a) noexcept {
    double lower = 0.0;
    if (!prove_contact(a, lower) && !(a.end > 0 && prove_path(a) && prove_contact(a, lower))) {
        return {};
    }
    return {FastAnswer::State::Contact, Tier::Slabs, lower, a.other->t};
}

GRAZE_FAST void add_to_path(Advance& a, Sample& there) noexcept {
    if (a.flips > 0 && is_opposite(there, *a.other)) {  // not beyond, but around
        a.other = nullptr;
        a.beyond = 2.0;
        a.flips = 0;
    }
    if (a.flips > 1) a.flips = 1;
    if (a.beyond == 2.0) {
        a.other = a.path[a.end];
        a.has_witness = false;  // that was of another sample: this one seems to be free
    }
    a.is_slow = false;
    a.path[++a.end] = &there;
}

// Is all of the step free by the directions of samples, each of which stays as it is?
GRAZE_FAST bool is_free_by_spans(Advance& a, const Heights& there) noexcept {
    if (is_free(there)) return true;
    const Span span = free_span(there);
    if (span.begin < a.early) a.early = larger(a.early, span.end);
    if (span.end > a.o.t_max) a.last = smaller(a.last, span.begin);
    return a.early > a.last || a.early > a.o.t_max;
}

// Where the distance seems to be that of the plane, once, or that of a side, twice: when it is d by what
// is known of those.
GRAZE_FAST double by_feature(Advance& a, const Sample& there, double otherwise) noexcept {
    if (a.stride < 2.0) return otherwise;
    double t = 2.0;
    if (there.is_face) {
        if (a.has_plane_time) return otherwise;
        a.has_plane_time = true;
        t = by_plane(a.q, there);
    } else {
        const bool is_euclidean = a.q.norm == Norm::Euclidean;
        if (a.side_times == 2 || !(is_euclidean || there.axis >= 0) || !(there.gap > kNoGap) ||
            is_far(a.q, there)) {
            return otherwise;
        }
        ++a.side_times;
        t = is_euclidean ? by_side(a.q, there).contact : by_cube_edge(a.q, there);
    }
    t += 0.4 * a.o.time_width;
    return t > a.here().t && t < smaller(a.beyond, a.last) ? t : otherwise;
}

// No more than was meant?
GRAZE_FAST bool is_just_beyond(const Advance& a, double late) noexcept {
    return late >= 0.0 && late <= 0.8 * a.o.time_width;
}

// Near a contact the times expected double their digits with each sample, and the direction
// between two samples is best at both: a contact is proved from far away.
GRAZE_RARE FastAnswer by_turning(Advance& a) noexcept {
    for (;;) {
        Sample& there = a.samples[a.count - 1];
        set_slope(a.q, there);
        const bool is_flipped = orient(a.q, a.here(), there);
        // What is not told from d counts as beyond where it is within.
        const bool is_beyond =
            there.gap <= 0.0 && (there.gap < -kNoGap || is_within(a.q, there.t, there.weights));
        if (!is_beyond) {
            const bool waits = a.stride == 2.0 && by_slope(there) < a.last;
            if (!waits && is_free_by_spans(a, heights_of(a.q, there.n))) {
                return kFreeBySlabs;
            }
            add_to_path(a, there);
            if (!waits && !prove_path(a)) return {};
            if (a.end == 0 && a.path[0]->t >= a.last) {
                return kFreeBySlabs;
            }
        } else {
            a.is_slow = a.beyond < 2.0 && there.gap < 0.5 * a.other->gap;
            a.beyond = there.t;
            a.other = &there;
            a.flips = is_flipped ? a.flips + 1 : 0;
            a.has_witness = is_just_beyond(a, there.t - by_slope(there)) &&
                            is_within(a.q, there.t, there.weights);
            if (!a.has_witness && is_just_beyond(a, there.t - expected_time(a))) {
                if (!is_within(a.q, there.t, there.weights)) return {};
                a.has_witness = true;
            }
        }
        if (a.has_witness) {
            const FastAnswer found = contact_before_witness(a);
            if (found.state == FastAnswer::State::Contact) return found;
            a.stride = smaller(a.stride, 0.5 * (a.other->t - a.here().t));
        }
        if (a.count == kMaxSamples) return {};
        const double t = by_feature(a, there, next_time(a));
        if (!(t - a.here().t > kLeastStep)) return {};
        a.samples[a.count++] = sample_after(a.q, t, there);
    }
}

// The distance seems to stay above d: from sample to sample, by directions that rotate, with another
// sample where that proves least. Begins with the start and a sample at the end, between which `bound` is
// not enough.
GRAZE_RARE FastAnswer by_cutting(Advance& a, Turning bound) noexcept {
    Sample* ahead[kMaxSamples];  // the last is the next in time
    int left = 1;
    ahead[0] = &a.samples[a.count - 1];
    while (left > 0) {
        Sample& from = *a.path[0];
        if (is_positive(bound)) {
            a.path[0] = ahead[--left];
        } else {
            const double t = from.t + worst_part(bound) * (ahead[left - 1]->t - from.t);
            if (a.count == kMaxSamples || !(t - from.t > kLeastStep)) return {};
            Sample& between = a.samples[a.count++];
            between = sample_at(a.q, t);
            if (!(between.gap > kNoGap) || is_opposite(from, between)) {
                set_slope(a.q, from);
                return by_turning(a);
            }
            if (is_free_by_spans(a, heights_of(a.q, between.n))) return kFreeBySlabs;
            ahead[left++] = &between;
        }
        if (left > 0) bound = turning(*a.path[0], *ahead[left - 1]);
    }
    return kFreeBySlabs;
}

// Where the direction of the start is not enough: that of the end, or one that rotates from one to the
// other; else samples between.
GRAZE_RARE FastAnswer after_start(const NearQuery& q, const FastSeparationOptions& o, Sample& start,
                                  const Heights& by_start) noexcept {
    const Span early = free_span(by_start);
    if (early.begin < 0.0 && early.end > o.t_max) return kFreeBySlabs;
    if (!(o.t_max > constants::kLeastEnd)) return {};
    Advance a(q, o);
    start.slope = sum(start.weights * (by_start.end - by_start.start)) / sum(start.weights);
    a.path[0] = &start;
    a.early = early.begin < 0.0 ? early.end : 0.0;
    a.has_plane_time = start.is_face;
    Sample& next = a.samples[a.count++];
    if (by_slope(start) < o.t_max) {
        const double behind = constants::kBehind * o.time_width;
        const double plane = plane_time(q, start);
        double t = plane + behind;
        bool is_contact = t > kLeastStep && t < o.t_max && sample_face_at(q, t, next);
        bool is_sampled = is_contact;
        if (!is_sampled) {
            const Approach expected = approach(q, start, plane);
            is_contact = expected.contact + behind < o.t_max;
            t = is_contact ? expected.contact + behind : expected.nearest;
            if (t < o.t_max) {
                if (!(t > kLeastStep)) return {};
                next = sample_at(q, t);
                is_sampled = true;
            }
        }
        double lower = 0.0;
        if (is_contact && is_contact_between(q, o, start, next, lower)) {
            return {FastAnswer::State::Contact, Tier::Slabs, lower, t};
        }
        if (is_sampled) {
            if (!is_contact && is_free_by_spans(a, heights_of(q, next.n))) return kFreeBySlabs;
            return by_turning(a);
        }
    }
    next = sample_at(q, o.t_max);
    if (!(next.gap > kNoGap) || is_opposite(start, next)) return by_turning(a);
    const Heights by_end = heights_of(q, next.n);
    if (is_free_by_spans(a, by_end)) return kFreeBySlabs;
    const Turning bound =
        o.t_max == 1.0 ? turning_over_step(by_start, by_end) : turning(start, next);
    return is_positive(bound) ? kFreeBySlabs : by_cutting(a, bound);
}

// One direction for the whole step, that of the start; else one that rotates. What only the latter
// needs is left to it.
GRAZE_RARE FastAnswer by_advancing(const NearQuery& q, const FastSeparationOptions& o) noexcept {
    const Vertices at_start = {q.hull.x[0], q.hull.y[0], q.hull.z[0]};
    const Candidate nearest = candidate_at(q, at_start);
    const double inverse = inverse_length(nearest.length);
    if (!(nearest.along * inverse - q.d > kNoGap)) {
        if (!is_within(q, 0.0, nearest.weights)) return {};
        return {FastAnswer::State::Contact, Tier::Slabs, 0.0, 0.0};
    }
    const Heights heights = heights_of(q, scaled(nearest.n, inverse));
    if (is_free(heights)) return kFreeBySlabs;
    Sample start = sample_of(q, 0.0, at_start, nearest);
    return after_start(q, o, start, heights);
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_ADVANCE_INL_HPP
