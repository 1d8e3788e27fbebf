// The solvers of `safe-cubic` against numbers of 1024 bits: (SCS-1) to (SCS-4) of
// docs/derivations/safe_cubic_solvers.md, each attacked where it is nearest to failing. Every test
// prints the worst ratio of what was found to what was proved; it must not exceed 1.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ios>
#include <limits>
#include <vector>

#include "narrow/safe_cubic_solvers_reference.hpp"

namespace graze::safe_cubic {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> listed(const RootList& roots) {
    return {roots.values.begin(), roots.values.begin() + roots.count};
}
std::vector<double> with_ends(const RootList& roots) {
    std::vector<double> all = listed(roots);
    all.push_back(0.0);
    all.push_back(1.0);
    return all;
}

void expect_well_formed(const RootList& roots) {
    ASSERT_GE(roots.count, 0);
    ASSERT_LE(roots.count, 4);
    const std::vector<double> all = listed(roots);
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_TRUE(all[i] >= 0.0 && all[i] <= 1.0);
        if (i > 0) {
            ASSERT_LT(all[i - 1], all[i]);
        }
    }
}

// --- Quadratics ----------------------------------------------------------------------------------

Number size(const Quadratic& q, double a, double b, double c) {
    return a * abs(number(q[0])) + b * abs(number(q[1])) + c * abs(number(q[2]));
}

TEST(SafeCubicQuadratic, ResidualsAndRootErrorsAreBelowTheirBounds) {
    Random random;
    WorstRatio residuals("S1 residual");
    WorstRatio errors("S1 root error");
    WorstRatio paper("residual / 16 max eps");
    for (int i = 0; i < 60'000; ++i) {
        const Quadratic q = any_quadratic(random);
        const RootList roots = quadratic_roots(q[0], q[1], q[2]);
        expect_well_formed(roots);
        const std::vector<Number> exact = exact_roots(q);
        if (exact.empty()) continue;
        const double largest = std::max({std::abs(q[0]), std::abs(q[1]), std::abs(q[2])});
        for (const double t : listed(roots)) {
            const Number residual = abs(value(q, number(t)));
            ASSERT_LE(residuals.add(residual, size(q, 4.5, 2.5, 0.5) * (1.001 * kEps)), 1.0);
            paper.add(residual, number(16.0 * largest * kEps));
            Number error = number(1.0);
            for (const Number& s : exact) {
                if (s > 0) error = std::min<Number>(error, abs(number(t) / s - 1));
                if (s == 0 && t == 0.0) error = 0;
            }
            ASSERT_LE(errors.add(error, number(1.001 * 0x1p-26)), 1.0)
                << std::hexfloat << q[0] << ' ' << q[1] << ' ' << q[2] << ' ' << t;
        }
    }
    // The attack comes near.
    EXPECT_GT(residuals.worst(), 0.2);
    EXPECT_GT(errors.worst(), 0.5);
}

TEST(SafeCubicQuadratic, StaysSmallFromEveryRootToACandidateThoughCoefficientsAreOff) {
    Random random;
    WorstRatio ways("S2 way");
    for (int i = 0; i < 60'000; ++i) {
        const Quadratic q = any_quadratic(random);
        const double largest = std::max({std::abs(q[0]), std::abs(q[1]), std::abs(q[2])});
        const double error = random.below(3) == 0 ? 0.0 : largest * random.log_uniform(-53);
        const double side = random.below(2) == 0 ? 0.0 : random.sign();
        Quadratic given = q;
        Number off = number(0.0);
        for (std::size_t k = 0; k < 3; ++k) {
            given[k] += error * (side != 0.0 ? side : 2.0 * random.unit() - 1.0);
            off += abs(number(given[k]) - q[k]);
        }
        const Number proved = 1.001 * (2 * off + size(given, 4.5, 2.75, 1.0) * kEps) + 0x1p-480;
        const RootList roots = quadratic_roots(given[0], given[1], given[2]);
        const CubicPolynomial f = as_cubic(q);
        const std::vector<Number> turn = turns(f);
        for (const Number& s : exact_roots(q)) {
            if (s < 0 || s > 1) continue;
            const Number way = least_way(f, turn, number(0.0), s, with_ends(roots));
            ASSERT_LE(ways.add(way, proved), 1.0)
                << std::hexfloat << given[0] << ' ' << given[1] << ' ' << given[2];
        }
    }
    EXPECT_GT(ways.worst(), 0.2);
}

TEST(SafeCubicQuadratic, KnowsTheDegenerateCases) {
    EXPECT_EQ(listed(quadratic_roots(0.0, 0.0, 0.0)), std::vector<double>{1.0});
    EXPECT_EQ(listed(quadratic_roots(-0.0, 0.0, -0.0)), std::vector<double>{1.0});
    EXPECT_TRUE(listed(quadratic_roots(0.0, 0.0, 0x1p-1074)).empty());
    EXPECT_EQ(listed(quadratic_roots(0.0, 4.0, -1.0)), std::vector<double>{0.25});
    EXPECT_EQ(listed(quadratic_roots(0.0, -4.0, 0.0)), std::vector<double>{0.0});
    EXPECT_EQ(listed(quadratic_roots(3.0, 0.0, 0.0)), std::vector<double>{0.0});
    EXPECT_EQ(listed(quadratic_roots(-3.0, -0.0, 0.0)), std::vector<double>{0.0});
    EXPECT_EQ(listed(quadratic_roots(4.0, 0.0, -1.0)), std::vector<double>{0.5});
    EXPECT_EQ(listed(quadratic_roots(4.0, -0.0, -1.0)), std::vector<double>{0.5});
    EXPECT_EQ(listed(quadratic_roots(1.0, -1.0, 0.0)), (std::vector<double>{0.0, 1.0}));
    EXPECT_EQ(listed(quadratic_roots(1.0, 1.0, 0.0)), std::vector<double>{0.0});
    EXPECT_EQ(listed(quadratic_roots(1.0, -1.0, 0.25)), std::vector<double>{0.5});
    // Clamped: the place where it is nearest to zero.
    EXPECT_EQ(listed(quadratic_roots(1.0, -1.0, 0.26)), std::vector<double>{0.5});
    EXPECT_TRUE(listed(quadratic_roots(1.0, -3.0, 9.0)).empty());
}

TEST(SafeCubicQuadratic, DoesNotMindTheSignOfAllCoefficients) {
    Random random;
    for (int i = 0; i < 20'000; ++i) {
        const Quadratic q = any_quadratic(random);
        ASSERT_EQ(listed(quadratic_roots(q[0], q[1], q[2])),
                  listed(quadratic_roots(-q[0], -q[1], -q[2])));
    }
}

// Where the discriminant underflows, what is proved is an absolute bound (SCS-2).
TEST(SafeCubicQuadratic, MissesNothingThatCountsWhereTheDiscriminantUnderflows) {
    Random random;
    const Number proved = number(0x1p-480);
    WorstRatio ways("S2 way, underflow");
    for (int i = 0; i < 20'000; ++i) {
        Quadratic q = any_quadratic(random);
        const int shift = -440 - random.below(600);
        for (double& coefficient : q)
            coefficient = std::ldexp(coefficient, shift);
        const RootList roots = quadratic_roots(q[0], q[1], q[2]);
        expect_well_formed(roots);
        const CubicPolynomial f = as_cubic(q);
        const std::vector<Number> turn = turns(f);
        for (const Number& s : exact_roots(q)) {
            if (s < 0 || s > 1) continue;
            const Number bound = size(q, 4.5, 2.75, 1.0) * (1.001 * kEps) + proved;
            ASSERT_LE(ways.add(least_way(f, turn, number(0.0), s, with_ends(roots)), bound), 1.0);
        }
    }
}

// --- Cubics --------------------------------------------------------------------------------------

TEST(SafeCubicSolver, FindsAPointWithASmallWayFromEveryRoot) {
    Random random;
    WorstRatio least("S3 way, least threshold");
    WorstRatio usual("S3 way, usual threshold");
    for (int i = 0; i < 16'000; ++i) {
        const CubicPolynomial f = any_cubic(random);
        const CubicPolynomial given = disturbed(f, random);
        const std::vector<Number> turn = turns(f);
        const std::vector<Number> exact = roots_in_unit_interval(f, turn);
        for (const double threshold : {kLeastThreshold * kEps, convergence_threshold(1.0)}) {
            const RootList roots = cubic_roots(given[0], given[1], given[2], given[3], threshold);
            expect_well_formed(roots);
            WorstRatio& ways = threshold == convergence_threshold(1.0) ? usual : least;
            const Number proved = number(threshold + kExcess * kEps);
            for (const Number& s : exact) {
                const Number way = least_way(f, turn, number(0.0), s, listed(roots));
                ASSERT_LE(ways.add(way, proved), 1.0)
                    << std::hexfloat << given[0] << ' ' << given[1] << ' ' << given[2] << ' '
                    << given[3];
            }
        }
    }
    EXPECT_LT(convergence_threshold(1.0) + kExcess * kEps, 2.0 * convergence_threshold(1.0));
}

TEST(SafeCubicSolver, ReturnsNothingButPointsBelowTheThreshold) {
    Random random;
    WorstRatio computed("S4 value as computed");
    WorstRatio exact("S3 exact value");
    for (int i = 0; i < 200'000; ++i) {
        const CubicPolynomial f = any_cubic(random);
        const CubicPolynomial g = disturbed(f, random);
        const double threshold = i % 2 == 0 ? kLeastThreshold * kEps : convergence_threshold(1.0);
        for (const double t : listed(cubic_roots(g[0], g[1], g[2], g[3], threshold))) {
            const double at_t = ((g[0] * t + g[1]) * t + g[2]) * t + g[3];
            ASSERT_LE(computed.add(abs(number(at_t)), number(threshold)), 1.0);
            const Number bound = number(threshold + kValueError * kEps);
            ASSERT_LE(exact.add(abs(value(f, number(t))), bound), 1.0);
        }
    }
}

TEST(SafeCubicSolver, ChangesLittleBetweenAnExtremumAndItsCut) {
    Random random;
    WorstRatio ways("extremum");
    for (int i = 0; i < 60'000; ++i) {
        const CubicPolynomial f = any_cubic(random);
        const CubicPolynomial g = disturbed(f, random);
        const RootList cuts = quadratic_roots(3.0 * g[0], 2.0 * g[1], g[2]);
        const std::vector<Number> turn = turns(f);
        for (const Number& extremum : turn) {
            const Number level = value(f, extremum);
            const Number way = least_way(f, turn, level, extremum, with_ends(cuts));
            ASSERT_LE(ways.add(way, number(kExtremumError * kEps)), 1.0);
        }
    }
}

TEST(SafeCubicSolver, KnowsTheDegenerateCases) {
    const double mu = convergence_threshold(1.0);
    EXPECT_EQ(listed(cubic_roots(0.0, 0.0, 0.0, 0.0, mu)), (std::vector<double>{0.0, 1.0}));
    EXPECT_TRUE(listed(cubic_roots(0.0, 0.0, 0.0, 2.0 * mu, mu)).empty());
    EXPECT_EQ(cubic_roots(0.0, 0.0, 1.0, -0.5, mu).count, 1);
    EXPECT_EQ(listed(cubic_roots(0.0, 0.0, 1.0, 0.0, mu)), std::vector<double>{0.0});
    EXPECT_EQ(listed(cubic_roots(0.0, 0.0, 1.0, -1.0, mu)), std::vector<double>{1.0});
    // (t - 1/2)^2 (t - 3/2) touches zero, and does not quite reach it.
    EXPECT_EQ(listed(cubic_roots(1.0, -2.5, 1.75, -0.375, mu)), std::vector<double>{0.5});
    EXPECT_EQ(listed(cubic_roots(1.0, -2.5, 1.75, -0.375 - mu / 2.0, mu)),
              std::vector<double>{0.5});
    EXPECT_TRUE(listed(cubic_roots(1.0, -2.5, 1.75, -0.375 - 2.0 * mu, mu)).empty());
    // Three roots, at 1/4, 1/2, 3/4.
    EXPECT_EQ(cubic_roots(1.0, -1.5, 0.6875, -0.09375, mu).count, 3);
}

TEST(SafeCubicSolver, DoesNotMindTheSignOfAllCoefficientsNorTheUnitOfLength) {
    Random random;
    for (int i = 0; i < 50'000; ++i) {
        const CubicPolynomial f = any_cubic(random);
        const std::vector<double> roots =
            listed(cubic_roots(f[0], f[1], f[2], f[3], convergence_threshold(1.0)));
        const double unit = random.sign() * 0.125;
        ASSERT_EQ(roots, listed(cubic_roots(unit * f[0], unit * f[1], unit * f[2], unit * f[3],
                                            convergence_threshold(0.5))));
    }
}

// Threshold 0 is not permitted and drives the iteration to its limit.
TEST(SafeCubicSolver, EndsAndStaysInTheStepForWildInput) {
    Random random;
    const std::array<double, 9> wild{0.0,   -0.0,       0x1p-1074, 1.0,   -1.0,
                                     1e300, -kInfinity, kNan,      1e-200};
    const auto pick = [&] { return wild[static_cast<std::size_t>(random.below(9))]; };
    for (int i = 0; i < 100'000; ++i) {
        const std::array<double, 5> x{pick(), pick(), pick(), pick(), pick()};
        expect_well_formed(quadratic_roots(x[0], x[1], x[2]));
        expect_well_formed(plain_cubic_roots(x[0], x[1], x[2], x[3]));
        expect_well_formed(cubic_roots(x[0], x[1], x[2], x[3], x[4]));
        const RootList roots = cubic_roots(x[0], x[1], x[2], x[3], 0x1p-33);
        expect_well_formed(roots);
        if (std::isnan(x[3])) {
            EXPECT_GE(roots.count, 2);  // both ends: nothing is known
        }
    }
}

TEST(SafeCubicSolver, PlainOneFindsRootsThatStandApart) {
    Random random;
    int found = 0;
    for (int i = 0; i < 50'000; ++i) {
        const double r = 0.05 + 0.2 * random.unit();
        const double s = 0.4 + 0.2 * random.unit();
        const double t = 0.75 + 0.2 * random.unit();
        const CubicPolynomial f = product(r, s, t);
        const RootList roots = plain_cubic_roots(f[0], f[1], f[2], f[3]);
        ASSERT_EQ(roots.count, 3);
        EXPECT_NEAR(roots.values[0], r, 1e-13);
        EXPECT_NEAR(roots.values[1], s, 1e-13);
        EXPECT_NEAR(roots.values[2], t, 1e-13);
        found += roots.count;
    }
    EXPECT_EQ(found, 150'000);
}

// What protection is for: a contact in the middle of the step, where F touches zero, is lost when F
// misses zero by its rounding.
TEST(SafeCubicSolver, PlainOneLosesADoubleRootThatTheProvedOneKeeps) {
    const double off = 0x1p-50;
    EXPECT_TRUE(listed(plain_cubic_roots(1.0, -2.5, 1.75, -0.375 - off)).empty());
    EXPECT_EQ(listed(cubic_roots(1.0, -2.5, 1.75, -0.375 - off, convergence_threshold(1.0))),
              std::vector<double>{0.5});
}

}  // namespace
}  // namespace graze::safe_cubic
