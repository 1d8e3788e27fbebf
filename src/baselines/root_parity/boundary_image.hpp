// The image of the boundary of a query's domain, and how it is cut into triangles for a ray.
//
// Notation
//   F(t, u, v)    difference of a point of one primitive and a point of the other
//   c_i           corners: F at the corners of the domain, a prism (vertex-face) or a box
//   cap           vertex-face only: F at t = 0 or at t = 1, a triangle
//   patch         F on any other side of the domain, bilinear:
//                 S(a, b) = (1-a)(1-b) q0 + a(1-b) q1 + (1-a)b q2 + ab q3
//   [i j k]       det(q_i, q_j, q_k) = (q_i x q_j) . q_k
//   w_i           w0 = [1 2 3], w1 = -[0 2 3], w2 = [0 1 3], w3 = -[0 1 2]; their sum V is six
//                 times the volume of the tetrahedron of the q_i, and w_i / V are the barycentric
//                 coordinates of the origin in it
//   phi           w0 w3 - w1 w2: V^2 times the implicit form of the patch, at the origin
//
// Which triangles stand for a patch
//   In the tetrahedron, the patch is where phi = 0: w0 w3 = w1 w2 with w_i >= 0 makes the weights a
//   product ((1-a)(1-b), ...). It parts the tetrahedron into phi > 0, towards the faces (q0 q1 q3)
//   and (q0 q3 q2), where w2 or w1 is 0, and phi < 0, towards (q0 q1 q2) and (q1 q3 q2). Either
//   pair of faces has the patch's own boundary. Exchanged for a pair, the patch sweeps over the
//   part of the tetrahedron between the two, so that a ray from the origin passes equally often,
//   modulo 2, if the origin is not in that part:
//     origin outside the tetrahedron, or V = 0 with the origin off the plane of the q_i: either;
//     inside or on its surface: phi = 0 is on the image, phi > 0 takes the second pair, phi < 0 the
//     first. In each case the origin is on neither triangle of the pair.
//   V = 0 with the origin in that plane (all w_i = 0): it is on the image, or else a ray that
//   leaves the plane never meets the patch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "graze/narrow/query_kind.hpp"

namespace graze::parity {

using Triangle = std::array<std::size_t, 3>;
using Quad = std::array<std::size_t, 4>;

template <class Motion>
struct BoundaryImage;

// Corner i + 3 s: vertex minus face corner i, at the start (s = 0) or the end (s = 1).
template <>
struct BoundaryImage<VertexFaceMotion> {
    static constexpr std::size_t kCorners = 6;
    static constexpr std::array<Triangle, 2> kCaps = {{{0, 1, 2}, {3, 4, 5}}};
    static constexpr std::array<Quad, 3> kPatches = {{{0, 1, 3, 4}, {1, 2, 4, 5}, {2, 0, 5, 3}}};
};

// Corner i + 2 j + 4 s: corner i of one edge minus corner j of the other, at the start or the end.
template <>
struct BoundaryImage<EdgeEdgeMotion> {
    static constexpr std::size_t kCorners = 8;
    static constexpr std::array<Triangle, 0> kCaps = {};
    static constexpr std::array<Quad, 6> kPatches = {
        {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 4, 5}, {2, 3, 6, 7}, {0, 2, 4, 6}, {1, 3, 5, 7}}};
};

// The corners from positions of the two primitives' corners, in the order above.
template <class Point>
[[nodiscard]] std::array<Point, 6> corner_differences(const std::array<Point, 8>& p,
                                                      const VertexFaceMotion&) noexcept {
    return {p[0] - p[1], p[0] - p[2], p[0] - p[3], p[4] - p[5], p[4] - p[6], p[4] - p[7]};
}
template <class Point>
[[nodiscard]] std::array<Point, 8> corner_differences(const std::array<Point, 8>& p,
                                                      const EdgeEdgeMotion&) noexcept {
    return {p[0] - p[2], p[1] - p[2], p[0] - p[3], p[1] - p[3],
            p[4] - p[6], p[5] - p[6], p[4] - p[7], p[5] - p[7]};
}

// What is known of the origin and a ray from it.
enum class Parity : std::uint8_t {
    Even,
    Odd,
    OnImage,  // the origin is on the image of the boundary: contact
    Unknown,  // the arithmetic did not tell
};

// Signs are -1, 0, 1, or this.
inline constexpr int kUnknownSign = 2;

// A triangle that the ray may pass through, and the sign of det of its corners, not 0.
struct SidedTriangle {
    Triangle corners{};
    int side = 0;
};

// Triangles that stand for the image; the origin is on none of them.
template <class Motion>
struct TriangleList {
    using Image = BoundaryImage<Motion>;
    std::array<SidedTriangle, Image::kCaps.size() + 2 * Image::kPatches.size()> triangles;
    std::size_t size = 0;

    void add(const Triangle& corners, int side) noexcept {
        if (side != 0) triangles[size++] = {corners, side};
    }
};

// One cap. Arithmetic answers for corners by number: side(i, j, k), the sign of their det;
// holds_origin(triangle), asked where that is 0, and whether it answers is decided by side().
template <class Arithmetic, class Motion>
[[nodiscard]] Parity add_cap(const Arithmetic& arithmetic, const Triangle& cap,
                             TriangleList<Motion>& list) noexcept {
    const int side = arithmetic.side(cap);
    if (side == kUnknownSign) return Parity::Unknown;
    if (side == 0) return arithmetic.holds_origin(cap) ? Parity::OnImage : Parity::Even;
    list.add(cap, side);
    return Parity::Even;
}

// The signs of w0..w3, and that of phi where it is asked for.
struct PatchSigns {
    std::array<int, 4> w{};
    int phi = 0;

    [[nodiscard]] constexpr bool has(int sign) const noexcept {
        return w[0] == sign || w[1] == sign || w[2] == sign || w[3] == sign;
    }
    // The origin is inside the tetrahedron or on its surface, or all signs are 0.
    [[nodiscard]] constexpr bool may_hold() const noexcept { return !has(1) || !has(-1); }
    [[nodiscard]] constexpr bool in_plane() const noexcept { return !has(1) && !has(-1); }
};

// One patch, by the cases above.
template <class Arithmetic, class Motion>
[[nodiscard]] Parity add_patch(const Arithmetic& arithmetic, const Quad& q,
                               TriangleList<Motion>& list) noexcept {
    const PatchSigns signs = arithmetic.patch_signs(q);
    if (signs.has(kUnknownSign)) return Parity::Unknown;
    if (signs.in_plane()) return arithmetic.holds_origin(q) ? Parity::OnImage : Parity::Even;
    const auto& w = signs.w;
    if (!signs.may_hold() || signs.phi == -1) {
        list.add({q[0], q[1], q[3]}, w[2]);
        list.add({q[0], q[3], q[2]}, w[1]);
        return Parity::Even;
    }
    if (signs.phi == 0) return Parity::OnImage;
    if (signs.phi == kUnknownSign) return Parity::Unknown;
    list.add({q[0], q[1], q[2]}, -w[3]);
    list.add({q[1], q[3], q[2]}, -w[0]);
    return Parity::Even;
}

// Every side of the domain: OnImage, Unknown, or Even with the triangles in `list`.
template <class Motion, class Arithmetic>
[[nodiscard]] Parity cut_into_triangles(const Arithmetic& arithmetic,
                                        TriangleList<Motion>& list) noexcept {
    using Image = BoundaryImage<Motion>;
    for (const Triangle& cap : Image::kCaps) {
        const Parity parity = add_cap(arithmetic, cap, list);
        if (parity != Parity::Even) return parity;
    }
    for (const Quad& patch : Image::kPatches) {
        const Parity parity = add_patch(arithmetic, patch, list);
        if (parity != Parity::Even) return parity;
    }
    return Parity::Even;
}

// Does the ray from the origin along r pass through the triangle?
//   s r = convex combination of the corners: with e_ij = det(r, c_i, c_j), the weights are
//   proportional to e_12, e_20, e_01, and s is det(c_0, c_1, c_2) over their sum. So s > 0 and all
//   weights are positive iff the three e and the side have one sign.
// Unknown where an e is 0 (the ray meets an edge) or not told.
template <class Ray>
[[nodiscard]] Parity passes(const SidedTriangle& triangle, const Ray& ray) noexcept {
    const Triangle& c = triangle.corners;
    bool open = false;
    for (std::size_t i = 0; i < 3; ++i) {
        const int sign = ray.sign(c[i], c[(i + 1) % 3]);
        if (sign == -triangle.side) return Parity::Even;
        open |= sign != triangle.side;
    }
    return open ? Parity::Unknown : Parity::Odd;
}

template <class Motion, class Ray>
[[nodiscard]] Parity crossings(const TriangleList<Motion>& list, const Ray& ray) noexcept {
    bool odd = false;
    for (std::size_t i = 0; i < list.size; ++i) {
        const Parity parity = passes(list.triangles[i], ray);
        if (parity == Parity::Unknown) return parity;
        odd ^= parity == Parity::Odd;
    }
    return odd ? Parity::Odd : Parity::Even;
}

}  // namespace graze::parity
