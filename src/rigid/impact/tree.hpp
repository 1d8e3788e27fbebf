// A body's surface cut into flat pieces of three or four corners, under a binary tree of boxes.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "graze/rigid/impact.hpp"
#include "rigid/impact/cover.hpp"
#include "rigid/impact/relative_motion.hpp"

namespace graze::rigid::detail {

// A triangle of the surface (the last corner twice), or two that share the edge from corner 0 to
// corner 2 and are flat and convex together within rounding errors.
struct Piece {
    std::array<double, 4> x;
    std::array<double, 4> y;
    std::array<double, 4> z;
    Vec3 normal;         // unit length within 2^-50, or 0
    double size = 0.0;   // no two corners are farther from each other
    double reach = 0.0;  // no corner is farther from the body's centre
    std::uint32_t face = kNoFace;
    std::uint32_t triangles = 1;
    std::array<std::uint32_t, 4> vertices{};
    // Edges from corner i to i + 1 that have a length and are not parallel to one before.
    std::array<std::uint8_t, 4> edges{};
    std::uint8_t edge_count = 0;

    [[nodiscard]] Vec3 corner(std::size_t i) const noexcept { return {x[i], y[i], z[i]}; }
};

// Box |p - centre| <= half, coordinate by coordinate, and ball |p - centre| <= radius: each holds every
// corner below it.
struct Node {
    Vec3 centre;
    Vec3 half;
    double reach = 0.0;  // of corners, from the body's centre
    // No corner below it is farther from `centre`; infinite where that is not known.
    double radius = std::numeric_limits<double>::infinity();
    double size = 0.0;        // an estimate: how wide the box is
    std::uint32_t child = 0;  // the first of two neighbours; a piece for a leaf
    bool is_leaf = false;
};

struct BodyTree {
    explicit BodyTree(Polyhedron body);

    Polyhedron surface;
    BodyExtent extent;
    std::vector<Piece> pieces;
    std::vector<Node> nodes;  // the root first
    bool connected = false;   // one component, joined by shared vertices
    std::size_t depth = 0;
    Cover cover;
};

}  // namespace graze::rigid::detail
