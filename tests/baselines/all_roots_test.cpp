#include "baselines/floating_point_roots/all_roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "baselines/floating_point_roots/sign_intervals.hpp"

namespace graze {
namespace {

using baselines::all_roots;
using baselines::intervals_of_sign;
using baselines::TimeIntervals;
using baselines::WantedSign;
using Complex = std::complex<double>;

// The product of (t - r), the largest coefficient 1; complex roots come in pairs.
std::vector<double> polynomial_with(const std::vector<Complex>& roots) {
    std::vector<Complex> p = {1.0};
    for (const Complex& r : roots) {
        p.insert(p.begin(), 0.0);
        for (std::size_t i = 0; i + 1 < p.size(); ++i)
            p[i] -= r * p[i + 1];
    }
    std::vector<double> real;
    double largest = 0.0;
    for (const Complex& c : p)
        largest = std::max(largest, std::fabs(c.real()));
    for (const Complex& c : p)
        real.push_back(c.real() / largest);
    return real;
}

// The largest distance from a root to the nearest that was found and is not taken yet.
double largest_distance(const std::vector<Complex>& expected, std::vector<Complex> found) {
    double largest = 0.0;
    for (const Complex& root : expected) {
        const auto nearest =
            std::min_element(found.begin(), found.end(), [&](const Complex& a, const Complex& b) {
                return std::abs(a - root) < std::abs(b - root);
            });
        if (nearest == found.end()) return 1e300;
        largest = std::max(largest, std::abs(*nearest - root));
        found.erase(nearest);
    }
    return largest;
}

double error_for(const std::vector<Complex>& roots) {
    const auto found = all_roots(polynomial_with(roots));
    EXPECT_EQ(found.size(), roots.size());
    return largest_distance(roots, {found.begin(), found.end()});
}

TEST(AllRoots, FindsEveryRootThatIsApartFromTheOthers) {
    std::mt19937_64 rng(20250101);
    const auto fraction = [&] { return static_cast<double>(rng() % 1024) / 1024.0; };
    for (int i = 0; i < 3000; ++i) {
        std::vector<Complex> roots;
        const std::size_t degree = 1 + rng() % 6;
        for (int cell = -3; roots.size() < degree; ++cell) {
            const double real = 0.4 * cell + 0.1 * fraction();
            if (rng() % 2 == 0 && roots.size() + 2 <= degree) {
                const double imaginary = 0.1 + fraction();
                roots.emplace_back(real, imaginary);
                roots.emplace_back(real, -imaginary);
            } else {
                roots.emplace_back(real, 0.0);
            }
        }
        EXPECT_LT(error_for(roots), 1e-8) << i;
    }
}

TEST(AllRoots, RootsAtZeroAreExact) {
    const auto found = all_roots(std::vector<double>{0, 0, 1, -1});
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(largest_distance({0.0, 0.0, 1.0}, {found.begin(), found.end()}), 0.0);
}

// A double root comes out as two that are as far apart as the square root of the rounding, whether
// on the real axis or beside it.
TEST(AllRoots, ADoubleRootBecomesANearPair) {
    std::mt19937_64 rng(20250102);
    int complex = 0;
    for (int i = 0; i < 500; ++i) {
        std::vector<Complex> roots;
        for (int k = 0; k < 3; ++k) {
            const double r = 0.1 + 0.3 * k + 0.1 * static_cast<double>(rng() % 1024) / 1024.0;
            roots.insert(roots.end(), {r, r});
        }
        EXPECT_LT(error_for(roots), 1e-5) << i;
        const auto found = all_roots(polynomial_with(roots));
        complex += std::any_of(found.begin(), found.end(),
                               [](const Complex& r) { return r.imag() != 0.0; })
                       ? 1
                       : 0;
    }
    EXPECT_GT(complex, 50);
}

TEST(AllRoots, RootsOfVeryDifferentSizesAreFound) {
    for (const double small : {1e-3, 1e-6, 1e-9}) {
        const std::vector<Complex> roots = {small, 0.5, 1.0 / small};
        const auto found = all_roots(polynomial_with(roots));
        ASSERT_EQ(found.size(), 3U);
        for (const Complex& root : roots) {
            const double distance = largest_distance({root}, {found.begin(), found.end()});
            EXPECT_LT(distance, 1e-6 * std::abs(root)) << small << ' ' << root.real();
        }
    }
}

// Whatever the coefficients: it ends, with at most as many roots as the degree.
TEST(AllRoots, EndsForEveryPolynomial) {
    std::mt19937_64 rng(20250103);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    int incomplete = 0;
    for (int i = 0; i < 5000; ++i) {
        std::vector<double> p(2 + rng() % 6);
        for (double& c : p)
            c = std::ldexp(unit(rng), -static_cast<int>(rng() % (i % 2 == 0 ? 8 : 1000)));
        p.back() = p.back() == 0.0 ? 1.0 : p.back();
        const auto found = all_roots(p);
        EXPECT_LE(found.size(), p.size() - 1);
        incomplete += found.size() + 1 < p.size() ? 1 : 0;
    }
    EXPECT_LT(incomplete, 2500);
}

TEST(SignIntervals, AreBetweenTheRoots) {
    // -(t - 1/4)(t - 1/2)(t - 3/4)
    const std::vector<double> p = polynomial_with({0.25, 0.5, 0.75});
    const TimeIntervals low = intervals_of_sign(p, WantedSign::NotPositive);
    ASSERT_EQ(low.size(), 2U);
    EXPECT_EQ(low.begin()[0].lower, 0.0);
    EXPECT_NEAR(low.begin()[0].upper, 0.25, 1e-12);
    EXPECT_NEAR(low.begin()[1].lower, 0.5, 1e-12);
    EXPECT_NEAR(low.begin()[1].upper, 0.75, 1e-12);
    EXPECT_EQ(intervals_of_sign(p, WantedSign::NotNegative).size(), 2U);
}

TEST(SignIntervals, ConstantsHoldEverywhereOrNowhere) {
    for (const WantedSign sign : {WantedSign::NotPositive, WantedSign::NotNegative})
        EXPECT_EQ(intervals_of_sign(std::vector<double>{0, 0, 0}, sign).size(), 1U);
    EXPECT_EQ(intervals_of_sign(std::vector<double>{3, 0}, WantedSign::NotNegative).size(), 1U);
    EXPECT_TRUE(intervals_of_sign(std::vector<double>{3, 0}, WantedSign::NotPositive).empty());
}

}  // namespace
}  // namespace graze
