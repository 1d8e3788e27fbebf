// Where the steps of a stepper are computed, if not by the library itself: on a device
// (graze/cuda/stepper.hpp), or on another machine.
#pragma once

#include <span>
#include <vector>

#include "graze/mesh/step.hpp"

namespace graze {

// Answers in place of a MeshStepper, to the bit (StepWork aside: it counts what the backend did). Called
// with input that was checked, from one thread at a time. What fails is an error of the call:
// the stepper does not try again by itself.
class StepBackend {
public:
    StepBackend() = default;
    StepBackend(const StepBackend&) = delete;
    StepBackend& operator=(const StepBackend&) = delete;
    virtual ~StepBackend() = default;

    // Can it answer with these options? Where it cannot, the stepper answers itself.
    [[nodiscard]] virtual bool supports(const StepOptions& options) const = 0;

    // As the functions of MeshStepper.
    [[nodiscard]] virtual Expected<FirstImpact> first_impact(std::span<const Vec3> start,
                                                             std::span<const Vec3> end,
                                                             const StepOptions& options) = 0;
    [[nodiscard]] virtual Expected<StepImpacts> all_impacts(std::span<const Vec3> start,
                                                            std::span<const Vec3> end,
                                                            const StepOptions& options) = 0;
    [[nodiscard]] virtual Expected<std::vector<Intersection>> intersections(
        std::span<const Vec3> positions, const StepOptions& options) = 0;
    // Not asked where a filter is a function of the caller's, nor for coordinates beyond 2^1000.
    [[nodiscard]] virtual Expected<Clearance> clearance(std::span<const Vec3> positions,
                                                        double reach,
                                                        const StepOptions& options) = 0;
    // After MeshStepper::set_topology(). What fails here is the error of the next call; a backend that throws
    // is taken away, and the stepper answers by itself.
    virtual void set_topology(const MeshTopology& topology) = 0;
};

}  // namespace graze
