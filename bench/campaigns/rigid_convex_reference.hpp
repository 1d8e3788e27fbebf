// The reference of rigid_convex: convex solids and their gaps at one time, in long double, by features
// and by supports. It shares nothing with src/rigid.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze::bench {

using Long = long double;
using Point = Vec<Long>;

inline Point wide(const Vec3& v) {
    return {v.x, v.y, v.z};
}
inline Long length(const Point& p) {
    return std::sqrt(norm_sq(p));
}

// A polytope (vertices, faces, normals and edges), a segment with a radius, or a cylinder about z.
struct Solid {
    std::vector<Point> vertices;  // of a cylinder: its centre
    std::vector<std::array<std::size_t, 3>> triangles;
    std::vector<Point> normals;
    std::vector<Point> edges;
    Long radius = 0;
    bool is_cylinder = false;
    Long half_height = 0;

    [[nodiscard]] bool is_round() const { return triangles.empty(); }
    // The point that is farthest along m, and one well inside.
    [[nodiscard]] Point support(const Point& m) const;
    [[nodiscard]] Point middle() const;
};

// x -> columns x + translation.
struct Axes {
    std::array<Point, 3> columns;
    Point translation;
    [[nodiscard]] Point rotate(const Point& p) const {
        return p.x * columns[0] + p.y * columns[1] + p.z * columns[2];
    }
    [[nodiscard]] Point apply(const Point& p) const { return rotate(p) + translation; }
};
struct PlacedSolid {
    const Solid& solid;
    Axes pose;

    [[nodiscard]] Point support(const Point& m) const {
        return pose.apply(solid.support(
            {dot(pose.columns[0], m), dot(pose.columns[1], m), dot(pose.columns[2], m)}));
    }
};

// Bounds of the gap: below 0 where the solids overlap.
struct GapBounds {
    Long lower = 0;
    Long upper = 0;
};
// By features for polytopes, spheres and capsules that move rigidly, else by supports.
GapBounds gap_of(const PlacedSolid& a, const PlacedSolid& b, bool are_rigid);

}  // namespace graze::bench
