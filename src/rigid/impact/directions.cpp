#include "rigid/impact/directions.hpp"

#include <algorithm>

namespace graze::rigid::detail {

namespace {

// The corners of a simplex of the difference b - a, and the point of it nearest to the origin.
struct Simplex {
    std::array<Vec3, 4> w;
    std::size_t size = 0;
    Vec3 nearest;
};

[[nodiscard]] Simplex point(const Vec3& a) noexcept {
    return {{a}, 1, a};
}

[[nodiscard]] Simplex nearest_on_segment(const Vec3& a, const Vec3& b) noexcept {
    const Vec3 ab = b - a;
    const double along = -dot(a, ab);
    const double whole = norm_sq(ab);
    if (!(along > 0.0)) return point(a);
    if (along >= whole) return point(b);
    return {{a, b}, 2, a + (along / whole) * ab};
}

// Voronoi regions of a triangle, the origin being the query (Ericson 2005, section 5.1.5).
[[nodiscard]] Simplex nearest_on_triangle(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
    const Vec3 ab = b - a;
    const Vec3 ac = c - a;
    const double d1 = -dot(ab, a);
    const double d2 = -dot(ac, a);
    if (d1 <= 0.0 && d2 <= 0.0) return point(a);
    const double d3 = -dot(ab, b);
    const double d4 = -dot(ac, b);
    if (d3 >= 0.0 && d4 <= d3) return point(b);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return nearest_on_segment(a, b);
    const double d5 = -dot(ab, c);
    const double d6 = -dot(ac, c);
    if (d6 >= 0.0 && d5 <= d6) return point(c);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return nearest_on_segment(a, c);
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 >= d3 && d5 >= d6) return nearest_on_segment(b, c);
    const double inverse = 1.0 / (va + vb + vc);
    return {{a, b, c}, 3, a + (vb * inverse) * ab + (vc * inverse) * ac};
}

// The nearest of the faces that the origin is beyond; the origin itself (size 4) where it is
// inside.
[[nodiscard]] Simplex nearest_on_tetrahedron(const std::array<Vec3, 4>& w) noexcept {
    static constexpr std::size_t kFaces[4][4] = {
        {0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
    Simplex best{w, 4, {}};
    double least = kInfinity;
    for (const auto& f : kFaces) {
        const Vec3 normal = cross(w[f[1]] - w[f[0]], w[f[2]] - w[f[0]]);
        const double origin_side = -dot(normal, w[f[0]]);
        const double inner_side = dot(normal, w[f[3]] - w[f[0]]);
        if (origin_side * inner_side > 0.0) continue;  // the origin is not beyond this face
        const Simplex s = nearest_on_triangle(w[f[0]], w[f[1]], w[f[2]]);
        const double size_sq = norm_sq(s.nearest);
        if (size_sq < least) {
            least = size_sq;
            best = s;
        }
    }
    return best;
}

[[nodiscard]] Simplex nearest_on(const Simplex& s) noexcept {
    switch (s.size) {
        case 1:
            return point(s.w[0]);
        case 2:
            return nearest_on_segment(s.w[0], s.w[1]);
        case 3:
            return nearest_on_triangle(s.w[0], s.w[1], s.w[2]);
        default:
            return nearest_on_tetrahedron(s.w);
    }
}

// The support point: the corner of b - a that is lowest along v.
[[nodiscard]] Vec3 lowest(const Corners& a, const Corners& b, const Vec3& v) noexcept {
    std::size_t high = 0;
    std::size_t low = 0;
    double best_a = -kInfinity;
    double best_b = kInfinity;
    for (std::size_t i = 0; i < 4; ++i) {
        const double along_a = a.x[i] * v.x + a.y[i] * v.y + a.z[i] * v.z;
        const double along_b = b.x[i] * v.x + b.y[i] * v.y + b.z[i] * v.z;
        if (along_a > best_a) {
            best_a = along_a;
            high = i;
        }
        if (along_b < best_b) {
            best_b = along_b;
            low = i;
        }
    }
    return b.corner(low) - a.corner(high);
}

}  // namespace

// GJK on the difference of both hulls: the nearest point v of the simplex is improved by the vertex
// of b - a that is lowest along v, until that is no lower than |v| (1 - loose). Ends by a bound on
// the iterations and where rounding errors stop the descent: v is an estimate all along.
Vec3 nearest_difference(const Corners& a, const Corners& b, Vec3 guess, double loose) noexcept {
    if (guess == Vec3{}) guess = b.corner(0) - a.corner(0);
    Simplex s = point(lowest(a, b, guess));
    for (int i = 0; i < 10; ++i) {
        const Vec3 v = s.nearest;
        const double size_sq = norm_sq(v);
        if (!(size_sq > 0.0) || s.size == 4) break;
        const Vec3 w = lowest(a, b, v);
        if (!(dot(v, w) < size_sq * (1.0 - loose))) break;
        s.w[s.size++] = w;
        s = nearest_on(s);
        if (s.size < 4 && !(norm_sq(s.nearest) < size_sq)) return v;
    }
    return s.size == 4 ? Vec3{} : s.nearest;
}

bool are_separated(const Slab& slab, const Piece& a, const Piece& b) noexcept {
    const PieceSlab pair = {corners_of(a), transformed(slab.first, b), transformed(slab.last, b),
                            slab.slack, slab.bulge(b.reach)};
    const auto is_free_along = [&](Vec3 n) { return free_fraction(pair, n).proved == kAllFree; };
    return is_free_along(a.normal) ||
           is_free_along(unit(slab.first.rotation * b.normal + slab.last.rotation * b.normal)) ||
           is_free_along(unit(nearest_difference(pair.a, pair.first, {}, 0x1p-5)));
}

}  // namespace graze::rigid::detail
