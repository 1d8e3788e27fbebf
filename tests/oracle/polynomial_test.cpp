#include "polynomial.hpp"

#include <gtest/gtest.h>

#include <random>

namespace graze::oracle {
namespace {

Poly random_poly(std::mt19937_64& rng, int degree) {
    std::vector<mpz_class> c;
    for (int i = 0; i <= degree; ++i)
        c.emplace_back(static_cast<long>(rng() % 41) - 20);
    return Poly(std::move(c));
}

Poly root_at(long num, long den) {
    return Poly({-num, den});
}

bool is_multiple(const Poly& a, const Poly& b) {
    return positive_pseudo_remainder(a, b).is_zero();
}

TEST(Poly, DropsLeadingZeros) {
    EXPECT_EQ(Poly({1, 2, 0, 0}).degree(), 1);
    EXPECT_TRUE(Poly({0, 0}).is_zero());
    EXPECT_EQ((Poly({1, 2}) - Poly({0, 2})).degree(), 0);
}

TEST(Poly, ArithmeticAgreesWithValues) {
    std::mt19937_64 rng(1);
    for (int i = 0; i < 500; ++i) {
        const Poly a = random_poly(rng, static_cast<int>(rng() % 5));
        const Poly b = random_poly(rng, static_cast<int>(rng() % 5));
        const Dyadic x{static_cast<long>(rng() % 100) - 50, 0};
        const mpz_class va = scaled_value(a, x);
        const mpz_class vb = scaled_value(b, x);
        EXPECT_EQ(scaled_value(a + b, x), va + vb);
        EXPECT_EQ(scaled_value(a - b, x), va - vb);
        EXPECT_EQ(scaled_value(a * b, x), va * vb);
        EXPECT_EQ(scaled_value(-a, x), -va);
    }
}

TEST(Poly, TheSignAtAFractionIsThatOfTheExactValue) {
    const Poly p = root_at(1, 3) * root_at(-5, 7);  // zero at 1/3 and -5/7, positive outside
    EXPECT_EQ(sign_at(p, 1, 3), 0);
    EXPECT_EQ(sign_at(p, -5, 7), 0);
    EXPECT_EQ(sign_at(p, 0, 1), -1);
    EXPECT_EQ(sign_at(p, mpz_class("333333333333333333333"), mpz_class("1000000000000000000000")),
              -1);
    EXPECT_EQ(sign_at(p, mpz_class("333333333333333333334"), mpz_class("1000000000000000000000")),
              1);
    EXPECT_EQ(sign_at(p, Dyadic{1, 2}), -1);
    EXPECT_EQ(sign_at(p, Dyadic{1, 1}), 1);
}

TEST(Poly, TheGcdIsTheProductOfTheCommonFactors) {
    const Poly common = root_at(1, 3) * root_at(2, 5);
    const Poly g = gcd(common * root_at(-1, 2) * Poly({6}), common * root_at(4, 1) * Poly({15}));
    EXPECT_EQ(g.degree(), 2);
    EXPECT_TRUE(is_multiple(common, g));
    EXPECT_EQ(gcd(root_at(1, 3), root_at(2, 3)).degree(), 0);
    EXPECT_EQ(gcd(Poly(), common).degree(), 2);
    EXPECT_TRUE(gcd(Poly(), Poly()).is_zero());
}

TEST(Poly, TheSquarefreePartHasEachRootOnce) {
    const Poly p = root_at(1, 3) * root_at(1, 3) * root_at(1, 3) * root_at(-2, 1);
    const Poly s = squarefree_part(p);
    EXPECT_EQ(s.degree(), 2);
    EXPECT_TRUE(is_multiple(p, s));
    EXPECT_EQ(gcd(s, derivative(s)).degree(), 0);
}

TEST(Poly, ThePseudoRemainderIsAPositiveMultipleOfTheRemainder) {
    // (2 t^2 + 3) = (2 t - 4)(-t + ...) + ...: at the root t = 2 of the divisor -t + 2 only the
    // remainder is left, so that it must have the sign of the dividend there.
    const Poly a({3, 0, 2});
    EXPECT_EQ(sign_at(positive_pseudo_remainder(a, Poly({2, -1})), 2, 1), sign_at(a, 2, 1));
    EXPECT_EQ(sign_at(positive_pseudo_remainder(-a, Poly({2, -1})), 2, 1), sign_at(-a, 2, 1));
    EXPECT_EQ(sign_at(positive_pseudo_remainder(a, Poly({-2, 1})), 2, 1), sign_at(a, 2, 1));
}

}  // namespace
}  // namespace graze::oracle
