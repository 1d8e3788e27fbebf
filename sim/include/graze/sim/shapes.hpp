// Meshes that scenes are made of, generated. All are centred at the origin unless stated; lengths in
// the unit of the scene.
#pragma once

#include <functional>

#include "graze/sim/scene.hpp"

namespace graze::sim {

// A grid of nx x ny x nz cells over [-1, 1]^3, each split into six tetrahedra (Kuhn), mapped by `map`,
// which keeps the orientation; cells whose centre `has_cell` refuses are left out, and so are vertices
// without a cell. is_ring: the last layer in z is the first one again. Throws std::length_error
// where the grid has more than 10^8 vertices, as do the solids that are made of one.
[[nodiscard]] TetrahedralMesh grid_tetrahedra(
    const std::array<int, 3>& cells, bool is_ring, const std::function<Vec3(const Vec3&)>& map,
    const std::function<bool(const Vec3&)>& has_cell = {});

[[nodiscard]] TetrahedralMesh solid_block(const Vec3& half_size, const std::array<int, 3>& cells);
[[nodiscard]] TetrahedralMesh solid_ball(double radius, int cells);
// Around the z axis; `around` cells along the ring, across x across in its section.
[[nodiscard]] TetrahedralMesh solid_torus(double major, double minor, int around, int across);
// A figure with head, arms, legs, a tail and ears, made of cubes of about 1 / cells of its height 2,
// rounded off; its feet at z = -1.
[[nodiscard]] TetrahedralMesh solid_figure(int cells);
// A head with snout, horns, ears and a neck, made in the same way; it looks along +x.
[[nodiscard]] TetrahedralMesh solid_head(int cells);
// A pyramid whose tip is the origin and whose square base is at z = height; upside down if negative.
[[nodiscard]] TetrahedralMesh solid_spike(double half_width, double height);
// A roof whose ridge lies along y, its middle at the origin; the base at z = height, which may be
// negative.
[[nodiscard]] TetrahedralMesh solid_wedge(double half_length, double half_width, double height);
// Each tetrahedron cut into eight at the middles of its edges, `times` times.
[[nodiscard]] TetrahedralMesh refined(TetrahedralMesh mesh, int times);

// [-half, half]^2 at z = 0, upward.
[[nodiscard]] SurfaceMesh plane_surface(double half_x, double half_y, int cells_x, int cells_y);
// Tip at z = height, base at z = 0, closed.
[[nodiscard]] SurfaceMesh cone_surface(double radius, double height, int around, int up);
[[nodiscard]] SurfaceMesh ball_surface(double radius, int cells);
[[nodiscard]] SurfaceMesh block_surface(const Vec3& half_size, int cells);
// The boundary alone, vertices renumbered in their order.
[[nodiscard]] SurfaceMesh surface_of(const TetrahedralMesh& mesh);

// Rotation by `angle` around an axis of length 1 through the origin, then a translation.
struct Placement {
    Vec3 axis{0.0, 0.0, 1.0};
    double angle = 0.0;
    Vec3 translation{};
    double scale = 1.0;
};
[[nodiscard]] Vec3 placed(const Vec3& p, const Placement& placement);
template <class Mesh>
[[nodiscard]] Mesh placed(Mesh mesh, const Placement& placement) {
    for (Vec3& p : mesh.positions)
        p = placed(p, placement);
    return mesh;
}

}  // namespace graze::sim
