// The expressions of the fast tiers in the calculus of rounding errors, so that the bounds beside
// their code are counted by the compiler (docs/derivations/error_calculus.md):
//     |computed - exact| <= magnitude ((1 + u)^roundings - 1).
//
// Notation: kX, kY, kZ are differences of coordinates, bounded by m_x, m_y, m_z; kS and kT are
// 1 - t and t. Sums with the weights kS and kT count as 2 in the magnitude, but are at most 1 in fact: of
// these forms the roundings alone are used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graze/core/error_calculus.hpp"

namespace graze::certified::error_forms {

// A difference of coordinates: one rounding; the power of two on it is exact.
constexpr ErrorForm difference(std::size_t axis) noexcept {
    return ErrorForm::variable(axis) * ErrorForm::number(Dyadic{1});
}
inline constexpr ErrorForm kX = difference(0);
inline constexpr ErrorForm kY = difference(1);
inline constexpr ErrorForm kZ = difference(2);

constexpr std::uint64_t units(const ErrorForm& form) noexcept {
    return ceiling(form.magnitude().coefficient) * static_cast<std::uint64_t>(form.roundings());
}

// A time in [0, 1], and 1 - t as rounded.
inline constexpr ErrorForm kT = ErrorForm::number(Dyadic{1});
inline constexpr ErrorForm kS = kT * kT;
// D(t) = D(0) s + D(1) t.
constexpr ErrorForm between(const ErrorForm& d) noexcept {
    return d * kS + d * kT;
}
inline constexpr ErrorForm kDifferenceAt = between(kX);

// n.D, with the largest |n_k| |D_k| for each of three terms; at an end of the step, and at t.
constexpr ErrorForm along(const ErrorForm& d) noexcept {
    const ErrorForm n = ErrorForm::variable(0);
    return (n * d + n * d) + n * d;
}
inline constexpr ErrorForm kAlong = along(kY);
inline constexpr ErrorForm kAlongAt = along(between(kY));
// n.D(0) s + n.D(1) t.
inline constexpr ErrorForm kAlongBetween = between(kAlong);

// det(D_0, D_1, D_2), and the sum of three of them in the coefficients c1 and c2.
inline constexpr ErrorForm kDeterminant =
    (kX * (kY * kZ - kZ * kY) + kY * (kZ * kX - kX * kZ)) + kZ * (kX * kY - kY * kX);
inline constexpr ErrorForm kMiddleCoefficient = (kDeterminant + kDeterminant) + kDeterminant;
// c0 s^3 + c1 s^2 t + c2 s t^2 + c3 t^3 for given coefficients.
inline constexpr ErrorForm kCoefficient = ErrorForm::variable(0);
inline constexpr ErrorForm kCubicValue = ((kCoefficient * kS + kCoefficient * kT) * kS) * kS +
                                         ((kCoefficient * kS + kCoefficient * kT) * kT) * kT;

// p_i q_j - q_i p_j, at ends of the step, and at t.
inline constexpr ErrorForm kCross = kX * kY - kY * kX;
inline constexpr ErrorForm kCrossAt = between(kX) * between(kY) - between(kY) * between(kX);

}  // namespace graze::certified::error_forms
