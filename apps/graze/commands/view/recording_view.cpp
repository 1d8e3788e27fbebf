#include "recording_view.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/console.hpp"
#include "cli/interrupt.hpp"
#include "graze/verify/step_recorder.hpp"
#include "mesh_view.hpp"

namespace graze::app {
namespace {

constexpr std::size_t kMostViewedSteps = 4;

std::optional<double> number_named(const io::RecordedMark& mark, std::string_view name) {
    for (const auto& number : mark.numbers)
        if (number.first == name) return number.second;
    return std::nullopt;
}

// Frames are the marks where there are such, else the ends of the steps.
class RecordingViews {
public:
    RecordingViews(std::string name, const MeshTopology& mesh)
        : name_(std::move(name)),
          mesh_(mesh),
          ends_(name_, mesh.faces),
          marked_(name_, mesh.faces) {}

    void add(const io::RecordedStep& step) {
        if (step.index == 0) {
            ends_.add(step.start, figures_json({}));
            marked_.add(step.start, figures_json({}));
        }
        last_end_ = step.end;
        FrameFigures figures;
        figures.frame = step.index + 1;
        figures.contacts = static_cast<double>(step.answer.count);
        if (marks_ == 0) ends_.add(step.end, figures_json(figures));
        if (steps_.size() >= kMostViewedSteps || step.answer.impacts.empty()) return;
        ViewedStep viewed{mesh_,
                          step.settings->query,
                          step.start,
                          step.end,
                          step.answer.toi_lower,
                          step.answer.impacts,
                          step.answer.first,
                          {},
                          {},
                          nullptr};
        steps_.push_back(mesh_view(fmt::format("{}, step {}", name_, step.index), viewed));
    }
    void add(const io::RecordedMark& mark) {
        if (mark.name != "frame" || last_end_.empty()) return;
        marked_.add(last_end_,
                    figures_json({.frame = ++marks_,
                                  .energy = number_named(mark, "energy"),
                                  .contacts = number_named(mark, "contacts"),
                                  .iterations = number_named(mark, "iterations"),
                                  .seconds = number_named(mark, "seconds"),
                                  .seconds_detection = number_named(mark, "seconds_detection")}));
    }
    [[nodiscard]] std::vector<ViewObject> views() {
        std::vector<ViewObject> views = {marks_ > 0 ? marked_.view() : ends_.view()};
        views.insert(views.end(), steps_.begin(), steps_.end());
        return views;
    }

private:
    std::string name_;
    const MeshTopology& mesh_;
    RunFrames ends_;
    RunFrames marked_;
    std::vector<ViewObject> steps_;
    std::vector<Vec3> last_end_;
    std::uint64_t marks_ = 0;
};

}  // namespace

Expected<std::vector<ViewObject>> recording_views(const std::string& path) {
    auto recording = io::Recording::open(path);
    if (!recording) return recording.error();
    const auto mesh = verify::topology_of(recording->mesh());
    if (!mesh) return located(path, mesh.error());
    RecordingViews views(std::filesystem::path(path).filename().string(), *mesh);
    while (!stop_requested()) {
        const auto event = recording->next();
        if (!event) {
            if (recording->steps() == 0) return event.error();
            warn(event.error().message);
            break;
        }
        if (!*event) break;
        if (const auto* step = std::get_if<io::RecordedStep>(&**event))
            views.add(*step);
        else
            views.add(std::get<io::RecordedMark>(**event));
    }
    if (stop_requested()) return stopped();
    if (recording->is_cut())
        warn(fmt::format("{}: is cut: its {} whole steps are shown", path, recording->steps()));
    if (recording->steps() == 0) return Error{path + ": holds no step"};
    return views.views();
}

}  // namespace graze::app
