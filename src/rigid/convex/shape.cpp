#include <algorithm>
#include <cmath>
#include <new>

#include "graze/core/norm_bounds.hpp"
#include "graze/rigid/convex.hpp"
#include "rigid/convex/hull_points.hpp"

namespace graze::rigid {

namespace {

constexpr double kLargestShape = 0x1p+300;

[[nodiscard]] bool is_length(double x) noexcept {
    return x >= 0.0 && x <= kLargestShape;
}
[[nodiscard]] bool is_position(const Vec3& v) noexcept {
    return norm_max_upper(v) <= kLargestShape;
}
[[nodiscard]] double radius_of(ConvexShape::Core core, const Vec3& centre,
                               const Vec3& size) noexcept {
    const double distance = norm_upper(centre);
    switch (core) {
        case ConvexShape::Core::Segment:
            return std::max(distance, norm_upper(size));
        case ConvexShape::Core::Box:
            return add_up(distance, norm_upper(size));
        case ConvexShape::Core::Cylinder:
            return add_up(distance, norm_upper({size.x, size.z, 0.0}));
        default:
            return distance;
    }
}
[[nodiscard]] Error bad_length(const char* what) {
    return Error{std::string(what) + " must be finite, not negative and at most 2^300"};
}
[[nodiscard]] Error bad_position() {
    return Error{"a point of a shape is not finite or beyond 2^300"};
}

}  // namespace

ConvexShape::ConvexShape(Core core, const Vec3& centre, const Vec3& size, double rounding) noexcept
    : core_(core), centre_(centre), size_(size), rounding_(rounding) {
    core_radius_ = with_sound_arithmetic([&]() noexcept { return radius_of(core, centre, size); },
                                         []() noexcept { return graze::detail::kInfinite; });
}

std::span<const Vec3> ConvexShape::points() const noexcept {
    return points_ ? std::span<const Vec3>(points_->points) : std::span<const Vec3>();
}
const detail::HullPoints& detail::hull_points(const ConvexShape& shape) noexcept {
    return *shape.points_;
}

Expected<ConvexShape> ConvexShape::sphere(double radius, const Vec3& centre) {
    if (!is_length(radius)) return bad_length("the radius of a sphere");
    if (!is_position(centre)) return bad_position();
    return ConvexShape(Core::Point, centre, {}, radius);
}

Expected<ConvexShape> ConvexShape::capsule(const Vec3& p, const Vec3& q, double radius) {
    if (!is_length(radius)) return bad_length("the radius of a capsule");
    if (!is_position(p) || !is_position(q)) return bad_position();
    return ConvexShape(Core::Segment, p, q, radius);
}

Expected<ConvexShape> ConvexShape::box(const Vec3& half_sizes, const Vec3& centre,
                                       double rounding) {
    if (!is_length(half_sizes.x) || !is_length(half_sizes.y) || !is_length(half_sizes.z))
        return bad_length("half a size of a box");
    if (!is_length(rounding)) return bad_length("the rounding of a box");
    if (!is_position(centre)) return bad_position();
    return ConvexShape(Core::Box, centre, half_sizes, rounding);
}

Expected<ConvexShape> ConvexShape::cylinder(double radius, double half_height, const Vec3& centre,
                                            double rounding) {
    if (!is_length(radius)) return bad_length("the radius of a cylinder");
    if (!is_length(half_height)) return bad_length("half the height of a cylinder");
    if (!is_length(rounding)) return bad_length("the rounding of a cylinder");
    if (!is_position(centre)) return bad_position();
    return ConvexShape(Core::Cylinder, centre, {radius, radius, half_height}, rounding);
}

Expected<ConvexShape> ConvexShape::hull(std::span<const Vec3> points, double rounding) {
    if (points.empty()) return Error{"the hull of no points is no shape"};
    if (!is_length(rounding)) return bad_length("the rounding of a hull");
    if (!std::all_of(points.begin(), points.end(), is_position)) return bad_position();
    ConvexShape shape(Core::Hull, {}, {}, rounding);
    shape.points_ = std::make_shared<const detail::HullPoints>(points);
    const auto largest = [&points]() noexcept {
        double radius = 0.0;
        for (const Vec3& p : points)
            radius = std::max(radius, norm_upper(p));
        return radius;
    };
    shape.core_radius_ =
        with_sound_arithmetic(largest, []() noexcept { return graze::detail::kInfinite; });
    return shape;
}

}  // namespace graze::rigid
