// Numbers that carry a bound of their own error: a pair (v, s) stands for a real x near v.
//
// Notation
//   u        2^-53, the unit roundoff
//   kEps     2u (1 + 2u) rounded: what the paper charges for one operation
//   c        how many roundings the bound s itself may have lost, each a factor 1 - u
//   invariant: |x - v| <= s (1 - u)^-c
//
//   sum       v = fl(v1 + v2)   s = s1 + s2 + |v| kEps                        c = max(c1, c2) + 2
//   product   v = fl(v1 v2)     s = (|v1| + s1) s2 + |v2| s1 + |v| kEps + eta c = c1 + c2 + 6
//
// (Wang, Tang, Tong, Manocha: TightCCD: Efficient and robust continuous collision detection using
// tight error bounds, CGF 2015.) The paper takes s itself as the bound, trusting that charging 2u
// instead of u pays for the roundings of s. It does where |v| is the largest term of the sum; where
// v cancels there is nothing left to pay with. Here the factor (1 - u)^-c is paid where a sign is
// read, and eta for underflow where two numbers are multiplied: derivation in
// docs/derivations/tight_bernstein.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace graze::bernstein {

inline constexpr double kEps = 0x1p-52 / (1.0 - 0x1p-52);
// Covers every loss by underflow of a product (v and the three products of s lose at most 2^-1075
// each), and keeps products of bounds normal, since 2^-500 squared is. Tuples are brought to size 1
// before they are multiplied, so that nothing of interest is as small as this.
inline constexpr double kEta = 0x1p-500;
// (1 - u)^-c <= 1 + 2 c u = 1 + 2^-33 for c <= 2^19; as much again pays for rounding the
// comparison's right side. No formula of the method comes near: its longest one has c < 2^13
// (measured by the tests).
inline constexpr double kReadingSlack = 1.0 + 0x1p-32;
inline constexpr int kMaxLostRoundings = 1 << 19;
static_assert(kReadingSlack - 1.0 >= 4.0 * kMaxLostRoundings * 0x1p-53);
static_assert(kEps >= 0x1p-52 && kEta * kEta >= 0x1p-1022);

// +1 or -1: certainly positive, certainly negative. 0: not known.
using CertainSign = int;

// The guarded pair: proved for every input whose numbers do not overflow, which
// normalised tuples do not; an infinite or NaN bound reads as 0, not known.
struct Guarded {
    static constexpr bool kGuarded = true;
    double value = 0.0;
    double error = 0.0;
};

// The published pair: no term for underflow, no slack when a sign is read, and no scaling.
struct Published {
    static constexpr bool kGuarded = false;
    double value = 0.0;
    double error = 0.0;
};

template <class N>
concept ErrorPair = std::same_as<N, Guarded> || std::same_as<N, Published>;

// x1 - x0 of two input coordinates times a power of two: see differences_of() for `factor`.
template <ErrorPair N>
[[nodiscard]] inline N difference(const N*, double x1, double x0, double factor) noexcept {
    const double value = (x1 - x0) * factor;
    return {value, std::fabs(value) * kEps + (N::kGuarded ? kEta : 0.0)};
}

template <ErrorPair N>
[[nodiscard]] inline N operator-(const N& a) noexcept {
    return {-a.value, a.error};
}
template <ErrorPair N>
[[nodiscard]] inline N operator+(const N& a, const N& b) noexcept {
    const double value = a.value + b.value;
    return {value, a.error + b.error + std::fabs(value) * kEps};
}
template <ErrorPair N>
[[nodiscard]] inline N operator-(const N& a, const N& b) noexcept {
    return a + -b;
}
template <ErrorPair N>
[[nodiscard]] inline N operator*(const N& a, const N& b) noexcept {
    const double value = a.value * b.value;
    const double error = (std::fabs(a.value) + a.error) * b.error + std::fabs(b.value) * a.error +
                         std::fabs(value) * kEps;
    return {value, N::kGuarded ? error + kEta : error};
}

// m x for a small integer m > 0. A product by an integer cannot underflow.
template <int m, ErrorPair N>
[[nodiscard]] inline N times(const N& a) noexcept {
    static_assert(m > 0 && m < 64);
    if constexpr (std::has_single_bit(static_cast<unsigned>(m))) {
        return {m * a.value, m * a.error};
    } else {
        const double value = m * a.value;
        return {value, m * a.error + std::fabs(value) * kEps};
    }
}

// x 2^k, and the same for a number that is known to lie within `spread` of x.
template <ErrorPair N>
[[nodiscard]] inline N scaled_by(const N& a, double power_of_two) noexcept {
    return {a.value * power_of_two, a.error * power_of_two + kEta};
}
// Some number within |b| of a.
template <ErrorPair N>
[[nodiscard]] inline N widened(const N& a, const N& b) noexcept {
    return {a.value, a.error + (std::fabs(b.value) + b.error)};
}
// At least |v| and s, at most their sum: what a tuple is normalised by.
template <ErrorPair N>
[[nodiscard]] inline double size_of(const N& a) noexcept {
    return std::max(std::fabs(a.value), a.error);
}

template <ErrorPair N>
[[nodiscard]] inline CertainSign sign(const N& a) noexcept {
    const double error = N::kGuarded ? a.error * kReadingSlack : a.error;
    return a.value > error ? 1 : -a.value > error ? -1 : 0;
}

// 2^-e for a number in [2^e, 2^(e+1)), kept within the normal doubles; 1 for infinity and NaN.
[[nodiscard]] inline double inverse_power_of_two(double size) noexcept {
    const std::uint64_t biased = std::bit_cast<std::uint64_t>(size) >> 52 & 0x7ffU;
    if (biased == 0x7ffU) return 1.0;
    return std::bit_cast<double>(std::max<std::uint64_t>(1U, 2046U - biased) << 52);
}

// The tuple times a power of two that makes its largest member about 1: exact but for underflow,
// which eta pays for. Signs, roots and ratios within the tuple stay.
template <class N, std::size_t n>
[[nodiscard]] inline std::array<N, n> normalised(const std::array<N, n>& tuple) noexcept {
    if constexpr (!N::kGuarded) {
        return tuple;
    } else {
        double size = 0.0;
        for (const N& member : tuple)
            size = std::max(size, size_of(member));
        const double factor = inverse_power_of_two(size);
        std::array<N, n> result;
        for (std::size_t i = 0; i < n; ++i)
            result[i] = scaled_by(tuple[i], factor);
        return result;
    }
}

}  // namespace graze::bernstein
