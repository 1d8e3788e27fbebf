// Defends G-ALL-8 (docs/GUARANTEES.md).
// The reference is the C library in long double, whose 11 bits more (on x86) show errors of a
// thousandth of an ulp.
#include "graze/core/elementary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze {
namespace {

constexpr bool kHasReference = std::numeric_limits<long double>::digits >= 64;
constexpr double kArcInfinity = std::numeric_limits<double>::infinity();

// |found - exact| in units in the last place of the exact value, 2^(floor(log2 |exact|) - 52).
double ulps(double found, long double exact) {
    if (static_cast<long double>(found) == exact) return 0.0;
    const int exponent = std::max(std::ilogb(exact), -1022);
    return static_cast<double>(std::fabs(static_cast<long double>(found) - exact) /
                               std::scalbn(1.0L, exponent - 52));
}

// Angles of all sizes, and near multiples of pi/2.
std::vector<double> angles() {
    std::mt19937_64 rng(1);
    std::vector<double> result = {0x1p-1074,
                                  0x1p-300,
                                  1.0,
                                  0.5 * std::numbers::pi,
                                  std::numbers::pi,
                                  0x1p19,
                                  0x1.fffffffffffffp1023};
    std::uniform_real_distribution<double> fraction(-1.0, 1.0);
    for (int i = 0; i < 20'000; ++i) {
        result.push_back(fraction(rng) * std::scalbn(1.0, static_cast<int>(rng() % 60) - 30));
        result.push_back(3.2 * fraction(rng));
        const double multiple = static_cast<double>(rng() % 2000) * (0.5 * std::numbers::pi);
        result.push_back(multiple);
        result.push_back(std::nextafter(multiple, kArcInfinity));
    }
    return result;
}

double worst_of(const std::vector<double>& at, const std::function<double(double)>& own,
                const std::function<long double(long double)>& reference) {
    double worst = 0.0;
    for (const double x : at)
        worst = std::max(worst, ulps(own(x), reference(x)));
    return worst;
}

TEST(ElementaryTest, SinesAndCosinesAreWithinALittleMoreThanHalfAnUlp) {
    if (!kHasReference) GTEST_SKIP() << "long double has no more bits than double";
    EXPECT_LT(worst_of(angles(), sine, [](long double x) { return std::sin(x); }), 0.57);
    EXPECT_LT(worst_of(angles(), cosine, [](long double x) { return std::cos(x); }), 0.57);
    EXPECT_LT(worst_of(angles(), tangent, [](long double x) { return std::tan(x); }), 2.0);
}

// 22 / 7 and its like for doubles: 6381956970095103 2^797 is as near to a multiple of pi/2 as any
// (Muller, Elementary Functions).
TEST(ElementaryTest, HugeAnglesAreReducedExactly) {
    EXPECT_EQ(sine(1e22), -0.8522008497671888);
    EXPECT_EQ(cosine(1e22), 0.52321478539513899);
    EXPECT_EQ(cosine(std::ldexp(6381956970095103.0, 797)), -4.6871659242546277e-19);
    for (const double x : {1e22, 0x1p900, 1.7e300, 123456789.0}) {
        const double s = sine(x);
        const double c = cosine(x);
        EXPECT_NEAR(s * s + c * c, 1.0, 1e-15);
        EXPECT_EQ(sine(-x), -s);
        EXPECT_EQ(cosine(-x), c);
    }
}

TEST(ElementaryTest, BothReductionsAgreeWhereTheyMeet) {
    for (double x = 0x1p19; x < 0x1p19 + 40.0; x += 0.37) {
        EXPECT_LT(ulps(sine(x), std::sin(static_cast<long double>(x))), 0.57);
        EXPECT_LT(ulps(sine(x - 41.0), std::sin(static_cast<long double>(x - 41.0))), 0.57);
    }
}

TEST(ElementaryTest, ArcTangentsAreWithinALittleMoreThanHalfAnUlp) {
    if (!kHasReference) GTEST_SKIP() << "long double has no more bits than double";
    std::mt19937_64 rng(2);
    std::uniform_real_distribution<double> fraction(-1.0, 1.0);
    double worst = 0.0;
    for (int i = 0; i < 100'000; ++i) {
        const int spread = i % 2 == 0 ? 2 : 120;
        const double y = fraction(rng) * std::scalbn(1.0, static_cast<int>(rng() % 120) % spread);
        const double x = fraction(rng) * std::scalbn(1.0, static_cast<int>(rng() % 120) % spread);
        worst = std::max(worst, ulps(arc_tangent(y, x), std::atan2(static_cast<long double>(y),
                                                                   static_cast<long double>(x))));
    }
    EXPECT_LT(worst, 0.57);
}

TEST(ElementaryTest, SpecialCasesAreThoseOfTheStandardLibrary) {
    const std::vector<double> values = {0.0,          -0.0,          1.0,       -1.0,
                                        kArcInfinity, -kArcInfinity, 0x1p-1074, -0x1p1023};
    for (const double y : values) {
        for (const double x : values) {
            EXPECT_EQ(arc_tangent(y, x), std::atan2(y, x)) << y << " " << x;
            EXPECT_EQ(std::signbit(arc_tangent(y, x)), std::signbit(std::atan2(y, x)));
        }
    }
    EXPECT_TRUE(std::isnan(arc_tangent(NAN, 1.0)) && std::isnan(arc_tangent(1.0, NAN)));
    EXPECT_TRUE(std::isnan(sine(kArcInfinity)) && std::isnan(cosine(-kArcInfinity)) &&
                std::isnan(tangent(NAN)));
    EXPECT_TRUE(std::signbit(sine(-0.0)) && std::signbit(tangent(-0.0)));
    EXPECT_EQ(arc_sine(1.0), std::asin(1.0));
    EXPECT_EQ(arc_sine(-1.0), std::asin(-1.0));
    EXPECT_TRUE(std::isnan(arc_sine(1.0 + 0x1p-52)));
    EXPECT_TRUE(std::isnan(logarithm(0.0)) && std::isnan(logarithm(-1.0)));
    EXPECT_EQ(exponential(0.0), 1.0);
    EXPECT_EQ(exponential(1000.0), kArcInfinity);
    EXPECT_EQ(exponential(-1000.0), 0.0);
}

TEST(ElementaryTest, ArcSinesLogarithmsAndExponentialsAreWithinSomeUlps) {
    if (!kHasReference) GTEST_SKIP() << "long double has no more bits than double";
    std::mt19937_64 rng(3);
    std::uniform_real_distribution<double> fraction(-1.0, 1.0);
    double arc = 0.0;
    double log = 0.0;
    double exp = 0.0;
    for (int i = 0; i < 50'000; ++i) {
        const double x = fraction(rng);
        arc = std::max(arc, ulps(arc_sine(x), std::asin(static_cast<long double>(x))));
        const double size =
            (1.0 + std::fabs(x)) * std::scalbn(1.0, static_cast<int>(rng() % 2000) - 1000);
        log = std::max(log, ulps(logarithm(size), std::log(static_cast<long double>(size))));
        exp = std::max(exp,
                       ulps(exponential(700.0 * x), std::exp(static_cast<long double>(700.0 * x))));
    }
    EXPECT_LT(arc, 2.0);
    EXPECT_LT(log, 3.0);
    EXPECT_LT(exp, 3.0);
}

// Of a barrier potential: the smaller a logarithm is, the more of it cancels.
TEST(ElementaryTest, LogarithmsNearOneAreWithinSomeUlps) {
    if (!kHasReference) GTEST_SKIP() << "long double has no more bits than double";
    std::mt19937_64 rng(4);
    std::uniform_real_distribution<double> fraction(0.0, 1.0);
    std::vector<double> at = {
        0.5,       std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0), 0x1p-1074,
        0x1p-1022, 0x1.fffffffffffffp1023};
    for (int i = 0; i < 50'000; ++i) {
        at.push_back(fraction(rng));
        at.push_back(1.0 - fraction(rng) * std::scalbn(1.0, -static_cast<int>(rng() % 50)));
        at.push_back(1.0 + fraction(rng) * std::scalbn(1.0, -static_cast<int>(rng() % 50)));
    }
    std::erase_if(at, [](double x) { return !(x > 0.0); });
    EXPECT_LT(worst_of(at, logarithm, [](long double x) { return std::log(x); }), 3.0);
    EXPECT_EQ(logarithm(1.0), 0.0);
}

TEST(ElementaryTest, CubeRootsAreWithinALittleMoreThanHalfAnUlp) {
    for (int i = 0; i <= 1000; ++i)
        EXPECT_EQ(cube_root(static_cast<double>(i) * i * i), i);
    EXPECT_EQ(cube_root(-0x1p-1074), -0x1p-358);
    EXPECT_EQ(cube_root(kArcInfinity), kArcInfinity);
    EXPECT_TRUE(std::signbit(cube_root(-0.0)) && std::isnan(cube_root(NAN)));
    if (!kHasReference) GTEST_SKIP() << "long double has no more bits than double";
    std::mt19937_64 rng(5);
    std::uniform_real_distribution<double> fraction(-1.0, 1.0);
    std::vector<double> at = {0x1.fffffffffffffp1023, 0x1p-1022, 0x3p-1074};
    for (int i = 0; i < 50'000; ++i)
        at.push_back(fraction(rng) * std::scalbn(1.0, static_cast<int>(rng() % 2040) - 1020));
    EXPECT_LT(worst_of(at, cube_root, [](long double x) { return std::cbrt(x); }), 0.51);
}

TEST(ElementaryTest, PowersOfTenAreTheNearestDoublesAndBoundTheirDecade) {
    for (int n = -307; n <= 308; ++n) {
        const double power = std::strtod(("1e" + std::to_string(n)).c_str(), nullptr);
        EXPECT_EQ(power_of_ten(n), power) << n;
        EXPECT_EQ(decade_of(power), n);
        EXPECT_EQ(decade_of(std::nextafter(power, kArcInfinity)), n);
        EXPECT_EQ(decade_of(std::nextafter(power, 0.0)), n - 1);
    }
    EXPECT_EQ(power_of_ten(309), kArcInfinity);
    EXPECT_EQ(power_of_ten(-400), 0.0);
    EXPECT_EQ(decade_of(0x1.fffffffffffffp1023), 308);
    EXPECT_EQ(decade_of(0x1p-1074), -324);
    EXPECT_TRUE(decade_of(0.0) == 0 && decade_of(NAN) == 0 && decade_of(kArcInfinity) == 0);
}

// What scalar code and other libraries give: no factor of the length is rounded twice by overflow.
TEST(ElementaryTest, LengthsNeitherOverflowNorUnderflow) {
    EXPECT_EQ(norm(Vec3{3.0, -4.0, 0.0}), 5.0);
    EXPECT_EQ(norm(Vec3{0x1.8p1000, 0.0, -0x1p1001}), 0x1.4p1001);
    EXPECT_EQ(norm(Vec3{0x3p-1074, 0x4p-1074, 0.0}), 0x5p-1074);
    EXPECT_EQ(norm(Vec3{}), 0.0);
    EXPECT_TRUE(std::isnan(norm(Vec3{NAN, 1.0, 0.0})));
}

}  // namespace
}  // namespace graze
