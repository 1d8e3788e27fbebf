// A sparse factorisation that keeps its ordering while the pattern of the matrix stays.
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
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

}  // namespace graze::sim
