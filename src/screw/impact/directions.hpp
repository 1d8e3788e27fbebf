// Candidates for directions that separate two pieces. Estimates: a direction proves nothing by
// itself, and a bad one costs time only.
#pragma once

#include <algorithm>

#include "screw/impact/slab.hpp"

namespace graze::screw::detail {

// From the nearest point of the hull of `a` to that of `b` (Gilbert, Johnson, Keerthi); not of unit
// length, 0 where they seem to overlap. Stops where the gap along it is within the share `loose` of
// the distance.
[[nodiscard]] Vec3 nearest_difference(const Corners& a, const Corners& b, Vec3 guess,
                                      double loose) noexcept;

// Is there a gap along n, of any length?
[[nodiscard]] inline bool are_parted(const Corners& a, const Corners& b, const Vec3& n) noexcept {
    std::array<double, 4> p{};
    std::array<double, 4> q{};
    for (std::size_t i = 0; i < 4; ++i) {
        p[i] = a.x[i] * n.x + a.y[i] * n.y + a.z[i] * n.z;
        q[i] = b.x[i] * n.x + b.y[i] * n.y + b.z[i] * n.z;
    }
    const auto least = [](const std::array<double, 4>& v) {
        return std::min(std::min(v[0], v[1]), std::min(v[2], v[3]));
    };
    const auto most = [](const std::array<double, 4>& v) {
        return std::max(std::max(v[0], v[1]), std::max(v[2], v[3]));
    };
    return least(q) > most(p) || least(p) > most(q);
}

// Crosses of edges and normals in the planes: with the two normals, a complete set of directions
// for flat convex pieces. Calls visit(n), of unit length, for each that parts the two; stops when it
// returns true.
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
        const Vec3 n = cross(e, f);
        return are_parted(a, b, n) && visit(unit(n));
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
