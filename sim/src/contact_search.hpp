// The detection as responses use it: pairs near a line, and how far a line may be followed.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include "graze/mesh.hpp"
#include "graze/sim/response.hpp"

namespace graze::sim {

class Seconds {
public:
    [[nodiscard]] double since_start() const {
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
};

using EnergyFunction = std::function<double(std::span<const Vec3>)>;

struct SearchResult {
    double alpha = 0.0;  // 0: no lower energy was found
    std::vector<Vec3> positions;
    double energy = 0.0;
    // Backtracking began at less than the whole step.
    bool is_limited = false;
};

// Seconds of detection and counts of pairs go into the statistics of each call.
class ContactSearch {
public:
    // Errors: an unknown method; a line search that the method or the thickness does not go with.
    [[nodiscard]] static Expected<ContactSearch> make(const Model& model,
                                                      const ResponseOptions& options);

    // Pairs that can come within `distance` (thickness added) on the lines from start to end.
    [[nodiscard]] Expected<Candidates> candidates(std::span<const Vec3> start,
                                                  std::span<const Vec3> end, double distance,
                                                  FrameStats& stats);
    // From start towards end, to where the energy is lower. Requires: candidates of those lines for
    // `distance`. Free of contact where the method proves its answers.
    // `gap`: an estimate of the least distance at the start, thickness subtracted.
    [[nodiscard]] Expected<SearchResult> search(std::span<const Vec3> start,
                                                std::span<const Vec3> end, double distance,
                                                double gap, const EnergyFunction& energy,
                                                const Candidates& candidates, FrameStats& stats);
    // All impacts of the motion as constraints (Algorithm 3).
    [[nodiscard]] Expected<ActiveSet> constraints(std::span<const Vec3> start,
                                                  std::span<const Vec3> end, double offset,
                                                  FrameStats& stats);
    [[nodiscard]] MeshStepper& stepper() noexcept { return stepper_; }
    [[nodiscard]] const StepOptions& options() const noexcept { return options_; }

private:
    ContactSearch(const Model& model, MeshStepper stepper) : stepper_(std::move(stepper)) {
        options_ = collision_options(model);
        options_.radius = model.radius;
    }
    [[nodiscard]] Expected<SearchResult> by_distance(std::span<const Vec3> start,
                                                     std::span<const Vec3> end, double distance,
                                                     const EnergyFunction& energy,
                                                     const StepOptions& step);
    [[nodiscard]] Expected<SearchResult> by_thickness(std::span<const Vec3> start,
                                                      std::span<const Vec3> end, double kept,
                                                      const EnergyFunction& energy,
                                                      const StepOptions& step);
    [[nodiscard]] Expected<SearchResult> as_published(std::span<const Vec3> start,
                                                      std::span<const Vec3> end, double distance,
                                                      const EnergyFunction& energy,
                                                      const StepOptions& step, FrameStats& stats);
    [[nodiscard]] Expected<SearchResult> by_first_time(std::span<const Vec3> start,
                                                       std::span<const Vec3> end, double kept,
                                                       const EnergyFunction& energy,
                                                       StepOptions step, FrameStats& stats);

    MeshStepper stepper_;
    StepOptions options_;
    LineSearchKind kind_ = LineSearchKind::Graze;
};

}  // namespace graze::sim
