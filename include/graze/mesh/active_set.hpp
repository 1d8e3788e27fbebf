// Contacts as constraints: what a solver of contact by constraints asks for (Wang et al. 2021,
// Algorithm 3).
#pragma once

#include <span>
#include <vector>

#include "graze/mesh/step.hpp"
#include "graze/narrow/contact_point.hpp"

namespace graze {

// n . (point of a - point of b) >= offset (the separation and the thickness of both sides), for the
// points of the two elements that touch first, at the end of the step.
struct ActiveConstraint {
    Impact impact;
    // At the time of impact: parameters, points, normal (towards a: from point to point where they
    // are apart, otherwise that of the primitives). Estimates.
    ContactPoint contact;
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
[[nodiscard]] Expected<ActiveSet> active_set(MeshStepper& stepper, std::span<const Vec3> start,
                                             std::span<const Vec3> end,
                                             const StepOptions& options = {});

// The motion of the pair, for what else is to be asked about it.
[[nodiscard]] ContactPoint contact_of(const MeshTopology& mesh, std::span<const Vec3> start,
                                      std::span<const Vec3> end, const Impact& impact, double time);

}  // namespace graze
