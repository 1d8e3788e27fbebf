// Root parity (Brochu, Edwards, Bridson 2012): is the number of contacts odd?
//
// F(t, u, v), the difference of a point of one primitive and a point of the other, maps a prism
// (for edges: a box) into space, and the primitives touch where F = 0. If the origin is not on the
// image of the boundary, the number of roots inside has the parity of the number of times that a
// ray from the origin passes through that image. Signs are found in floating point where that
// proves them.
// Wrong by design: two contacts look like none.
#pragma once

#include "graze/narrow/method.hpp"

namespace graze {

// Contact: the origin is on the image of the boundary, or the number of roots is odd.
// Guarantee: Contact is a proof, for every finite input. Separated is none: it means that no root
// has a parameter at an end of its range, and that their number, counted with multiplicity, is
// even.
// Never Unresolved; no heap; `checks` is 1. Boolean: toi_lower and toi_upper say nothing.
// Cost: half a microsecond to some tens of them; with t_max < 1 that of root-parity-exact.
template <CoplanarityMotion Motion>
[[nodiscard]] CcdResult root_parity(const Motion& motion, const CcdOptions& options = {}) noexcept;

[[nodiscard]] Method make_root_parity() noexcept;

}  // namespace graze
