#include "graze/core/power_of_two.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/exact_reference.hpp"

namespace graze {
namespace {

using exact::DoubleSource;
using exact::hex;
using exact::kInf;
using exact::kMax;

mpq_class times_power_of_two(double x, int k) {
    mpq_class value(x);
    if (k >= 0) mpq_mul_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(k));
    if (k < 0) mpq_div_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-k));
    return value;
}

TEST(PowerOfTwo, IsExactForEveryExponentOfADouble) {
    for (int k = kMinExponent; k <= kMaxExponent; ++k) {
        ASSERT_EQ(power_of_two(k), std::ldexp(1.0, k)) << k;
        ASSERT_EQ(binary_exponent(power_of_two(k)), k);
    }
}

TEST(PowerOfTwo, BinaryExponentBracketsTheMagnitude) {
    DoubleSource source(20250201);
    for (int i = 0; i < 200'000; ++i) {
        const double x = source.any();
        const std::optional<int> e = binary_exponent(x);
        ASSERT_EQ(e.has_value(), x != 0.0) << hex(x);
        if (!e) continue;
        ASSERT_LE(power_of_two(*e), std::fabs(x)) << hex(x);
        ASSERT_LT(mpq_class(std::fabs(x)), times_power_of_two(1.0, *e + 1)) << hex(x);
    }
}

TEST(PowerOfTwo, BinaryExponentIsNothingForZeroAndForWhatIsNotFinite) {
    for (const double x : {0.0, -0.0, kInf, -kInf, std::nan("")}) {
        EXPECT_EQ(binary_exponent(x), std::nullopt);
    }
}

TEST(PowerOfTwo, LargestExponentSeesTheLargestMagnitudeAndRefusesWhatIsNotFinite) {
    EXPECT_EQ(largest_exponent(std::array{1.0, -9.0, 0x1p-1074}), 3);
    EXPECT_EQ(largest_exponent(std::array{0.0, -0.0}), std::nullopt);
    EXPECT_EQ(largest_exponent(std::array{1.0, kInf}), std::nullopt);
    EXPECT_EQ(largest_exponent(std::array{std::nan(""), 1.0}), std::nullopt);
    EXPECT_EQ(largest_exponent({}), std::nullopt);
}

TEST(PowerOfTwo, ScalingIsExactPreciselyWhereItIsSaidToBe) {
    DoubleSource source(20250202);
    int exact_count = 0;
    for (int i = 0; i < 200'000; ++i) {
        const double x = source.any();
        const int k = source.integer(-2200, 2200);
        const double result = scaled(x, k);
        const bool is_exact =
            std::isfinite(result) && mpq_class(result) == times_power_of_two(x, k);
        ASSERT_EQ(scales_exactly(x, k), is_exact) << hex(x) << " " << k;
        exact_count += is_exact ? 1 : 0;
    }
    EXPECT_GT(exact_count, 50'000);
    EXPECT_LT(exact_count, 150'000);
}

TEST(PowerOfTwo, ScalingRoundsOnceLikeTheStandardLibrary) {
    DoubleSource source(20250203);
    for (int i = 0; i < 200'000; ++i) {
        const double x = source.any();
        const int target = source.integer(-1080, -1020);  // results where rounding happens
        const int k = i % 2 == 0 ? target - binary_exponent(x).value_or(0)
                                 : source.integer(-100'000, 100'000);
        ASSERT_EQ(scaled(x, k), std::ldexp(x, k)) << hex(x) << " " << k;
    }
}

TEST(PowerOfTwo, ScalingKeepsInfinitiesAndNan) {
    for (const int k : {-3000, -1, 0, 1, 3000}) {
        EXPECT_EQ(scaled(kInf, k), kInf);
        EXPECT_TRUE(std::isnan(scaled(std::nan(""), k)));
        EXPECT_FALSE(scales_exactly(kInf, k));
    }
    EXPECT_TRUE(scales_exactly(0.0, 5000));
    EXPECT_FALSE(scales_exactly(kMax, 1));
}

}  // namespace
}  // namespace graze
