// What other calls of this module need of a stepper and users do not.
#pragma once

#include <span>

#include "graze/mesh/step.hpp"
#include "mesh/step_boxes.hpp"

namespace graze::mesh_detail {

struct StepperAccess {
    [[nodiscard]] static MeshStepper::State& state(MeshStepper& stepper) noexcept {
        return *stepper.state_;
    }
};

// all_impacts() without `first`, which costs more queries where many pairs collide at once.
[[nodiscard]] Expected<StepImpacts> unordered_impacts(MeshStepper& stepper,
                                                      std::span<const Vec3> start,
                                                      std::span<const Vec3> end,
                                                      const StepOptions& options, Trees trees);

}  // namespace graze::mesh_detail
