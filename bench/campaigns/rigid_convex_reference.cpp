#include "rigid_convex_reference.hpp"

#include <algorithm>

namespace graze::bench {

Point Solid::support(const Point& m) const {
    if (is_cylinder) {
        const Long across = std::sqrt(m.x * m.x + m.y * m.y);
        Point p = vertices[0];
        if (across > 0) {
            p.x += radius * (m.x / across);
            p.y += radius * (m.y / across);
        }
        p.z += std::copysign(half_height, m.z);
        return p;
    }
    const Point* best = &vertices[0];
    for (const Point& p : vertices)
        if (dot(m, p) > dot(m, *best)) best = &p;
    const Long size = length(m);
    return radius > 0 && size > 0 ? *best + (radius / size) * m : *best;
}

Point Solid::middle() const {
    Point sum;
    for (const Point& p : vertices)
        sum += p;
    return (1 / static_cast<Long>(vertices.size())) * sum;
}

namespace {

// --- Distances by features -----------------------------------------------------------------------

Solid moved(const Solid& solid, const Axes& pose) {
    Solid result = solid;
    for (Point& p : result.vertices)
        p = pose.apply(p);
    for (Point& n : result.normals)
        n = pose.rotate(n);
    for (Point& e : result.edges)
        e = pose.rotate(e);
    return result;
}

// The largest gap along normals and crosses of edges: below 0 where polytopes overlap.
Long gap_of_polytopes(const Solid& a, const Solid& b) {
    Long best = -1e300L;
    const auto test = [&](const Point& n) {
        const Long size = length(n);
        if (!(size > 1e-9L)) return;
        Long low_a = 1e300L, high_a = -1e300L, low_b = 1e300L, high_b = -1e300L;
        for (const Point& p : a.vertices) {
            low_a = std::min(low_a, dot(n, p));
            high_a = std::max(high_a, dot(n, p));
        }
        for (const Point& p : b.vertices) {
            low_b = std::min(low_b, dot(n, p));
            high_b = std::max(high_b, dot(n, p));
        }
        best = std::max(best, std::max(low_b - high_a, low_a - high_b) / size);
    };
    for (const Point& n : a.normals)
        test(n);
    for (const Point& n : b.normals)
        test(n);
    for (const Point& e : a.edges)
        for (const Point& g : b.edges)
            test(cross(e, g));
    return best;
}

Long segment_distance(const Point& p, const Point& q, const Point& r, const Point& s) {
    const Point d = q - p;
    const Point e = s - r;
    const Point w = p - r;
    const Long a = dot(d, d), b = dot(d, e), c = dot(e, e), f = dot(d, w), g = dot(e, w);
    const auto at = [&](Long x, Long y) { return length(w + x * d - y * e); };
    const auto clamp = [](Long x) { return std::min<Long>(1, std::max<Long>(0, x)); };
    Long best = 1e300L;
    for (const Long x : {Long{0}, Long{1}})
        best = std::min(best, at(x, c > 0 ? clamp((g + x * b) / c) : 0));
    for (const Long y : {Long{0}, Long{1}})
        best = std::min(best, at(a > 0 ? clamp((y * b - f) / a) : 0, y));
    const Long det = a * c - b * b;
    if (det > 1e-15L * a * c) {
        const Long x = (b * g - c * f) / det;
        const Long y = (a * g - b * f) / det;
        if (x >= 0 && x <= 1 && y >= 0 && y <= 1) best = std::min(best, at(x, y));
    }
    return best;
}

// From the solid polytope, 0 inside, to a segment.
Long round_to_polytope(const Solid& round, const Solid& polytope) {
    const Point& p = round.vertices[0];
    const Point& q = round.vertices[1];
    // Clip the segment by the faces: what is left is inside.
    Long from = 0, to = 1;
    for (const auto& t : polytope.triangles) {
        const Point& o = polytope.vertices[t[0]];
        const Point n = cross(polytope.vertices[t[1]] - o, polytope.vertices[t[2]] - o);
        const Long at_p = dot(n, p - o), at_q = dot(n, q - o);
        if (at_p > 0 && at_q > 0) to = -1;
        if (at_p > 0 && at_q <= 0) from = std::max(from, at_p / (at_p - at_q));
        if (at_p <= 0 && at_q > 0) to = std::min(to, at_p / (at_p - at_q));
    }
    if (from <= to) return 0;
    Long best = 1e300L;
    for (const auto& t : polytope.triangles) {
        const std::array<Point, 3> c = {polytope.vertices[t[0]], polytope.vertices[t[1]],
                                        polytope.vertices[t[2]]};
        const Point n = cross(c[1] - c[0], c[2] - c[0]);
        for (std::size_t i = 0; i < 3; ++i)
            best = std::min(best, segment_distance(p, q, c[i], c[(i + 1) % 3]));
        for (const Point& end : {p, q}) {
            bool is_over = true;
            for (std::size_t i = 0; i < 3; ++i)
                is_over = is_over && dot(cross(n, c[(i + 1) % 3] - c[i]), end - c[i]) >= 0;
            if (is_over) best = std::min(best, std::fabs(dot(n, end - c[0])) / length(n));
        }
    }
    return best;
}

// Below 0: in contact.
Long gap_by_features(const Solid& a, const Solid& b) {
    if (a.is_round() && b.is_round())
        return segment_distance(a.vertices[0], a.vertices[1], b.vertices[0], b.vertices[1]) -
               a.radius - b.radius;
    if (a.is_round()) return round_to_polytope(a, b) - a.radius;
    if (b.is_round()) return round_to_polytope(b, a) - b.radius;
    return gap_of_polytopes(a, b);
}

// --- Distances by supports -----------------------------------------------------------------------

struct Nearest {
    Point point;
    Long size = 1e300L;
    std::vector<Point> corners;
};

// The point of the affine hull of up to three points that is nearest to the origin, by Cramer's rule;
// false where a weight is negative.
bool nearest_of(const std::vector<Point>& p, Point& result) {
    result = p[0];
    if (p.size() == 1) return true;
    const Point e = p[1] - p[0];
    const Long ee = dot(e, e), ep = -dot(e, p[0]);
    if (p.size() == 2) {
        if (!(ee > 0)) return false;
        const Long u = ep / ee;
        result = p[0] + u * e;
        return u >= 0 && u <= 1;
    }
    const Point g = p[2] - p[0];
    const Long gg = dot(g, g), eg = dot(e, g), gp = -dot(g, p[0]);
    const Long det = ee * gg - eg * eg;
    if (!(det > 0)) return false;
    const Long u = (ep * gg - gp * eg) / det;
    const Long v = (gp * ee - ep * eg) / det;
    result = p[0] + u * e + v * g;
    return u >= 0 && v >= 0 && u + v <= 1;
}

// Is the origin certainly in the tetrahedron? Then `depth` is how far it is from the nearest face, at
// least. Products of three lengths are off by a few 2^-64 of the lengths.
bool holds_origin(const std::vector<Point>& p, Long& depth) {
    constexpr Long kRounding = 1e-18L;
    depth = 1e300L;
    for (std::size_t i = 0; i < 4; ++i) {
        const Point& a = p[(i + 1) % 4];
        const Point e = p[(i + 2) % 4] - a;
        const Point f = p[(i + 3) % 4] - a;
        const Point g = p[i] - a;
        const Point normal = cross(e, f);
        const Long to_origin = -dot(normal, a);
        const Long to_apex = dot(normal, g);
        const Long doubt = kRounding * length(e) * length(f) * (length(a) + length(g));
        if (!(to_origin * to_apex > 0)) return false;
        if (std::fabs(to_origin) <= doubt || std::fabs(to_apex) <= doubt) return false;
        depth = std::min(depth, (std::fabs(to_origin) - doubt) / length(normal));
    }
    return true;
}

// The nearest of all faces of the simplex: every subset of up to three corners is tried.
Nearest nearest_of_simplex(const std::vector<Point>& p) {
    Nearest best;
    for (unsigned set = 1; set < (1U << p.size()); ++set) {
        std::vector<Point> corners;
        for (std::size_t i = 0; i < p.size(); ++i)
            if ((set >> i & 1U) != 0) corners.push_back(p[i]);
        Point point;
        if (corners.size() > 3 || !nearest_of(corners, point)) continue;
        const Long size = length(point);
        if (size < best.size) {
            best.point = point;
            best.size = size;
            best.corners = corners;
        }
    }
    return best;
}

// Gilbert, Johnson and Keerthi: an upper bound by a point of the differences, a lower one by a
// direction along which the solids are separated; overlap where the origin is in a tetrahedron of
// differences. What is farther than kFar is not refined.
GapBounds gap_by_supports(const PlacedSolid& a, const PlacedSolid& b) {
    constexpr Long kFar = 0.06L;
    constexpr Long kEnough = 1e-16L;
    std::vector<Point> simplex;
    Point v = b.pose.apply(b.solid.middle()) - a.pose.apply(a.solid.middle());
    GapBounds bounds{0, length(v)};
    for (int i = 0; i < 200; ++i) {
        const Long size = length(v);
        if (!(size > 1e-18L)) return {0, 0};
        const Point w = b.support(-v) - a.support(v);
        bounds.lower = std::max(bounds.lower, dot(v, w) / size);
        if (bounds.lower > kFar) return {bounds.lower, bounds.lower};
        if (!simplex.empty() && bounds.upper - bounds.lower < kEnough) return bounds;
        simplex.push_back(w);
        Long depth = 0;
        if (simplex.size() == 4 && holds_origin(simplex, depth)) return {-depth, -depth};
        Nearest nearest = nearest_of_simplex(simplex);
        if (i > 0 && !(nearest.size < size)) return bounds;
        simplex = std::move(nearest.corners);
        v = nearest.point;
        bounds.upper = nearest.size;
    }
    return bounds;
}

}  // namespace

GapBounds gap_of(const PlacedSolid& a, const PlacedSolid& b, bool are_rigid) {
    if (!are_rigid || a.solid.is_cylinder || b.solid.is_cylinder) return gap_by_supports(a, b);
    const Long gap = gap_by_features(moved(a.solid, a.pose), moved(b.solid, b.pose));
    return {gap, gap};
}

}  // namespace graze::bench
