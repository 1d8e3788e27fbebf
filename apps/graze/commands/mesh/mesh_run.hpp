// One step of a mesh, from its files to what was found.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/device.hpp"
#include "cli/options.hpp"
#include "commands/view/mesh_view.hpp"
#include "graze/mesh/step.hpp"
#include "graze/surface/defects.hpp"
#include "mesh_recording.hpp"
#include "mesh_report.hpp"

namespace graze::app {

struct MeshRequest {
    std::string start;
    std::string end;                // empty: of a folder or a pattern of frames
    std::vector<std::string> more;  // frames after these
    bool resumes = false;
    bool only_first = false;
    MethodOptions choice;
    BoundChoice bound;
    std::string pairs;
    std::string bounds;
    std::string contacts;
    std::string svg;
    std::string record;
    std::string html;
    double reach = 0.0;  // 0: derived from the motion
    std::string device = "cpu";
    bool exit_code = false;
    bool welds = false;
    CommonOptions common{.json = "", .threads = 0};
    // Filled once the command line is understood.
    Method method;
    std::shared_ptr<MeshRecording> recording;  // of --record, or null
};

// The mesh as it is searched, and who its vertices were in the files.
struct WeldedMesh {
    io::MeshPair pair;
    std::optional<Weld> weld;  // none: as in the files

    [[nodiscard]] std::uint32_t in_file(std::uint32_t vertex) const {
        return weld ? weld->kept[vertex] : vertex;
    }
    // Faces and edges keep their numbers: vertices keep their order.
    [[nodiscard]] Impact in_file(Impact impact) const {
        if (impact.kind != QueryKind::EdgeEdge) impact.a = in_file(impact.a);
        if (impact.kind == QueryKind::VertexVertex) impact.b = in_file(impact.b);
        return impact;
    }
    // Values by vertex of the files.
    [[nodiscard]] std::vector<double> in_file(std::vector<double> values) const {
        if (!weld) return values;
        std::vector<double> all(weld->to_new.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = values[weld->to_new[i]];
        return all;
    }
};

// One mesh in one step.
class MeshRun {
public:
    // `show` is told which fraction of the pairs has been searched. Refers to the request.
    MeshRun(const MeshRequest& request, WeldedMesh mesh, MeshTopology topology,
            const std::function<void(double)>& show);

    // Where the request names a device.
    [[nodiscard]] Expected<void> use_device() { return put_on_device(request_.device, stepper_); }
    // With numbers of the files.
    [[nodiscard]] Expected<MeshOutcome> step();
    [[nodiscard]] Expected<std::string> bounds();
    // Of --html, with the numbers of the mesh as it is searched.
    [[nodiscard]] const std::optional<ViewObject>& view() const noexcept { return view_; }
    // By vertex of the files: when the first of the impacts of the step may begin.
    [[nodiscard]] const std::vector<double>& times() const noexcept { return times_; }
    // Of --svg, with the numbers of the mesh as it is searched.
    [[nodiscard]] const std::string& svg() const noexcept { return svg_; }
    [[nodiscard]] const MeshTopology& mesh() const noexcept { return stepper_.topology(); }

private:
    [[nodiscard]] Expected<MeshOutcome> first_impact();
    [[nodiscard]] Expected<MeshOutcome> all_impacts();
    // Into the recording, where there is one.
    template <class Answer>
    [[nodiscard]] Expected<void> keep(const Answer& answer);
    [[nodiscard]] double reach() const;
    [[nodiscard]] std::string drawn(const MeshOutcome& outcome) const;
    [[nodiscard]] Expected<ViewObject> viewed(const MeshOutcome& outcome);
    // By vertex of the mesh as it is searched.
    [[nodiscard]] Expected<VertexBounds> vertex_bounds();

    const MeshRequest& request_;
    WeldedMesh mesh_;
    MeshStepper stepper_;
    StepOptions options_;
    std::vector<double> times_;
    std::string svg_;
    std::optional<ViewObject> view_;
};

// Seconds since the last call, and since the first.
class StepWatch {
public:
    double lap() {
        const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
        const std::chrono::duration<double> taken = now - std::exchange(last_, now);
        return taken.count();
    }
    [[nodiscard]] double total() const {
        return std::chrono::duration<double>(last_ - begin_).count();
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_ = begin_;
};

// A step that was read, checked and searched.
struct SearchedStep {
    io::MeshPair pair;             // as in the files
    std::unique_ptr<MeshRun> run;  // refers to the request
    MeshOutcome outcome;           // all but seconds_output and seconds_total
};
// From request.start to request.end.
[[nodiscard]] Expected<SearchedStep> search_step(const MeshRequest& request,
                                                 const std::function<void(double)>& show,
                                                 StepWatch& watch);

// What tolerances were made of. `grew`: the step did not keep to what was declared.
[[nodiscard]] Json bounds_json(const std::string& choice, const StepBounds& used);

}  // namespace graze::app
