// The classification on polynomials of our own choice: coincidences that queries hardly ever have.
#include <gtest/gtest.h>

#include <cstdlib>

#include "baselines/bernstein_sign/classification.hpp"

namespace graze::bernstein {
namespace {

// Twelve times the Bernstein coefficients of a0 + a1 t + ..., b_i = sum_j C(i, j) / C(n, j) a_j.
template <std::size_t n>
std::array<Exact, n> bernstein_of(const std::array<int, n>& a) {
    const auto choose = [](std::size_t m, std::size_t j) {
        int result = 1;
        for (std::size_t i = 1; i <= j; ++i)
            result = result * static_cast<int>(m - i + 1) / static_cast<int>(i);
        return result;
    };
    std::array<Exact, n> b;
    for (std::size_t i = 0; i < n; ++i) {
        int sum = 0;
        for (std::size_t j = 0; j <= i; ++j)
            sum += 12 * choose(i, j) * a[j] / choose(n - 1, j);
        b[i] = Exact(static_cast<std::uint64_t>(std::abs(sum)), sum < 0, 0);
    }
    return b;
}

constexpr std::array<int, 5> kAlways = {1, 0, 0, 0, 0};

bool is_met(const std::array<int, 4>& f, const std::array<int, 5>& g1,
            const std::array<int, 5>& g2 = kAlways) {
    Classification<Exact> classification(true);
    const Conditions<Exact> conditions = {bernstein_of(g1), bernstein_of(g2),
                                          bernstein_of(kAlways)};
    const bool met = classification.is_met(bernstein_of(f), [&] { return conditions; });
    EXPECT_FALSE(classification.is_open());
    return met;
}

// f = (2t - 1)(t^2 + 4), root 1/2. The condition t^2 J with J = t^2 + 4 - c leaves the remainder
// c (2t - 1): it and the quotient 2t - 1 are both zero at the root.
TEST(BernsteinSignClassification, ReadsTheConditionWhereQuotientAndRemainderVanishTogether) {
    const std::array<int, 4> f = {-4, 8, -1, 2};
    EXPECT_FALSE(is_met(f, {0, 0, -1, 0, 1}));  // c = 5: J(1/2) = -3/4
    EXPECT_TRUE(is_met(f, {0, 0, 1, 0, -1}));
}

// The condition t^2 J with a line J: there is nothing to divide by.
TEST(BernsteinSignClassification, ReadsAConditionThatIsALine) {
    const std::array<int, 4> f = {-4, 8, -1, 2};
    EXPECT_FALSE(is_met(f, {0, 0, 1, -3, 0}));  // J(1/2) = -1/2
    EXPECT_TRUE(is_met(f, {0, 0, -1, 3, 0}));
    EXPECT_TRUE(is_met(f, {0, 0, -1, 2, 0}));  // J(1/2) = 0
}

// f = (4t - 1)(4t - 3)(t + 1) and the condition t^2 J with J = (4t - 3)(t + 1): no remainder at
// all. J is negative at 1/4 and zero at 3/4.
TEST(BernsteinSignClassification, ReadsTheConditionWhereItDividesTheCubic) {
    const std::array<int, 4> f = {3, -13, 0, 16};
    const std::array<int, 5> j = {0, 0, -3, 1, 4};
    EXPECT_TRUE(is_met(f, j));
    EXPECT_FALSE(is_met(f, j, {1, -2, 0, 0, 0}));  // 1 - 2t leaves the first root alone
    EXPECT_TRUE(is_met(f, {0, 0, 3, -1, -4}, {1, -2, 0, 0, 0}));
}

// f = (2t - 1)^2, a quadratic that touches zero, and (2t - 1)^2 (t + 1), a cubic that does.
TEST(BernsteinSignClassification, SeesARootThatOnlyTouchesZero) {
    for (const std::array<int, 4>& f :
         {std::array<int, 4>{1, -4, 4, 0}, std::array<int, 4>{1, -3, 0, 4}}) {
        EXPECT_TRUE(is_met(f, kAlways));
        EXPECT_FALSE(is_met(f, {1, -3, 0, 0, 0}));  // negative at 1/2
        EXPECT_TRUE(is_met(f, {1, -2, 0, 0, 0}));   // zero there
    }
    EXPECT_FALSE(is_met({2, -4, 4, 0}, kAlways));  // (2t - 1)^2 + 1
}

// f = t (4t - 1)(...): a root at an end and one inside, from either side.
TEST(BernsteinSignClassification, FindsTheRootInsideBesideOneAtAnEnd) {
    const std::array<int, 4> from_start = {0, -1, 4, 0};  // t (4t - 1)
    const std::array<int, 4> to_end = {-3, 7, -4, 0};     // (t - 1)(3 - 4t)
    const std::array<int, 5> not_at_start = {-1, 8, 0, 0, 0};
    const std::array<int, 5> not_at_end = {7, -8, 0, 0, 0};
    EXPECT_TRUE(is_met(from_start, not_at_start));
    EXPECT_TRUE(is_met(to_end, not_at_end));
    EXPECT_FALSE(is_met(from_start, not_at_start, {1, -5, 0, 0, 0}));  // nor at 1/4
    EXPECT_FALSE(is_met(to_end, not_at_end, {2, -3, 0, 0, 0}));        // nor at 3/4
}

// f = (8t - 1)(8t - 4)(8t - 7): three roots, cut at the one in the middle.
TEST(BernsteinSignClassification, CutsAtTheInflection) {
    const std::array<int, 4> f = {-28, 312, -768, 512};
    const std::array<int, 5> near_middle = {-2, 10, -10, 0, 0};  // negative at 1/8 and 7/8
    EXPECT_TRUE(is_met(f, near_middle));
    EXPECT_FALSE(is_met(f, near_middle, {1, -5, 5, 0, 0}));      // negative at 1/2
    EXPECT_TRUE(is_met(f, {1, -5, 5, 0, 0}, {-1, 2, 0, 0, 0}));  // 7/8 alone
    EXPECT_TRUE(is_met(f, {1, -5, 5, 0, 0}, {1, -2, 0, 0, 0}));  // 1/8 alone
}

}  // namespace
}  // namespace graze::bernstein
