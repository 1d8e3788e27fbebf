// How the steps of a MeshStepper show their progress, and stop for a signal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "graze/core/expected.hpp"
#include "interrupt.hpp"
#include "progress.hpp"

namespace graze::app {

// For StepOptions::progress. Shows the share that is done, which never goes back, and asks the step
// to stop for a signal.
[[nodiscard]] inline std::function<bool(double)> step_progress() {
    constexpr double kWhole = 100.0;
    const auto bar = std::make_shared<Progress>(ProgressTotal{static_cast<std::uint64_t>(kWhole)});
    return [bar](double share) {
        const auto percent = static_cast<std::uint64_t>(share * kWhole);
        if (percent > bar->done()) bar->advance(percent - bar->done());
        return !stop_requested();
    };
}

// What a step gave, unless a signal cut it short.
template <class T>
[[nodiscard]] Expected<T> unless_stopped(Expected<T> result) {
    if (stop_requested()) return stopped();
    return result;
}

}  // namespace graze::app
