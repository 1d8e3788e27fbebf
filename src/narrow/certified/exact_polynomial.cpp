#include "narrow/certified/exact_polynomial.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace graze::certified {

DyadicTime dyadic_time(double t) noexcept {
    const DyadicParts parts = dyadic_parts(t);
    // At most 1, with an odd significand: the exponent is not positive.
    GRAZE_ASSERT(!parts.negative && parts.exponent <= 0);
    return {parts.significand, static_cast<std::size_t>(-parts.exponent)};
}

ExactPolynomial::ExactPolynomial(std::span<const ExactInteger> coefficients)
    : size_(coefficients.size()) {
    GRAZE_ASSERT(size_ <= kMaxDegree + 1);
    std::copy(coefficients.begin(), coefficients.end(), c_.begin());
    trim();
}

void ExactPolynomial::trim() noexcept {
    while (size_ > 0 && c_[size_ - 1].sign() == 0)
        --size_;
}

void ExactPolynomial::negate() noexcept {
    for (std::size_t i = 0; i < size_; ++i)
        c_[i].negate();
}

ExactPolynomial& ExactPolynomial::operator+=(const ExactPolynomial& b) {
    for (std::size_t i = 0; i < b.size_; ++i)
        c_[i] += b.c_[i];
    size_ = std::max(size_, b.size_);
    trim();
    return *this;
}

ExactPolynomial& ExactPolynomial::operator-=(const ExactPolynomial& b) {
    for (std::size_t i = 0; i < b.size_; ++i)
        c_[i] -= b.c_[i];
    size_ = std::max(size_, b.size_);
    trim();
    return *this;
}

ExactPolynomial ExactPolynomial::product(const ExactPolynomial& a, const ExactPolynomial& b) {
    ExactPolynomial result;
    if (a.is_zero() || b.is_zero()) return result;
    result.size_ = a.size_ + b.size_ - 1;
    GRAZE_ASSERT(result.size_ <= kMaxDegree + 1);
    for (std::size_t i = 0; i < a.size_; ++i) {
        for (std::size_t j = 0; j < b.size_; ++j)
            result.c_[i + j] += a.c_[i] * b.c_[j];
    }
    return result;  // the product of the leading coefficients is not zero
}

void ExactPolynomial::strip_twos() noexcept {
    std::size_t common = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < size_; ++i) {
        if (c_[i].sign() != 0) common = std::min(common, c_[i].trailing_zeros());
    }
    for (std::size_t i = 0; i < size_; ++i)
        c_[i].shift_right_exact(common);
}

// Horner's rule for p(m 2^-k) 2^(k degree): acc m + c_i 2^(k (degree - i)).
int sign_at(const ExactPolynomial& p, const DyadicTime& t) {
    if (p.is_zero()) return 0;
    if (t.significand == 0) return p[0].sign();
    ExactInteger value = p.leading();
    for (std::size_t i = p.degree(); i-- > 0;) {
        value.multiply(t.significand);
        ExactInteger term = p[i];
        term.shift_left(t.shift * (p.degree() - i));
        value += term;
    }
    return value.sign();
}

namespace {

// significand 2^(scale - shift): a time in units of 2^-scale.
ExactInteger in_units(const DyadicTime& t, std::size_t scale) {
    ExactInteger result(static_cast<std::int64_t>(t.significand));
    result.shift_left(scale - t.shift);
    return result;
}

// The sign of the polar form of a cubic at (x, y, z), times in units of 1 / u, u a power of two.
// 3 c0 u^3 + c1 (x + y + z) u^2 + c2 (xy + yz + zx) u + 3 c3 xyz is 3 u^3 times it.
int polar_sign(const ExactPolynomial& p, const std::array<const ExactInteger*, 3>& at,
               std::size_t scale) {
    const auto& [x, y, z] = at;
    const ExactInteger yz = *y * *z;
    ExactInteger value = p[0];
    value.multiply(3);
    value.shift_left(3 * scale);
    ExactInteger linear = p[1] * (*x + *y + *z);
    linear.shift_left(2 * scale);
    value += linear;
    ExactInteger square = p[2] * (*x * (*y + *z) + yz);
    square.shift_left(scale);
    value += square;
    ExactInteger cube = p[3] * (*x * yz);
    cube.multiply(3);
    value += cube;
    return value.sign();
}

}  // namespace

// The middle Bernstein coefficient of c0 + c1 t + c2 t^2 on (a, b) is c0 + c1 (a + b) / 2 + c2 a b.
// Its sign is that of 2 c0 u^2 + c1 (A + B) u + 2 c2 A B, where a = A / u and b = B / u for a power
// of two u.
int middle_sign(const ExactPolynomial& p, const DyadicTime& a, const DyadicTime& b) {
    const std::size_t scale = std::max(a.shift, b.shift);
    const ExactInteger low = in_units(a, scale);
    const ExactInteger high = in_units(b, scale);
    ExactInteger value = p[0];
    value.shift_left(2 * scale + 1);
    ExactInteger linear = p[1] * (low + high);
    linear.shift_left(scale);
    value += linear;
    ExactInteger square = p[2] * (low * high);
    square.shift_left(1);
    value += square;
    return value.sign();
}

// The Bernstein coefficients of a cubic are its polar form at aaa, aab, abb, bbb.
std::array<int, 2> inner_bernstein_signs(const ExactPolynomial& p, const DyadicTime& a,
                                         const DyadicTime& b) {
    const std::size_t scale = std::max(a.shift, b.shift);
    const ExactInteger low = in_units(a, scale);
    const ExactInteger high = in_units(b, scale);
    return {polar_sign(p, {&low, &low, &high}, scale), polar_sign(p, {&low, &high, &high}, scale)};
}

ExactPolynomial derivative(const ExactPolynomial& p) {
    if (p.is_zero()) return {};
    std::array<ExactInteger, ExactPolynomial::kMaxDegree> c;
    for (std::size_t i = 1; i <= p.degree(); ++i) {
        c[i - 1] = p[i];
        c[i - 1].multiply(i);
    }
    return ExactPolynomial(std::span(c).first(p.degree()));
}

// Horner's rule, times 2^(shift degree).
ExactPolynomial substituted(const ExactPolynomial& p, const TimeMap& map) {
    if (p.is_zero()) return {};
    const ExactPolynomial time(std::array{ExactInteger(map.origin), ExactInteger(map.rate)});
    ExactPolynomial result(std::array{p.leading()});
    for (std::size_t i = p.degree(); i-- > 0;) {
        ExactInteger term = p[i];
        term.shift_left(map.shift * (p.degree() - i));
        result = result * time;
        result += ExactPolynomial(std::array{std::move(term)});
    }
    return result;
}

// One step of division: |lead| u - sign(lead) top t^shift v, where `lead` leads v and `top` leads
// u. It is a positive multiple of u plus a multiple of v, of lower degree than u.
struct Division {
    static void step(ExactPolynomial& u, const ExactPolynomial& v) {
        const ExactInteger& lead = v.leading();
        const std::size_t shift = u.degree() - v.degree();
        ExactInteger top = u.leading();
        if (lead.sign() > 0) top.negate();
        ExactInteger factor = lead;
        if (lead.sign() < 0) factor.negate();
        for (std::size_t i = 0; i + 1 < u.size_; ++i) {
            u.c_[i] = u.c_[i] * factor;
            if (i >= shift) u.c_[i] += top * v.c_[i - shift];
        }
        u.c_[u.size_ - 1] = ExactInteger();
        u.trim();
    }
};

ExactPolynomial remainder(const ExactPolynomial& u, const ExactPolynomial& v) {
    ExactPolynomial rest = u;
    while (!rest.is_zero() && rest.degree() >= v.degree())
        Division::step(rest, v);
    rest.strip_twos();
    return rest;
}

// With m = |lead| and n = deg u - deg v + 1 steps, q = sum over the steps of +-top m^(steps left)
// t^shift satisfies m^n u = q v; a step that cancels more than one degree leaves zeros in q.
ExactPolynomial quotient(const ExactPolynomial& u, const ExactPolynomial& v) {
    std::array<ExactInteger, ExactPolynomial::kMaxDegree + 1> q;
    ExactPolynomial rest = u;
    ExactInteger factor = v.leading();
    if (factor.sign() < 0) factor.negate();
    while (!rest.is_zero()) {
        GRAZE_ASSERT(rest.degree() >= v.degree());
        const std::size_t shift = rest.degree() - v.degree();
        for (ExactInteger& c : q)
            c = c * factor;
        q[shift] = rest.leading();
        if (v.leading().sign() < 0) q[shift].negate();
        Division::step(rest, v);
    }
    ExactPolynomial result{std::span<const ExactInteger>(q)};
    result.strip_twos();
    return result;
}

// f = (2^k t - m) q, from the top: f_n = 2^k q_(n-1), f_i = 2^k q_(i-1) - m q_i. The divisor is
// primitive (m odd, or m = 0 and k = 0), so q has integer coefficients by Gauss's lemma, and every
// shift is exact.
ExactPolynomial without_root(const ExactPolynomial& f, const DyadicTime& t) {
    GRAZE_ASSERT(!f.is_zero() && f.degree() >= 1);
    std::array<ExactInteger, ExactPolynomial::kMaxDegree + 1> q;
    for (std::size_t i = f.degree(); i >= 1; --i) {
        ExactInteger value = q[i];
        value.multiply(t.significand);
        value += f[i];
        value.shift_right_exact(t.shift);
        q[i - 1] = std::move(value);
    }
    return ExactPolynomial(std::span<const ExactInteger>(q));
}

SignChain::SignChain(const ExactPolynomial& f, const ExactPolynomial& h,
                     const ExactPolynomial& f_modulo_h) {
    links_[size_++] = f;
    if (h.is_zero()) return;
    links_[size_++] = h;
    while (links_[size_ - 1].degree() > 0) {
        const ExactPolynomial& dividend = size_ == 2 ? f_modulo_h : links_[size_ - 2];
        ExactPolynomial next = remainder(dividend, links_[size_ - 1]);
        if (next.is_zero()) return;
        next.negate();
        links_[size_++] = std::move(next);
    }
}

int SignChain::variations(const DyadicTime& t) const {
    int count = 0;
    int before = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        const int sign = sign_at(links_[i], t);
        if (sign * before < 0) ++count;
        if (sign != 0) before = sign;
    }
    return count;
}

// n f - t f' with n the degree of f is congruent to n f, and has lost the leading term without a
// factor c_n: the remainder has a third fewer bits.
SignChain sturm_chain(const ExactPolynomial& f) {
    const ExactPolynomial slope = derivative(f);
    std::array<ExactInteger, 4> c;
    for (std::size_t i = 0; i < f.degree(); ++i) {
        c[i] = f[i];
        c[i].multiply(f.degree() - i);
    }
    return SignChain(f, slope, ExactPolynomial(std::span<const ExactInteger>(c)));
}

int cauchy_index(const ExactPolynomial& h, const ExactPolynomial& f, const DyadicTime& a,
                 const DyadicTime& b) {
    const SignChain chain(f, remainder(h, f));
    return chain.variations(a) - chain.variations(b);
}

}  // namespace graze::certified
