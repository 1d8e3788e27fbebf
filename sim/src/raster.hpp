// Triangles into a z-buffer: what the picture and its shadows share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "graze/core/vec3.hpp"

namespace graze::sim::detail {

// A position as the picture has it: x and y in samples from the top left, and `nearness`, which grows
// towards the eye and is linear on the screen (1 / depth; for a parallel view: minus the depth).
struct ScreenPoint {
    double x = 0.0;
    double y = 0.0;
    double nearness = 0.0;
    bool visible = false;  // in front of the eye and finite
};

// Calls put(column, row, weights) for each sample whose centre is inside, weights being linear on
// the screen. Samples on a common side of two triangles may be put twice; none is left out.
template <class Put>
void rasterise(const std::array<ScreenPoint, 3>& p, std::uint32_t width, std::uint32_t height,
               Put&& put) {
    if (!p[0].visible || !p[1].visible || !p[2].visible) return;
    const auto side = [](const ScreenPoint& a, const ScreenPoint& b, double x, double y) {
        return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
    };
    const double area = side(p[0], p[1], p[2].x, p[2].y);
    if (!(std::fabs(area) > 0.0)) return;
    const auto first = [](double low) { return std::max(0.0, std::ceil(low - 0.5)); };
    const auto last = [](double high, std::uint32_t size) {
        return std::min(static_cast<double>(size) - 1.0, std::floor(high - 0.5));
    };
    const double x0 = first(std::min({p[0].x, p[1].x, p[2].x}));
    const double x1 = last(std::max({p[0].x, p[1].x, p[2].x}), width);
    const double y0 = first(std::min({p[0].y, p[1].y, p[2].y}));
    const double y1 = last(std::max({p[0].y, p[1].y, p[2].y}), height);
    for (double row = y0; row <= y1; row += 1.0) {
        for (double column = x0; column <= x1; column += 1.0) {
            const double x = column + 0.5;
            const double y = row + 0.5;
            const std::array<double, 3> w = {side(p[1], p[2], x, y) / area,
                                             side(p[2], p[0], x, y) / area,
                                             side(p[0], p[1], x, y) / area};
            if (w[0] < 0.0 || w[1] < 0.0 || w[2] < 0.0) continue;
            put(static_cast<std::size_t>(column), static_cast<std::size_t>(row), w);
        }
    }
}

[[nodiscard]] inline double mixed(const std::array<double, 3>& w, double a, double b, double c) {
    return w[0] * a + w[1] * b + w[2] * c;
}

[[nodiscard]] inline Vec3 unit(const Vec3& v) {
    const double length = norm(v);
    return length > 0.0 ? (1.0 / length) * v : Vec3{};
}

}  // namespace graze::sim::detail
