// A recorded step whose answer has changed, as files that show it again.
#pragma once

#include <string>
#include <vector>

#include "graze/verify/step_recorder.hpp"

namespace graze::app {

struct ChangedStep {
    const io::RecordedStep& step;
    const MeshTopology& mesh;
    const StepOptions& options;
    const verify::AnswerDifference& difference;
    std::string version;  // of the recording
    std::string origin;   // its name without folders
};

// Writes into a folder, made where it is missing, and returns the paths:
//   step_000012.gzr      this step alone, with the answer that was recorded;
//   step_000012.vf.gzq   where a pair differs, its one query;
//   <id>_replay_....cpp  the same as a regression test (`graze repro`), where no thickness is added.
[[nodiscard]] Expected<std::vector<std::string>> write_step_regression(const std::string& folder,
                                                                       const ChangedStep& changed);

}  // namespace graze::app
