// Between the numbers of the user, floats or doubles, and the doubles that proofs are made in.
#pragma once

#include <type_traits>

#include "graze/core/vec3.hpp"

namespace graze::slide {

// Exact: every float is a double.
template <class Real>
[[nodiscard]] constexpr Vec3 widened(const Vec<Real>& v) noexcept {
    return {double{v.x}, double{v.y}, double{v.z}};
}

namespace detail {

// Through memory: g++ 12 takes two doubles that become floats and doubles again side by side for
// unchanged (its vectoriser drops both conversions), and what is proved of a rounded position would be
// proved of another one. tests/slide/mover_test.cpp rounds and compares.
[[nodiscard]] inline float rounded_to_float(double x) noexcept {
    const volatile float rounded = static_cast<float>(x);
    return rounded;
}

}  // namespace detail

// To the nearest Real, coordinate by coordinate.
template <class Real>
[[nodiscard]] constexpr Vec<Real> narrowed(const Vec3& v) noexcept {
    if constexpr (std::is_same_v<Real, float>) {
        if (!std::is_constant_evaluated())
            return {detail::rounded_to_float(v.x), detail::rounded_to_float(v.y),
                    detail::rounded_to_float(v.z)};
    }
    return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

}  // namespace graze::slide
