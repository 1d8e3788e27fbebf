#include "slide/arrival.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/assert.hpp"

namespace graze::slide {
namespace {

// An estimate only, so that its steps may end early: the caller goes no farther than free.time, up
// to which the path is proved, whatever comes out (SM-1).
constexpr int kMaxArrivalSteps = 16;

// Unscaled: a wrong length costs progress alone.
double arrival_length(const Vec3& v) noexcept {
    return std::sqrt(norm_sq(v));
}

// Where the tangent at the end of the free part leads: before the answer, since the distance is
// convex in time. Not after the end, though `radius` may be less than the distance there; a number
// that is none gives 0.
double first_estimate(const Vec3& move, double radius, const FreePart& free) noexcept {
    const double speed = -dot(free.direction.w, move) / arrival_length(free.direction.w);
    if (!(speed > 0.0)) return 0.0;
    const double time = free.time - (radius - free.distance) / speed;
    return time > 0.0 ? std::min(time, free.time) : 0.0;
}

}  // namespace

// From a time before the answer Newton's method does not pass it, but for rounding.
Arrival arrival_at(const NearTriangle& t, const Path& path, double radius,
                   const FreePart& free) noexcept {
    const Vec3 move = path.to - path.from;
    double time = first_estimate(move, radius, free);
    Direction direction;
    for (int step = 0; step < kMaxArrivalSteps; ++step) {
        direction = direction_here(t, path.from + time * move);
        const Vec3 w = direction.w;
        const double length = arrival_length(w);
        if (!(length > 0.0)) break;
        double top =
            std::max({dot(w, t.vertex_at(0)), dot(w, t.vertex_at(1)), dot(w, t.vertex_at(2))});
        if (t.is_round) [[unlikely]]
            top += detail::round_extent(t, w);
        const double height = (dot(w, path.from) - top) / length - radius;
        const double slope = dot(w, move) / length;
        const double next = slope < 0.0 ? height / -slope : free.time;
        if (!(next > time)) break;
        if (next >= free.time) return {free.time, free.direction};
        const bool close = (next - time) * -slope <= 0x1p-42 * radius;
        time = next;
        if (close) break;
    }
    GRAZE_ASSERT(time >= 0.0 && time <= free.time);
    return {time, direction};
}

}  // namespace graze::slide
