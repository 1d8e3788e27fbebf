// Tier Slabs with a minimum separation (docs/derivations/certified_separation.md, CS-9): directions
// separate slab after slab of time by more than d, until the end of the step or until a witness is
// within d.
//
// Contract: decides (with proof) or passes on; never wrong. All proofs and their error bounds are in
// near-inl.hpp; what is here chooses directions, weights and times, and needs no bound.
//
// Notation: near-inl.hpp; gap: the distance less d, about; slope: of the distance over time, about.
#if defined(GRAZE_TIERS_ADVANCE_INL_HPP) == defined(GRAZE_TIERS_TOGGLE)
#ifdef GRAZE_TIERS_ADVANCE_INL_HPP
#undef GRAZE_TIERS_ADVANCE_INL_HPP
#else
#define GRAZE_TIERS_ADVANCE_INL_HPP
#endif

#include "narrow/certified/fast_tiers.hpp"
#include "narrow/certified/tiers/candidate-inl.hpp"
#include "narrow/certified/tiers/hull-inl.hpp"
#include "narrow/certified/tiers/near-inl.hpp"
#include "narrow/certified/tiers/quad-inl.hpp"
#include "narrow/certified/tiers/target-inl.hpp"

GRAZE_TIERS_BEGIN
namespace graze::certified {
namespace {
namespace GRAZE_TIERS_NAMESPACE {

// --- Looks (estimates) --------------------------------------------------------------------------

GRAZE_FAST Candidate candidate_at(const NearQuery& q, const Vertices& d) noexcept {
    return q.norm == Norm::Max ? nearest_in_cubes(d, q.hull.shape)
                               : nearest_in_space(d, q.hull.shape);
}
GRAZE_FAST double dual_length(const NearQuery& q, const Direction& n) noexcept {
    return q.norm == Norm::Max ? one_norm(n) : square_root((n.x * n.x + n.y * n.y) + n.z * n.z);
}
GRAZE_FAST Look look_at(const NearQuery& q, double t) noexcept {
    Look look;
    look.t = t;
    look.d = vertices_at(q.hull, t);
    const Candidate candidate = candidate_at(q, look.d);
    const Direction& n = candidate.n;
    look.weights = candidate.weights;
    const double length = dual_length(q, n);
    // Not above 1 + 5.1u in length: the computed one is at least (1 - 3u) of the exact one, if it is
    // not tiny, and the quotient and the products are rounded once each.
    const double inverse = length > 0x1p-450 ? 1.0 / length : 0.0;
    look.n = {n.x * inverse, n.y * inverse, n.z * inverse};
    look.gap = candidate.along * inverse - q.d;
    const Vertices moved = {q.hull.x[1] - q.hull.x[0], q.hull.y[1] - q.hull.y[0],
                            q.hull.z[1] - q.hull.z[0]};
    look.slope = sum(look.weights * along(n, moved)) / (sum(look.weights) * length);
    return look;
}
// Beyond the other side, as seen from a look before, the distance counts as negative. True where it
// does.
GRAZE_FAST bool is_opposite(const Look& a, const Look& b) noexcept {
    return (a.n.x * b.n.x + a.n.y * b.n.y) + a.n.z * b.n.z < 0.0;
}
GRAZE_FAST bool orient(const NearQuery& q, const Look& by, Look& look) noexcept {
    if (!is_opposite(by, look)) return false;
    look.n = {-look.n.x, -look.n.y, -look.n.z};
    look.gap = -(look.gap + q.d) - q.d;
    look.slope = -look.slope;
    return true;
}

// The part of the way up to which it should be positive: the roots of the quadratics.
GRAZE_FAST double first_root(const Turning& b) noexcept {
    const Quad half_fall = b.b0 - b.b1;
    const Quad bend = half_fall - (b.b1 - b.b2);
    const Quad root = square_root(half_fall * half_fall - bend * b.b0);
    // NaN: there is none.
    const Quad part = b.b0 / (half_fall + root);
    return least_lane(where_above(part, all(0.0), part, all(2.0)));
}
// --- The search ---------------------------------------------------------------------------------

// Where the distance is d, by the line at one look; by two, the inverse cubic with both slopes.
GRAZE_FAST double by_slope(const Look& at) noexcept {
    return at.slope < 0.0 ? at.t - at.gap / at.slope : 2.0;
}
GRAZE_FAST double by_two_slopes(const Look& a, const Look& b) noexcept {
    const double h = b.gap - a.gap;
    const double x = -a.gap / h;  // the position of 0 between the gaps
    const double y = 1.0 - x;
    const double da = h / a.slope;
    const double db = h / b.slope;
    return (a.t * y * y * (1.0 + 2.0 * x) + b.t * x * x * (3.0 - 2.0 * x)) +
           x * y * (da * y - db * x);
}

constexpr int kMaxLooks = 18;
// What is nearer is not told from d.
constexpr double kNoGap = 0x1p-44;

// Invariant: [0, t) of the first look of the path and (last, t_max] are free. The rest of the path
// seems to be, in the order of time. Where has_witness is set, `other` is within d: proved.
struct Advance {
    GRAZE_PIECE Advance(const NearQuery& query, const FastSeparationOptions& options) noexcept
        : q(query), o(options), last(options.t_max) {}

    const NearQuery& q;
    const FastSeparationOptions& o;
    double last;
    Look looks[kMaxLooks];
    int count = 0;  // of looks
    const Look* path[kMaxLooks];
    int end = 0;                  // of the path
    const Look* other = nullptr;  // a look before, or one beyond the contact
    bool has_witness = false;  // is `other` within d, as little after the contact as is asked for?
    int flips = 0;  // so often was `other` on the other side since the path has grown; 0: it is not
    double beyond = 2.0;  // the least time that seems to be too late, if any
    double stride = 2.0;  // how far ahead to look, at most; 2: proofs can wait

    GRAZE_PIECE const Look& here() const noexcept { return *path[end]; }
};

// When the distance is d, by the slopes at the last look and at another; 2 if that is not before
// `limit`, or far before what the last look alone makes of it.
GRAZE_FAST double by_slopes(const Look& here, const Look& other, double limit) noexcept {
    if (!(here.slope < 0.0 && other.slope < 0.0)) return 2.0;
    const double t = by_two_slopes(here, other);
    const bool is_likely = t - here.t > 0.5 * (smaller(by_slope(here), limit) - here.t);
    return is_likely && t < limit ? t : 2.0;
}
GRAZE_FAST double expected_time(const Advance& a) noexcept {
    const Look& here = a.here();
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
    if (expected < a.beyond) return smaller(expected, in_reach);
    return a.beyond < 2.0 ? smaller(0.5 * (begin + a.beyond), in_reach) : in_reach;
}

// Proves the path, or goes as far as can be proved. False where that is nowhere.
GRAZE_RARE bool prove_path(Advance& a) noexcept {
    while (a.end > 0) {
        int proved = a.end;
        while (proved > 0 && !is_positive_until(turning(a.q, *a.path[0], *a.path[proved]), 1.0))
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
    const Look& from = *a.path[0];
    const Look& to = *a.path[1];
    const Turning bound = turning(a.q, from, to);
    const double part = 0.9375 * first_root(bound);
    if (part > 0.375 && part < 1.0 && a.count < kMaxLooks && is_positive_until(bound, part)) {
        const double t = time_at(from.t, to.t, part);
        a.stride = 2.0 * (t - from.t);
        a.looks[a.count] = look_at(a.q, t);
        a.path[0] = &a.looks[a.count++];
        return a.path[0]->gap > kNoGap;
    }
    a.stride = 0.375 * (to.t - from.t);
    return a.stride > 0x1p-40;
}

// A contact between the end of the proved path and the witness, within the time asked for?
GRAZE_FAST bool prove_contact(const Advance& a, double& lower) noexcept {
    const Look& from = *a.path[0];
    const Look& to = *a.other;
    const double width = to.t - from.t;
    const double requested = 0.9 * a.o.time_width;
    // From the start on something must be free: it is apart by more than d.
    if (width <= requested && from.t > 0.0) {
        lower = from.t;
        return true;
    }
    const double part = larger(1.0 - requested / width, 0.25);
    lower = time_at(from.t, to.t, part);
    return to.t - lower <= a.o.time_width && is_positive_until(turning(a.q, from, to), part);
}
GRAZE_FAST FastAnswer contact_before_witness(Advance& a) noexcept {
    double lower = 0.0;
    if (!prove_contact(a, lower) && !(a.end > 0 && prove_path(a) && prove_contact(a, lower))) {
        return {};
    }
    return {FastAnswer::State::Contact, Tier::Slabs, lower, a.other->t};
}

GRAZE_FAST void add_to_path(Advance& a, const Look& there) noexcept {
    if (a.flips > 0 && is_opposite(there, *a.other)) {  // not beyond, but around
        a.other = nullptr;
        a.beyond = 2.0;
        a.flips = 0;
    }
    if (a.flips > 1) a.flips = 1;
    if (a.beyond == 2.0) {
        a.other = a.path[a.end];
        a.has_witness = false;  // that was of another look: this one is free, as far as is seen
    }
    a.path[++a.end] = &there;
}

// Near a contact the times expected double their digits with each look, and the direction between
// two looks is best at both: a contact is proved from far away.
GRAZE_RARE FastAnswer by_turning(Advance& a) noexcept {
    for (;;) {
        Look& there = a.looks[a.count - 1];
        const bool is_flipped = orient(a.q, a.here(), there);
        if (there.gap > kNoGap) {
            add_to_path(a, there);
            const bool waits = a.stride == 2.0 && by_slope(there) < a.last;
            if (!waits && !prove_path(a)) return {};
            if (a.end == 0 && a.path[0]->t >= a.last) {
                return {FastAnswer::State::Separated, Tier::Slabs, 0.0, 0.0};
            }
        } else {
            a.beyond = there.t;
            a.other = &there;
            a.flips = is_flipped ? a.flips + 1 : 0;
            const double late = there.t - expected_time(a);
            a.has_witness = late >= 0.0 && late <= 0.8 * a.o.time_width;
            if (a.has_witness && !is_within(a.q, there.t, there.weights)) return {};
        }
        if (a.has_witness) {
            const FastAnswer found = contact_before_witness(a);
            if (found.state == FastAnswer::State::Contact) return found;
            a.stride = smaller(a.stride, 0.5 * (a.other->t - a.here().t));
        }
        if (a.count == kMaxLooks) return {};
        const double t = next_time(a);
        if (!(t - a.here().t > 0x1p-40)) return {};
        a.looks[a.count++] = look_at(a.q, t);
    }
}

// One direction for the whole step, that of the middle or that of the start; else one that rotates.
GRAZE_RARE FastAnswer by_advancing(const NearQuery& q, const FastSeparationOptions& o) noexcept {
    const FastAnswer separated{FastAnswer::State::Separated, Tier::Slabs, 0.0, 0.0};
    Advance a(q, o);
    Look& start = a.looks[0];
    Look& middle = a.looks[1];
    a.count = 2;
    middle = look_at(q, 0.5 * o.t_max);
    const Span late = free_span(q, middle.n);
    if (late.begin < 0.0 && late.end > o.t_max) return separated;
    if (late.end > o.t_max) a.last = smaller(late.begin, o.t_max);
    start = look_at(q, 0.0);
    if (!(start.gap > kNoGap)) {
        if (!is_within(q, 0.0, start.weights)) return {};
        return {FastAnswer::State::Contact, Tier::Slabs, 0.0, 0.0};
    }
    const Span early = free_span(q, start.n);
    if (early.begin < 0.0 && early.end > a.last) return separated;
    // Times and parts of them, down to 2^-53 of one, are then far from underflow.
    if (!(middle.t > 0x1p-500)) return {};
    a.path[0] = &start;
    return by_turning(a);
}

}  // namespace GRAZE_TIERS_NAMESPACE
}  // namespace
}  // namespace graze::certified
GRAZE_TIERS_END

#endif  // GRAZE_TIERS_ADVANCE_INL_HPP
