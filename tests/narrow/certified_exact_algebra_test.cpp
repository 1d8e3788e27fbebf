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

// --- Division, against rationals -----------------------------------------------------------------

using Rationals = std::vector<mpq_class>;  // r[i] belongs to t^i

void drop_zeros(Rationals& p) {
    while (!p.empty() && p.back() == 0)
        p.pop_back();
}
Rationals rational_remainder(Rationals u, const Rationals& v) {
    while (u.size() >= v.size()) {
        const mpq_class factor = u.back() / v.back();
        for (std::size_t i = 0; i < v.size(); ++i)
            u[u.size() - v.size() + i] -= factor * v[i];
        drop_zeros(u);
    }
    return u;
}
mpq_class rational_value(const Rationals& p, const mpq_class& t) {
    mpq_class value = 0;
    for (std::size_t i = p.size(); i-- > 0;)
        value = value * t + p[i];
    return value;
}

struct BothForms {
    ExactPolynomial exact;
    Rationals rational;
};
// Coefficients of like or of very different length; some of them zero.
BothForms any_polynomial(std::mt19937_64& rng, std::size_t degree) {
    std::vector<ExactInteger> integers;
    BothForms result;
    for (std::size_t i = 0; i <= degree; ++i) {
        mpz_class c = rng() % 4 == 0 ? mpz_class(0) : any_integer(rng);
        if (i == degree && c == 0) c = rng() % 2 == 0 ? 1 : -3;
        integers.push_back(from_gmp(c));
        result.rational.emplace_back(c);
    }
    result.exact = ExactPolynomial(std::span<const ExactInteger>(integers));
    return result;
}

// Is one the other times a number, which has to be positive if asked? An integer is told by its
// difference from one of GMP, so both sides are multiplied out.
bool are_proportional(const ExactPolynomial& p, const Rationals& r, bool positively) {
    if (p.is_zero() || r.empty()) return p.is_zero() && r.empty();
    if (p.degree() + 1 != r.size()) return false;
    mpz_class common = 1;
    for (const mpq_class& c : r)
        common = lcm(common, mpz_class(c.get_den()));
    const auto integer = [&](std::size_t i) { return from_gmp(mpz_class(r[i] * common)); };
    const ExactInteger lead = integer(p.degree());
    if (positively && lead.sign() != p.leading().sign()) return false;
    for (std::size_t i = 0; i < r.size(); ++i) {
        if ((p[i] * lead - integer(i) * p.leading()).sign() != 0) return false;
    }
    return true;
}

TEST(ExactPolynomial, RemaindersArePositiveMultiplesOfThoseOfRationals) {
    std::mt19937_64 rng(kSeed);
    for (int i = 0; i < 1000; ++i) {
        const BothForms u = any_polynomial(rng, rng() % 6);
        const BothForms v = any_polynomial(rng, rng() % 4);
        ASSERT_TRUE(are_proportional(remainder(u.exact, v.exact),
                                     rational_remainder(u.rational, v.rational), true));
    }
}

TEST(ExactPolynomial, QuotientsAndRootsTakenOutGiveTheOtherFactor) {
    std::mt19937_64 rng(kSeed);
    for (int i = 0; i < 1000; ++i) {
        const BothForms v = any_polynomial(rng, rng() % 3);
        const BothForms w = any_polynomial(rng, rng() % 3);
        ASSERT_TRUE(are_proportional(quotient(v.exact * w.exact, v.exact), w.rational, false));
        const DyadicTime t = dyadic_time(
            std::ldexp(static_cast<double>(rng() >> 11), -53 - static_cast<int>(rng() % 1022)));
        const ExactPolynomial root(
            std::array{from_gmp(-mpz_class(static_cast<unsigned long>(t.significand))),
                       from_gmp(mpz_class(1) << t.shift)});
        ASSERT_TRUE(are_proportional(without_root(root * w.exact, t), w.rational, true));
    }
}

// Times of every size, 2^-1074 and 1 among them.
double any_time(std::mt19937_64& rng) {
    const std::array<double, 5> special = {0.0, 0x1p-1074, 0x1.fffffffffffffp-1023,
                                           0x1.fffffffffffffp-1, 1.0};
    if (rng() % 4 == 0) return special[rng() % special.size()];
    return std::ldexp(static_cast<double>(rng() >> 11), -53 - static_cast<int>(rng() % 1070));
}

TEST(ExactPolynomial, SignsAreThoseOfRationals) {
    std::mt19937_64 rng(kSeed);
    for (int i = 0; i < 1000; ++i) {
        const BothForms p = any_polynomial(rng, rng() % 4);
        const double t = any_time(rng);
        ASSERT_EQ(sign_at(p.exact, dyadic_time(t)), sgn(rational_value(p.rational, t)));
    }
}

// A sign that is said to hold on an open interval holds at every time tried in it.
TEST(ExactPolynomial, ASignOnAnIntervalHoldsEverywhereInIt) {
    std::mt19937_64 rng(kSeed);
    int told = 0;
    for (int i = 0; i < 1000; ++i) {
        const BothForms p = any_polynomial(rng, rng() % 3);
        double a = any_time(rng);
        double b = any_time(rng);
        if (a == b) continue;
        if (a > b) std::swap(a, b);
        const auto sign = constant_sign(p.exact, dyadic_time(a), dyadic_time(b));
        if (!sign) continue;
        ++told;
        for (int k = 1; k < 8; ++k) {
            const mpq_class t = mpq_class(a) + mpq_class(k, 8) * (mpq_class(b) - mpq_class(a));
            ASSERT_EQ(*sign, sgn(rational_value(p.rational, t)));
        }
    }
    EXPECT_GT(told, 300);
}

// Sturm by rationals: a different chain, the same differences of variations.
void expect_cauchy_indices_of_rationals(int polynomials) {
    std::mt19937_64 rng(kSeed);
    const auto variations = [](const std::vector<Rationals>& chain, const mpq_class& t) {
        int count = 0;
        int before = 0;
        for (const Rationals& link : chain) {
            const int sign = sgn(rational_value(link, t));
            if (sign * before < 0) ++count;
            if (sign != 0) before = sign;
        }
        return count;
    };
    int seen = 0;
    for (int i = 0; i < polynomials; ++i) {
        const BothForms f = any_polynomial(rng, 1 + rng() % 3);
        const BothForms h = any_polynomial(rng, rng() % 6);
        double a = any_time(rng);
        double b = any_time(rng);
        if (a > b) std::swap(a, b);
        if (a == b || rational_value(f.rational, a) == 0 || rational_value(f.rational, b) == 0)
            continue;
        std::vector<Rationals> chain = {f.rational, rational_remainder(h.rational, f.rational)};
        while (!chain.back().empty()) {
            Rationals next = rational_remainder(chain[chain.size() - 2], chain.back());
            for (mpq_class& c : next)
                c = -c;
            chain.push_back(std::move(next));
        }
        ++seen;
        ASSERT_EQ(cauchy_index(h.exact, f.exact, dyadic_time(a), dyadic_time(b)),
                  variations(chain, a) - variations(chain, b));
    }
    EXPECT_GT(seen, polynomials / 3);
}
TEST(ExactPolynomial, CauchyIndicesAreThoseOfRationals) {
    expect_cauchy_indices_of_rationals(50);
}
TEST(CauchyIndexAttack, CauchyIndicesAreThoseOfRationals) {
    expect_cauchy_indices_of_rationals(1000);
}

// Numbers that move between their own limbs and the heap, by copies and moves in every order.
TEST(ExactInteger, CopiesAndMovesKeepTheValueWhateverIsThereBefore) {
    std::mt19937_64 rng(kSeed);
    std::array<ExactInteger, 4> exact;
    std::array<mpz_class, 4> truth;
    for (int i = 0; i < 5'000; ++i) {
        const std::size_t to = rng() % 4;
        const std::size_t from = rng() % 4;
        switch (rng() % 4) {
            case 0:
                truth[to] = any_integer(rng);
                exact[to] = from_gmp(truth[to]);
                break;
            case 1:
                truth[to] = truth[from];
                exact[to] = exact[from];
                break;
            case 2:
                if (to == from) break;
                truth[to] = truth[from];
                truth[from] = 0;
                exact[to] = std::move(exact[from]);
                break;
            default:
                truth[to] -= truth[from];
                exact[to] -= exact[from];
                break;
        }
        for (std::size_t k = 0; k < 4; ++k)
            ASSERT_TRUE(equal(exact[k], truth[k]));
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
