// Sines, arcs, logarithms and roots that have the same bits on every platform: those of C libraries differ in
// their last digits. Only IEEE operations, each rounded once, so that the order in which the sources
// write them fixes the result.
//
// Estimates, without a proof: what is proved with an angle verifies it (RI-2, RM-4). Errors that
// tests/core/elementary_test.cpp measures against 64-bit significands, in ulps of the result: sine,
// cosine and arc_tangent below 0.57, cube_root below 0.51, tangent and arc_sine below 2, logarithm and
// exponential below 3. Lengths: norm() of graze/core/vec3.hpp. tests/checks/elementary_functions.sh
// holds all sources to these.
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

// Of any number; the sign stays.
[[nodiscard]] double cube_root(double x) noexcept;

// 10^n, the nearest double where it is normal: -307 <= n <= 308.
[[nodiscard]] double power_of_ten(int n) noexcept;
// The n with 10^n <= x < 10^(n + 1), powers as above. 0 unless x > 0, finite.
[[nodiscard]] int decade_of(double x) noexcept;

}  // namespace graze
