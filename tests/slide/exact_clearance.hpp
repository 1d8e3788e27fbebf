// A ball with its skin and triangles, compared in rationals.
#pragma once

#include "graze/slide/mover.hpp"
#include "graze/verify/exact_segment.hpp"
#include "slide/some_levels.hpp"

namespace graze::slide::test {

template <class Real>
Shape<Real> ball(double radius) {
    const Real r = static_cast<Real>(radius);
    return {{r, r, r}};
}

template <class Real>
ExactTriangle exact_of(const std::array<Vec<Real>, 3>& t) {
    return {exact(t[0]), exact(t[1]), exact(t[2])};
}

// Is the ball with its skin clear of all triangles?
template <class Real>
bool keeps_exactly(const Triangles<Real>& triangles, const Vec<Real>& centre, Real radius,
                   Real skin) {
    const mpq_class least = mpq_class(double{radius}) + mpq_class(double{skin});
    for (const auto& t : triangles)
        if (point_triangle_sq(exact(centre), exact_of(t)) < least * least) return false;
    return true;
}

}  // namespace graze::slide::test
