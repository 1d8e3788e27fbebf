// Strictly convex quadratic programs by a dual active-set method (Goldfarb and Idnani 1983).
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "graze/core/stop.hpp"

namespace graze::sim {

// a . x >= bound
struct QpConstraint {
    std::vector<std::pair<int, double>> a;  // column and value
    double bound = 0.0;
};

struct QpResult {
    bool is_definite = true;  // false: the Hessian is not positive definite, and there is no x
    Eigen::VectorXd x;
    Eigen::VectorXd multipliers;  // by constraint, >= 0; 0 where it is not active
    // Constraints that contradict those before them, left out; none: x is the minimum.
    std::vector<std::size_t> refused;
    int iterations = 0;  // constraints that were added or dropped
    // False: ended before all constraints hold, by the stop or after twice as many changes as there are
    // constraints or unknowns and a hundred more; that is where constraints contradict each other.
    bool is_complete = true;
};

// Minimises 1/2 x H x + g x subject to the constraints. `lower`: the lower triangle of H, sparse and
// positive definite. One factorisation of H; one solve per constraint that becomes active; dense systems
// of the size of the active set.
// Guarantee, up to rounding, where it is complete: the conditions of Karush, Kuhn and Tucker hold for all
// constraints that were not refused. The most violated constraint is taken first, the first of equals.
// Requires: columns are those of H.
[[nodiscard]] QpResult solve_qp(const Eigen::SparseMatrix<double>& lower, const Eigen::VectorXd& g,
                                std::span<const QpConstraint> constraints,
                                const StopToken& stop = {});

}  // namespace graze::sim
