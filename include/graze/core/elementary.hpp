// Sines, cosines and arcs that have the same bits on every platform: those of C libraries differ in
// their last digits. Only IEEE operations, each rounded once, so that the order in which the sources
// write them fixes the result.
//
// Estimates, without a proof: what is proved with an angle verifies it (RI-2, RM-4). Errors that
// tests/core/elementary_test.cpp measures against 64-bit significands, in ulps of the result: sine,
// cosine and arc_tangent below 0.57, tangent and arc_sine below 2, logarithm and exponential below 3.
// Lengths: norm() of graze/core/vec3.hpp.
#pragma once

namespace graze {

// Of any finite angle [rad], also a huge one; NaN otherwise.
[[nodiscard]] double sine(double angle) noexcept;
[[nodiscard]] double cosine(double angle) noexcept;
[[nodiscard]] double tangent(double angle) noexcept;

// The angle of (x, y) in [-pi, pi], with the special cases of std::atan2.
[[nodiscard]] double arc_tangent(double y, double x) noexcept;
// In [-pi/2, pi/2]; NaN unless |x| <= 1.
[[nodiscard]] double arc_sine(double x) noexcept;

// Natural. Requires: x > 0, finite; else NaN.
[[nodiscard]] double logarithm(double x) noexcept;
[[nodiscard]] double exponential(double x) noexcept;

}  // namespace graze
