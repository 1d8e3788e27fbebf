// Vertices that collide again and again are moved as one rigid body (Provot 1997; Bridson et al.
// 2002, section 7.5; Harmon et al. 2008 count such zones among the last resorts as well).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze::sim::detail {

// Sets of vertices that only grow: who is joined once stays so until the end of the step.
class ImpactZones {
public:
    explicit ImpactZones(std::size_t vertex_count);
    // Joins the zones of both; a vertex of none becomes one.
    void join(std::uint32_t a, std::uint32_t b);
    [[nodiscard]] bool empty() const noexcept { return joined_ == 0; }
    // Each by ascending vertex, in the order of their first vertices. Vertices of none are in none.
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> zones() const;

private:
    [[nodiscard]] std::uint32_t root(std::uint32_t v) const;
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint8_t> is_member_;
    std::size_t joined_ = 0;
};

// Where the zone's vertices are after a rigid motion with the linear and the angular momentum that
// `displacement` has about their centre of mass; in the order of `zone`.
// Guarantee, in exact arithmetic: on straight lines from `start` to there nothing in the zone meets,
// since position = (1 - t) start + t (R start + T) is an affine map, which is regular for rotations
// by less than pi; the angle is cut at 2.
// Requires: mass > 0 for all of the zone.
[[nodiscard]] std::vector<Vec3> rigid_end(std::span<const std::uint32_t> zone,
                                          std::span<const Vec3> start,
                                          std::span<const Vec3> displacement,
                                          std::span<const double> mass);

}  // namespace graze::sim::detail
