// The oracle against itself: what must hold of its answers whatever the query.
#pragma once

#include <optional>
#include <string>

#include "graze/oracle/oracle.hpp"

namespace graze::oracle {

// Nothing if all is well, otherwise one line that says which check failed and how.
//
// Ways: first_contact, first_contact_by_decomposition and first_within(0) in both norms agree, bit
// for bit. Invariance, bit for bit: swapping the edges, permuting the corners of a face or an edge,
// mirroring and permuting axes, scaling each axis by its own power of two. Reversing time keeps the
// verdict. Cutting the motion just before the first time leaves no contact, cutting it at that time
// or just after leaves one, at the end of what is left.
// With a separation of the size of the query, in both norms: exchanging corners and turning the axes
// change no bit, reversing time keeps the verdict, twice the separation is reached no later, and the
// norms follow each other as |x|_max <= |x| <= 2 |x|_max demands.
// Requires: finite.
[[nodiscard]] std::optional<std::string> self_check(const Query& query);

}  // namespace graze::oracle
