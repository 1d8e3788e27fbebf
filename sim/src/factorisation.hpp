// A sparse factorisation that keeps its ordering while the pattern of the matrix stays.
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <optional>
#include <vector>

#include "frontal_cholesky.hpp"

#if defined(GRAZE_SIM_CHOLMOD)
#include <Eigen/CholmodSupport>
#endif

namespace graze::sim {

// Solver: a direct solver of Eigen's interface for the lower triangle of symmetric matrices.
template <class Solver>
class FactorisationBy {
public:
    using Matrix = Eigen::SparseMatrix<double>;

    // Threads: of solvers that have them; 0: all cores.
    explicit FactorisationBy([[maybe_unused]] unsigned threads = 1) {
        if constexpr (requires { solver_.use_threads(threads); }) solver_.use_threads(threads);
    }
    // The lower triangle of a symmetric positive definite matrix; false where it is not definite.
    [[nodiscard]] bool factorise(const Matrix& lower) {
        if (!lower.isCompressed()) {
            Matrix compressed = lower;
            compressed.makeCompressed();
            return factorise(compressed);
        }
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

// One column after the other: to compare with.
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
using Factorisation = FactorisationBy<FrontalCholesky>;
#endif

namespace detail {

// Factorises H, of which the lower triangle is given, with a larger diagonal where rounding has left it
// indefinite, as among barriers of very different stiffness, until `is_good()` accepts the
// factorisation. False where no diagonal helps.
template <class Good>
[[nodiscard]] bool factorise_shifted(Factorisation& factorisation,
                                     const Eigen::SparseMatrix<double>& lower,
                                     const Good& is_good) {
    // [of the diagonal] First what rounding errors of some hundred sums are, at last a short step along
    // the scaled gradient.
    constexpr double kFirstShift = 1e-12;
    constexpr double kLastShift = 1e4;
    if (factorisation.factorise(lower) && is_good()) return true;
    Eigen::SparseMatrix<double> shifted = lower;
    for (double shift = kFirstShift; shift <= kLastShift; shift *= 100.0) {
        for (Eigen::Index i = 0; i < shifted.outerSize(); ++i)
            shifted.coeffRef(i, i) = (1.0 + shift) * lower.coeff(i, i);
        if (factorisation.factorise(shifted) && is_good()) return true;
    }
    return false;
}

// x with H x = g, or with a larger diagonal of H: g . x > 0, so that -x leads downward. Nothing where no
// diagonal helps. The lower triangle of H is given.
[[nodiscard]] inline std::optional<Eigen::VectorXd> descent(
    Factorisation& factorisation, const Eigen::SparseMatrix<double>& lower,
    const Eigen::VectorXd& gradient) {
    Eigen::VectorXd x;
    const bool is_found = factorise_shifted(factorisation, lower, [&] {
        x = factorisation.solve(gradient);
        const double slope = gradient.dot(x);  // NaN where one of them is
        return slope > 0.0 || (slope == 0.0 && gradient.isZero(0.0));
    });
    if (!is_found) return std::nullopt;
    return x;
}

}  // namespace detail

}  // namespace graze::sim
