// The options of a step with a method that is made for the bounds of it.
#pragma once

#include <optional>
#include <span>

#include "graze/mesh/step.hpp"

namespace graze::mesh_detail {

// Refers to the options that it is made of; does not move, since the method refers to the bounds.
class BoundedStep {
public:
    BoundedStep(const MeshTopology& mesh, std::span<const MovingPoint> vertices,
                const StepOptions& options);
    BoundedStep(const BoundedStep&) = delete;
    BoundedStep& operator=(const BoundedStep&) = delete;

    [[nodiscard]] const StepOptions& options() const noexcept {
        return with_bounds_ ? *with_bounds_ : given_;
    }
    // Of options().method, where it was made for them and takes the edges of a pair from its resting
    // shape.
    [[nodiscard]] const QueryBounds* by_rest() const noexcept {
        return with_bounds_ && used_.bounds.per_pair && !given_.rest.empty() ? &used_.bounds
                                                                             : nullptr;
    }
    // What the tolerances were made of; nothing where each query has its own.
    [[nodiscard]] std::optional<StepBounds> used() const {
        return with_bounds_ ? std::optional(used_) : std::nullopt;
    }

private:
    const StepOptions& given_;
    StepBounds used_;
    std::optional<StepOptions> with_bounds_;
};

}  // namespace graze::mesh_detail
