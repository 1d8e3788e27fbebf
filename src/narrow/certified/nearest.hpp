// Where the hull of the corner differences comes nearest to the origin at one time: estimates.
//
// Nothing here is proved, and nothing needs to be: a direction is judged by what it separates, and
// weights by where the point that they name lies (separation.cpp). What is asked for is that good
// ones are found, for hulls without area or length as well. No scale: only ratios matter, as long
// as the corners are neither huge nor all tiny.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "graze/core/vec3.hpp"

namespace graze::certified {

// Corners in their order around the hull. Those that a shape lacks repeat its last one.
enum class Shape : std::uint8_t { Point, Segment, Triangle, Parallelogram };

inline constexpr std::size_t kHullCorners = 4;
using HullCorners = std::array<Vec3, kHullCorners>;
// Not negative, at least one of them positive; their sum need not be 1.
using Weights = std::array<double, kHullCorners>;

struct NearestPoint {
    Vec3 point;
    Weights weights{1.0, 0.0, 0.0, 0.0};
    // Directions that should separate the hull from the origin as well as `point` does, and better
    // where `point` is small against the corners and has lost its digits; zero where there is none.
    Vec3 across_edge;  // perpendicular to the nearest edge
    Vec3 normal;       // of the plane, towards the hull
};

// The Euclidean norm.
[[nodiscard]] NearestPoint nearest_point(Shape shape, const HullCorners& corners) noexcept;

// A point of the hull that is in the cube of the given half side around the origin, about in the
// middle of all that are; nothing if there seems to be none.
[[nodiscard]] std::optional<Weights> point_in_cube(Shape shape, const HullCorners& corners,
                                                   double half_side) noexcept;

// The directions among which one separates the hull from a cube around the origin if any does
// (docs/derivations/start_separation.md, ST-2), the three axes left out.
struct CubeDirections {
    std::array<Vec3, 10> direction;
    std::size_t count = 0;
};
[[nodiscard]] CubeDirections cube_directions(Shape shape, const HullCorners& corners) noexcept;

}  // namespace graze::certified
