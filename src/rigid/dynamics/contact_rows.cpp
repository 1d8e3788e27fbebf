#include "rigid/dynamics/contact_rows.hpp"

#include <algorithm>
#include <cmath>

#include "rigid/convex/support.hpp"

namespace graze::rigid::detail {
namespace {

// Of a gap that is too small, the fraction that a step restores; and the most of the resting gap in one
// step, so that bodies are not thrown.
constexpr double kRestored = 0.2;
constexpr double kMostRestored = 0.25;

// Two unit vectors across n.
void set_across(ContactRow& row) noexcept {
    const Vec3 n = row.directions[0].d;
    const Vec3 other = std::fabs(n.x) < 0.6 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
    const Vec3 s = cross(n, other);
    row.directions[1].d = (1.0 / std::sqrt(norm_sq(s))) * s;
    row.directions[2].d = cross(n, row.directions[1].d);
}

}  // namespace

void RowSolver::prepare(ContactRow& row, std::span<const SolverBody> bodies, const Vec3& centre_a,
                        const Vec3& centre_b) noexcept {
    set_across(row);
    const SolverBody& a = bodies[row.a];
    const SolverBody& b = bodies[row.b];
    for (ContactRow::Direction& k : row.directions) {
        k.arm_a = cross(row.position - centre_a, k.d);
        k.arm_b = cross(row.position - centre_b, k.d);
        k.spin_a = linear_times(a.inverse_inertia, k.arm_a);
        k.spin_b = linear_times(b.inverse_inertia, k.arm_b);
        const double compliance = a.linear_compliance(k.d) + b.linear_compliance(k.d) +
                                  dot(k.arm_a, k.spin_a) + dot(k.arm_b, k.spin_b);
        k.mass = compliance > 0.0 ? 1.0 / compliance : 0.0;
    }
}

double RowSolver::speed_along(const ContactRow& row, std::size_t k) const noexcept {
    const ContactRow::Direction& direction = row.directions[k];
    const BodyVelocity& a = bodies_[row.a].velocity;
    const BodyVelocity& b = bodies_[row.b].velocity;
    return dot(direction.d, b.linear - a.linear) + dot(direction.arm_b, b.angular) -
           dot(direction.arm_a, a.angular);
}

void RowSolver::push(const ContactRow& row, std::size_t k, double impulse) noexcept {
    const ContactRow::Direction& direction = row.directions[k];
    bodies_[row.a].push((-impulse) * direction.d, (-impulse) * direction.spin_a);
    bodies_[row.b].push(impulse * direction.d, impulse * direction.spin_b);
}

void RowSolver::solve_normal(ContactRow& row, double least_speed) noexcept {
    const double missing = least_speed - speed_along(row, 0);
    const double next = std::max(0.0, row.impulses[0] + row.directions[0].mass * missing);
    const double change = next - row.impulses[0];
    row.impulses[0] = next;
    row.largest = std::max(row.largest, next);
    if (change != 0.0) push(row, 0, change);
}

void RowSolver::solve_friction(ContactRow& row) noexcept {
    if (!(row.friction > 0.0)) return;
    double s = row.impulses[1] - row.directions[1].mass * speed_along(row, 1);
    double t = row.impulses[2] - row.directions[2].mass * speed_along(row, 2);
    const double most = row.friction * row.impulses[0];
    const double size = std::sqrt(s * s + t * t);
    if (size > most) {
        s *= most / size;
        t *= most / size;
    }
    const double change_s = s - row.impulses[1];
    const double change_t = t - row.impulses[2];
    row.impulses[1] = s;
    row.impulses[2] = t;
    if (change_s != 0.0) push(row, 1, change_s);
    if (change_t != 0.0) push(row, 2, change_t);
}

void RowSolver::solve() noexcept {
    for (const ContactRow& row : rows_)
        for (std::size_t k = 0; k < 3; ++k)
            if (row.impulses[k] != 0.0) push(row, k, row.impulses[k]);
    const double rate = 1.0 / settings_.time_step;
    for (int i = 0; i < settings_.velocity_iterations; ++i) {
        for (ContactRow& row : rows_) {
            const double room = row.gap - settings_.resting_gap;
            const double restored =
                std::min(-kRestored * room, kMostRestored * settings_.resting_gap);
            solve_friction(row);
            solve_normal(row, rate * (room > 0.0 ? -room : restored));
        }
    }
    for (ContactRow& row : rows_)
        row.gap += settings_.time_step * speed_along(row, 0);
}

void RowSolver::relax() noexcept {
    const double rate = 1.0 / settings_.time_step;
    for (int i = 0; i < settings_.relax_iterations; ++i) {
        for (ContactRow& row : rows_) {
            solve_friction(row);
            solve_normal(row, -rate * std::max(0.0, row.gap - settings_.resting_gap));
        }
    }
    for (ContactRow& row : rows_) {
        if (!(row.restitution > 0.0) || !(row.approach < -settings_.restitution_speed)) continue;
        if (row.largest > 0.0) solve_normal(row, -row.restitution * row.approach);
    }
}

}  // namespace graze::rigid::detail
