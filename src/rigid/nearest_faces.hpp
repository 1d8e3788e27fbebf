// The nearest points of two faces in the world, and the contact of an impact. Estimates.
#pragma once

#include <array>
#include <cstdint>

#include "graze/core/pose.hpp"
#include "graze/rigid/impact.hpp"

namespace graze::rigid::detail {

struct NearestPoints {
    Vec3 on_a;
    Vec3 on_b;
    double distance = kInfinity;
    Vec3 normal;  // across what they lie on; of either sign
};
[[nodiscard]] NearestPoints nearest_of_faces(const Polyhedron& a, std::uint32_t face_a,
                                             const Pose& pose_a, const Polyhedron& b,
                                             std::uint32_t face_b, const Pose& pose_b);

// The same of two triangles; a distance of `within` where nothing is nearer than that.
[[nodiscard]] NearestPoints nearest_of_triangles(const std::array<Vec3, 3>& a,
                                                 const std::array<Vec3, 3>& b, double within);

// Sets time, point and normal of the result's contact, where its faces are known.
void estimate_contact(ImpactResult& found, const Polyhedron& a, const Polyhedron& b,
                      const PairStep& step);

}  // namespace graze::rigid::detail
