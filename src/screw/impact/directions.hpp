// Candidates for directions that separate two pieces. Estimates: a direction proves nothing by
// itself, and a bad one costs time only.
#pragma once

#include "screw/impact/slab.hpp"

namespace graze::screw::detail {

// From the nearest point of the hull of `a` to that of `b` (Gilbert, Johnson, Keerthi); not of unit
// length, 0 where they seem to overlap.
[[nodiscard]] Vec3 nearest_difference(const Corners& a, const Corners& b, Vec3 guess) noexcept;

// Crosses of edges and normals in the planes: with the two normals, a complete set of directions
// for flat convex pieces. Calls visit(n) for each of unit length; stops when it returns true.
template <class Visit>
void visit_edge_directions(const Corners& a, const Vec3& normal_a, const Corners& b,
                           const Vec3& normal_b, Visit visit) noexcept {
    std::array<Vec3, 4> edges_a;
    std::array<Vec3, 4> edges_b;
    for (std::size_t i = 0; i < 4; ++i) {
        edges_a[i] = a.corner((i + 1) % 4) - a.corner(i);
        edges_b[i] = b.corner((i + 1) % 4) - b.corner(i);
    }
    const auto try_cross = [&](const Vec3& e, const Vec3& f) {
        const Vec3 n = unit(cross(e, f));
        return n != Vec3{} && visit(n);
    };
    for (const Vec3& e : edges_a) {
        for (const Vec3& f : edges_b) {
            if (try_cross(e, f)) return;
        }
    }
    for (std::size_t i = 0; i < 4; ++i) {
        if (try_cross(edges_a[i], normal_a) || try_cross(edges_b[i], normal_b)) return;
    }
}

}  // namespace graze::screw::detail
