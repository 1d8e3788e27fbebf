// Meshes of links and furniture.
#pragma once

#include <cstdint>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/io/polygon_mesh.hpp"

namespace graze::generate {

struct SolidBox {
    Vec3 low;
    Vec3 high;
};

// Its surface in rectangles of about `cell` [length], at least one for each face; closed.
void add_box(io::PolygonMesh& mesh, const SolidBox& box, double cell);
// Boxes as one mesh of about that many triangles, or of twelve for each box where that is more.
[[nodiscard]] io::PolygonMesh boxes_of(const std::vector<SolidBox>& boxes, std::uint32_t triangles);

// A limb about the z axis from `bottom` to `top`, thickest in the middle, with flat ends; of about that
// many triangles.
struct Limb {
    double radius;
    double bottom;
    double top;
};
[[nodiscard]] io::PolygonMesh limb_of(const Limb& limb, std::uint32_t triangles);

// Appends the mesh, scaled and shifted.
void add_mesh(io::PolygonMesh& mesh, const io::PolygonMesh& added, double scale, const Vec3& shift);

}  // namespace graze::generate
