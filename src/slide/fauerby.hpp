// The older algorithm: K. Fauerby, Improved collision detection and response, as printed in Table I
// of Linahan. Line numbers are those of the table.
//
// Faithful, with its faults: it knows one plane at a time, so that in an obtuse corner it is led
// out of one plane by the other (jitter), and in an acute one goes to and fro until its six turns
// are spent. Guarded only against dividing by zero: a velocity of zero stays zero.
#pragma once

#include "slide/response.hpp"

namespace graze::slide {

// `first_hit(from, to)`: the first collision of the ball with the world on its way, with members
// hit, time (fraction of the way), point (on the world) and normal (from there to the centre), as
// Vec3.
template <class Real, class FirstHit>
[[nodiscard]] auto fauerby_response(const FirstHit& first_hit, const Ball<Real>& ball,
                                    Vec<Real> position, Vec<Real> velocity) noexcept {
    using Hit = decltype(first_hit(Vec3{}, Vec3{}));
    Response<Real, Hit> result;
    for (int depth = 0; depth <= 5; ++depth) {  // 3
        ++result.iterations;
        const Hit hit = first_hit(widened(position), widened(position) + widened(velocity));  // 9
        if (!hit.hit) {  // 10, 11
            result.position = position + velocity;
            result.stopped = StopReason::Free;
            return result;
        }
        result.add(hit);
        const Vec<Real> destination = position + velocity;  // 12
        const Real distance = static_cast<Real>(hit.time) * norm(velocity);
        Vec<Real> point = narrowed<Real>(hit.point);
        if (distance >= ball.very_close) {  // 14 to 19
            const Vec<Real> direction = normalised(velocity);
            position = position + (distance - ball.very_close) * direction;
            point = point - ball.very_close * direction;
        }
        const Vec<Real> normal = normalised(position - point);                           // 21, 22
        const Vec<Real> slid = destination - dot(destination - point, normal) * normal;  // 24
        velocity = slid - point;                                                         // 25
        result.position = position;
        if (!(norm(velocity) >= ball.very_close)) return result;  // 26, 27
    }
    result.stopped = StopReason::Limit;
    return result;
}

}  // namespace graze::slide
