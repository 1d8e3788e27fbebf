// Points and vectors of three numbers: `position + dt * velocity`.
//
// Every operation is plain and component by component, each rounded to the number type; nothing
// here is a proved bound. The proofs of the library count the rounding errors of these operations
// in its own sources only, which are compiled with -ffp-contract=off; a program that uses them may be
// compiled without. They are always inlined, so that the code of such a program is never linked in
// place of that of the library.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "graze/core/fp_environment.hpp"

namespace graze {

template <class T>
struct Vec {
    T x{};
    T y{};
    T z{};

    [[nodiscard]] constexpr T operator[](std::size_t axis) const noexcept {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    [[nodiscard]] constexpr T& operator[](std::size_t axis) noexcept {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    friend bool operator==(const Vec&, const Vec&) noexcept = default;
};
using Vec3 = Vec<double>;
using Vec3f = Vec<float>;

template <class T>
[[nodiscard, gnu::always_inline]] constexpr Vec<T> operator+(const Vec<T>& a,
                                                             const Vec<T>& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
[[nodiscard, gnu::always_inline]] constexpr Vec<T> operator-(const Vec<T>& a,
                                                             const Vec<T>& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
[[nodiscard, gnu::always_inline]] constexpr Vec<T> operator-(const Vec<T>& a) noexcept {
    return {-a.x, -a.y, -a.z};
}
// The factor becomes a T first: `2 * v` and `v * 2` are right for any T.
template <class T>
[[nodiscard, gnu::always_inline]] constexpr Vec<T> operator*(const std::type_identity_t<T>& s,
                                                             const Vec<T>& a) noexcept {
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
[[nodiscard, gnu::always_inline]] constexpr Vec<T> operator*(
    const Vec<T>& a, const std::type_identity_t<T>& s) noexcept {
    return s * a;
}
template <class T>
[[gnu::always_inline]] constexpr Vec<T>& operator+=(Vec<T>& a, const Vec<T>& b) noexcept {
    return a = a + b;
}
template <class T>
[[gnu::always_inline]] constexpr Vec<T>& operator-=(Vec<T>& a, const Vec<T>& b) noexcept {
    return a = a - b;
}

template <class T>
[[nodiscard, gnu::always_inline]] constexpr T dot(const Vec<T>& a, const Vec<T>& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
[[nodiscard, gnu::always_inline]] constexpr Vec<T> cross(const Vec<T>& a,
                                                         const Vec<T>& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Sum of magnitudes, largest magnitude, squared and plain Euclidean length.
// None of them is a proved bound: each rounds to nearest. norm_max is exact (it only selects).
template <class T>
[[nodiscard, gnu::always_inline]] inline T norm_one(const Vec<T>& a) noexcept {
    return std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z);
}
template <class T>
[[nodiscard, gnu::always_inline]] inline T norm_max(const Vec<T>& a) noexcept {
    return std::fmax(std::fmax(std::fabs(a.x), std::fabs(a.y)), std::fabs(a.z));
}
template <class T>
[[nodiscard, gnu::always_inline]] constexpr T norm_sq(const Vec<T>& a) noexcept {
    return dot(a, a);
}
// Without overflow or underflow where the length is a number. Not std::hypot, whose bits differ
// between standard libraries.
template <class T>
[[nodiscard, gnu::always_inline]] inline T norm(const Vec<T>& a) noexcept {
    const T x = std::fabs(a.x);
    const T y = std::fabs(a.y);
    const T z = std::fabs(a.z);
    const T larger = x < y ? y : x;
    const T largest = larger < z ? z : larger;
    if (largest == T{0}) return T{0};
    const T u = x / largest;
    const T v = y / largest;
    const T w = z / largest;
    return largest * std::sqrt(u * u + v * v + w * w);
}

// By the bits of the exponent, so that no compiler flag can fold it to true.
[[nodiscard]] constexpr bool is_finite(double x) noexcept {
    constexpr std::uint64_t kExponentMask = 0x7ff0'0000'0000'0000U;
    return (std::bit_cast<std::uint64_t>(x) & kExponentMask) != kExponentMask;
}
// Exact: every float is a double.
template <class T>
[[nodiscard]] constexpr bool is_finite(const Vec<T>& a) noexcept {
    return is_finite(double{a.x}) && is_finite(double{a.y}) && is_finite(double{a.z});
}

}  // namespace graze
