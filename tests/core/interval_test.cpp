// Defends G-CORE-2 (docs/GUARANTEES.md).
#include "graze/core/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/exact_reference.hpp"

namespace graze {
namespace {

using exact::DoubleSource;
using exact::hex;
using exact::kInf;
using exact::kMax;
using exact::Side;
using exact::Tightness;

const Interval kEntire;

std::string text(const Interval& a) {
    return "[" + hex(a.lower()) + ", " + hex(a.upper()) + "]";
}

Interval any_interval(DoubleSource& source) {
    const double a = source.any();
    const double b = source.integer(0, 2) == 0 ? source.near(a) : source.any();
    return {std::min(a, b), std::max(a, b)};
}

mpq_class exact_min(const std::vector<mpq_class>& v) {
    return *std::min_element(v.begin(), v.end());
}
mpq_class exact_max(const std::vector<mpq_class>& v) {
    return *std::max_element(v.begin(), v.end());
}

std::vector<mpq_class> ends(const Interval& a) {
    return {mpq_class(a.lower()), mpq_class(a.upper())};
}

// Applies f to every pair of ends: for + - * and / the range of the exact operation is their hull.
template <class F>
std::vector<mpq_class> corners(const Interval& a, const Interval& b, F f) {
    std::vector<mpq_class> values;
    for (const mpq_class& x : ends(a)) {
        for (const mpq_class& y : ends(b))
            values.push_back(f(x, y));
    }
    return values;
}

// The interval is the tightest one with double ends around the given values.
void expect_tightest(const Interval& result, const std::vector<mpq_class>& values) {
    ASSERT_EQ(exact::tightness(Side::Down, result.lower(), exact_min(values)), Tightness::Tight);
    ASSERT_EQ(exact::tightness(Side::Up, result.upper(), exact_max(values)), Tightness::Tight);
}

TEST(Interval, SumsDifferencesAndProductsAreTheTightestEnclosures) {
    DoubleSource source(20250301);
    for (int i = 0; i < 40'000; ++i) {
        const Interval a = any_interval(source);
        const Interval b = any_interval(source);
        SCOPED_TRACE(text(a) + " " + text(b));
        using Q = mpq_class;
        expect_tightest(a + b, corners(a, b, [](const Q& x, const Q& y) { return Q(x + y); }));
        expect_tightest(a - b, corners(a, b, [](const Q& x, const Q& y) { return Q(x - y); }));
        expect_tightest(a * b, corners(a, b, [](const Q& x, const Q& y) { return Q(x * y); }));
        if (HasFatalFailure()) return;
    }
}

TEST(Interval, QuotientsAreTheTightestEnclosuresOrTheEntireLine) {
    DoubleSource source(20250302);
    int divided = 0;
    for (int i = 0; i < 40'000; ++i) {
        const Interval a = any_interval(source);
        const Interval b = any_interval(source);
        SCOPED_TRACE(text(a) + " " + text(b));
        if (b.contains(0.0)) {
            ASSERT_EQ(a / b, kEntire);
            continue;
        }
        using Q = mpq_class;
        expect_tightest(a / b, corners(a, b, [](const Q& x, const Q& y) { return Q(x / y); }));
        if (HasFatalFailure()) return;
        ++divided;
    }
    EXPECT_GT(divided, 10'000);
}

TEST(Interval, SquaresAndMagnitudesAreTheTightestEnclosures) {
    DoubleSource source(20250303);
    for (int i = 0; i < 40'000; ++i) {
        const Interval a = any_interval(source);
        SCOPED_TRACE(text(a));
        std::vector<mpq_class> squares;
        std::vector<mpq_class> sizes;
        for (const mpq_class& x : ends(a)) {
            squares.emplace_back(x * x);
            sizes.emplace_back(abs(x));
        }
        if (a.contains(0.0)) {
            squares.emplace_back(0);
            sizes.emplace_back(0);
        }
        expect_tightest(square(a), squares);
        expect_tightest(abs(a), sizes);
        if (HasFatalFailure()) return;
    }
}

// A rational in the interval: an end or a point between them.
mpq_class member(const Interval& a, DoubleSource& source) {
    const mpq_class s(source.integer(0, 16), 16);
    return mpq_class(a.lower()) + s * (mpq_class(a.upper()) - mpq_class(a.lower()));
}
bool holds(const Interval& a, const mpq_class& x) {
    return (a.lower() == -kInf || mpq_class(a.lower()) <= x) &&
           (a.upper() == kInf || mpq_class(a.upper()) >= x);
}

TEST(Interval, LerpHoldsEveryPointBetweenMembersOfItsEnds) {
    DoubleSource source(20250304);
    for (int i = 0; i < 20'000; ++i) {
        const Interval a = any_interval(source);
        const Interval b = any_interval(source);
        const double t0 = std::ldexp(static_cast<double>(source.bits() >> 11), -53);
        const double t1 = source.integer(0, 1) == 0 ? source.near(t0) : 1.0;
        const Interval t(std::min(t0, t1), std::max(t0, t1));
        const mpq_class s = member(t, source);
        const mpq_class value = (1 - s) * member(a, source) + s * member(b, source);
        ASSERT_TRUE(holds(lerp(a, b, t), value)) << text(a) << " " << text(b) << " " << text(t);
    }
}

TEST(Interval, LerpOfPointsIsNotWiderThanFourRoundings) {
    const Interval middle = lerp(Interval(1.0), Interval(3.0), Interval(0.3));
    EXPECT_TRUE(middle.contains(1.6));
    EXPECT_LE(width_upper(middle), 4 * 0x1p-52 * 1.6);
    EXPECT_EQ(lerp(Interval(1.0), Interval(3.0), Interval(0.0, 1.0)), Interval(1.0, 3.0));
    EXPECT_EQ(lerp(Interval(1.0), Interval(3.0), kEntire), kEntire);
}

TEST(Interval, PolynomialsHoldTheExactValueAtEveryMember) {
    DoubleSource source(20250305);
    for (int i = 0; i < 5'000; ++i) {
        std::vector<Interval> coefficients;
        const Interval x(-0.5, source.integer(0, 4) * 0.3);
        const mpq_class at = member(x, source);
        mpq_class value = 0;
        mpq_class power = 1;
        for (int k = 0; k < 4; ++k) {
            const Interval c(source.with_exponent(source.integer(-30, 30)));
            coefficients.push_back(c);
            value += power * mpq_class(c.lower());
            power *= at;
        }
        ASSERT_TRUE(holds(polynomial(coefficients, x), value)) << text(x);
    }
    EXPECT_EQ(polynomial({}, Interval(2.0)), Interval(0.0));
}

TEST(Interval, InvalidEndsGiveTheEntireLine) {
    const double nan = std::nan("");
    EXPECT_EQ(Interval(2.0, 1.0), kEntire);
    EXPECT_EQ(Interval(nan, 1.0), kEntire);
    EXPECT_EQ(Interval(1.0, nan), kEntire);
    EXPECT_EQ(Interval(kInf, kInf), kEntire);
    EXPECT_EQ(Interval(-kInf, -kInf), kEntire);
    EXPECT_EQ(Interval(nan), kEntire);
    EXPECT_EQ(Interval(kInf), kEntire);
    EXPECT_EQ(Interval(-kInf), kEntire);
}

TEST(Interval, UnboundedOperandsKeepTheBoundsThatRemainTrue) {
    const Interval beyond(1.0, kInf);
    EXPECT_EQ(beyond + Interval(1.0), Interval(2.0, kInf));
    EXPECT_EQ(beyond - beyond, kEntire);
    EXPECT_EQ(beyond * Interval(2.0, 3.0), Interval(2.0, kInf));
    EXPECT_EQ(beyond * Interval(-3.0, -2.0), Interval(-kInf, -2.0));
    EXPECT_EQ(beyond * Interval(-1.0, 1.0), kEntire);
    EXPECT_EQ(square(-beyond), beyond);
    EXPECT_EQ(kEntire * kEntire, kEntire);
    EXPECT_EQ(kEntire - kEntire, kEntire);
    EXPECT_EQ(certain_sign(beyond * beyond), Sign::Positive);
    EXPECT_TRUE((Interval(1.0) / beyond).contains(Interval(0.0, 1.0)));
}

TEST(Interval, OverflowOpensAnEndAndKeepsTheSign) {
    const Interval huge = Interval(kMax) + Interval(kMax);
    EXPECT_EQ(huge, Interval(kMax, kInf));
    EXPECT_EQ(certain_sign(huge), Sign::Positive);
    EXPECT_EQ(certain_sign(Interval(kMax) * Interval(-kMax)), Sign::Negative);
    EXPECT_EQ(certain_sign(Interval(0x1p-1074) * Interval(0x1p-1074)), Sign::Unknown);
}

TEST(Interval, SignsAreCertainOnlyIfAllMembersShareThem) {
    EXPECT_EQ(certain_sign(Interval(0x1p-1074, 1.0)), Sign::Positive);
    EXPECT_EQ(certain_sign(Interval(-1.0, -0x1p-1074)), Sign::Negative);
    EXPECT_EQ(certain_sign(Interval(0.0)), Sign::Zero);
    EXPECT_EQ(certain_sign(Interval(-0.0, 0.0)), Sign::Zero);
    EXPECT_EQ(certain_sign(Interval(0.0, 1.0)), Sign::Unknown);
    EXPECT_EQ(certain_sign(Interval(-1.0, 0.0)), Sign::Unknown);
    EXPECT_EQ(certain_sign(kEntire), Sign::Unknown);
}

TEST(Interval, SetOperationsAreExact) {
    const Interval a(1.0, 3.0);
    const Interval b(2.0, 5.0);
    EXPECT_EQ(hull(a, b), Interval(1.0, 5.0));
    EXPECT_EQ(intersection(a, b), Interval(2.0, 3.0));
    EXPECT_EQ(intersection(a, Interval(3.0)), Interval(3.0));
    EXPECT_EQ(intersection(a, Interval(4.0)), std::nullopt);
    EXPECT_EQ(intersection(a, kEntire), a);
    EXPECT_EQ(min(a, b), Interval(1.0, 3.0));
    EXPECT_EQ(max(a, b), Interval(2.0, 5.0));
    EXPECT_TRUE(kEntire.contains(a) && a.contains(a) && !a.contains(b));
    EXPECT_FALSE(a.contains(std::nan("")));
    EXPECT_TRUE(certainly_less(a, Interval(3.5)) && !certainly_less(a, Interval(3.0)));
}

TEST(Interval, WidthIsRoundedUpAndTheMidpointIsAMember) {
    EXPECT_EQ(width_upper(Interval(-0x1p-60, 1.0)), 1.0 + 0x1p-52);
    EXPECT_EQ(width_upper(Interval(-kMax, kMax)), kInf);
    EXPECT_EQ(width_upper(kEntire), kInf);
    DoubleSource source(20250306);
    for (int i = 0; i < 50'000; ++i) {
        const Interval a = any_interval(source);
        ASSERT_TRUE(a.contains(midpoint(a))) << text(a);
    }
    EXPECT_EQ(midpoint(kEntire), 0.0);
    EXPECT_EQ(midpoint(Interval(1.0, kInf)), 1.0);
}

}  // namespace
}  // namespace graze
