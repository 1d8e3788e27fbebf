// Steps of a mesh along paths of the caller's own: functions of Python for positions and deviations.
#include <limits>

#include "graze/mesh/curved_path.hpp"
#include "mesh_calls.hpp"

namespace graze::python {
namespace {

// Both functions are called by the calling thread alone. One that throws leaves NaN, which the search
// refuses; the exception then reaches the caller.
class PythonPath {
public:
    PythonPath(const py::object& position, const py::object& deviation, const Interrupt& interrupt)
        : position_(position), deviation_(deviation), interrupt_(interrupt) {}

    [[nodiscard]] MotionPath path() const {
        MotionPath path;
        path.position = [this](double alpha, std::span<Vec3> out) {
            const bool is_known = called_back(interrupt_, false, [&] {
                const Positions given(position_(alpha), "position()");
                check_count("position()", given.size(), out.size());
                std::copy(given.span().begin(), given.span().end(), out.begin());
                return true;
            });
            if (!is_known) std::fill(out.begin(), out.end(), Vec3{kUnknown, kUnknown, kUnknown});
        };
        path.deviation_by_vertex = [this](double from, double to, std::span<double> out) {
            const bool is_known = called_back(interrupt_, false, [&] {
                read_deviation(deviation_(from, to), out);
                return true;
            });
            if (!is_known) std::fill(out.begin(), out.end(), kUnknown);
        };
        return path;
    }

private:
    static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

    static void check_count(const char* name, std::size_t count, std::size_t vertices) {
        if (count != vertices)
            throw py::value_error(std::string(name) + ": " + std::to_string(count) +
                                  " rows, but the mesh has " + std::to_string(vertices) +
                                  " vertices");
    }
    // One number for all vertices, or one for each.
    static void read_deviation(const py::object& given, std::span<double> out) {
        const py::array array = doubles_array(given, "deviation()");
        if (array.ndim() == 0) {
            std::fill(out.begin(), out.end(), *static_cast<const double*>(array.data()));
            return;
        }
        const Numbers values(array, "deviation()");
        check_count("deviation()", values.span().size(), out.size());
        std::copy(values.span().begin(), values.span().end(), out.begin());
    }

    const py::object& position_;
    const py::object& deviation_;
    const Interrupt& interrupt_;
};

PathOptions take_path_options(Options& given) {
    PathOptions options;
    given.take("resolution", options.resolution);
    given.take("max_proofs", options.max_proofs);
    return options;
}

}  // namespace

py::tuple path_step_of(Stepper& self, const py::object& position, const py::object& deviation,
                       const py::dict& given) {
    StepCall call(self, given);
    PathOptions options = take_path_options(call.given());
    const PythonPath path(position, deviation, call.interrupt());
    PathStep r = call.run([&](MeshStepper& stepper, const StepOptions& step) {
        options.step = step;
        return largest_safe_step(stepper, path.path(), options);
    });
    return py::make_tuple(r.alpha, array_of(std::move(r.positions)), array_of(std::move(r.knots)),
                          impact_tuple(r.impact), r.proofs);
}

py::tuple path_search_of(Stepper& self, const py::object& position, const py::object& deviation,
                         const py::object& energy, const py::dict& given) {
    StepCall call(self, given);
    PathOptions options = take_path_options(call.given());
    int max_halvings = 60;
    call.given().take("max_halvings", max_halvings);
    const PythonPath path(position, deviation, call.interrupt());
    PathLineSearchResult r = call.run([&](MeshStepper& stepper, const StepOptions& step) {
        options.step = step;
        return line_search(
            stepper, path.path(),
            [&](std::span<const Vec3> x) { return energy_at(energy, x, call.interrupt()); },
            options, max_halvings);
    });
    return py::make_tuple(r.alpha, array_of(std::move(r.positions)), r.energy, r.alpha_free,
                          r.evaluations, r.proofs);
}

}  // namespace graze::python
