// Root parity in exact arithmetic throughout, without culling.
//
// The method of graze/baselines/root_parity.hpp, every sign from integers. Degenerate cases that
// its authors left out are handled: flat patches (hourglasses among them), collinear triangles,
// motion within a plane, primitives at rest. In place of random rays that are thrown away when they
// meet an edge, one ray is moved off its direction symbolically, and meets none.
#pragma once

#include "graze/narrow/method.hpp"

namespace graze {

struct RootParityOptions {
    // What the code of Wang et al. 2021 does: a query in which nothing moves, or everything by the same
    // vector, is Separated without a look. A false negative wherever such primitives touch.
    bool rest_is_separated = false;
};

// Guarantee, Separated, cost in memory: as root_parity; with the default options the verdicts of
// the two are equal for every input.
// Cost: some tens of microseconds for ordinary coordinates, milliseconds where exponents are spread
// over the whole range.
template <CoplanarityMotion Motion>
[[nodiscard]] CcdResult root_parity_exact(const Motion& motion, const CcdOptions& options = {},
                                          const RootParityOptions& own = {}) noexcept;

[[nodiscard]] Method make_root_parity_exact() noexcept;

}  // namespace graze
