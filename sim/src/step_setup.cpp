#include "step_setup.hpp"

#include <utility>

namespace graze::sim {

StepSetup::StepSetup(const Model& model, const State& state)
    : start(state.x), time(state.time + model.solver.dt) {
    is_prescribed = prescribed(model, time);
    const double dt = model.solver.dt;
    target = start;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (is_prescribed[i] == 0) target[i] += dt * state.v[i] + (dt * dt) * model.gravity;
        has_scripts = has_scripts || (is_prescribed[i] != 0 && model.fixed[i] == 0);
    }
    if (has_scripts) apply_scripts(model, time, target);
}

double StepSetup::inertia(const Model& model, std::span<const Vec3> x) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (is_prescribed[i] == 0) sum += 0.5 * model.mass[i] * norm_sq(x[i] - target[i]);
    return sum;
}

std::vector<Vec3> StepSetup::left_to_script(std::span<const Vec3> x) const {
    std::vector<Vec3> left;
    if (!has_scripts) return left;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (is_prescribed[i] == 0 || x[i] == target[i]) continue;
        left.resize(x.size());
        left[i] = target[i] - x[i];
    }
    return left;
}

double StepSetup::script_distance(std::span<const Vec3> x) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (is_prescribed[i] != 0) sum += norm_sq(target[i] - x[i]);
    return sum;
}

void StepSetup::arrive(std::vector<Vec3>& x) const {
    for (std::size_t i = 0; i < x.size(); ++i)
        if (is_prescribed[i] != 0) x[i] = target[i];
}

void StepSetup::finish(const Model& model, std::vector<Vec3> x, State& state,
                       FrameStats& stats) const {
    const double dt = model.solver.dt;
    stats.steps = 1;
    stats.inverted = inverted_tetrahedra(model, x);
    stats.kinetic_energy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        state.v[i] = (1.0 / dt) * (x[i] - start[i]);
        stats.kinetic_energy += 0.5 * model.mass[i] * norm_sq(state.v[i]);
    }
    if (!left_to_script(x).empty()) ++stats.fail_safes;
    state.x = std::move(x);
    state.time = time;
}

}  // namespace graze::sim
