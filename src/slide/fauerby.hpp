// The older algorithm: K. Fauerby, Improved collision detection and response, as printed in Table I
// of Linahan. Line numbers are those of the table.
//
// Faithful, with its faults: it knows one plane at a time, so that in an obtuse corner it is led
// out of one plane by the other (jitter). In an acute corner of angle a each iteration projects the
// velocity from one plane onto the other, which shortens it by the factor cos a only: from v to the
// very close distance e that takes up to ln(v / e) / -ln cos a iterations, 1,454 at 5 degrees and
// v / e = 256 (and without end in floats, where v (1 - cos a) is below an ulp of the coordinates).
// The cap of line 3 ends this after six. Guarded only against dividing by zero: a velocity of zero
// stays zero.
#pragma once

#include "slide/response.hpp"

namespace graze::slide {

// Line 3 refuses a recursion depth above 5: depths 0 to 5 each search for a collision.
inline constexpr int kFauerbyIterations = 6;

// `first_hit(from, to)`: the first collision of the ball with the world on its path, with members
// hit, time (fraction of the path), point (on the world) and normal (from there to the centre), as
// Vec3. `max_iterations`: the cap of line 3.
template <class Real, class FirstHit>
[[nodiscard]] auto fauerby_response(const FirstHit& first_hit, const Ball<Real>& ball,
                                    Vec<Real> position, Vec<Real> velocity,
                                    int max_iterations = kFauerbyIterations) noexcept {
    using Hit = decltype(first_hit(Vec3{}, Vec3{}));
    Response<Real, Hit> result;
    result.position = position;
    for (int depth = 0; depth < max_iterations; ++depth) {  // 3
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
        // Short of the collision along the velocity, not along the normal: of the gap e only the
        // e cos(angle of incidence) is kept.
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
