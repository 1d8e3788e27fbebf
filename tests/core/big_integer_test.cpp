#include "graze/core/big_integer.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "core/exact_reference.hpp"
#include "graze/core/power_of_two.hpp"

namespace graze {
namespace {

using exact::DoubleSource;
using exact::hex;
using exact::kMax;
using exact::tightness;
using exact::Tightness;

constexpr int kFactorBits = 3100;
constexpr int kBits = 2 * kFactorBits + 2;
using Integer = BigInteger<kBits>;

static_assert(std::is_trivially_destructible_v<Integer>, "it owns nothing: no heap");
static_assert(sizeof(Integer) <= kBits / 8 + 40, "and has no more than the capacity");

mpz_class exact_value(const Integer& x) {
    mpz_class value;
    const auto limbs = x.magnitude();
    if (!limbs.empty()) mpz_import(value.get_mpz_t(), limbs.size(), -1, 8, 0, 0, limbs.data());
    return x.sign() < 0 ? mpz_class(-value) : value;
}

// The value, and that its form is the only one: no leading zero limb, no negative zero.
void expect_is(const Integer& found, const mpz_class& expected) {
    ASSERT_EQ(exact_value(found), expected);
    ASSERT_EQ(found.sign(), sgn(expected));
    const std::size_t width = expected == 0 ? 0 : mpz_sizeinbase(expected.get_mpz_t(), 2);
    ASSERT_EQ(static_cast<std::size_t>(found.bit_width()), width);
    ASSERT_EQ(found.magnitude().size(), (width + 63) / 64);
}

// Numbers of every length whose limbs are often all ones, zero or a single bit, so that carries and
// borrows run through many limbs; built with shifts and sums alone.
class IntegerSource {
public:
    explicit IntegerSource(std::uint64_t seed) : source_(seed) {}

    [[nodiscard]] DoubleSource& doubles() { return source_; }

    // |result| < 2^bits. Every length is as likely as any other, short ones more so.
    [[nodiscard]] Integer any(int bits) {
        const int width = source_.integer(0, source_.integer(0, bits));
        Integer result;
        for (int position = 0; position < width; position += 62) {
            const int here = std::min(62, width - position);
            const std::uint64_t digit = limb() & ((std::uint64_t{1} << here) - 1);
            result = result + Integer(static_cast<std::int64_t>(digit)).shifted_left(position);
        }
        return (source_.bits() & 1) != 0 ? -result : result;
    }

    // x or a close neighbour of it, perhaps negated.
    [[nodiscard]] Integer near(const Integer& x) {
        const Integer moved = x + Integer(source_.integer(-2, 2));
        return (source_.bits() & 1) != 0 ? -moved : moved;
    }

private:
    [[nodiscard]] std::uint64_t limb() {
        switch (source_.integer(0, 4)) {
            case 0:
                return 0;
            case 1:
            case 2:
                return ~std::uint64_t{0};
            case 3:
                return std::uint64_t{1} << source_.integer(0, 63);
            default:
                return source_.bits();
        }
    }

    DoubleSource source_;
};

TEST(BigInteger, HoldsEveryMachineInteger) {
    for (const std::int64_t x :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1},
          std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
        expect_is(Integer(x), mpz_class(static_cast<long>(x)));
        EXPECT_EQ(BigInteger<64>(x) == BigInteger<64>(0), x == 0);
    }
    expect_is(-Integer(), 0);
}

TEST(BigInteger, AddsSubtractsMultipliesAndComparesLikeGmp) {
    IntegerSource source(20250301);
    for (int i = 0; i < 20'000; ++i) {
        const Integer a = source.any(kFactorBits);
        const Integer b = i % 3 == 0 ? source.near(a) : source.any(kFactorBits);
        const mpz_class exact_a = exact_value(a);
        const mpz_class exact_b = exact_value(b);
        expect_is(a + b, exact_a + exact_b);
        expect_is(a - b, exact_a - exact_b);
        expect_is(a * b, exact_a * exact_b);
        expect_is(-a, -exact_a);
        ASSERT_EQ(a < b, exact_a < exact_b);
        ASSERT_EQ(a == b, exact_a == exact_b);
        ASSERT_EQ(a >= b, exact_a >= exact_b);
        if (HasFatalFailure()) return;
    }
}

TEST(BigInteger, CarriesThroughEveryLimbAndBack) {
    for (int bits = 1; bits < kBits; ++bits) {
        const Integer power = Integer(1).shifted_left(bits);
        const Integer ones = power - Integer(1);
        mpz_class exact_power;
        mpz_setbit(exact_power.get_mpz_t(), static_cast<mp_bitcnt_t>(bits));
        expect_is(power, exact_power);
        expect_is(ones, exact_power - 1);
        expect_is(ones + Integer(1), exact_power);
        expect_is(-power + ones, -1);
        expect_is(power - power, 0);
        if (HasFatalFailure()) return;
    }
}

// The largest product that fits, in every division of the bits between the factors.
TEST(BigInteger, MultipliesUpToItsCapacity) {
    for (int bits = 1; bits < kBits; ++bits) {
        const Integer a = Integer(1).shifted_left(bits) - Integer(1);
        const Integer b = Integer(1).shifted_left(kBits - bits) - Integer(1);
        expect_is(a * -b, -exact_value(a) * exact_value(b));
        const Integer c = Integer(1).shifted_left(bits);
        const Integer d = Integer(1).shifted_left(kBits - 1 - bits);
        expect_is(c * d, exact_value(Integer(1).shifted_left(kBits - 1)));
        if (HasFatalFailure()) return;
    }
}

TEST(BigInteger, CopiesAreIndependentAndMayGrowInCapacity) {
    IntegerSource source(20250302);
    for (int i = 0; i < 1000; ++i) {
        const Integer a = source.any(kBits);
        Integer b = source.any(kBits);
        const Integer copy(a);
        b = a;
        expect_is(copy, exact_value(a));
        expect_is(b, exact_value(a));
        b = -b;
        expect_is(copy, exact_value(a));
        const BigInteger<kBits + 64> wide(a);
        ASSERT_EQ(wide.sign(), a.sign());
        ASSERT_TRUE(std::equal(wide.magnitude().begin(), wide.magnitude().end(),
                               a.magnitude().begin(), a.magnitude().end()));
        if (HasFatalFailure()) return;
    }
}

TEST(BigInteger, PartsOfADoubleAreItsValue) {
    DoubleSource source(20250303);
    for (int i = 0; i < 100'000; ++i) {
        const double x = source.any();
        const DyadicParts parts = dyadic_parts(x);
        ASSERT_TRUE(parts.significand % 2 == 1 || parts == DyadicParts{}) << hex(x);
        const double magnitude = std::ldexp(static_cast<double>(parts.significand), parts.exponent);
        ASSERT_EQ(parts.negative ? -magnitude : magnitude, x) << hex(x);
    }
    EXPECT_EQ(dyadic_parts(-0.0), DyadicParts{});
}

TEST(BigInteger, TakesEveryDoubleTimesAPowerOfTwoExactly) {
    DoubleSource source(20250304);
    for (int i = 0; i < 50'000; ++i) {
        const double x = source.any();
        const int least = -dyadic_parts(x).exponent;  // the least k for which x 2^k is an integer
        const int k = i % 4 == 0 ? least : std::max(least, source.integer(-1100, 1074));
        mpq_class expected(x);
        if (k >= 0) mpq_mul_2exp(expected.get_mpq_t(), expected.get_mpq_t(), mp_bitcnt_t(k));
        if (k < 0) mpq_div_2exp(expected.get_mpq_t(), expected.get_mpq_t(), mp_bitcnt_t(-k));
        ASSERT_EQ(expected.get_den(), 1);
        expect_is(Integer::from_scaled(x, k), expected.get_num());
        if (HasFatalFailure()) return;
    }
}

void expect_rounded_down(const Integer& num, const Integer& den) {
    mpq_class exact_quotient(exact_value(num), exact_value(den));
    exact_quotient.canonicalize();
    const double found = quotient_down(num, den);
    ASSERT_EQ(tightness(exact::Side::Down, found, exact_quotient), Tightness::Tight)
        << hex(found) << " for " << exact_quotient;
}

TEST(BigInteger, RoundsQuotientsDownCorrectly) {
    IntegerSource source(20250305);
    int zeros = 0;
    int subnormals = 0;
    int beyond = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto magnitude = [](const Integer& x) { return x.sign() < 0 ? -x : x; };
        const Integer num = magnitude(source.any(kBits));
        const Integer den = magnitude(source.any(kBits));
        if (den.sign() == 0) continue;
        expect_rounded_down(num, den);
        if (HasFatalFailure()) return;
        const double found = quotient_down(num, den);
        zeros += found == 0.0 && num.sign() != 0 ? 1 : 0;
        subnormals += found > 0.0 && found < 0x1p-1022 ? 1 : 0;
        beyond += found == kMax ? 1 : 0;
    }
    EXPECT_GT(zeros, 100);
    EXPECT_GT(subnormals, 50);
    EXPECT_GT(beyond, 100);
}

// num = x den, one less and one more: the quotient is a double, just below one or just above.
TEST(BigInteger, RoundsQuotientsNextToADoubleDownCorrectly) {
    IntegerSource source(20250306);
    for (int i = 0; i < 20'000; ++i) {
        const double x = std::fabs(source.doubles().any());
        const int scale = source.doubles().integer(1074, 1200);
        const Integer factor = source.any(1500);
        if (factor.sign() <= 0) continue;
        const Integer num = Integer::from_scaled(x, scale) * factor;
        const Integer den = factor.shifted_left(scale);
        for (const int step : {-1, 0, 1}) {
            const Integer moved = num + Integer(step);
            if (moved.sign() >= 0) expect_rounded_down(moved, den);
        }
        ASSERT_EQ(quotient_down(num, den), x) << hex(x);
        if (HasFatalFailure()) return;
    }
}

TEST(BigInteger, ItsQuotientIsPositiveDownToTheSmallestDouble) {
    const Integer den = Integer(1).shifted_left(1074);
    EXPECT_EQ(quotient_down(Integer(1), den), 0x1p-1074);
    EXPECT_EQ(quotient_down(Integer(1), den + Integer(1)), 0.0);
    EXPECT_EQ(quotient_down(Integer(2), den + Integer(1)), 0x1p-1074);
    EXPECT_EQ(quotient_down(Integer(), den), 0.0);
    const Integer beyond = Integer(1).shifted_left(1024);
    EXPECT_EQ(quotient_down(beyond, Integer(1)), kMax);
    EXPECT_EQ(quotient_down(beyond - Integer(1), Integer(1)), kMax);
    EXPECT_EQ(quotient_down(Integer::from_scaled(kMax, 0) - Integer(1), Integer(1)),
              std::nextafter(kMax, 0.0));
}

}  // namespace
}  // namespace graze
