#include "factorisation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace graze::sim {
namespace {

// Positive definite, with the pattern of a chain and a few long links.
Eigen::SparseMatrix<double> linked_chain(int size, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < size; ++i) {
        entries.emplace_back(i, i, 8.0 + value(random));
        if (i > 0) entries.emplace_back(i, i - 1, value(random));
        if (i > 7 && i % 5 == 0) entries.emplace_back(i, i - 7, value(random));
    }
    Eigen::SparseMatrix<double> lower(size, size);
    lower.setFromTriplets(entries.begin(), entries.end());
    return lower;
}

template <class Solver>
void expect_solved(Solver& solver, const Eigen::SparseMatrix<double>& lower) {
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(lower.rows(), -1.0, 2.0);
    ASSERT_TRUE(solver.factorise(lower));
    const Eigen::VectorXd x = solver.solve(right);
    const Eigen::VectorXd back = lower.selfadjointView<Eigen::Lower>() * x;
    EXPECT_LE((back - right).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(FactorisationTest, SolvesSystemsOfOneAndOfAnotherPattern) {
    Factorisation factorisation;
    for (const int size : {1, 40, 40, 200})
        expect_solved(factorisation, linked_chain(size, static_cast<unsigned>(size)));
}

TEST(FactorisationTest, ReportsAMatrixThatIsNotDefinite) {
    Eigen::SparseMatrix<double> lower = linked_chain(12, 3);
    lower.coeffRef(5, 5) = 0.0;
    lower.coeffRef(5, 4) = 0.0;
    lower.coeffRef(6, 5) = 0.0;
    Factorisation factorisation;
    EXPECT_FALSE(factorisation.factorise(lower));
    expect_solved(factorisation, linked_chain(12, 3));
}

TEST(FactorisationTest, OfAnIndefiniteMatrixStillLeadsDownward) {
    Eigen::SparseMatrix<double> lower(2, 2);
    lower.insert(0, 0) = 1.0;
    lower.insert(1, 0) = 2.0;
    lower.insert(1, 1) = 1.0;
    const Eigen::VectorXd gradient = Eigen::Vector2d(1.0, -1.0);
    Factorisation factorisation;
    const auto x = detail::descent(factorisation, lower, gradient);
    ASSERT_TRUE(x);
    EXPECT_GT(gradient.dot(*x), 0.0);
    lower.coeffRef(0, 0) = -1.0;  // no positive diagonal to make larger
    EXPECT_FALSE(detail::descent(factorisation, lower, gradient));
    const auto solved =
        detail::descent(factorisation, linked_chain(12, 3), Eigen::VectorXd::Ones(12));
    ASSERT_TRUE(solved);
    const Eigen::VectorXd back = linked_chain(12, 3).selfadjointView<Eigen::Lower>() * *solved;
    EXPECT_LE((back - Eigen::VectorXd::Ones(12)).cwiseAbs().maxCoeff(), 1e-12);
}

#if defined(GRAZE_SIM_CHOLMOD)
TEST(FactorisationTest, OfEigenAndOfCholmodAgree) {
    for (unsigned seed = 0; seed < 8; ++seed) {
        const Eigen::SparseMatrix<double> lower = linked_chain(150, seed);
        const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(150, -1.0, 2.0);
        EigenFactorisation eigen;
        CholmodFactorisation cholmod;
        ASSERT_TRUE(eigen.factorise(lower));
        ASSERT_TRUE(cholmod.factorise(lower));
        const Eigen::VectorXd a = eigen.solve(right);
        const Eigen::VectorXd b = cholmod.solve(right);
        EXPECT_LE((a - b).cwiseAbs().maxCoeff(), 1e-13);
    }
}
#endif

}  // namespace
}  // namespace graze::sim
