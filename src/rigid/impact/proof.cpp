// Proofs of contact (RI-6). Positions are those of a computed frame, each within `error` of the
// exact one (RI-3); a proof holds for all positions within it:
//
//   is_pierced   an edge, or a segment within a triangle, crosses a triangle: five determinants,
//                each larger than its doubt 2e (ab + bc + ca) + 2^-49 abc;
//   is_within    two points of the triangles are at most `separation` from each other;
//   is_passed    a point changes its side of a triangle while it is over it all the time.
#include "rigid/impact/proof.hpp"

#include <algorithm>
#include <optional>

#include "graze/core/norm_bounds.hpp"
#include "rigid/impact/underflow.hpp"
#include "rigid/witness.hpp"

namespace graze::rigid::detail {

namespace {

// The piece's triangles: corners 0 1 2 and 0 2 3.
[[nodiscard]] Triangle triangle(const Corners& c, std::size_t i) noexcept {
    return {c.corner(0), c.corner(i + 1), c.corner(i + 2)};
}

// det(p, q, r) where it is certain: 0 where it may be 0.
// Each vector is a difference of two positions, each within `error`, so that it is off by 2 error
// =: e at most, and by the rounding of the difference, which the caller's error holds. With a, b, c
// the lengths, the determinant moves by at most e (ab + bc + ca) + e^2 (a + b + c) + e^3; its own
// evaluation is off by less than 8 u a b c. Both are doubled, for the terms in e^2 where
// e <= a, b, c / 4, and for the rounding errors of the bound; where e is larger, the answer is 0.
// Products that underflow are counted separately.
[[nodiscard]] double certain_det(const Vec3& p, const Vec3& q, const Vec3& r,
                                 double error) noexcept {
    const double a = length_with_underflow(p);
    const double b = length_with_underflow(q);
    const double c = length_with_underflow(r);
    const double e = 2.0 * error;
    if (!(4.0 * e <= std::min(a, std::min(b, c)))) return 0.0;
    const double bound =
        2.0 * e * (a * b + b * c + c * a) + 0x1p-49 * (a * b * c) + underflow_of_det(a);
    const double det = dot(p, cross(q, r));
    return std::fabs(det) > bound ? det : 0.0;
}

[[nodiscard]] bool are_opposite(double a, double b) noexcept {
    return (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0);
}

// Does the segment from p to q cross the inside of the triangle, certainly? The ends are on
// opposite sides of its plane, and the line from p to q passes its three sides the same way round:
// five determinants, each beyond its doubt.
[[nodiscard]] bool crosses(const Vec3& p, const Vec3& q, const Triangle& t, double error) noexcept {
    const Vec3 ab = t[1] - t[0];
    const Vec3 ac = t[2] - t[0];
    const double side_p = certain_det(p - t[0], ab, ac, error);
    if (side_p == 0.0) return false;
    const double side_q = certain_det(q - t[0], ab, ac, error);
    if (!are_opposite(side_p, side_q)) return false;
    const Vec3 pq = q - p;
    const Vec3 pa = t[0] - p;
    const Vec3 pb = t[1] - p;
    const Vec3 pc = t[2] - p;
    const double u = certain_det(pq, pa, pb, error);
    const double v = certain_det(pq, pb, pc, error);
    const double w = certain_det(pq, pc, pa, error);
    return (u > 0.0 && v > 0.0 && w > 0.0) || (u < 0.0 && v < 0.0 && w < 0.0);
}

[[nodiscard]] bool edges_cross(const Corners& edges, const Corners& faces, std::uint32_t triangles,
                               double error) noexcept {
    for (std::size_t i = 0; i < 4; ++i) {
        const Vec3 p = edges.corner(i);
        const Vec3 q = edges.corner((i + 1) % 4);
        if (p == q) continue;
        for (std::size_t k = 0; k < triangles; ++k) {
            if (crosses(p, q, triangle(faces, k), error)) return true;
        }
    }
    return false;
}

// The same for segments within the triangles of `edges`, each from a corner to a point of the
// opposite edge. Bodies with faces in common planes go deep into each other while their edges only
// pierce borders of triangles; these segments end well inside. The fraction is not 1/2, so that
// what is symmetric does not meet the middle of a face, where triangles join, instead.
// The point is off the edge by less than 8 u of its size.
[[nodiscard]] bool inner_segments_cross(const Corners& edges, std::uint32_t triangles_of_edges,
                                        const Corners& faces, std::uint32_t triangles,
                                        double error) noexcept {
    constexpr double kInnerFraction = 0.375;
    double size = 0.0;
    for (std::size_t i = 0; i < 4; ++i)
        size = std::max(size, norm_one(edges.corner(i)));
    const double error_here = error + 0x1p-49 * size;
    for (std::size_t j = 0; j < triangles_of_edges; ++j) {
        const Triangle t = triangle(edges, j);
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3& q = t[(i + 1) % 3];
            const Vec3 end = q + kInnerFraction * (t[(i + 2) % 3] - q);
            for (std::size_t k = 0; k < triangles; ++k) {
                if (crosses(t[i], end, triangle(faces, k), error_here)) return true;
            }
        }
    }
    return false;
}

// Witnesses are made from corners with weights that are not negative and sum to 1 within 4 u; so
// each is within 8 u of its corners' largest coordinate from a point of the (computed) triangle.
[[nodiscard]] bool is_close(const Witness& at, double size, double error,
                            double separation) noexcept {
    const double upper = distance_upper(at.a, at.b) + 2.0 * error + 0x1p-48 * size;
    return upper * (1.0 + 0x1p-50) <= separation;
}

// At most 6 corners: a triangle cut by three half-spaces.
struct Polygon {
    std::array<Vec3, 8> corners;
    std::size_t size = 0;
};

// What is left of the polygon where side(p) >= 0 (Sutherland and Hodgman).
template <class Side>
[[nodiscard]] Polygon cut(const Polygon& polygon, Side side) noexcept {
    Polygon result;
    for (std::size_t i = 0; i < polygon.size; ++i) {
        const Vec3& p = polygon.corners[i];
        const Vec3& q = polygon.corners[(i + 1) % polygon.size];
        const double at_p = side(p);
        const double at_q = side(q);
        if (at_p >= 0.0 && result.size < 8) result.corners[result.size++] = p;
        if ((at_p < 0.0) != (at_q < 0.0) && result.size < 8) {
            const double fraction = clamp01(at_p / (at_p - at_q));
            result.corners[result.size++] = p + fraction * (q - p);
        }
    }
    return result;
}

// A point in the middle of the region of `a` that lies over `b`, seen along n; nothing if there is
// no such region. An estimate, but always a mean of points of `a`.
[[nodiscard]] std::optional<Vec3> middle_of_overlap(const Triangle& a, const Triangle& b,
                                                    const Vec3& n) noexcept {
    Polygon polygon{{a[0], a[1], a[2]}, 3};
    for (std::size_t i = 0; i < 3 && polygon.size > 0; ++i) {
        const Vec3 inwards = cross(n, b[(i + 1) % 3] - b[i]);
        polygon = cut(polygon, [&](const Vec3& p) { return dot(inwards, p - b[i]); });
    }
    if (polygon.size < 3) return std::nullopt;
    Vec3 sum;
    for (std::size_t i = 0; i < polygon.size; ++i)
        sum = sum + polygon.corners[i];
    return (1.0 / static_cast<double>(polygon.size)) * sum;
}

// Seen along n, p stays inside the triangle while its corners move by at most `displacement`:
// s = n . ((b - p) x (c - p)) moves by at most e (|b - p| + |c - p|) + e^2, e = displacement + 2
// error, and is off by less than 8 u times the product of the lengths and by what underflows. Where the signed areas of
// all three are positive at a time at which p is in the triangle's plane, p is in the triangle:
// along n the plane is seen one to one, since the triangle has an area.
[[nodiscard]] bool stays_inside(const Vec3& p, const Triangle& t, const Vec3& n,
                                double displacement, double error) noexcept {
    const double e = (displacement + 2.0 * error) * (1.0 + 0x1p-40);
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 b = t[i] - p;
        const Vec3 c = t[(i + 1) % 3] - p;
        const double size_b = length_with_underflow(b);
        const double size_c = length_with_underflow(c);
        const double bound =
            e * (size_b + size_c + e) + 0x1p-49 * (size_b * size_c) + underflow_of_det(1.0);
        if (!(dot(n, cross(b, c)) > bound * (1.0 + 0x1p-40))) return false;
    }
    return true;
}

// The middle of the overlap of both triangles is first on one side of b and last on the other, and
// over it all the time as seen along b's first normal: at the root of the determinant it is in the
// plane and so in the triangle. Corners of b in between are on their chord and `bulge` / 4 beside
// it at most (RI-5 at s = 1/2).
[[nodiscard]] bool goes_through(const Triangle& a, const Triangle& first, const Triangle& last,
                                double bulge, double error, double size) noexcept {
    const Vec3 n = unit(cross(first[1] - first[0], first[2] - first[0]));
    const std::optional<Vec3> middle = middle_of_overlap(a, first, n);
    if (!middle) return false;
    // The mean of points on edges of a, rounded: within 32 u of the largest coordinate from a point
    // of the (computed) triangle.
    const double error_here = error + 0x1p-46 * size;
    double displacement = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
        displacement = std::max(displacement, distance_upper(first[i], last[i]));
    displacement += bulge;
    if (!stays_inside(*middle, first, n, displacement, error_here)) return false;
    const auto side = [&](const Triangle& t) {
        return certain_det(*middle - t[0], t[1] - t[0], t[2] - t[0], error_here);
    };
    return are_opposite(side(first), side(last));
}

}  // namespace

bool is_passed(const Corners& a, std::uint32_t triangles_a, const Corners& b_first,
               const Corners& b_last, std::uint32_t triangles_b, double bulge,
               double error) noexcept {
    double size = 0.0;
    for (std::size_t i = 0; i < 4; ++i)
        size = std::max({size, norm_one(a.corner(i)), norm_one(b_first.corner(i))});
    for (std::size_t i = 0; i < triangles_a; ++i) {
        for (std::size_t j = 0; j < triangles_b; ++j) {
            if (goes_through(triangle(a, i), triangle(b_first, j), triangle(b_last, j), bulge,
                             error, size)) {
                return true;
            }
        }
    }
    return false;
}

bool is_pierced(const Corners& a, std::uint32_t triangles_a, const Corners& b,
                std::uint32_t triangles_b, double error) noexcept {
    return edges_cross(a, b, triangles_b, error) || edges_cross(b, a, triangles_a, error) ||
           inner_segments_cross(a, triangles_a, b, triangles_b, error) ||
           inner_segments_cross(b, triangles_b, a, triangles_a, error);
}

bool is_within(const Corners& a, std::uint32_t triangles_a, const Corners& b,
               std::uint32_t triangles_b, double error, double separation) noexcept {
    double size = 0.0;
    for (std::size_t i = 0; i < 4; ++i)
        size = std::max({size, norm_one(a.corner(i)), norm_one(b.corner(i))});
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = 0; j < 4; ++j) {
            const Witness at = nearest_of_segments(a.corner(i), a.corner((i + 1) % 4), b.corner(j),
                                                   b.corner((j + 1) % 4));
            if (is_close(at, size, error, separation)) return true;
        }
        for (std::size_t k = 0; k < triangles_b; ++k) {
            const Vec3 p = a.corner(i);
            const Witness at = {p, nearest_on_triangle(p, triangle(b, k))};
            if (is_close(at, size, error, separation)) return true;
        }
        for (std::size_t k = 0; k < triangles_a; ++k) {
            const Vec3 p = b.corner(i);
            const Witness at = {nearest_on_triangle(p, triangle(a, k)), p};
            if (is_close(at, size, error, separation)) return true;
        }
    }
    return is_pierced(a, triangles_a, b, triangles_b, error);
}

}  // namespace graze::rigid::detail
