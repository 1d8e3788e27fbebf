// `interval-univariate`: bisection of time with interval arithmetic (after Redon, Kheddar and
// Coquillart: Fast continuous collision detection between rigid bodies, Eurographics 2002; the
// univariate interval root finder of Wang et al. 2021, see graze/narrow/tight_inclusion.hpp).
//
// Primitives that touch are in one plane: f(t) = (d - a) . ((b - a) x (c - a)) is 0, for the
// triangle a, b, c and the vertex d or the edges a, b and c, d. Intervals of time over which f
// cannot be 0 hold no contact; the others are halved, the earlier half first, until they are at
// most delta / largest displacement of a corner wide. Only then is it asked whether the contact
// could be inside both primitives.
#pragma once

#include "graze/narrow/method.hpp"

namespace graze {

// Guarantee, for finite motions and valid options:
//   - Separated is a proof of no contact in [0, t_max], at any scale; overflow included.
//   - [0, toi_lower) is proved free, since intervals are visited in the order of time. It may be
//     far too early: where the triangle has no area, nothing can be excluded.
//   - Contact: not excluded; nothing is known about the distance.
// One check is one interval of time; spent checks are Contact. Motion in one plane takes some
// 2 * displacement / distance_tolerance of them. At most 51 intervals on the stack, no heap. Rounds
// upwards while it runs, and leaves the rounding mode as it was.
template <CoplanarityMotion Motion>
[[nodiscard]] CcdResult interval_univariate(const Motion& motion,
                                            const CcdOptions& options = {}) noexcept;

[[nodiscard]] Method make_interval_univariate() noexcept;

}  // namespace graze
