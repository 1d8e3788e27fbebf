#include "mesh_recording.hpp"

#include "cli/build_info.hpp"

namespace graze::app {

Expected<void> MeshRecording::begin(const MeshTopology& mesh) {
    const std::uint64_t hash = io::hash_of(verify::recorded(mesh));
    if (recorder_) {
        if (hash == mesh_) return {};
        return Error{path_ +
                         ": this step has other triangles than those before, and a recording holds "
                         "one mesh (polygons and STL files can become different ones)",
                     ErrorCode::Unsupported};
    }
    auto recorder = verify::StepRecorder::create(path_, mesh, build_info().version);
    if (!recorder) return recorder.error();
    mesh_ = hash;
    recorder_.emplace(*std::move(recorder));
    return {};
}

Expected<void> MeshRecording::finish() {
    return recorder_ ? recorder_->finish() : Expected<void>();
}

}  // namespace graze::app
