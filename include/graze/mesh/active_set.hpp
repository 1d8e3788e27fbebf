// Contacts as constraints, for solvers of contact by constraints (Wang et al. 2021, Algorithm 3).
#pragma once

#include <span>
#include <vector>

#include "graze/mesh/contact.hpp"
#include "graze/mesh/step.hpp"

namespace graze {

// n . (point of a - point of b) >= offset (the separation and the thickness of both sides), for the
// points of the two elements that touch first, at the end of the step.
struct ActiveConstraint {
    Impact impact;
    ContactPoint contact;  // contact_of() the impact: estimates
    // The same parameters at the end of the step.
    Vec3 a_at_end;
    Vec3 b_at_end;
    // n . (a_at_end - b_at_end) - offset: negative where the constraint is violated.
    double value = 0.0;
};

struct ActiveSet {
    std::vector<ActiveConstraint> constraints;  // in the order of kind, a, b
    StepWork work;
};

// One constraint for each pair that comes within options.query.min_separation, which is the offset:
// with an offset > 0 constraints become active before there is contact.
// Guarantee: no such pair is left out. Errors as of all_impacts().
[[nodiscard]] Expected<ActiveSet> active_set(MeshStepper& stepper, const Positions& start,
                                             const Positions& end, const StepOptions& options = {});

}  // namespace graze
