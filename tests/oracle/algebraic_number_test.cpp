// Both kinds of real algebraic numbers (Descartes and Sturm) on the same polynomials.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "descartes.hpp"
#include "sturm.hpp"

namespace graze::oracle {
namespace {

Poly root_at(const mpz_class& num, const mpz_class& den) {
    return Poly({-num, den});
}

mpz_class power_of_two(unsigned long k) {
    return mpz_class(1) << k;
}

std::vector<std::pair<double, double>> descartes_brackets(const Poly& p) {
    std::vector<std::pair<double, double>> brackets;
    for (const AlgebraicNumber& root : roots_in_unit_interval(p)) {
        brackets.push_back(root.double_bracket());
    }
    return brackets;
}

std::vector<std::pair<double, double>> sturm_brackets(const Poly& p) {
    std::vector<std::pair<double, double>> brackets;
    for (const SturmRoot& root : sturm_roots_in_unit_interval(p)) {
        brackets.push_back(sturm_double_bracket(root));
    }
    std::sort(brackets.begin(), brackets.end());
    return brackets;
}

using Brackets = std::vector<std::pair<double, double>>;

void expect_roots(const Poly& p, const Brackets& expected) {
    EXPECT_EQ(descartes_brackets(p), expected);
    EXPECT_EQ(sturm_brackets(p), expected);
}

TEST(AlgebraicNumber, RootsThatAreDoublesAreFoundExactly) {
    const Poly p = root_at(0, 1) * root_at(1, 2) * root_at(1, 1) * root_at(3, 1) * root_at(-1, 1);
    expect_roots(p, {{0.0, 0.0}, {0.5, 0.5}, {1.0, 1.0}});
}

TEST(AlgebraicNumber, OtherRootsLieBetweenNeighbouringDoubles) {
    const double third = 1.0 / 3.0;  // rounded down
    expect_roots(root_at(1, 3), {{third, std::nextafter(third, 1.0)}});
    const double root_half = std::sqrt(0.5);  // rounded up
    expect_roots(Poly({-1, 0, 2}), {{std::nextafter(root_half, 0.0), root_half}});
}

TEST(AlgebraicNumber, MultipleRootsAreListedOnce) {
    expect_roots(root_at(1, 4) * root_at(1, 4) * root_at(1, 4), {{0.25, 0.25}});
    expect_roots(root_at(0, 1) * root_at(0, 1) * root_at(1, 1) * root_at(1, 1),
                 {{0.0, 0.0}, {1.0, 1.0}});
}

TEST(AlgebraicNumber, RootsCloserThanDoublesAreToldApart) {
    const mpz_class den = power_of_two(200);
    const Poly a = root_at(den / 3, den);
    const Poly b = root_at(den / 3 + 1, den);
    EXPECT_EQ(roots_in_unit_interval(a * b).size(), 2U);
    EXPECT_EQ(sturm_roots_in_unit_interval(a * b).size(), 2U);
    const AlgebraicNumber x = roots_in_unit_interval(a).at(0);
    const AlgebraicNumber y = roots_in_unit_interval(b).at(0);
    EXPECT_EQ(x.compare(y), -1);
    EXPECT_EQ(y.compare(x), 1);
    SturmRoot sx = sturm_roots_in_unit_interval(a).at(0);
    SturmRoot sy = sturm_roots_in_unit_interval(b).at(0);
    EXPECT_EQ(sturm_compare(sx, sy), -1);
    EXPECT_EQ(sturm_compare(sy, sx), 1);
}

TEST(AlgebraicNumber, TinyRootsKeepTheirBracketDownToTheSmallestDouble) {
    const double smallest = std::numeric_limits<double>::denorm_min();
    expect_roots(root_at(1, power_of_two(1074)), {{smallest, smallest}});
    expect_roots(root_at(1, power_of_two(3000)), {{0.0, smallest}});
    expect_roots(root_at(3, power_of_two(1075)), {{smallest, 2 * smallest}});
    expect_roots(root_at(1, 3 * power_of_two(900)) * root_at(2, 3),
                 {{std::ldexp(1.0 / 3.0, -900), std::ldexp(std::nextafter(1.0 / 3.0, 1.0), -900)},
                  {2.0 / 3.0, std::nextafter(2.0 / 3.0, 1.0)}});
}

TEST(AlgebraicNumber, EqualNumbersOfDifferentPolynomialsCompareEqual) {
    const Poly p = Poly({-1, 0, 2}) * root_at(1, 5);  // sqrt(1/2), 1/5
    const Poly q = Poly({-1, 0, 2}) * root_at(1, 7);
    const AlgebraicNumber x = roots_in_unit_interval(p).at(1);
    const AlgebraicNumber y = roots_in_unit_interval(q).at(1);
    EXPECT_EQ(x.compare(y), 0);
    EXPECT_EQ(x.compare(roots_in_unit_interval(q).at(0)), 1);
}

// Signs at roots, the two ways, where the answer is zero, nearly zero, or plain.
TEST(AlgebraicNumber, BothWaysGiveTheSameSigns) {
    std::mt19937_64 rng(7);
    const auto small = [&] { return static_cast<long>(rng() % 9) - 4; };
    int zeros = 0;
    for (int i = 0; i < 2000; ++i) {
        const Poly factor({small(), small(), small()});
        const Poly p = factor * Poly({small(), small()});
        Poly g = factor * Poly({small(), small()});
        if (i % 2 == 0) g = g + Poly({small()});
        if (p.is_zero()) continue;
        auto descartes = roots_in_unit_interval(p);
        auto sturm = sturm_roots_in_unit_interval(p);
        std::sort(sturm.begin(), sturm.end(), [](const SturmRoot& a, const SturmRoot& b) {
            SturmRoot x = a;
            SturmRoot y = b;
            return sturm_compare(x, y) < 0;
        });
        ASSERT_EQ(descartes.size(), sturm.size());
        for (std::size_t r = 0; r < sturm.size(); ++r) {
            const int s = descartes[r].sign_of(g);
            EXPECT_EQ(s, sturm_sign(sturm[r], g));
            zeros += s == 0 ? 1 : 0;
        }
    }
    EXPECT_GT(zeros, 100);
}

}  // namespace
}  // namespace graze::oracle
