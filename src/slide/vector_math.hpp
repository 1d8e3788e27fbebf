// Arithmetic on points of floats or doubles, each operation rounded to that type: the movers that
// we compare with calculate in the type of their user, as they were published.
#pragma once

#include <cmath>

#include "graze/slide/vector.hpp"

namespace graze::slide {

template <class Real>
[[nodiscard]] constexpr Vector<Real> operator+(const Vector<Real>& a,
                                               const Vector<Real>& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
[[nodiscard]] constexpr Vector<Real> operator-(const Vector<Real>& a,
                                               const Vector<Real>& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
[[nodiscard]] constexpr Vector<Real> operator*(Real s, const Vector<Real>& a) noexcept {
    return {s * a.x, s * a.y, s * a.z};
}
template <class Real>
[[nodiscard]] constexpr Real dot(const Vector<Real>& a, const Vector<Real>& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class Real>
[[nodiscard]] constexpr Vector<Real> cross(const Vector<Real>& a, const Vector<Real>& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class Real>
[[nodiscard]] Real length(const Vector<Real>& a) noexcept {
    return std::hypot(a.x, a.y, a.z);
}
// Of unit length; the zero vector stays what it is.
template <class Real>
[[nodiscard]] Vector<Real> normalised(const Vector<Real>& a) noexcept {
    const Real size = length(a);
    return size > Real{0} ? Vector<Real>{a.x / size, a.y / size, a.z / size} : a;
}

}  // namespace graze::slide
