// Defends G-FILES-1 (docs/GUARANTEES.md).
#include "io/rational.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "io/big_natural.hpp"
#include "io/files.hpp"

namespace graze::io {
namespace {

using test::any_finite;

// The reader's own path: text in, double or refusal out.
std::optional<double> quotient(const std::string& numerator, const std::string& denominator) {
    const auto n = parse_integer(numerator);
    const auto d = parse_integer(denominator);
    if (!n || !d || d->is_zero()) {
        ADD_FAILURE() << numerator << "/" << denominator << " does not parse";
        return std::nullopt;
    }
    return exact_quotient(*n, *d);
}

std::string power_of_two(unsigned exponent) {
    return mpz_class(mpz_class(1) << exponent).get_str();
}

TEST(BigNatural, AgreesWithGmpOnTextShiftsAndProducts) {
    std::mt19937_64 rng(20250301);
    gmp_randclass random(gmp_randinit_mt);
    random.seed(20250301);
    for (int i = 0; i < 3000; ++i) {
        mpz_class reference = random.get_z_bits(1 + rng() % 2000);
        if (rng() % 4 == 0) reference <<= rng() % 200;
        const BigNatural value = BigNatural::from_decimal(reference.get_str());
        EXPECT_EQ(value.to_decimal(), reference.get_str());
        const std::size_t shift = rng() % 300;
        const std::uint64_t factor = rng() >> (rng() % 64);
        const mpz_class up = reference << shift;
        const mpz_class down = reference >> shift;
        const mpz_class product = reference * mpz_class(std::to_string(factor));
        EXPECT_EQ(value.shifted_left(shift).to_decimal(), up.get_str());
        EXPECT_EQ(value.shifted_right(shift).to_decimal(), down.get_str());
        EXPECT_EQ(value.times(factor).to_decimal(), product.get_str());
        if (reference != 0) {
            EXPECT_EQ(value.trailing_zeros(), mpz_scan1(reference.get_mpz_t(), 0));
        }
    }
}

TEST(BigNatural, KeepsZerosInsideANumberAndDropsThemInFront) {
    EXPECT_EQ(BigNatural::from_decimal("").to_decimal(), "0");
    EXPECT_EQ(BigNatural::from_decimal("000").to_decimal(), "0");
    const std::string text = "1" + std::string(19, '0') + "7" + std::string(38, '0');
    EXPECT_EQ(BigNatural::from_decimal("00" + text).to_decimal(), text);
    EXPECT_EQ(BigNatural(5).times(0), BigNatural());
}

TEST(ExactQuotient, ReadsEveryDoubleBackFromItsFraction) {
    std::mt19937_64 rng(20250302);
    for (int i = 0; i < 20000; ++i) {
        const double value = any_finite(rng);
        const Fraction fraction = exact_fraction(value);
        const auto read = quotient(fraction.numerator, fraction.denominator);
        ASSERT_TRUE(read.has_value()) << fraction.numerator << "/" << fraction.denominator;
        EXPECT_EQ(*read, value);
    }
}

TEST(ExactFraction, IsReducedAndEqualsTheDoubleExactly) {
    std::mt19937_64 rng(20250303);
    for (int i = 0; i < 5000; ++i) {
        const double value = any_finite(rng);
        const Fraction fraction = exact_fraction(value);
        mpq_class reference(value);
        EXPECT_EQ(fraction.numerator, reference.get_num().get_str());
        EXPECT_EQ(fraction.denominator, reference.get_den().get_str());
    }
}

// Exactly a double iff rounding to double and back changes nothing.
std::optional<double> reference_quotient(const mpz_class& n, const mpz_class& d) {
    mpq_class value(n, d);
    value.canonicalize();
    const double nearest = value.get_d();
    if (!std::isfinite(nearest) || mpq_class(nearest) != value) return std::nullopt;
    return nearest;
}

TEST(ExactQuotient, AgreesWithGmpOnFractionsThatAreNotReducedAndOnNearMisses) {
    std::mt19937_64 rng(20250304);
    gmp_randclass random(gmp_randinit_mt);
    random.seed(20250304);
    int doubles = 0;
    int others = 0;
    for (int i = 0; i < 20000; ++i) {
        const mpq_class value(any_finite(rng));
        const mpz_class common = random.get_z_bits(1 + rng() % 300) + 1;
        mpz_class n = value.get_num() * common;
        mpz_class d = value.get_den() * common;
        // Near misses: one more or less, one bit more, half the lowest bit, twice the range.
        switch (rng() % 6) {
            case 0:
                n += 1;
                break;
            case 1:
                d += 1;
                break;
            case 2:
                n = n * 2 + common;
                d *= 2;
                break;
            case 3:
                d *= mpz_class(1) << (rng() % 60);
                break;
            default:
                break;
        }
        if (rng() % 2 == 0) n = -n, d = -d;
        const auto expected = d < 0 ? reference_quotient(-n, -d) : reference_quotient(n, d);
        const auto read = quotient(n.get_str(), d.get_str());
        EXPECT_EQ(read, expected) << n << "/" << d;
        ++(expected ? doubles : others);
    }
    EXPECT_GT(doubles, 5000);
    EXPECT_GT(others, 2000);
}

TEST(ExactQuotient, HandlesShortFractionsThatAreNotReduced) {
    EXPECT_EQ(quotient("3", "6"), 0.5);
    EXPECT_EQ(quotient("10", "5"), 2.0);
    EXPECT_EQ(quotient("-10", "5"), -2.0);
    EXPECT_EQ(quotient("10", "-4"), -2.5);
    EXPECT_EQ(quotient("-10", "-4"), 2.5);
    EXPECT_EQ(quotient("007", "0008"), 0.875);
    EXPECT_EQ(quotient("1", "3"), std::nullopt);
    EXPECT_EQ(quotient("1", "10"), std::nullopt);
    EXPECT_EQ(quotient("9007199254740993", "1"), std::nullopt);  // 2^53 + 1
    EXPECT_EQ(quotient("9007199254740994", "1"), 0x1p+53 + 2);
    EXPECT_EQ(quotient("9999999999999999999", "9999999999999999999"), 1.0);
    EXPECT_EQ(quotient("10000000000000000000", "10000000000000000000"), 1.0);
}

TEST(ExactQuotient, GivesPositiveZeroWhateverTheSigns) {
    for (const char* numerator : {"0", "-0", "000"}) {
        for (const std::string& denominator :
             {std::string("1"), std::string("-1"), "-" + power_of_two(2000)}) {
            const auto zero = quotient(numerator, denominator);
            ASSERT_TRUE(zero.has_value());
            EXPECT_EQ(*zero, 0.0);
            EXPECT_FALSE(std::signbit(*zero));
        }
    }
}

TEST(ExactQuotient, StopsExactlyAtTheEndsOfTheRange) {
    using Limits = std::numeric_limits<double>;
    EXPECT_EQ(quotient("1", power_of_two(1074)), Limits::denorm_min());
    EXPECT_EQ(quotient("1", power_of_two(1075)), std::nullopt);
    EXPECT_EQ(quotient("2", power_of_two(1075)), Limits::denorm_min());
    EXPECT_EQ(quotient("3", power_of_two(1075)), std::nullopt);
    EXPECT_EQ(quotient(power_of_two(1023), "1"), 0x1p+1023);
    EXPECT_EQ(quotient(power_of_two(1024), "1"), std::nullopt);
    const mpz_class largest = mpq_class(Limits::max()).get_num();
    EXPECT_EQ(quotient(largest.get_str(), "1"), Limits::max());
    EXPECT_EQ(quotient(mpz_class(largest + 1).get_str(), "1"), std::nullopt);
}

TEST(ParseInteger, RefusesWhatIsNotAnInteger) {
    for (const char* text : {"-", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "--1", "1-", "a"}) {
        const auto parsed = parse_integer(text);
        ASSERT_FALSE(parsed.has_value()) << text;
        EXPECT_EQ(parsed.error().message, "not an integer") << text;
    }
    EXPECT_EQ(parse_integer("").error().message, "field is empty");
    EXPECT_FALSE(parse_integer(std::string_view("1\0", 2)).has_value());
}

TEST(ParseInteger, TakesAsManyDigitsAsItSaysAndNoMore) {
    const std::string longest = "-" + std::string(kMaxDigits, '9');
    EXPECT_TRUE(parse_integer(longest).has_value());
    EXPECT_EQ(parse_integer(longest + "9").error().message, "integer has more than 4096 digits");
    EXPECT_EQ(quotient(longest, longest), 1.0);
}

}  // namespace
}  // namespace graze::io
