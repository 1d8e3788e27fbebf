// Where the elements of an impact touch: what a simulator does with a contact.
//
// Impacts are proved, points and normals are estimates in floating point. They are worked out on
// request, since most of those who ask for all impacts of a step need times and pairs alone.
#pragma once

#include <span>
#include <vector>

#include "graze/mesh/step.hpp"
#include "graze/narrow/contact_point.hpp"

namespace graze {

// Parameters, the points of a and of b, their features and a normal of length 1, at the impact's
// toi_lower. The normal leads from the point of b to that of a where these are separated, as they are
// with a separation; otherwise it is that of the primitives, against the motion of a relative to b.
// Requires: the impact is one of the step from `start` to `end` of this mesh.
[[nodiscard]] ContactPoint contact_of(const MeshTopology& mesh, std::span<const Vec3> start,
                                      std::span<const Vec3> end, const Impact& impact);
// The same for each.
[[nodiscard]] std::vector<ContactPoint> contacts_of(const MeshTopology& mesh,
                                                    std::span<const Vec3> start,
                                                    std::span<const Vec3> end,
                                                    std::span<const Impact> impacts);

// The nearest points of the pair at another time in [0, 1]; the normal is that of contact_point().
[[nodiscard]] ContactPoint contact_at(const MeshTopology& mesh, std::span<const Vec3> start,
                                      std::span<const Vec3> end, const Impact& impact, double time);

}  // namespace graze
