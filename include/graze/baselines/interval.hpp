// `interval`: bisection of (t, u, v) with interval arithmetic (Snyder: Interval analysis for
// computer graphics, SIGGRAPH 1992; the multivariate interval root finder of Wang et al. 2021 that
// graze/narrow/tight_inclusion.hpp names).
//
// F(t, u, v) is the difference of two points, one on each primitive, at time t. Its natural
// interval extension over a box holds all its values there. A box without 0 holds no contact; the
// others are halved, t, u, v in turn, depth-first with the lower half first, until all sides are
// small: that of t at most delta / largest displacement of a corner, those of u and v at most
// delta / length of the edge that the parameter runs along. What moves nothing is never halved.
#pragma once

#include "graze/narrow/method.hpp"

namespace graze {

struct IntervalAnswer {
    CcdResult result;
    // The lower end of time of the first box that is small and may hold a contact; infinity where
    // there is none. Neither the first contact nor a bound of it: boxes that begin earlier, with
    // other u and v, come later in the order of the search.
    double witness_time = kInfinity;
};

// Guarantee, for finite motions and valid options:
//   - Separated is a proof of no contact in [0, t_max], at any scale; overflow included.
//   - [0, toi_lower) is proved free: no box that begins earlier is left. (An addition to the
//     published method, which reports the witness; it costs one look at the boxes that are left.)
//   - Contact: not excluded. A finite tolerance is a proof that the primitives come as near as
//     that, in the max-norm; it is at most some 6 to 8 times distance_tolerance, which is delta.
//     Infinite where the checks are spent, which is Contact as well.
// One check is one box. Sides are not halved below 2^-49 of the whole, so that 150 boxes on the
// stack suffice; no heap. Rounds upwards while it runs, and leaves the rounding mode as it was.
template <QueryMotion Motion>
[[nodiscard]] IntervalAnswer interval_search(const Motion& motion,
                                             const CcdOptions& options = {}) noexcept;

[[nodiscard]] Method make_interval() noexcept;

}  // namespace graze
