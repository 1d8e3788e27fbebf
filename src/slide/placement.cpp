#include "slide/placement.hpp"

#include <algorithm>
#include <limits>

#include "graze/core/big_integer.hpp"
#include "graze/core/quaternion.hpp"

namespace graze::slide {
namespace {

// [of all lengths together] What the rounding of a map of boxes, and a matrix that is no rotation by
// some u, can shift a bound by: below 2^-47 each (SW-1).
constexpr double kMapError = 0x1p-44;

// u = 2^-53 of the products and sums: 4 u; rounding to Real once more.
template <class Real>
constexpr double kPlaceError = 0x1p-50 + double{std::numeric_limits<Real>::epsilon()};

Box unbounded() noexcept {
    return {{-Box::kInfinite, -Box::kInfinite, -Box::kInfinite},
            {Box::kInfinite, Box::kInfinite, Box::kInfinite}};
}

Box box_of(const Vec3& middle, const Vec3& extent) noexcept {
    const Box box{middle - extent, middle + extent};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (!(box.lower[axis] <= box.upper[axis])) return unbounded();  // numbers that overflow
    return box;
}

Vec3 magnitudes(const Vec3& v) noexcept {
    return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)};
}

// A scalar part of this much has the sign of the exact one: three rounding errors of each unit
// quaternion and four of the sum of four products, each u of at most 1, are below 2^-49.
constexpr double kCertainScalar = 0x1p-48;

// Of p . q, the scalar part of q p*. Components times 2^1074 are integers of at most 1024 + 1074 bits.
int exact_sign_of_dot(const Quaternion& p, const Quaternion& q) noexcept {
    using Whole = BigInteger<4224>;
    static_assert(2 * (1024 + 1074) + 2 <= Whole::kCapacityBits);
    const auto product = [](double a, double b) {
        return Whole::from_scaled(a, 1074) * Whole::from_scaled(b, 1074);
    };
    return (product(p.w, q.w) + product(p.x, q.x) + product(p.y, q.y) + product(p.z, q.z)).sign();
}

}  // namespace

// A point of a placed triangle is the product of the point with the same barycentric coordinates,
// but for `error` on each axis: x = M^T (p - t - e) + (1 - M^T M) x.
Box Placement::to_mesh(const Box& box) const noexcept {
    const Vec3 middle = 0.5 * (box.lower + box.upper);
    const Vec3 extent = 0.5 * (box.upper - box.lower);
    const Vec3 offset = middle - translation;
    const Vec3 grown = extent + Vec3{error, error, error};
    const double more = kMapError * (norm_one(middle) + norm_one(translation) + norm_one(grown));
    const Vec3 at = offset.x * row[0] + offset.y * row[1] + offset.z * row[2];
    const Vec3 by =
        grown.x * magnitudes(row[0]) + grown.y * magnitudes(row[1]) + grown.z * magnitudes(row[2]);
    return box_of(at, by + Vec3{more, more, more});
}

Box Placement::to_world(const Box& box) const noexcept {
    const Vec3 middle = 0.5 * (box.lower + box.upper);
    const Vec3 extent = 0.5 * (box.upper - box.lower);
    const double more =
        error + kMapError * (norm_one(middle) + norm_one(translation) + norm_one(extent));
    const Vec3 at =
        Vec3{dot(row[0], middle), dot(row[1], middle), dot(row[2], middle)} + translation;
    const Vec3 by{dot(magnitudes(row[0]), extent), dot(magnitudes(row[1]), extent),
                  dot(magnitudes(row[2]), extent)};
    return box_of(at, by + Vec3{more, more, more});
}

Quaternion change_between(const Quaternion& from, const Quaternion& to) noexcept {
    const Quaternion change = product(normalised(to), conjugate(normalised(from)));
    const bool is_certain = std::fabs(change.w) > kCertainScalar;
    const bool is_negative = is_certain ? change.w < 0.0 : exact_sign_of_dot(from, to) < 0;
    // A scalar part that rounding gave the other sign is 0.
    return is_negative ? Quaternion{std::max(-change.w, 0.0), -change.x, -change.y, -change.z}
                       : Quaternion{std::max(change.w, 0.0), change.x, change.y, change.z};
}

template <class Real>
double place_error(double size, double translation) noexcept {
    return kPlaceError<Real> * (size + translation) +
           double{std::numeric_limits<Real>::denorm_min()};
}

template <class Real>
Placement placement_of(const Pose& pose, double size) noexcept {
    const Quaternion q = normalised(pose.rotation);
    Placement placement;
    placement.row = {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z),
                       2 * (q.x * q.z + q.w * q.y)},
                      {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z),
                       2 * (q.y * q.z - q.w * q.x)},
                      {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
                       1 - 2 * (q.x * q.x + q.y * q.y)}}};
    placement.translation = pose.translation;
    placement.error = place_error<Real>(size, norm_max(pose.translation));
    return placement;
}

template double place_error<float>(double, double) noexcept;
template double place_error<double>(double, double) noexcept;
template Placement placement_of<float>(const Pose&, double) noexcept;
template Placement placement_of<double>(const Pose&, double) noexcept;

}  // namespace graze::slide
