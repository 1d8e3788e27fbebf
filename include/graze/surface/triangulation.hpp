// Polygons cut into triangles: the one triangulation of the project, by exact signs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/surface/faces.hpp"

namespace graze {

struct Point2;  // graze/core/orientation.hpp

// Which ear of a polygon is cut next. Either way the triangles tile a simple polygon.
enum class EarOrder : std::uint8_t {
    // The first one after the first corner: a convex polygon, and every one that is seen whole from
    // its first corner, becomes the fan around it, as most programs that read polygons have it.
    Fan,
    // Round and round, no two neighbours in a row: triangles are less narrow than those of a fan,
    // so that boxes around them are smaller.
    Alternating,
};

// Cuts ears: a corner whose triangle with its neighbours lies within the polygon. Keeps its buffers
// from polygon to polygon.
class EarClipper {
public:
    using Triangle = std::array<std::uint32_t, 3>;

    EarClipper();
    ~EarClipper();

    // Appends n - 2 triangles of corner numbers, wound as the polygon is.
    // Guarantee: they tile the polygon where it is simple and counterclockwise, decided by exact
    // signs; also where it touches itself, as an outline that is joined to a hole by a bridge does.
    // Of any other polygon the triangles still use each side once, and each inner side twice in
    // opposite directions, so that a closed surface stays closed.
    // False, and what was appended is of no use: a polygon of more than kMaxConcaveCorners that is
    // no fan (Fan), or kMaxTests in all calls together (Alternating).
    // Cost: linear for convex polygons; otherwise n times the number of reflex corners, or n^2
    // times it where ears are rare.
    // Requires: at least three corners, finite coordinates.
    [[nodiscard]] bool cut(std::span<const Point2> polygon, EarOrder order,
                           std::vector<Triangle>& triangles);
    // The same for a face in space, seen along the largest component of `normal` (of any length);
    // the triangles are of vertices.
    [[nodiscard]] bool cut(std::span<const std::uint32_t> face, std::span<const Vec3> positions,
                           const Vec3& normal, EarOrder order, std::vector<Triangle>& triangles);

    static constexpr std::size_t kMaxConcaveCorners = 4096;
    // Reflex corners tested against an ear, in all: some seconds.
    static constexpr std::uint64_t kMaxTests = 1'000'000'000;

private:
    class Ring;
    struct Work;
    std::unique_ptr<Work> work_;
};

// n - 2 triangles for each face of n corners, in the order of the faces, wound as they are, by
// EarOrder::Fan. A face without area becomes the fan of its first corner.
// Guarantee: depends on the given indices and positions alone, the same on every machine.
// Errors (WrongSize) name the face, which is their index: fewer than three corners, or more than EarClipper::kMaxConcaveCorners that
// are no fan.
// Requires: finite positions, and indices below their number.
[[nodiscard]] Expected<std::vector<EarClipper::Triangle>> triangulate(
    const FaceView& faces, std::span<const Vec3> positions);

}  // namespace graze
