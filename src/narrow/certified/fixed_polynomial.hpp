// Polynomials of low degree with integer coefficients of fixed width: what exact_polynomial.hpp has
// for those that grow, at a tenth of the cost. Where a width would not do, as at times of many bits
// or for the chains of several roots, the same is asked of the polynomial that grows: exact().
//
// Widths (docs/derivations/certified_exact.md, CE-8)
//   n          limbs of a coefficient
//   reserve    |coefficient| < 2^(64 n - kReserveBits), kept by all polynomials
//   k          times are m 2^-k with m <= 2^k, k <= kMaxShift, and 2^kMaxShift fits in a limb
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "narrow/certified/exact_polynomial.hpp"
#include "narrow/certified/fixed_integer.hpp"

namespace graze::certified {

namespace fixed_width {
// A sum of up to 12 coefficients with weights of at most one fits: 12 2^-5 < 2^-1.
inline constexpr std::size_t kReserveBits = 5;
// Of polynomials whose roots are divided out: a quotient has up to three bits more (CE-8).
inline constexpr std::size_t kSearchReserveBits = kReserveBits + 3;
// The sum of three times, in units of 2^-kMaxShift, is below 2^64.
inline constexpr std::size_t kMaxShift = 62;
static_assert((std::uint64_t{3} << kMaxShift) / 3 == std::uint64_t{1} << kMaxShift);
}  // namespace fixed_width

template <std::size_t kMaxDegree, std::size_t kLimbs>
class FixedPolynomial {
public:
    using Integer = FixedInteger<kLimbs>;

    FixedPolynomial() noexcept = default;  // zero
    // c[i] belongs to t^i.
    explicit FixedPolynomial(const std::array<Integer, kMaxDegree + 1>& c) noexcept
        : c_(c), size_(kMaxDegree + 1) {
        trim();
    }
    // The same polynomial with more room.
    template <std::size_t kLower, std::size_t kFewer>
    explicit FixedPolynomial(const FixedPolynomial<kLower, kFewer>& other) noexcept
        : size_(other.size_) {
        static_assert(kLower <= kMaxDegree && kFewer <= kLimbs);
        for (std::size_t i = 0; i <= kLower; ++i)
            c_[i] = Integer(other.c_[i]);
    }

    [[nodiscard]] bool is_zero() const noexcept { return size_ == 0; }
    // Requires: not zero, for both.
    [[nodiscard]] std::size_t degree() const noexcept { return size_ - 1; }
    [[nodiscard]] const Integer& leading() const noexcept { return c_[size_ - 1]; }
    // Zero beyond the degree.
    [[nodiscard]] const Integer& operator[](std::size_t i) const noexcept { return c_[i]; }
    // The same polynomial with narrower coefficients. Requires: they fit.
    template <std::size_t kFewer>
    [[nodiscard]] FixedPolynomial<kMaxDegree, kFewer> truncated() const noexcept {
        std::array<FixedInteger<kFewer>, kMaxDegree + 1> c;
        for (std::size_t i = 0; i <= kMaxDegree; ++i)
            c[i] = c_[i].template truncated<kFewer>();
        return FixedPolynomial<kMaxDegree, kFewer>(c);
    }
    [[nodiscard]] ExactPolynomial exact() const {
        std::array<ExactInteger, kMaxDegree + 1> c;
        for (std::size_t i = 0; i < size_; ++i)
            c[i] = c_[i].exact();
        return ExactPolynomial(std::span<const ExactInteger>(c).first(size_));
    }

    FixedPolynomial& operator+=(const FixedPolynomial& b) noexcept {
        size_ = std::max(size_, b.size_);
        for (std::size_t i = 0; i < b.size_; ++i)
            c_[i] += b.c_[i];
        trim();
        return *this;
    }
    FixedPolynomial& operator-=(const FixedPolynomial& b) noexcept {
        size_ = std::max(size_, b.size_);
        for (std::size_t i = 0; i < b.size_; ++i)
            c_[i] -= b.c_[i];
        trim();
        return *this;
    }
    template <std::size_t kDegree, std::size_t kOther>
    [[nodiscard]] FixedPolynomial<kMaxDegree + kDegree, kLimbs + kOther> operator*(
        const FixedPolynomial<kDegree, kOther>& b) const noexcept {
        FixedPolynomial<kMaxDegree + kDegree, kLimbs + kOther> result;
        if (is_zero() || b.is_zero()) return result;
        result.size_ = size_ + b.size_ - 1;
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t j = 0; j < b.size_; ++j)
                result.c_[i + j] += c_[i] * b.c_[j];
        }
        return result;
    }

    // Divides all coefficients by the largest power of two that they share.
    void strip_twos() noexcept {
        std::size_t common = std::numeric_limits<std::size_t>::max();
        for (std::size_t i = 0; i < size_; ++i) {
            if (!c_[i].is_zero()) common = std::min(common, c_[i].trailing_zeros());
        }
        for (std::size_t i = 0; i < size_; ++i)
            c_[i].shift_right_exact(common);
    }

private:
    template <std::size_t kDegree, std::size_t kOther>
    friend class FixedPolynomial;
    std::array<Integer, kMaxDegree + 1> c_{};
    std::size_t size_ = 0;  // invariant: c_[size_ - 1] != 0, and all c_ beyond are zero

    void trim() noexcept {
        while (size_ > 0 && c_[size_ - 1].is_zero())
            --size_;
    }
};

template <std::size_t kDegree, std::size_t kLimbs>
[[nodiscard]] FixedInteger<kLimbs> sum_of_coefficients(
    const FixedPolynomial<kDegree, kLimbs>& p) noexcept {
    FixedInteger<kLimbs> sum = p[0];
    for (std::size_t i = 1; i <= kDegree; ++i)
        sum += p[i];
    return sum;
}

// The exact sign of p(t). Horner's rule as in exact_polynomial.cpp; |p(t)| 2^(k degree) is below
// (degree + 1) 2^(64 n - 5 + k degree), and so are the partial sums.
template <std::size_t kDegree, std::size_t kLimbs>
[[nodiscard]] int sign_at(const FixedPolynomial<kDegree, kLimbs>& p, const DyadicTime& t) {
    if (p.is_zero()) return 0;
    if (t.significand == 0) return p[0].sign();
    if (t.shift > fixed_width::kMaxShift) return sign_at(p.exact(), t);
    if (t.shift == 0) return sum_of_coefficients(p).sign();  // t = 1
    constexpr std::size_t kWide = kLimbs + kDegree;
    FixedInteger<kWide> value(p.leading());
    for (std::size_t i = p.degree(); i-- > 0;) {
        value.multiply(t.significand);
        value.add_shifted(p[i], t.shift * (p.degree() - i));
    }
    return value.sign();
}

// As for polynomials that grow. 2 c0 u^2 + c1 (A + B) u + 2 c2 A B has weights that add up to
// 6 u^2 at most. Requires: u = 2^scale, scale <= kMaxShift; A, B <= u.
template <std::size_t kLimbs>
[[nodiscard]] int middle_sign_in_units(const FixedPolynomial<2, kLimbs>& p, std::uint64_t low,
                                       std::uint64_t high, std::size_t scale) noexcept {
    constexpr std::size_t kWide = kLimbs + 2;
    auto value = p[0].template shifted_left<kWide>(2 * scale + 1);
    auto linear = p[1].template shifted_left<kWide>(scale);
    linear.multiply(low + high);
    value += linear;
    auto square = p[2].template shifted_left<kWide>(1);
    square.multiply(low);
    square.multiply(high);
    value += square;
    return value.sign();
}
template <std::size_t kLimbs>
[[nodiscard]] int middle_sign(const FixedPolynomial<2, kLimbs>& p, const DyadicTime& a,
                              const DyadicTime& b) {
    const std::size_t scale = std::max(a.shift, b.shift);
    if (scale > fixed_width::kMaxShift) return middle_sign(p.exact(), a, b);
    return middle_sign_in_units(p, a.significand << (scale - a.shift),
                                b.significand << (scale - b.shift), scale);
}
template <std::size_t kLimbs>
[[nodiscard]] int middle_sign(const FixedPolynomial<1, kLimbs>& p, const DyadicTime& a,
                              const DyadicTime& b) {
    return middle_sign(FixedPolynomial<2, kLimbs>(p), a, b);
}

// The same for 3 c0 u^3 + c1 (x + y + z) u^2 + c2 (xy + yz + zx) u + 3 c3 xyz: weights of at most
// 12 u^3 together.
template <std::size_t kLimbs>
[[nodiscard]] int polar_sign_in_units(const FixedPolynomial<3, kLimbs>& p, std::uint64_t x,
                                      std::uint64_t y, std::uint64_t z,
                                      std::size_t scale) noexcept {
    constexpr std::size_t kWide = kLimbs + 3;
    using Wide = FixedInteger<kWide>;
    Wide value = p[0].template shifted_left<kWide>(3 * scale);
    value.multiply(3);
    Wide linear = p[1].template shifted_left<kWide>(2 * scale);
    linear.multiply(x + y + z);
    value += linear;
    Wide square = p[2].template shifted_left<kWide>(scale);
    Wide square_yz = square;
    square.multiply(x);
    square.multiply(y + z);
    square_yz.multiply(y);
    square_yz.multiply(z);
    value += square;
    value += square_yz;
    Wide cube(p[3]);
    cube.multiply(x);
    cube.multiply(y);
    cube.multiply(z);
    cube.multiply(3);
    value += cube;
    return value.sign();
}
// On [0, 1]: 3 c0 + c1 and 3 c0 + 2 c1 + c2 are three times the coefficients.
template <std::size_t kLimbs>
[[nodiscard]] std::array<int, 2> inner_bernstein_signs_of_step(
    const FixedPolynomial<3, kLimbs>& p) noexcept {
    FixedInteger<kLimbs> second = p[0];
    second.multiply(3);
    second += p[1];
    FixedInteger<kLimbs> third = second;
    third += p[1];
    third += p[2];
    return {second.sign(), third.sign()};
}
template <std::size_t kLimbs>
[[nodiscard]] std::array<int, 2> inner_bernstein_signs(const FixedPolynomial<3, kLimbs>& p,
                                                       const DyadicTime& a, const DyadicTime& b) {
    const std::size_t scale = std::max(a.shift, b.shift);
    if (scale > fixed_width::kMaxShift) return inner_bernstein_signs(p.exact(), a, b);
    if (scale == 0) return inner_bernstein_signs_of_step(p);
    const std::uint64_t low = a.significand << (scale - a.shift);
    const std::uint64_t high = b.significand << (scale - b.shift);
    return {polar_sign_in_units(p, low, low, high, scale),
            polar_sign_in_units(p, low, high, high, scale)};
}

// f / (2^shift t - significand), as for polynomials that grow. The quotient keeps the reserve where
// f has 3 bits more of it (CE-8); the numbers in between have 64 bits more than f.
// Requires: f(t) = 0 at that time, f != 0.
template <std::size_t kDegree, std::size_t kLimbs>
[[nodiscard]] FixedPolynomial<kDegree, kLimbs> without_root(
    const FixedPolynomial<kDegree, kLimbs>& f, const DyadicTime& t) noexcept {
    GRAZE_ASSERT(!f.is_zero() && f.degree() >= 1);
    std::array<FixedInteger<kLimbs>, kDegree + 1> q{};
    for (std::size_t i = f.degree(); i >= 1; --i) {
        FixedInteger<kLimbs + 1> value(q[i]);
        value.multiply(t.significand);
        value += FixedInteger<kLimbs + 1>(f[i]);
        value.shift_right_exact(t.shift);
        q[i - 1] = value.template truncated<kLimbs>();
    }
    return FixedPolynomial<kDegree, kLimbs>(q);
}

// --- The sign of g at the only root of f in (a, b) ----------------------------------------------
//
// By the Cauchy index of g / f, as for polynomials that grow: signs at a and b of the chain f, h,
// -rem(f, h), ..., where h is g or, for deg g >= deg f, a positive multiple of g modulo f.
// Remainders are written out, since degrees are so low; each times a positive number:
//   rem(p, l1 t + l0) = p(-l0 / l1), and for a cubic f by a quadratic h, times h2^2,
//   l1 = f1 h2^2 - f2 h1 h2 - f3 h0 h2 + f3 h1^2,   l0 = f0 h2^2 - f2 h0 h2 + f3 h0 h1.
// Widths: sums of at most four products of polynomials that keep the reserve of five bits.

// Changes of sign, zeros left out, at a less those at b.
struct LostChanges {
    int before_a = 0;
    int before_b = 0;
    int count = 0;
    void add(int at_a, int at_b) noexcept {
        if (at_a * before_a < 0) ++count;
        if (at_b * before_b < 0) --count;
        if (at_a != 0) before_a = at_a;
        if (at_b != 0) before_b = at_b;
    }
    // A constant that follows does the same to both.
    [[nodiscard]] bool constant_cancels() const noexcept { return before_a == before_b; }
};

// The sign of p at the root of the linear l. Requires: l1 != 0, deg p <= 2.
template <std::size_t kDegree, std::size_t kLimbs, std::size_t kOther>
[[nodiscard]] int sign_at_root_of_linear(const FixedPolynomial<kDegree, kLimbs>& p,
                                         const FixedPolynomial<1, kOther>& l) noexcept {
    GRAZE_ASSERT(!p.is_zero() && p.degree() <= 2);
    // p2 l0^2 - p1 l0 l1 + p0 l1^2
    auto value = p[0] * (l[1] * l[1]);
    if (p.degree() >= 1) value -= p[1] * (l[0] * l[1]);
    if (p.degree() >= 2) value += p[2] * (l[0] * l[0]);
    return value.sign();
}

// The last links of the chain of f and a linear h. Requires: deg f = 2.
template <std::size_t kLimbs, std::size_t kOther>
void add_linear(LostChanges& changes, const FixedPolynomial<3, kLimbs>& f,
                const FixedPolynomial<1, kOther>& h, const DyadicTime& a, const DyadicTime& b) {
    changes.add(sign_at(h, a), sign_at(h, b));
    if (h.is_zero() || h.degree() == 0 || changes.constant_cancels()) return;
    const int last = -sign_at_root_of_linear(f, h);
    changes.add(last, last);
}

// Those of a cubic f and a quadratic h.
template <std::size_t kLimbs, std::size_t kOther>
void add_quadratic(LostChanges& changes, const FixedPolynomial<3, kLimbs>& f,
                   const FixedPolynomial<2, kOther>& h, const DyadicTime& a, const DyadicTime& b) {
    changes.add(sign_at(h, a), sign_at(h, b));
    const auto square = h[2] * h[2];
    const auto h12 = h[1] * h[2];
    const auto h02 = h[0] * h[2];
    const auto l1 = f[1] * square - f[2] * h12 + f[3] * (h[1] * h[1] - h02);
    const auto l0 = f[0] * square - f[2] * h02 + f[3] * (h[0] * h[1]);
    const FixedPolynomial<1, kLimbs + 2 * kOther> rest(std::array{l0, l1});
    changes.add(-sign_at(rest, a), -sign_at(rest, b));
    if (rest.is_zero() || rest.degree() == 0 || changes.constant_cancels()) return;
    const int last = -sign_at_root_of_linear(h, rest);
    changes.add(last, last);
}

// Requires: f(a), f(b) != 0, exactly one root between, a simple one; deg f in [1, 3], deg g <= 2,
// and deg g = 2 where deg f = 3.
template <std::size_t kLimbs, std::size_t kOther>
[[nodiscard]] int sign_at_only_root(const FixedPolynomial<3, kLimbs>& f,
                                    const FixedPolynomial<2, kOther>& g, const DyadicTime& a,
                                    const DyadicTime& b) {
    if (f.degree() == 1) {
        return sign_at_root_of_linear(g, FixedPolynomial<1, kLimbs>(std::array{f[0], f[1]}));
    }
    LostChanges changes;
    const int at_b = sign_at(f, b);
    changes.add(sign_at(f, a), at_b);
    if (f.degree() == 3) {
        add_quadratic(changes, f, g, a, b);
    } else if (g.degree() == 2) {
        // |f2| g - sign(f2) g2 f
        auto h0 = f[2] * g[0] - f[0] * g[2];
        auto h1 = f[2] * g[1] - f[1] * g[2];
        if (f[2].is_negative()) {
            h0.negate();
            h1.negate();
        }
        const FixedPolynomial<1, kLimbs + kOther> h(std::array{h0, h1});
        if (h.is_zero()) return 0;
        add_linear(changes, f, h, a, b);
    } else {
        add_linear(changes, f, FixedPolynomial<1, kOther>(std::array{g[0], g[1]}), a, b);
    }
    return at_b * changes.count;
}

// Whether a polynomial keeps a reserve in as many limbs.
template <std::size_t kDegree, std::size_t kLimbs>
[[nodiscard]] bool fits(const FixedPolynomial<kDegree, kLimbs>& p, std::size_t limbs,
                        std::size_t reserve_bits) noexcept {
    for (std::size_t i = 0; i <= kDegree; ++i) {
        if (p[i].bit_width() + reserve_bits > 64 * limbs) return false;
    }
    return true;
}

// The sign of g at the only root of f in (a, b): in fixed width where the numbers are small enough
// for that to be quick, by polynomials that grow otherwise.
// Requires: f(a), f(b) != 0, exactly one root between, a simple one; deg g <= 2.
template <std::size_t kLimbs, std::size_t kDegree, std::size_t kOther>
[[nodiscard]] int sign_at_root_of(const FixedPolynomial<3, kLimbs>& f,
                                  const FixedPolynomial<kDegree, kOther>& g, const DyadicTime& a,
                                  const DyadicTime& b) {
    if (f.degree() < 3 || g.degree() == 2) {
        constexpr std::size_t kFew = std::min<std::size_t>(kLimbs, 5);
        constexpr std::size_t kFewOther = std::min<std::size_t>(kOther, 3);
        constexpr std::size_t kReserve = fixed_width::kReserveBits;
        if (fits(f, kFew, kReserve) && fits(g, kFewOther, kReserve)) {
            const auto narrow = FixedPolynomial<2, kFewOther>(g.template truncated<kFewOther>());
            return sign_at_only_root(f.template truncated<kFew>(), narrow, a, b);
        }
    }
    const ExactPolynomial whole = f.exact();
    return sign_at(whole, b) * cauchy_index(g.exact(), whole, a, b);
}

}  // namespace graze::certified
