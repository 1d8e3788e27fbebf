// Impulses between two elements of a mesh, by the velocities of their vertices.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/mesh/contact.hpp"

namespace graze::sim::detail {

// The point of a less the point of b is the sum of weight times position. Invariant: weights sum up
// to 0 (up to rounding), so that impulses conserve momentum. Of pairs with fewer vertices the last
// weights are 0.
struct ContactPair {
    std::array<std::uint32_t, 4> v{};
    std::array<double, 4> weight{};
    Vec3 normal;  // of length 1, from b to a
};

[[nodiscard]] ContactPair contact_pair(const MeshTopology& mesh, const Impact& impact,
                                       const ContactPoint& at);

[[nodiscard]] Vec3 relative(const ContactPair& pair, std::span<const Vec3> of_vertices);

// Raises the normal component of the relative velocity to `speed`, where it is below, by an impulse
// along the normal; the tangential one becomes smaller by at most friction times that change.
// Vertices with inverse mass 0 keep their velocity; where all do nothing happens.
// Returns by how much the normal component changed: 0 where there was nothing to do.
double separate(const ContactPair& pair, double speed, double friction,
                std::span<const double> inverse_mass, std::span<Vec3> velocity);

}  // namespace graze::sim::detail
