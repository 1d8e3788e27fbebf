#include "robot/winding.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "graze/core/orientation.hpp"

namespace graze::robot::detail {

namespace {

struct Ray {
    Vec3 p;
    Vec3 q;  // beyond the surface
};

// False only if no point of the segment is in the box. Estimates of where it enters and leaves are off
// by far less than 2^-30 of the sizes that are added.
[[nodiscard]] bool may_meet(const Ray& ray, const rigid::detail::Node& node) noexcept {
    const Vec3 d = ray.q - ray.p;
    double enter = 0.0;
    double leave = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double size = node.half[k] + std::fabs(node.centre[k]) + std::fabs(ray.p[k]);
        const double half = node.half[k] + 0x1p-30 * size;
        const double low = (node.centre[k] - half) - ray.p[k];
        const double high = (node.centre[k] + half) - ray.p[k];
        if (!(std::fabs(d[k]) > 0x1p-500)) {
            if (low > 0.0 || high < 0.0) return false;
            continue;
        }
        const double s = low / d[k];
        const double t = high / d[k];
        enter = std::max(enter, std::min(s, t) - 0x1p-30);
        leave = std::min(leave, std::max(s, t) + 0x1p-30);
    }
    return enter <= leave;
}

// +1 or -1 where the segment crosses the triangle, 0 where it misses it; nothing where it meets its
// border or plane in a point that is not one of these.
[[nodiscard]] std::optional<int> crossing(const Ray& ray, const Vec3& a, const Vec3& b,
                                          const Vec3& c) noexcept {
    const int u = plane_side(ray.p, ray.q, a, b);
    const int v = plane_side(ray.p, ray.q, b, c);
    const int w = plane_side(ray.p, ray.q, c, a);
    if (std::min({u, v, w}) < 0 && std::max({u, v, w}) > 0) return 0;
    const int from = plane_side(a, b, c, ray.p);
    const int to = plane_side(a, b, c, ray.q);
    if (from != 0 && from == to) return 0;
    if (u == 0 || v == 0 || w == 0 || from == 0 || to == 0) return std::nullopt;
    return from;
}

[[nodiscard]] std::optional<int> winding(const rigid::detail::BodyTree& tree,
                                         const Ray& ray) noexcept {
    std::array<std::uint32_t, 128> stack{};
    std::size_t size = 1;
    int sum = 0;
    while (size > 0) {
        const rigid::detail::Node& node = tree.nodes[stack[--size]];
        if (!may_meet(ray, node)) continue;
        if (!node.is_leaf) {
            if (size + 2 > stack.size()) return std::nullopt;
            stack[size++] = node.child;
            stack[size++] = node.child + 1;
            continue;
        }
        const rigid::detail::Piece& piece = tree.pieces[node.child];
        for (std::size_t i = 0; i < piece.triangles; ++i) {
            const auto sign =
                crossing(ray, piece.corner(0), piece.corner(i + 1), piece.corner(i + 2));
            if (!sign) return std::nullopt;
            sum += *sign;
        }
    }
    return sum;
}

}  // namespace

// Directions without a pattern; one that meets an edge is followed by another.
std::optional<bool> winds_around(const rigid::detail::BodyTree& tree, const Vec3& p) noexcept {
    constexpr std::array<Vec3, 6> kDirections = {
        Vec3{0.87340, 0.31251, 0.37337},  Vec3{-0.41729, 0.85113, -0.31861},
        Vec3{0.29017, -0.52327, 0.80123}, Vec3{-0.63391, -0.50231, -0.58817},
        Vec3{0.15373, 0.71293, -0.68417}, Vec3{-0.77131, 0.22279, 0.59621}};
    const double length = 4.0 * (tree.extent.radius + norm_one(p));
    if (!(length > 0x1p-500 && length < 0x1p+300)) return std::nullopt;
    for (const Vec3& d : kDirections) {
        const auto sum = winding(tree, {p, p + length * d});
        if (sum) return *sum != 0;
    }
    return std::nullopt;
}

}  // namespace graze::robot::detail
