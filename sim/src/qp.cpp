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

class DualActiveSet {
public:
    DualActiveSet(const Factorisation& factorisation, std::span<const QpConstraint> constraints,
                  QpResult& result)
        : factorisation_(factorisation),
          constraints_(constraints),
          result_(result),
          is_done_(constraints.size(), 0) {}

    void solve();

private:
    struct Active {
        std::size_t constraint;
        Eigen::VectorXd y;  // H^-1 a
        double multiplier;
    };
    [[nodiscard]] std::optional<std::size_t> most_violated() const;
    // False: the constraint contradicts those that are active.
    [[nodiscard]] bool enforce(std::size_t q);
    // How the multipliers of the active set change with that of a new constraint.
    [[nodiscard]] Eigen::VectorXd dual_direction(const Eigen::VectorXd& y) const;
    void drop(std::size_t position) {
        is_done_[active_[position].constraint] = 0;
        active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(position));
        ++result_.iterations;
    }

    const Factorisation& factorisation_;
    std::span<const QpConstraint> constraints_;
    QpResult& result_;
    std::vector<std::uint8_t> is_done_;  // active or refused
    std::vector<Active> active_;
};

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

Eigen::VectorXd DualActiveSet::dual_direction(const Eigen::VectorXd& y) const {
    const auto count = static_cast<Eigen::Index>(active_.size());
    if (count == 0) return {};
    Eigen::MatrixXd schur(count, count);
    Eigen::VectorXd right(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const QpConstraint& c = constraints_[active_[static_cast<std::size_t>(i)].constraint];
        right(i) = product(c, y);
        for (Eigen::Index j = 0; j < count; ++j)
            schur(i, j) = product(c, active_[static_cast<std::size_t>(j)].y);
    }
    return schur.ldlt().solve(right);
}

bool DualActiveSet::enforce(std::size_t q) {
    const QpConstraint& c = constraints_[q];
    Eigen::VectorXd a = Eigen::VectorXd::Zero(result_.x.size());
    for (const auto& [column, value] : c.a)
        a(column) += value;
    const Eigen::VectorXd y = factorisation_.solve(a);
    const double own = product(c, y);
    double multiplier = 0.0;
    for (;;) {
        const Eigen::VectorXd r = dual_direction(y);
        Eigen::VectorXd z = y;
        for (std::size_t i = 0; i < active_.size(); ++i)
            z -= r(static_cast<Eigen::Index>(i)) * active_[i].y;
        double dual_limit = kNoLimit;
        std::size_t leaving = 0;
        for (std::size_t i = 0; i < active_.size(); ++i) {
            const double slope = r(static_cast<Eigen::Index>(i));
            if (slope > 0.0 && active_[i].multiplier / slope < dual_limit) {
                dual_limit = active_[i].multiplier / slope;
                leaving = i;
            }
        }
        // Dependent on the active ones: moving along z does not help.
        constexpr double kDependent = 1e-11;
        const double slope = product(c, z);
        const bool is_dependent = !(slope > kDependent * own);
        const double primal = is_dependent ? kNoLimit : (c.bound - product(c, result_.x)) / slope;
        const double t = std::max(0.0, std::min(dual_limit, primal));
        // Also where rounding has left nothing of the directions (NaN).
        if (!(t < kNoLimit) || !r.allFinite()) return false;
        if (!is_dependent) result_.x += t * z;
        for (std::size_t i = 0; i < active_.size(); ++i)
            active_[i].multiplier -= t * r(static_cast<Eigen::Index>(i));
        multiplier += t;
        if (primal <= dual_limit || active_.empty()) {
            active_.push_back({q, y, multiplier});
            is_done_[q] = 1;
            ++result_.iterations;
            return true;
        }
        drop(leaving);
    }
}

void DualActiveSet::solve() {
    // The dual objective grows with each constraint, so the method ends; rounding may undo that.
    const std::size_t most = 20 * constraints_.size() + 20;
    for (std::size_t i = 0; i < most; ++i) {
        const auto q = most_violated();
        if (!q) break;
        const Eigen::VectorXd x = result_.x;
        const std::vector<Active> active = active_;
        const std::vector<std::uint8_t> is_done = is_done_;
        if (enforce(*q)) continue;
        result_.x = x;
        active_ = active;
        is_done_ = is_done;
        result_.refused.push_back(*q);
        is_done_[*q] = 1;
    }
    for (const Active& active : active_)
        result_.multipliers(static_cast<Eigen::Index>(active.constraint)) =
            std::max(0.0, active.multiplier);
}

}  // namespace

QpResult solve_qp(const Eigen::SparseMatrix<double>& lower, const Eigen::VectorXd& g,
                  std::span<const QpConstraint> constraints) {
    QpResult result;
    result.multipliers = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(constraints.size()));
    Factorisation factorisation;
    if (!factorisation.factorise(lower)) {
        result.is_definite = false;
        return result;
    }
    result.x = -factorisation.solve(g);
    DualActiveSet(factorisation, constraints, result).solve();
    return result;
}

}  // namespace graze::sim
