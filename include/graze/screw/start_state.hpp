// How two bodies lie at the start of a step: decided exactly, for the poses as they are given.
#pragma once

#include <cstdint>
#include <string_view>

#include "graze/screw/polyhedron.hpp"
#include "graze/screw/pose.hpp"

namespace graze::screw {

enum class StartState : std::uint8_t {
    Apart,     // the surfaces have no point in common, and neither body is inside the other
    Touching,  // the surfaces have a point in common (exactly)
    AInsideB,  // no common point, B is closed and A's surface is inside it
    BInsideA,
    Unknown,  // not decided within the budget, or a pose that is not finite
};
// "apart", "touching", "a-inside-b", "b-inside-a", "unknown".
[[nodiscard]] std::string_view name(StartState state) noexcept;

// Surfaces that share a point are Touching, whether they cross or only touch. Points of several
// shells may lie both inside and outside; then the state is told by whether any part is inside.
// Cost: floating point with proved bounds where that decides, integers of any size for the rest.
[[nodiscard]] StartState start_state(const Polyhedron& a, const Pose& pose_a, const Polyhedron& b,
                                     const Pose& pose_b);

}  // namespace graze::screw
