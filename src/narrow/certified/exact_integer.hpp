// Exact signed integers that grow: sign and magnitude, up to 1024 bits in place, then on the heap.
//
// BigInteger (graze/core/big_integer.hpp) is bounded and never allocates. The last tier divides
// polynomials with remainder, where ordinary input needs 300 bits and wild input up to 350,000. So
// here the size follows the number. Nothing rounds; the only failure is std::bad_alloc.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "graze/core/assert.hpp"
#include "graze/core/big_integer.hpp"
#include "graze/core/wide_integer.hpp"

namespace graze::certified {

// (top + next 2^-64) 2^exponent, rounded: an estimate for guesses, never for decisions.
// Requires: exponent <= 0.
[[nodiscard]] double top_limbs_est(std::uint64_t top, std::uint64_t next, int exponent) noexcept;

class ExactInteger {
public:
    using Limb = std::uint64_t;

    ExactInteger() noexcept {}  // zero; limbs that are not in use stay uninitialised
    explicit ExactInteger(std::int64_t value) noexcept
        : size_(value == 0 ? 0 : 1), negative_(value < 0) {
        // 0 - value in unsigned arithmetic: the magnitude, also of the least integer.
        inline_[0] = value < 0 ? 0 - static_cast<Limb>(value) : static_cast<Limb>(value);
    }
    // parts times 2^-exponent. Requires: exponent <= parts.exponent, or parts is zero.
    ExactInteger(const DyadicParts& parts, int exponent);
    // Requires: the last limb is not zero, and zero (no limbs) is not negative.
    ExactInteger(std::span<const Limb> magnitude, bool negative);

    ExactInteger(const ExactInteger& other) { assign(other); }
    ExactInteger(ExactInteger&& other) noexcept { take(other); }
    ExactInteger& operator=(const ExactInteger& other) {
        if (this != &other) assign(other);
        return *this;
    }
    ExactInteger& operator=(ExactInteger&& other) noexcept {
        if (this != &other) take(other);
        return *this;
    }
    ~ExactInteger() = default;

    // -1, 0 or 1.
    [[nodiscard]] int sign() const noexcept { return size_ == 0 ? 0 : negative_ ? -1 : 1; }
    // The least w with |value| < 2^w; 0 for zero.
    [[nodiscard]] std::size_t bit_width() const noexcept {
        if (size_ == 0) return 0;
        return 64 * size_ - static_cast<std::size_t>(std::countl_zero(limbs()[size_ - 1]));
    }
    // The largest k such that 2^k divides the value. Requires: not zero.
    [[nodiscard]] std::size_t trailing_zeros() const noexcept;
    // value 2^-bits, rounded: an estimate for guesses, never for decisions.
    [[nodiscard]] double scaled_est(std::size_t bits) const noexcept;

    void negate() noexcept { negative_ = size_ != 0 && !negative_; }
    void shift_left(std::size_t bits);
    // Requires: 2^bits divides the value.
    void shift_right_exact(std::size_t bits) noexcept;
    void multiply(Limb factor);

    ExactInteger& operator+=(const ExactInteger& b) { return accumulate(b, b.negative_); }
    ExactInteger& operator-=(const ExactInteger& b) { return accumulate(b, !b.negative_); }
    [[nodiscard]] friend ExactInteger operator*(const ExactInteger& a, const ExactInteger& b) {
        return product(a, b);
    }
    [[nodiscard]] friend ExactInteger operator+(ExactInteger a, const ExactInteger& b) {
        a += b;
        return a;
    }
    [[nodiscard]] friend ExactInteger operator-(ExactInteger a, const ExactInteger& b) {
        a -= b;
        return a;
    }

private:
    // 1024 bits hold all that ordinary input (differences of 70 bits) needs but the last remainder.
    static constexpr std::size_t kInlineLimbs = 16;

    // Invariant: limbs()[0, size_) hold the magnitude, the last of them not zero; zero is not
    // negative. The limbs are on the heap iff heap_ is set, capacity_ of them.
    std::size_t size_ = 0;
    std::size_t capacity_ = kInlineLimbs;
    std::unique_ptr<Limb[]> heap_;
    bool negative_ = false;
    std::array<Limb, kInlineLimbs> inline_;

    [[nodiscard]] Limb* limbs() noexcept { return heap_ ? heap_.get() : inline_.data(); }
    [[nodiscard]] const Limb* limbs() const noexcept {
        return heap_ ? heap_.get() : inline_.data();
    }
    void assign(const ExactInteger& other);
    void take(ExactInteger& other) noexcept;
    // Room for this many limbs; the value stays.
    void reserve(std::size_t limbs);
    void trim() noexcept;
    // *this + (+-|b|), the sign of b replaced.
    ExactInteger& accumulate(const ExactInteger& b, bool b_negative);
    void add_magnitude(const ExactInteger& b);
    // -1, 0, 1 as |a| <, =, > |b|.
    [[nodiscard]] static int compare_magnitudes(const ExactInteger& a,
                                                const ExactInteger& b) noexcept;
    [[nodiscard]] static ExactInteger product(const ExactInteger& a, const ExactInteger& b);
};

}  // namespace graze::certified
