#include "frontal_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <set>

namespace graze::sim {
namespace {

using Matrix = FrontalCholesky::Matrix;

// A grid of nodes in three dimensions with `links` more pairs, `width` columns for each node: positive
// definite, since its diagonal is larger than the sum of the rest.
Matrix grid_matrix(int cells, int links, int width, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> value(-1.0, 1.0);
    const int count = cells * cells * cells;
    std::set<std::pair<int, int>> pairs;
    for (int i = 0; i < count; ++i) {
        const int x = i % cells;
        const int y = i / cells % cells;
        if (x > 0) pairs.emplace(i, i - 1);
        if (y > 0) pairs.emplace(i, i - cells);
        if (i >= cells * cells) pairs.emplace(i, i - cells * cells);
    }
    for (int k = 0; k < links; ++k) {
        const auto a = static_cast<int>(random() % static_cast<unsigned>(count));
        const auto b = static_cast<int>(random() % static_cast<unsigned>(count));
        if (a != b) pairs.emplace(std::max(a, b), std::min(a, b));
    }
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd sums = Eigen::VectorXd::Zero(count * width);
    const auto add = [&](int row, int column) {
        const double v = value(random);
        entries.emplace_back(row, column, v);
        sums(row) += std::fabs(v);
        sums(column) += std::fabs(v);
    };
    for (const auto& [a, b] : pairs)
        for (int k = 0; k < width; ++k)
            for (int l = 0; l < width; ++l)
                add(a * width + k, b * width + l);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < width; ++k)
            for (int l = 0; l < k; ++l)
                add(i * width + k, i * width + l);
    for (int i = 0; i < count * width; ++i)
        entries.emplace_back(i, i, sums(i) + 0.1);
    Matrix lower(count * width, count * width);
    lower.setFromTriplets(entries.begin(), entries.end());
    return lower;
}

void expect_solved(FrontalCholesky& solver, const Matrix& lower) {
    solver.analyzePattern(lower);
    solver.factorize(lower);
    ASSERT_EQ(solver.info(), Eigen::Success);
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(lower.rows(), -1.0, 2.0);
    const Eigen::VectorXd x = solver.solve(right);
    const Eigen::VectorXd back = lower.selfadjointView<Eigen::Lower>() * x;
    EXPECT_LE((back - right).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(FrontalCholeskyTest, SolvesSystemsOfManyPatterns) {
    FrontalCholesky solver;
    unsigned seed = 0;
    for (const int width : {1, 2, 3})
        for (const int cells : {1, 2, 3, 6})
            for (const int links : {0, 5, 60})
                expect_solved(solver, grid_matrix(cells, links, width, ++seed));
}

TEST(FrontalCholeskyTest, SolvesSystemsOfSeveralPartsAndOfNoLinksAtAll) {
    FrontalCholesky solver;
    Matrix apart(9, 9);
    apart.setIdentity();
    expect_solved(solver, apart);
    // Two grids that know nothing of each other.
    const Matrix one = grid_matrix(4, 10, 3, 5);
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index c = 0; c < one.cols(); ++c)
        for (Matrix::InnerIterator entry(one, c); entry; ++entry)
            for (const Eigen::Index shift : {Eigen::Index{0}, one.cols()})
                entries.emplace_back(static_cast<int>(entry.row() + shift),
                                     static_cast<int>(c + shift), entry.value());
    Matrix two(2 * one.rows(), 2 * one.cols());
    two.setFromTriplets(entries.begin(), entries.end());
    expect_solved(solver, two);
    // A dense one.
    expect_solved(solver, grid_matrix(3, 4000, 3, 9));
}

TEST(FrontalCholeskyTest, HasTheSameBitsForAnyNumberOfThreads) {
    const Matrix lower = grid_matrix(9, 200, 3, 7);
    const Eigen::VectorXd right = Eigen::VectorXd::LinSpaced(lower.rows(), -1.0, 2.0);
    FrontalCholesky one;
    expect_solved(one, lower);
    for (const unsigned threads : {2U, 5U}) {
        FrontalCholesky several;
        several.use_threads(threads);
        expect_solved(several, lower);
        EXPECT_EQ(one.solve(right), several.solve(right));
    }
}

TEST(FrontalCholeskyTest, ReportsAPivotThatIsNotPositiveWhereverItIs) {
    const Matrix good = grid_matrix(4, 20, 3, 3);
    FrontalCholesky solver;
    solver.analyzePattern(good);
    for (Eigen::Index i = 0; i < good.rows(); i += 7)
        for (const double wrong : {0.0, -1.0, std::nan("")}) {
            Matrix bad = good;
            bad.coeffRef(i, i) = wrong;
            solver.factorize(bad);
            EXPECT_EQ(solver.info(), Eigen::NumericalIssue) << i << " " << wrong;
        }
    solver.factorize(good);
    EXPECT_EQ(solver.info(), Eigen::Success);
}

TEST(FrontalCholeskyTest, StoresLittleMoreThanMinimumDegreeNeeds) {
    // A grid of 1000 nodes has some 0.3 million entries of L by a good ordering; in its own order it
    // would have a band of 300 below each of 3000 columns.
    const Matrix lower = grid_matrix(10, 0, 3, 1);
    FrontalCholesky solver;
    solver.analyzePattern(lower);
    EXPECT_LT(solver.stored_entries(), 650'000U);
}

}  // namespace
}  // namespace graze::sim
