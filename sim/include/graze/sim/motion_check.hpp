// Exact tests of what a response accepts, by the certified detection whatever the method of the model.
#pragma once

#include <cstdint>
#include <span>

#include "graze/core/stop.hpp"
#include "graze/mesh/step.hpp"
#include "graze/sim/model.hpp"

namespace graze::sim {

// For the observer of ResponseOptions. The model outlives it.
class MotionCheck {
public:
    // threads: 0: all cores; results do not depend on it.
    MotionCheck(const Model& model, unsigned threads, const StopToken& stop);

    // Error (InvalidInput): elements intersect or touch at these positions, so that nothing can start there.
    [[nodiscard]] Expected<void> start(std::span<const Vec3> x);
    // Counts the contacts of an accepted motion.
    [[nodiscard]] Expected<void> motion(std::span<const Vec3> start, std::span<const Vec3> end);
    // Adds what intersects at the end of a step, and the contacts of its motions, to the statistics.
    [[nodiscard]] Expected<void> end_of_step(std::span<const Vec3> x, FrameStats& stats);
    // Forgets the motions of a step that came to no end.
    void discard_step() noexcept { crossings_ = 0; }

private:
    MeshStepper stepper_;
    StepOptions options_;
    std::uint64_t crossings_ = 0;
};

}  // namespace graze::sim
