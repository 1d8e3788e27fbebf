// Sequential impulses over contact points that keep a gap: projected Gauss-Seidel with warm starts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/rigid/dynamics.hpp"

namespace graze::rigid::detail {

// A body as the solver sees it, all in the world.
struct SolverBody {
    BodyVelocity velocity;
    double inverse_mass = 0.0;
    Matrix3 inverse_inertia{};
    bool slides = false;  // along `axis` alone
    Vec3 axis;

    void push(const Vec3& impulse, const Vec3& spin) noexcept {
        const Vec3 along = slides ? dot(axis, impulse) * axis : impulse;
        velocity.linear = velocity.linear + inverse_mass * along;
        velocity.angular = velocity.angular + spin;
    }
    // Of a unit direction.
    [[nodiscard]] double linear_compliance(const Vec3& d) const noexcept {
        const double along = slides ? dot(axis, d) : 1.0;
        return inverse_mass * along * along;
    }
};

// A contact to be solved. Impulses may hold those of the step before.
struct ContactRow {
    // One direction: how a unit impulse along it acts.
    struct Direction {
        Vec3 d;
        Vec3 arm_a;  // arm x d
        Vec3 arm_b;
        Vec3 spin_a;  // inverse inertia times it
        Vec3 spin_b;
        double mass = 0.0;  // 1 / compliance; 0: nothing moves
    };
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Vec3 position;
    double gap = 0.0;
    double friction = 0.0;
    double restitution = 0.0;
    double approach = 0.0;  // relative velocity along the normal before the step, < 0: approaching
    std::array<Direction, 3> directions;  // the normal, and two across it
    std::array<double, 3> impulses{};
    double largest = 0.0;  // impulse along the normal in any sweep
};

struct RowSettings {
    double time_step = 0.0;
    double resting_gap = 0.0;
    double restitution_speed = 0.0;  // slower approaches do not bounce
    int velocity_iterations = 0;
    int relax_iterations = 0;
};

class RowSolver {
public:
    RowSolver(std::span<SolverBody> bodies, std::span<ContactRow> rows,
              const RowSettings& settings) noexcept
        : bodies_(bodies), rows_(rows), settings_(settings) {}

    // Fills in the directions of a row from its normal (directions[0].d) and positions of the bodies.
    static void prepare(ContactRow& row, std::span<const SolverBody> bodies, const Vec3& centre_a,
                        const Vec3& centre_b) noexcept;

    // The velocities with which bodies move: no gap closes beyond the resting gap, and gaps below it
    // open by a fraction.
    void solve() noexcept;
    // The velocities that they keep, after the motion: without what opened gaps, and with restitution.
    void relax() noexcept;

private:
    [[nodiscard]] double speed_along(const ContactRow& row, std::size_t k) const noexcept;
    void push(const ContactRow& row, std::size_t k, double impulse) noexcept;
    void solve_normal(ContactRow& row, double least_speed) noexcept;
    void solve_friction(ContactRow& row) noexcept;

    std::span<SolverBody> bodies_;
    std::span<ContactRow> rows_;
    RowSettings settings_;
};

}  // namespace graze::rigid::detail
