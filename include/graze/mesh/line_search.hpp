// An intersection-free line search (Wang et al. 2021, Algorithm 4, with its errors corrected).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graze/mesh/step.hpp"

namespace graze {

struct LineSearchOptions {
    StepOptions step;  // min_separation is chosen by the search, and t_max is ignored
    // In (0, 1): which fraction of the least distance is kept. Near 1: short steps that leave much
    // distance for the next; near 0: long ones that leave little.
    double kept_fraction = 0.5;
    // [length] > 0: no more than this is kept. The distance itself does not matter far from
    // contact, and searching for large ones costs time.
    double max_kept = 1e-3;
    int max_halvings = 60;  // of the backtracking
};

struct LineSearchResult {
    // positions = start + alpha (end - start), rounded. 0, and the start: no energy below that of
    // the start was found, or the start is in contact.
    double alpha = 0.0;
    std::vector<Vec3> positions;
    double energy = 0.0;  // at the positions
    // Bookkeeping: the least distance at the start (a proved lower bound, at most
    // 2 max_kept / kept_fraction), what was kept of it, and the fraction of the step that allowed.
    double distance = 0.0;
    double kept = 0.0;
    double alpha_free = 0.0;
    int evaluations = 0;  // of the energy
};

// Goes from `start` towards `end` as far as nothing comes nearer than d = min(kept_fraction distance,
// max_kept), and back from there until the energy is below that of the start.
// Guarantee: the motion to `positions`, as they are returned, is free of contact: proved. alpha > 0
// if the start is separated (by more than some 50 ulps of the largest difference of vertices) and
// the energy decreases at one of the positions that were tried.
// Errors as of first_impact(); kept_fraction or max_kept out of its range (InvalidOption); an energy
// of the start that is NaN (NotFinite).
[[nodiscard]] Expected<LineSearchResult> line_search(
    MeshStepper& stepper, const Positions& start, const Positions& end,
    const std::function<double(std::span<const Vec3>)>& energy,
    const LineSearchOptions& options = {});

}  // namespace graze
