// Polynomials in one variable with integer coefficients of any size.
#pragma once

#include <gmpxx.h>

#include <vector>

namespace graze::oracle {

// A point num / 2^exponent.
struct Dyadic {
    mpz_class num;
    mp_bitcnt_t exponent = 0;
};

// coefficient(i) belongs to t^i; the leading one is never zero; the zero polynomial has none.
class Poly {
public:
    Poly() = default;
    explicit Poly(std::vector<mpz_class> coefficients);

    [[nodiscard]] static Poly constant(const mpz_class& value);

    // Degree of the zero polynomial: -1.
    [[nodiscard]] int degree() const noexcept { return static_cast<int>(c_.size()) - 1; }
    [[nodiscard]] bool is_zero() const noexcept { return c_.empty(); }
    [[nodiscard]] const mpz_class& coefficient(int i) const {
        return c_[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] const mpz_class& leading() const { return c_.back(); }
    [[nodiscard]] const std::vector<mpz_class>& coefficients() const noexcept { return c_; }

    friend Poly operator+(const Poly& a, const Poly& b);
    friend Poly operator-(const Poly& a, const Poly& b);
    friend Poly operator*(const Poly& a, const Poly& b);
    friend Poly operator-(const Poly& a);

private:
    std::vector<mpz_class> c_;
};

[[nodiscard]] Poly derivative(const Poly& p);
// Divided by the (positive) greatest common divisor of the coefficients: same roots, same signs.
[[nodiscard]] Poly primitive_part(const Poly& p);
// A positive multiple of the remainder of a by b. Requires: b not zero.
[[nodiscard]] Poly positive_pseudo_remainder(const Poly& a, const Poly& b);
// Primitive greatest common divisor, up to sign. gcd(0, b) = b.
[[nodiscard]] Poly gcd(const Poly& a, const Poly& b);
// a / b up to a non-zero factor. Requires: b divides a over the rationals, b not zero.
[[nodiscard]] Poly exact_quotient(const Poly& a, const Poly& b);
// Each root once. Requires: p not zero.
[[nodiscard]] Poly squarefree_part(const Poly& p);

// Sign of p at num / den, den > 0.
[[nodiscard]] int sign_at(const Poly& p, const mpz_class& num, const mpz_class& den);
[[nodiscard]] int sign_at(const Poly& p, const Dyadic& x);
// p(x) * 2^(degree * exponent): the exact value, scaled to an integer. Zero for the zero
// polynomial.
[[nodiscard]] mpz_class scaled_value(const Poly& p, const Dyadic& x);

}  // namespace graze::oracle
