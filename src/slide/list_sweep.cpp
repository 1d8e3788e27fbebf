#include "slide/list_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace graze::slide {
namespace {

// The distance of a point on a straight way from a triangle is a convex function of time. Lines
// from separating directions lie below it; each is tangent to it where its direction was found.
// Following them to their zeros is Newton's method, which on a convex function comes to the first
// root from the left and never passes it. Grazing ways take a step for each two bits.
constexpr int kMaxSteps = 40;
// Where the gap is below this part of the radius, and the way to the next zero of a line below that
// one, the zero is the answer: over so short a way the distance leaves its tangent by no more than
// (2^-20)^2 / 2 of the radius.
constexpr double kCloseGap = 0x1p-40;
constexpr double kCloseWay = 0x1p-20;
// Nearer to the triangle than this part of the radius, a centre is in it: it cannot get deeper.
constexpr double kCentreInside = 0x1p-30;

// Below the line at s, rounding included.
double value_lower(const SlackLine& line, double s) noexcept {
    const double change = s * line.slope;
    return (line.at_from + change) - 0x1p-51 * (std::fabs(line.at_from) + std::fabs(change));
}

struct TriangleHit {
    bool hit = false;
    bool met = false;
    double time = 1.0;
    Direction direction;
};

// True for NaN.
bool gets_deeper(const Direction& direction, const Vec3& move, double radius) noexcept {
    const double inside = kCentreInside * radius;
    return !(dot(direction.w, move) >= 0.0 || norm_sq(direction.w) <= inside * inside);
}

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
            // From the middle of a way: was it met at the start?
            if (begin > 0.0) return sweep_triangle(t, path, radius, 0.0, end);
            return {gets_deeper(direction, move, radius), true, begin, direction};
        }
        if (line.slope >= 0.0) return {};
        // Rounded down: two roundings off for one.
        const double zero = (line.at_from / -line.slope) * (1.0 - 0x1p-52);
        if (zero >= end) return {};
        if (!(zero > time)) break;
        const double way = (zero - time) * speed;
        time = zero;
        if (slack <= kCloseGap * radius * line.length && way <= kCloseWay * radius) break;
    }
    return {true, false, time, direction};
}

// A ball on a way, ready for the cheap tests.
struct Probe {
    Vec3 from;
    Vec3 to;
    Vec3 lower;  // of the way, grown by the radius, errors included
    Vec3 upper;
    double radius;
    double error;  // of normal . (a point of the way), for normals of at most one unit
};

Probe probe_of(const Path& path, double radius) noexcept {
    Probe probe{path.from, path.to, {}, {}, radius, 0.0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double low = std::min(path.from[axis], path.to[axis]);
        const double high = std::max(path.from[axis], path.to[axis]);
        probe.lower[axis] = (low - radius) - 0x1p-50 * (std::fabs(low) + radius);
        probe.upper[axis] = (high + radius) + 0x1p-50 * (std::fabs(high) + radius);
    }
    probe.error = kSumError * (std::max(norm_one(path.from), norm_one(path.to)) + radius);
    return probe;
}

// False: the ball is clear of the triangle on all of its way, parted from it along an axis or the
// normal of the triangle. NaN makes it true.
bool may_meet(const NearTriangle& t, const Probe& probe) noexcept {
    bool apart = false;
    for (std::size_t axis = 0; axis < 3; ++axis)
        apart |= (t.lower[axis] > probe.upper[axis]) | (t.upper[axis] < probe.lower[axis]);
    if (apart) return false;
    const Vec3 normal = t.normal_vector();
    const double a = dot(normal, probe.from);
    const double b = dot(normal, probe.to);
    const double by = probe.radius + probe.error;
    return !(std::min(a, b) - by >= t.plane_upper || std::max(a, b) + by <= t.plane_lower);
}

}  // namespace

ListHit sweep_list(const NearList& list, const Path& path, double radius, double begin,
                   double end) noexcept {
    ListHit best;
    best.time = end;
    // The ends of the cut are rounded (three roundings of each term): the probe's errors cover
    // them, since kSumError and 2^-50 leave four roundings.
    Probe probe = probe_of(cut(path, begin, end), radius);
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
        probe = probe_of(cut(path, begin, best.time), radius);
    }
    return best;
}

bool clear_of_list(const NearList& list, const Path& path, double radius) noexcept {
    const Probe probe = probe_of(path, radius);
    for (std::size_t i = 0; i < list.count; ++i) {
        if (!may_meet(list.triangle[i], probe)) continue;
        const TriangleHit found = sweep_triangle(list.triangle[i], path, radius, 0.0, 1.0);
        if (found.hit || found.met) return false;
    }
    return true;
}

ListDistance distance_in_list(const NearList& list, std::size_t i, const Vec3& point) noexcept {
    const NearTriangle& t = list.triangle[i];
    ListDistance result{0.0, direction_to(t, point)};
    result.direction.on_triangle = foot_of(t, result.direction, point);
    const SlackLine line = slack_line(t, result.direction.w, {point, point}, 0.0);
    const double lower = (line.at_from / line.length) * (1.0 - 0x1p-51);
    if (lower > 0.0) result.lower = lower;
    return result;
}

bool may_be_within(const NearList& list, std::size_t i, const Vec3& point, double reach) noexcept {
    return may_meet(list.triangle[i], probe_of({point, point}, reach));
}

}  // namespace graze::slide
