// J. Linahan, Improving the numerical robustness of sphere swept collision detection, Table II,
// whose line numbers are given.
//
// Faithful, with its faults: the gap is kept along the way, so that it is lost at grazing angles;
// the first plane holds even where the ball has left it; the position that is returned was never
// looked at. Guarded only against dividing by zero: a velocity of zero and parallel planes leave no
// way.
#pragma once

#include <algorithm>

#include "slide/response.hpp"

namespace graze::slide {

// Section III.H: with two parameters each turn derives the destination from the position and the
// velocity again, which rounds it; with three it is kept.
enum class Parameters { Three, Two };

// `first_hit`: as for fauerby_response().
template <class Real, class FirstHit>
[[nodiscard]] auto linahan_response(const FirstHit& first_hit, const Ball<Real>& ball,
                                    Vec<Real> position, Vec<Real> velocity,
                                    Parameters parameters = Parameters::Three) noexcept {
    using Hit = decltype(first_hit(Vec3{}, Vec3{}));
    Response<Real, Hit> result;
    Vec<Real> destination = position + velocity;  // 1
    Vec<Real> first_normal;                       // 2
    for (int turn = 0; turn < 3; ++turn) {        // 3
        if (parameters == Parameters::Two) destination = position + velocity;
        ++result.iterations;
        const Hit hit = first_hit(widened(position), widened(position) + widened(velocity));  // 4
        if (!hit.hit) {                                                                       // 5
            result.position = destination;
            result.stopped = StopReason::Free;
            return result;
        }
        result.add(hit);
        const Real distance = norm(velocity) * static_cast<Real>(hit.time);    // 7
        const Real shortened = std::max(distance - ball.very_close, Real{0});  // 8
        position = position + shortened * normalised(velocity);                // 9
        const Vec<Real> normal = narrowed<Real>(hit.normal);
        if (turn == 0) {  // 10 to 14; the distance to the plane is signed
            const Real height = dot(destination - narrowed<Real>(hit.point), normal);
            destination = destination - (height - (ball.radius + ball.very_close)) * normal;
            velocity = destination - position;
            first_normal = normal;
        } else if (turn == 1) {  // 15 to 20
            const Vec<Real> crease = normalised(cross(first_normal, normal));
            velocity = dot(destination - position, crease) * crease;
            destination = position + velocity;
        }
    }
    result.position = position;  // 21
    return result;
}

}  // namespace graze::slide
