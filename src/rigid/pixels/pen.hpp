// Step three (Buss 2005, section 9): edges on the screen as pixel records.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rigid/pixels/records.hpp"

namespace graze::rigid::pixels {

struct PenSettings {
    double pixel = 0.0;
    double time_resolution = 0.0;
    RowRange rows;
    std::size_t most = 0;  // records and straight pieces
    // Rows of one edge overlap by a pixel (RP-3), so that an edge of the other body, whose rows do
    // not, cannot cross it between two pixels.
    bool overlap_rows = false;
};

// Halves an edge until it is straight on the screen to half a pixel and in time to the resolution,
// or a pixel long, and fills each piece in by Bresenham's algorithm, a row at a time.
class PixelPen {
public:
    PixelPen(const Flow& flow, const PenSettings& settings, std::vector<PixelRecord>& records)
        : flow_(flow), settings_(settings), inverse_(1.0 / settings.pixel), records_(records) {}

    void draw(const SubEdge& edge);
    // More than settings.most were wanted; the rest is not drawn.
    [[nodiscard]] bool is_full() const noexcept { return work_ > settings_.most; }

private:
    struct Node {
        double u = 0.0;
        ScreenPoint at;
    };
    // A stretch of pixels of one row.
    struct Run {
        std::int64_t row = 0;
        std::int64_t first = 0;
        std::int64_t last = 0;
        double t_first = 0.0;
        double t_last = 0.0;
    };

    void divide(const SubEdge& edge, const Node& from, const Node& to, int depth);
    // Too much of it is seen from the axis for its middle to say how it runs.
    [[nodiscard]] bool is_wide(const Node& from, const Node& to) const noexcept;
    [[nodiscard]] bool is_straight(const Node& from, const Node& to,
                                   const ScreenPoint& middle) const noexcept;
    [[nodiscard]] bool misses_rows(const SubEdge& edge, const Node& from,
                                   const Node& to) const noexcept;
    [[nodiscard]] ScreenPoint point(const SubEdge& edge, double u, double near) const noexcept;
    void fill(const SubEdge& edge, const ScreenPoint& from, const ScreenPoint& to);
    void add(const SubEdge& edge, const Run& run);

    const Flow& flow_;
    PenSettings settings_;
    double inverse_;
    std::vector<PixelRecord>& records_;
    std::size_t work_ = 0;
    bool is_begun_ = false;  // of the edge that is being drawn some is
    std::int64_t row_ = 0;   // that it has come to
};

// The pixel that a coordinate falls into.
[[nodiscard]] std::int64_t pixel_of(double x, double inverse) noexcept;

}  // namespace graze::rigid::pixels
