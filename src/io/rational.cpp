// Notation: N / D is the fraction, N = n 2^a and D = d 2^b with n, d odd, so N / D = (n / d)
// 2^(a-b).
//
// A double has a power of two as its reduced denominator. The reduced denominator of n / d divides
// d, so it is odd, and a power of two only if it is 1: d must divide n.
// Then q = n / d is odd, and q 2^e with e = a - b is a finite double iff
//     q < 2^53,  e >= -1074  and  e + bits(q) - 1 <= 1023:
//   q is odd, so bit e of the value is set: it must be at or above the lowest bit of a double, and
//   all of bits e .. e + bits(q) - 1 must fit the 53 bits of a significand. Conversely, a number
//   with these three properties is normal, or subnormal with all its bits at or above 2^-1074.
//
// q without long division: d is odd, so it has an inverse modulo 2^64, and if d divides n with a
// quotient below 2^64, that quotient is n d^-1 mod 2^64. One multiplication q d = n then proves it;
// where it fails, d does not divide n, or the quotient is 2^64 or more, which is odd and so no
// double either.
#include "io/rational.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "graze/core/assert.hpp"
#include "io/big_natural.hpp"

namespace graze::io {
namespace {

constexpr int kSignificandBits = std::numeric_limits<double>::digits;
constexpr int kLowestBit = std::numeric_limits<double>::min_exponent - kSignificandBits;
constexpr int kHighestBit = std::numeric_limits<double>::max_exponent - 1;
static_assert(kSignificandBits == 53 && kLowestBit == -1074 && kHighestBit == 1023,
              "redo the derivation above");

// Integers of so many digits fit 64 bits.
constexpr std::size_t kShortDigits = 19;
static_assert(kShortDigits == std::numeric_limits<std::uint64_t>::digits10);

// q 2^e with q odd, where it is a double.
std::optional<double> scaled(std::uint64_t q, std::int64_t e) {
    GRAZE_ASSERT(q % 2 == 1);
    const int bits = static_cast<int>(std::bit_width(q));
    if (bits > kSignificandBits || e < kLowestBit || e + bits - 1 > kHighestBit) {
        return std::nullopt;
    }
    return std::ldexp(static_cast<double>(q), static_cast<int>(e));
}

std::uint64_t short_value(std::string_view digits) {
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

std::optional<double> short_quotient(std::uint64_t numerator, std::uint64_t denominator) {
    const int a = std::countr_zero(numerator);
    const int b = std::countr_zero(denominator);
    const std::uint64_t n = numerator >> a;
    const std::uint64_t d = denominator >> b;
    if (n % d != 0) return std::nullopt;
    return scaled(n / d, std::int64_t{a} - b);
}

// The inverse of an odd number modulo 2^64. d d = 1 mod 8, so d is its own inverse to 3 bits; each
// Newton step x (2 - d x) doubles the bits that are right: 3, 6, 12, 24, 48, 96.
std::uint64_t inverse_mod_2_64(std::uint64_t d) {
    constexpr int kSteps = 5;
    static_assert((3 << kSteps) >= 64);
    std::uint64_t x = d;
    for (int i = 0; i < kSteps; ++i)
        x *= 2 - d * x;
    return x;
}

std::optional<double> long_quotient(const BigNatural& numerator, const BigNatural& denominator) {
    const std::size_t a = numerator.trailing_zeros();
    const std::size_t b = denominator.trailing_zeros();
    const BigNatural n = numerator.shifted_right(a);
    const BigNatural d = denominator.shifted_right(b);
    const std::uint64_t q = n.low_bits() * inverse_mod_2_64(d.low_bits());
    if (d.times(q) != n) return std::nullopt;
    return scaled(q, static_cast<std::int64_t>(a) - static_cast<std::int64_t>(b));
}

}  // namespace

Expected<DecimalInteger> parse_integer(std::string_view text) {
    if (text.empty()) return Error{"field is empty", ErrorCode::Malformed};
    const bool is_negative = text.front() == '-';
    if (is_negative) text.remove_prefix(1);
    if (text.size() > kMaxDigits) {
        return Error{"integer has more than " + std::to_string(kMaxDigits) + " digits",
                     ErrorCode::Malformed};
    }
    bool all_digits = !text.empty();
    for (const char c : text)
        all_digits = all_digits && c >= '0' && c <= '9';
    if (!all_digits) return Error{"not an integer", ErrorCode::Malformed};
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
    return DecimalInteger{is_negative, text};
}

std::optional<double> exact_quotient(const DecimalInteger& numerator,
                                     const DecimalInteger& denominator) {
    GRAZE_ASSERT(!denominator.is_zero());
    if (numerator.is_zero()) return 0.0;
    const bool is_short =
        numerator.digits.size() <= kShortDigits && denominator.digits.size() <= kShortDigits;
    const std::optional<double> magnitude =
        is_short ? short_quotient(short_value(numerator.digits), short_value(denominator.digits))
                 : long_quotient(BigNatural::from_decimal(numerator.digits),
                                 BigNatural::from_decimal(denominator.digits));
    if (!magnitude) return std::nullopt;
    return numerator.is_negative == denominator.is_negative ? *magnitude : -*magnitude;
}

Fraction exact_fraction(double value) {
    GRAZE_ASSERT(std::isfinite(value));
    if (value == 0.0) return {"0", "1"};
    int exponent = 0;
    // frexp's fraction lies in [1/2, 1): 53 more bits make it an integer below 2^53.
    const double integer = std::ldexp(std::frexp(std::fabs(value), &exponent), kSignificandBits);
    const auto significand = static_cast<std::uint64_t>(integer);
    const int zeros = std::countr_zero(significand);
    const int e = exponent - kSignificandBits + zeros;
    const BigNatural odd(significand >> zeros);
    const std::string sign = value < 0.0 ? "-" : "";
    if (e >= 0) return {sign + odd.shifted_left(static_cast<std::size_t>(e)).to_decimal(), "1"};
    const BigNatural power = BigNatural(1).shifted_left(static_cast<std::size_t>(-e));
    return {sign + odd.to_decimal(), power.to_decimal()};
}

}  // namespace graze::io
