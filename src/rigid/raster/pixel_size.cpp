#include "rigid/raster/pixel_size.hpp"

#include <algorithm>
#include <cstddef>

namespace graze::rigid::raster {
namespace {

constexpr std::size_t kSampledEdges = 64;
constexpr double kPixelsOfAShortEdge = 12.0;  // Buss 2005, 9.1, medium resolution

// The lower quartile of up to 64 edges, evenly taken.
double short_edge(const Polyhedron& shape, std::vector<double>& lengths) {
    lengths.clear();
    const auto edges = shape.edges();
    const auto at = shape.positions();
    const std::size_t step = std::max<std::size_t>(1, edges.size() / kSampledEdges);
    for (std::size_t i = 0; i < edges.size(); i += step) {
        const double length = norm(at[edges[i].to] - at[edges[i].from]);
        if (length > 0.0) lengths.push_back(length);
    }
    if (lengths.empty()) return shape.radius() > 0.0 ? shape.radius() : 1.0;
    const auto quarter = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 4);
    std::nth_element(lengths.begin(), quarter, lengths.end());
    return *quarter;
}

// [pixels] What roundings may come to. A place takes some dozens of them, each relative to how far
// from the origins of the bodies and from each other it is; the plain mode has a slack of 2^-10
// pixels, which 2^7 roundings of 2^-53 stay below by a factor of 8 where 2^40 pixels reach that far.
constexpr double kMaxReach = 0x1p+40;

double offset(const Pose& a, const Pose& b) noexcept {
    return norm(b.translation - a.translation);
}

}  // namespace

double default_pixel(const Polyhedron& a, const Polyhedron& b, std::vector<double>& lengths) {
    return std::min(short_edge(a, lengths), short_edge(b, lengths)) / kPixelsOfAShortEdge;
}

double default_time_resolution(double pixel, double speed) noexcept {
    return speed > 0.0 ? std::min(1.0, pixel / speed) : 1.0;
}

Expected<void> check_resolution(double pixel, double time_resolution, double min_properness) {
    if (!is_finite(pixel) || pixel < 0.0)
        return Error{"pixel must be finite and >= 0", ErrorCode::InvalidOption};
    if (!is_finite(time_resolution) || time_resolution < 0.0)
        return Error{"time_resolution must be finite and >= 0", ErrorCode::InvalidOption};
    if (!is_finite(min_properness))
        return Error{"min_properness must be finite", ErrorCode::InvalidOption};
    return {};
}

Expected<void> check_reach(const Polyhedron& a, const Polyhedron& b, const PairStep& step,
                           double pixel) {
    const double reach =
        std::max(offset(step.a.start, step.b.start), offset(step.a.end, step.b.end)) +
        norm(a.centre()) + a.radius() + norm(b.centre()) + b.radius();
    if (reach <= kMaxReach * pixel) return {};
    return Error{
        "the bodies are so far from each other, or from their origins, that roundings are no "
        "longer small beside a pixel: take a larger one, or a shorter step",
        ErrorCode::InvalidOption};
}

}  // namespace graze::rigid::raster
