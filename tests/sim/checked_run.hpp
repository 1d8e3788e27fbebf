// Runs of a simulation, checked exactly.
#pragma once

#include <gtest/gtest.h>

#include "graze/mesh/step.hpp"
#include "graze/sim/response.hpp"

namespace graze::sim {

// Takes steps and checks each motion, as it is accepted, exactly.
inline FrameStats checked_run(const Model& model, int steps, State& state, unsigned threads = 1) {
    MeshStepper stepper(model.surface);
    const StepOptions exact = collision_options(model);
    std::uint64_t crossings = 0;
    ResponseOptions options;
    options.threads = threads;
    options.observer = [&](std::span<const Vec3> start,
                           std::span<const Vec3> end) -> Expected<void> {
        const auto impacts = stepper.all_impacts(start, end, exact);
        if (!impacts) return impacts.error();
        crossings += impacts->impacts.size();
        return {};
    };
    const auto response = make_response(model, options);
    FrameStats sum;
    EXPECT_TRUE(response) << response.error().message;
    if (!response) return sum;
    for (int i = 0; i < steps; ++i) {
        const auto stats = (*response)->step(state);
        EXPECT_TRUE(stats) << stats.error().message;
        if (!stats) return sum;
        sum.add(*stats);
    }
    const auto found = stepper.intersections(state.x, exact);
    EXPECT_TRUE(found);
    sum.intersections = found->size();
    sum.crossings = crossings;
    return sum;
}

}  // namespace graze::sim
