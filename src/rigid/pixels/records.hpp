// What the steps of the pixel search hand to each other (Buss 2005, section 9).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "rigid/raster/body.hpp"

namespace graze::rigid::pixels {

using raster::Body;
using raster::Flow;
using raster::ScreenPoint;

inline constexpr std::uint32_t kNoEdge = 0xffff'ffffU;

// Where a point falls on the screen. So near to the axis of a pure rotation that its speed
// underflows it rests: its time is undefined.
[[nodiscard]] inline ScreenPoint screen_point(const Flow& flow, const Vec3& x,
                                              double phi) noexcept {
    const double r = std::sqrt(x.x * x.x + x.z * x.z);
    const ScreenPoint p = raster::at_angle(flow, r, x.y, phi);
    constexpr double kMost = std::numeric_limits<double>::max();
    const bool is_finite = std::fabs(p.h) <= kMost && std::fabs(p.t) <= kMost;
    return is_finite ? p : ScreenPoint{r, x.y, 0.0, phi};
}

// Step two: a part of an edge, or a virtual edge, whose faces look the right way all along it and
// whose angle does not jump. In the coordinates of the screen.
struct SubEdge {
    Vec3 from;
    Vec3 to;
    ScreenPoint start;  // of `from`, at the angle at which this is drawn
    ScreenPoint end;
    std::uint32_t edge = kNoEdge;  // that it is a part of; kNoEdge: virtual
    std::uint32_t left = kNoFace;  // facing ones only
    std::uint32_t right = kNoFace;
    bool from_vertex = false;  // `from` is a vertex of the body
    bool to_vertex = false;
    bool fixed_angle = false;  // all of it is drawn at start.phi: where the screen is cut
};

// Step three: the pixels of an edge in one row of r.
struct PixelRecord {
    std::int32_t row = 0;
    std::int32_t h_min = 0;
    std::int32_t h_max = 0;
    std::int32_t h_first = 0;  // where the edge comes into the row and leaves it: slope and
    std::int32_t h_last = 0;   // direction
    std::uint32_t edge = kNoEdge;
    std::uint32_t left = kNoFace;
    std::uint32_t right = kNoFace;
    double t_first = 0.0;  // the time value is their mean, the time duration their difference
    double t_last = 0.0;
    bool from_above = false;   // the edge comes from the next row
    bool to_above = false;     // it goes on to the next row
    bool from_vertex = false;  // a vertex of the body is at h_first
    bool to_vertex = false;    // and one at h_last
    bool is_fold = false;      // of a virtual edge where a face stops to face along the motion

    [[nodiscard]] bool is_virtual() const noexcept { return edge == kNoEdge; }
};

struct VertexPixel {
    std::int32_t row = 0;
    std::int32_t h = 0;
    std::uint32_t vertex = 0;
    double t = 0.0;
};

// Rows of r that are of use; others are not kept.
struct RowRange {
    std::int32_t first = 0;
    std::int32_t last = -1;
    [[nodiscard]] bool contains(std::int64_t row) const noexcept {
        return row >= first && row <= last;
    }
    [[nodiscard]] std::size_t count() const noexcept {
        return last < first ? 0 : static_cast<std::size_t>(last - first) + 1;
    }
};

// Step four: records by a height, row by row.
struct HeightKey {
    std::int32_t h = 0;
    std::uint32_t index = 0;
};

// One of the two bodies.
struct PixelBody {
    Body body;
    double theta = 0.0;       // of section 8: the motion's for A, 0 for B
    bool across_cut = false;  // features may cross phi = pi or have to be doppeled
    std::vector<PixelRecord> records;
    std::vector<VertexPixel> vertices;
    std::vector<std::uint32_t>
        row_ends;  // of both orders: row i has [row_ends[i], row_ends[i + 1])
    std::vector<HeightKey> by_min;
    std::vector<HeightKey> by_max;
    std::vector<std::uint32_t> vertex_row_ends;
    std::vector<HeightKey> vertices_by_h;
};

}  // namespace graze::rigid::pixels
