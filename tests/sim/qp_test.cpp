#include "graze/sim/qp.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <optional>
#include <random>

namespace graze::sim {
namespace {

struct Problem {
    Eigen::MatrixXd h;
    Eigen::VectorXd g;
    std::vector<QpConstraint> constraints;
};

Problem random_problem(unsigned seed, int size, int count) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Problem problem;
    const Eigen::MatrixXd a =
        Eigen::MatrixXd::NullaryExpr(size, size, [&] { return uniform(random); });
    problem.h = a.transpose() * a + 0.1 * Eigen::MatrixXd::Identity(size, size);
    problem.g = Eigen::VectorXd::NullaryExpr(size, [&] { return 3.0 * uniform(random); });
    for (int i = 0; i < count; ++i) {
        QpConstraint c;
        for (int column = 0; column < size; ++column)
            if (uniform(random) > -0.2) c.a.emplace_back(column, uniform(random));
        // The origin is inside of some, outside of others, but a point of them all exists: (1, ..., 1).
        double at_one = 0.0;
        for (const auto& [column, value] : c.a)
            at_one += value;
        c.bound = at_one - 0.5 * (uniform(random) + 1.0);
        problem.constraints.push_back(c);
    }
    return problem;
}

Eigen::SparseMatrix<double> lower_of(const Eigen::MatrixXd& h) {
    return Eigen::MatrixXd(h.triangularView<Eigen::Lower>()).sparseView();
}

double excess(const QpConstraint& c, const Eigen::VectorXd& x) {
    double sum = -c.bound;
    for (const auto& [column, value] : c.a)
        sum += value * x(column);
    return sum;
}

void expect_kkt(const Problem& problem, const QpResult& result) {
    Eigen::VectorXd residual = problem.h * result.x + problem.g;
    for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
        const double u = result.multipliers(static_cast<Eigen::Index>(i));
        const double left = excess(problem.constraints[i], result.x);
        EXPECT_GE(u, 0.0);
        EXPECT_GE(left, -1e-9);
        EXPECT_NEAR(u * left, 0.0, 1e-8);
        for (const auto& [column, value] : problem.constraints[i].a)
            residual(column) -= u * value;
    }
    EXPECT_LE(residual.cwiseAbs().maxCoeff(), 1e-8);
}

// The best of the minima over every subset of constraints taken as equations.
std::optional<Eigen::VectorXd> by_brute_force(const Problem& problem) {
    std::optional<Eigen::VectorXd> best;
    double least = 0.0;
    const auto n = problem.g.size();
    for (unsigned subset = 0; subset < (1U << problem.constraints.size()); ++subset) {
        std::vector<std::size_t> active;
        for (std::size_t i = 0; i < problem.constraints.size(); ++i)
            if ((subset >> i & 1U) != 0) active.push_back(i);
        const auto m = static_cast<Eigen::Index>(active.size());
        if (m > n) continue;
        Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + m, n + m);
        Eigen::VectorXd right(n + m);
        system.topLeftCorner(n, n) = problem.h;
        right.head(n) = -problem.g;
        for (Eigen::Index k = 0; k < m; ++k) {
            const QpConstraint& c = problem.constraints[active[static_cast<std::size_t>(k)]];
            for (const auto& [column, value] : c.a)
                system(n + k, column) = system(column, n + k) = value;
            right(n + k) = c.bound;
        }
        const Eigen::FullPivLU<Eigen::MatrixXd> lu(system);
        if (!lu.isInvertible()) continue;
        const Eigen::VectorXd x = lu.solve(right).head(n);
        bool is_feasible = true;
        for (const QpConstraint& c : problem.constraints)
            is_feasible = is_feasible && excess(c, x) >= -1e-9;
        const double value = 0.5 * x.dot(problem.h * x) + problem.g.dot(x);
        if (is_feasible && (!best || value < least)) {
            best = x;
            least = value;
        }
    }
    return best;
}

TEST(QpTest, AgreesWithBruteForceOnSmallProblems) {
    int with_active = 0;
    for (unsigned seed = 0; seed < 150; ++seed) {
        const Problem problem =
            random_problem(seed, 1 + static_cast<int>(seed % 5), static_cast<int>(seed % 9));
        const QpResult result = solve_qp(lower_of(problem.h), problem.g, problem.constraints);
        ASSERT_TRUE(result.is_definite && result.is_complete);
        EXPECT_TRUE(result.refused.empty()) << seed;
        const auto expected = by_brute_force(problem);
        ASSERT_TRUE(expected) << seed;
        EXPECT_LE((result.x - *expected).cwiseAbs().maxCoeff(), 1e-6) << seed;
        with_active += result.multipliers.size() > 0 && result.multipliers.maxCoeff() > 0.0 ? 1 : 0;
    }
    EXPECT_GT(with_active, 60);
}

TEST(QpTest, MeetsTheConditionsOfAMinimumWithManyConstraintsThatComeAndGo) {
    int dropped = 0;
    for (unsigned seed = 0; seed < 4; ++seed) {
        const Problem problem = random_problem(300 + seed, 90, 400);
        const QpResult result = solve_qp(lower_of(problem.h), problem.g, problem.constraints);
        ASSERT_TRUE(result.is_definite && result.is_complete);
        EXPECT_TRUE(result.refused.empty());
        expect_kkt(problem, result);
        const auto active = (result.multipliers.array() > 0.0).count();
        EXPECT_GT(active, 10);
        dropped += result.iterations - static_cast<int>(active);
    }
    EXPECT_GT(dropped, 50);
}

TEST(QpTest, SaysWhereItWasStopped) {
    const Problem problem = random_problem(7, 30, 45);
    const QpResult whole = solve_qp(lower_of(problem.h), problem.g, problem.constraints);
    EXPECT_TRUE(whole.is_complete);
    const StopToken stop([](const void*) noexcept { return true; });
    const QpResult stopped = solve_qp(lower_of(problem.h), problem.g, problem.constraints, stop);
    EXPECT_FALSE(stopped.is_complete);
    EXPECT_EQ(stopped.iterations, 0);
}

TEST(QpTest, EndsWhereThousandsOfConstraintsContradictEachOther) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Problem problem = random_problem(9, 60, 0);
    for (int i = 0; i < 3000; ++i) {
        QpConstraint c;
        for (int k = 0; k < 12; ++k)
            c.a.emplace_back((7 * i + 5 * k) % 60, uniform(random));
        c.bound = 1.0 + uniform(random);
        problem.constraints.push_back(c);
    }
    const QpResult result = solve_qp(lower_of(problem.h), problem.g, problem.constraints);
    EXPECT_FALSE(result.is_complete);
    EXPECT_TRUE(result.x.allFinite());
    EXPECT_LE(result.iterations, 500);
}

TEST(QpTest, MeetsTheConditionsOfAMinimumOnLargerProblems) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        const Problem problem = random_problem(100 + seed, 30, 45);
        const QpResult result = solve_qp(lower_of(problem.h), problem.g, problem.constraints);
        EXPECT_TRUE(result.refused.empty());
        expect_kkt(problem, result);
    }
}

TEST(QpTest, TakesTheSameConstraintTwiceAndRefusesAContradiction) {
    Problem problem = random_problem(7, 3, 0);
    problem.constraints = {{{{0, 1.0}}, 2.0}, {{{0, 1.0}}, 2.0}, {{{0, -1.0}}, -1.0}};
    const QpResult result = solve_qp(lower_of(problem.h), problem.g, problem.constraints);
    ASSERT_EQ(result.refused.size(), 1u);
    // x0 >= 2 (twice) and x0 <= 1: what is left is solved as if the refused one were not there.
    problem.constraints.erase(problem.constraints.begin() +
                              static_cast<std::ptrdiff_t>(result.refused[0]));
    const QpResult rest = solve_qp(lower_of(problem.h), problem.g, problem.constraints);
    EXPECT_TRUE(rest.refused.empty());
    EXPECT_LE((rest.x - result.x).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_TRUE(std::abs(result.x(0) - 2.0) < 1e-9 || result.x(0) < 1.0 + 1e-9);
}

TEST(QpTest, ReportsAHessianThatIsNotDefinite) {
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(2, 2);
    h(0, 0) = 1.0;
    EXPECT_FALSE(solve_qp(lower_of(h), Eigen::VectorXd::Ones(2), {}).is_definite);
}

}  // namespace
}  // namespace graze::sim
