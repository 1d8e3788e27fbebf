// What the calls of a mesh have in common: the stepper, candidates, options, and one call at a time.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "calls.hpp"
#include "errors.hpp"
#include "graze/mesh.hpp"
#include "options.hpp"

namespace graze::python {

// Candidates that refit() may change: read by many, or changed by one. Calls of one stepper take turns
// anyway; whoever comes in between otherwise gets an error, never half of a change.
class SharedCandidates {
public:
    explicit SharedCandidates(Candidates candidates) : value(std::move(candidates)) {}

    class Use {
    public:
        enum class Kind : std::uint8_t { Read, Change };
        // Throws std::runtime_error where the candidates are in use the other way. Null: nothing.
        Use(const SharedCandidates* shared, Kind kind);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        const SharedCandidates* shared_;
        Kind kind_;
    };

    Candidates value;

private:
    mutable std::atomic<int> users_{0};  // how many read; -1: one changes
};

// Steps are one at a time. The topology is read by anyone, also from a callback of a step.
class Stepper {
public:
    explicit Stepper(MeshTopology topology) : stepper(std::move(topology)) {}
    // read(topology) while nobody changes it.
    template <class Read>
    auto read_topology(const Read& read) const {
        const std::shared_lock lock(topology_mutex_);
        return read(stepper.topology());
    }

    // How often the topology was set.
    [[nodiscard]] std::uint64_t topology_changes() const noexcept { return changes_; }
    // While nobody reads it, and no step is taken.
    void set_topology(MeshTopology topology) {
        const std::unique_lock lock(topology_mutex_);
        stepper.set_topology(std::move(topology));
        ++changes_;
    }

    MeshStepper stepper;
    OneAtATime one;

private:
    mutable std::shared_mutex topology_mutex_;
    std::atomic<std::uint64_t> changes_{0};
};

// The options of a step, and what they refer to.
class StepArguments {
public:
    // Takes the options of steps; others are left for the caller.
    StepArguments(Options& options, const Interrupt& interrupt);
    StepArguments(const StepArguments&) = delete;
    StepArguments& operator=(const StepArguments&) = delete;
    [[nodiscard]] const StepOptions& options() const noexcept { return options_; }
    [[nodiscard]] const SharedCandidates* candidates() const noexcept { return shared_; }

private:
    void take_candidates(Options& options);
    void take_filter(Options& options, const Interrupt& interrupt);
    void take_progress(Options& options, const Interrupt& interrupt);

    StepOptions options_;
    Numbers radius_;
    std::vector<std::uint32_t> body_;
    std::vector<std::uint32_t> layers_;
    std::vector<std::uint32_t> mask_;
    std::vector<std::uint8_t> fixed_;
    py::object candidates_;
    const SharedCandidates* shared_ = nullptr;
    py::object accepts_;
    py::object progress_;
};

// One call of a stepper: its options, and what may end it early.
class StepCall {
public:
    StepCall(Stepper& self, const py::dict& given)
        : self_(self), given_(given), arguments_(given_, interrupt_) {}

    // Options of this call alone, to be taken before run().
    [[nodiscard]] Options& given() noexcept { return given_; }
    [[nodiscard]] const Interrupt& interrupt() const noexcept { return interrupt_; }
    [[nodiscard]] const SharedCandidates* candidates() const noexcept {
        return arguments_.candidates();
    }
    // call(stepper, options) without the GIL, one at a time; errors become exceptions.
    template <class Call>
    auto run(const Call& call) {
        given_.finish();
        return value_of(released(interrupt_, [&] {
            const OneAtATime::Hold hold(self_.one, interrupt_);
            const SharedCandidates::Use use(candidates(), SharedCandidates::Use::Kind::Read);
            return call(self_.stepper, arguments_.options());
        }));
    }

private:
    Stepper& self_;
    const Interrupt interrupt_;
    Options given_;
    StepArguments arguments_;
};

// The two ends of a step.
struct StepEnds {
    Positions start;
    Positions end;
    StepEnds(py::handle from, py::handle to) : start(from, "start"), end(to, "end") {}
};

// function(arguments...) of Python for a search that released the GIL. What it throws ends the call, and
// `failed` is returned; so it is once the call is to end.
template <class T, class Function>
T called_back(const Interrupt& interrupt, T failed, const Function& function) {
    if (interrupt.is_stopped()) return failed;
    const py::gil_scoped_acquire acquire;
    try {
        return function();
    } catch (...) {
        interrupt.keep_exception();
        return failed;
    }
}

// An energy of Python at these positions: it gets a copy of its own, which it may keep or change. NaN
// where it throws.
[[nodiscard]] double energy_at(const py::object& energy, std::span<const Vec3> positions,
                               const Interrupt& interrupt);

// --- results ---------------------------------------------------------------------------------------

[[nodiscard]] py::tuple first_tuple(const FirstImpact& first);
[[nodiscard]] py::tuple all_tuple(const StepImpacts& all);
[[nodiscard]] py::object impact_tuple(const std::optional<Impact>& impact);

template <class Row, class Elements, class Make>
py::array rows_from(const Elements& elements, const Make& make) {
    std::vector<Row> rows;
    rows.reserve(elements.size());
    for (const auto& element : elements)
        rows.push_back(make(element));
    return array_of_rows(std::move(rows));
}

// Steps along paths of the caller's own (mesh_paths.cpp).
[[nodiscard]] py::tuple path_step_of(Stepper& self, const py::object& position,
                                     const py::object& deviation, const py::dict& given);
[[nodiscard]] py::tuple path_search_of(Stepper& self, const py::object& position,
                                       const py::object& deviation, const py::object& energy,
                                       const py::dict& given);

}  // namespace graze::python
