// A line search that never lets anything pass through anything (Wang et al. 2021, Algorithm 4, with
// its slips mended).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graze/mesh/step.hpp"

namespace graze {

struct LineSearchOptions {
    StepOptions step;  // min_separation is chosen by the search, and t_max is not looked at
    // In (0, 1): which part of the least distance is kept. Near 1: short steps that leave much
    // room for the next; near 0: long ones that leave little.
    double p = 0.5;
    // [length] > 0: no more than this is kept. The distance itself does not matter far from
    // contact, and looking for large ones costs time.
    double most_kept = 1e-3;
    // Backtracking: at most so many halvings.
    int halvings = 60;
};

struct LineSearchResult {
    // positions = start + alpha (end - start), rounded. 0, and the start: no energy below that of
    // the start was found, or the start is not apart.
    double alpha = 0.0;
    std::vector<Vec3> positions;
    double energy = 0.0;  // at the positions
    // Bookkeeping: the least distance at the start (a proved lower bound, at most 2 most_kept / p),
    // what was kept of it, and how far that allowed to go.
    double distance = 0.0;
    double kept = 0.0;
    double alpha_free = 0.0;
    int evaluations = 0;  // of the energy
};

// Goes from `start` towards `end` as far as nothing comes nearer than d = min(p distance,
// most_kept), and back from there until the energy is below that of the start.
// Guarantee: the motion to `positions`, as they are returned, is free of contact: proved. alpha > 0
// if the start is apart (by more than some 50 roundings of the largest difference of corners) and
// the energy decreases at one of the places that were tried.
// Errors as of first_impact(); p or most_kept out of its range; an energy of the start that is NaN.
[[nodiscard]] Expected<LineSearchResult> line_search(
    MeshStepper& stepper, std::span<const Vec3> start, std::span<const Vec3> end,
    const std::function<double(std::span<const Vec3>)>& energy,
    const LineSearchOptions& options = {});

}  // namespace graze
