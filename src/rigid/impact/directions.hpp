// Candidates for directions that separate two pieces. Estimates: a direction proves nothing by
// itself, and a bad one costs time only.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rigid/impact/slab.hpp"

namespace graze::rigid::detail {

// From the nearest point of the hull of `a` to that of `b` (Gilbert, Johnson, Keerthi); not of unit
// length, 0 where they seem to overlap. Stops where the gap along it is within the fraction `loose`
// of the distance.
[[nodiscard]] Vec3 nearest_difference(const Corners& a, const Corners& b, Vec3 guess,
                                      double loose) noexcept;

// True only if the pieces are separated in all of the slab (RI-5): by both normals, and by the direction
// of the nearest points.
[[nodiscard]] bool are_separated(const Slab& slab, const Piece& a, const Piece& b) noexcept;

// Is there a gap along n, of any length?
[[nodiscard]] inline bool has_gap_along(const Corners& a, const Corners& b,
                                        const Vec3& n) noexcept {
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

// Where a direction came from, so that it can be had again at another time: features that separate
// two pieces in one slab mostly do so in the next, while the direction itself rotates with them.
enum class Source : std::uint8_t { None, NormalA, NormalB, FirstCross };
[[nodiscard]] constexpr Source cross_of(std::size_t i, std::size_t j) noexcept {
    return static_cast<Source>(static_cast<std::size_t>(Source::FirstCross) + 4 * i + j);
}

[[nodiscard]] inline Vec3 edge_of(const Corners& c, std::size_t i) noexcept {
    return c.corner((i + 1) % 4) - c.corner(i);
}

// The direction of a source, of unit length or 0.
[[nodiscard]] inline Vec3 direction_of(Source source, const Corners& a, const Vec3& normal_a,
                                       const Corners& b, const Vec3& normal_b) noexcept {
    if (source == Source::NormalA) return normal_a;
    if (source == Source::NormalB) return unit(normal_b);
    if (source < Source::FirstCross) return {};
    const std::size_t k =
        static_cast<std::size_t>(source) - static_cast<std::size_t>(Source::FirstCross);
    return unit(cross(edge_of(a, k / 4), edge_of(b, k % 4)));
}

// Crosses of edges and normals in the planes: with the two normals, a complete set of directions
// for flat convex pieces. Calls visit(n, source), n of unit length, for each that separates the
// two; stops when it returns true.
template <class Visit>
void visit_edge_directions(const Corners& at_a, const Piece& a, const Corners& at_b, const Piece& b,
                           const Vec3& normal_b, Visit visit) noexcept {
    const auto try_cross = [&](const Vec3& e, const Vec3& f, Source source) {
        const Vec3 n = cross(e, f);
        return has_gap_along(at_a, at_b, n) && visit(unit(n), source);
    };
    std::array<Vec3, 4> edges_b;
    for (std::size_t l = 0; l < b.edge_count; ++l)
        edges_b[l] = edge_of(at_b, b.edges[l]);
    for (std::size_t k = 0; k < a.edge_count; ++k) {
        const Vec3 e = edge_of(at_a, a.edges[k]);
        for (std::size_t l = 0; l < b.edge_count; ++l) {
            if (try_cross(e, edges_b[l], cross_of(a.edges[k], b.edges[l]))) return;
        }
    }
    for (std::size_t k = 0; k < a.edge_count; ++k) {
        if (try_cross(edge_of(at_a, a.edges[k]), a.normal, Source::None)) return;
    }
    for (std::size_t l = 0; l < b.edge_count; ++l) {
        if (try_cross(edges_b[l], normal_b, Source::None)) return;
    }
}

}  // namespace graze::rigid::detail
