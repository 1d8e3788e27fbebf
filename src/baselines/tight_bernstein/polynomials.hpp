// The polynomials of the method, over numbers that know their error (running_error.hpp).
//
// Notation
//   a, b, c, d      the corners: triangle and vertex, or the two edges ab and cd
//   e, g, q         b - a, c - a, d - a; subscripts 0 and 1: at the start and at the end
//   n = e x g       f = n.q is zero where the four corners lie in one plane
//   m_i, g_i        (b-d)x(c-d), (c-d)x(a-d), (a-d)x(b-d); g_i = m_i.n
//   k_i, l_i        Bernstein coefficients of 3 f (degree 3) and of 6 g_i (degree 4)
#pragma once

#include "baselines/tight_bernstein/running_error.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::bernstein {

template <class N>
using Linear = std::array<N, 2>;
template <class N>
using Quadratic = std::array<N, 3>;
template <class N>
using Cubic = std::array<N, 4>;
template <class N>
using Quartic = std::array<N, 5>;
template <class N>
using Triple = std::array<N, 3>;  // a vector of space

template <class N>
[[nodiscard]] Triple<N> operator+(const Triple<N>& a, const Triple<N>& b) noexcept {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <class N>
[[nodiscard]] Triple<N> cross(const Triple<N>& a, const Triple<N>& b) noexcept {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class N>
[[nodiscard]] N dot(const Triple<N>& a, const Triple<N>& b) noexcept {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A vector that moves along a line.
template <class N>
struct Moving {
    Triple<N> start;
    Triple<N> end;
};

// The cross product of two of them: a quadratic with Bernstein coefficients start, twice_middle / 2
// and end.
template <class N>
struct Sweep {
    Triple<N> start;
    Triple<N> twice_middle;
    Triple<N> end;
};
template <class N>
[[nodiscard]] Sweep<N> cross(const Moving<N>& a, const Moving<N>& b) noexcept {
    return {cross(a.start, b.start), cross(a.start, b.end) + cross(a.end, b.start),
            cross(a.end, b.end)};
}

// Corners a, b, c, d and the power of two that brings their differences to size 1.
struct FourCorners {
    std::array<MovingPoint, 4> at;
    double factor = 1.0;
};

template <class N>
[[nodiscard]] Moving<N> difference(const FourCorners& corners, int to, int from) noexcept {
    const MovingPoint& p = corners.at[static_cast<std::size_t>(to)];
    const MovingPoint& o = corners.at[static_cast<std::size_t>(from)];
    Moving<N> result;
    const N* type = nullptr;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        result.start[axis] = difference(type, p.start[axis], o.start[axis], corners.factor);
        result.end[axis] = difference(type, p.end[axis], o.end[axis], corners.factor);
    }
    return result;
}

// k0 = 3 n0.q0, k1 = 2 nX.q0 + n0.q1, k2 = 2 nX.q1 + n1.q0, k3 = 3 n1.q1.
template <class N>
[[nodiscard]] Cubic<N> coplanarity(const Sweep<N>& n, const Moving<N>& q) noexcept {
    return {times<3>(dot(n.start, q.start)), dot(n.twice_middle, q.start) + dot(n.start, q.end),
            dot(n.twice_middle, q.end) + dot(n.end, q.start), times<3>(dot(n.end, q.end))};
}

// The Bernstein coefficients of 12 m.n: 6 g twice, so that the middles come without a division.
template <class N>
[[nodiscard]] Quartic<N> twice_inside(const Sweep<N>& m, const Sweep<N>& n) noexcept {
    return {
        times<12>(dot(m.start, n.start)),
        times<3>(dot(m.start, n.twice_middle) + dot(m.twice_middle, n.start)),
        times<2>(dot(m.start, n.end) + dot(m.twice_middle, n.twice_middle) + dot(m.end, n.start)),
        times<3>(dot(m.twice_middle, n.end) + dot(m.end, n.twice_middle)),
        times<12>(dot(m.end, n.end))};
}

// First and second differences of the coefficients: a third of f', a sixth of f''.
template <class N>
[[nodiscard]] Quadratic<N> first_differences(const Cubic<N>& k) noexcept {
    return {k[1] - k[0], k[2] - k[1], k[3] - k[2]};
}
template <class N>
[[nodiscard]] Linear<N> second_differences(const Cubic<N>& k) noexcept {
    return {k[0] - times<2>(k[1]) + k[2], k[1] - times<2>(k[2]) + k[3]};
}

// w f = quotient * divisor + remainder, w = (j0 - 2 j1 + j2)^2 >= 0. Without a division, and true
// for every divisor, w = 0 included.
template <class N>
struct Division {
    Linear<N> quotient;
    Linear<N> remainder;
};
template <class N>
[[nodiscard]] Division<N> divide(const Cubic<N>& k, const Quadratic<N>& j) noexcept {
    const N a = times<2>(j[1] - j[2]);
    const N b = j[0] - j[2];
    const N f = times<2>(j[1] - j[0]);
    const N c = times<3>(k[2]) - times<2>(k[3]) - k[0];
    const N d = times<3>(k[1]) - times<2>(k[0]) - k[3];
    const N bend = j[0] - times<2>(j[1]) + j[2];
    const N w = bend * bend;
    const Linear<N> quotient = {a * d - b * c, f * c + b * d};
    return {quotient, {w * k[0] - quotient[0] * j[0], w * k[3] - quotient[1] * j[2]}};
}

// A quadratic J with J >= 0 at every root of f in [0, 1] where the quartic is >= 0.
//   Twice, the value at 0 is removed with a multiple of f and a factor t divided out, so that
//   t^2 J = 24 k0^2 (6 g) at a root t. For t > 0 the signs agree (or J = 0, where k0 = 0). At a
//   root t = 0 the same algebra with k0 = 0 gives J(0) = 216 k1^2 l0.
template <class N>
[[nodiscard]] Quadratic<N> reduced(const Quartic<N>& l, const Cubic<N>& k) noexcept {
    const Quartic<N> c = {times<4>(k[0]), k[0] + times<3>(k[1]), times<2>(k[1] + k[2]),
                          times<3>(k[2]) + k[3], times<4>(k[3])};
    const auto lowered = [&](std::size_t i) { return l[i] * c[0] - l[0] * c[i]; };
    const Cubic<N> s = {times<12>(lowered(1)), times<6>(lowered(2)), times<4>(lowered(3)),
                        times<3>(lowered(4))};
    const auto twice_lowered = [&](std::size_t i) { return s[i] * k[0] - s[0] * k[i]; };
    return {times<6>(twice_lowered(1)), times<3>(twice_lowered(2)), times<2>(twice_lowered(3))};
}

// (s + t)^3 f(t / (s + t)) and the same for a quadratic.
template <class N>
[[nodiscard]] N homogeneous(const Cubic<N>& k, const N& s, const N& t) noexcept {
    return (k[0] * s + times<3>(k[1] * t)) * (s * s) + (times<3>(k[2] * s) + k[3] * t) * (t * t);
}
template <class N>
[[nodiscard]] N homogeneous(const Quadratic<N>& y, const N& s, const N& t) noexcept {
    return (y[0] * s + times<2>(y[1] * t)) * s + y[2] * (t * t);
}

}  // namespace graze::bernstein
