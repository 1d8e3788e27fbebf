// What is known at the start of a time step.
#pragma once

#include <span>
#include <vector>

#include "graze/sim/model.hpp"

namespace graze::sim {

struct StepSetup {
    StepSetup(const Model& model, const State& state);

    std::vector<Vec3> start;
    std::vector<std::uint8_t> is_prescribed;  // at the end of the step
    // x + dt v + dt^2 g for free vertices; for others where they have to be at the end.
    std::vector<Vec3> target;
    double time = 0.0;  // at the end
    bool has_scripts = false;

    // Sum of mass / 2 |x - target|^2 over free vertices.
    [[nodiscard]] double inertia(const Model& model, std::span<const Vec3> x) const;
    // By vertex what prescribed ones have left to go; empty where all have arrived.
    [[nodiscard]] std::vector<Vec3> left_to_script(std::span<const Vec3> x) const;
    // Sum of the squares of that.
    [[nodiscard]] double script_distance(std::span<const Vec3> x) const;
    // Puts prescribed vertices exactly where they have to be.
    void arrive(std::vector<Vec3>& x) const;
    // The state at the end, and what the statistics say of it.
    void finish(const Model& model, std::vector<Vec3> x, State& state, FrameStats& stats) const;
};

}  // namespace graze::sim
