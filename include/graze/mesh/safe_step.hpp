// The largest safe step: end positions that, as doubles, are proved to be reached without contact.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "graze/mesh/step.hpp"

namespace graze {

struct SafeStep {
    // positions = start + fraction (end - start), rounded; the end itself for 1.
    double fraction = 0.0;
    std::vector<Vec3> positions;
    // The first impact of the whole step, if it has any, and where it is (FirstImpact::contact).
    std::optional<Impact> impact;
    ContactPoint contact;
    int proofs = 0;  // how many times the mesh was searched
};

// The largest fraction of the step that is free, or nearly: within 2^-20 of the time of impact unless
// rounding costs more.
// Guarantee, for a method that proves its answers: all vertices moving along straight lines from
// `start` to `positions` (as they are returned, rounding included), no pair that the filter admits
// comes within min_separation; proved by testing that very motion. The fraction is > 0 where the
// start is separated, by at least 2^-1069 of the largest coordinate at the end (no separation,
// `certified`; other methods and separations: where the method proves that short motions are free).
// It may be so small that the positions are those of the start. 0, with the start as positions,
// where the start is not free: things that touch, or one surface whose vertices are there twice,
// which weld() makes one (graze/surface/defects.hpp). At most 40 proofs, as a rule two.
// options.query.t_max is ignored. Errors as of first_impact().
[[nodiscard]] Expected<SafeStep> largest_safe_step(MeshStepper& stepper, const Positions& start,
                                                   const Positions& end,
                                                   const StepOptions& options = {});

// start + fraction (end - start) by vertex: the start itself for 0, the end itself for 1, and
// between them otherwise. Requires: as many of each.
[[nodiscard]] std::vector<Vec3> positions_between(std::span<const Vec3> start,
                                                  std::span<const Vec3> end, double fraction);
[[nodiscard]] std::vector<Vec3> positions_between(std::span<const Vec3> start,
                                                  std::span<const Vec3> end,
                                                  std::span<const double> fraction);

}  // namespace graze
