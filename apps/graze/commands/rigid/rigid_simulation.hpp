// `graze rigid --scene`: many bodies that push each other, step by step.
#pragma once

#include <cstdint>
#include <string>

#include "cli/options.hpp"

namespace graze::app {

struct SimulationRequest {
    std::string scene;        // a name, or a JSON file
    std::uint64_t steps = 0;  // 0: as the scene says
    std::uint64_t bodies = 0;
    std::uint64_t seed = 1;
    std::string out;
    std::uint64_t every = 0;  // 0: some hundred states
    bool check = false;
    CommonOptions common;
};

[[nodiscard]] Expected<ExitCode> run_rigid_simulation(const SimulationRequest& request);

}  // namespace graze::app
