#include "slide/list_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace graze::slide {
namespace {

// The distance of a point on a straight path from a triangle is a convex function of time. Lines
// from separating directions lie below it; each is tangent to it where its direction was found.
// Following them to their zeros is Newton's method, which on a convex function comes to the first
// root from the left and never passes it. Grazing paths take a step for each two bits.
constexpr int kMaxSteps = 40;
// Where the gap is below this part of the radius, and the path to the next zero of a line below
// that one, the zero is the answer: over so short a path the distance leaves its tangent by no more
// than (2^-20)^2 / 2 of the radius.
constexpr double kCloseGap = 0x1p-40;
constexpr double kClosePath = 0x1p-20;
// Nearer to the triangle than this part of the radius, a centre is in it: it cannot get deeper.
constexpr double kCentreInside = 0x1p-30;
// [local] Of round obstacles: up to here products of two lengths, and their squares, are finite.
constexpr double kMostOfRound = 0x1p250;

// Of a round obstacle w = 0 says that the point is at its middle, from where all paths lead out: of a ball
// within these bounds, in which w does not vanish otherwise. Beyond them, and of an ellipsoid, whose w may
// underflow, nothing is said (SS-10). True for NaN, which a sum keeps.
bool is_unknown_of_round(const NearTriangle& t, const Direction& direction,
                         const Path& path) noexcept {
    const double sizes = norm_one(t.largest()) + norm_one(path.from) + norm_one(path.to);
    if (!(sizes <= kMostOfRound)) return true;
    return direction.w == Vec3{} && !t.has_ball();
}

// Of a triangle that is met at the start: the distance f is convex on the path, and where w . move
// >= 0 it does not fall at 0, hence never below f(0): the triangle is let pass for the whole path
// (SS-4).
// The rounding of w . move lets f fall by at most 2^-47 of the largest coordinate.
// True for NaN.
bool gets_deeper(const NearTriangle& t, const Direction& direction, const Path& path,
                 double radius) noexcept {
    if (t.is_round && is_unknown_of_round(t, direction, path)) [[unlikely]]
        return true;
    if (dot(direction.w, path.to - path.from) >= 0.0) return false;
    // w leads from the surface of a sum with an ellipsoid, where not all paths lead out.
    if (t.is_round && !t.has_ball()) return true;
    const double distance = direction.feature == FeatureKind::Face
                                ? dot(direction.w, path.from - t.vertex_at(0))
                                : norm(direction.w);
    return !(distance <= kCentreInside * radius);
}

// At least w . q for all vertices q. For the face this was asked when the triangle was listed.
double top_along(const NearTriangle& t, const Direction& direction) noexcept {
    if (direction.feature != FeatureKind::Face) return detail::top_of_vertices(t, direction.w);
    return dot(direction.w, t.normal_vector()) < 0.0 ? -t.plane().lower : t.plane().upper;
}

// Of a round obstacle, which is solid: negative inside of it, where it is divided by a length that is
// rounded down. Without a direction the point is where the ellipsoid has its middle. Where numbers
// overflow nothing is known: minus infinity.
[[gnu::noinline]] ListDistance distance_of_round(const NearTriangle& t,
                                                 const Vec3& point) noexcept {
    ListDistance result{kNoSlack, 0.0, direction_to(t, point)};
    const Vec3& w = result.direction.w;
    result.length = std::sqrt(norm_sq(w));
    result.direction.on_triangle = foot_of(t, result.direction, point);
    const double upper = result.length * (1.0 + 0x1p-50);
    if (!(upper <= std::numeric_limits<double>::max())) return result;
    if (upper < kLeastLength) {
        result.lower = -std::max({t.round[0], t.round[1], t.round[2]}) * (1.0 + 0x1p-50);
        return result;
    }
    const double slack =
        detail::less_rounding(detail::lower_sum(w, point) - detail::top_upper(t, w, upper, 0.0));
    const double quotient = slack / (slack < 0.0 ? result.length * (1.0 - 0x1p-50) : upper);
    const double lower = quotient - 0x1p-51 * std::fabs(quotient);
    if (lower <= std::numeric_limits<double>::max()) result.lower = lower;  // a number
    return result;
}

}  // namespace

TriangleHit sweep_triangle(const NearTriangle& t, const Path& path, double radius, double begin,
                           double end) noexcept {
    const Vec3 move = path.to - path.from;
    const double speed = norm_one(move);  // at least
    Direction direction;
    double time = begin;  // clear on [begin, time)
    for (int step = 0; step < kMaxSteps; ++step) {
        direction = direction_to(t, path.from + time * move);
        const SlackLine line = slack_line(t, direction.w, path, radius);
        const double slack = value_lower(line, time);
        if (!(slack >= 0.0)) {
            if (step > 0) break;
            // From the middle of a path: was it met at the start?
            if (begin > 0.0) return sweep_triangle(t, path, radius, 0.0, end);
            return {gets_deeper(t, direction, path, radius), true, begin, direction};
        }
        // The line lies below the distance: where it does not fall, or not to zero before the end,
        // the rest of the path is clear.
        if (line.slope >= 0.0) return {};
        const double zero = zero_lower(line);
        if (zero >= end) return {};
        // No progress but by rounding: all before `time` is proved, and that is the answer.
        if (!(zero > time)) break;
        const double ahead = (zero - time) * speed;
        time = zero;
        if (slack <= kCloseGap * radius * line.length && ahead <= kClosePath * radius) break;
    }
    return {true, false, time, direction};
}

// The probe is cut at the best time so far: what can only be met later is rejected by its box.
ListHit sweep_list(const NearSpan& list, const Path& path, double radius, double begin,
                   double end) noexcept {
    ListHit best;
    best.time = end;
    Probe probe = probe_of(path, radius, begin, end);
    for (std::size_t i = 0; i < list.count; ++i) {
        if (!may_meet(list.triangle[i], probe)) continue;
        const TriangleHit found = sweep_triangle(list.triangle[i], path, radius, begin, best.time);
        best.met_at_start |= found.met;
        if (!found.hit) continue;
        best.hit = true;
        best.time = found.time;
        best.index = static_cast<std::uint32_t>(i);
        best.direction = found.direction;
        best.direction.on_triangle = foot_of(list.triangle[i], found.direction,
                                             path.from + found.time * (path.to - path.from));
        probe = probe_of(path, radius, begin, best.time);
    }
    return best;
}

// Stricter than sweep_list(): a triangle that was met at the start and is not entered counts, too.
bool clear_of_list(const NearSpan& list, const Path& path, double radius) noexcept {
    const Probe probe = probe_of(path, radius);
    for (std::size_t i = 0; i < list.count; ++i) {
        if (!may_meet(list.triangle[i], probe)) continue;
        const TriangleHit found = sweep_triangle(list.triangle[i], path, radius, 0.0, 1.0);
        if (found.hit || found.met) return false;
    }
    return true;
}

// The slack of a line with radius 0, over |w| rounded up: never more than the exact distance. Two
// rounding errors, of the quotient and of the product, are taken off by 2^-51.
ListDistance distance_in_list(const NearSpan& list, std::size_t i, const Vec3& point) noexcept {
    const NearTriangle& t = list.triangle[i];
    if (t.is_round) [[unlikely]]
        return distance_of_round(t, point);
    const Direction direction = direction_here(t, point);
    const Vec3 w = direction.w;
    const double about = std::sqrt(norm_sq(w));
    const double length = about * (1.0 + 0x1p-50);  // rounded up, as in slack_line()
    double lower = 0.0;
    if (length >= kLeastLength) {
        const double slack =
            detail::less_rounding(detail::lower_sum(w, point) - top_along(t, direction));
        const double proved = (slack / length) * (1.0 - 0x1p-51);
        if (proved > 0.0) lower = proved;  // not where it is no number
    }
    return {lower, about, {w, direction.feature, foot_on_triangle(t, direction, point)}};
}

}  // namespace graze::slide
