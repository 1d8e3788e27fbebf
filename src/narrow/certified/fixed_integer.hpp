// Exact signed integers of a fixed number of limbs: two's complement, no branches by size, no heap.
//
// ExactInteger (exact_integer.hpp) follows the size of its number; most of its time goes into that.
// Nearly all queries that reach integers have coordinates of a known, small number of bits, so that
// every intermediate size is known in advance (docs/derivations/certified_exact.md, CE-8). Nothing
// here checks for overflow: products are as wide as both factors together, and callers prove that
// their sums fit.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "graze/core/assert.hpp"
#include "graze/core/big_integer.hpp"
#include "graze/core/wide_integer.hpp"
#include "narrow/certified/exact_integer.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <immintrin.h>
#define GRAZE_CARRY_INSTRUCTIONS
#endif

namespace graze::certified {

// a + b + carry modulo 2^64, and the new carry; both carries are 0 or 1. One instruction each where
// the compiler does not find it itself.
[[nodiscard]] inline std::uint64_t add_with_carry(std::uint64_t a, std::uint64_t b,
                                                  unsigned char& carry) noexcept {
#ifdef GRAZE_CARRY_INSTRUCTIONS
    unsigned long long sum = 0;
    carry = _addcarry_u64(carry, a, b, &sum);
    return sum;
#else
    const std::uint64_t partial = a + b;
    const std::uint64_t sum = partial + carry;
    carry = static_cast<unsigned char>((partial < a) || (sum < partial));
    return sum;
#endif
}
// a - b - borrow likewise.
[[nodiscard]] inline std::uint64_t subtract_with_borrow(std::uint64_t a, std::uint64_t b,
                                                        unsigned char& borrow) noexcept {
#ifdef GRAZE_CARRY_INSTRUCTIONS
    unsigned long long rest = 0;
    borrow = _subborrow_u64(borrow, a, b, &rest);
    return rest;
#else
    const std::uint64_t partial = a - b;
    const std::uint64_t rest = partial - borrow;
    borrow = static_cast<unsigned char>((a < b) || (partial < borrow));
    return rest;
#endif
}
#undef GRAZE_CARRY_INSTRUCTIONS

// The integers in [-2^(64 kLimbs - 1), 2^(64 kLimbs - 1)); arithmetic is modulo 2^(64 kLimbs).
template <std::size_t kLimbs>
class FixedInteger {
public:
    using Limb = std::uint64_t;

    FixedInteger() noexcept = default;  // zero
    // parts times 2^-exponent.
    // Requires: exponent <= parts.exponent, or parts is zero; the value fits.
    FixedInteger(const DyadicParts& parts, int exponent) noexcept {
        if (parts.significand == 0) return;
        const auto bits = static_cast<std::size_t>(parts.exponent - exponent);
        GRAZE_ASSERT(bits / 64 < kLimbs);
        const WideLimb moved = WideLimb{parts.significand} << (bits % 64);
        limbs_[bits / 64] = static_cast<Limb>(moved);
        if (bits / 64 + 1 < kLimbs) limbs_[bits / 64 + 1] = static_cast<Limb>(moved >> 64);
        if (parts.negative) negate();
    }
    // The same value with more limbs.
    template <std::size_t kFewer>
    explicit FixedInteger(const FixedInteger<kFewer>& other) noexcept {
        static_assert(kFewer <= kLimbs, "an integer never loses bits");
        for (std::size_t i = 0; i < kLimbs; ++i)
            limbs_[i] = i < kFewer ? other.limbs_[i] : other.fill();
    }

    [[nodiscard]] bool is_zero() const noexcept {
        Limb any = 0;
        for (const Limb limb : limbs_)
            any |= limb;
        return any == 0;
    }
    // -1, 0 or 1.
    [[nodiscard]] int sign() const noexcept {
        if (is_negative()) return -1;
        return is_zero() ? 0 : 1;
    }
    // The largest k such that 2^k divides the value. Requires: not zero.
    [[nodiscard]] std::size_t trailing_zeros() const noexcept {
        GRAZE_ASSERT(!is_zero());
        std::size_t i = 0;
        while (limbs_[i] == 0)
            ++i;
        return 64 * i + static_cast<std::size_t>(std::countr_zero(limbs_[i]));
    }
    // The least w with |value| < 2^w; 0 for zero.
    [[nodiscard]] std::size_t bit_width() const noexcept {
        const FixedInteger absolute = magnitude();
        const std::size_t used = absolute.size();
        if (used == 0) return 0;
        return 64 * used - static_cast<std::size_t>(std::countl_zero(absolute.limbs_[used - 1]));
    }
    // The nearest double.
    [[nodiscard]] double nearest() const noexcept {
        static_assert(kLimbs <= 2);
        if constexpr (kLimbs == 1) return static_cast<double>(signed_limb());
        return nearest_signed(limbs_[kLimbs - 1], limbs_[0]);
    }
    // value 2^-bits, rounded: the bits of ExactInteger::scaled_est. Requires: bits >= bit_width().
    [[nodiscard]] double scaled_est(std::size_t bits) const noexcept {
        const FixedInteger absolute = magnitude();
        const std::size_t used = absolute.size();
        if (used == 0) return 0.0;
        const int exponent = static_cast<int>(64 * (used - 1)) - static_cast<int>(bits);
        const double value = top_limbs_est(absolute.limbs_[used - 1],
                                           used > 1 ? absolute.limbs_[used - 2] : 0, exponent);
        return is_negative() ? -value : value;
    }
    // |value|. Of the least integer there is none: callers stay far from it.
    [[nodiscard]] FixedInteger magnitude() const noexcept {
        FixedInteger result = *this;
        if (is_negative()) result.negate();
        return result;
    }
    // Limbs of a number >= 0 without leading zeros.
    [[nodiscard]] std::size_t size() const noexcept {
        std::size_t used = kLimbs;
        while (used > 0 && limbs_[used - 1] == 0)
            --used;
        return used;
    }
    // The lowest first.
    [[nodiscard]] const std::array<Limb, kLimbs>& limbs() const noexcept { return limbs_; }
    [[nodiscard]] bool is_negative() const noexcept { return (limbs_[kLimbs - 1] >> 63) != 0; }
    // The same value with fewer limbs. Requires: it fits.
    template <std::size_t kFewer>
    [[nodiscard]] FixedInteger<kFewer> truncated() const noexcept {
        static_assert(kFewer <= kLimbs);
        FixedInteger<kFewer> result;
        for (std::size_t i = 0; i < kFewer; ++i)
            result.limbs_[i] = limbs_[i];
        GRAZE_ASSERT(FixedInteger(result) == *this);
        return result;
    }
    [[nodiscard]] ExactInteger exact() const {
        const FixedInteger absolute = magnitude();
        return {std::span<const Limb>(absolute.limbs_).first(absolute.size()), is_negative()};
    }

    friend constexpr bool operator==(const FixedInteger&, const FixedInteger&) noexcept = default;

    void negate() noexcept {
        FixedInteger zero;
        zero -= *this;
        *this = zero;
    }
    FixedInteger& operator+=(const FixedInteger& b) noexcept {
        unsigned char carry = 0;
        for (std::size_t i = 0; i < kLimbs; ++i)
            limbs_[i] = add_with_carry(limbs_[i], b.limbs_[i], carry);
        return *this;
    }
    FixedInteger& operator-=(const FixedInteger& b) noexcept {
        subtract_at<0>(b.limbs_, ~Limb{0});
        return *this;
    }
    [[nodiscard]] friend FixedInteger operator+(FixedInteger a, const FixedInteger& b) noexcept {
        return a += b;
    }
    [[nodiscard]] friend FixedInteger operator-(FixedInteger a, const FixedInteger& b) noexcept {
        return a -= b;
    }
    void multiply(Limb factor) noexcept {
        Limb carry = 0;
        for (Limb& limb : limbs_) {
            const WideLimb wide = WideLimb{limb} * factor + carry;
            limb = static_cast<Limb>(wide);
            carry = static_cast<Limb>(wide >> 64);
        }
    }
    // Never overflows.
    template <std::size_t kOther>
    [[nodiscard]] FixedInteger<kLimbs + kOther> operator*(
        const FixedInteger<kOther>& b) const noexcept {
        if constexpr (kLimbs == 1 && kOther == 1) {
            const WideLimb product = signed_product(signed_limb(), b.signed_limb());
            FixedInteger<2> result;
            result.limbs_ = {static_cast<Limb>(product), static_cast<Limb>(product >> 64)};
            return result;
        } else if constexpr (kLimbs * kOther <= kStraightProducts) {
            return straight_product(b);
        } else {
            return product_by_size(b);
        }
    }
    // *this + b 2^bits. Requires: bits / 64 + kFewer <= kLimbs.
    template <std::size_t kFewer>
    void add_shifted(const FixedInteger<kFewer>& b, std::size_t bits) noexcept {
        const std::size_t whole = bits / 64;
        const unsigned rest = bits % 64;
        GRAZE_ASSERT(whole + kFewer <= kLimbs);
        std::array<Limb, kFewer + 1> moved;  // b 2^rest
        Limb below = 0;
        for (std::size_t i = 0; i < kFewer; ++i) {
            moved[i] = upper_half(b.limbs_[i], below, rest);
            below = b.limbs_[i];
        }
        moved[kFewer] = upper_half(b.fill(), below, rest);
        unsigned char carry = 0;
        Limb* const sums = limbs_.data() + whole;
        for (std::size_t i = 0; i < kFewer; ++i)
            sums[i] = add_with_carry(sums[i], moved[i], carry);
        Limb next = moved[kFewer];
        for (std::size_t i = whole + kFewer; i < kLimbs; ++i) {
            limbs_[i] = add_with_carry(limbs_[i], next, carry);
            next = b.fill();
        }
    }

    // value 2^bits. Requires: bits < 64 kWider.
    template <std::size_t kWider>
    [[nodiscard]] FixedInteger<kWider> shifted_left(std::size_t bits) const noexcept {
        // Zeros below the number and copies of its sign above: what is shifted in.
        std::array<Limb, 2 * kWider + 1> padded{};
        constexpr std::size_t kStart = kWider + 1;
        for (std::size_t i = 0; i < kWider; ++i)
            padded[kStart + i] = i < kLimbs ? limbs_[i] : fill();
        const std::size_t from = kStart - bits / 64;
        const unsigned rest = bits % 64;
        FixedInteger<kWider> result;
        for (std::size_t i = 0; i < kWider; ++i)
            result.limbs_[i] = upper_half(padded[from + i], padded[from + i - 1], rest);
        return result;
    }
    // Requires: 2^bits divides the value, bits < 64 kLimbs.
    void shift_right_exact(std::size_t bits) noexcept {
        if (bits == 0) return;
        const std::size_t whole = bits / 64;
        const unsigned rest = bits % 64;
        const Limb sign_limb = fill();
        for (std::size_t i = 0; i < kLimbs; ++i) {
            const Limb low = i + whole < kLimbs ? limbs_[i + whole] : sign_limb;
            const Limb high = i + whole + 1 < kLimbs ? limbs_[i + whole + 1] : sign_limb;
            limbs_[i] = static_cast<Limb>(((WideLimb{high} << 64) | low) >> rest);
        }
    }

private:
    template <std::size_t kOther>
    friend class FixedInteger;

    std::array<Limb, kLimbs> limbs_{};

    // Up to so many products of limbs, as many steps as there can be beat a look at the sizes.
    static constexpr std::size_t kStraightProducts = 16;
    // With A, B the limbs read as unsigned numbers, A = a + 2^(64 n) [a < 0] and likewise B,
    // a b = A B - 2^(64 n) [a < 0] B - 2^(64 m) [b < 0] A modulo 2^(64 (n + m)).
    template <std::size_t kOther>
    [[nodiscard]] FixedInteger<kLimbs + kOther> straight_product(
        const FixedInteger<kOther>& b) const noexcept {
        FixedInteger<kLimbs + kOther> result;
        for (std::size_t i = 0; i < kLimbs; ++i)
            result.add_row(i, limbs_[i], b.limbs_, kOther);
        result.template subtract_at<kLimbs>(b.limbs_, fill());
        result.template subtract_at<kOther>(limbs_, b.fill());
        return result;
    }
    // Large types mostly hold smaller numbers: magnitudes, without their leading zeros.
    template <std::size_t kOther>
    [[nodiscard]] FixedInteger<kLimbs + kOther> product_by_size(
        const FixedInteger<kOther>& b) const noexcept {
        const FixedInteger x = magnitude();
        const FixedInteger<kOther> y = b.magnitude();
        const std::size_t x_size = x.size();
        const std::size_t y_size = y.size();
        FixedInteger<kLimbs + kOther> result;
        for (std::size_t i = 0; i < x_size; ++i)
            result.add_row(i, x.limbs_[i], y.limbs_, y_size);
        if (is_negative() != b.is_negative()) result.negate();
        return result;
    }
    // *this + 2^(64 i) factor b for the first `size` limbs of b. Requires: limb i + size is zero.
    template <std::size_t kOther>
    void add_row(std::size_t i, Limb factor, const std::array<Limb, kOther>& b,
                 std::size_t size) noexcept {
        Limb carry = 0;
        for (std::size_t j = 0; j < size; ++j) {
            // (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1: never overflows.
            const WideLimb sum = WideLimb{factor} * b[j] + limbs_[i + j] + carry;
            limbs_[i + j] = static_cast<Limb>(sum);
            carry = static_cast<Limb>(sum >> 64);
        }
        limbs_[i + size] = carry;
    }
    // The last limb with its sign.
    [[nodiscard]] std::int64_t signed_limb() const noexcept {
        return static_cast<std::int64_t>(limbs_[kLimbs - 1]);
    }
    // What the limbs above the last would hold.
    [[nodiscard]] Limb fill() const noexcept { return is_negative() ? ~Limb{0} : Limb{0}; }
    // The limb that holds (high, low) 2^rest from bit 64 on.
    [[nodiscard]] static Limb upper_half(Limb high, Limb low, unsigned rest) noexcept {
        return static_cast<Limb>(((WideLimb{high} << 64) | low) >> (64U - rest));
    }
    // *this - 2^(64 kOffset) (b & mask), where b is an unsigned number.
    template <std::size_t kOffset, std::size_t kOther>
    void subtract_at(const std::array<Limb, kOther>& b, Limb mask) noexcept {
        static_assert(kOffset + kOther == kLimbs);
        unsigned char borrow = 0;
        for (std::size_t i = 0; i < kOther; ++i)
            limbs_[kOffset + i] = subtract_with_borrow(limbs_[kOffset + i], b[i] & mask, borrow);
    }
};

}  // namespace graze::certified
