#include "slide/near_list.hpp"

#include <cmath>

namespace graze::slide {
namespace {

// Below this sine of an angle a triangle is thin: its normal has lost 20 bits, and directions for
// it are chosen with more care.
constexpr double kThin = 0x1p-20;

struct Normal {
    Vec3 at_most_unit;
    bool thin = true;
};

// The part of v perpendicular to `along`.
Vec3 without(const Vec3& v, const Vec3& along) noexcept {
    return v - (dot(v, along) / norm_sq(along)) * along;
}

// Any direction would do for the proofs; this one is perpendicular to all edges as nearly as can
// be: what is left of the longest edge in the product is taken out.
Normal normal_of(const std::array<Vec3, 3>& corner) noexcept {
    Vec3 edge[3] = {corner[1] - corner[0], corner[2] - corner[1], corner[0] - corner[2]};
    const double size = std::max({norm_max(edge[0]), norm_max(edge[1]), norm_max(edge[2])});
    if (!(size > 0.0 && size <= 0x1p1000)) return {};
    for (Vec3& e : edge)
        e = (1.0 / size) * e;
    double length_sq[3] = {norm_sq(edge[0]), norm_sq(edge[1]), norm_sq(edge[2])};
    // The two shorter edges make the product.
    std::size_t longest = length_sq[1] > length_sq[0] ? 1 : 0;
    if (length_sq[2] > length_sq[longest]) longest = 2;
    const Vec3& a = edge[(longest + 1) % 3];
    const Vec3& b = edge[(longest + 2) % 3];
    Vec3 product = cross(a, b);
    const double shorter_sq = std::min(norm_sq(a), norm_sq(b));
    const bool thin =
        !(norm_sq(product) > kThin * kThin * shorter_sq && shorter_sq > kThin * kThin);
    if (thin) product = without(without(product, edge[longest]), edge[longest]);
    const double length_sq_product = norm_sq(product);
    if (!(length_sq_product > 0x1p-500)) return {};
    // 5.5 u for the length and the products: eight are taken off.
    return {((1.0 - 0x1p-50) / std::sqrt(length_sq_product)) * product, thin};
}

}  // namespace

void add_near(NearList& list, const std::array<Vec3, 3>& corners, const NearFace& face) noexcept {
    const std::size_t i = list.count;
    const auto [normal, thin] = normal_of(corners);
    double size = 0.0;  // of the products in normal . corner
    double low = 0.0;
    double high = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& c = corners[k];
        const double along = dot(normal, c);
        low = k == 0 ? along : std::min(low, along);
        high = k == 0 ? along : std::max(high, along);
        size = std::max(size, std::fabs(normal.x * c.x) + std::fabs(normal.y * c.y) +
                                  std::fabs(normal.z * c.z));
    }
    list.plane_lower[i] = low - kSumError * size;
    list.plane_upper[i] = high + kSumError * size;
    if (face.one_sided && list.plane_lower[i] > 0.0) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double a = corners[0][axis];
        const double b = corners[1][axis];
        const double c = corners[2][axis];
        const double lower = std::min({a, b, c});
        const double upper = std::max({a, b, c});
        list.corner[axis][i] = a;
        list.corner[3 + axis][i] = b;
        list.corner[6 + axis][i] = c;
        list.normal[axis][i] = normal[axis];
        list.lower[axis][i] = lower - 0x1p-50 * std::fabs(lower);
        list.upper[axis][i] = upper + 0x1p-50 * std::fabs(upper);
    }
    list.part[i] = face.part;
    list.face[i] = face.face;
    list.tag[i] = face.tag;
    list.thin[i] = thin;
    ++list.count;
}

}  // namespace graze::slide
