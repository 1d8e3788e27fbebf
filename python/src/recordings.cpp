// Recordings of the steps of a mesh, and answering them again (docs/recordings.md).
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "graze/verify/step_recorder.hpp"
#include "mesh_calls.hpp"
#include "modules.hpp"
#include "options.hpp"

namespace graze::python {
namespace {

using verify::StepRecorder;

// Records the steps of one stepper, as long as that has the mesh that the recording began with.
class RecordedStepper {
public:
    RecordedStepper(StepRecorder recorder, Stepper& stepper, std::uint64_t topology)
        : recorder_(std::move(recorder)), stepper_(stepper), topology_(topology) {}

    // ask(recorder, stepper, options) as a call of the stepper, one at a time.
    template <class Ask>
    auto record(const py::dict& given, const Ask& ask) {
        StepCall call(stepper_, given);
        return call.run([&](MeshStepper& stepper, const StepOptions& step) {
            using Answer = decltype(ask(recorder_, stepper, step));
            const std::scoped_lock lock(mutex_);
            if (stepper_.topology_changes() != topology_)
                return Answer(Error{"the stepper has another mesh than the recording",
                                    ErrorCode::InvalidInput});
            return ask(recorder_, stepper, step);
        });
    }
    // act(recorder) without the GIL.
    template <class Act>
    auto with_recorder(const Act& act) {
        const py::gil_scoped_release release;
        const std::scoped_lock lock(mutex_);
        return act(recorder_);
    }

private:
    StepRecorder recorder_;
    Stepper& stepper_;
    std::uint64_t topology_;
    std::mutex mutex_;
};

std::unique_ptr<RecordedStepper> make_recorder(const std::string& path, Stepper& stepper,
                                               const std::string& version, bool keeps_all) {
    const auto kept = keeps_all ? verify::KeptImpacts::All : verify::KeptImpacts::First;
    std::uint64_t changes = 0;
    auto recorder = stepper.read_topology([&](const MeshTopology& mesh) {
        changes = stepper.topology_changes();
        return StepRecorder::create(std::filesystem::path(path), mesh, version, kept);
    });
    return std::make_unique<RecordedStepper>(value_of(std::move(recorder)), stepper, changes);
}

py::tuple record_first(RecordedStepper& self, py::handle start, py::handle end,
                       const py::dict& given) {
    const StepEnds ends(start, end);
    return first_tuple(self.record(
        given, [&](StepRecorder& recorder, MeshStepper& stepper, const StepOptions& step) {
            return recorder.first_impact(stepper, ends.start.span(), ends.end.span(), step);
        }));
}

py::tuple record_all(RecordedStepper& self, py::handle start, py::handle end,
                     const py::dict& given) {
    const StepEnds ends(start, end);
    return all_tuple(self.record(
        given, [&](StepRecorder& recorder, MeshStepper& stepper, const StepOptions& step) {
            return recorder.all_impacts(stepper, ends.start.span(), ends.end.span(), step);
        }));
}

void record_mark(RecordedStepper& self, const std::string& name, const py::dict& given) {
    std::vector<std::pair<std::string, double>> numbers;
    for (const auto& [key, value] : given)
        numbers.emplace_back(py::cast<std::string>(key), py::cast<double>(value));
    check_value(
        self.with_recorder([&](StepRecorder& recorder) { return recorder.mark(name, numbers); }));
}

// --- answering again -------------------------------------------------------------------------------

struct ReplayOutcome {
    std::uint64_t steps = 0;
    bool is_cut = false;
    std::optional<std::uint64_t> differs_at;
    std::string difference;
};

Expected<ReplayOutcome> replayed(const std::string& path, const Interrupt& interrupt) {
    Expected<io::Recording> recording = io::Recording::open(path);
    if (!recording) return recording.error();
    Expected<MeshTopology> topology = verify::topology_of(recording->mesh());
    if (!topology) return topology.error();
    MeshStepper stepper(*std::move(topology));
    ReplayOutcome outcome;
    while (!outcome.differs_at) {
        const auto event = recording->next();
        if (!event) return event.error();
        if (!*event) break;
        const auto* step = std::get_if<io::RecordedStep>(&**event);
        if (step == nullptr) continue;
        Expected<StepOptions> options = verify::options_of(*step->settings, methods());
        if (!options) return options.error();
        options->stop = interrupt.token();
        const auto answer = verify::answered_again(stepper, *step, *options);
        if (!answer) return answer.error();
        ++outcome.steps;
        if (const auto difference = verify::difference_of(step->answer, *answer)) {
            outcome.differs_at = step->index;
            outcome.difference = difference->what;
        }
    }
    outcome.is_cut = recording->is_cut();
    return outcome;
}

py::tuple replay_of(const std::string& path) {
    const Interrupt interrupt;
    const ReplayOutcome outcome =
        value_of(released(interrupt, [&] { return replayed(path, interrupt); }));
    return py::make_tuple(outcome.steps, outcome.is_cut, outcome.differs_at, outcome.difference);
}

}  // namespace

void add_recordings(py::module_& m) {
    py::class_<RecordedStepper>(m, "Recorder")
        .def(py::init(&make_recorder), py::keep_alive<1, 3>())
        .def("first_impact", &record_first)
        .def("all_impacts", &record_all)
        .def("mark", &record_mark)
        .def("finish",
             [](RecordedStepper& self) {
                 check_value(self.with_recorder([](StepRecorder& r) { return r.finish(); }));
             })
        .def_property_readonly("steps", [](RecordedStepper& self) {
            return self.with_recorder([](const StepRecorder& r) { return r.steps(); });
        });
    m.def("replay", &replay_of);
}

}  // namespace graze::python
