#include "slide/near_list.hpp"

#include <cmath>

namespace graze::slide {
namespace {

// Below this sine of its angles a triangle is thin: its normal has lost ten bits, and directions
// are chosen with more care.
constexpr double kThin = 0x1p-10;

struct Normal {
    Vec3 at_most_unit;
    bool thin = true;
};

// Twice, where what is left has to be a rounding error of the result and not of v: thin_normal().
// The part of v perpendicular to `along`.
Vec3 without(const Vec3& v, const Vec3& along) noexcept {
    return v - (dot(v, along) / norm_sq(along)) * along;
}

// 5.5 u for the length and the products: eight are taken off.
Vec3 at_most_unit(const Vec3& v, double length_sq) noexcept {
    return ((1.0 - 0x1p-50) / std::sqrt(length_sq)) * v;
}

// Any direction would do for the proofs; this one is perpendicular to all edges as nearly as can
// be: what the longest edge has left in the product of the others is taken out.
[[gnu::noinline]] Normal thin_normal(const std::array<Vec3, 3>& vertex) noexcept {
    std::array<Vec3, 3> edge = {vertex[1] - vertex[0], vertex[2] - vertex[1],
                                vertex[0] - vertex[2]};
    const double size = std::max({norm_max(edge[0]), norm_max(edge[1]), norm_max(edge[2])});
    if (!(size >= 0x1p-1000 && size <= 0x1p1000)) return {};
    for (Vec3& e : edge)
        e = (1.0 / size) * e;
    std::size_t longest = norm_sq(edge[1]) > norm_sq(edge[0]) ? 1 : 0;
    if (norm_sq(edge[2]) > norm_sq(edge[longest])) longest = 2;
    Vec3 product = cross(edge[(longest + 1) % 3], edge[(longest + 2) % 3]);
    product = without(without(product, edge[longest]), edge[longest]);
    const double length_sq = norm_sq(product);
    if (!(length_sq > 0x1p-500)) return {};
    return {at_most_unit(product, length_sq), true};
}

// The product of two edges has a relative error of some u over the sine of their angle: fine unless
// the triangle is thin, or so large or small that squares leave the range of doubles.
Normal normal_of(const std::array<Vec3, 3>& vertex) noexcept {
    const Vec3 a = vertex[1] - vertex[0];
    const Vec3 b = vertex[2] - vertex[0];
    const Vec3 product = cross(a, b);
    const double length_sq = norm_sq(product);
    const double most = norm_sq(a) * norm_sq(b);
    // Two angles with a sine: the third has one, too, unless one edge is much shorter.
    if (length_sq > kThin * kThin * most &&
        length_sq > kThin * kThin * norm_sq(a - b) * norm_sq(a) && most >= 0x1p-400 &&
        most <= 0x1p400)
        return {at_most_unit(product, length_sq), false};
    return thin_normal(vertex);
}

}  // namespace

// The range along the normal is widened by kSumError, so that the cheap tests of list_sweep.hpp are
// proofs.
void NearTriangle::find_plane() const noexcept {
    const std::array<Vec3, 3> vertices{vertex_at(0), vertex_at(1), vertex_at(2)};
    const auto [normal, thin] = normal_of(vertices);
    // Of the products of the normal and the vertices, summed up.
    const Vec3 most = largest();
    const double sizes =
        std::fabs(normal.x) * most.x + std::fabs(normal.y) * most.y + std::fabs(normal.z) * most.z;
    const double error = kSumError * sizes;
    const double a = dot(normal, vertices[0]);
    const double b = dot(normal, vertices[1]);
    const double c = dot(normal, vertices[2]);
    plane_ = {{normal.x, normal.y, normal.z},
              std::min(std::min(a, b), c) - error,
              std::max(std::max(a, b), c) + error,
              thin};
    has_plane_ = true;
    if (!is_round) return;
    // The support of the ellipsoid along a normal of at most one unit is no more than its largest half
    // axis. Directions to a sum with what is no ball are found by search: direction_to_thin().
    const double by = std::max({round[0], round[1], round[2]}) * (1.0 + 0x1p-50);
    plane_.lower -= by + 0x1p-51 * (std::fabs(plane_.lower) + by);
    plane_.upper += by + 0x1p-51 * (std::fabs(plane_.upper) + by);
    plane_.thin = thin || !has_ball();
}

// min n . q - n . p. The error of a height, 16 u of its products for the 6.1 u of SS-2, has room for
// the rounding of the two sums here; of the difference two are taken off. Its sign is not rounded.
double NearTriangle::depth_of(const Vec3& point) const noexcept {
    const Plane& p = plane();
    const Vec3 products{p.normal[0] * point.x, p.normal[1] * point.y, p.normal[2] * point.z};
    const double height = (products.x + products.y) + products.z;
    const double depth = p.lower - (height + kSumError * norm_one(products));
    return depth - 0x1p-52 * std::fabs(depth);
}

// The sum of the triangle and an ellipsoid. Half axes are put on with 8 u of their own, for three
// rounding errors; those of the bounds that were there are below the 5 u that these have left.
void NearTriangle::make_round(const Vec3& half_axes) noexcept {
    is_round = true;
    has_plane_ = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double by = half_axes[axis] * (1.0 + 0x1p-50);
        round[axis] = half_axes[axis];
        bounds[axis] -= by;
        bounds[3 + axis] -= by;
    }
}

bool set_near(NearTriangle& t, const std::array<Vec3, 3>& vertices, const NearFace& face) noexcept {
    t.set_vertices(vertices[0], vertices[1], vertices[2]);
    return t.set_face(face);
}

void add_near(NearList& list, const std::array<Vec3, 3>& vertices, const NearFace& face) noexcept {
    if (set_near(list.triangle[list.count], vertices, face)) ++list.count;
}

}  // namespace graze::slide
