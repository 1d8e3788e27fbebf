// Do two bodies intersect at given poses? Decided exactly, for the poses as they are given.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graze/core/stop.hpp"
#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

enum class StartState : std::uint8_t {
    Separated,  // the surfaces have no point in common, and neither body is inside the other
    Contact,    // the surfaces have a point in common (exactly)
    AInsideB,   // no common point, B is closed and A's surface is inside it
    BInsideA,
    Unresolved,  // not decided within the budget, a stop, or a pose that is not finite
};
// As the command line writes them:
// "apart", "touching", "a-inside-b", "b-inside-a", "unknown".
[[nodiscard]] std::string_view name(StartState state) noexcept;

// Guarantee: exact for every finite pose and every surface, degenerate triangles included: no
// tolerance, no rounding. Surfaces that share a point are in Contact, whether they cross or only
// touch. Faces are the triangles of Polyhedron::triangles(). A shell (a connected component) is
// inside a closed body where the body's surface winds around it; a body is inside if one of its
// shells is, and where both are, AInsideB is returned.
// Unresolved: a number that is not finite or beyond 2^1000, a quaternion of length 0, no memory, a
// floating-point environment that cannot be made sound, kMaxExactTests without an end, or a stop.
// Cost: nothing but a few numbers where balls around the bodies are disjoint. Otherwise linear in
// both surfaces, and floating point with proved bounds for each pair of triangles that come near
// each other; exact integers for those that the filter cannot separate.
[[nodiscard]] StartState start_state(const Polyhedron& a, const Pose& pose_a, const Polyhedron& b,
                                     const Pose& pose_b, const StopToken& stop = {}) noexcept;

// Do the surfaces have a point in common? The same guarantee; nothing where that is Unresolved.
[[nodiscard]] std::optional<bool> surfaces_share_a_point(const Polyhedron& a, const Pose& pose_a,
                                                         const Polyhedron& b,
                                                         const Pose& pose_b) noexcept;
// The same for two triangles; those without area are segments or points.
[[nodiscard]] std::optional<bool> triangles_share_a_point(const std::array<Vec3, 3>& a,
                                                          const Pose& pose_a,
                                                          const std::array<Vec3, 3>& b,
                                                          const Pose& pose_b) noexcept;

// Exact tests (10 to 50 microseconds each) before a search gives up.
inline constexpr std::uint64_t kMaxExactTests = 1'000'000;

}  // namespace graze::rigid
