// Proofs that two pieces touch, at one time or between two (RI-6). True is a proof, false is none
// of the contrary.
#pragma once

#include "rigid/impact/slab.hpp"

namespace graze::rigid::detail {

// True only if a triangle of `a` and one of `b` have a point in common, for all positions within
// `error` of the corners: an edge of one, or a segment within it, crosses the inside of the other,
// all signs certain.
[[nodiscard]] bool is_pierced(const Corners& a, std::uint32_t triangles_a, const Corners& b,
                              std::uint32_t triangles_b, double error) noexcept;

// True only if triangles of `a` and `b` have points at a distance of at most `separation`, for all
// positions within `error` of the corners.
[[nodiscard]] bool is_within(const Corners& a, std::uint32_t triangles_a, const Corners& b,
                             std::uint32_t triangles_b, double error, double separation) noexcept;

// True only if a point of a triangle of `a` goes through a triangle of `b` between the two times,
// for all positions within `error` of the corners: it is on one side of it first, on the other
// last, and beside no edge in between. Finds faces that meet flush, where no edge pierces anything.
[[nodiscard]] bool is_passed(const Corners& a, std::uint32_t triangles_a, const Corners& b_first,
                             const Corners& b_last, std::uint32_t triangles_b, double bulge,
                             double error) noexcept;

}  // namespace graze::rigid::detail
