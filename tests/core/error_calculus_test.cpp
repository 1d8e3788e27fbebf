// Defends G-CORE-3 (docs/GUARANTEES.md).
#include "graze/core/error_calculus.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <utility>

#include "core/exact_reference.hpp"

namespace graze {
namespace {

using exact::DoubleSource;
using exact::hex;
using exact::kInf;
using exact::kMax;

// The expressions under attack, each written once for T = ErrorForm, double and mpq_class. The
// steps have names, since GMP's operators give expressions, not numbers.

template <class T>
using Triple = std::array<T, 3>;

template <class T>
constexpr T dot_product(const Triple<T>& a, const Triple<T>& b) {
    const T xx = a[0] * b[0];
    const T yy = a[1] * b[1];
    const T zz = a[2] * b[2];
    const T sum = xx + yy;
    return sum + zz;
}

// a d - b c
template <class T>
constexpr T determinant2(const T& a, const T& b, const T& c, const T& d) {
    const T first = a * d;
    const T second = b * c;
    return first - second;
}

constexpr ErrorForm kOne = ErrorForm::number(Dyadic(1));
constexpr ErrorForm kX = ErrorForm::variable(0);
constexpr ErrorForm kV = ErrorForm::variable(1);

// One coordinate of x + t v for t in [0, 1] where |x|, |v| and |x + t v| are at most B0, as for
// relative positions within a step.
template <class T>
constexpr T position(const T& x, const T& v, const T& t) {
    const T moved = t * v;
    return sum_within(x, moved, kX.magnitude());
}

// |x + t v|^2: the proximity test of two moving vertices.
template <class T>
constexpr T proximity(const Triple<T>& x, const Triple<T>& v, const T& t) {
    const Triple<T> p = {position<T>(x[0], v[0], t), position<T>(x[1], v[1], t),
                         position<T>(x[2], v[2], t)};
    return dot_product<T>(p, p);
}

// What an attack needs: a name, which variable bound each leaf has, the expression.
struct Dot {
    static constexpr const char* kName = "dot product";
    static constexpr std::array<std::size_t, 6> kBoundOf = {0, 0, 0, 1, 1, 1};
    template <class T>
    static constexpr T of(const std::array<T, 6>& x) {
        return dot_product<T>({x[0], x[1], x[2]}, {x[3], x[4], x[5]});
    }
};

struct CrossComponent {
    static constexpr const char* kName = "cross product";
    static constexpr std::array<std::size_t, 4> kBoundOf = {0, 0, 0, 0};
    template <class T>
    static constexpr T of(const std::array<T, 4>& x) {
        return determinant2<T>(x[0], x[1], x[2], x[3]);
    }
};

struct Determinant {
    static constexpr const char* kName = "determinant";
    static constexpr std::array<std::size_t, 9> kBoundOf = {};
    template <class T>
    static constexpr T of(const std::array<T, 9>& x) {
        const T minor_x = determinant2<T>(x[4], x[5], x[7], x[8]);
        const T minor_y = determinant2<T>(x[5], x[3], x[8], x[6]);
        const T minor_z = determinant2<T>(x[3], x[4], x[6], x[7]);
        return dot_product<T>({x[0], x[1], x[2]}, {minor_x, minor_y, minor_z});
    }
};

struct ProductOfProducts {  // losses to underflow meet each other
    static constexpr const char* kName = "product of products";
    static constexpr std::array<std::size_t, 9> kBoundOf = {0, 0, 1, 1, 2, 2, 3, 3, 3};
    template <class T>
    static constexpr T of(const std::array<T, 9>& x) {
        const T left = determinant2<T>(x[0], x[1], x[2], x[3]);
        const T right = determinant2<T>(x[4], x[5], x[6], x[7]);
        const T product = left * right;
        return product * x[8];
    }
};

template <class Expression>
constexpr ErrorForm form_of() {
    constexpr auto kBoundOf = Expression::kBoundOf;
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return Expression::template of<ErrorForm>({ErrorForm::variable(kBoundOf[I])...});
    }
    (std::make_index_sequence<kBoundOf.size()>());
}

constexpr ErrorForm kDotForm = form_of<Dot>();
constexpr ErrorForm kCrossForm = form_of<CrossComponent>();
constexpr ErrorForm kDeterminantForm = form_of<Determinant>();
constexpr ErrorForm kProximityForm = proximity<ErrorForm>({kX, kX, kX}, {kX, kX, kX}, kOne);

// What theorem 4.1 of the literature gives for the same expressions, e = 2^-52.
static_assert(kDotForm.magnitude() == 3 * (kX * kV).magnitude() && kDotForm.roundings() == 3);
static_assert(error_ceiling(kDotForm, Roundoff::Spacing) == 10);
static_assert(kProximityForm.magnitude() == 3 * (kX * kX).magnitude());
static_assert(kProximityForm.roundings() == 7, "3 B^2 ((1 + e)^7 - 1)");
static_assert(error_ceiling(kProximityForm, Roundoff::Spacing) == 22, "<= 22 B^2 e");
static_assert(kCrossForm.magnitude() == 2 * (kX * kX).magnitude() && kCrossForm.roundings() == 2);
static_assert(error_ceiling(kCrossForm, Roundoff::Spacing) == 5);
static_assert(kDeterminantForm.magnitude() == 6 * (kX * kX * kX).magnitude());
static_assert(kDeterminantForm.roundings() == 5);
static_assert(error_ceiling(kDeterminantForm, Roundoff::Spacing) == 31);
static_assert(form_of<ProductOfProducts>().roundings() == 6);
static_assert(error_ceiling(form_of<ProductOfProducts>(), Roundoff::Spacing) == 25);

// Underflow: each product may lose eta, and losses in the cofactors are multiplied by B.
static_assert(kDotForm.underflows().count[0] == 3 && kDotForm.underflows().degree() == 0);
static_assert(kDeterminantForm.underflows().count[0] == 3);
static_assert(kDeterminantForm.underflows().count[1] == 6);
static_assert((kX + kX).underflows() == UnderflowCount{}, "sums lose nothing");

// A sum with a known bound: two thirds of the roundings and half the magnitude of the plain sum.
static_assert(position<ErrorForm>(kX, kX, kOne).roundings() == 2);
static_assert(position<ErrorForm>(kX, kX, kOne).magnitude() == kX.magnitude());
static_assert(sum_within(kCrossForm, kCrossForm, (kX * kX).magnitude()).roundings() == 9);

// Leaves without error, dyadic numbers, coefficients below one.
constexpr ErrorForm kHalf = ErrorForm::number(Dyadic(1, -1)) * kX;
static_assert(error_ceiling(kX, Roundoff::Unit) == 0 &&
              error_coefficient_upper(kX, Roundoff::Unit) == 0);
static_assert(error_ceiling(kHalf, Roundoff::Unit) == 1);
static_assert(error_coefficient_upper(kHalf, Roundoff::Unit) == 0x1p-54);
static_assert(error_ceiling(kHalf + kHalf, Roundoff::Unit) == 3);
static_assert(Dyadic(12, -2) == Dyadic(3) && Dyadic(1, -1) + Dyadic(1, -1) == Dyadic(1));
static_assert(ceiling(Dyadic(5, -1)) == 3 && ceiling_of_ratio(Dyadic(7), Dyadic(1, 1)) == 4);

mpq_class power(const mpq_class& base, int k) {
    mpq_class value = 1;
    for (int i = 0; i < k; ++i)
        value *= base;
    return value;
}

// B ((1 + e)^k - 1) / (B0^d0 ...), exactly.
mpq_class exact_coefficient(const ErrorForm& form, Roundoff roundoff) {
    const Dyadic& c = form.magnitude().coefficient;
    const mpq_class coefficient = mpq_class(std::ldexp(static_cast<double>(c.integer), c.exponent));
    const mpq_class e(std::ldexp(1.0, -static_cast<int>(roundoff)));
    return coefficient * (power(1 + e, form.roundings()) - 1);
}

ErrorForm random_form(DoubleSource& source, int depth) {
    if (depth == 0) return ErrorForm::number(Dyadic(1, source.integer(-2, 1)));
    const ErrorForm l = random_form(source, source.integer(0, depth - 1));
    const ErrorForm r = random_form(source, depth - 1);
    return source.integer(0, 1) == 0 ? l + r : l * r;
}

TEST(ErrorCalculus, CeilingAndCoefficientAgreeWithExactArithmetic) {
    DoubleSource source(20250501);
    double worst = 0.0;
    for (int i = 0; i < 20'000; ++i) {
        const ErrorForm form = random_form(source, source.integer(0, 5));
        for (const Roundoff roundoff : {Roundoff::Spacing, Roundoff::Unit}) {
            const mpq_class value = exact_coefficient(form, roundoff);
            const mpq_class e(std::ldexp(1.0, -static_cast<int>(roundoff)));
            const mpq_class ceiling(error_ceiling(form, roundoff));
            ASSERT_LE(value, ceiling * e);
            ASSERT_TRUE(value == 0 || value > (ceiling - 1) * e) << "not the least integer";
            const mpq_class upper(error_coefficient_upper(form, roundoff));
            ASSERT_LE(value, upper);
            if (value > 0) worst = std::max(worst, mpq_class((upper - value) / value).get_d());
        }
    }
    std::cout << "[ measured ] coefficient too large by at most " << worst / 0x1p-53 << " u\n";
    EXPECT_LE(worst, 2 * 0x1p-53);
}

// A leaf of magnitude at most b: at b or just below it, anywhere in between, or tiny.
double leaf_within(double b, DoubleSource& source) {
    const double fraction = std::ldexp(static_cast<double>(source.bits() >> 11), -53);
    const double sign = (source.bits() & 1) != 0 ? 1.0 : -1.0;
    switch (source.integer(0, 3)) {
        case 0:
            return sign * b * (1.0 - fraction * 0x1p-6);
        case 1:
            return sign * b * fraction;
        case 2:
            return sign * b * (0.5 + 0.5 * fraction);
        default:
            return sign * std::ldexp(b, -source.integer(0, 80)) * fraction;
    }
}

struct Attack {
    double worst = 0.0;
    long finite = 0;

    void record(double computed, const mpq_class& exact_value, double bound) {
        ++finite;
        const mpq_class error = abs(mpq_class(computed) - exact_value);
        if (bound == kInf || error == 0) return;
        ASSERT_LE(error, mpq_class(bound));
        worst = std::max(worst, mpq_class(error / mpq_class(bound)).get_d());
    }
};

// Scales at which nothing, everything or only the smallest terms underflow, and up to overflow.
VariableBounds random_bounds(DoubleSource& source) {
    VariableBounds bounds{};
    const int shared = source.integer(-1074, 340);
    const bool alike = source.integer(0, 1) == 0;
    for (double& b : bounds) {
        b = std::fabs(source.with_exponent(alike ? shared : source.integer(-600, 250)));
    }
    return bounds;
}

template <class Expression>
double attack(std::uint64_t seed, int scale_low, int scale_high) {
    constexpr ErrorForm kForm = form_of<Expression>();
    constexpr std::size_t kLeaves = Expression::kBoundOf.size();
    DoubleSource source(seed);
    Attack attack;
    for (int i = 0; i < 60'000; ++i) {
        VariableBounds bounds = random_bounds(source);
        if (i % 2 == 0) bounds.fill(std::ldexp(1.0, source.integer(scale_low, scale_high)));
        std::array<double, kLeaves> leaves{};
        std::array<mpq_class, kLeaves> exact_leaves;
        for (std::size_t k = 0; k < kLeaves; ++k) {
            leaves[k] = leaf_within(bounds[Expression::kBoundOf[k]], source);
            exact_leaves[k] = mpq_class(leaves[k]);
        }
        const double computed = Expression::template of<double>(leaves);
        if (!std::isfinite(computed)) continue;
        attack.record(computed, Expression::template of<mpq_class>(exact_leaves),
                      error_upper(kForm, bounds));
        if (testing::Test::HasFatalFailure()) break;
    }
    std::cout << "[ measured ] " << Expression::kName << " at 2^" << scale_low << "..2^"
              << scale_high << ": worst error / bound = " << attack.worst << " over "
              << attack.finite << "\n";
    EXPECT_GT(attack.finite, 30'000);
    EXPECT_LE(attack.worst, 1.0);
    return attack.worst;
}

TEST(ErrorCalculus, NoAttackExceedsTheBoundOfADotProduct) {
    EXPECT_GT(attack<Dot>(20250502, -20, 20), 0.1);
    EXPECT_GT(attack<Dot>(20250503, -545, -525), 0.1);  // products of 2^-1074 and less
}

TEST(ErrorCalculus, NoAttackExceedsTheBoundOfACrossProduct) {
    EXPECT_GT(attack<CrossComponent>(20250504, -20, 20), 0.1);
    EXPECT_GT(attack<CrossComponent>(20250505, -545, -525), 0.1);
}

TEST(ErrorCalculus, NoAttackExceedsTheBoundOfADeterminant) {
    EXPECT_GT(attack<Determinant>(20250506, -20, 20), 0.1);
    EXPECT_GT(attack<Determinant>(20250507, -370, -350), 0.1);
    attack<Determinant>(20250508, -540, -520);
}

// Five products of nine leaves: losses to underflow multiply with each other and with bounds of
// other sizes. The bound replaces each by the largest, so that it is loose where they differ.
TEST(ErrorCalculus, NoAttackExceedsTheBoundWhereLossesToUnderflowMultiply) {
    attack<ProductOfProducts>(20250509, -20, 20);
    attack<ProductOfProducts>(20250510, -280, -200);
    attack<ProductOfProducts>(20250511, -560, -530);
}

TEST(ErrorCalculus, NoAttackExceedsTheBoundOfTheProximityTest) {
    DoubleSource source(20250512);
    Attack attack;
    for (int i = 0; i < 60'000; ++i) {
        const double b = std::ldexp(1.0, i % 2 == 0 ? 0 : source.integer(-560, 400));
        const double t = std::fabs(leaf_within(1.0, source));
        Triple<double> x{};
        Triple<double> v{};
        Triple<mpq_class> exact_x;
        Triple<mpq_class> exact_v;
        for (std::size_t k = 0; k < 3; ++k) {  // signs differ, so that |x + t v| <= B
            x[k] = leaf_within(b, source);
            v[k] = std::copysign(leaf_within(b, source), -x[k]);
            exact_x[k] = mpq_class(x[k]);
            exact_v[k] = mpq_class(v[k]);
        }
        attack.record(proximity<double>(x, v, t),
                      proximity<mpq_class>(exact_x, exact_v, mpq_class(t)),
                      error_upper(kProximityForm, {b, 0.0, 0.0, 0.0}));
        if (HasFatalFailure()) return;
    }
    std::cout << "[ measured ] proximity test: worst error / bound = " << attack.worst << "\n";
    EXPECT_GT(attack.worst, 0.1);
}

TEST(ErrorCalculus, ErrorUpperFailsToTheSafeSide) {
    EXPECT_EQ(error_upper(kDotForm, {kInf, 1.0, 0.0, 0.0}), kInf);
    EXPECT_EQ(error_upper(kDotForm, {std::nan(""), 1.0, 0.0, 0.0}), kInf);
    EXPECT_EQ(error_upper(kDotForm, {-1.0, 1.0, 0.0, 0.0}), kInf);
    EXPECT_EQ(error_upper(kDeterminantForm, {kMax, 0.0, 0.0, 0.0}), kInf);
}

TEST(ErrorCalculus, TheUnitRoundoffHalvesTheBoundOfTheLiterature) {
    const double sharper = error_upper(kProximityForm, {1.0, 0.0, 0.0, 0.0}, Roundoff::Unit);
    const double literature = error_upper(kProximityForm, {1.0, 0.0, 0.0, 0.0}, Roundoff::Spacing);
    EXPECT_NEAR(literature / sharper, 2.0, 1e-12);
    EXPECT_GE(literature, 21 * 0x1p-52);
    EXPECT_LE(literature, 22 * 0x1p-52);
}

}  // namespace
}  // namespace graze
