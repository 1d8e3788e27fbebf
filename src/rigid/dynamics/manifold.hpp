// Where two bodies nearly touch: the nearest points, and more points where faces or edges lie along each
// other. Estimates: what is accepted of a step does not depend on them.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "graze/rigid/convex.hpp"
#include "graze/rigid/impact.hpp"

namespace graze::rigid::detail {

struct ManifoldPoint {
    Vec3 position;  // in the world, in the middle of the gap
    Vec3 normal;    // from A to B
    double gap = 0.0;
};

struct Manifold {
    static constexpr std::size_t kMostPoints = 8;  // four of convex bodies
    std::array<ManifoldPoint, kMostPoints> points;
    std::size_t size = 0;
};

struct ClosestPoints {
    Vec3 on_a;
    Vec3 on_b;
    Vec3 normal;  // unit length, from A to B
    double gap = 0.0;
};

// Nothing where the cores overlap.
[[nodiscard]] std::optional<ClosestPoints> closest_points(const ConvexShape& a, const Pose& pose_a,
                                                          const ConvexShape& b,
                                                          const Pose& pose_b) noexcept;

// Points whose gap is at most `reach`; none where the bodies are farther apart, or overlap.
[[nodiscard]] Manifold manifold_of(const ConvexShape& a, const Pose& pose_a, const ConvexShape& b,
                                   const Pose& pose_b, double reach);
// Of pairs of triangles, nearest first, those that are not near each other.
[[nodiscard]] Manifold manifold_of(const RigidBody& a, const Pose& pose_a, const RigidBody& b,
                                   const Pose& pose_b, double reach);

}  // namespace graze::rigid::detail
