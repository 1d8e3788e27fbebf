#include "baselines/polynomial_solver.hpp"

#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace graze {
namespace {

using baselines::roots_in_unit_interval;
using baselines::UnitRoots;

std::vector<double> roots_of(const std::vector<double>& coefficients) {
    const UnitRoots roots = roots_in_unit_interval(coefficients);
    return {roots.begin(), roots.end()};
}

// The product of (t - r), rounded.
std::vector<double> with_roots(const std::vector<double>& roots) {
    std::vector<double> p = {1.0};
    for (const double r : roots) {
        p.insert(p.begin(), 0.0);
        for (std::size_t i = 0; i + 1 < p.size(); ++i)
            p[i] -= r * p[i + 1];
    }
    return p;
}

mpq_class exact_value(const std::vector<double>& coefficients, double t) {
    mpq_class value = 0;
    for (std::size_t i = coefficients.size(); i-- > 0;)
        value = value * mpq_class(t) + mpq_class(coefficients[i]);
    return value;
}

std::vector<double> random_polynomial(std::mt19937_64& rng) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::uniform_int_distribution<int> exponent(-30, 30);
    std::vector<double> p(2 + rng() % 6);
    for (double& c : p)
        c = rng() % 8 == 0 ? 0.0 : std::ldexp(unit(rng), rng() % 2 == 0 ? exponent(rng) : 0);
    return p;
}

TEST(PolynomialSolver, FindsEveryRootThatIsApartFromTheOthers) {
    std::mt19937_64 rng(20250101);
    for (int i = 0; i < 2000; ++i) {
        // Roots on a shaken grid: at least 0.1 apart, about half of them in [0, 1].
        std::vector<double> roots;
        for (int cell = -4; cell < 9; ++cell)
            roots.push_back(0.2 * cell + 0.1 * static_cast<double>(rng() % 1024) / 1024.0);
        std::shuffle(roots.begin(), roots.end(), rng);
        roots.resize(1 + rng() % 6);
        std::vector<double> expected;
        std::copy_if(roots.begin(), roots.end(), std::back_inserter(expected),
                     [](double r) { return r > 0.0 && r < 1.0; });
        std::sort(expected.begin(), expected.end());
        if (std::any_of(roots.begin(), roots.end(), [](double r) { return r == 0.0 || r == 1.0; }))
            continue;
        const std::vector<double> found = roots_of(with_roots(roots));
        ASSERT_EQ(found.size(), expected.size()) << i;
        // Condition: a relative change of 2^-50 of coefficients up to 2^7 over slopes of 0.1^5.
        for (std::size_t k = 0; k < found.size(); ++k)
            EXPECT_NEAR(found[k], expected[k], 1e-9);
    }
}

// Between two times at which the exact polynomial has opposite signs, and is larger than the
// rounding of its terms, there is a root, and the number of those found must be odd.
TEST(PolynomialSolver, FindsARootWhereverTheExactPolynomialClearlyChangesSign) {
    std::mt19937_64 rng(20250102);
    int changes = 0;
    for (int i = 0; i < 1500; ++i) {
        const std::vector<double> p = random_polynomial(rng);
        const std::vector<double> found = roots_of(p);
        double sum = 0.0;
        for (const double c : p)
            sum += std::fabs(c);
        const mpq_class noise = mpq_class(sum) * mpq_class(0x1p-48);
        double from = 0.0;
        mpq_class value_from = exact_value(p, from);
        for (int k = 1; k <= 32; ++k) {
            const double to = k / 32.0;
            const mpq_class value = exact_value(p, to);
            if (abs(value_from) > noise && abs(value) > noise) {
                const auto between = std::count_if(found.begin(), found.end(),
                                                   [&](double r) { return from < r && r < to; });
                const bool change = sgn(value_from) != sgn(value);
                if (change) {
                    EXPECT_EQ(between % 2, 1) << i << ' ' << from;
                }
                changes += change ? 1 : 0;
            }
            from = to;
            value_from = value;
        }
    }
    EXPECT_GT(changes, 500);
}

TEST(PolynomialSolver, EveryRootHasAResidualOfAFewRoundings) {
    std::mt19937_64 rng(20250103);
    double worst = 0.0;
    int roots = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::vector<double> p = random_polynomial(rng);
        double last = -1.0;
        for (const double r : roots_of(p)) {
            EXPECT_GT(r, last);
            EXPECT_TRUE(0.0 <= r && r <= 1.0);
            last = r;
            std::vector<double> sizes = p;
            for (double& c : sizes)
                c = std::fabs(c);
            const mpq_class scale = exact_value(sizes, r) * mpq_class(0x1p-53);
            if (scale == 0) continue;  // a root at 0 without a constant term
            worst = std::max(worst, mpq_class(abs(exact_value(p, r)) / scale).get_d());
            ++roots;
        }
    }
    // Evaluation loses 2 roundings a degree; a step of one unit in the last place as much again.
    EXPECT_LE(worst, 32.0);
    EXPECT_GE(worst, 1.0);
    EXPECT_GT(roots, 1000);
}

TEST(PolynomialSolver, RootsAtTheEndsCount) {
    EXPECT_EQ(roots_of({0, 1, -1}), (std::vector<double>{0, 1}));
    EXPECT_EQ(roots_of({0, 3}), (std::vector<double>{0}));
    EXPECT_EQ(roots_of({-1, 1}), (std::vector<double>{1}));
    EXPECT_EQ(roots_of({0, 0, 0, 0, 0, 0, 5}), (std::vector<double>{0}));
    EXPECT_EQ(roots_of({-1, 0, 0, 0, 0, 0, 1}), (std::vector<double>{1}));
    EXPECT_EQ(roots_of({1, 1}), (std::vector<double>{}));
}

TEST(PolynomialSolver, AMultipleRootThatDoublesHoldIsFoundOnce) {
    EXPECT_EQ(roots_of(with_roots({0.5, 0.5})), (std::vector<double>{0.5}));
    EXPECT_EQ(roots_of(with_roots({0.25, 0.25})), (std::vector<double>{0.25}));
    const std::vector<double> two = roots_of(with_roots({0.25, 0.25, 0.75, 0.75}));
    ASSERT_EQ(two.size(), 2U);
    EXPECT_DOUBLE_EQ(two[0], 0.25);
    EXPECT_DOUBLE_EQ(two[1], 0.75);
    EXPECT_EQ(roots_of(with_roots({0.5, 0.5, 0.5, 0.5, 0.5, 0.5})), (std::vector<double>{0.5}));
}

// A pair of roots d apart, as the minimum separation makes them of one contact, is found as long as
// the polynomial in between exceeds its own rounding; and is lost below, which is what the method's
// false negatives are made of.
TEST(PolynomialSolver, NearDoubleRootsAreLostOnlyBelowRounding) {
    const auto pair_at = [](double d) {
        // (t - 3/7)^2 - d^2
        const double r = 3.0 / 7.0;
        return roots_of({r * r - d * d, -2.0 * r, 1.0});
    };
    for (const double d : {1e-2, 1e-4, 1e-6, 1e-7})
        EXPECT_EQ(pair_at(d).size(), 2U) << d;
    EXPECT_LE(pair_at(1e-12).size(), 1U);
}

TEST(PolynomialSolver, ConstantsAndWhatIsNotFiniteHaveNoRoots) {
    EXPECT_TRUE(roots_of({}).empty());
    EXPECT_TRUE(roots_of({0, 0, 0, 0, 0, 0, 0}).empty());
    EXPECT_TRUE(roots_of({3, 0, 0}).empty());
    EXPECT_TRUE(roots_of({-1, std::numeric_limits<double>::infinity()}).empty());
    EXPECT_TRUE(roots_of({-1, 2, std::numeric_limits<double>::quiet_NaN()}).empty());
}

TEST(PolynomialSolver, TheSizeOfTheCoefficientsDoesNotMatter) {
    std::mt19937_64 rng(20250104);
    for (int i = 0; i < 200; ++i) {
        std::vector<double> p = with_roots({0.3, 0.6, 0.8, -1.0, 2.0});
        for (double& c : p)
            c *= 1.0 + 0x1p-10 * static_cast<double>(rng() % 16);
        const std::vector<double> plain = roots_of(p);
        ASSERT_FALSE(plain.empty());
        for (const int exponent : {-900, -600, 700, 1015}) {
            std::vector<double> scaled = p;
            for (double& c : scaled)
                c = std::ldexp(c, exponent);
            EXPECT_EQ(roots_of(scaled), plain) << exponent;
        }
    }
}

// Values that underflow everywhere must not overrun the list of roots.
TEST(PolynomialSolver, KeepsToTheDegreeWhereEverythingUnderflows) {
    const UnitRoots roots = roots_in_unit_interval(std::vector<double>{
        0x1p-1074, -0x1p-1073, 0x1p-1073, -0x1p-1074, 0x1p-1074, -0x1p-1073, 0x1p-1074});
    EXPECT_LE(roots.size(), 6U);
    UnitRoots list;
    for (int i = 0; i < 20; ++i)
        list.add(i / 20.0);
    EXPECT_EQ(list.size(), 6U);
}

}  // namespace
}  // namespace graze
