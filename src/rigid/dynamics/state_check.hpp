// Whether two convex bodies have a point in common at their poses, by intervals alone.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "graze/rigid/convex.hpp"

namespace graze::rigid::detail {

enum class PairState : std::uint8_t { Separated, Overlapping, NotProved };

// `triangles`: of hulls, hull_triangles() of their points; empty for others.
struct CheckedBody {
    const ConvexShape* shape = nullptr;
    Pose pose;
    std::span<const std::array<std::uint32_t, 3>> triangles;
};

// Guarantee: Separated only if no point is common to both, Overlapping only if one is, for the poses as
// given, of exact numbers (RDY-3). `proposed` is a direction from A to B that may separate them.
[[nodiscard]] PairState pair_state(const CheckedBody& a, const CheckedBody& b,
                                   const Vec3& proposed) noexcept;

}  // namespace graze::rigid::detail
