// Arithmetic of quaternions of any length, to the nearest double. For the sources of the library:
// the functions round, so that they belong in code that is compiled as graze is.
#pragma once

#include <cmath>
#include <optional>

#include "graze/core/pose.hpp"
#include "graze/core/power_of_two.hpp"
#include "graze/core/vec3.hpp"

namespace graze {

[[nodiscard]] inline Vec3 vector_part(const Quaternion& q) noexcept {
    return {q.x, q.y, q.z};
}

[[nodiscard]] inline Quaternion conjugate(const Quaternion& q) noexcept {
    return {q.w, -q.x, -q.y, -q.z};
}

[[nodiscard]] inline double largest_part(const Quaternion& q) noexcept {
    return std::fmax(std::fabs(q.w), norm_max(vector_part(q)));
}

[[nodiscard]] inline double norm_sq(const Quaternion& q) noexcept {
    return q.w * q.w + norm_sq(vector_part(q));
}

// Grouped so that p conj(p), and (conj(p) q) (conj(q) p), have a vector part of exactly 0: what
// does not rotate gets no angle from rounding.
[[nodiscard]] inline Quaternion product(const Quaternion& p, const Quaternion& q) noexcept {
    return {((p.w * q.w - p.x * q.x) - p.y * q.y) - p.z * q.z,
            (p.w * q.x + p.x * q.w) + (p.y * q.z - p.z * q.y),
            (p.w * q.y + p.y * q.w) + (p.z * q.x - p.x * q.z),
            (p.w * q.z + p.z * q.w) + (p.x * q.y - p.y * q.x)};
}

[[nodiscard]] inline Quaternion scaled(const Quaternion& q, int k) noexcept {
    return {scaled(q.w, k), scaled(q.x, k), scaled(q.y, k), scaled(q.z, k)};
}

// k such that q 2^-k has a squared length in [1/2, 2), within rounding: 0 for all that are of unit
// length within 0.29, so that these are worked with as they are. Powers of two change k and nothing
// else. 0 for a quaternion that is 0 or not finite.
// With the largest part in [1, 2) the squared length m is in [1, 16): 4^-j m is in [1/2, 2) for
// j = 0, 1, 2, each beginning where the one before ends.
[[nodiscard]] inline int length_exponent(const Quaternion& q) noexcept {
    const std::optional<int> exponent = binary_exponent(largest_part(q));
    if (!exponent) return 0;
    const double m = norm_sq(scaled(q, -*exponent));
    return *exponent + (m < 2.0 ? 0 : m < 8.0 ? 1 : 2);
}

// The same rotation with a length between 0.7 and 1.5: products of a few never leave the range of
// doubles, and nothing that follows depends on the length. Every part is exact but those below
// 2^-1022 of the length, which are off by 2^-1075 at most; 0 stays 0.
// Everything in floating point takes a quaternion that it is given by this function.
[[nodiscard]] inline Quaternion near_one(const Quaternion& q) noexcept {
    const int k = length_exponent(q);
    return k == 0 ? q : scaled(q, -k);
}

// q v q^-1 - v = 2 (w c + u x c) / |q|^2 with u the vector part, c = u x v: small where the rotation
// is, without the loss of digits of a difference.
[[nodiscard]] inline Vec3 rotation_change(const Quaternion& rotation, const Vec3& v) noexcept {
    const Quaternion q = near_one(rotation);
    const Vec3 u = vector_part(q);
    const Vec3 c = cross(u, v);
    return (2.0 / norm_sq(q)) * (q.w * c + cross(u, c));
}

}  // namespace graze
