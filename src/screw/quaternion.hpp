// Arithmetic of quaternions of any length, to the nearest double.
#pragma once

#include <cmath>
#include <optional>

#include "graze/core/power_of_two.hpp"
#include "graze/core/vec3.hpp"
#include "graze/screw/pose.hpp"

namespace graze::screw {

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
// does not turn gets no angle from rounding.
[[nodiscard]] inline Quaternion product(const Quaternion& p, const Quaternion& q) noexcept {
    return {((p.w * q.w - p.x * q.x) - p.y * q.y) - p.z * q.z,
            (p.w * q.x + p.x * q.w) + (p.y * q.z - p.z * q.y),
            (p.w * q.y + p.y * q.w) + (p.z * q.x - p.x * q.z),
            (p.w * q.z + p.z * q.w) + (p.x * q.y - p.y * q.x)};
}

// The same rotation with the largest part in [2^-100, 2^100]: products of a few quaternions never
// leave the range of doubles. All but the oddest stay as they are; 0 stays 0.
[[nodiscard]] inline Quaternion near_one(const Quaternion& q) noexcept {
    const double largest = largest_part(q);
    if (0x1p-100 <= largest && largest <= 0x1p+100) return q;
    const std::optional<int> exponent = binary_exponent(largest);
    if (!exponent) return q;
    return {graze::scaled(q.w, -*exponent), graze::scaled(q.x, -*exponent),
            graze::scaled(q.y, -*exponent), graze::scaled(q.z, -*exponent)};
}

// q v q^-1 - v = 2 (w c + u x c) / |q|^2 with u the vector part, c = u x v: small where the turn
// is, without the loss of digits of a difference.
[[nodiscard]] inline Vec3 rotation_change(const Quaternion& rotation, const Vec3& v) noexcept {
    const Quaternion q = near_one(rotation);
    const Vec3 u = vector_part(q);
    const Vec3 c = cross(u, v);
    return (2.0 / norm_sq(q)) * (q.w * c + cross(u, c));
}

}  // namespace graze::screw
