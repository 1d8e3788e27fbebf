#include "narrow/certified/separation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "graze/core/interval.hpp"
#include "graze/core/norm_bounds.hpp"
#include "graze/core/power_of_two.hpp"
#include "graze/core/rounding.hpp"
#include "graze/narrow/start_separation.hpp"
#include "narrow/certified/nearest.hpp"

// Notation (docs/derivations/certified_separation.md, sections W1 to W6)
//   u         2^-53
//   D_i(t)    corner differences, linear in t; their hull K(t) is as far from the origin as the
//             primitives are from each other
//   d         the minimum separation
//   n         a direction, any three doubles; |n| its length in the norm dual to that of the query
// All lengths are multiplied by one power of two, such that the largest |D_i| at both ends of the
// step is in [1, 2) on some axis.
namespace graze::certified {
namespace {

constexpr double kU = 0x1p-53;
// In scaled units: what underflow costs, many times over (W1).
constexpr double kUnderflow = 0x1p-1000;
constexpr std::size_t kLanes = 2 * kHullCorners;

// --- The query (W1) -------------------------------------------------------------------------------

struct CornerPair {
    const MovingPoint* plus = nullptr;
    const MovingPoint* minus = nullptr;
};

struct Pairs {
    Shape shape = Shape::Point;
    std::array<CornerPair, kHullCorners> corner;
};

Pairs pairs_of(const VertexFaceMotion& m) noexcept {
    const MovingPoint* v = &m.vertex;
    return {Shape::Triangle,
            {{{&m.face[0], v}, {&m.face[1], v}, {&m.face[2], v}, {&m.face[2], v}}}};
}
Pairs pairs_of(const EdgeEdgeMotion& m) noexcept {
    const auto& a = m.edge_a;
    const auto& b = m.edge_b;
    return {Shape::Parallelogram,
            {{{&a[0], &b[0]}, {&a[1], &b[0]}, {&a[1], &b[1]}, {&a[0], &b[1]}}}};
}
Pairs pairs_of(const VertexVertexMotion& m) noexcept {
    const CornerPair pair{&m.a, &m.b};
    return {Shape::Point, {pair, pair, pair, pair}};
}
Pairs pairs_of(const VertexEdgeMotion& m) noexcept {
    const CornerPair last{&m.edge[1], &m.vertex};
    return {Shape::Segment, {{{&m.edge[0], &m.vertex}, last, last, last}}};
}

// x -> x 2^k in three exact steps, unless the result is subnormal or overflows. `before` is 1, or
// 1/4 where differences of coordinates would overflow.
struct Scale {
    double before = 1.0;
    double first = 1.0;
    double second = 1.0;

    [[nodiscard]] double down(double x) const noexcept {
        return mul_down(mul_down(mul_down(x, before), first), second);
    }
    [[nodiscard]] double up(double x) const noexcept { return -down(-x); }
    // x 2^-k, rounded up.
    [[nodiscard]] double back_up(double x) const noexcept {
        return mul_up(mul_up(mul_up(x, 1.0 / second), 1.0 / first), 1.0 / before);
    }
};

struct Query {
    Pairs pairs;
    Norm norm = Norm::Euclidean;
    Scale scale;
    // D as computed, scaled. Lanes: the corners at the start, then at the end of the step.
    std::array<double, kLanes> x{};
    std::array<double, kLanes> y{};
    std::array<double, kLanes> z{};
    Vec3 size;  // the largest |D| on each axis
    // Scaled: d, rounded both ways, and the tolerance, rounded down.
    double reach_lower = 0.0;
    double reach_upper = 0.0;
    double tolerance = 0.0;
};

void subtract_corners(Query& q, double before) noexcept {
    q.scale.before = before;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const CornerPair& pair = q.pairs.corner[lane % kHullCorners];
        const Vec3& plus = lane < kHullCorners ? pair.plus->start : pair.plus->end;
        const Vec3& minus = lane < kHullCorners ? pair.minus->start : pair.minus->end;
        q.x[lane] = plus.x * before - minus.x * before;
        q.y[lane] = plus.y * before - minus.y * before;
        q.z[lane] = plus.z * before - minus.z * before;
    }
}

double largest_magnitude(const std::array<double, kLanes>& values) noexcept {
    double largest = 0.0;
    for (const double value : values)
        largest = std::max(largest, std::fabs(value));
    return largest;
}
Vec3 largest_by_axis(const Query& q) noexcept {
    return {largest_magnitude(q.x), largest_magnitude(q.y), largest_magnitude(q.z)};
}

void scale_values(std::array<double, kLanes>& values, const Scale& scale) noexcept {
    for (double& value : values)
        value = value * scale.first * scale.second;
}

// Nothing where all differences are zero.
std::optional<Query> scaled_query(const Pairs& pairs, const CcdOptions& options) noexcept {
    Query q;
    q.pairs = pairs;
    q.norm = options.norm;
    subtract_corners(q, 1.0);
    if (!is_finite(largest_by_axis(q))) subtract_corners(q, 0.25);
    const std::optional<int> exponent = binary_exponent(norm_max(largest_by_axis(q)));
    if (!exponent) return std::nullopt;
    const int half = -*exponent / 2;
    q.scale.first = power_of_two(half);
    q.scale.second = power_of_two(-*exponent - half);
    scale_values(q.x, q.scale);
    scale_values(q.y, q.scale);
    scale_values(q.z, q.scale);
    q.size = largest_by_axis(q);
    q.reach_lower = q.scale.down(options.min_separation);
    q.reach_upper = q.scale.up(options.min_separation);
    q.tolerance = std::min(q.scale.down(options.distance_tolerance), 8.0);
    return q;
}

HullCorners corners_at(const Query& q, double t) noexcept {
    HullCorners c;
    const double s = 1.0 - t;
    for (std::size_t i = 0; i < kHullCorners; ++i) {
        const std::size_t e = i + kHullCorners;
        c[i] = {s * q.x[i] + t * q.x[e], s * q.y[i] + t * q.y[e], s * q.z[i] + t * q.z[e]};
    }
    return c;
}

// --- Directions (W2) ------------------------------------------------------------------------------

// Free of distances <= d for begin < t < end. begin = -1: from the start on, end = 2: to the end of
// the step, those included.
struct FreeSpan {
    double begin = 2.0;
    double end = -1.0;
};

// n times a power of two such that its largest coordinate is in [1, 2); nothing for a direction
// that is nearly zero or not finite.
std::optional<Vec3> normalised(const Vec3& n) noexcept {
    const double largest = std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)});
    if (!(largest > 0x1p-900 && largest < 0x1p+900)) return std::nullopt;
    const std::uint64_t biased = std::bit_cast<std::uint64_t>(largest) >> 52;
    return n * std::bit_cast<double>((2046 - biased) << 52);
}

// At least n . (point of K) has to exceed this, as computed, for a distance > d: d |n|, and the
// errors of n . D: four roundings on the way of each of its terms, where 6u are taken. The factor
// 1 + 8u pays for rounding |n| (3u) and the products and sums here (3u).
double threshold(const Query& q, const Vec3& n) noexcept {
    const Vec3 m = {std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)};
    const double error = 6.0 * kU * dot(m, q.size) + kUnderflow;
    const double length = q.norm == Norm::Max ? (m.x + m.y) + m.z : std::sqrt(norm_sq(n));
    return error + q.reach_upper * length * (1.0 + 8.0 * kU);
}

// Where the line from a > 0 at t = 0 to b <= 0 at t = 1 is zero, rounded down; from a <= 0 to b > 0,
// rounded up. a and b have a relative error of u each: 4u with the sum and the quotient.
double falls_at(double a, double b) noexcept {
    const double t = a / (a - b);
    return t > kUnderflow ? t * (1.0 - 8.0 * kU) : 0.0;
}
double rises_at(double a, double b) noexcept {
    const double t = a / (a - b);
    return std::max(t * (1.0 + 8.0 * kU), kUnderflow);
}

FreeSpan free_along(const Query& q, const Vec3& n) noexcept {
    const double least = threshold(q, n);
    std::array<double, kLanes> gap;
    for (std::size_t i = 0; i < kLanes; ++i)
        gap[i] = ((n.x * q.x[i] + n.y * q.y[i]) + n.z * q.z[i]) - least;
    FreeSpan span{-1.0, 2.0};
    for (std::size_t i = 0; i < kHullCorners; ++i) {
        const double a = gap[i];
        const double b = gap[i + kHullCorners];
        if (a > 0.0) {
            if (!(b > 0.0)) span.end = std::min(span.end, falls_at(a, b));
        } else {
            if (!(b > 0.0)) return {};
            span.begin = std::max(span.begin, rises_at(a, b));
        }
    }
    return span;
}

// --- Witnesses (W3) -------------------------------------------------------------------------------

// An upper bound of the distance at time t: that of the point of K(t) which the weights name.
// Eight roundings on the way of a term of together at most W size, where 10u are taken; 16u for W,
// the length and the quotient.
double distance_upper_fast(const Query& q, double t, const Weights& w) noexcept {
    const HullCorners c = corners_at(q, t);
    const Vec3 p = (w[0] * c[0] + w[1] * c[1]) + (w[2] * c[2] + w[3] * c[3]);
    const double total = (w[0] + w[1]) + (w[2] + w[3]);
    const double e = 10.0 * kU * total;
    const Vec3 upper = {std::fabs(p.x) + e * q.size.x, std::fabs(p.y) + e * q.size.y,
                        std::fabs(p.z) + e * q.size.z};
    const double length =
        q.norm == Norm::Max ? std::max({upper.x, upper.y, upper.z}) : std::sqrt(norm_sq(upper));
    return length / total * (1.0 + 16.0 * kU) + 0x1p-500;
}

Interval difference(const Scale& scale, double plus, double minus) noexcept {
    const double lower = sub_down(mul_down(plus, scale.before), mul_up(minus, scale.before));
    const double upper = sub_up(mul_up(plus, scale.before), mul_down(minus, scale.before));
    return {mul_down(mul_down(lower, scale.first), scale.second),
            mul_up(mul_up(upper, scale.first), scale.second)};
}

// The same with every operation rounded outwards: nothing is lost where nothing is rounded.
Vec3 witness_upper(const Query& q, double t, const Weights& w) noexcept {
    Interval total(0.0);
    for (const double weight : w)
        total = total + Interval(weight);
    const Interval s = Interval(1.0) - Interval(t);
    Vec3 upper;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Interval sum(0.0);
        for (std::size_t i = 0; i < kHullCorners; ++i) {
            if (w[i] == 0.0) continue;
            const CornerPair& pair = q.pairs.corner[i];
            const Interval start =
                difference(q.scale, pair.plus->start[axis], pair.minus->start[axis]);
            const Interval end = difference(q.scale, pair.plus->end[axis], pair.minus->end[axis]);
            sum = sum + Interval(w[i]) * (s * start + Interval(t) * end);
        }
        upper[axis] =
            div_up(std::max(std::fabs(sum.lower()), std::fabs(sum.upper())), total.lower());
    }
    return upper;
}

// By how much the distance at time t exceeds d at most, scaled; 0 if it is proved to be <= d.
double excess_upper(const Query& q, double t, const Weights& w) noexcept {
    const double fast = sub_up(distance_upper_fast(q, t, w), q.reach_lower);
    if (fast <= 0.0) return 0.0;
    if (!(fast <= 0x1p-44)) return fast;
    const Vec3 upper = witness_upper(q, t, w);
    if (q.norm == Norm::Max) return std::max(sub_up(norm_max_upper(upper), q.reach_lower), 0.0);
    const double square = add_up(add_up(mul_up(upper.x, upper.x), mul_up(upper.y, upper.y)),
                                 mul_up(upper.z, upper.z));
    if (square <= mul_down(q.reach_lower, q.reach_lower)) return 0.0;
    return std::max(sub_up(norm_upper(upper), q.reach_lower), 0.0);
}

// --- The search (W4) ------------------------------------------------------------------------------

class Search {
public:
    Search(const Query& query, const CcdOptions& options) noexcept
        : q_(query), options_(options), last_(options.t_max) {}

    [[nodiscard]] CcdResult run() noexcept;

private:
    void try_direction(const Vec3& direction) noexcept;
    void try_axes() noexcept;
    [[nodiscard]] double look_euclidean(const HullCorners& corners) noexcept;
    [[nodiscard]] double look_max_norm(const HullCorners& corners) noexcept;
    [[nodiscard]] double look_from(double t) noexcept;
    [[nodiscard]] bool is_free() const noexcept { return free_until_ > last_; }
    [[nodiscard]] std::optional<Weights> witness_within(double t, double distance) const noexcept;
    [[nodiscard]] bool is_within(double t) const noexcept;
    [[nodiscard]] std::optional<double> time_within() const noexcept;
    [[nodiscard]] CcdResult contact_at(double t, double excess) const noexcept;
    [[nodiscard]] std::optional<CcdResult> proved_contact(double distance_est) const noexcept;
    [[nodiscard]] CcdResult open() const noexcept {
        return {Verdict::Unresolved, free_until_, kInfinity, checks_, kInfinity};
    }

    const Query& q_;
    const CcdOptions& options_;
    double free_until_ = 0.0;  // [0, free_until_) is free
    double last_;              // so is (last_, t_max]
    std::uint64_t checks_ = 0;
};

// Extends what is free by what is free along the direction, where the two meet.
void Search::try_direction(const Vec3& direction) noexcept {
    const std::optional<Vec3> n = normalised(direction);
    if (!n) return;
    const FreeSpan span = free_along(q_, *n);
    if (span.begin < free_until_) free_until_ = std::max(free_until_, span.end);
    if (span.end > last_) last_ = std::min(last_, span.begin);
}

void Search::try_axes() noexcept {
    const auto sign = [](const std::array<double, kLanes>& v) {
        return v[0] + v[kHullCorners] < 0.0 ? -1.0 : 1.0;
    };
    try_direction({sign(q_.x), 0.0, 0.0});
    try_direction({0.0, sign(q_.y), 0.0});
    try_direction({0.0, 0.0, sign(q_.z)});
}

double least_along(const Vec3& n, const HullCorners& c) noexcept {
    return std::min({dot(n, c[0]), dot(n, c[1]), dot(n, c[2]), dot(n, c[3])});
}

// The direction of the nearest point is the best there is. Where it has lost its digits, those that
// are perpendicular to an edge or to all of the hull are better.
double Search::look_euclidean(const HullCorners& corners) noexcept {
    const NearestPoint nearest = nearest_point(q_.pairs.shape, corners);
    const double distance = std::sqrt(norm_sq(nearest.point));
    try_direction(nearest.point);
    if (is_free()) return distance;
    const double hope = distance - 0.25 * (distance - q_.reach_upper);
    if (!(least_along(nearest.point, corners) >= hope * distance)) {
        try_direction(nearest.across_edge);
        try_direction(nearest.normal);
    }
    return distance;
}

// One of the axes and of cube_directions() is the best there is.
double Search::look_max_norm(const HullCorners& corners) noexcept {
    double distance = 0.0;
    const auto look_along = [&](const Vec3& direction) {
        const Vec3 n = dot(direction, corners[0]) < 0.0 ? -direction : direction;
        const double length = norm_one(n);
        if (length > 0.0) distance = std::max(distance, least_along(n, corners) / length);
        try_direction(n);
    };
    look_along({1.0, 0.0, 0.0});
    look_along({0.0, 1.0, 0.0});
    look_along({0.0, 0.0, 1.0});
    const CubeDirections others = cube_directions(q_.pairs.shape, corners);
    for (std::size_t i = 0; i < others.count && !is_free(); ++i)
        look_along(others.direction[i]);
    return distance;
}

// Tries the directions that suggest themselves at time t. Returns the distance then, about.
double Search::look_from(double t) noexcept {
    ++checks_;
    const HullCorners corners = corners_at(q_, t);
    return q_.norm == Norm::Max ? look_max_norm(corners) : look_euclidean(corners);
}

// A point of K(t) that seems to be as near as `distance`.
std::optional<Weights> Search::witness_within(double t, double distance) const noexcept {
    const HullCorners corners = corners_at(q_, t);
    if (q_.norm == Norm::Max) return point_in_cube(q_.pairs.shape, corners, distance);
    return nearest_point(q_.pairs.shape, corners).weights;
}

bool Search::is_within(double t) const noexcept {
    const std::optional<Weights> witness = witness_within(t, q_.reach_lower);
    return witness && excess_upper(q_, t, *witness) == 0.0;
}

// A time in [free_until_, t_max] at which the distance is proved to be <= d: within the wished
// width if possible, and then further and further ahead.
std::optional<double> Search::time_within() const noexcept {
    const double begin = free_until_;
    if (is_within(begin)) return begin;
    double width = options_.time_width;
    for (int probe = 0; probe < 8; ++probe, width *= 32.0) {
        double t = std::min(add_down(begin, width), options_.t_max);
        if (!(t > begin)) continue;
        if (is_within(t)) {
            while (t - begin > options_.time_width && is_within(begin + 0.5 * (t - begin)))
                t = begin + 0.5 * (t - begin);
            return t;
        }
        if (t >= options_.t_max) break;
    }
    return std::nullopt;
}

CcdResult Search::contact_at(double t, double excess) const noexcept {
    // excess <= tolerance 2^k holds exactly, so that the bound is not above the tolerance either.
    const double tolerance = std::min(q_.scale.back_up(excess), options_.distance_tolerance);
    return {Verdict::Contact, free_until_, t, checks_, tolerance};
}

// The primitives are near each other at free_until_: at or soon after it within d, or else within
// the tolerance of it.
std::optional<CcdResult> Search::proved_contact(double distance_est) const noexcept {
    if (const std::optional<double> t = time_within()) return contact_at(*t, 0.0);
    const double goal = std::max(distance_est, q_.reach_lower) + 0x1p-5 * q_.tolerance;
    const std::optional<Weights> witness = witness_within(free_until_, goal);
    if (!witness) return std::nullopt;
    const double excess = excess_upper(q_, free_until_, *witness);
    if (!(excess <= q_.tolerance)) return std::nullopt;
    return contact_at(free_until_, excess);
}

// How often time may advance within the tolerance, in the hope of a proof that the distance is <= d,
// or that it never is, before it is called contact.
constexpr int kNearSteps = 24;

CcdResult Search::run() noexcept {
    try_axes();
    if (is_free()) return separated(1);
    (void)look_from(0.5 * options_.t_max);
    int near_steps = 0;
    while (!is_free()) {
        if (checks_ >= options_.max_checks) return open();
        const double now = free_until_;
        const double distance = look_from(now);
        if (is_free()) break;
        const double step = free_until_ - now;
        const bool near = distance <= q_.reach_lower + 0.875 * q_.tolerance;
        if (near) ++near_steps;
        const bool slow = step <= 0.25 * options_.time_width || near_steps >= kNearSteps;
        if ((near && slow) || !(step > 0.0)) {
            if (const std::optional<CcdResult> contact = proved_contact(distance)) return *contact;
        }
        if (!(step > 0.0)) return open();
    }
    return separated(checks_);
}

// --- The start (W5) -------------------------------------------------------------------------------

// Where nothing has been proved free although the start may be apart: integers.
template <class Motion>
CcdResult with_free_start(CcdResult result, const Motion& motion,
                          const CcdOptions& options) noexcept {
    const bool touches_at_start = result.toi_upper == 0.0 && result.tolerance == 0.0;
    if (result.verdict == Verdict::Separated || result.toi_lower > 0.0 || touches_at_start) {
        return result;
    }
    const double time = free_time_from_start(motion, options.min_separation);
    if (time > options.t_max) return separated(result.checks);
    result.toi_lower = time;
    result.toi_upper = std::max(result.toi_upper, time);
    return result;
}

template <class Motion>
CcdResult answer(const Motion& motion, const CcdOptions& options) noexcept {
    if (!is_valid(options) || !(options.min_separation > 0.0) || !is_finite_motion(motion)) {
        return {};
    }
    const std::optional<Query> query = scaled_query(pairs_of(motion), options);
    // All corners coincide for good; or d is beyond all differences, which are below 2 on each axis.
    if (!query || query->reach_lower >= 8.0) return {Verdict::Contact, 0.0, 0.0, 1, 0.0};
    return with_free_start(Search(*query, options).run(), motion, options);
}

}  // namespace

CcdResult within_separation(const VertexFaceMotion& motion, const CcdOptions& options) noexcept {
    return answer(motion, options);
}
CcdResult within_separation(const EdgeEdgeMotion& motion, const CcdOptions& options) noexcept {
    return answer(motion, options);
}
CcdResult within_separation(const VertexVertexMotion& motion, const CcdOptions& options) noexcept {
    return answer(motion, options);
}
CcdResult within_separation(const VertexEdgeMotion& motion, const CcdOptions& options) noexcept {
    return answer(motion, options);
}

}  // namespace graze::certified
