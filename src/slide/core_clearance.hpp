// Is the core of a shape, a segment or a box, clear of a triangle?
//
// A ball that is clear of the faces of a prism may be inside of it: there the core of the shape
// meets the triangle that the prism was made of. A direction that separates core and triangle
// proves that it does not (SS-7).
#pragma once

#include <array>

#include "slide/separation.hpp"

namespace graze::slide {

// The segment from point - half to point + half, in the frame; of a box all that is at most a side
// axis from it, either way.
struct Core {
    Vec3 point;
    Vec3 half;
    std::array<Vec3, 2> sides{};
    bool is_box = false;

    [[nodiscard]] std::array<Vec3, 3> axes() const noexcept { return {half, sides[0], sides[1]}; }
};

// In the frame, where the radius of the shape is at least 1. A core nearer than this counts as
// crossing: far more than underflow can take from a slack (SS-3, where the radius is 0), far less
// than any radius.
inline constexpr double kCoreInside = 0x1p-30;
// [of the largest coordinate] A sweep lets a face pass that it met at the start and gets nearer to by
// no more than 2^-47 of that (SS-4): from farther than this no such path leads into a prism.
inline constexpr double kMostFall = 0x1p-44;

// True is a proof: core and triangle do not come within `least` of each other. Of a round obstacle
// the triangle alone counts: what is around it is kept by distances (SS-10).
// Requires: least >= kCoreInside.
[[nodiscard]] bool is_core_clear(const NearTriangle& t, const Core& core,
                                 double least = kCoreInside) noexcept;

// Of a core that is a segment: the end that is nearer to the plane of the triangle.
[[nodiscard]] inline Vec3 nearer_end(const NearTriangle& t, const Core& core) noexcept {
    const Vec3 normal = t.normal_vector();
    const double side = dot(normal, core.point - t.vertex_at(0));
    return core.point + (side * dot(normal, core.half) > 0.0 ? -1.0 : 1.0) * core.half;
}

// From the edges of the triangle, and its vertices, to a core that is a segment, along the shortest path
// between them: an estimate.
[[nodiscard]] Vec3 direction_to_core(const NearTriangle& t, const Core& core) noexcept;

// The point of the triangle that is nearest to the core, about, where they do not cross.
// `w`: from the triangle to the core, about, along the shortest path between them.
[[nodiscard]] Vec3 nearest_to_core(const NearTriangle& t, const Core& core, const Vec3& w) noexcept;

// A proved lower bound of how far the core is from the triangle along w, of any length: negative
// where they overlap along it, by what a shift along w would have to be at most. Of a round obstacle
// from all of it.
// Requires: w is not zero.
[[nodiscard]] double core_distance(const NearTriangle& t, const Vec3& w, const Core& core) noexcept;

// The shortest path for the core to the side of the triangle that its centre is on: estimates.
struct CoreCrossing {
    NearTriangle cap;       // of the prism, on that side
    Direction direction;    // from the cap outward; zero where the triangle has no area
    double distance = 0.0;  // of the centre from the plane of the cap, negative behind it
};
[[nodiscard]] CoreCrossing crossing_of(const NearTriangle& t, const Core& core) noexcept;

}  // namespace graze::slide
