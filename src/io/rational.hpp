// Fractions of two decimal integers that are exactly a double, and doubles as such fractions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "graze/core/expected.hpp"

namespace graze::io {

// Longer integers are refused, so that a hostile file cannot eat time: the work per integer is
// quadratic in its digits. The largest denominator a reduced double needs, 2^1074, has 324 digits;
// the rest is for fractions that are not reduced.
inline constexpr std::size_t kMaxDigits = 4096;
static_assert(kMaxDigits >= 324);

// An integer in text that has been checked: sign, and digits without leading zeros (none: zero).
struct DecimalInteger {
    bool is_negative = false;
    std::string_view digits;
    [[nodiscard]] bool is_zero() const noexcept { return digits.empty(); }
};

// Accepts -?[0-9]+ of at most kMaxDigits digits; a '+' or a blank is an error. The result is a
// view of `text`; the error has no location.
[[nodiscard]] Expected<DecimalInteger> parse_integer(std::string_view text);

// The value of numerator / denominator if that is exactly a finite double, nullopt if not.
// Zero is +0 whatever the signs. Fractions need not be reduced.
// Requires: the denominator is not zero. Cost: constant for integers below 10^19, else quadratic
// in the digits.
[[nodiscard]] std::optional<double> exact_quotient(const DecimalInteger& numerator,
                                                   const DecimalInteger& denominator);

// The value as a reduced fraction with a denominator that is a power of two; -0 becomes 0/1.
struct Fraction {
    std::string numerator;
    std::string denominator;
};
// Requires: value is finite.
[[nodiscard]] Fraction exact_fraction(double value);

}  // namespace graze::io
