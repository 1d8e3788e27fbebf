// How far each vertex may move on its own.
//
// The smallest time of impact of a vertex is no such bound: when vertices stop at different times,
// the joint motion is another one. Both bounds here are about the joint motion.
#pragma once

#include <span>
#include <vector>

#include "graze/mesh/step.hpp"

namespace graze {

// Radii b such that every motion in which each vertex i stays within b[i] of its position
// (Euclidean norm) is free, whatever its path: no pair that the filter admits comes within
// min_separation. Guarantee: proved from lower bounds of distances: an element moves by no more
// than the largest radius of its vertices, and the radii of a pair add up to less than its distance
// less the separation. At most reach / 2; 0 where a vertex's pair is not farther away than the
// separation. Requires: reach > 0; the larger it is, the more pairs have to be tested.
[[nodiscard]] Expected<std::vector<double>> free_radii(MeshStepper& stepper,
                                                       const Positions& positions, double reach,
                                                       const StepOptions& options = {});

struct FreeFractions {
    std::vector<double> fraction;  // by vertex, in [0, 1]
    std::vector<Vec3> positions;  // start + fraction (end - start), rounded, as positions_between()
    int proofs = 0;
};

// Fractions a such that the joint motion on straight lines from `start` to start + a (end - start)
// is free; vertices that collide with nothing reach their end.
// Guarantee, for a method that proves its answers: the motion to `positions`, as they are returned,
// was tested and is free. All fractions are 0 where the start is not.
[[nodiscard]] Expected<FreeFractions> free_fractions(MeshStepper& stepper, const Positions& start,
                                                     const Positions& end,
                                                     const StepOptions& options = {});

}  // namespace graze
