// Convex bodies for engines: boxes, spheres, capsules, cylinders and hulls, each under a motion of its
// own, and their first impact, by proof.
//
// Directions and times are proposed by unproved steps (GJK, secants); what is reported is proved:
// that a slab of time is free by a direction along which the bodies stay separated, that there is a
// contact by a point that both have in common. Derivation: docs/derivations/rigid_convex.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/motion.hpp"
#include "graze/rigid/step.hpp"

namespace graze::rigid {

class ConvexShape;
namespace detail {
struct HullPoints;
[[nodiscard]] const HullPoints& hull_points(const ConvexShape& shape) noexcept;
}  // namespace detail

// A convex solid: a core (a point, a segment, a box, a cylinder, the hull of points) and all points
// within `rounding` of it. In the frame of its body; numbers as given are exact. Copies share the
// points of a hull.
class ConvexShape {
public:
    enum class Core : std::uint8_t { Point, Segment, Box, Cylinder, Hull };

    // Errors: lengths that are negative, numbers that are not finite or beyond 2^300, no points.
    [[nodiscard]] static Expected<ConvexShape> sphere(double radius, const Vec3& centre = {});
    [[nodiscard]] static Expected<ConvexShape> capsule(const Vec3& p, const Vec3& q, double radius);
    [[nodiscard]] static Expected<ConvexShape> box(const Vec3& half_sizes, const Vec3& centre = {},
                                                   double rounding = 0.0);
    // The axis is parallel to z.
    [[nodiscard]] static Expected<ConvexShape> cylinder(double radius, double half_height,
                                                        const Vec3& centre = {},
                                                        double rounding = 0.0);
    [[nodiscard]] static Expected<ConvexShape> hull(std::span<const Vec3> points,
                                                    double rounding = 0.0);

    [[nodiscard]] Core core() const noexcept { return core_; }
    [[nodiscard]] double rounding() const noexcept { return rounding_; }
    // At least the distance of every point of the core from the origin of the frame.
    [[nodiscard]] double core_radius() const noexcept { return core_radius_; }
    // Centre of a box or cylinder, centre of a sphere, first end of a capsule.
    [[nodiscard]] const Vec3& centre() const noexcept { return centre_; }
    // Half sizes of a box, (radius, radius, half height) of a cylinder, second end of a capsule.
    [[nodiscard]] const Vec3& size() const noexcept { return size_; }
    [[nodiscard]] std::span<const Vec3> points() const noexcept;

private:
    ConvexShape(Core core, const Vec3& centre, const Vec3& size, double rounding) noexcept;

    Core core_ = Core::Point;
    Vec3 centre_;
    Vec3 size_;
    double rounding_ = 0.0;
    double core_radius_ = 0.0;
    friend const detail::HullPoints& detail::hull_points(const ConvexShape& shape) noexcept;
    std::shared_ptr<const detail::HullPoints> points_;
};

// The first impact of two convex bodies, each under its motion.
// Guarantee: as of first_impact() of two RigidBody: Separated and [0, toi_lower) are proved for the
// exact motions; a finite toi_upper is a time at or before which contact is proved. Unresolved where
// the bodies graze each other within rounding errors, where the budget is spent or a stop was requested,
// and for motions or options that are not valid. Boxes, hulls, segments and points without rounding that
// touch exactly at the start are Contact at 0 where exact arithmetic proves a common point (motions with
// Motion::exact_start()), else Unresolved.
// Bodies are solid (options.model has no effect). `contact` has no features; point and normal are
// estimates at toi_lower, in the world.
// Cost: one to three microseconds for two boxes; nothing is allocated.
[[nodiscard]] ImpactResult first_impact(const ConvexShape& a, const Motion& motion_a,
                                        const ConvexShape& b, const Motion& motion_b,
                                        const ImpactOptions& options = {}) noexcept;
// The same on the relative screw of a step (graze/rigid/step.hpp).
[[nodiscard]] ImpactResult first_impact(const ConvexShape& a, const ConvexShape& b,
                                        const PairStep& step,
                                        const ImpactOptions& options = {}) noexcept;

}  // namespace graze::rigid
