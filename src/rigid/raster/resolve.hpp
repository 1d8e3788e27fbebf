// From touches of vertices, edges and faces to collisions of vertex and face or of two edges (Buss
// 2005, section 5).
//
// Where a vertex touches an edge or a vertex, the paper takes the vertex-face pair of the best
// properness. That can lose a proper contact: a corner that goes across an edge may be separated
// from its wedge by a plane that is no face of it. Here the pairs of edges at the place compete as
// well: of two convex cones that face each other properly, one of all these pairs is proper.
#pragma once

#include <vector>

#include "graze/rigid/contact.hpp"
#include "rigid/raster/contact.hpp"

namespace graze::rigid::raster {

// min e_i . n over the unit vectors from the vertex along its edges; the normal points out of the
// face, both in the screen's coordinates at one time. 1 for a vertex without edges.
[[nodiscard]] double vertex_properness(const Body& body, const Flow& flow, const Turn& turn,
                                       std::uint32_t vertex, const Vec3& normal) noexcept;

// Buss 2005, equation 7, with the sign of the normal that makes it largest; sides without face are
// left out. Parallel edges have none.
struct EdgeProperness {
    double value = 0.0;
    Vec3 normal;  // unit length, from A to B
};
[[nodiscard]] std::optional<EdgeProperness> edge_properness(const Pair& pair, const Turn& turn,
                                                            std::uint32_t edge_a,
                                                            std::uint32_t edge_b) noexcept;

// False: edge_properness() is below `least` < 0. For edges that are drawn.
[[nodiscard]] bool may_be_proper(const Pair& pair, const Turn& turn, std::uint32_t edge_a,
                                 std::uint32_t edge_b, double least) noexcept;

// What a computed properness is held against: at -1 and below all are kept, and rounded it may be below -1.
[[nodiscard]] constexpr double least_properness(double min_properness) noexcept {
    return min_properness > -1.0 ? min_properness : min_properness - 0x1p-40;
}

// Sorted by time; places and normals in A's local frame. Merges what is found more than once.
[[nodiscard]] std::vector<Contact> resolve(const Pair& pair, std::vector<Touch>& touches,
                                           double min_properness);

}  // namespace graze::rigid::raster
