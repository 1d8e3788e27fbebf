// J. Linahan, Improving the numerical robustness of sphere swept collision detection, Table II,
// whose line numbers are given.
//
// Faithful, with its faults: the gap is kept along the path, so that at the angle a between path
// and plane only e sin a is left of it; the first plane holds even where the ball has left it, so
// that on a convex edge the second contact leaves a crease with a plane that is behind; the third
// contact ends the move whatever is left of it, which is where it is caught on ground of many small
// faces; the position that is returned was never tested. Guarded only against dividing by zero: a
// velocity of zero and parallel planes leave no displacement.
#pragma once

#include <algorithm>

#include "slide/response.hpp"

namespace graze::slide {

// Section III.H: with two parameters each iteration derives the destination from the position and
// the velocity again, fl(p + fl(d - p)), which is off by half an ulp of the larger of p and d on
// each axis; with three it is kept. That ulp comes off the gap e: two parameters penetrate where e
// is no more than an ulp of the coordinates.
enum class Parameters { Three, Two };

// `first_hit`: as for fauerby_response().
template <class Real, class FirstHit>
[[nodiscard]] auto linahan_response(const FirstHit& first_hit, const Ball<Real>& ball,
                                    Vec<Real> position, Vec<Real> velocity,
                                    Parameters parameters = Parameters::Three) noexcept {
    using Hit = decltype(first_hit(Vec3{}, Vec3{}));
    Response<Real, Hit> result;
    Vec<Real> destination = position + velocity;           // 1
    Vec<Real> first_normal;                                // 2
    for (int iteration = 0; iteration < 3; ++iteration) {  // 3
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
        if (iteration == 0) {  // 10 to 14; the distance to the plane is signed
            const Real height = dot(destination - narrowed<Real>(hit.point), normal);
            destination = destination - (height - (ball.radius + ball.very_close)) * normal;
            velocity = destination - position;
            first_normal = normal;
        } else if (iteration == 1) {  // 15 to 20
            const Vec<Real> crease = normalised(cross(first_normal, normal));
            velocity = dot(destination - position, crease) * crease;
            destination = position + velocity;
        }
    }
    result.position = position;  // 21
    return result;
}

}  // namespace graze::slide
