// Points and vectors of three floats or doubles.
#pragma once

#include <cstddef>
#include <type_traits>

#include "graze/core/vec3.hpp"

namespace graze::slide {

template <class Real>
struct Vector {
    Real x{};
    Real y{};
    Real z{};

    [[nodiscard]] constexpr Real operator[](std::size_t axis) const noexcept {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    [[nodiscard]] constexpr Real& operator[](std::size_t axis) noexcept {
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    friend constexpr bool operator==(const Vector&, const Vector&) noexcept = default;
};

// Exact: every float is a double.
template <class Real>
[[nodiscard]] constexpr Vec3 widened(const Vector<Real>& v) noexcept {
    return {double{v.x}, double{v.y}, double{v.z}};
}

namespace detail {

// Through memory: g++ 12 takes two doubles that become floats and doubles again side by side for
// unchanged (its vectoriser drops both conversions), and what is proved of a rounded place would be
// proved of another one. tests/slide/mover_test.cpp rounds and looks.
[[nodiscard]] inline float rounded_to_float(double x) noexcept {
    const volatile float rounded = static_cast<float>(x);
    return rounded;
}

}  // namespace detail

// To the nearest Real, coordinate by coordinate.
template <class Real>
[[nodiscard]] constexpr Vector<Real> narrowed(const Vec3& v) noexcept {
    if constexpr (std::is_same_v<Real, float>) {
        if (!std::is_constant_evaluated())
            return {detail::rounded_to_float(v.x), detail::rounded_to_float(v.y),
                    detail::rounded_to_float(v.z)};
    }
    return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

}  // namespace graze::slide
