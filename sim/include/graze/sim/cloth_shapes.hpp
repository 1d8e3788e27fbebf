// Meshes to make scenes of cloth of: sheets, tubes, capsules, a bow. The z axis leads up.
#pragma once

#include <cstdint>
#include <vector>

#include "graze/sim/scene.hpp"

namespace graze::sim {

enum class Diagonals : std::uint8_t {
    Parallel,     // all from the lower left to the upper right
    Alternating,  // as on the Union Flag: no direction is stiffer than its mirror image
};

// In the plane z = 0 around the origin; vertex (i, j) has the number j * (columns + 1) + i.
struct SheetShape {
    double width = 1.0;   // along x
    double height = 1.0;  // along y
    int columns = 10;     // cells, >= 1
    int rows = 10;
    Diagonals diagonals = Diagonals::Alternating;
};
[[nodiscard]] SurfaceMesh sheet(const SheetShape& shape);
// The faces alone, for cells whose vertices are elsewhere. `around`: the last column is joined to the
// first, and rows have as many vertices as cells.
[[nodiscard]] std::vector<FaceIndices> sheet_faces(int columns, int rows, Diagonals diagonals,
                                                   bool around = false);

// An open tube around the z axis: from radius `bottom` at z = 0 to radius `top` at z = height.
// Vertex (i, j): j * around + i, rows from the bottom.
struct TubeShape {
    double bottom = 0.5;
    double top = 0.5;
    double height = 1.0;
    int around = 16;  // >= 3
    int rows = 8;
};
[[nodiscard]] SurfaceMesh tube(const TubeShape& shape);

// All points within a radius of the segment from a to b, which goes from radius_a to radius_b: its
// surface, closed. Requires: a != b.
struct CapsuleShape {
    Vec3 a;
    Vec3 b;
    double radius_a = 0.1;
    double radius_b = 0.1;
    int around = 12;  // >= 3
    int rings = 4;    // >= 1, of each cap
};
[[nodiscard]] SurfaceMesh capsule(const CapsuleShape& shape);

// A round plate: its upper side at z = 0, `thickness` deep.
[[nodiscard]] SurfaceMesh plate(double radius, double thickness, int around);

// A ribbon that is laid into the shape of a loose bow: two doubled ears that go through each other in
// a half knot, and two tails. Rows of columns + 1 vertices from tail to tail; both have the same faces.
// It is a bow as shoelaces are tied the second time: the ears, pulled outward, draw it tight; a
// pull at the tails undoes it.
struct BowShape {
    double width = 0.04;        // [length] of the ribbon
    int columns = 2;            // cells across it, >= 1
    double layer_gap = 0.006;   // [length] between the two layers of an ear inside the knot
    double crossing = 0.012;    // [length] half of the height between layers where ears cross
    double ear_opening = 0.06;  // [length] between the layers at the tip of an ear
};
struct Bow {
    std::vector<Vec3> rest;   // flat, along x
    std::vector<Vec3> start;  // in the plane y = 0, ears left and right, tails downward
    std::vector<FaceIndices> faces;
    int rows = 0;                         // of vertices
    std::vector<std::uint32_t> left_tip;  // vertices at the bends of the ears
    std::vector<std::uint32_t> right_tip;
};
[[nodiscard]] Bow loose_bow(const BowShape& shape);

}  // namespace graze::sim
