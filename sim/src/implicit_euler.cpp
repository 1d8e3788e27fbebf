#include "implicit_euler.hpp"

#include <algorithm>
#include <cmath>

#include "factorisation.hpp"
#include "graze/sim/energy.hpp"

namespace graze::sim::detail {
namespace {

// Contacts change the velocities afterwards anyway: more iterations are better than a single linear
// solve, as most systems of this kind do, where a step bends much, and no use beyond.
constexpr int kMostIterations = 4;

struct Objective {
    const Model& model;
    const StepSetup& setup;
    std::vector<std::unique_ptr<Energy>> energies;
    unsigned threads = 1;

    [[nodiscard]] double operator()(std::span<const Vec3> x) const {
        const double dt_sq = model.solver.dt * model.solver.dt;
        double sum = setup.inertia(model, x);
        for (const auto& energy : energies)
            sum += dt_sq * total_value(*energy, x, threads);
        return sum;
    }
};

Expected<Eigen::VectorXd> newton_direction(const Objective& objective, NewtonSystem& system,
                                           std::span<const Vec3> x, Factorisation& factor) {
    const double dt = objective.model.solver.dt;
    system.clear();
    for (const auto& energy : objective.energies)
        system.add(*energy, dt * dt, x);
    system.add_inertia(objective.model.mass, x, objective.setup.target);
    const auto uphill = descent(factor, system.hessian(), system.gradient());
    if (!uphill) return Error{"the matrix of the step cannot be factorised", ErrorCode::Internal};
    return Eigen::VectorXd(-*uphill);
}

std::vector<Vec3> moved_by(std::span<const Vec3> x, const NewtonSystem& system,
                           const Eigen::VectorXd& direction, double fraction) {
    std::vector<Vec3> moved(x.begin(), x.end());
    for (std::size_t i = 0; i < moved.size(); ++i) {
        const std::uint32_t at = system.free_index()[i];
        if (at == NewtonSystem::kNotFree) continue;
        const Eigen::Index row = 3 * static_cast<Eigen::Index>(at);
        moved[i] += fraction * Vec3{direction[row], direction[row + 1], direction[row + 2]};
    }
    return moved;
}

// Halves the step until the objective is lower; no step at all where it never is.
double descend(const Objective& objective, const NewtonSystem& system,
               const Eigen::VectorXd& direction, std::vector<Vec3>& x, double& value) {
    for (double fraction = 1.0; fraction > 1e-4; fraction *= 0.5) {
        std::vector<Vec3> trial = moved_by(x, system, direction, fraction);
        const double trial_value = objective(trial);
        if (!(trial_value < value)) continue;
        x = std::move(trial);
        value = trial_value;
        return fraction;
    }
    return 0.0;
}

}  // namespace

Expected<FreeStep> free_step(const Model& model, const State& state, const StepSetup& setup,
                             unsigned threads) {
    Objective objective{model, setup, cloth_energies(model, state), threads};
    for (auto& energy : elastic_energies(model))
        objective.energies.push_back(std::move(energy));
    FreeStep step{state.x, 0};
    setup.arrive(step.x);
    NewtonSystem system(setup.is_prescribed, threads);
    if (system.free_count() == 0) return step;
    const double enough = model.solver.newton_tolerance * model_size(model);
    double value = objective(step.x);
    Factorisation factor(threads);
    const int most = std::min(model.solver.max_iterations, kMostIterations);
    while (step.iterations < most) {
        const auto direction = newton_direction(objective, system, step.x, factor);
        if (!direction) return direction.error();
        ++step.iterations;
        const double fraction = descend(objective, system, *direction, step.x, value);
        if (fraction == 0.0 || direction->lpNorm<Eigen::Infinity>() * fraction <= enough) break;
    }
    return step;
}

}  // namespace graze::sim::detail
