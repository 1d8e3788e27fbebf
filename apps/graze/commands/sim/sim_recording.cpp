#include "sim_recording.hpp"

#include "cli/build_info.hpp"
#include "graze/sim/response.hpp"

namespace graze::app {
namespace {

FrameFigures figures_of_frame(const sim::FrameStats& stats) {
    return {.frame = stats.frame,
            .energy = stats.kinetic_energy,
            .contacts = static_cast<double>(stats.contacts),
            .iterations = static_cast<double>(stats.iterations),
            .seconds = stats.seconds,
            .seconds_detection = stats.seconds_detection};
}

}  // namespace

// As sim::collision_options(), whose rule about vertices inside of bodies is a function; layers say the
// same, and can be recorded.
SimRecording::SimRecording(const sim::Model& model) : stepper_(model.surface) {
    for (const std::uint8_t is_inside : sim::interior_vertices(model))
        layers_.push_back(is_inside != 0 ? 0 : 1);
    options_.filter.fixed = model.fixed;
    options_.filter.layers = layers_;
    options_.filter.mask = layers_;
}

Expected<std::unique_ptr<SimRecording>> SimRecording::create(const sim::Model& model,
                                                             const std::string& path,
                                                             bool keeps_frames) {
    std::unique_ptr<SimRecording> recording(new SimRecording(model));
    if (keeps_frames) recording->frames_.emplace(model.name, model.surface.faces);
    if (path.empty()) return recording;
    auto recorder = verify::StepRecorder::create(path, model.surface, build_info().version);
    if (!recorder) return recorder.error();
    recording->recorder_.emplace(*std::move(recorder));
    return recording;
}

void SimRecording::listen(sim::RunOptions& options) {
    options_.threads = static_cast<int>(options.threads);
    options_.stop = options.stop;
    if (recorder_) {
        options.on_motion = [this](std::span<const Vec3> start, std::span<const Vec3> end) {
            return add_motion(start, end);
        };
    }
    if (recorder_ || frames_) {
        options.on_state = [this](const sim::State& state, const sim::FrameStats& stats) {
            return add_state(state, stats);
        };
    }
}

Expected<void> SimRecording::add_motion(std::span<const Vec3> start, std::span<const Vec3> end) {
    const auto first = recorder_->first_impact(stepper_, start, end, options_);
    if (!first) return first.error();
    return {};
}

Expected<void> SimRecording::add_state(const sim::State& state, const sim::FrameStats& stats) {
    const FrameFigures figures = figures_of_frame(stats);
    if (frames_) frames_->add(state.x, figures_json(figures));
    if (!recorder_ || state.frame == 0) return {};
    const std::vector<std::pair<std::string, double>> numbers = {
        {"frame", static_cast<double>(state.frame)},
        {"energy", *figures.energy},
        {"contacts", *figures.contacts},
        {"iterations", *figures.iterations},
        {"seconds", *figures.seconds},
        {"seconds_detection", *figures.seconds_detection}};
    return recorder_->mark("frame", numbers);
}

Expected<void> SimRecording::finish() {
    return recorder_ ? recorder_->finish() : Expected<void>();
}

std::vector<ViewObject> SimRecording::views() const {
    if (!frames_) return {};
    return {frames_->view()};
}

}  // namespace graze::app
