// What a stepper keeps from step to step.
#pragma once

#include <span>
#include <vector>

#include "graze/mesh/step.hpp"
#include "mesh/step_boxes.hpp"

namespace graze {

class MeshStepper::State {
public:
    explicit State(MeshTopology mesh) : topology(std::move(mesh)) {}

    // Start and end of each vertex side by side, as queries want them.
    [[nodiscard]] std::span<const MovingPoint> set_corners(std::span<const Vec3> start,
                                                           std::span<const Vec3> end) {
        corners_.resize(start.size());
        for (std::size_t i = 0; i < start.size(); ++i)
            corners_[i] = {start[i], end[i]};
        return corners_;
    }

    MeshTopology topology;
    StepBoxes boxes;

private:
    std::vector<MovingPoint> corners_;
};

}  // namespace graze
