// Large bodies: faces are put into groups of neighbours, and groups that can meet no group of the
// other body, or meet it only in collisions that are too improper to be reported, are left out
// before anything is drawn (RR-8).
#pragma once

#include "graze/broad/wide_tree.hpp"
#include "rigid/raster/body.hpp"

namespace graze::rigid::raster {

struct Search;

// Faces of one body that lie together, and what is known of all of them.
struct FaceGroup {
    std::uint32_t first = 0;  // of the list of faces
    std::uint32_t last = 0;
    ScreenBox box;  // widened by the reach
    Vec3 axis;      // in the coordinates of the screen, at the start of the step
    // [radians] from the axis, either way: of the normals of faces at the features of the group; of
    // normals that a face may have where it meets a vertex of the group not too improperly.
    double faces = 0.0;
    double vertices = 0.0;
};

// Buffers that are kept from call to call.
struct FaceGroups {
    std::vector<std::uint32_t> list;  // wanted faces, neighbours beside each other
    std::vector<FaceGroup> groups;
    std::vector<std::uint8_t> kept;  // by group
};
struct Culling {
    FaceGroups a;
    FaceGroups b;
    WideTree<3> tree;  // over the groups of B
    std::vector<std::uint8_t> needed_vertex;
};

// From so many wanted faces of both bodies on groups are worth their cost.
inline constexpr std::size_t kManyFaces = 2048;

// Narrows wanted_face, wanted_edge, candidate and box of both bodies, after keep_near().
void cull_groups(Search& search);

}  // namespace graze::rigid::raster
