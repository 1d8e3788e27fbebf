// The expressions of `safe-cubic` over any number type: written once, computed on doubles, and
// bounded on error forms (graze/core/error_calculus.hpp).
#pragma once

#include <algorithm>
#include <cmath>

#include "graze/core/vec3.hpp"

namespace graze::safe_cubic {

using Vector = Vec3;

// As selections rather than calls of fmax: no NaN get here (tolerances are finite), and none would
// be called small (every comparison is written so that NaN fail towards contact).
[[nodiscard]] constexpr double larger(double a, double b) noexcept {
    return a > b ? a : b;
}
[[nodiscard]] constexpr double smaller(double a, double b) noexcept {
    return a < b ? a : b;
}
[[nodiscard]] inline double largest_magnitude(const Vector& a) noexcept {
    return larger(larger(std::fabs(a.x), std::fabs(a.y)), std::fabs(a.z));
}
[[nodiscard]] inline double sum_of_magnitudes(const Vector& a) noexcept {
    return std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z);
}

// A relative position that is linear in time: x + t v.
template <class T>
struct LinearMotion {
    Vec<T> x;
    Vec<T> v;

    [[nodiscard]] constexpr Vec<T> at(const T& t) const noexcept { return x + t * v; }
};
using Moving = LinearMotion<double>;

// F(t) = p(t) . (q(t) x r(t)) = a t^3 + b t^2 + c t + d: algorithms 3 and 4.
template <class T>
struct Cubic {
    T a;
    T b;
    T c;
    T d;

    [[nodiscard]] constexpr T at(const T& t) const noexcept {
        return ((a * t + b) * t + c) * t + d;
    }
    // F' and F'' by sums and products alone.
    [[nodiscard]] constexpr T slope(const T& t) const noexcept {
        const T u = a * t + b;
        return (a * t + u) * t + (u * t + c);
    }
    [[nodiscard]] constexpr T curvature(const T& t) const noexcept {
        const T half = a * t + a * t + (a * t + b);
        return half + half;
    }
};

// The paper writes b and c with three triple products each; the two cross products that they share
// with the same factor are added first here, with the same count of roundings.
template <class T>
[[nodiscard]] constexpr Cubic<T> coplanarity(const LinearMotion<T>& p, const LinearMotion<T>& q,
                                             const LinearMotion<T>& r) noexcept {
    const Vec<T> vv = cross(q.v, r.v);
    const Vec<T> xv = cross(q.v, r.x) + cross(q.x, r.v);
    const Vec<T> xx = cross(q.x, r.x);
    return {dot(p.v, vv), dot(p.x, vv) + dot(p.v, xv), dot(p.x, xv) + dot(p.v, xx), dot(p.x, xx)};
}

// N . (p x q), the weight of a corner times the square of |N|.
template <class T>
[[nodiscard]] constexpr T weight(const Vec<T>& normal, const Vec<T>& p, const Vec<T>& q) noexcept {
    return dot(normal, cross(p, q));
}

// (x0i + t v0i) x (xji + t vji) = a t^2 + b t + c, by components: algorithm 2.
template <class T>
struct CrossQuadratics {
    Vec<T> a;
    Vec<T> b;
    Vec<T> c;
};
template <class T>
[[nodiscard]] constexpr CrossQuadratics<T> cross_quadratics(const LinearMotion<T>& p,
                                                            const LinearMotion<T>& q) noexcept {
    return {cross(p.v, q.v), cross(p.x, q.v) + cross(p.v, q.x), cross(p.x, q.x)};
}

}  // namespace graze::safe_cubic
