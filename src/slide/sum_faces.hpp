// The faces of the sum of a triangle and a box, the core of a shape, that a centre can meet from
// where it may be (SS-9).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "slide/prism_faces.hpp"

namespace graze::slide {

// A vertex of the triangle plus a corner of the box, whose bit i is set where axis i is added and
// not subtracted.
struct SumVertex {
    std::uint8_t vertex = 0;
    std::uint8_t corner = 0;
};
inline constexpr std::size_t kBoxCorners = 8;

struct SumFaces {
    // At most: a cap on each side for each corner; on each side of an axis both faces of the box (the
    // signs of one that is as good as flat are in doubt) for each vertex, in two triangles; an edge and an
    // axis on each side for each sign of the two others, likewise.
    static constexpr std::size_t kMost = 2 * 8 + 6 * 2 * 3 * 2 + 2 * 9 * 4 * 2;

    std::array<std::array<SumVertex, 3>, kMost> face;
    std::size_t count = 0;
    bool is_beyond = false;  // no point of the sum is within region.all of the middle
};

// Those that hold the nearest point of each position of the centre outside of the sum, and those
// through which a path within the region leads into it, are all there; each is in the sum. None
// where it is beyond, or where all of the region is deep inside.
// Requires: axes that are zero, or perpendicular but for 2^-10.
[[nodiscard]] SumFaces sum_faces_near(const std::array<Vec3, 3>& vertices,
                                      const std::array<Vec3, 3>& axes,
                                      const CentreRegion& region) noexcept;

}  // namespace graze::slide
