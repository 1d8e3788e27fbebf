#include "robot/winding.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "graze/core/orientation.hpp"
#include "graze/core/rounding.hpp"

namespace graze::robot::detail {

namespace {

struct Ray {
    Vec3 p;
    Vec3 q;  // outside of the component
};
// A box about a ray, |x - middle| <= half in each coordinate.
struct RayBox {
    Vec3 middle;
    Vec3 half;
};

[[nodiscard]] RayBox box_of(const Ray& ray) noexcept {
    RayBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = std::min(ray.p[k], ray.q[k]);
        const double high = std::max(ray.p[k], ray.q[k]);
        box.middle[k] = 0.5 * low + 0.5 * high;
        box.half[k] = std::max(sub_up(high, box.middle[k]), sub_up(box.middle[k], low));
    }
    return box;
}

// False only if the boxes have no point in common: the difference is off by u of itself, the sum by u.
[[nodiscard]] bool may_meet(const RayBox& ray, const rigid::detail::Node& node) noexcept {
    constexpr double kMeetSlack = 1.0 + 0x1p-50;
    return !(std::fabs(ray.middle.x - node.centre.x) > (ray.half.x + node.half.x) * kMeetSlack ||
             std::fabs(ray.middle.y - node.centre.y) > (ray.half.y + node.half.y) * kMeetSlack ||
             std::fabs(ray.middle.z - node.centre.z) > (ray.half.z + node.half.z) * kMeetSlack);
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

// Of the component alone.
[[nodiscard]] std::optional<int> crossings(const Body& body, std::uint32_t component,
                                           const Ray& ray) noexcept {
    const rigid::detail::BodyTree& tree = *body.tree;
    const RayBox box = box_of(ray);
    std::array<std::uint32_t, 128> stack{};
    std::size_t size = 1;
    int sum = 0;
    while (size > 0) {
        const rigid::detail::Node& node = tree.nodes[stack[--size]];
        if (!may_meet(box, node)) continue;
        if (!node.is_leaf) {
            if (size + 2 > stack.size()) return std::nullopt;
            stack[size++] = node.child;
            stack[size++] = node.child + 1;
            continue;
        }
        if (body.component_of(node.child) != component) continue;
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

// From p out of the box, through the nearer side of an axis, the nearest at the first attempt; almost
// along the axis, so that it is near few triangles, but for offsets without a pattern.
[[nodiscard]] std::optional<Ray> ray_out_of(const AxisBox& box, const Vec3& p,
                                            std::size_t attempt) noexcept {
    constexpr std::array<std::array<double, 2>, 6> kOffsets = {{{0.013734, 0.008613},
                                                                {-0.011327, 0.017191},
                                                                {0.006947, -0.014559},
                                                                {-0.049373, -0.031747},
                                                                {0.057373, -0.021961},
                                                                {-0.028657, 0.063913}}};
    const auto is_up = [&](std::size_t k) { return box.high[k] - p[k] <= p[k] - box.low[k]; };
    const auto depth = [&](std::size_t k) {
        return is_up(k) ? box.high[k] - p[k] : p[k] - box.low[k];
    };
    std::size_t axis = depth(1) < depth(0) ? 1 : 0;
    if (depth(2) < depth(axis)) axis = 2;
    axis = (axis + attempt) % 3;
    const double width = norm_max(box.high - box.low);
    Ray ray{p, p};
    ray.q[axis] = is_up(axis) ? box.high[axis] + 0.125 * width : box.low[axis] - 0.125 * width;
    if (!(ray.q[axis] > box.high[axis] || ray.q[axis] < box.low[axis])) return std::nullopt;
    ray.q[(axis + 1) % 3] += kOffsets[attempt][0] * width;
    ray.q[(axis + 2) % 3] += kOffsets[attempt][1] * width;
    return ray;
}

// A segment that meets an edge is followed by another.
[[nodiscard]] std::optional<int> winding(const Body& body, std::uint32_t component,
                                         const Vec3& p) noexcept {
    const AxisBox& box = body.components[component].box;
    for (std::size_t attempt = 0; attempt < 6; ++attempt) {
        const auto ray = ray_out_of(box, p, attempt);
        const auto sum = ray ? crossings(body, component, *ray) : std::nullopt;
        if (sum) return sum;
    }
    return std::nullopt;
}

}  // namespace

// RB-7: a component whose box does not hold the point does not wind around it.
std::optional<bool> winds_around(const Body& body, const Vec3& p) noexcept {
    if (!(norm_max(p) < 0x1p+300)) return std::nullopt;
    std::optional<int> sum = 0;
    body.component_index.visit_overlapping({p, p}, [&](std::uint32_t component) {
        const auto around = winding(body, component, p);
        sum = sum && around ? std::optional<int>(*sum + *around) : std::nullopt;
    });
    if (!sum) return std::nullopt;
    return *sum != 0;
}

}  // namespace graze::robot::detail
