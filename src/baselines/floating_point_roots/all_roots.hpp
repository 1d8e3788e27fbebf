// All roots, complex ones included, of real polynomials of degree at most 6, in floating point
// (Jenkins, Traub: A three-stage algorithm for real polynomials using quadratic iteration, SIAM
// Journal on Numerical Analysis 1970).
//
// Not a proof. polynomial_solver.hpp finds the real roots of [0, 1] more safely; this one is here
// because floating-point-roots is known by what a general solver makes of double roots.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <span>

#include "baselines/polynomial_solver.hpp"

namespace graze::baselines {

// In the order in which they were found: roughly from small to large.
class ComplexRoots {
public:
    void add(const std::complex<double>& root) noexcept {
        if (count_ < at_.size()) at_[count_++] = root;
    }
    [[nodiscard]] const std::complex<double>* begin() const noexcept { return at_.data(); }
    [[nodiscard]] const std::complex<double>* end() const noexcept { return at_.data() + count_; }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }

private:
    std::array<std::complex<double>, kMaxDegree> at_{};
    std::size_t count_ = 0;
};

// The roots of the sum of coefficients[i] t^i, as often as their multiplicity; complex ones in
// pairs. A multiple root comes out as a cluster around it, of the size that the rounding of the
// coefficients makes of it: two near roots, or a pair of complex ones.
// Bounded: fewer roots than the degree where 20 shifts do not lead to one (or something overflows).
// Requires: at most kMaxDegree + 1 finite coefficients, of size about 1 (the largest), the last not
// zero.
// Cost: a microsecond, no heap.
[[nodiscard]] ComplexRoots all_roots(std::span<const double> coefficients) noexcept;

}  // namespace graze::baselines
