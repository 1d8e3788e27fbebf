// Points and vectors of three floats or doubles.
#pragma once

#include <cstddef>

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
// To the nearest Real, coordinate by coordinate.
template <class Real>
[[nodiscard]] constexpr Vector<Real> narrowed(const Vec3& v) noexcept {
    return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

}  // namespace graze::slide
