// What `graze sim --record` and `--html` keep of a run while it goes on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/view/mesh_view.hpp"
#include "graze/sim/runner.hpp"
#include "graze/verify/step_recorder.hpp"

namespace graze::app {

class SimRecording {
public:
    // A recording where `path` is not empty, frames for the page where they are wanted.
    // The model outlives it.
    [[nodiscard]] static Expected<std::unique_ptr<SimRecording>> create(const sim::Model& model,
                                                                        const std::string& path,
                                                                        bool keeps_frames);

    // Sets what the run calls; this object outlives the run.
    void listen(sim::RunOptions& options);
    [[nodiscard]] Expected<void> finish();
    [[nodiscard]] std::vector<ViewObject> views() const;

private:
    explicit SimRecording(const sim::Model& model);
    [[nodiscard]] Expected<void> add_motion(std::span<const Vec3> start, std::span<const Vec3> end);
    [[nodiscard]] Expected<void> add_state(const sim::State& state, const sim::FrameStats& stats);

    MeshStepper stepper_;
    std::vector<std::uint32_t> layers_;  // 0 inside of bodies, where nothing is tested
    StepOptions options_;
    std::optional<verify::StepRecorder> recorder_;
    std::optional<RunFrames> frames_;
};

}  // namespace graze::app
