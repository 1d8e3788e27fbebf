// Minimum separation for `certified`: when do two primitives first come within d of each other? The
// search for what the fast tiers leave open (tiers/separation-inl.hpp).
//
// Time advances from direction to direction: each separates the primitives by more than d until a
// time that follows from the corners at both ends of the step, with one bound for all roundings.
// Where none does, a point of either primitive is the witness that they are near.
// Derivation: docs/derivations/certified_separation.md.
#pragma once

#include "graze/narrow/ccd.hpp"
#include "graze/narrow/query_kind.hpp"

namespace graze::certified {

// Is the distance (in options.norm) <= d = options.min_separation at some t in [0, t_max]?
// Guarantee, in both norms:
//   - Separated: the distance is > d on all of [0, t_max]: proved.
//   - Contact: the distance is <= d + tolerance at some t <= toi_upper <= t_max, proved by witness
//     points; tolerance <= options.distance_tolerance. Where tolerance is 0 the distance is <= d.
//   - [0, toi_lower) is free of distances <= d, whatever the verdict. toi_lower <= toi_upper.
//   - toi_lower > 0 where the start is apart by more than d in the max-norm, or by more than some
//     40 roundings of the largest difference of corners in the Euclidean norm, unless the bound is
//     below the smallest double (graze/narrow/start_separation.hpp).
//   - Unresolved only where max_checks are spent, or where the tolerance is below the rounding of
//     the largest difference of corners (some 60 u of it), u = 2^-53.
//   - A common power of two on all lengths changes no bit but those of the tolerance's exponent.
// toi_upper - toi_lower is at most time_width, unless nothing nearer than toi_upper can be proved
// to be within d; for contacts with a tolerance > 0 it is 0 nearly always.
// Requires: a finite motion, valid options, min_separation > 0. What is not as required:
// Unresolved.
// Cost: one check is one look at a time, some 100 to 300 ns. No heap.
[[nodiscard]] CcdResult within_separation(const VertexFaceMotion& motion,
                                          const CcdOptions& options) noexcept;
[[nodiscard]] CcdResult within_separation(const EdgeEdgeMotion& motion,
                                          const CcdOptions& options) noexcept;
[[nodiscard]] CcdResult within_separation(const VertexVertexMotion& motion,
                                          const CcdOptions& options) noexcept;
[[nodiscard]] CcdResult within_separation(const VertexEdgeMotion& motion,
                                          const CcdOptions& options) noexcept;

}  // namespace graze::certified
