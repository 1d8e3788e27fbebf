#include "graze/surface/local_face.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/power_of_two.hpp"

namespace graze {

// The halves keep a difference of huge coordinates finite.
void LocalFace::set(std::span<const Vec3> positions, std::span<const std::uint32_t> face) {
    points_.clear();
    double largest = 0.0;
    for (const std::uint32_t v : face)
        largest = std::max(largest, norm_max(positions[v]));
    const double factor = largest > 0x1p+1000 ? 0.5 : 1.0;
    double size = 0.0;
    for (const std::uint32_t v : face) {
        points_.push_back(factor * positions[v] - factor * positions[face[0]]);
        size = std::max(size, norm_max(points_.back()));
    }
    const int exponent = binary_exponent(size).value_or(0);
    for (Vec3& p : points_)
        p = {scaled(p.x, -exponent), scaled(p.y, -exponent), scaled(p.z, -exponent)};
}

Vec3 LocalFace::area_sum() const noexcept {
    Vec3 sum;
    for (std::size_t i = 0; i + 1 < points_.size(); ++i)
        sum = sum + cross(points_[i], points_[i + 1]);
    return sum;
}

// The coordinates are below 2 and off by u each relatively, so that a component of a product of two
// is off by less than 2 * 4 * 4u and the sum of k of them by less than 32 k (1 + k/32) u.
Vec3 LocalFace::area_vector() const noexcept {
    const Vec3 sum = area_sum();
    const auto k = static_cast<double>(points_.size());
    return norm_max(sum) <= k * (32.0 + k) * 0x1p-53 ? Vec3{} : sum;
}

// Half of the height between the lowest and the highest vertex is off the plane in between; the
// size is 1 to 2 here.
bool LocalFace::is_bent(const Vec3& normal, double fraction) const noexcept {
    double low = 0.0;
    double high = 0.0;
    for (const Vec3& p : points_) {
        low = std::min(low, dot(normal, p));
        high = std::max(high, dot(normal, p));
    }
    return high - low > 2.0 * fraction;
}

std::array<std::size_t, 2> projection_axes(const Vec3& normal) noexcept {
    const Vec3 size = {std::fabs(normal.x), std::fabs(normal.y), std::fabs(normal.z)};
    const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::size_t first = (axis + 1) % 3;
    const std::size_t second = (axis + 2) % 3;
    if (normal[axis] < 0.0) return {second, first};
    return {first, second};
}

}  // namespace graze
