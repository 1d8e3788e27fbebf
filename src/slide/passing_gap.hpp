// One-sided faces of moving parts that a shape is behind: how far they are from barring it (SW-2).
#pragma once

#include <cstdint>

#include "graze/slide/sweep.hpp"

namespace graze::slide {

// Of the one-sided faces within `reach` of the shape that its centre is provably behind, the least of
// this: the larger of the gap and of how far the centre is behind the plane of the face; a lower bound.
// At most reach; minus infinity where nothing is known.
template <class Real>
[[nodiscard]] double passing_gap(const Obstacles<Real>& obstacles, const Shape<Real>& shape,
                                 const Vec<Real>& centre, Real reach,
                                 std::uint32_t layers) noexcept;

}  // namespace graze::slide
