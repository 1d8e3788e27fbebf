// The recording that `graze mesh --record` writes while it steps.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "graze/verify/step_recorder.hpp"

namespace graze::app {

class MeshRecording {
public:
    explicit MeshRecording(std::string path) : path_(std::move(path)) {}

    // Begins the file with the first step. Error: a mesh with other elements than before.
    template <class Answer>
    Expected<void> add(const MeshTopology& mesh, std::span<const Vec3> start,
                       std::span<const Vec3> end, const StepOptions& options,
                       const Answer& answer) {
        if (auto begun = begin(mesh); !begun) return begun;
        return recorder_->add(start, end, options, answer);
    }
    Expected<void> finish();

private:
    Expected<void> begin(const MeshTopology& mesh);

    std::string path_;
    std::uint64_t mesh_ = 0;  // hash of what is recorded
    std::optional<verify::StepRecorder> recorder_;
};

}  // namespace graze::app
