// Real roots in [0, 1] of polynomials of degree at most 6, in floating point.
//
// Not a proof: it finds the roots of the polynomial as evaluated in doubles. What rounding can hide
// is stated at the function.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace graze::baselines {

inline constexpr std::size_t kMaxDegree = 6;

// Roots in ascending order, each once, whatever its multiplicity.
class UnitRoots {
public:
    // Requires: no root that is smaller than the last one. An equal one is left out, and so is what
    // exceeds the degree: a polynomial whose values are lost to underflow may seem zero anywhere.
    void add(double root) noexcept {
        if (count_ == at_.size() || (count_ > 0 && at_[count_ - 1] == root)) return;
        at_[count_++] = root;
    }
    [[nodiscard]] const double* begin() const noexcept { return at_.data(); }
    [[nodiscard]] const double* end() const noexcept { return at_.data() + count_; }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] double operator[](std::size_t i) const noexcept { return at_[i]; }

private:
    std::array<double, kMaxDegree> at_{};
    std::size_t count_ = 0;
};

// The roots in [0, 1] of the sum of coefficients[i] t^i; none for a constant, the zero polynomial
// included.
// Guarantee: with finite coefficients, every root given has a residual of a few roundings of the
// polynomial's terms. A root of odd multiplicity is found, and one of even multiplicity if an
// evaluated extremum is 0, unless the polynomial between two of its roots (or between a root and an
// end) stays below its own rounding: near-double roots that rounding lifts off the axis are lost.
// Anything not finite: no roots.
// Requires: at most kMaxDegree + 1 coefficients.
// Cost: tens of nanoseconds where the Bernstein coefficients have one sign, up to some microseconds
// where all derivatives have roots.
[[nodiscard]] UnitRoots roots_in_unit_interval(std::span<const double> coefficients) noexcept;

// The value at t, by Horner's rule.
[[nodiscard]] constexpr double evaluated(std::span<const double> coefficients, double t) noexcept {
    double value = 0.0;
    for (std::size_t i = coefficients.size(); i-- > 0;)
        value = value * t + coefficients[i];
    return value;
}

}  // namespace graze::baselines
