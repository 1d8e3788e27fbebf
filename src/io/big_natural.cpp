#include "io/big_natural.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "graze/core/assert.hpp"
#include "graze/core/wide_integer.hpp"

namespace graze::io {
namespace {

using Wide = WideLimb;

constexpr std::size_t kLimbBits = 64;
// The largest power of ten that fits a limb: conversions go 19 digits at a time.
constexpr std::size_t kChunkDigits = 19;
constexpr std::uint64_t kChunk = 10'000'000'000'000'000'000u;
static_assert(kChunk > ~std::uint64_t{0} / 10, "a twentieth digit would fit");

constexpr std::uint64_t power_of_ten(std::size_t exponent) {
    std::uint64_t power = 1;
    for (std::size_t i = 0; i < exponent; ++i)
        power *= 10;
    return power;
}
static_assert(power_of_ten(kChunkDigits) == kChunk);

}  // namespace

BigNatural::BigNatural(std::uint64_t value) {
    if (value != 0) limbs_.push_back(value);
}

BigNatural BigNatural::from_decimal(std::string_view digits) {
    BigNatural result;
    while (!digits.empty()) {
        // A short chunk first, so that all others are full.
        const std::size_t odd = digits.size() % kChunkDigits;
        const std::size_t count = odd != 0 ? odd : kChunkDigits;
        std::uint64_t chunk = 0;
        std::from_chars(digits.data(), digits.data() + count, chunk);
        result.multiply_add(power_of_ten(count), chunk);
        digits.remove_prefix(count);
    }
    return result;
}

std::string BigNatural::to_decimal() const {
    if (is_zero()) return "0";
    std::string reversed;
    for (BigNatural rest = *this; !rest.is_zero();) {
        std::uint64_t chunk = rest.divide(kChunk);
        for (std::size_t i = 0; i < kChunkDigits && (chunk != 0 || !rest.is_zero()); ++i) {
            reversed.push_back(static_cast<char>('0' + chunk % 10));
            chunk /= 10;
        }
    }
    std::reverse(reversed.begin(), reversed.end());
    return reversed;
}

std::size_t BigNatural::trailing_zeros() const noexcept {
    GRAZE_ASSERT(!is_zero());
    std::size_t limb = 0;
    while (limbs_[limb] == 0)
        ++limb;
    return limb * kLimbBits + static_cast<std::size_t>(std::countr_zero(limbs_[limb]));
}

BigNatural BigNatural::shifted_left(std::size_t bits) const {
    if (is_zero()) return {};
    BigNatural result = times(std::uint64_t{1} << (bits % kLimbBits));
    result.limbs_.insert(result.limbs_.begin(), bits / kLimbBits, 0);
    return result;
}

BigNatural BigNatural::shifted_right(std::size_t bits) const {
    const std::size_t skipped = std::min(bits / kLimbBits, limbs_.size());
    const std::size_t shift = bits % kLimbBits;
    BigNatural result;
    for (std::size_t i = skipped; i < limbs_.size(); ++i) {
        const Wide above = i + 1 < limbs_.size() ? limbs_[i + 1] : 0;
        const Wide pair = (above << kLimbBits) | limbs_[i];
        result.limbs_.push_back(static_cast<std::uint64_t>(pair >> shift));
    }
    result.trim();
    return result;
}

BigNatural BigNatural::times(std::uint64_t factor) const {
    BigNatural result = *this;
    result.multiply_add(factor, 0);
    return result;
}

// this * factor + summand; a limb's step (2^64-1)^2 + (2^64-1) < 2^128 cannot overflow.
void BigNatural::multiply_add(std::uint64_t factor, std::uint64_t summand) {
    std::uint64_t carry = summand;
    for (std::uint64_t& limb : limbs_) {
        const Wide step = Wide{limb} * factor + carry;
        limb = static_cast<std::uint64_t>(step);
        carry = static_cast<std::uint64_t>(step >> kLimbBits);
    }
    if (carry != 0) limbs_.push_back(carry);
    trim();
}

// Leaves the quotient, gives the remainder.
std::uint64_t BigNatural::divide(std::uint64_t divisor) {
    Wide remainder = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
        const Wide step = (remainder << kLimbBits) | limbs_[i];
        limbs_[i] = static_cast<std::uint64_t>(step / divisor);
        remainder = step % divisor;
    }
    trim();
    return static_cast<std::uint64_t>(remainder);
}

void BigNatural::trim() noexcept {
    while (!limbs_.empty() && limbs_.back() == 0)
        limbs_.pop_back();
}

}  // namespace graze::io
