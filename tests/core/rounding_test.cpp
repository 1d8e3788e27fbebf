// Defends G-CORE-1 (docs/GUARANTEES.md).
#include "graze/core/rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <vector>

#include "core/exact_reference.hpp"

namespace graze {
namespace {

using exact::DoubleSource;
using exact::hex;
using exact::kInf;
using exact::kMax;
using exact::Side;
using exact::Tally;
using exact::Tightness;

struct Pair {
    double a;
    double b;
};

// Pairs whose sum, product or quotient is anywhere, and often where rounding is delicate.
Pair any_pair(DoubleSource& source) {
    const double a = source.any();
    if (source.integer(0, 3) == 0) return {a, source.near(-a)};
    return {a, source.any()};
}
Pair pair_with_delicate_product(DoubleSource& source) {
    if (source.integer(0, 2) == 0) return any_pair(source);
    const int target =
        source.integer(0, 1) == 0 ? source.integer(-1080, -955) : source.integer(1020, 1025);
    const int first = source.integer(std::max(-1074, target - 1023), std::min(1023, target + 1074));
    return {source.with_exponent(first), source.with_exponent(target - first)};
}
Pair pair_with_delicate_quotient(DoubleSource& source) {
    if (source.integer(0, 2) == 0) return any_pair(source);
    if (source.integer(0, 3) == 0) {  // an exact quotient, or next to one
        const double q = source.with_exponent(source.integer(-500, 500));
        const double b = source.short_significand();
        const double a = q * b;
        return {std::isfinite(a) ? source.near(a) : q, b};
    }
    const int target =
        source.integer(0, 1) == 0 ? source.integer(-1080, -1015) : source.integer(1020, 1025);
    const int divisor =
        source.integer(std::max(-1074, -1074 - target), std::min(1023, 1023 - target));
    return {source.with_exponent(target + divisor), source.with_exponent(divisor)};
}

// Runs one operation both ways over many pairs against the exact result; all must be tight.
template <class Pairs, class Exact>
void expect_tight(const char* name, Pairs pairs, double (*down)(double, double),
                  double (*up)(double, double), Exact exact_result) {
    DoubleSource source(20250101);
    Tally tally;
    for (int i = 0; i < 200'000; ++i) {
        const Pair p = pairs(source);
        if (!std::isfinite(p.a) || !std::isfinite(p.b)) continue;
        const auto value = exact_result(p);
        if (!value) continue;
        const Tightness lower = exact::tightness(Side::Down, down(p.a, p.b), *value);
        const Tightness upper = exact::tightness(Side::Up, up(p.a, p.b), *value);
        tally.add(lower);
        tally.add(upper);
        ASSERT_EQ(lower, Tightness::Tight) << name << "_down " << hex(p.a) << " " << hex(p.b);
        ASSERT_EQ(upper, Tightness::Tight) << name << "_up " << hex(p.a) << " " << hex(p.b);
    }
    std::cout << "[ measured ] " << name << ": " << tally << "\n";
    EXPECT_GT(tally.of(Tightness::Tight), 300'000);
}

using Value = std::optional<mpq_class>;

TEST(Rounding, SumsAreDirectedlyRoundedForAllFiniteOperands) {
    expect_tight("add", any_pair, add_down, add_up,
                 [](Pair p) { return Value(mpq_class(p.a) + mpq_class(p.b)); });
    expect_tight("sub", any_pair, sub_down, sub_up,
                 [](Pair p) { return Value(mpq_class(p.a) - mpq_class(p.b)); });
}

TEST(Rounding, ProductsAreDirectedlyRoundedForAllFiniteOperands) {
    expect_tight("mul", pair_with_delicate_product, mul_down, mul_up,
                 [](Pair p) { return Value(mpq_class(p.a) * mpq_class(p.b)); });
}

TEST(Rounding, QuotientsAreDirectedlyRoundedForAllFiniteOperands) {
    expect_tight("div", pair_with_delicate_quotient, div_down, div_up, [](Pair p) {
        return p.b == 0.0 ? Value() : Value(mpq_class(p.a) / mpq_class(p.b));
    });
}

double root_argument(DoubleSource& source) {
    const double x = std::fabs(source.any());
    if (source.integer(0, 2) > 0) return x;
    const double root = std::sqrt(x);  // a perfect square where it is representable, or next to one
    return std::fabs(source.near(root * root));
}

TEST(Rounding, SquareRootsAreDirectedlyRoundedForAllFiniteOperands) {
    DoubleSource source(20250102);
    Tally tally;
    for (int i = 0; i < 200'000; ++i) {
        const double x = root_argument(source);
        const mpq_class value(x);
        const auto squared = [](double c) { return mpq_class(mpq_class(c) * mpq_class(c)); };
        const Tightness lower = exact::tightness_down(
            sqrt_down(x), [&](double c) { return c <= 0.0 || squared(c) <= value; });
        const Tightness upper = exact::tightness_up(
            sqrt_up(x), [&](double c) { return c >= 0.0 && squared(c) >= value; });
        tally.add(lower);
        tally.add(upper);
        ASSERT_EQ(lower, Tightness::Tight) << hex(x);
        ASSERT_EQ(upper, Tightness::Tight) << hex(x);
    }
    std::cout << "[ measured ] sqrt: " << tally << "\n";
}

TEST(Rounding, DirectedResultsOfEverySpecialPairAreTight) {
    std::vector<double> specials;
    for (const double x : {0.0, 0x1p-1074, 0x1p-1073, 0x1p-1022, 0x1p-960, 0x1p-537, 0x1p-53, 1.0,
                           3.0, 0x1p+53, 0x1p+512, 0x1p+970, 0x1p+1023, kMax}) {
        for (const double y : {x, std::nextafter(x, kInf), std::nextafter(x, -kInf)}) {
            if (std::isfinite(y)) specials.insert(specials.end(), {y, -y});
        }
    }
    for (const double a : specials) {
        for (const double b : specials) {
            SCOPED_TRACE(hex(a) + " " + hex(b));
            const mpq_class x(a);
            const mpq_class y(b);
            ASSERT_EQ(exact::tightness(Side::Down, add_down(a, b), x + y), Tightness::Tight);
            ASSERT_EQ(exact::tightness(Side::Up, add_up(a, b), x + y), Tightness::Tight);
            ASSERT_EQ(exact::tightness(Side::Down, mul_down(a, b), x * y), Tightness::Tight);
            ASSERT_EQ(exact::tightness(Side::Up, mul_up(a, b), x * y), Tightness::Tight);
            if (b == 0.0) continue;
            ASSERT_EQ(exact::tightness(Side::Down, div_down(a, b), x / y), Tightness::Tight);
            ASSERT_EQ(exact::tightness(Side::Up, div_up(a, b), x / y), Tightness::Tight);
        }
    }
}

TEST(Rounding, OperandsThatAreNotFiniteFailToTheSafeSide) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {kInf, -kInf, nan}) {
        for (const double other : {0.0, 1.0, -1.0, kMax, kInf, -kInf, nan}) {
            for (const auto down : {add_down, sub_down, mul_down, div_down}) {
                EXPECT_EQ(down(bad, other), -kInf);
                EXPECT_EQ(down(other, bad), -kInf);
            }
            for (const auto up : {add_up, sub_up, mul_up, div_up}) {
                EXPECT_EQ(up(bad, other), kInf);
                EXPECT_EQ(up(other, bad), kInf);
            }
        }
        EXPECT_EQ(sqrt_down(bad), -kInf);
        EXPECT_EQ(sqrt_up(bad), kInf);
    }
}

TEST(Rounding, UndefinedResultsFailToTheSafeSide) {
    for (const double a : {0.0, -0.0, 1.0, -1.0, kMax}) {
        for (const double zero : {0.0, -0.0}) {
            EXPECT_EQ(div_down(a, zero), -kInf);
            EXPECT_EQ(div_up(a, zero), kInf);
        }
    }
    EXPECT_EQ(sqrt_down(-0x1p-1074), -kInf);
    EXPECT_EQ(sqrt_up(-0x1p-1074), kInf);
    EXPECT_EQ(sqrt_down(-0.0), 0.0);
    EXPECT_EQ(sqrt_up(-0.0), 0.0);
}

TEST(Rounding, NextUpAndNextDownAgreeWithTheStandardLibraryOnRandomBitPatterns) {
    DoubleSource source(20250105);
    for (int i = 0; i < 1'000'000; ++i) {
        const double x = i % 8 == 0 ? source.special() : std::bit_cast<double>(source.bits());
        if (std::isnan(x)) {
            ASSERT_TRUE(std::isnan(next_up(x)) && std::isnan(next_down(x)));
        } else {
            ASSERT_EQ(next_up(x), std::nextafter(x, kInf)) << hex(x);
            ASSERT_EQ(next_down(x), std::nextafter(x, -kInf)) << hex(x);
        }
    }
}

TEST(Rounding, NextUpAndNextDownStepOverZeroAndStopAtInfinity) {
    EXPECT_EQ(next_up(-0.0), 0x1p-1074);
    EXPECT_EQ(next_down(-0.0), -0x1p-1074);
    EXPECT_TRUE(std::signbit(next_up(-0x1p-1074)));
    EXPECT_EQ(next_up(kInf), kInf);
    EXPECT_EQ(next_up(-kInf), -kMax);
    EXPECT_EQ(next_down(-kInf), -kInf);
}

TEST(Rounding, TwoSumAndTwoDiffLoseNothing) {
    DoubleSource source(20250103);
    int checked = 0;
    for (int i = 0; i < 200'000; ++i) {
        const Pair p = any_pair(source);
        if (!std::isfinite(p.a + p.b) || std::fabs(p.a) == kMax) continue;
        const ValueAndError sum = two_sum(p.a, p.b);
        ASSERT_EQ(mpq_class(sum.value) + mpq_class(sum.error), mpq_class(p.a) + mpq_class(p.b))
            << hex(p.a) << " " << hex(p.b);
        ASSERT_EQ(sum, two_diff(p.a, -p.b));
        const bool ordered = std::fabs(p.a) >= std::fabs(p.b);
        ASSERT_EQ(sum, ordered ? fast_two_sum(p.a, p.b) : fast_two_sum(p.b, p.a));
        ++checked;
    }
    EXPECT_GT(checked, 150'000);
}

TEST(Rounding, TwoProdLosesNothingDownToItsStatedThreshold) {
    DoubleSource source(20250104);
    for (int i = 0; i < 200'000; ++i) {
        const int target = source.integer(-968, 1021);
        const int first =
            source.integer(std::max(-1074, target - 1023), std::min(1023, target + 1074));
        const double a = source.with_exponent(first);
        const double b = source.with_exponent(target - first);
        const mpq_class product = mpq_class(a) * mpq_class(b);
        if (abs(product) < mpq_class(0x1p-968)) continue;
        const ValueAndError p = two_prod(a, b);
        ASSERT_EQ(mpq_class(p.value) + mpq_class(p.error), product) << hex(a) << " " << hex(b);
    }
}

TEST(Rounding, TwoProdDoesLoseBitsBelowItsThreshold) {
    const double a = 0x1.0000000000001p-500;  // a^2 has a last bit of 2^-1104
    EXPECT_NE(mpq_class(two_prod(a, a).value) + mpq_class(two_prod(a, a).error),
              mpq_class(a) * mpq_class(a));
}

}  // namespace
}  // namespace graze
