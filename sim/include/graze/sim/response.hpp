// How a state becomes the next one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "graze/core/stop.hpp"
#include "graze/mesh/step.hpp"
#include "graze/sim/model.hpp"

namespace graze::sim {

// Hears of every motion that is accepted: all vertices along straight lines from start to end. A step
// is one of them or several in a row.
using MotionObserver =
    std::function<Expected<void>(std::span<const Vec3> start, std::span<const Vec3> end)>;

struct ResponseOptions {
    unsigned threads = 1;  // 0: all cores; results do not depend on it
    // Of the continuous detection, instead of the one that the model names: for methods that are in no
    // registry.
    std::optional<Method> method{};
    StopToken stop{};
    MotionObserver observer{};  // or empty
    // Hears of every motion that is requested, before the detection shortens it; or empty.
    MotionObserver proposals{};
};

// What collides in this model, for a MeshStepper of model.surface: pairs with a vertex that moves, and
// only vertices of surfaces and strands. Views into the model, which outlives the options; thickness is
// not among them (StepOptions::radius).
[[nodiscard]] StepOptions collision_options(const Model& model);
// By vertex: inside of a body, on no surface: 1, else 0.
[[nodiscard]] std::vector<std::uint8_t> interior_vertices(const Model& model);

// One way to handle contact. Holds buffers and trees, but nothing that the next step depends on: what
// a step makes of a state is a function of model and state alone, so that a run can be resumed.
class Response {
public:
    virtual ~Response() = default;
    // One time step of model.solver.dt, in place; nothing changes where it is an error. The frame
    // number is left alone.
    [[nodiscard]] virtual Expected<FrameStats> step(State& state) = 0;
};

// The response that model.contact asks for. The model outlives it.
// Errors: those of check_model(); a response that the model's elements do not go with (Unsupported); a
// method that is not known (InvalidOption).
[[nodiscard]] Expected<std::unique_ptr<Response>> make_response(const Model& model,
                                                                const ResponseOptions& options);

[[nodiscard]] Expected<std::unique_ptr<Response>> make_barrier_response(
    const Model& model, const ResponseOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Response>> make_sqp_response(const Model& model,
                                                                    const ResponseOptions& options);
[[nodiscard]] Expected<std::unique_ptr<Response>> make_impulse_response(
    const Model& model, const ResponseOptions& options);

}  // namespace graze::sim
