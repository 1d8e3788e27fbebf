// Vectors over any number type: the expressions of `safe-cubic` are written once, computed on
// doubles, and bounded on error forms (graze/core/error_calculus.hpp).
#pragma once

#include <algorithm>
#include <cmath>

namespace graze::safe_cubic {

template <class T>
struct Triple {
    T x{};
    T y{};
    T z{};
};
using Vector = Triple<double>;

template <class T>
[[nodiscard]] constexpr Triple<T> operator+(const Triple<T>& a, const Triple<T>& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
[[nodiscard]] constexpr Triple<T> operator-(const Triple<T>& a, const Triple<T>& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
[[nodiscard]] constexpr Triple<T> operator*(const T& s, const Triple<T>& a) noexcept {
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
[[nodiscard]] constexpr T dot(const Triple<T>& a, const Triple<T>& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
[[nodiscard]] constexpr Triple<T> cross(const Triple<T>& a, const Triple<T>& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// As selections rather than calls of fmax: no NaN get here (tolerances are finite), and none would
// be called small (every comparison is written so that NaN fail towards contact).
[[nodiscard]] inline double larger(double a, double b) noexcept {
    return a > b ? a : b;
}
[[nodiscard]] inline double smaller(double a, double b) noexcept {
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
    Triple<T> x;
    Triple<T> v;

    [[nodiscard]] constexpr Triple<T> at(const T& t) const noexcept { return x + t * v; }
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
};

// The paper writes b and c with three triple products each; the two cross products that they share
// with the same factor are added first here, with the same count of roundings.
template <class T>
[[nodiscard]] constexpr Cubic<T> coplanarity(const LinearMotion<T>& p, const LinearMotion<T>& q,
                                             const LinearMotion<T>& r) noexcept {
    const Triple<T> vv = cross(q.v, r.v);
    const Triple<T> xv = cross(q.v, r.x) + cross(q.x, r.v);
    const Triple<T> xx = cross(q.x, r.x);
    return {dot(p.v, vv), dot(p.x, vv) + dot(p.v, xv), dot(p.x, xv) + dot(p.v, xx), dot(p.x, xx)};
}

// N . (p x q), the weight of a corner times the square of |N|.
template <class T>
[[nodiscard]] constexpr T weight(const Triple<T>& normal, const Triple<T>& p,
                                 const Triple<T>& q) noexcept {
    return dot(normal, cross(p, q));
}

// (x0i + t v0i) x (xji + t vji) = a t^2 + b t + c, by components: algorithm 2.
template <class T>
struct CrossQuadratics {
    Triple<T> a;
    Triple<T> b;
    Triple<T> c;
};
template <class T>
[[nodiscard]] constexpr CrossQuadratics<T> cross_quadratics(const LinearMotion<T>& p,
                                                            const LinearMotion<T>& q) noexcept {
    return {cross(p.v, q.v), cross(p.x, q.v) + cross(p.v, q.x), cross(p.x, q.x)};
}

}  // namespace graze::safe_cubic
