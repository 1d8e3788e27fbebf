// Polynomials of low degree with exact integer coefficients: signs at doubles, division with
// remainder, and Cauchy indices by signed remainders.
//
// Notation (docs/derivations/certified_exact.md)
//   f, g, h    polynomials; a, b doubles with f(a), f(b) != 0
//   I(h / f)   the Cauchy index on (a, b): sum of sign(f'(r) h(r)) over the simple roots r of f
//   V(t)       sign variations at t in the chain f, h, -rem, ... : I(h / f) = V(a) - V(b)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "narrow/certified/exact_integer.hpp"

namespace graze::certified {

// A double in [0, 1] as significand 2^-shift, shift >= 0; the significand is odd, or zero.
struct DyadicTime {
    std::uint64_t significand = 0;
    std::size_t shift = 0;
};
// Requires: 0 <= t <= 1.
[[nodiscard]] DyadicTime dyadic_time(double t) noexcept;

class ExactPolynomial {
public:
    // The largest product is f' f'' g for a cubic f and a quadratic g.
    static constexpr std::size_t kMaxDegree = 5;
    using Integer = ExactInteger;

    ExactPolynomial() noexcept = default;  // zero
    // c[i] belongs to t^i.
    explicit ExactPolynomial(std::span<const ExactInteger> coefficients);

    [[nodiscard]] bool is_zero() const noexcept { return size_ == 0; }
    // Requires: not zero, for both.
    [[nodiscard]] std::size_t degree() const noexcept { return size_ - 1; }
    [[nodiscard]] const ExactInteger& leading() const noexcept { return c_[size_ - 1]; }
    // Zero beyond the degree.
    [[nodiscard]] const ExactInteger& operator[](std::size_t i) const noexcept { return c_[i]; }

    void negate() noexcept;
    ExactPolynomial& operator+=(const ExactPolynomial& b);
    ExactPolynomial& operator-=(const ExactPolynomial& b);
    [[nodiscard]] friend ExactPolynomial operator*(const ExactPolynomial& a,
                                                   const ExactPolynomial& b) {
        return product(a, b);
    }

    // Divides all coefficients by the largest power of two that they share.
    void strip_twos() noexcept;

private:
    friend struct Division;
    std::array<ExactInteger, kMaxDegree + 1> c_;
    std::size_t size_ = 0;  // invariant: c_[size_ - 1] != 0, and all c_ beyond are zero

    void trim() noexcept;
    [[nodiscard]] static ExactPolynomial product(const ExactPolynomial& a,
                                                 const ExactPolynomial& b);
};

// The exact sign of p(t).
[[nodiscard]] int sign_at(const ExactPolynomial& p, const DyadicTime& t);

// The sign of the middle Bernstein coefficient of a quadratic on [a, b]. Requires: degree <= 2.
[[nodiscard]] int middle_sign(const ExactPolynomial& p, const DyadicTime& a, const DyadicTime& b);
// The signs of the second and third Bernstein coefficients of a cubic on [a, b]; those of lower
// degree are cubics, too. Requires: degree <= 3.
[[nodiscard]] std::array<int, 2> inner_bernstein_signs(const ExactPolynomial& p,
                                                       const DyadicTime& a, const DyadicTime& b);

// The sign of p on all of the open interval (a, b), where three Bernstein coefficients show that
// there is one; nothing where they do not. On the open interval each Bernstein polynomial is
// positive: coefficients that are all >= 0 and not all zero make p positive there.
// Requires: degree <= 2, a < b.
template <class Polynomial>
[[nodiscard]] std::optional<int> constant_sign(const Polynomial& p, const DyadicTime& a,
                                               const DyadicTime& b) {
    if (p.is_zero()) return 0;
    if (p.degree() == 0) return p.leading().sign();
    const int at_a = sign_at(p, a);
    const int at_b = sign_at(p, b);
    if (at_a * at_b < 0) return std::nullopt;
    const int ends = at_a != 0 ? at_a : at_b;
    if (p.degree() == 1) return ends;
    const int middle = middle_sign(p, a, b);
    if (ends * middle < 0) return std::nullopt;
    return ends != 0 ? ends : middle;
}

// Changes of sign among the Bernstein coefficients of p on [a, b], zeros left out: the number of
// roots in (a, b) counted with multiplicity, or an even number more. (Those of a linear p lie
// between its ends.)
// Requires: p != 0, degree <= 3, p(a) != 0, p(b) != 0, a < b.
template <class Polynomial>
[[nodiscard]] int bernstein_changes(const Polynomial& p, const DyadicTime& a, const DyadicTime& b) {
    if (p.degree() == 0) return 0;
    const int at_a = sign_at(p, a);
    const int at_b = sign_at(p, b);
    if (p.degree() == 1) return at_a * at_b < 0 ? 1 : 0;
    const auto [second, third] = inner_bernstein_signs(p, a, b);
    int count = 0;
    int before = at_a;
    for (const int sign : {second, third, at_b}) {
        if (sign * before < 0) ++count;
        if (sign != 0) before = sign;
    }
    return count;
}

// The coefficients in floating point, scaled to about one: for guesses, never for decisions.
// Requires: degree <= 3.
template <class Polynomial>
[[nodiscard]] std::array<double, 4> scaled_coefficients_est(const Polynomial& f) noexcept {
    std::size_t bits = 0;
    for (std::size_t i = 0; i <= f.degree(); ++i)
        bits = std::max(bits, f[i].bit_width());
    std::array<double, 4> result{};
    for (std::size_t i = 0; i <= f.degree(); ++i)
        result[i] = f[i].scaled_est(bits);
    return result;
}

[[nodiscard]] ExactPolynomial derivative(const ExactPolynomial& p);

// Another clock: t = (origin + rate s) 2^-shift.
struct TimeMap {
    std::int64_t origin = 0;
    std::int64_t rate = 1;
    std::size_t shift = 0;
};
// A positive multiple of p(t) as a polynomial in s.
[[nodiscard]] ExactPolynomial substituted(const ExactPolynomial& p, const TimeMap& map);

// A positive multiple of the remainder of u by v. Requires: v != 0.
[[nodiscard]] ExactPolynomial remainder(const ExactPolynomial& u, const ExactPolynomial& v);
// A multiple, not zero, of u / v. Requires: v divides u, v != 0.
[[nodiscard]] ExactPolynomial quotient(const ExactPolynomial& u, const ExactPolynomial& v);
// f / (2^shift t - significand). Requires: f(t) = 0 at that time, f != 0.
[[nodiscard]] ExactPolynomial without_root(const ExactPolynomial& f, const DyadicTime& t);

// f, h, -rem(f, h), ...: each entry the negative remainder of the two before, times a positive
// number; the last divides all of them.
class SignChain {
public:
    // Requires: f != 0, of degree <= 3; h of lower degree, or both constant and h = 0.
    SignChain(const ExactPolynomial& f, const ExactPolynomial& h) : SignChain(f, h, f) {}
    // The same, given a positive multiple of f modulo h that is smaller than f.
    SignChain(const ExactPolynomial& f, const ExactPolynomial& h,
              const ExactPolynomial& f_modulo_h);
    [[nodiscard]] const ExactPolynomial& last() const noexcept { return links_[size_ - 1]; }
    // Changes of sign at t, zeros left out.
    [[nodiscard]] int variations(const DyadicTime& t) const;

private:
    // Degrees fall: 3, 2, 1, 0.
    std::array<ExactPolynomial, 4> links_;
    std::size_t size_ = 0;
};

// The chain of f and f': V(a) - V(b) is the number of roots of f in (a, b) where f is not zero at
// either end. Its last entry is gcd(f, f'). Requires: f != 0.
[[nodiscard]] SignChain sturm_chain(const ExactPolynomial& f);

// The Cauchy index of h / f on (a, b), for h of any degree.
// Requires: f(a) != 0, f(b) != 0, the degree of f <= 3.
[[nodiscard]] int cauchy_index(const ExactPolynomial& h, const ExactPolynomial& f,
                               const DyadicTime& a, const DyadicTime& b);

}  // namespace graze::certified
