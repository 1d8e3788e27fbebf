// Unsigned integers of 128 bits, for products and sums of 64-bit limbs: those of the compiler where it
// has them, else two limbs. Both give the same bits.
//
// GRAZE_NO_INT128 selects the two limbs everywhere, so that they are tested where compilers have both.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

namespace graze {

// Modulo 2^128. What limbs need of an integer, no more.
class TwoLimbInteger {
public:
    constexpr TwoLimbInteger() noexcept = default;
    constexpr TwoLimbInteger(std::uint64_t low) noexcept : low_(low) {}
    constexpr TwoLimbInteger(std::uint64_t high, std::uint64_t low) noexcept
        : high_(high), low_(low) {}

    [[nodiscard]] constexpr explicit operator std::uint64_t() const noexcept { return low_; }
    friend constexpr auto operator<=>(const TwoLimbInteger&,
                                      const TwoLimbInteger&) noexcept = default;

    [[nodiscard]] friend constexpr TwoLimbInteger operator+(const TwoLimbInteger& a,
                                                            const TwoLimbInteger& b) noexcept {
        const std::uint64_t low = a.low_ + b.low_;
        return {a.high_ + b.high_ + (low < a.low_ ? 1U : 0U), low};
    }
    [[nodiscard]] friend constexpr TwoLimbInteger operator-(const TwoLimbInteger& a,
                                                            const TwoLimbInteger& b) noexcept {
        return {a.high_ - b.high_ - (a.low_ < b.low_ ? 1U : 0U), a.low_ - b.low_};
    }
    [[nodiscard]] friend constexpr TwoLimbInteger operator*(const TwoLimbInteger& a,
                                                            const TwoLimbInteger& b) noexcept {
        TwoLimbInteger product = of_limbs(a.low_, b.low_);
        product.high_ += a.high_ * b.low_ + a.low_ * b.high_;
        return product;
    }
    [[nodiscard]] friend constexpr TwoLimbInteger operator|(const TwoLimbInteger& a,
                                                            const TwoLimbInteger& b) noexcept {
        return {a.high_ | b.high_, a.low_ | b.low_};
    }
    // Requires: bits < 128.
    [[nodiscard]] friend constexpr TwoLimbInteger operator<<(const TwoLimbInteger& a,
                                                             std::uint64_t bits) noexcept {
        if (bits == 0) return a;
        if (bits >= 64) return {a.low_ << (bits - 64), 0};
        return {a.high_ << bits | a.low_ >> (64 - bits), a.low_ << bits};
    }
    [[nodiscard]] friend constexpr TwoLimbInteger operator>>(const TwoLimbInteger& a,
                                                             std::uint64_t bits) noexcept {
        if (bits == 0) return a;
        if (bits >= 64) return {0, a.high_ >> (bits - 64)};
        return {a.high_ >> bits, a.low_ >> bits | a.high_ << (64 - bits)};
    }
    // By a limb, one bit at a time. Requires: divisor != 0.
    [[nodiscard]] friend constexpr TwoLimbInteger operator/(const TwoLimbInteger& a,
                                                            std::uint64_t divisor) noexcept {
        const Division d = a.divided(divisor);
        return {d.high, d.low};
    }
    [[nodiscard]] friend constexpr std::uint64_t operator%(const TwoLimbInteger& a,
                                                           std::uint64_t divisor) noexcept {
        return a.divided(divisor).remainder;
    }

private:
    std::uint64_t high_ = 0;
    std::uint64_t low_ = 0;

    // By halves of 32 bits. The middle column is at most 3 (2^32 - 1) and fits.
    [[nodiscard]] static constexpr TwoLimbInteger of_limbs(std::uint64_t a,
                                                           std::uint64_t b) noexcept {
        constexpr std::uint64_t kHalf = 0xffff'ffffU;
        const std::uint64_t low = (a & kHalf) * (b & kHalf);
        const std::uint64_t cross_a = (a >> 32) * (b & kHalf);
        const std::uint64_t cross_b = (a & kHalf) * (b >> 32);
        const std::uint64_t middle = (low >> 32) + (cross_a & kHalf) + (cross_b & kHalf);
        return {(a >> 32) * (b >> 32) + (cross_a >> 32) + (cross_b >> 32) + (middle >> 32),
                (middle << 32) | (low & kHalf)};
    }

    struct Division {
        std::uint64_t high;  // of the quotient
        std::uint64_t low;
        std::uint64_t remainder;
    };
    // Schoolbook, in base 2. A remainder that is shifted out of its limb is larger than any divisor.
    [[nodiscard]] constexpr Division divided(std::uint64_t divisor) const noexcept {
        Division result{high_ / divisor, 0, high_ % divisor};
        for (int bit = 63; bit >= 0; --bit) {
            const bool carry = (result.remainder >> 63) != 0;
            result.remainder = (result.remainder << 1) | (low_ >> bit & 1U);
            if (carry || result.remainder >= divisor) {
                result.remainder -= divisor;
                result.low |= std::uint64_t{1} << bit;
            }
        }
        return result;
    }
};

// a b, as two's complement: A = a + 2^64 [a < 0] and B likewise as unsigned numbers,
// a b = A B - 2^64 ([a < 0] B + [b < 0] A) modulo 2^128.
[[nodiscard]] constexpr TwoLimbInteger two_limb_product(std::int64_t a, std::int64_t b) noexcept {
    const auto x = static_cast<std::uint64_t>(a);
    const auto y = static_cast<std::uint64_t>(b);
    const std::uint64_t over = (a < 0 ? y : 0U) + (b < 0 ? x : 0U);
    return TwoLimbInteger{x} * y - TwoLimbInteger{over, 0};
}

#if defined(__SIZEOF_INT128__) && !defined(GRAZE_NO_INT128)
__extension__ typedef unsigned __int128 WideLimb;
// a b, as two's complement.
[[nodiscard]] constexpr WideLimb signed_product(std::int64_t a, std::int64_t b) noexcept {
    __extension__ typedef __int128 WideInteger;
    return static_cast<WideLimb>(WideInteger{a} * b);
}
#else
using WideLimb = TwoLimbInteger;
[[nodiscard]] constexpr WideLimb signed_product(std::int64_t a, std::int64_t b) noexcept {
    return two_limb_product(a, b);
}
#endif

// The double nearest to the integer of these 128 bits in two's complement.
// The 64 leading bits of its magnitude, the last of them set where any below is: 11 more than a
// double has, so that the conversion of this limb rounds as that of the whole number would.
[[nodiscard]] constexpr double nearest_signed(std::uint64_t high, std::uint64_t low) noexcept {
    if (high == 0 && low >> 63 == 0) return static_cast<double>(static_cast<std::int64_t>(low));
    const bool negative = high >> 63 != 0;
    if (negative) {
        low = 0U - low;
        high = ~high + (low == 0 ? 1U : 0U);
    }
    if (high == 0) return negative ? -static_cast<double>(low) : static_cast<double>(low);
    const int shift = std::countl_zero(high);
    const std::uint64_t leading = shift == 0 ? high : (high << shift) | (low >> (64 - shift));
    const bool inexact = (shift == 0 ? low : low << shift) != 0;
    const double size = static_cast<double>(leading | (inexact ? 1U : 0U)) *
                        (0x1p64 / static_cast<double>(std::uint64_t{1} << shift));
    return negative ? -size : size;
}

}  // namespace graze
