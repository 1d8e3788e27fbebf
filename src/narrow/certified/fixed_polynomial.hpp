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
// The sum of three times, in units of 2^-kMaxShift, is below 2^64.
inline constexpr std::size_t kMaxShift = 62;
static_assert((std::uint64_t{3} << kMaxShift) / 3 == std::uint64_t{1} << kMaxShift);
}  // namespace fixed_width

template <std::size_t kMaxDegree, std::size_t kLimbs>
class FixedPolynomial {
public:
    using Integer = FixedInteger<kLimbs>;

    constexpr FixedPolynomial() noexcept = default;  // zero
    // c[i] belongs to t^i.
    constexpr explicit FixedPolynomial(const std::array<Integer, kMaxDegree + 1>& c) noexcept
        : c_(c), size_(kMaxDegree + 1) {
        trim();
    }
    // The same polynomial with more room.
    template <std::size_t kLower, std::size_t kFewer>
    constexpr explicit FixedPolynomial(const FixedPolynomial<kLower, kFewer>& other) noexcept
        : size_(other.size_) {
        static_assert(kLower <= kMaxDegree && kFewer <= kLimbs);
        for (std::size_t i = 0; i <= kLower; ++i)
            c_[i] = Integer(other.c_[i]);
    }

    [[nodiscard]] constexpr bool is_zero() const noexcept { return size_ == 0; }
    // Requires: not zero, for both.
    [[nodiscard]] constexpr std::size_t degree() const noexcept { return size_ - 1; }
    [[nodiscard]] constexpr const Integer& leading() const noexcept { return c_[size_ - 1]; }
    // Zero beyond the degree.
    [[nodiscard]] constexpr const Integer& operator[](std::size_t i) const noexcept {
        return c_[i];
    }
    [[nodiscard]] ExactPolynomial exact() const {
        std::array<ExactInteger, kMaxDegree + 1> c;
        for (std::size_t i = 0; i < size_; ++i)
            c[i] = c_[i].exact();
        return ExactPolynomial(std::span<const ExactInteger>(c).first(size_));
    }

    constexpr FixedPolynomial& operator+=(const FixedPolynomial& b) noexcept {
        size_ = std::max(size_, b.size_);
        for (std::size_t i = 0; i < b.size_; ++i)
            c_[i] += b.c_[i];
        trim();
        return *this;
    }
    constexpr FixedPolynomial& operator-=(const FixedPolynomial& b) noexcept {
        size_ = std::max(size_, b.size_);
        for (std::size_t i = 0; i < b.size_; ++i)
            c_[i] -= b.c_[i];
        trim();
        return *this;
    }
    template <std::size_t kDegree, std::size_t kOther>
    [[nodiscard]] constexpr FixedPolynomial<kMaxDegree + kDegree, kLimbs + kOther> operator*(
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
    constexpr void strip_twos() noexcept {
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

    constexpr void trim() noexcept {
        while (size_ > 0 && c_[size_ - 1].is_zero())
            --size_;
    }
};

// A polynomial that grows is its own exact form.
[[nodiscard]] inline const ExactPolynomial& exact_form(const ExactPolynomial& p) noexcept {
    return p;
}
template <std::size_t kDegree, std::size_t kLimbs>
[[nodiscard]] ExactPolynomial exact_form(const FixedPolynomial<kDegree, kLimbs>& p) {
    return p.exact();
}

// The exact sign of p(t). Horner's rule as in exact_polynomial.cpp; |p(t)| 2^(k degree) is below
// (degree + 1) 2^(64 n - 5 + k degree), and so are the partial sums.
template <std::size_t kDegree, std::size_t kLimbs>
[[nodiscard]] int sign_at(const FixedPolynomial<kDegree, kLimbs>& p, const DyadicTime& t) {
    if (p.is_zero()) return 0;
    if (t.significand == 0) return p[0].sign();
    if (t.shift > fixed_width::kMaxShift) return sign_at(p.exact(), t);
    constexpr std::size_t kWide = kLimbs + kDegree;
    FixedInteger<kWide> value(p.leading());
    for (std::size_t i = p.degree(); i-- > 0;) {
        value.multiply(t.significand);
        value += p[i].template shifted_left<kWide>(t.shift * (p.degree() - i));
    }
    return value.sign();
}

// As for polynomials that grow. 2 c0 u^2 + c1 (A + B) u + 2 c2 A B has weights that add up to
// 6 u^2 at most. Requires: u = 2^scale, scale <= kMaxShift; A, B <= u.
template <std::size_t kDegree, std::size_t kLimbs>
[[nodiscard]] int middle_sign_in_units(const FixedPolynomial<kDegree, kLimbs>& p, std::uint64_t low,
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
template <std::size_t kDegree, std::size_t kLimbs>
[[nodiscard]] int middle_sign(const FixedPolynomial<kDegree, kLimbs>& p, const DyadicTime& a,
                              const DyadicTime& b) {
    const std::size_t scale = std::max(a.shift, b.shift);
    if (scale > fixed_width::kMaxShift) return middle_sign(p.exact(), a, b);
    return middle_sign_in_units(p, a.significand << (scale - a.shift),
                                b.significand << (scale - b.shift), scale);
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
template <std::size_t kLimbs>
[[nodiscard]] std::array<int, 2> inner_bernstein_signs(const FixedPolynomial<3, kLimbs>& p,
                                                       const DyadicTime& a, const DyadicTime& b) {
    const std::size_t scale = std::max(a.shift, b.shift);
    if (scale > fixed_width::kMaxShift) return inner_bernstein_signs(p.exact(), a, b);
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

}  // namespace graze::certified
