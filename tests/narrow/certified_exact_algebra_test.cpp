// The integers, the polynomials and the roots below the last tier of `certified`: against GMP, and
// against polynomials whose roots are known.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "narrow/certified/exact_roots.hpp"

namespace graze::certified {
namespace {

constexpr unsigned kSeed = 20250101;

ExactInteger from_gmp(const mpz_class& value) {
    ExactInteger result;
    mpz_class rest = abs(value);
    for (int shift = 0; rest != 0; shift += 32, rest >>= 32) {
        const mpz_class digit = rest & 0xffffffff;
        result += ExactInteger(DyadicParts{value < 0, digit.get_ui(), shift}, 0);
    }
    return result;
}

bool equal(const ExactInteger& a, const mpz_class& b) {
    return (a - from_gmp(b)).sign() == 0 && a.sign() == sgn(b);
}

// Integers of 0 to 2000 bits, in place and on the heap, half of them with long runs of equal bits:
// carries and borrows that travel far.
mpz_class any_integer(std::mt19937_64& rng) {
    const auto bits = static_cast<unsigned>(rng() % (rng() % 2 == 0 ? 130 : 2000));
    mpz_class value;
    while (mpz_sizeinbase(value.get_mpz_t(), 2) <= bits) {
        const mpz_class chunk = rng() % 2 == 0 ? static_cast<unsigned long>(rng() >> 16)
                                               : (rng() % 2 == 0 ? 0UL : (1UL << 48) - 1);
        value = (value << 48) + chunk;
        if (value == 0) value = 1;
    }
    value >>= mpz_sizeinbase(value.get_mpz_t(), 2) - bits;
    return rng() % 2 == 0 ? value : mpz_class(-value);
}

TEST(ExactInteger, SumsProductsAndShiftsAreThoseOfGmp) {
    std::mt19937_64 rng(kSeed);
    for (int i = 0; i < 20'000; ++i) {
        const mpz_class a = any_integer(rng);
        const mpz_class b = rng() % 8 == 0 ? mpz_class(-a + 1) : any_integer(rng);
        const ExactInteger x = from_gmp(a);
        const ExactInteger y = from_gmp(b);
        const auto limb = static_cast<unsigned long>(rng());
        const std::size_t shift = rng() % 200;
        ASSERT_TRUE(equal(x + y, a + b));
        ASSERT_TRUE(equal(x - y, a - b));
        ASSERT_TRUE(equal(x * y, a * b));
        ExactInteger z = x;
        z.multiply(limb);
        ASSERT_TRUE(equal(z, a * limb));
        z = x;
        z.shift_left(shift);
        ASSERT_TRUE(equal(z, a << shift));
        z.shift_right_exact(shift);
        ASSERT_TRUE(equal(z, a));
        ASSERT_EQ(x.bit_width(), a == 0 ? 0 : mpz_sizeinbase(a.get_mpz_t(), 2));
        if (a != 0) {
            ASSERT_EQ(x.trailing_zeros(), mpz_scan1(a.get_mpz_t(), 0));
        }
    }
}

TEST(ExactInteger, MayBeItsOwnOperand) {
    std::mt19937_64 rng(kSeed);
    for (int i = 0; i < 1000; ++i) {
        const mpz_class a = any_integer(rng);
        ExactInteger x = from_gmp(a);
        x += x;
        ASSERT_TRUE(equal(x, 2 * a));
        x = x * x;
        ASSERT_TRUE(equal(x, 4 * a * a));
        const ExactInteger& same = x;
        x -= same;
        ASSERT_EQ(x.sign(), 0);
    }
}

// d t - n: the polynomial with the root n / d.
ExactPolynomial line(const mpz_class& n, const mpz_class& d) {
    return ExactPolynomial(std::array{from_gmp(-n), from_gmp(d)});
}

// Roots close together: (7 m + j) / (7 2^53) is j sevenths of the way from one double to the next,
// and the polynomials below have theirs at such places.
struct Cluster {
    mpz_class numerator;
    mpz_class denominator = mpz_class(7) << 53;
    double lower;
    double upper;

    explicit Cluster(std::mt19937_64& rng) {
        const std::uint64_t m = (rng() >> 12) | (std::uint64_t{1} << 52);
        numerator = mpz_class(static_cast<unsigned long>(m)) * 7;
        lower = std::ldexp(static_cast<double>(m), -53);
        upper = std::nextafter(lower, 2.0);
    }
    [[nodiscard]] ExactPolynomial root(int sevenths) const {
        return line(numerator + sevenths, denominator);
    }
};

int sign_of(int x) {
    return (x > 0) - (x < 0);
}

TEST(Instant, KnowsTheSignsAtRootsThatShareOnePairOfNeighbouringDoubles) {
    std::mt19937_64 rng(kSeed);
    const std::vector<std::vector<int>> root_sets = {{3},       {1, 2},    {2, 5},    {1, 6},
                                                     {1, 2, 3}, {1, 3, 6}, {4, 5, 6}, {1, 5, 6}};
    for (const std::vector<int>& roots : root_sets) {
        for (const int orientation : {1, -1}) {
            const Cluster cluster(rng);
            ExactPolynomial f(std::array{ExactInteger(orientation)});
            for (const int j : roots)
                f = f * cluster.root(j);
            for (int u = -3; u <= 10; ++u) {
                for (int v = u; v <= 10; ++v) {
                    const ExactPolynomial g = cluster.root(u) * cluster.root(v);
                    for (std::size_t i = 0; i < roots.size(); ++i) {
                        const Instant now =
                            Instant::root_of(f, cluster.lower, cluster.upper, static_cast<int>(i),
                                             static_cast<int>(roots.size()));
                        EXPECT_EQ(now.sign(g), sign_of(roots[i] - u) * sign_of(roots[i] - v));
                        EXPECT_EQ(now.sign(cluster.root(u)), sign_of(roots[i] - u));
                    }
                }
            }
        }
    }
}

// Descartes: never fewer changes than roots, and as many modulo two.
TEST(ExactPolynomial, BernsteinChangesCountTheRootsUpToPairs) {
    const DyadicTime low = dyadic_time(0.25);
    const DyadicTime high = dyadic_time(0.75);
    for (int a = -3; a <= 20; ++a) {
        for (int b = a; b <= 20; ++b) {
            for (int c = b; c <= 20; ++c) {
                if (std::ranges::count(std::array{a, b, c}, 4) > 0) continue;
                if (std::ranges::count(std::array{a, b, c}, 12) > 0) continue;
                const ExactPolynomial f = line(a, 16) * line(b, 16) * line(c, 16);
                const auto inside = std::ranges::count_if(
                    std::array{a, b, c}, [](int root) { return root > 4 && root < 12; });
                const int changes = bernstein_changes(f, low, high);
                EXPECT_GE(changes, inside);
                EXPECT_EQ((changes - inside) % 2, 0);
            }
        }
    }
}

TEST(ExactPolynomial, IsTheSameOnAnotherClock) {
    const ExactPolynomial g = line(3, 16) * line(11, 16) * line(7, 5);
    for (const TimeMap& map : {TimeMap{16, -16, 4}, TimeMap{2, 5, 3}, TimeMap{0, 1, 1}}) {
        for (int n = 0; n <= 16; ++n) {
            const double s = n / 16.0;
            const double t =
                std::ldexp(static_cast<double>(map.origin) + static_cast<double>(map.rate) * s,
                           -static_cast<int>(map.shift));
            EXPECT_EQ(sign_at(substituted(g, map), dyadic_time(s)), sign_at(g, dyadic_time(t)));
        }
    }
}

// Calls whose test passes only at one of the roots, told by the signs of linear polynomials.
TEST(FirstRootWhere, FindsTheFirstRootThatPassesWhereverItsNeighboursLie) {
    std::mt19937_64 rng(kSeed);
    const Cluster cluster(rng);
    const std::array<int, 3> roots = {1, 3, 6};
    const ExactPolynomial f = cluster.root(1) * cluster.root(3) * cluster.root(6);
    for (const int wanted : roots) {
        const ExactPolynomial here = cluster.root(wanted);
        const auto found = first_root_where(
            f, {1.0, 0.0}, [&](const Instant& now) { return now.sign(here) == 0; });
        ASSERT_TRUE(found);
        EXPECT_EQ(found->lower, cluster.lower);
        EXPECT_EQ(found->upper, cluster.upper);
    }
    const ExactPolynomial between = cluster.root(4);
    EXPECT_FALSE(first_root_where(f, {1.0, 0.0},
                                  [&](const Instant& now) { return now.sign(between) == 0; }));
    EXPECT_FALSE(first_root_where(f, {cluster.lower, 0.0}, [](const Instant&) { return true; }));
    EXPECT_TRUE(first_root_where(f, {cluster.upper, 0.0}, [](const Instant&) { return true; }));
}

// Every set of up to three roots n / 8 with multiplicity: visited in order, doubles found as such.
TEST(FirstRootWhere, VisitsRootsInOrderOnceEachWithExactBrackets) {
    for (int a = -1; a <= 9; ++a) {
        for (int b = a; b <= 9; ++b) {
            for (int c = b; c <= 9; ++c) {
                const ExactPolynomial f = line(a, 8) * line(b, 8) * line(c, 8);
                for (const int end : {0, 1, 4, 8}) {
                    std::vector<int> expected;
                    for (const int root : {a, b, c}) {
                        const bool inside = root >= 0 && root <= end;
                        const bool seen = !expected.empty() && expected.back() == root;
                        if (inside && !seen) expected.push_back(root);
                    }
                    std::vector<int> visited;
                    (void)first_root_where(f, {end / 8.0, 0.0}, [&](const Instant& now) {
                        for (int n = 0; n <= 8; ++n) {
                            if (now.sign(line(n, 8)) == 0) visited.push_back(n);
                        }
                        return false;
                    });
                    EXPECT_EQ(visited, expected) << a << ' ' << b << ' ' << c << ' ' << end;
                }
            }
        }
    }
}

// 1 / (3 2^k) is never a double; from the middle of [0, 1] to below the smallest double.
TEST(FirstRootWhere, BracketsRootsOfAnySizeByNeighbouringDoubles) {
    const auto always = [](const Instant&) { return true; };
    for (unsigned k = 0; k <= 1100; k += 11) {
        for (const double width : {0.0, 1e-9, 0.5}) {
            const ExactPolynomial f = line(1, mpz_class(3) << k);
            const auto found = first_root_where(f, {1.0, width}, always);
            ASSERT_TRUE(found);
            const mpq_class root(1, mpz_class(3) << k);
            EXPECT_LT(mpq_class(found->lower), root);
            EXPECT_GT(mpq_class(found->upper), root);
            const bool neighbours = std::nextafter(found->lower, 2.0) == found->upper;
            EXPECT_TRUE(neighbours || found->upper - found->lower <= width);
            EXPECT_EQ(found->lower > 0.0, root >= mpq_class(0x1p-1074));
        }
    }
}

}  // namespace
}  // namespace graze::certified
