#include "polynomial.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace graze::oracle {

Poly::Poly(std::vector<mpz_class> coefficients) : c_(std::move(coefficients)) {
    while (!c_.empty() && sgn(c_.back()) == 0)
        c_.pop_back();
}

Poly Poly::constant(const mpz_class& value) {
    return Poly({value});
}

Poly operator+(const Poly& a, const Poly& b) {
    const Poly& longer = a.c_.size() >= b.c_.size() ? a : b;
    const Poly& shorter = a.c_.size() >= b.c_.size() ? b : a;
    std::vector<mpz_class> sum = longer.c_;
    for (std::size_t i = 0; i < shorter.c_.size(); ++i)
        sum[i] += shorter.c_[i];
    return Poly(std::move(sum));
}

Poly operator-(const Poly& a) {
    std::vector<mpz_class> negated = a.c_;
    for (mpz_class& c : negated)
        mpz_neg(c.get_mpz_t(), c.get_mpz_t());
    return Poly(std::move(negated));
}

Poly operator-(const Poly& a, const Poly& b) {
    std::vector<mpz_class> difference = a.c_;
    if (difference.size() < b.c_.size()) difference.resize(b.c_.size());
    for (std::size_t i = 0; i < b.c_.size(); ++i)
        difference[i] -= b.c_[i];
    return Poly(std::move(difference));
}

Poly operator*(const Poly& a, const Poly& b) {
    if (a.is_zero() || b.is_zero()) return {};
    std::vector<mpz_class> product(a.c_.size() + b.c_.size() - 1);
    for (std::size_t i = 0; i < a.c_.size(); ++i) {
        for (std::size_t j = 0; j < b.c_.size(); ++j) {
            mpz_addmul(product[i + j].get_mpz_t(), a.c_[i].get_mpz_t(), b.c_[j].get_mpz_t());
        }
    }
    return Poly(std::move(product));
}

Poly derivative(const Poly& p) {
    std::vector<mpz_class> d;
    for (int i = 1; i <= p.degree(); ++i)
        d.push_back(p.coefficient(i) * i);
    return Poly(std::move(d));
}

Poly primitive_part(const Poly& p) {
    mpz_class content = 0;
    for (const mpz_class& c : p.coefficients()) {
        content = gcd(content, c);
        if (content == 1) return p;
    }
    std::vector<mpz_class> reduced = p.coefficients();
    for (mpz_class& c : reduced)
        mpz_divexact(c.get_mpz_t(), c.get_mpz_t(), content.get_mpz_t());
    return Poly(std::move(reduced));
}

Poly positive_pseudo_remainder(const Poly& a, const Poly& b) {
    assert(!b.is_zero());
    const mpz_class magnitude = abs(b.leading());
    const int b_sign = sgn(b.leading());
    std::vector<mpz_class> r = a.coefficients();
    while (static_cast<int>(r.size()) - 1 >= b.degree()) {
        // r := |lead b| r - sign(lead b) lead(r) t^shift b cancels the leading term of r.
        const mpz_class factor = b_sign * r.back();
        const std::size_t shift = r.size() - b.coefficients().size();
        for (mpz_class& c : r)
            c *= magnitude;
        for (std::size_t i = 0; i < b.coefficients().size(); ++i) {
            mpz_submul(r[i + shift].get_mpz_t(), factor.get_mpz_t(),
                       b.coefficients()[i].get_mpz_t());
        }
        while (!r.empty() && sgn(r.back()) == 0)
            r.pop_back();
    }
    return Poly(std::move(r));
}

Poly gcd(const Poly& a, const Poly& b) {
    Poly x = primitive_part(a);
    Poly y = primitive_part(b);
    while (!y.is_zero()) {
        Poly r = primitive_part(x.degree() < y.degree() ? x : positive_pseudo_remainder(x, y));
        x = std::exchange(y, std::move(r));
    }
    return x;
}

Poly exact_quotient(const Poly& a, const Poly& b) {
    assert(!b.is_zero());
    if (a.degree() < b.degree()) return {};
    std::vector<mpz_class> r = a.coefficients();
    std::vector<mpz_class> quotient(static_cast<std::size_t>(a.degree() - b.degree()) + 1);
    for (std::size_t k = quotient.size(); k-- > 0;) {
        // All of r and quotient so far are scaled by lead(b), so that the next digit is an integer.
        const mpz_class digit = r[k + b.coefficients().size() - 1];
        for (mpz_class& c : r)
            c *= b.leading();
        for (mpz_class& q : quotient)
            q *= b.leading();
        quotient[k] = digit;
        for (std::size_t i = 0; i < b.coefficients().size(); ++i) {
            mpz_submul(r[i + k].get_mpz_t(), digit.get_mpz_t(), b.coefficients()[i].get_mpz_t());
        }
    }
    assert(std::all_of(r.begin(), r.end(), [](const mpz_class& c) { return sgn(c) == 0; }));
    return primitive_part(Poly(std::move(quotient)));
}

Poly squarefree_part(const Poly& p) {
    const Poly common = gcd(p, derivative(p));
    return common.degree() < 1 ? primitive_part(p) : exact_quotient(p, common);
}

int sign_at(const Poly& p, const mpz_class& num, const mpz_class& den) {
    mpz_class value = 0;
    mpz_class power = 1;  // den^(degree - i)
    for (int i = p.degree(); i >= 0; --i) {
        value = value * num + p.coefficient(i) * power;
        power *= den;
    }
    return sgn(value);
}

mpz_class scaled_value(const Poly& p, const Dyadic& x) {
    mpz_class value = 0;
    mpz_class term;
    mp_bitcnt_t shift = 0;
    for (int i = p.degree(); i >= 0; --i) {
        value *= x.num;
        mpz_mul_2exp(term.get_mpz_t(), p.coefficient(i).get_mpz_t(), shift);
        value += term;
        shift += x.exponent;
    }
    return value;
}

int sign_at(const Poly& p, const Dyadic& x) {
    return sgn(scaled_value(p, x));
}

}  // namespace graze::oracle
