// A sparse factorisation that keeps its ordering while the pattern of the matrix stays.
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <optional>
#include <vector>

#if defined(GRAZE_SIM_CHOLMOD)
#include <Eigen/CholmodSupport>
#endif

namespace graze::sim {

// Solver: a direct solver of Eigen's interface for the lower triangle of symmetric matrices.
template <class Solver>
class FactorisationBy {
public:
    using Matrix = Eigen::SparseMatrix<double>;

    // The lower triangle of a symmetric positive definite matrix; false where it is not definite.
    [[nodiscard]] bool factorise(const Matrix& lower) {
        if (!has_pattern_of(lower)) {
            outer_.assign(lower.outerIndexPtr(), lower.outerIndexPtr() + lower.outerSize() + 1);
            inner_.assign(lower.innerIndexPtr(), lower.innerIndexPtr() + lower.nonZeros());
            solver_.analyzePattern(lower);
        }
        solver_.factorize(lower);
        return solver_.info() == Eigen::Success;
    }
    template <class Right>
    [[nodiscard]] auto solve(const Right& right) const {
        return solver_.solve(right).eval();
    }

private:
    [[nodiscard]] bool has_pattern_of(const Matrix& m) const {
        const auto columns = static_cast<std::size_t>(m.outerSize());
        const auto entries = static_cast<std::size_t>(m.nonZeros());
        return outer_.size() == columns + 1 && inner_.size() == entries &&
               std::equal(outer_.begin(), outer_.end(), m.outerIndexPtr()) &&
               std::equal(inner_.begin(), inner_.end(), m.innerIndexPtr());
    }

    std::vector<Matrix::StorageIndex> outer_;
    std::vector<Matrix::StorageIndex> inner_;
    Solver solver_;
};

using EigenFactorisation =
    FactorisationBy<Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower>>;

#if defined(GRAZE_SIM_CHOLMOD)
// Supernodes: dense blocks, by the BLAS that CHOLMOD is linked with.
class QuietCholmod : public Eigen::CholmodSupernodalLLT<Eigen::SparseMatrix<double>, Eigen::Lower> {
public:
    // A matrix that is not definite is an answer, not a message on the standard output.
    QuietCholmod() { cholmod().print = 0; }
};
using CholmodFactorisation = FactorisationBy<QuietCholmod>;
using Factorisation = CholmodFactorisation;
#else
using Factorisation = EigenFactorisation;
#endif

namespace detail {

// x with H x = g, or with a larger diagonal of H where rounding has left it indefinite, as among barriers
// of very different stiffness: g . x > 0, so that -x leads downward. Nothing where no diagonal helps.
// The lower triangle of H is given.
[[nodiscard]] inline std::optional<Eigen::VectorXd> descent(
    Factorisation& factorisation, const Eigen::SparseMatrix<double>& lower,
    const Eigen::VectorXd& gradient) {
    // [of the diagonal] First what rounding errors of some hundred sums are, at last a short step along
    // the scaled gradient.
    constexpr double kFirstShift = 1e-12;
    constexpr double kLastShift = 1e4;
    const auto solved = [&](const Eigen::SparseMatrix<double>& matrix) {
        std::optional<Eigen::VectorXd> x;
        if (!factorisation.factorise(matrix)) return x;
        x = factorisation.solve(gradient);
        const double slope = gradient.dot(*x);  // NaN where one of them is
        if (!(slope > 0.0) && !(slope == 0.0 && gradient.isZero(0.0))) x.reset();
        return x;
    };
    auto x = solved(lower);
    if (x) return x;
    Eigen::SparseMatrix<double> shifted = lower;
    for (double shift = kFirstShift; shift <= kLastShift && !x; shift *= 100.0) {
        for (Eigen::Index i = 0; i < shifted.outerSize(); ++i)
            shifted.coeffRef(i, i) = (1.0 + shift) * lower.coeff(i, i);
        x = solved(shifted);
    }
    return x;
}

}  // namespace detail

}  // namespace graze::sim
