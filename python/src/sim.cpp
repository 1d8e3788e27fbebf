// Simulations: scenes, a run step by step, and whole runs with files.
#include <pybind11/stl.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "calls.hpp"
#include "errors.hpp"
#include "graze/sim/motion_check.hpp"
#include "graze/sim/response.hpp"
#include "graze/sim/runner.hpp"
#include "graze/sim/scene.hpp"
#include "modules.hpp"
#include "options.hpp"

namespace graze::python {
namespace {

// Shared by Python and by the simulations that run it; never changed.
using SharedModel = std::shared_ptr<sim::Model>;

SharedModel shared_model(Expected<sim::Model>&& model) {
    return std::make_shared<sim::Model>(value_of(std::move(model)));
}

SharedModel named_scene(const std::string& name, double resolution) {
    if (!(resolution > 0.0) || !std::isfinite(resolution))
        throw py::value_error("resolution: is " + std::to_string(resolution) + ", not > 0");
    const Interrupt interrupt;
    return shared_model(
        released(interrupt, [&] { return sim::make_scene(name, {.resolution = resolution}); }));
}

SharedModel scene_of_json(const std::string& text, const std::string& folder) {
    const Interrupt interrupt;
    return shared_model(released(interrupt, [&] { return sim::scene_from_json(text, folder); }));
}

const char* response_name(sim::ContactResponse response) noexcept {
    return response == sim::ContactResponse::Barrier ? "barrier"
           : response == sim::ContactResponse::Sqp   ? "sqp"
                                                     : "impulses";
}

py::dict scene_settings(const sim::Model& model) {
    py::dict d;
    d["name"] = model.name;
    d["frames"] = model.frames;
    d["dt"] = model.solver.dt;
    d["steps_per_frame"] = model.solver.steps_per_frame;
    d["gravity"] = tuple_of(model.gravity);
    d["response"] = response_name(model.contact.response);
    d["method"] = model.contact.method;
    d["friction"] = model.contact.friction;
    d["contact_distance"] = sim::contact_distance(model);
    return d;
}

py::dict scene_arrays(const sim::Model& model) {
    sim::State start = sim::start_state(model);
    std::vector<double> radius = model.radius;
    radius.resize(model.rest.size());
    std::vector<std::uint32_t> fixed(model.fixed.begin(), model.fixed.end());
    py::dict d;
    d["rest"] = array_of(std::vector<Vec3>(model.rest));
    d["start"] = array_of(std::move(start.x));
    d["start_velocity"] = array_of(std::move(start.v));
    d["mass"] = array_of(std::vector<double>(model.mass));
    d["radius"] = array_of(std::move(radius));
    d["body"] = array_of_indices(model.body);
    d["fixed"] = array_of_indices(fixed);
    return d;
}

py::dict stats_dict(const sim::FrameStats& s) {
    py::dict d;
    d["frame"] = s.frame;
    d["steps"] = s.steps;
    d["iterations"] = s.iterations;
    d["tested"] = s.tested;
    d["positive"] = s.positive;
    d["contacts"] = s.contacts;
    d["fail_safes"] = s.fail_safes;
    d["stuck"] = s.stuck;
    d["unfinished"] = s.unfinished;
    d["inverted"] = s.inverted;
    d["checked"] = s.checked;
    d["intersections"] = s.intersections;
    d["crossings"] = s.crossings;
    d["least_distance"] = s.least_distance;
    d["kinetic_energy"] = s.kinetic_energy;
    d["seconds"] = s.seconds;
    d["seconds_detection"] = s.seconds_detection;
    return d;
}

py::tuple state_tuple(sim::State state) {
    return py::make_tuple(array_of(std::move(state.x)), array_of(std::move(state.v)), state.time,
                          state.frame);
}

std::uint64_t scene_intersections(const sim::Model& model, py::handle positions, unsigned threads) {
    const Positions x(positions, "x");
    const Interrupt interrupt;
    return value_of(
        released(interrupt, [&] { return sim::intersections_at(model, x.span(), threads); }), "x");
}

// --- step by step ----------------------------------------------------------------------------------

class Simulation {
public:
    Simulation(SharedModel model, unsigned threads, bool is_checked);
    [[nodiscard]] py::dict step() { return advance(1, false); }
    [[nodiscard]] py::dict frame() { return advance(model_->solver.steps_per_frame, true); }
    [[nodiscard]] py::tuple state();
    void set_state(py::handle x, py::handle v, double time, std::uint64_t frame);

private:
    // So many steps, or none: what is cancelled leaves the state as it was.
    [[nodiscard]] py::dict advance(int steps, bool is_frame);
    [[nodiscard]] Expected<sim::FrameStats> one_step(sim::State& state);
    // call() without the GIL, one at a time.
    template <class Call>
    auto run(const Call& call);

    SharedModel model_;
    bool is_checked_;
    OneAtATime one_;
    CurrentStop stop_;
    sim::MotionCheck check_;
    std::unique_ptr<sim::Response> response_;
    sim::State state_;
};

template <class Call>
auto Simulation::run(const Call& call) {
    const Interrupt interrupt;
    return released(interrupt, [&] {
        const OneAtATime::Hold hold(one_, interrupt);
        return stop_.during(interrupt, call);
    });
}

Simulation::Simulation(SharedModel model, unsigned threads, bool is_checked)
    : model_(std::move(model)),
      is_checked_(is_checked),
      check_(*model_, threads, stop_.token()),
      state_(sim::start_state(*model_)) {
    sim::ResponseOptions options;
    options.threads = threads;
    options.stop = stop_.token();
    if (is_checked) {
        options.observer = [this](std::span<const Vec3> start, std::span<const Vec3> end) {
            return check_.motion(start, end);
        };
    }
    response_ = value_of(run([&] { return sim::make_response(*model_, options); }), "scene");
    check_value(run([&] { return check_.start(state_.x); }), "scene");
}

Expected<sim::FrameStats> Simulation::one_step(sim::State& state) {
    auto stats = response_->step(state);
    if (stats && is_checked_) {
        if (auto checked = check_.end_of_step(state.x, *stats); !checked) return checked.error();
    }
    return stats;
}

py::dict Simulation::advance(int steps, bool is_frame) {
    return stats_dict(value_of(run([&]() -> Expected<sim::FrameStats> {
        sim::State next = state_;
        sim::FrameStats sum;
        for (int i = 0; i < steps; ++i) {
            const auto stats = one_step(next);
            if (!stats) {
                check_.discard_step();
                return stats.error();
            }
            sum.add(*stats);
        }
        if (is_frame) ++next.frame;
        sum.frame = next.frame;
        state_ = std::move(next);
        return sum;
    })));
}

py::tuple Simulation::state() {
    return state_tuple(run([&] { return state_; }));
}

void Simulation::set_state(py::handle x, py::handle v, double time, std::uint64_t frame) {
    const Positions at(x, "x");
    const Positions velocity(v, "v");
    for (const auto& [given, name] : {std::pair(&at, "x"), std::pair(&velocity, "v")})
        if (given->size() != model_->rest.size())
            throw py::value_error(std::string(name) + ": " + std::to_string(given->size()) +
                                  " rows, but the scene has " +
                                  std::to_string(model_->rest.size()) + " vertices");
    if (!std::isfinite(time)) throw py::value_error("time: is not finite");
    for (std::size_t i = 0; i < velocity.size(); ++i)
        if (!is_finite(velocity.span()[i]))
            throw_error({"the velocity of vertex " + std::to_string(i) + " is not finite",
                         ErrorCode::NotFinite, i},
                        "v");
    sim::State state{{at.span().begin(), at.span().end()},
                     {velocity.span().begin(), velocity.span().end()},
                     time,
                     frame};
    check_value(run([&] {
                    auto good = check_.start(state.x);
                    if (good) state_ = std::move(state);
                    return good;
                }),
                "x");
}

// --- whole runs ------------------------------------------------------------------------------------

sim::RunOptions run_options(Options& given) {
    sim::RunOptions run;
    std::string out;
    std::string queries;
    std::string format = "obj";
    given.take("frames", run.frames);
    given.take("out", out);
    given.take("format", format);
    given.take("check", run.check);
    given.take("resume", run.resume);
    given.take("pictures", run.pictures);
    given.take("queries", queries);
    given.take("threads", run.threads);
    if (format != "obj" && format != "ply")
        throw py::value_error("format: '" + format + "' is neither 'obj' nor 'ply'");
    run.format = format == "obj" ? sim::FrameFormat::Obj : sim::FrameFormat::Ply;
    run.out = out;
    run.queries = queries;
    return run;
}

py::tuple run_scene(const SharedModel& model, const py::dict& given) {
    const Interrupt interrupt;
    Options options(given);
    sim::RunOptions run = run_options(options);
    const py::object on_frame = options.object("on_frame");
    options.finish();
    run.stop = interrupt.token();
    if (!on_frame.is_none()) {
        run.on_frame = [&](const sim::FrameStats& stats) {
            if (interrupt.is_stopped()) return;
            const py::gil_scoped_acquire acquire;
            try {
                on_frame(stats_dict(stats));
            } catch (...) {
                interrupt.keep_exception();
            }
        };
    }
    sim::RunReport report =
        value_of(released(interrupt, [&] { return sim::run(*model, run); }), "scene");
    py::list frames;
    for (const sim::FrameStats& stats : report.frames)
        frames.append(stats_dict(stats));
    return py::make_tuple(frames, stats_dict(report.total), state_tuple(std::move(report.end)),
                          report.resumed_at);
}

py::list scene_list() {
    py::list scenes;
    for (const sim::NamedScene& scene : sim::all_scenes())
        scenes.append(py::make_tuple(std::string(scene.name), std::string(scene.summary)));
    return scenes;
}

}  // namespace

void add_sim(py::module_& m) {
    py::class_<sim::Model, SharedModel>(m, "Scene")
        .def_static("named", &named_scene)
        .def_static("from_json", &scene_of_json)
        .def("settings", &scene_settings)
        .def("arrays", &scene_arrays)
        .def("edges",
             [](const sim::Model& model) { return array_of_indices<2>(model.surface.edges); })
        .def("faces",
             [](const sim::Model& model) { return array_of_indices<3>(model.surface.faces); })
        .def("intersections", &scene_intersections);
    py::class_<Simulation>(m, "Simulation")
        .def(py::init<SharedModel, unsigned, bool>())
        .def("step", &Simulation::step)
        .def("frame", &Simulation::frame)
        .def("state", &Simulation::state)
        .def("set_state", &Simulation::set_state);
    m.def("scene_list", &scene_list);
    m.def("sim_run", &run_scene);
}

}  // namespace graze::python
