#include "slide/face_crossing.hpp"

#include <algorithm>
#include <cmath>

#include "graze/core/big_integer.hpp"

namespace graze::slide {
namespace {

// Coordinates times 2^1074 are integers below 2^2098; differences below 2^2099, products of three
// below 2^6297, and sums of six of those below 2^6300.
using SideInteger = BigInteger<6300>;
static_assert(3 * (1024 + 1074 + 1) + 3 <= SideInteger::kCapacityBits);

// Differences and sums of products beyond these are left to the integers. A product of two that
// underflows is off by 2^-1075, and a third factor makes that 2^-775 at most: for six of them below
// u times the least sum, which kSideError has to spare.
constexpr double kMostDifference = 0x1p+300;
constexpr double kLeastProducts = 0x1p-700;
static_assert(8.0 * 0x1p-1000 * 0x1p-75 * kMostDifference < 0x1p-53 * kLeastProducts);
// u = 2^-53. A term of the determinant has three differences, two products and the difference of
// two such, and there are two more sums: below 8.1 u of the sum of the magnitudes, which has
// rounding errors of its own, below 9 u of itself. 16 u are taken.
constexpr double kSideError = 0x1p-49;

int exact_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
    // The common power of two is as small as the coordinates allow: fewer limbs.
    int lowest = 0;
    for (const Vec3& p : {a, b, c, d})
        for (const double x : {p.x, p.y, p.z})
            if (x != 0.0) lowest = std::min(lowest, dyadic_parts(x).exponent);
    using Point = std::array<SideInteger, 3>;
    const auto integer = [&](double x) { return SideInteger::from_scaled(x, -lowest); };
    const Point last{integer(d.x), integer(d.y), integer(d.z)};
    const auto offset = [&](const Vec3& p) {
        return Point{integer(p.x) - last[0], integer(p.y) - last[1], integer(p.z) - last[2]};
    };
    const Point u = offset(a);
    const Point v = offset(b);
    const Point w = offset(c);
    return (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
            u[2] * (v[0] * w[1] - v[1] * w[0]))
        .sign();
}

}  // namespace

// The sign of det(a - d, b - d, c - d): on which side of the plane of a, b and c the point d is.
// First in doubles with the bound above, then in integers.
int side_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
    const Vec3 u = a - d;
    const Vec3 v = b - d;
    const Vec3 w = c - d;
    const double value = dot(u, cross(v, w));
    const double sizes = std::fabs(u.x) * (std::fabs(v.y * w.z) + std::fabs(v.z * w.y)) +
                         std::fabs(u.y) * (std::fabs(v.z * w.x) + std::fabs(v.x * w.z)) +
                         std::fabs(u.z) * (std::fabs(v.x * w.y) + std::fabs(v.y * w.x));
    const double largest = std::max({norm_max(u), norm_max(v), norm_max(w)});
    const bool filtered = sizes >= kLeastProducts && largest <= kMostDifference;
    if (filtered && std::fabs(value) > kSideError * sizes) return value > 0.0 ? 1 : -1;
    return exact_side(a, b, c, d);
}

// SM-6: a path crosses if its ends are not strictly on one side of the plane and its line passes
// the three edges on one side, touching counted: then signs of both kinds do not occur. A start in
// the plane may leave to either side; no push ends in a face, so that no two of them lead through
// one.
bool may_cross(const Vec3& from, const Vec3& to, const std::array<Vec3, 3>& triangle) noexcept {
    const auto& [a, b, c] = triangle;
    const int before = side_of(a, b, c, from);
    const int after = side_of(a, b, c, to);
    if (before == 0) return after == 0;
    if (before == after) return false;
    // The line through both positions meets the plane in one point: is that in the triangle?
    const int ab = side_of(from, to, a, b);
    const int bc = side_of(from, to, b, c);
    const int ca = side_of(from, to, c, a);
    const bool left = ab < 0 || bc < 0 || ca < 0;
    const bool right = ab > 0 || bc > 0 || ca > 0;
    return !(left && right);
}

}  // namespace graze::slide
