// Simulations as items run them: with exact checks, with the options of an item, as rows of a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graze/sim/runner.hpp"
#include "reproduce/item.hpp"

namespace graze::app::simulations {

// One simulation among several that are compared.
struct SimulatedCase {
    std::string label;  // "tight-inclusion, delta = 1e-3"
    sim::Model model;
    std::uint64_t frames = 0;
    std::optional<Method> method = std::nullopt;  // instead of that of the model
};
struct SimulatedRun {
    std::string label;
    sim::RunReport report;

    [[nodiscard]] const sim::FrameStats& total() const noexcept { return report.total; }
    [[nodiscard]] bool is_clean() const noexcept {
        return total().intersections + total().crossings + total().stuck == 0;
    }
    // "0 intersections, 0 crossings, stuck in 3 of 24 steps"
    [[nodiscard]] std::string outcome() const;
};

// Each accepted motion and each end of a step is tested exactly. Reports progress from `from` to `to`.
[[nodiscard]] Expected<SimulatedRun> run_simulated(const SimulatedCase& what,
                                                   const ReproduceOptions& options, double from,
                                                   double to);
// All of them, one after the other.
[[nodiscard]] Expected<std::vector<SimulatedRun>> run_simulated(
    const std::vector<SimulatedCase>& cases, const ReproduceOptions& options);

// The built-in scene, which there is.
[[nodiscard]] sim::Model built_in_scene(std::string_view name, double resolution = 1.0);

// Outcome, iterations, time and the fraction of the detection: a row per run.
[[nodiscard]] DataTable run_table(std::string name, std::string caption,
                                  const std::vector<SimulatedRun>& runs);

// A picture of the state as an SVG that is complete in itself.
[[nodiscard]] Expected<Drawing> state_drawing(std::string name, std::string caption,
                                              const sim::Model& model, const sim::State& state);

// "1e-3", "10^-4.5"
[[nodiscard]] std::string delta_text(double delta);
// The three published values and one between the larger two.
[[nodiscard]] std::vector<double> published_deltas(bool quick);

}  // namespace graze::app::simulations
