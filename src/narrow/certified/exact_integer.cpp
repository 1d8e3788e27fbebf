#include "narrow/certified/exact_integer.hpp"

#include <cmath>
#include <utility>

#include "graze/core/power_of_two.hpp"

namespace graze::certified {

ExactInteger::ExactInteger(const DyadicParts& parts, int exponent)
    : size_(parts.significand == 0 ? 0 : 1), negative_(parts.negative) {
    inline_[0] = parts.significand;
    if (size_ == 0) return;
    GRAZE_ASSERT(exponent <= parts.exponent);
    shift_left(static_cast<std::size_t>(parts.exponent - exponent));
}

ExactInteger::ExactInteger(std::span<const Limb> magnitude, bool negative) {
    reserve(magnitude.size());
    std::copy(magnitude.begin(), magnitude.end(), limbs());
    size_ = magnitude.size();
    negative_ = negative;
}

void ExactInteger::assign(const ExactInteger& other) {
    if (other.size_ > capacity_) {
        heap_ = std::make_unique_for_overwrite<Limb[]>(other.size_);
        capacity_ = other.size_;
    }
    std::copy_n(other.limbs(), other.size_, limbs());
    size_ = other.size_;
    negative_ = other.negative_;
}

void ExactInteger::take(ExactInteger& other) noexcept {
    if (other.heap_) {
        heap_ = std::move(other.heap_);
        capacity_ = std::exchange(other.capacity_, kInlineLimbs);
    } else {
        std::copy_n(other.inline_.data(), other.size_, limbs());  // every capacity suffices
    }
    size_ = std::exchange(other.size_, 0);
    negative_ = std::exchange(other.negative_, false);
}

void ExactInteger::reserve(std::size_t limbs_wanted) {
    if (limbs_wanted <= capacity_) return;
    const std::size_t capacity = limbs_wanted + limbs_wanted / 2;
    auto larger = std::make_unique_for_overwrite<Limb[]>(capacity);
    std::copy_n(limbs(), size_, larger.get());
    heap_ = std::move(larger);
    capacity_ = capacity;
}

void ExactInteger::trim() noexcept {
    const Limb* magnitude = limbs();
    while (size_ > 0 && magnitude[size_ - 1] == 0)
        --size_;
    if (size_ == 0) negative_ = false;
}

std::size_t ExactInteger::trailing_zeros() const noexcept {
    GRAZE_ASSERT(size_ != 0);
    const Limb* magnitude = limbs();
    std::size_t i = 0;
    while (magnitude[i] == 0)
        ++i;
    return 64 * i + static_cast<std::size_t>(std::countr_zero(magnitude[i]));
}

double top_limbs_est(std::uint64_t top, std::uint64_t next, int exponent) noexcept {
    const double value = static_cast<double>(top) + static_cast<double>(next) * 0x1p-64;
    // Where the result is normal the product is exact, hence what ldexp gives.
    if (exponent >= kMinNormalExponent) return value * power_of_two(exponent);
    return std::ldexp(value, exponent);
}

double ExactInteger::scaled_est(std::size_t bits) const noexcept {
    if (size_ == 0) return 0.0;
    const Limb* magnitude = limbs();
    // Sizes are far below the range of int: 64 limbs of it are less than a million bits.
    const int exponent = static_cast<int>(64 * (size_ - 1)) - static_cast<int>(bits);
    const double value =
        top_limbs_est(magnitude[size_ - 1], size_ > 1 ? magnitude[size_ - 2] : 0, exponent);
    return negative_ ? -value : value;
}

void ExactInteger::shift_left(std::size_t bits) {
    if (size_ == 0 || bits == 0) return;
    const std::size_t whole = bits / 64;
    const unsigned rest = bits % 64;
    reserve(size_ + whole + 1);
    Limb* magnitude = limbs();
    magnitude[size_ + whole] = 0;
    for (std::size_t i = size_; i-- > 0;) {  // downwards: sources lie below targets
        const WideLimb moved = WideLimb{magnitude[i]} << rest;
        magnitude[i + whole] = static_cast<Limb>(moved);
        if (rest != 0) magnitude[i + whole + 1] |= static_cast<Limb>(moved >> 64);
    }
    std::fill_n(magnitude, whole, Limb{0});
    size_ += whole + 1;
    trim();
}

void ExactInteger::shift_right_exact(std::size_t bits) noexcept {
    if (size_ == 0 || bits == 0) return;
    GRAZE_ASSERT(trailing_zeros() >= bits);
    const std::size_t whole = bits / 64;
    const unsigned rest = bits % 64;
    Limb* magnitude = limbs();
    for (std::size_t i = whole; i < size_; ++i) {
        const Limb above = i + 1 < size_ ? magnitude[i + 1] : 0;
        const WideLimb pair = (WideLimb{above} << 64) | magnitude[i];
        magnitude[i - whole] = static_cast<Limb>(pair >> rest);
    }
    size_ -= whole;
    trim();
}

void ExactInteger::multiply(Limb factor) {
    reserve(size_ + 1);
    Limb* magnitude = limbs();
    Limb carry = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        const WideLimb wide = WideLimb{magnitude[i]} * factor + carry;
        magnitude[i] = static_cast<Limb>(wide);
        carry = static_cast<Limb>(wide >> 64);
    }
    if (carry != 0) magnitude[size_++] = carry;
    trim();  // for factor 0
}

int ExactInteger::compare_magnitudes(const ExactInteger& a, const ExactInteger& b) noexcept {
    if (a.size_ != b.size_) return a.size_ < b.size_ ? -1 : 1;
    const Limb* x = a.limbs();
    const Limb* y = b.limbs();
    for (std::size_t i = a.size_; i-- > 0;) {
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    }
    return 0;
}

void ExactInteger::add_magnitude(const ExactInteger& b) {
    reserve(std::max(size_, b.size_) + 1);
    const std::size_t b_size = b.size_;  // b may be *this
    Limb* x = limbs();
    const Limb* y = b.limbs();
    if (size_ < b_size) std::fill(x + size_, x + b_size, Limb{0});
    size_ = std::max(size_, b_size);
    Limb carry = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        if (i >= b_size && carry == 0) return;
        const WideLimb sum = WideLimb{x[i]} + (i < b_size ? y[i] : 0) + carry;
        x[i] = static_cast<Limb>(sum);
        carry = static_cast<Limb>(sum >> 64);
    }
    if (carry != 0) x[size_++] = carry;
}

ExactInteger& ExactInteger::accumulate(const ExactInteger& b, bool b_negative) {
    if (b.size_ == 0) return *this;
    if (size_ == 0) {
        assign(b);
        negative_ = b_negative;
        return *this;
    }
    if (negative_ == b_negative) {
        add_magnitude(b);
        return *this;
    }
    // Opposite signs: the smaller magnitude is taken from the larger, limb by limb, in place.
    const bool b_larger = compare_magnitudes(*this, b) < 0;
    const std::size_t longer = std::max(size_, b.size_);
    reserve(longer);
    Limb* x = limbs();
    const Limb* y = b.limbs();
    Limb borrow = 0;
    for (std::size_t i = 0; i < longer; ++i) {
        const Limb own = i < size_ ? x[i] : 0;
        const Limb other = i < b.size_ ? y[i] : 0;
        // Modulo 2^128; the upper half is 0 or all ones, and the latter is the borrow.
        const WideLimb rest =
            b_larger ? WideLimb{other} - own - borrow : WideLimb{own} - other - borrow;
        x[i] = static_cast<Limb>(rest);
        borrow = static_cast<Limb>(rest >> 64) & 1U;
    }
    GRAZE_ASSERT(borrow == 0);
    size_ = longer;
    if (b_larger) negative_ = b_negative;
    trim();
    return *this;
}

ExactInteger ExactInteger::product(const ExactInteger& a, const ExactInteger& b) {
    ExactInteger result;
    if (a.size_ == 0 || b.size_ == 0) return result;
    result.reserve(a.size_ + b.size_);
    result.size_ = a.size_ + b.size_;
    result.negative_ = a.negative_ != b.negative_;
    const Limb* x = a.limbs();
    const Limb* y = b.limbs();
    Limb* z = result.limbs();
    std::fill_n(z, result.size_, Limb{0});
    for (std::size_t i = 0; i < a.size_; ++i) {
        Limb carry = 0;
        for (std::size_t j = 0; j < b.size_; ++j) {
            // (2^64 - 1)^2 + 2 (2^64 - 1) = 2^128 - 1: never overflows.
            const WideLimb sum = WideLimb{x[i]} * y[j] + z[i + j] + carry;
            z[i + j] = static_cast<Limb>(sum);
            carry = static_cast<Limb>(sum >> 64);
        }
        z[i + b.size_] = carry;
    }
    result.trim();
    return result;
}

}  // namespace graze::certified
