// Exact signed integers of bounded size: sign and magnitude in place, no heap, nothing rounds.
//
// For the rare path on which a sign must be right for any doubles, however far apart their
// exponents. Time goes by the limbs in use: linear for sums, quadratic for products. The capacity
// costs only stack.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "graze/core/assert.hpp"
#include "graze/core/strict_arithmetic.hpp"
#include "graze/core/wide_integer.hpp"

namespace graze {

// A finite double as (-1)^negative * significand * 2^exponent; the significand is odd, or zero with
// exponent 0. Read from the bits: no rounding mode and no flushing of subnormals can change it.
struct DyadicParts {
    bool negative = false;
    std::uint64_t significand = 0;  // < 2^53
    int exponent = 0;               // in [-1074, 1023]
    friend constexpr bool operator==(const DyadicParts&, const DyadicParts&) noexcept = default;
};

// Requires: x finite.
[[nodiscard]] constexpr DyadicParts dyadic_parts(double x) noexcept {
    constexpr std::uint64_t kHiddenBit = std::uint64_t{1} << 52;
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const int biased = static_cast<int>((bits >> 52) & 0x7ffU);
    GRAZE_ASSERT(biased != 0x7ff);
    const std::uint64_t fraction = bits & (kHiddenBit - 1);
    const std::uint64_t significand = biased == 0 ? fraction : fraction | kHiddenBit;
    if (significand == 0) return {};
    const int zeros = std::countr_zero(significand);
    return {(bits >> 63) != 0, significand >> zeros, std::max(biased, 1) - 1075 + zeros};
}

// Every integer of magnitude below 2^kBits. Operations assert that their result is one of those:
// callers prove by a static_assert that theirs are.
template <int kBits>
class BigInteger {
public:
    using Limb = std::uint64_t;
    static constexpr int kCapacityBits = kBits;

    constexpr BigInteger() noexcept {}  // zero; limbs that are not in use stay uninitialised
    constexpr explicit BigInteger(std::int64_t value) noexcept
        : size_(value == 0 ? 0 : 1), negative_(value < 0) {
        // 0 - value in unsigned arithmetic: the magnitude, also of the least integer.
        if (value != 0) limbs_[0] = value < 0 ? 0 - static_cast<Limb>(value) : Limb(value);
    }
    constexpr BigInteger(const BigInteger& other) noexcept { *this = other; }
    constexpr BigInteger& operator=(const BigInteger& other) noexcept {
        if (this != &other) assign(other.magnitude(), other.negative_);
        return *this;
    }

    // The same value in a type of more capacity.
    template <int kFewerBits>
    constexpr explicit BigInteger(const BigInteger<kFewerBits>& other) noexcept {
        static_assert(kFewerBits < kBits, "an integer never loses bits");
        assign(other.magnitude(), other.sign() < 0);
    }

    // x 2^k, exactly.
    // Requires: x finite, x 2^k an integer of magnitude below 2^kBits.
    [[nodiscard]] static constexpr BigInteger from_scaled(double x, int k) noexcept {
        const DyadicParts parts = dyadic_parts(x);
        if (parts.significand == 0) return {};
        BigInteger result;
        result.limbs_[0] = parts.significand;
        result.size_ = 1;
        result.negative_ = parts.negative;
        return result.shifted_left(parts.exponent + k);
    }

    // -1, 0 or 1.
    [[nodiscard]] constexpr int sign() const noexcept {
        return size_ == 0 ? 0 : negative_ ? -1 : 1;
    }
    // The least w with |value| < 2^w; 0 for zero.
    [[nodiscard]] constexpr int bit_width() const noexcept {
        if (size_ == 0) return 0;
        return static_cast<int>(64 * size_) - std::countl_zero(limbs_[size_ - 1]);
    }
    // Least significant limb first, the last one not zero; empty for zero. Valid as long as *this.
    [[nodiscard]] constexpr std::span<const Limb> magnitude() const noexcept {
        return {limbs_.data(), size_};
    }

    [[nodiscard]] constexpr BigInteger operator-() const noexcept {
        BigInteger result(*this);
        result.negative_ = size_ != 0 && !negative_;
        return result;
    }
    [[nodiscard]] friend constexpr BigInteger operator+(const BigInteger& a,
                                                        const BigInteger& b) noexcept {
        return signed_sum(a, b, b.negative_);
    }
    [[nodiscard]] friend constexpr BigInteger operator-(const BigInteger& a,
                                                        const BigInteger& b) noexcept {
        return signed_sum(a, b, !b.negative_);
    }
    [[nodiscard]] friend constexpr BigInteger operator*(const BigInteger& a,
                                                        const BigInteger& b) noexcept {
        return product(a, b);
    }
    // value 2^bits. Requires: bits >= 0.
    [[nodiscard]] constexpr BigInteger shifted_left(int bits) const noexcept {
        GRAZE_ASSERT(bits >= 0 && (size_ == 0 || bit_width() + bits <= kBits));
        if (size_ == 0) return {};
        return shifted_by(static_cast<std::size_t>(bits) / 64, static_cast<unsigned>(bits) % 64);
    }

    [[nodiscard]] friend constexpr std::strong_ordering operator<=>(const BigInteger& a,
                                                                    const BigInteger& b) noexcept {
        if (a.sign() != b.sign()) return a.sign() <=> b.sign();
        return a.negative_ ? compare_magnitudes(b, a) : compare_magnitudes(a, b);
    }
    [[nodiscard]] friend constexpr bool operator==(const BigInteger& a,
                                                   const BigInteger& b) noexcept {
        return std::is_eq(a <=> b);
    }

private:
    // One limb beyond the capacity. Factors of n and m limbs are at least 2^(64(n-1)) and
    // 2^(64(m-1)); a product below 2^kBits has 64 (n + m - 2) < kBits, so n + m is at most one more
    // than the ceiling of kBits / 64. No other operation needs that limb.
    static constexpr std::size_t kLimbs = (static_cast<std::size_t>(kBits) + 63) / 64 + 1;
    static_assert(kBits >= 64, "every int64_t and every significand fits");

    // Invariant: limbs_[0, size_) hold the magnitude, limbs_[size_ - 1] != 0; zero is not negative.
    std::array<Limb, kLimbs> limbs_;
    std::size_t size_ = 0;
    bool negative_ = false;

    constexpr void assign(std::span<const Limb> magnitude, bool negative) noexcept {
        std::copy(magnitude.begin(), magnitude.end(), limbs_.begin());
        size_ = magnitude.size();
        negative_ = negative;
    }
    constexpr void trim() noexcept {
        while (size_ > 0 && limbs_[size_ - 1] == 0)
            --size_;
        if (size_ == 0) negative_ = false;
        GRAZE_ASSERT(bit_width() <= kBits);
    }

    [[nodiscard]] static constexpr std::strong_ordering compare_magnitudes(
        const BigInteger& a, const BigInteger& b) noexcept {
        if (a.size_ != b.size_) return a.size_ <=> b.size_;
        for (std::size_t i = a.size_; i-- > 0;) {
            if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] <=> b.limbs_[i];
        }
        return std::strong_ordering::equal;
    }

    // a + (+-|b|), the sign of b replaced.
    [[nodiscard]] static constexpr BigInteger signed_sum(const BigInteger& a, const BigInteger& b,
                                                         bool b_negative) noexcept {
        if (a.negative_ == b_negative) {
            return a.size_ >= b.size_ ? magnitude_sum(a, b, b_negative)
                                      : magnitude_sum(b, a, b_negative);
        }
        return std::is_gteq(compare_magnitudes(a, b)) ? magnitude_difference(a, b, a.negative_)
                                                      : magnitude_difference(b, a, b_negative);
    }

    // +-(|a| + |b|). Requires: a is not shorter than b.
    [[nodiscard]] static constexpr BigInteger magnitude_sum(const BigInteger& a,
                                                            const BigInteger& b,
                                                            bool negative) noexcept {
        BigInteger result;
        Limb carry = 0;
        for (std::size_t i = 0; i < a.size_; ++i) {
            const WideLimb sum = WideLimb{a.limbs_[i]} + (i < b.size_ ? b.limbs_[i] : 0) + carry;
            result.limbs_[i] = static_cast<Limb>(sum);
            carry = static_cast<Limb>(sum >> 64);
        }
        result.size_ = a.size_;
        result.negative_ = negative;
        if (carry != 0) result.limbs_[result.size_++] = carry;
        result.trim();
        return result;
    }

    // +-(|a| - |b|). Requires: |a| >= |b|.
    [[nodiscard]] static constexpr BigInteger magnitude_difference(const BigInteger& a,
                                                                   const BigInteger& b,
                                                                   bool negative) noexcept {
        BigInteger result;
        Limb borrow = 0;
        for (std::size_t i = 0; i < a.size_; ++i) {
            // Modulo 2^128; the upper half is 0 or all ones, and the latter is the borrow.
            const WideLimb rest = WideLimb{a.limbs_[i]} - (i < b.size_ ? b.limbs_[i] : 0) - borrow;
            result.limbs_[i] = static_cast<Limb>(rest);
            borrow = static_cast<Limb>(rest >> 64) & 1U;
        }
        GRAZE_ASSERT(borrow == 0);
        result.size_ = a.size_;
        result.negative_ = negative;
        result.trim();
        return result;
    }

    [[nodiscard]] static constexpr BigInteger product(const BigInteger& a,
                                                      const BigInteger& b) noexcept {
        BigInteger result;
        if (a.size_ == 0 || b.size_ == 0) return result;
        GRAZE_ASSERT(a.size_ + b.size_ <= kLimbs);
        result.size_ = a.size_ + b.size_;
        result.negative_ = a.negative_ != b.negative_;
        std::fill_n(result.limbs_.begin(), result.size_, Limb{0});
        for (std::size_t i = 0; i < a.size_; ++i) {
            Limb carry = 0;
            for (std::size_t j = 0; j < b.size_; ++j) {
                // (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1: never overflows.
                const WideLimb sum =
                    WideLimb{a.limbs_[i]} * b.limbs_[j] + result.limbs_[i + j] + carry;
                result.limbs_[i + j] = static_cast<Limb>(sum);
                carry = static_cast<Limb>(sum >> 64);
            }
            result.limbs_[i + b.size_] = carry;
        }
        result.trim();
        return result;
    }

    // The magnitude shifted by 64 * limbs + bits places, bits < 64.
    [[nodiscard]] constexpr BigInteger shifted_by(std::size_t limbs, unsigned bits) const noexcept {
        BigInteger result;
        std::fill_n(result.limbs_.begin(), limbs, Limb{0});
        Limb carry = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            const WideLimb moved = (WideLimb{limbs_[i]} << bits) | carry;
            result.limbs_[limbs + i] = static_cast<Limb>(moved);
            carry = static_cast<Limb>(moved >> 64);
        }
        result.size_ = limbs + size_;
        result.negative_ = negative_;
        if (carry != 0) result.limbs_[result.size_++] = carry;
        return result;
    }
};

namespace detail {

// The 64 leading bits of a positive number, the first of them set: floor(x 2^(64 - width)).
template <int kBits>
[[nodiscard]] constexpr std::uint64_t leading_bits(const BigInteger<kBits>& x) noexcept {
    const std::span<const std::uint64_t> limbs = x.magnitude();
    const std::uint64_t top = limbs.back();
    const int free = std::countl_zero(top);
    if (free == 0) return top;
    const std::uint64_t below = limbs.size() > 1 ? limbs[limbs.size() - 2] : 0;
    return (top << free) | (below >> (64 - free));
}

// floor(num / den). Requires: num >= 0, den > 0, num < 2^55 den.
//
// The estimate: leading_bits leaves out less than 2^-63 of the number, relatively. So the quotient
// of the leading bits is off by less than 2^55 2^-62 < 1, and by roundings down: a unit or two. The
// loops make it exact whatever the estimate.
template <int kBits>
[[nodiscard]] constexpr std::uint64_t short_quotient(const BigInteger<kBits>& num,
                                                     const BigInteger<kBits>& den) noexcept {
    using Integer = BigInteger<kBits>;
    const int shift = 63 - (num.bit_width() - den.bit_width());
    GRAZE_ASSERT(shift >= 63 - 55);
    std::uint64_t quotient = 0;
    if (num.sign() > 0 && shift < 64) {
        const WideLimb leading = (WideLimb{leading_bits(num)} << 63) / leading_bits(den);
        quotient = static_cast<std::uint64_t>(leading) >> shift;
    }
    const auto times_den = [&](std::uint64_t q) {
        return Integer(static_cast<std::int64_t>(q)) * den;
    };
    while (times_den(quotient) > num)
        --quotient;
    while (times_den(quotient + 1) <= num)
        ++quotient;
    return quotient;
}

// significand * 2^-shift, or the largest double where that is beyond it.
// Requires: significand < 2^53, shift <= 1074; significand >= 2^52 unless shift = 1074.
// Why: a normal double of biased exponent b is (2^52 + fraction) 2^(b - 1075), so b = 1075 - shift;
// adding the significand with its leading bit carries 1 into the exponent, hence 1074. Where
// shift = 1074 and the leading bit is absent, the same sum is the subnormal double.
[[nodiscard]] constexpr double double_from_parts(std::uint64_t significand, int shift) noexcept {
    if (shift < 52 - 1023) return std::numeric_limits<double>::max();
    return std::bit_cast<double>((static_cast<std::uint64_t>(1074 - shift) << 52) + significand);
}

}  // namespace detail

// num / den rounded down: the largest double that is not above the exact quotient.
// Guarantee: correctly rounded for all operands, hence monotonic; zero iff num / den < 2^-1074. No
// floating-point arithmetic takes part.
// Requires: num >= 0, den > 0.
template <int kBits>
[[nodiscard]] constexpr double quotient_down(const BigInteger<kBits>& num,
                                             const BigInteger<kBits>& den) noexcept {
    GRAZE_ASSERT(num.sign() >= 0 && den.sign() > 0);
    if (num.sign() <= 0 || den.sign() <= 0) return 0.0;
    // num / den lies in (2^(w-1), 2^(w+1)) with w the difference of the widths: times 2^(53-w) in
    // (2^52, 2^54). Places below 2^-1074 are not wanted. The shifted numbers have at most
    // max(widths) + 54 bits, and so have the products of short_quotient, save for two more.
    using Wide = BigInteger<kBits + 64>;
    int shift = std::min(53 - (num.bit_width() - den.bit_width()), 1074);
    std::uint64_t significand = detail::short_quotient(Wide(num).shifted_left(std::max(shift, 0)),
                                                       Wide(den).shifted_left(std::max(-shift, 0)));
    if (significand >> 53 != 0) {  // 54 bits: rounding down twice is rounding down
        significand >>= 1;
        --shift;
    }
    return detail::double_from_parts(significand, shift);
}

static_assert(BigInteger<64>(-3) * BigInteger<64>(5) + BigInteger<64>(16) == BigInteger<64>(1));
static_assert(BigInteger<2098>::from_scaled(-0x1p-1074, 1074) == BigInteger<2098>(-1));
static_assert(quotient_down(BigInteger<64>(1), BigInteger<64>(3)) == 0x1.5555555555555p-2);
static_assert(quotient_down(BigInteger<64>(2), BigInteger<64>(3)) == 0x1.5555555555555p-1);
static_assert(quotient_down(BigInteger<64>(7), BigInteger<64>(1)) == 7.0);

}  // namespace graze
