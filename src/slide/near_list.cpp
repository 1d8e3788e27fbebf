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
[[gnu::noinline]] Normal thin_normal(const std::array<Vec3, 3>& corner) noexcept {
    std::array<Vec3, 3> edge = {corner[1] - corner[0], corner[2] - corner[1],
                                corner[0] - corner[2]};
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

Normal normal_of(const std::array<Vec3, 3>& corner) noexcept {
    const Vec3 a = corner[1] - corner[0];
    const Vec3 b = corner[2] - corner[0];
    const Vec3 product = cross(a, b);
    const double length_sq = norm_sq(product);
    const double most = norm_sq(a) * norm_sq(b);
    // Two angles with a sine: the third has one, too, unless one edge is much shorter.
    if (length_sq > kThin * kThin * most &&
        length_sq > kThin * kThin * norm_sq(a - b) * norm_sq(a) && most >= 0x1p-400 &&
        most <= 0x1p400)
        return {at_most_unit(product, length_sq), false};
    return thin_normal(corner);
}

}  // namespace

void add_near(NearList& list, const std::array<Vec3, 3>& corners, const NearFace& face) noexcept {
    NearTriangle& t = list.triangle[list.count];
    const auto [normal, thin] = normal_of(corners);
    double sizes = 0.0;  // of the products of the normal and the corners, summed up
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double a = corners[0][axis];
        const double b = corners[1][axis];
        const double c = corners[2][axis];
        const double lower = std::min(std::min(a, b), c);
        const double upper = std::max(std::max(a, b), c);
        const double largest = std::max(-lower, upper);
        const double error = 0x1p-50 * largest;
        t.corner[0][axis] = a;
        t.corner[1][axis] = b;
        t.corner[2][axis] = c;
        t.normal[axis] = normal[axis];
        t.bounds[axis] = lower - error;
        t.bounds[3 + axis] = -upper - error;
        sizes += std::fabs(normal[axis]) * (largest + error);
    }
    const double error = kSumError * sizes;
    const double a = dot(normal, corners[0]);
    const double b = dot(normal, corners[1]);
    const double c = dot(normal, corners[2]);
    t.plane_lower = std::min(std::min(a, b), c) - error;
    t.plane_upper = std::max(std::max(a, b), c) + error;
    if (face.one_sided && t.plane_lower > 0.0) return;
    t.part = face.part;
    t.face = face.face;
    t.tag = face.tag;
    t.thin = thin;
    ++list.count;
}

}  // namespace graze::slide
