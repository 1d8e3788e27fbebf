// Three ways to go from one state to another without ever letting anything through anything.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graze/mesh/step.hpp"

namespace falling_cloth {

enum class Mode { LineSearch, Fractions, Radii };
[[nodiscard]] std::optional<Mode> mode_named(std::string_view name);

struct Advance {
    std::vector<graze::Vec3> positions;
    // The smallest fraction of its displacement that a vertex was granted before the energy was tested.
    double least_share = 1.0;
    // Vertices had a displacement, nothing touched, and none was granted: must not happen.
    bool is_stuck = false;
};

using Energy = std::function<double(std::span<const graze::Vec3>)>;

// From `start` towards `end`, as far as the mode allows. Only the line search evaluates the energy:
// it may stay at the start where no place on the line has less.
[[nodiscard]] graze::Expected<Advance> advance(Mode mode, graze::MeshStepper& stepper,
                                               std::span<const graze::Vec3> start,
                                               std::span<const graze::Vec3> end,
                                               const Energy& energy,
                                               const graze::StepOptions& options);

}  // namespace falling_cloth
