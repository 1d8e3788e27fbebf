// Polygons to triangles, by indices and positions alone.
//
// Signs are read in doubles: no verdict depends on them. Whatever they say, a polygon of n corners
// gives n - 2 triangles with its corners, and every side of it is a side of one of them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "graze/io/mesh_file.hpp"

namespace graze::io {
namespace {

using Triangle = std::array<std::uint32_t, 3>;
using Triangles = std::vector<Triangle>;

struct Point2 {
    double x = 0.0;
    double y = 0.0;
    friend bool operator==(const Point2&, const Point2&) = default;
};

// Twice the signed area of a b c: > 0 where they are counterclockwise.
double area2(const Point2& a, const Point2& b, const Point2& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The corners times a power of two: the largest coordinate is below 1, and nothing overflows.
std::vector<Vec3> scaled_corners(std::span<const std::uint32_t> corners,
                                 std::span<const Vec3> positions) {
    double largest = 0.0;
    for (const std::uint32_t corner : corners)
        largest = std::fmax(largest, norm_max(positions[corner]));
    int exponent = 0;
    std::frexp(largest, &exponent);
    std::vector<Vec3> scaled;
    for (const std::uint32_t corner : corners) {
        const Vec3& p = positions[corner];
        scaled.push_back(
            {std::ldexp(p.x, -exponent), std::ldexp(p.y, -exponent), std::ldexp(p.z, -exponent)});
    }
    return scaled;
}

// The polygon in the coordinate plane in which its area is largest, counterclockwise; nothing if it has
// no area.
std::optional<std::vector<Point2>> flattened(std::span<const std::uint32_t> corners,
                                             std::span<const Vec3> positions) {
    const std::vector<Vec3> points = scaled_corners(corners, positions);
    Vec3 area;
    for (std::size_t i = 2; i < points.size(); ++i)
        area = area + cross(points[i - 1] - points[0], points[i] - points[0]);
    std::size_t axis = 0;
    for (std::size_t i = 1; i < 3; ++i)
        if (std::fabs(area[i]) > std::fabs(area[axis])) axis = i;
    if (area[axis] == 0.0) return std::nullopt;
    std::size_t first = (axis + 1) % 3;
    std::size_t second = (axis + 2) % 3;
    if (area[axis] < 0.0) std::swap(first, second);
    std::vector<Point2> flat;
    for (const Vec3& point : points)
        flat.push_back({point[first], point[second]});
    return flat;
}

bool is_fan(const std::vector<Point2>& points) {
    for (std::size_t i = 2; i < points.size(); ++i)
        if (!(area2(points[0], points[i - 1], points[i]) > 0.0)) return false;
    return true;
}

// Cuts one ear after the other from a ring of corners.
class EarCutter {
public:
    explicit EarCutter(const std::vector<Point2>& points)
        : points_(points), left_(points.size()), next_(left_), previous_(left_), is_ear_(left_) {
        for (std::size_t i = 0; i < left_; ++i) {
            next_[i] = (i + 1) % left_;
            previous_[i] = (i + left_ - 1) % left_;
        }
        for (std::size_t i = 0; i < points.size(); ++i)
            is_ear_[i] = test_ear(i);
    }

    // Calls emit(a, b, c) with indices of corners. Cost: quadratic.
    template <class Emit>
    void cut(Emit emit) {
        for (; left_ > 3; --left_) {
            const std::optional<std::size_t> ear = first_ear();
            if (!ear) break;
            emit(previous_[*ear], *ear, next_[*ear]);
            remove(*ear);
        }
        // A triangle, or what has no ear: crossing itself, or without area.
        std::size_t corner = next_[head_];
        for (std::size_t i = 2; i < left_; ++i, corner = next_[corner])
            emit(head_, corner, next_[corner]);
    }

private:
    // Looks behind the first corner first, so that a convex polygon becomes its fan.
    [[nodiscard]] std::optional<std::size_t> first_ear() const {
        std::size_t corner = next_[head_];
        for (std::size_t i = 0; i < left_; ++i, corner = next_[corner])
            if (is_ear_[corner]) return corner;
        return std::nullopt;
    }

    void remove(std::size_t ear) {
        const std::size_t before = previous_[ear];
        const std::size_t after = next_[ear];
        next_[before] = after;
        previous_[after] = before;
        if (ear == head_) head_ = after;
        is_ear_[before] = test_ear(before);
        is_ear_[after] = test_ear(after);
    }

    // Turns left, and no other corner is in the triangle or on its sides. Corners at the place of
    // one of its own do not count: polygons with holes pass along a bridge twice.
    [[nodiscard]] bool test_ear(std::size_t ear) const {
        const Point2& a = points_[previous_[ear]];
        const Point2& b = points_[ear];
        const Point2& c = points_[next_[ear]];
        if (!(area2(a, b, c) > 0.0)) return false;
        for (std::size_t i = next_[next_[ear]]; i != previous_[ear]; i = next_[i]) {
            const Point2& p = points_[i];
            if (p == a || p == b || p == c) continue;
            if (area2(a, b, p) >= 0.0 && area2(b, c, p) >= 0.0 && area2(c, a, p) >= 0.0)
                return false;
        }
        return true;
    }

    const std::vector<Point2>& points_;
    std::size_t left_;
    std::size_t head_ = 0;
    std::vector<std::size_t> next_;
    std::vector<std::size_t> previous_;
    std::vector<char> is_ear_;
};

void add_fan(std::span<const std::uint32_t> corners, Triangles& triangles) {
    for (std::size_t i = 2; i < corners.size(); ++i)
        triangles.push_back({corners[0], corners[i - 1], corners[i]});
}

Expected<void> add_polygon(std::span<const std::uint32_t> corners, std::span<const Vec3> positions,
                           Triangles& triangles) {
    if (corners.size() < 3) {
        return Error{"has " + std::to_string(corners.size()) + " corners, and a face needs three",
                     ErrorCode::WrongSize};
    }
    if (corners.size() > 3) {
        const auto flat = flattened(corners, positions);
        if (flat && !is_fan(*flat)) {
            if (corners.size() > kMaxConcaveCorners) {
                return Error{"has " + std::to_string(corners.size()) +
                                 " corners and is not seen whole from its first; at most " +
                                 std::to_string(kMaxConcaveCorners) + " are then cut to triangles",
                             ErrorCode::WrongSize};
            }
            EarCutter(*flat).cut([&](std::size_t a, std::size_t b, std::size_t c) {
                triangles.push_back({corners[a], corners[b], corners[c]});
            });
            return {};
        }
    }
    add_fan(corners, triangles);
    return {};
}

}  // namespace

Expected<Triangles> triangulate(const PolygonList& polygons, std::span<const Vec3> positions) {
    Triangles triangles;
    for (std::size_t i = 0; i < polygons.size(); ++i) {
        const Expected<void> added = add_polygon(polygons[i], positions, triangles);
        if (!added)
            return Error{"face " + std::to_string(i) + ": " + added.error().message,
                         added.error().code, i};
    }
    return triangles;
}

}  // namespace graze::io
