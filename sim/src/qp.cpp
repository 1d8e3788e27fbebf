#include "graze/sim/qp.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "factorisation.hpp"

namespace graze::sim {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

double product(const QpConstraint& c, const Eigen::VectorXd& x) {
    double sum = 0.0;
    for (const auto& [column, value] : c.a)
        sum += value * x(column);
    return sum;
}

// Sum of magnitudes: what rounding errors of product() - bound are measured by.
double magnitude(const QpConstraint& c, const Eigen::VectorXd& x) {
    double sum = std::fabs(c.bound);
    for (const auto& [column, value] : c.a)
        sum += std::fabs(value * x(column));
    return sum;
}

// The active constraints, and L with L L^T = A H^-1 A^T of these, kept up to date as they come and go: a
// change takes the square of their number, a factorisation anew would take the cube.
struct ActiveConstraints {
    std::vector<std::size_t> members;  // numbers of constraints
    std::vector<double> multipliers;
    Eigen::MatrixXd factor;  // its lower triangle

    // row: L^-1 of the products with the others; pivot > 0.
    void add(std::size_t constraint, double multiplier, const Eigen::VectorXd& row, double pivot) {
        const Eigen::Index count = factor.rows();
        factor.conservativeResize(count + 1, count + 1);
        factor.block(count, 0, 1, count) = row.transpose();
        factor(count, count) = std::sqrt(pivot);
        members.push_back(constraint);
        multipliers.push_back(multiplier);
    }
    // Without its row, L has one element above the diagonal in each row from there on; rotations of
    // neighbouring columns put it back.
    void remove(std::size_t position) {
        members.erase(members.begin() + static_cast<std::ptrdiff_t>(position));
        multipliers.erase(multipliers.begin() + static_cast<std::ptrdiff_t>(position));
        const Eigen::Index left = factor.rows() - 1;
        for (auto i = static_cast<Eigen::Index>(position); i < left; ++i) {
            factor.row(i).head(i + 2) = factor.row(i + 1).head(i + 2).eval();
        }
        for (auto i = static_cast<Eigen::Index>(position); i < left; ++i) {
            const double length =
                std::sqrt(factor(i, i) * factor(i, i) + factor(i, i + 1) * factor(i, i + 1));
            const double c = factor(i, i) / length;
            const double d = factor(i, i + 1) / length;
            for (Eigen::Index row = i; row < left; ++row) {
                const double first = factor(row, i);
                const double second = factor(row, i + 1);
                factor(row, i) = c * first + d * second;
                factor(row, i + 1) = c * second - d * first;
            }
        }
        factor.conservativeResize(left, left);
    }
};

class DualActiveSet {
public:
    DualActiveSet(const Factorisation& factorisation, std::span<const QpConstraint> constraints,
                  const StopToken& stop, QpResult& result)
        : factorisation_(factorisation),
          constraints_(constraints),
          stop_(stop),
          result_(result),
          is_done_(constraints.size(), 0),
          inverse_(constraints.size()) {}

    void solve();

private:
    struct Before {
        Eigen::VectorXd x;
        ActiveConstraints active;
        std::vector<std::uint8_t> is_done;
    };
    void restore(const Before& before) {
        result_.x = before.x;
        active_ = before.active;
        is_done_ = before.is_done;
    }
    [[nodiscard]] std::optional<std::size_t> most_violated() const;
    // False, and nothing has changed: the constraint contradicts those that are active.
    [[nodiscard]] bool enforce(std::size_t q);
    // H^-1 a, found once for each constraint.
    [[nodiscard]] const Eigen::VectorXd& inverse_of(std::size_t constraint);
    void drop(std::size_t position) {
        is_done_[active_.members[position]] = 0;
        active_.remove(position);
        ++result_.iterations;
    }

    const Factorisation& factorisation_;
    std::span<const QpConstraint> constraints_;
    const StopToken& stop_;
    QpResult& result_;
    std::vector<std::uint8_t> is_done_;     // active or refused
    std::vector<Eigen::VectorXd> inverse_;  // by constraint; empty: not asked for
    ActiveConstraints active_;
};

const Eigen::VectorXd& DualActiveSet::inverse_of(std::size_t constraint) {
    Eigen::VectorXd& y = inverse_[constraint];
    if (y.size() == 0) {
        Eigen::VectorXd a = Eigen::VectorXd::Zero(result_.x.size());
        for (const auto& [column, value] : constraints_[constraint].a)
            a(column) += value;
        y = factorisation_.solve(a);
    }
    return y;
}

std::optional<std::size_t> DualActiveSet::most_violated() const {
    // Violations below the rounding errors of sums of a dozen terms are none.
    constexpr double kRounding = 1e-12;
    std::optional<std::size_t> worst;
    double most = 0.0;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
        if (is_done_[i] != 0) continue;
        const double violation = constraints_[i].bound - product(constraints_[i], result_.x);
        if (violation > most && violation > kRounding * magnitude(constraints_[i], result_.x)) {
            most = violation;
            worst = i;
        }
    }
    return worst;
}

// Where a multiplier gets to 0 first as they change by -t r.
struct DualLimit {
    double t = kNoLimit;
    std::size_t leaving = 0;
};
DualLimit dual_limit(const ActiveConstraints& active, const Eigen::VectorXd& r) {
    DualLimit limit;
    for (std::size_t i = 0; i < active.members.size(); ++i) {
        const double slope = r(static_cast<Eigen::Index>(i));
        if (slope > 0.0 && active.multipliers[i] / slope < limit.t)
            limit = {active.multipliers[i] / slope, i};
    }
    return limit;
}

bool DualActiveSet::enforce(std::size_t q) {
    const QpConstraint& c = constraints_[q];
    const Eigen::VectorXd& y = inverse_of(q);
    const double own = product(c, y);
    double multiplier = 0.0;
    std::optional<Before> before;  // the first constraint was dropped
    for (;;) {
        // How x and the multipliers of the active set change with that of the new constraint: x by
        // t z = t (y - sum of r_i y_i), they by -t r.
        const auto count = static_cast<Eigen::Index>(active_.members.size());
        Eigen::VectorXd row(count);
        for (Eigen::Index i = 0; i < count; ++i)
            row(i) = product(constraints_[active_.members[static_cast<std::size_t>(i)]], y);
        active_.factor.triangularView<Eigen::Lower>().solveInPlace(row);
        Eigen::VectorXd r = row;
        active_.factor.triangularView<Eigen::Lower>().transpose().solveInPlace(r);
        const DualLimit limit = dual_limit(active_, r);
        // Dependent on the active ones: moving along z does not help.
        constexpr double kDependent = 1e-11;
        const double slope = own - row.squaredNorm();  // a . z
        const bool is_dependent = !(slope > kDependent * own);
        const double primal = is_dependent ? kNoLimit : (c.bound - product(c, result_.x)) / slope;
        const double t = std::max(0.0, std::min(limit.t, primal));
        // Also where rounding has left nothing of the directions (NaN).
        if (!(t < kNoLimit) || !r.allFinite()) {
            if (before) restore(*before);
            return false;
        }
        if (primal > limit.t && !before) before = Before{result_.x, active_, is_done_};
        if (!is_dependent) result_.x += t * y;
        for (std::size_t i = 0; i < active_.members.size(); ++i) {
            const double change = t * r(static_cast<Eigen::Index>(i));
            if (!is_dependent) result_.x -= change * inverse_[active_.members[i]];
            active_.multipliers[i] -= change;
        }
        multiplier += t;
        if (primal <= limit.t) {
            active_.add(q, multiplier, row, slope);
            is_done_[q] = 1;
            ++result_.iterations;
            return true;
        }
        drop(limit.leaving);
    }
}

void DualActiveSet::solve() {
    // The dual objective grows with each constraint, so the method ends; but where constraints contradict
    // each other it may take very many changes to find out, and rounding may undo it.
    const std::size_t unknowns = static_cast<std::size_t>(result_.x.size());
    const auto most = static_cast<int>(2 * std::min(constraints_.size(), unknowns) + 100);
    result_.is_complete = false;
    while (result_.iterations + static_cast<int>(result_.refused.size()) <= most &&
           !stop_.stop_requested()) {
        const auto q = most_violated();
        if (!q) {
            result_.is_complete = true;
            break;
        }
        if (enforce(*q)) continue;
        result_.refused.push_back(*q);
        is_done_[*q] = 1;
    }
    for (std::size_t i = 0; i < active_.members.size(); ++i)
        result_.multipliers(static_cast<Eigen::Index>(active_.members[i])) =
            std::max(0.0, active_.multipliers[i]);
}

}  // namespace

QpResult solve_qp(const Eigen::SparseMatrix<double>& lower, const Eigen::VectorXd& g,
                  std::span<const QpConstraint> constraints, const StopToken& stop) {
    QpResult result;
    result.multipliers = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(constraints.size()));
    Factorisation factorisation;
    if (!factorisation.factorise(lower)) {
        result.is_definite = false;
        return result;
    }
    result.x = -factorisation.solve(g);
    DualActiveSet(factorisation, constraints, stop, result).solve();
    return result;
}

}  // namespace graze::sim
