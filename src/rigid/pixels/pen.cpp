#include "rigid/pixels/pen.hpp"

#include <algorithm>
#include <cmath>

namespace graze::rigid::pixels {
namespace {

// An edge of 2^26 pixels has been halved to one pixel by then.
constexpr int kMostHalvings = 28;
// [radians] The middle alone does not say that a piece which sees more than this of the axis is
// straight.
constexpr double kWideAngle = 0.5;

// The first pixel, counted along h, of row k of a line that rises by `rise` > `run` pixels in
// `run` rows: the least j with j * run / rise rounded to k or more.
std::int64_t first_of_row(std::int64_t k, std::int64_t run, std::int64_t rise) noexcept {
    if (k == 0) return 0;
    return ((2 * k - 1) * rise + 2 * run - 1) / (2 * run);
}

}  // namespace

std::int64_t pixel_of(double x, double inverse) noexcept {
    return static_cast<std::int64_t>(std::floor(x * inverse));
}

void PixelPen::draw(const SubEdge& edge) {
    if (is_full()) return;
    const std::size_t first = records_.size();
    is_begun_ = false;
    if (flow_.turns) {
        divide(edge, {0.0, edge.start}, {1.0, edge.end}, kMostHalvings);
    } else {
        fill(edge, edge.start, edge.end);
    }
    if (records_.size() == first) return;
    // Rows beyond the range are not kept: the ends may be there.
    PixelRecord& head = records_[first];
    PixelRecord& tail = records_.back();
    head.from_vertex = edge.from_vertex && head.row == pixel_of(edge.start.r, inverse_);
    tail.to_vertex = edge.to_vertex && tail.row == pixel_of(edge.end.r, inverse_);
}

ScreenPoint PixelPen::point(const SubEdge& edge, double u, double near) const noexcept {
    const Vec3 x = edge.from + u * (edge.to - edge.from);
    const double phi =
        edge.fixed_angle ? edge.start.phi : raster::unwrapped(raster::fast_angle(x.x, x.z), near);
    return screen_point(flow_, x, phi);
}

// Pixels on the axis have every angle, whatever rounding makes of it.
bool PixelPen::is_wide(const Node& from, const Node& to) const noexcept {
    return std::fabs(to.at.phi - from.at.phi) > kWideAngle &&
           std::max(from.at.r, to.at.r) > 0.125 * settings_.pixel;
}

bool PixelPen::is_straight(const Node& from, const Node& to,
                           const ScreenPoint& middle) const noexcept {
    const double half = 0.5 * settings_.pixel;
    return !is_wide(from, to) && std::fabs(middle.r - 0.5 * (from.at.r + to.at.r)) <= half &&
           std::fabs(middle.h - 0.5 * (from.at.h + to.at.h)) <= half &&
           std::fabs(middle.t - 0.5 * (from.at.t + to.at.t)) <= settings_.time_resolution;
}

// All of the piece is in rows that are not kept. r is a convex function along an edge and changes
// by no more than the length.
bool PixelPen::misses_rows(const SubEdge& edge, const Node& from, const Node& to) const noexcept {
    const double most = std::max(from.at.r, to.at.r) * inverse_;
    if (most < static_cast<double>(settings_.rows.first) - 1.0) return true;
    const double length = norm(edge.to - edge.from) * (to.u - from.u);
    const double least = (std::min(from.at.r, to.at.r) - 0.5 * length) * inverse_;
    return least > static_cast<double>(settings_.rows.last) + 2.0;
}

void PixelPen::divide(const SubEdge& edge, const Node& from, const Node& to, int depth) {
    if (is_full()) return;
    if (misses_rows(edge, from, to)) {
        is_begun_ = true;
        row_ = pixel_of(to.at.r, inverse_);
        return;
    }
    const bool one_pixel = std::fabs(to.at.r - from.at.r) <= settings_.pixel &&
                           std::fabs(to.at.h - from.at.h) <= settings_.pixel && !is_wide(from, to);
    if (one_pixel || depth == 0) return fill(edge, from.at, to.at);
    // The angle of the end that is farther from the axis says more.
    const double near = from.at.r > to.at.r ? from.at.phi : to.at.phi;
    const double u = 0.5 * (from.u + to.u);
    const Node middle{u, point(edge, u, near)};
    if (is_straight(from, to, middle.at)) return fill(edge, from.at, to.at);
    divide(edge, from, middle, depth - 1);
    divide(edge, middle, to, depth - 1);
}

// Bresenham's line by its runs: the pixels of one row at a time.
void PixelPen::fill(const SubEdge& edge, const ScreenPoint& from, const ScreenPoint& to) {
    const std::int64_t row = pixel_of(from.r, inverse_);
    const std::int64_t h = pixel_of(from.h, inverse_);
    const std::int64_t last_row = pixel_of(to.r, inverse_);
    const std::int64_t last_h = pixel_of(to.h, inverse_);
    const std::int64_t run = std::abs(last_row - row);
    const std::int64_t rise = std::abs(last_h - h);
    const std::int64_t up = last_row >= row ? 1 : -1;
    const std::int64_t high = last_h >= h ? 1 : -1;
    const auto time = [&](double share) { return from.t + share * (to.t - from.t); };
    ++work_;
    if (run == 0) return add(edge, {row, h, last_h, from.t, to.t});
    // Rows next to those that are kept tell where the edge goes on.
    const RowRange& rows = settings_.rows;
    const std::int64_t below = static_cast<std::int64_t>(rows.first) - 1;
    const std::int64_t above = static_cast<std::int64_t>(rows.last) + 1;
    const std::int64_t k_first = std::max<std::int64_t>(0, up > 0 ? below - row : row - above);
    const std::int64_t k_last = std::min(run, up > 0 ? above - row : row - below);
    for (std::int64_t k = k_first; k <= k_last; ++k) {
        Run r{row + up * k, 0, 0, 0.0, 0.0};
        if (rise > run) {
            const std::int64_t j = first_of_row(k, run, rise);
            const std::int64_t next = k == run ? rise + 1 : first_of_row(k + 1, run, rise);
            const double inverse = 1.0 / static_cast<double>(rise + 1);
            r.first = h + high * j;
            r.last = h + high * (next - 1);
            r.t_first = time(static_cast<double>(j) * inverse);
            r.t_last = time(static_cast<double>(next) * inverse);
        } else {
            const double inverse = 1.0 / static_cast<double>(run + 1);
            r.first = h + high * ((2 * k * rise + run) / (2 * run));
            r.last = r.first;
            r.t_first = time(static_cast<double>(k) * inverse);
            r.t_last = time(static_cast<double>(k + 1) * inverse);
        }
        add(edge, r);
    }
    is_begun_ = true;
    row_ = last_row;
}

void PixelPen::add(const SubEdge& edge, const Run& run) {
    const bool kept = settings_.rows.contains(run.row);
    const bool last_kept = is_begun_ && settings_.rows.contains(row_) && !records_.empty();
    if (last_kept && row_ == run.row) {
        // Successive pixels of one row are one record.
        PixelRecord& record = records_.back();
        record.h_min = static_cast<std::int32_t>(
            std::min<std::int64_t>(record.h_min, std::min(run.first, run.last)));
        record.h_max = static_cast<std::int32_t>(
            std::max<std::int64_t>(record.h_max, std::max(run.first, run.last)));
        record.h_last = static_cast<std::int32_t>(run.last);
        record.t_last = run.t_last;
        return;
    }
    if (last_kept) {
        PixelRecord& last = records_.back();
        last.to_above = run.row == row_ + 1;
        if (settings_.overlap_rows) {
            last.h_min = static_cast<std::int32_t>(std::min<std::int64_t>(last.h_min, run.first));
            last.h_max = static_cast<std::int32_t>(std::max<std::int64_t>(last.h_max, run.first));
        }
    }
    if (kept) {
        PixelRecord record;
        record.row = static_cast<std::int32_t>(run.row);
        record.h_first = static_cast<std::int32_t>(run.first);
        record.h_last = static_cast<std::int32_t>(run.last);
        record.h_min = std::min(record.h_first, record.h_last);
        record.h_max = std::max(record.h_first, record.h_last);
        record.edge = edge.edge;
        record.left = edge.left;
        record.right = edge.right;
        record.is_fold = edge.edge == kNoEdge && !edge.fixed_angle;
        record.t_first = run.t_first;
        record.t_last = run.t_last;
        record.from_above = is_begun_ && row_ == run.row + 1;
        records_.push_back(record);
        ++work_;
    }
    is_begun_ = true;
    row_ = run.row;
}

}  // namespace graze::rigid::pixels
