#include "rigid/dynamics/manifold.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "graze/core/elementary.hpp"
#include "graze/core/quaternion.hpp"
#include "rigid/convex/simplex.hpp"
#include "rigid/nearest_faces.hpp"

namespace graze::rigid::detail {
namespace {

// A point of a feature: across the normal, and how far it is along it.
struct FlatPoint {
    double u = 0.0;
    double v = 0.0;
    double height = 0.0;
};
using Polygon = std::vector<FlatPoint>;  // counterclockwise; two points: a segment

// The directions across a normal.
struct Plane {
    Vec3 origin;
    Vec3 n;
    Vec3 s;
    Vec3 t;

    Plane(const Vec3& at, const Vec3& normal) noexcept : origin(at), n(normal) {
        const Vec3 other = std::fabs(n.x) < 0.6 ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
        s = cross(n, other);
        s = (1.0 / norm(s)) * s;
        t = cross(n, s);
    }
    [[nodiscard]] FlatPoint flat(const Vec3& p) const noexcept {
        const Vec3 d = p - origin;
        return {dot(s, d), dot(t, d), dot(n, d)};
    }
    [[nodiscard]] Vec3 point(double u, double v, double height) const noexcept {
        return origin + u * s + v * t + height * n;
    }
};

[[nodiscard]] double area_of(const FlatPoint& a, const FlatPoint& b, const FlatPoint& c) noexcept {
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

constexpr std::size_t kRimPoints = 8;

// Points that may be extreme in the direction m of the frame, to which a rounding is to be added.
void append_vertices(const ConvexShape& shape, const Vec3& m, std::vector<Vec3>& points) {
    const Vec3& c = shape.centre();
    const Vec3& h = shape.size();
    switch (shape.core()) {
        case ConvexShape::Core::Point:
            points.push_back(c);
            return;
        case ConvexShape::Core::Segment:
            points.push_back(c);
            points.push_back(h);
            return;
        case ConvexShape::Core::Box:
            for (int i = 0; i < 8; ++i)
                points.push_back({c.x + ((i & 1) != 0 ? h.x : -h.x),
                                  c.y + ((i & 2) != 0 ? h.y : -h.y),
                                  c.z + ((i & 4) != 0 ? h.z : -h.z)});
            return;
        case ConvexShape::Core::Cylinder: {
            const double phase = arc_tangent(m.y, m.x);
            for (std::size_t i = 0; i < kRimPoints; ++i) {
                const double angle = phase + 2.0 * std::numbers::pi * static_cast<double>(i) /
                                                 static_cast<double>(kRimPoints);
                const double x = c.x + h.x * cosine(angle);
                const double y = c.y + h.x * sine(angle);
                points.push_back({x, y, c.z + h.z});
                points.push_back({x, y, c.z - h.z});
            }
            return;
        }
        case ConvexShape::Core::Hull:
            points.insert(points.end(), shape.points().begin(), shape.points().end());
            return;
    }
}

// The convex polygon around points (monotone chain).
[[nodiscard]] Polygon outline(Polygon points, double size) {
    std::sort(points.begin(), points.end(), [](const FlatPoint& a, const FlatPoint& b) {
        return a.u != b.u ? a.u < b.u : a.v != b.v ? a.v < b.v : a.height < b.height;
    });
    const double flat = 1e-6 * size * size;
    Polygon hull;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t base = hull.size();
        for (const FlatPoint& p : points) {
            while (hull.size() >= base + 2 &&
                   area_of(hull[hull.size() - 2], hull.back(), p) <= flat)
                hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull.empty() ? Polygon{points.front()} : hull;
}

// How far points of a feature may lie behind the extreme one: faces that are tilted by some degrees touch
// with all their vertices soon. A fraction of the smaller body, and of the thickness of its own.
constexpr double kFeatureDepth = 0.04;
constexpr double kOfThickness = 0.25;

// The feature of a body that faces the other: `side` is 1 for A (its normal side is up), -1 for B.
[[nodiscard]] Polygon feature_of(const ConvexShape& shape, const Pose& pose, const Plane& plane,
                                 double side, double most_depth) {
    const Vec3 m = rotate(conjugate(pose.rotation), side * plane.n);
    std::vector<Vec3> vertices;
    append_vertices(shape, m, vertices);
    double extreme = -kInfinity;
    double least = kInfinity;
    double size = 0.0;
    for (const Vec3& p : vertices) {
        extreme = std::max(extreme, dot(m, p));
        least = std::min(least, dot(m, p));
        size = std::max(size, norm_max(p - vertices.front()));
    }
    const double depth =
        vertices.size() > 2 ? std::min(most_depth, kOfThickness * (extreme - least)) : most_depth;
    Polygon points;
    for (const Vec3& p : vertices) {
        if (dot(m, p) < extreme - depth) continue;
        points.push_back(plane.flat(apply(pose, p)));
        points.back().height += side * shape.rounding();
    }
    return outline(std::move(points), size);
}

// Height of the plane, the line or the point of a feature above (u, v).
class HeightOf {
public:
    explicit HeightOf(const Polygon& polygon) noexcept {
        FlatPoint normal;  // (u, v) and height of Newell's normal
        const std::size_t n = polygon.size();
        for (std::size_t i = 0; i < n; ++i) {
            const FlatPoint& p = polygon[i];
            const FlatPoint& q = polygon[(i + 1) % n];
            normal.u += (p.v - q.v) * (p.height + q.height);
            normal.v += (p.height - q.height) * (p.u + q.u);
            normal.height += (p.u - q.u) * (p.v + q.v);
            middle_.u += p.u / static_cast<double>(n);
            middle_.v += p.v / static_cast<double>(n);
            middle_.height += p.height / static_cast<double>(n);
        }
        if (n >= 3 && normal.height != 0.0) {
            slope_u_ = -normal.u / normal.height;
            slope_v_ = -normal.v / normal.height;
        } else if (n == 2) {
            const double du = polygon[1].u - polygon[0].u;
            const double dv = polygon[1].v - polygon[0].v;
            const double length_sq = du * du + dv * dv;
            if (length_sq > 0.0) {
                const double slope = (polygon[1].height - polygon[0].height) / length_sq;
                slope_u_ = slope * du;
                slope_v_ = slope * dv;
            }
        }
    }
    [[nodiscard]] double at(double u, double v) const noexcept {
        return middle_.height + slope_u_ * (u - middle_.u) + slope_v_ * (v - middle_.v);
    }

private:
    FlatPoint middle_;
    double slope_u_ = 0.0;
    double slope_v_ = 0.0;
};

[[nodiscard]] FlatPoint between(const FlatPoint& p, const FlatPoint& q, double f) noexcept {
    return {p.u + f * (q.u - p.u), p.v + f * (q.v - p.v), p.height + f * (q.height - p.height)};
}

// What is to the left of a -> b.
[[nodiscard]] Polygon clipped(const Polygon& subject, const FlatPoint& a, const FlatPoint& b) {
    Polygon kept;
    const std::size_t n = subject.size();
    const std::size_t edges = n == 2 ? 1 : n;
    for (std::size_t i = 0; i < n; ++i) {
        const FlatPoint& p = subject[i];
        const double side_p = area_of(a, b, p);
        if (side_p >= 0.0) kept.push_back(p);
        if (i >= edges) continue;
        const FlatPoint& q = subject[(i + 1) % n];
        const double side_q = area_of(a, b, q);
        if ((side_p < 0.0) != (side_q < 0.0))
            kept.push_back(between(p, q, side_p / (side_p - side_q)));
    }
    return kept;
}

// Of two segments that lie along each other, what both have in common; nothing of others.
[[nodiscard]] Polygon common_segment(const Polygon& a, const Polygon& b) {
    const double du = a[1].u - a[0].u;
    const double dv = a[1].v - a[0].v;
    const double eu = b[1].u - b[0].u;
    const double ev = b[1].v - b[0].v;
    const double lengths = std::sqrt((du * du + dv * dv) * (eu * eu + ev * ev));
    constexpr double kParallel = 0.1;
    if (!(std::fabs(du * ev - dv * eu) < kParallel * lengths)) return {};
    const double length_sq = du * du + dv * dv;
    const auto along = [&](const FlatPoint& p) {
        return ((p.u - a[0].u) * du + (p.v - a[0].v) * dv) / length_sq;
    };
    const double first = along(b[0]);
    const double last = along(b[1]);
    const double begin = std::max(0.0, std::min(first, last));
    const double end = std::min(1.0, std::max(first, last));
    if (!(begin < end)) return {};
    return {between(a[0], a[1], begin), between(a[0], a[1], end)};
}

// The part of both features that lies above each other, with the heights of A's.
[[nodiscard]] Polygon common_part(const Polygon& a, const Polygon& b, bool& is_of_a) {
    is_of_a = true;
    if (a.size() < 2 || b.size() < 2) return {};
    if (a.size() == 2 && b.size() == 2) return common_segment(a, b);
    is_of_a = b.size() >= 3;
    const Polygon& window = is_of_a ? b : a;
    Polygon part = is_of_a ? a : b;
    for (std::size_t i = 0; i < window.size() && !part.empty(); ++i)
        part = clipped(part, window[i], window[(i + 1) % window.size()]);
    return part;
}

struct FlatContact {
    double u = 0.0;
    double v = 0.0;
    double height = 0.0;
    double gap = 0.0;
};

[[nodiscard]] double distance_sq(const FlatContact& a, const FlatContact& b) noexcept {
    return (a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v);
}

// Four of many: the deepest, the farthest from it, and the farthest to either side of these two.
void reduce_to_four(std::vector<FlatContact>& contacts) {
    if (contacts.size() <= 4) return;
    std::vector<FlatContact> best;
    const auto take = [&](const auto& measure) {
        std::size_t index = 0;
        double largest = -kInfinity;
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const double value = measure(contacts[i]);
            if (value > largest) {
                largest = value;
                index = i;
            }
        }
        best.push_back(contacts[index]);
        contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(index));
    };
    take([](const FlatContact& c) { return -c.gap; });
    take([&](const FlatContact& c) { return distance_sq(c, best[0]); });
    const auto side = [&](const FlatContact& c) {
        return (best[1].u - best[0].u) * (c.v - best[0].v) -
               (best[1].v - best[0].v) * (c.u - best[0].u);
    };
    take([&](const FlatContact& c) { return side(c); });
    take([&](const FlatContact& c) { return -side(c); });
    contacts = std::move(best);
}

[[nodiscard]] std::vector<FlatContact> flat_contacts(const Polygon& a, const Polygon& b,
                                                     double reach) {
    bool is_of_a = true;
    const Polygon part = common_part(a, b, is_of_a);
    const HeightOf other(is_of_a ? b : a);
    std::vector<FlatContact> contacts;
    for (const FlatPoint& p : part) {
        const double there = other.at(p.u, p.v);
        const double gap = is_of_a ? there - p.height : p.height - there;
        if (gap <= reach) contacts.push_back({p.u, p.v, 0.5 * (p.height + there), gap});
    }
    reduce_to_four(contacts);
    return contacts;
}

[[nodiscard]] bool is_round(const ConvexShape& shape) noexcept {
    return shape.core() == ConvexShape::Core::Point;
}

[[nodiscard]] Vec3 weighted(const Simplex& simplex, Vec3 SimplexPoint::*point) noexcept {
    Vec3 sum;
    for (std::size_t i = 0; i < simplex.size; ++i)
        sum = sum + simplex.weights[i] * (simplex.points[i].*point);
    return sum;
}

}  // namespace

std::optional<ClosestPoints> closest_points(const ConvexShape& a, const Pose& pose_a,
                                            const ConvexShape& b, const Pose& pose_b) noexcept {
    const BodyMotion rest_a = BodyMotion::rest(pose_a);
    const BodyMotion rest_b = BodyMotion::rest(pose_b);
    const MovingShape shape_a(a, rest_a);
    const MovingShape shape_b(b, rest_b);
    const PairFrame frame = PairFrames(shape_a, shape_b, pose_a.translation).at(0.0);
    Simplex simplex;
    const NearestDifference nearest =
        nearest_difference(shape_a, shape_b, frame, simplex, a.rounding() + b.rounding());
    const double distance = std::sqrt(norm_sq(nearest.v));
    if (nearest.overlaps || !(distance > 0.0)) return std::nullopt;
    ClosestPoints result;
    result.normal = (1.0 / distance) * nearest.v;
    result.gap = distance - a.rounding() - b.rounding();
    result.on_a =
        apply(pose_a, weighted(simplex, &SimplexPoint::on_a)) + a.rounding() * result.normal;
    result.on_b =
        apply(pose_b, weighted(simplex, &SimplexPoint::on_b)) - b.rounding() * result.normal;
    return result;
}

Manifold manifold_of(const ConvexShape& a, const Pose& pose_a, const ConvexShape& b,
                     const Pose& pose_b, double reach) {
    Manifold manifold;
    const auto closest = closest_points(a, pose_a, b, pose_b);
    if (!closest || !(closest->gap <= reach)) return manifold;
    const Vec3 middle = 0.5 * (closest->on_a + closest->on_b);
    if (!is_round(a) && !is_round(b)) {
        const Plane plane(middle, closest->normal);
        const double depth = kFeatureDepth * std::min(a.core_radius() + a.rounding(),
                                                      b.core_radius() + b.rounding());
        for (const FlatContact& c :
             flat_contacts(feature_of(a, pose_a, plane, 1.0, depth),
                           feature_of(b, pose_b, plane, -1.0, depth), reach)) {
            // Features are estimates: none is nearer than the nearest points.
            manifold.points[manifold.size++] = {plane.point(c.u, c.v, c.height), closest->normal,
                                                std::max(c.gap, closest->gap)};
        }
    }
    // One point of a feature alone would leave out where the bodies are nearest.
    if (manifold.size < 2) {
        manifold.points[0] = {middle, closest->normal, closest->gap};
        manifold.size = 1;
    }
    return manifold;
}

namespace {

using WorldTriangle = std::array<Vec3, 3>;

struct TriangleBox {
    WorldTriangle triangle;
    Vec3 lower;
    Vec3 upper;

    [[nodiscard]] bool is_near(const TriangleBox& o, double reach) const noexcept {
        for (std::size_t i = 0; i < 3; ++i)
            if (lower[i] > o.upper[i] + reach || o.lower[i] > upper[i] + reach) return false;
        return true;
    }
};

// Those within `reach` of the ball around the other body.
[[nodiscard]] std::vector<TriangleBox> triangles_near(const Polyhedron& surface, const Pose& pose,
                                                      const Vec3& centre, double reach) {
    std::vector<TriangleBox> result;
    std::vector<Vec3> world;
    for (const Vec3& p : surface.positions())
        world.push_back(apply(pose, p));
    for (const auto& t : surface.triangles()) {
        TriangleBox box;
        box.triangle = {world[t[0]], world[t[1]], world[t[2]]};
        bool is_near = true;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto& v = box.triangle;
            box.lower[i] = std::min({v[0][i], v[1][i], v[2][i]});
            box.upper[i] = std::max({v[0][i], v[1][i], v[2][i]});
            is_near =
                is_near && box.lower[i] <= centre[i] + reach && box.upper[i] >= centre[i] - reach;
        }
        if (is_near) result.push_back(box);
    }
    return result;
}

// Beside a nearer point: triangles that meet there have such nearest points at their borders, with
// directions that are none of the surface.
[[nodiscard]] bool is_beside(const ManifoldPoint& a, const ManifoldPoint& b, double near) noexcept {
    return norm_sq(a.position - b.position) < near * near;
}

}  // namespace

Manifold manifold_of(const RigidBody& a, const Pose& pose_a, const RigidBody& b, const Pose& pose_b,
                     double reach) {
    const Polyhedron& surface_a = a.surface();
    const Polyhedron& surface_b = b.surface();
    const std::vector<TriangleBox> of_a = triangles_near(
        surface_a, pose_a, apply(pose_b, surface_b.centre()), surface_b.radius() + reach);
    const std::vector<TriangleBox> of_b = triangles_near(
        surface_b, pose_b, apply(pose_a, surface_a.centre()), surface_a.radius() + reach);
    std::vector<ManifoldPoint> found;
    for (const TriangleBox& x : of_a) {
        for (const TriangleBox& y : of_b) {
            if (!x.is_near(y, reach)) continue;
            const NearestPoints nearest = nearest_of_triangles(x.triangle, y.triangle, reach);
            const Vec3 across = nearest.on_b - nearest.on_a;
            const double length = std::sqrt(norm_sq(across));
            if (!(nearest.distance < reach) || !(length > 0.0)) continue;
            found.push_back({0.5 * (nearest.on_a + nearest.on_b), (1.0 / length) * across, length});
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const ManifoldPoint& p, const ManifoldPoint& q) { return p.gap < q.gap; });
    const double near = 0.1 * std::min(surface_a.radius(), surface_b.radius());
    Manifold manifold;
    for (const ManifoldPoint& point : found) {
        if (manifold.size == Manifold::kMostPoints) break;
        const auto end = manifold.points.begin() + static_cast<std::ptrdiff_t>(manifold.size);
        if (std::none_of(manifold.points.begin(), end,
                         [&](const ManifoldPoint& p) { return is_beside(p, point, near); }))
            manifold.points[manifold.size++] = point;
    }
    return manifold;
}

}  // namespace graze::rigid::detail
