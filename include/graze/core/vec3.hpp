// Points and vectors of three doubles, with the few operations the methods share.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "graze/core/fp_environment.hpp"

namespace graze {

struct Vec3 {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;

    [[nodiscard]] constexpr double operator[](std::size_t axis) const noexcept {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    [[nodiscard]] constexpr double& operator[](std::size_t axis) noexcept {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    friend constexpr bool operator==(const Vec3&, const Vec3&) noexcept = default;
};

[[nodiscard]] constexpr Vec3 operator+(const Vec3& a, const Vec3& b) noexcept {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr Vec3 operator-(const Vec3& a, const Vec3& b) noexcept {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] constexpr Vec3 operator-(const Vec3& a) noexcept {
    return {-a.x, -a.y, -a.z};
}
[[nodiscard]] constexpr Vec3 operator*(double s, const Vec3& a) noexcept {
    return {s * a.x, s * a.y, s * a.z};
}
[[nodiscard]] constexpr Vec3 operator*(const Vec3& a, double s) noexcept {
    return s * a;
}

[[nodiscard]] constexpr double dot(const Vec3& a, const Vec3& b) noexcept {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] constexpr Vec3 cross(const Vec3& a, const Vec3& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Sum of magnitudes, largest magnitude, squared and plain Euclidean length.
// None of them is a proved bound: each rounds to nearest. norm_max is exact (it only selects).
[[nodiscard]] inline double norm_one(const Vec3& a) noexcept {
    return std::fabs(a.x) + std::fabs(a.y) + std::fabs(a.z);
}
[[nodiscard]] inline double norm_max(const Vec3& a) noexcept {
    return std::fmax(std::fmax(std::fabs(a.x), std::fabs(a.y)), std::fabs(a.z));
}
[[nodiscard]] constexpr double norm_sq(const Vec3& a) noexcept {
    return dot(a, a);
}
[[nodiscard]] inline double norm(const Vec3& a) noexcept {
    return std::hypot(a.x, a.y, a.z);
}

// By the bits of the exponent, so that no compiler flag can fold it to true.
[[nodiscard]] constexpr bool is_finite(double x) noexcept {
    constexpr std::uint64_t kExponentMask = 0x7ff0'0000'0000'0000U;
    return (std::bit_cast<std::uint64_t>(x) & kExponentMask) != kExponentMask;
}
[[nodiscard]] constexpr bool is_finite(const Vec3& a) noexcept {
    return is_finite(a.x) && is_finite(a.y) && is_finite(a.z);
}

}  // namespace graze
