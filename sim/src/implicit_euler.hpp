// A step of implicit Euler without contact: where cloth and strands would go by themselves.
#pragma once

#include "graze/core/expected.hpp"
#include "graze/sim/model.hpp"
#include "step_setup.hpp"

namespace graze::sim::detail {

struct FreeStep {
    std::vector<Vec3> x;  // scripted vertices are where their scripts put them
    int iterations = 0;
};

// The minimum of sum m/2 |x - target|^2 + dt^2 (elastic energies), by projected Newton from where
// the state is, or a few iterations towards it.
[[nodiscard]] Expected<FreeStep> free_step(const Model& model, const State& state,
                                           const StepSetup& setup, unsigned threads);

}  // namespace graze::sim::detail
