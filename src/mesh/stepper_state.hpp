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

    // Start and end of each vertex side by side, as queries take them.
    [[nodiscard]] std::span<const MovingPoint> set_vertices(std::span<const Vec3> start,
                                                            std::span<const Vec3> end) {
        vertices_.resize(start.size());
        for (std::size_t i = 0; i < start.size(); ++i)
            vertices_[i] = {start[i], end[i]};
        return vertices_;
    }

    // MeshStepper::all_impacts(); `first` and the verdict of the step only where they are wanted.
    [[nodiscard]] Expected<StepImpacts> all_impacts(std::span<const Vec3> start,
                                                    std::span<const Vec3> end,
                                                    const StepOptions& options, bool wants_first);

    MeshTopology topology;
    mesh_detail::StepBoxes boxes;

private:
    std::vector<MovingPoint> vertices_;
};

}  // namespace graze
