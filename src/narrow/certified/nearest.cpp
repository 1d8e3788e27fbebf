#include "narrow/certified/nearest.hpp"

#include <algorithm>
#include <limits>

namespace graze::certified {
namespace {

std::size_t edge_count(Shape shape) noexcept {
    switch (shape) {
        case Shape::Triangle:
            return 3;
        case Shape::Parallelogram:
            return 4;
        case Shape::Point:
        case Shape::Segment:
            break;
    }
    return 1;  // of a point: from its corner to the copy of it
}

std::size_t edge_end(Shape shape, std::size_t begin) noexcept {
    return begin + 1 == edge_count(shape) && begin > 0 ? 0 : begin + 1;
}

bool has_plane(Shape shape) noexcept {
    return shape == Shape::Triangle || shape == Shape::Parallelogram;
}

// The hull as origin + s along_s + t along_t.
struct Plane {
    Vec3 origin;
    Vec3 along_s;
    Vec3 along_t;
};
Plane plane_of(Shape shape, const HullCorners& c) noexcept {
    const Vec3& last = shape == Shape::Parallelogram ? c[3] : c[2];
    return {c[0], c[1] - c[0], has_plane(shape) ? last - c[0] : Vec3{}};
}

struct Place {
    double s = 0.0;
    double t = 0.0;
};
Vec3 point_at(const Plane& plane, const Place& at) noexcept {
    return plane.origin + at.s * plane.along_s + at.t * plane.along_t;
}
Weights weights_at(Shape shape, const Place& at) noexcept {
    const double s = std::clamp(at.s, 0.0, 1.0);
    const double t = std::clamp(at.t, 0.0, 1.0);
    if (shape == Shape::Parallelogram) {
        return {(1.0 - s) * (1.0 - t), s * (1.0 - t), s * t, (1.0 - s) * t};
    }
    return {std::max(0.0, 1.0 - s - t), s, t, 0.0};
}

struct NearestOnEdge {
    Vec3 point;
    Vec3 along;
    double distance_sq = std::numeric_limits<double>::infinity();
    double fraction = 0.0;
    std::size_t edge = 0;
};

// Every comparison is false for 0 / 0, which therefore never happens.
NearestOnEdge nearest_on_edge(Shape shape, const HullCorners& c, std::size_t edge) noexcept {
    const Vec3& begin = c[edge];
    const Vec3& end = c[edge_end(shape, edge)];
    NearestOnEdge found{begin, end - begin, 0.0, 0.0, edge};
    const double ahead = -dot(begin, found.along);
    const double length_sq = norm_sq(found.along);
    if (ahead >= length_sq && ahead > 0.0) {
        found.fraction = 1.0;
        found.point = end;
    } else if (ahead > 0.0) {
        found.fraction = ahead / length_sq;
        found.point = begin + found.fraction * found.along;
    }
    found.distance_sq = norm_sq(found.point);
    return found;
}

NearestOnEdge nearest_on_edges(Shape shape, const HullCorners& c) noexcept {
    NearestOnEdge best = nearest_on_edge(shape, c, 0);
    for (std::size_t edge = 1; edge < edge_count(shape); ++edge) {
        const NearestOnEdge other = nearest_on_edge(shape, c, edge);
        if (other.distance_sq < best.distance_sq) best = other;
    }
    return best;
}

// `point` where it is near an end; else what remains of it across the edge. The point itself is a
// sum in which all but its last digits may cancel, so that it is not quite perpendicular.
Vec3 across(const NearestOnEdge& on_edge) noexcept {
    if (!(on_edge.fraction > 0.0 && on_edge.fraction < 1.0)) return on_edge.point;
    const double share = dot(on_edge.point, on_edge.along) / norm_sq(on_edge.along);
    return on_edge.point - share * on_edge.along;
}

// Where the perpendicular from the origin meets the plane, if that is in the hull. s is as good as
// the angle between the two sides; t is the best one for that s, which mends most of what s lacks.
std::optional<Place> foot_in_hull(Shape shape, const Plane& plane, const Vec3& normal) noexcept {
    const double s = -dot(cross(plane.origin, plane.along_t), normal) / norm_sq(normal);
    const Vec3 at_s = plane.origin + s * plane.along_s;
    const double t = -dot(at_s, plane.along_t) / norm_sq(plane.along_t);
    const double t_most = shape == Shape::Triangle ? 1.0 - s : 1.0;
    if (!(s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= t_most)) return std::nullopt;
    return Place{s, t};
}

}  // namespace

NearestPoint nearest_point(Shape shape, const HullCorners& corners) noexcept {
    const NearestOnEdge on_edge = nearest_on_edges(shape, corners);
    NearestPoint nearest{on_edge.point, {}, across(on_edge), {}};
    nearest.weights[on_edge.edge] = 1.0 - on_edge.fraction;
    nearest.weights[edge_end(shape, on_edge.edge)] += on_edge.fraction;
    if (!has_plane(shape)) return nearest;
    const Plane plane = plane_of(shape, corners);
    const Vec3 normal = cross(plane.along_s, plane.along_t);
    nearest.normal = dot(normal, plane.origin) < 0.0 ? -normal : normal;
    const std::optional<Place> foot = foot_in_hull(shape, plane, normal);
    if (!foot) return nearest;
    const Vec3 point = point_at(plane, *foot);
    // Not so where the plane is badly known.
    if (!(norm_sq(point) < on_edge.distance_sq)) return nearest;
    nearest.point = point;
    nearest.weights = weights_at(shape, *foot);
    return nearest;
}

namespace {

// Convex, in its own plane; a point has one corner, a segment two.
struct Polygon {
    static constexpr std::size_t kCapacity = 16;
    std::array<Place, kCapacity> corner;
    std::size_t count = 0;

    // Beyond its capacity corners are lost, which rounding alone could bring about: four corners,
    // and one more from each of six cuts.
    void add(const Place& place) noexcept {
        if (count < kCapacity) corner[count++] = place;
    }
};

Polygon whole(Shape shape) noexcept {
    constexpr std::array<Place, 4> kSquare = {Place{0, 0}, Place{1, 0}, Place{1, 1}, Place{0, 1}};
    Polygon polygon;
    polygon.add(kSquare[0]);
    if (shape != Shape::Point) polygon.add(kSquare[1]);
    if (shape == Shape::Parallelogram) polygon.add(kSquare[2]);
    if (has_plane(shape)) polygon.add(kSquare[3]);
    return polygon;
}

// What is left where at_zero + s along_s + t along_t >= 0.
struct HalfPlane {
    double at_zero;
    double along_s;
    double along_t;
    [[nodiscard]] double at(const Place& p) const noexcept {
        return at_zero + p.s * along_s + p.t * along_t;
    }
};

Polygon cut(const Polygon& polygon, const HalfPlane& half) noexcept {
    Polygon rest;
    for (std::size_t i = 0; i < polygon.count; ++i) {
        const Place& here = polygon.corner[i];
        const Place& next = polygon.corner[i + 1 < polygon.count ? i + 1 : 0];
        const double h = half.at(here);
        const double g = half.at(next);
        if (h >= 0.0) rest.add(here);
        if ((h > 0.0 && g < 0.0) || (h < 0.0 && g > 0.0)) {
            const double x = h / (h - g);
            rest.add({here.s + x * (next.s - here.s), here.t + x * (next.t - here.t)});
        }
    }
    return rest;
}

}  // namespace

std::optional<Weights> point_in_cube(Shape shape, const HullCorners& corners,
                                     double half_side) noexcept {
    const Plane plane = plane_of(shape, corners);
    Polygon polygon = whole(shape);
    for (std::size_t axis = 0; axis < 3 && polygon.count > 0; ++axis) {
        const double p = plane.origin[axis];
        const double s = plane.along_s[axis];
        const double t = plane.along_t[axis];
        polygon = cut(cut(polygon, {half_side - p, -s, -t}), {half_side + p, s, t});
    }
    if (polygon.count == 0) return std::nullopt;
    Place middle;
    for (std::size_t i = 0; i < polygon.count; ++i) {
        middle.s += polygon.corner[i].s;
        middle.t += polygon.corner[i].t;
    }
    const double share = static_cast<double>(polygon.count);
    return weights_at(shape, {middle.s / share, middle.t / share});
}

CubeDirections cube_directions(Shape shape, const HullCorners& corners) noexcept {
    CubeDirections found;
    const auto add = [&](const Vec3& n) { found.direction[found.count++] = n; };
    const auto add_edge = [&](const Vec3& e) {
        add({0.0, e.z, -e.y});
        add({-e.z, 0.0, e.x});
        add({e.y, -e.x, 0.0});
    };
    if (shape == Shape::Point) return found;
    const Plane plane = plane_of(shape, corners);
    if (has_plane(shape)) add(cross(plane.along_s, plane.along_t));
    add_edge(plane.along_s);
    if (has_plane(shape)) add_edge(plane.along_t);
    if (shape == Shape::Triangle) add_edge(corners[2] - corners[1]);
    return found;
}

}  // namespace graze::certified
