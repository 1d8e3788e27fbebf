#include "narrow/certified/separation_bounds.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "graze/core/interval.hpp"
#include "graze/core/norm_bounds.hpp"
#include "graze/core/power_of_two.hpp"
#include "graze/core/rounding.hpp"

namespace graze::certified {
namespace {

constexpr double kU = 0x1p-53;
// In scaled units: what underflow costs, many times over (CS-1).
constexpr double kUnderflow = 0x1p-1000;

}  // namespace

// --- The query (CS-1) ------------------------------------------------------------------------------

CornerPairs corner_pairs(const VertexFaceMotion& m) noexcept {
    const MovingPoint* v = &m.vertex;
    return {Shape::Triangle,
            {{{&m.face[0], v}, {&m.face[1], v}, {&m.face[2], v}, {&m.face[2], v}}}};
}
CornerPairs corner_pairs(const EdgeEdgeMotion& m) noexcept {
    const auto& a = m.edge_a;
    const auto& b = m.edge_b;
    return {Shape::Parallelogram,
            {{{&a[0], &b[0]}, {&a[1], &b[0]}, {&a[1], &b[1]}, {&a[0], &b[1]}}}};
}
CornerPairs corner_pairs(const VertexVertexMotion& m) noexcept {
    const CornerPair pair{&m.a, &m.b};
    return {Shape::Point, {pair, pair, pair, pair}};
}
CornerPairs corner_pairs(const VertexEdgeMotion& m) noexcept {
    const CornerPair last{&m.edge[1], &m.vertex};
    return {Shape::Segment, {{{&m.edge[0], &m.vertex}, last, last, last}}};
}

double Scale::down(double x) const noexcept {
    // Far from both ends of the range nothing is rounded: all factors lead the same way.
    const double product = x * before * first * second;
    if (0x1p-1000 < product && product < 0x1p+1000) return product;
    return mul_down(mul_down(mul_down(x, before), first), second);
}
double Scale::back_up(double x) const noexcept {
    return mul_up(mul_up(mul_up(x, 1.0 / second), 1.0 / first), 1.0 / before);
}

namespace {

void subtract(SeparationQuery& q, std::size_t lane, const Vec3& plus, const Vec3& minus) noexcept {
    const double before = q.scale.before;
    q.x[lane] = plus.x * before - minus.x * before;
    q.y[lane] = plus.y * before - minus.y * before;
    q.z[lane] = plus.z * before - minus.z * before;
}
void subtract_corners(SeparationQuery& q, double before) noexcept {
    q.scale.before = before;
    for (std::size_t i = 0; i < kHullCorners; ++i) {
        const CornerPair& pair = q.pairs.corner[i];
        subtract(q, i, pair.plus->start, pair.minus->start);
        subtract(q, i + kHullCorners, pair.plus->end, pair.minus->end);
    }
}

double largest_magnitude(const std::array<double, kLanes>& values) noexcept {
    double largest = 0.0;
    for (const double value : values)
        largest = std::max(largest, std::fabs(value));
    return largest;
}
Vec3 largest_by_axis(const SeparationQuery& q) noexcept {
    return {largest_magnitude(q.x), largest_magnitude(q.y), largest_magnitude(q.z)};
}

void scale_values(std::array<double, kLanes>& values, const Scale& scale) noexcept {
    for (double& value : values)
        value = value * scale.first * scale.second;
}

}  // namespace

std::optional<SeparationQuery> scaled_query(const CornerPairs& pairs,
                                            const CcdOptions& options) noexcept {
    SeparationQuery q;
    q.pairs = pairs;
    q.norm = options.norm;
    subtract_corners(q, 1.0);
    q.size = largest_by_axis(q);
    if (!is_finite(q.size)) {
        subtract_corners(q, 0.25);
        q.size = largest_by_axis(q);
    }
    const std::optional<int> exponent = binary_exponent(std::max({q.size.x, q.size.y, q.size.z}));
    if (!exponent) return std::nullopt;
    const int half = -*exponent / 2;
    q.scale.first = power_of_two(half);
    q.scale.second = power_of_two(-*exponent - half);
    scale_values(q.x, q.scale);
    scale_values(q.y, q.scale);
    scale_values(q.z, q.scale);
    q.size = q.scale.first * q.size * q.scale.second;
    q.reach_lower = q.scale.down(options.min_separation);
    q.reach_upper = q.scale.up(options.min_separation);
    q.tolerance = std::min(q.scale.down(options.distance_tolerance), 8.0);
    return q;
}

HullCorners corners_at(const SeparationQuery& q, double t) noexcept {
    HullCorners c;
    const double s = 1.0 - t;
    for (std::size_t i = 0; i < kHullCorners; ++i) {
        const std::size_t e = i + kHullCorners;
        c[i] = {s * q.x[i] + t * q.x[e], s * q.y[i] + t * q.y[e], s * q.z[i] + t * q.z[e]};
    }
    return c;
}

// --- Directions (CS-2) -----------------------------------------------------------------------------

std::optional<Vec3> normalised(const Vec3& n) noexcept {
    const double largest = std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)});
    if (!(largest > 0x1p-900 && largest < 0x1p+900)) return std::nullopt;
    const std::uint64_t biased = std::bit_cast<std::uint64_t>(largest) >> 52;
    return n * std::bit_cast<double>((2046 - biased) << 52);
}

namespace {

// What n . D_i must exceed, as computed with so many roundings on the way of each of its terms, for
// n . D_i > d |n|. Two roundings more are taken: they pay for those of `error`. The factor 1 + 8u
// pays for rounding |n| (3u), for the products and the sum here (3u) and for a mean of two
// thresholds.
double threshold(const SeparationQuery& q, const Vec3& n, int roundings) noexcept {
    const Vec3 m = {std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)};
    const double error = (roundings + 2) * kU * dot(m, q.size) + kUnderflow;
    const double length = q.norm == Norm::Max ? (m.x + m.y) + m.z : std::sqrt(norm_sq(n));
    return error + q.reach_upper * length * (1.0 + 8.0 * kU);
}

// Where the line from a > 0 at t = 0 to b <= 0 at t = 1 is zero, rounded down; from a <= 0 to b >
// 0, rounded up. a and b have a relative error of u each: 4u with the sum and the quotient.
double falls_at(double a, double b) noexcept {
    const double t = a / (a - b);
    return t > kUnderflow ? t * (1.0 - 8.0 * kU) : 0.0;
}
double rises_at(double a, double b) noexcept {
    const double t = a / (a - b);
    return std::max(t * (1.0 + 8.0 * kU), kUnderflow);
}

// Until when, of [0, 1], the quadratic polynomial with these Bernstein coefficients is positive,
// given b0 > 0; 1: to the end. It is in the hull of the points (0, b0), (1/2, b1), (1, b2), and two
// of the three sides of that triangle bound it from below.
double positive_until(double b0, double b1, double b2) noexcept {
    double until = 1.0;
    if (!(b1 > 0.0)) until = 0.5 * falls_at(b0, b1);
    if (!(b2 > 0.0)) until = std::min(until, falls_at(b0, b2));
    if (b1 > 0.0 && !(b2 > 0.0)) until = std::min(until, 0.5 + 0.5 * falls_at(b1, b2));
    return until;
}

// By corner: n . c.
std::array<double, kHullCorners> along(const Vec3& n, const HullCorners& c) noexcept {
    return {dot(n, c[0]), dot(n, c[1]), dot(n, c[2]), dot(n, c[3])};
}

// D and the three operations of a dot product.
constexpr int kRoundingsAtEnds = 1 + 3;
// corners_at(), a dot product, and the sum of two.
constexpr int kRoundingsBetween = 4 + 3 + 1;

}  // namespace

namespace {

FreeSpan free_span(const std::array<double, kLanes>& gap) noexcept {
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

}  // namespace

FreeSpan free_along(const SeparationQuery& q, const Vec3& n) noexcept {
    const double least = threshold(q, n, kRoundingsAtEnds);
    std::array<double, kLanes> gap;
    for (std::size_t i = 0; i < kLanes; ++i)
        gap[i] = ((n.x * q.x[i] + n.y * q.y[i]) + n.z * q.z[i]) - least;
    return free_span(gap);
}

FreeSpan free_along_axis(const SeparationQuery& q, std::size_t axis) noexcept {
    const std::array<double, kLanes>& along = axis == 0 ? q.x : axis == 1 ? q.y : q.z;
    // The difference is rounded once, and so is the sum here; 1 + 8u as in threshold().
    const double least = 4.0 * kU * q.size[axis] + kUnderflow + q.reach_upper * (1.0 + 8.0 * kU);
    const double sign = along[0] + along[kHullCorners] < 0.0 ? -1.0 : 1.0;
    std::array<double, kLanes> gap;
    for (std::size_t i = 0; i < kLanes; ++i)
        gap[i] = sign * along[i] - least;
    return free_span(gap);
}

// n . D_i > d |n| for d = (a - e) / |n|, if a - e > 0: threshold() solved for d. The quotient has
// two roundings, |n| three, the product one.
double distance_along(const SeparationQuery& q, const Vec3& n) noexcept {
    const Vec3 m = {std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)};
    const double error = (kRoundingsAtEnds + 2) * kU * dot(m, q.size) + kUnderflow;
    const double length = q.norm == Norm::Max ? (m.x + m.y) + m.z : std::sqrt(norm_sq(n));
    double least = (n.x * q.x[0] + n.y * q.y[0]) + n.z * q.z[0];
    for (std::size_t i = 1; i < kHullCorners; ++i)
        least = std::min(least, (n.x * q.x[i] + n.y * q.y[i]) + n.z * q.z[i]);
    return least > error ? (least - error) / length * (1.0 - 16.0 * kU) : 0.0;
}

double free_between(const SeparationQuery& q, const Turn& first, const Turn& last) noexcept {
    const double least0 = threshold(q, first.n, kRoundingsBetween);
    const double least2 = threshold(q, last.n, kRoundingsBetween);
    const double least1 = 0.5 * (least0 + least2);
    const auto start = along(first.n, first.corners);
    const auto start_late = along(first.n, last.corners);
    const auto end_early = along(last.n, first.corners);
    const auto end = along(last.n, last.corners);
    double part = 1.0;
    for (std::size_t i = 0; i < kHullCorners; ++i) {
        const double b0 = start[i] - least0;
        const double b1 = 0.5 * (start_late[i] + end_early[i]) - least1;
        const double b2 = end[i] - least2;
        if (!(b0 > 0.0)) return first.t;
        part = std::min(part, positive_until(b0, b1, b2));
    }
    if (part == 1.0) return last.t;
    // Four roundings relative to the step, of which add_down is none: 4u < 8u.
    const double step = part * (last.t - first.t) * (1.0 - 8.0 * kU);
    return step > kUnderflow ? add_down(first.t, step) : first.t;
}

// --- Witnesses (CS-4) ------------------------------------------------------------------------------

namespace {

// An upper bound of the distance at time t: that of the point of K(t) which the weights name.
// Eight roundings on the way of a term of together at most W size, where 10u are taken; 16u for W,
// the length and the quotient.
double distance_upper_fast(const SeparationQuery& q, double t, const Weights& w) noexcept {
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
Vec3 witness_upper(const SeparationQuery& q, double t, const Weights& w) noexcept {
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

}  // namespace

double excess_upper(const SeparationQuery& q, double t, const Weights& w) noexcept {
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

}  // namespace graze::certified
