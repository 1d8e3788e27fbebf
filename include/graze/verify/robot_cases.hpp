// Segments with a contact that is constructed at a known time, near misses, and clearances by samples:
// what checks of motions are verified with. In long double, apart from what is given to the library.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "graze/robot/check.hpp"
#include "graze/verify/robot_reference.hpp"

namespace graze::robot::reference {

// A tetrahedron in the frame of a link or of the world, and how the library gets it.
enum class Form : std::uint8_t { Surface, Hull, Ball };
struct Solid {
    std::array<Point, 4> corners;
    Form form = Form::Surface;
    Long radius = 0;  // a ball about corners[0]
};

struct MotionCase {
    Robot robot;
    std::vector<Obstacle> obstacles;
    Segment segment;
    Long time = 0;  // of the contact
    // B as seen from A, a link or the world.
    std::optional<LinkId> link_a;
    LinkId link_b = 0;
    Solid a;
    Solid b;

    [[nodiscard]] Expected<Scene> scene(double margin = 0.0) const {
        SceneOptions options;
        options.margin = margin;
        options.derive_allowed = false;
        return Scene::create(robot, obstacles, options);
    }
    // From the frame of B's link to that of A.
    [[nodiscard]] ExactPose relative(Long t) const {
        const auto links = exact_links(robot, segment, t);
        if (!link_a) return links[link_b];
        ExactPose back;
        const ExactPose& from = links[*link_a];
        for (std::size_t i = 0; i < 3; ++i)
            back.rows[i] = {from.rows[0][i], from.rows[1][i], from.rows[2][i]};
        back.translation = -from.rotate_back(from.translation);
        return product(back, links[link_b]);
    }
};

inline Vec3 narrow(const Point& p) {
    return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

// In a frame of its own, posed at random: corners are rounded there.
inline Geometry geometry_of(Random& rng, Solid& solid) {
    const Pose pose = {random_rotation(rng), random_vector(rng, 0.2)};
    const ExactPose frame = exact(pose);
    std::array<Vec3, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
        corners[i] = narrow(frame.back(solid.corners[i]));
        solid.corners[i] = frame(wide(corners[i]));
    }
    if (solid.form == Form::Ball)
        return {*rigid::ConvexShape::sphere(static_cast<double>(solid.radius), corners[0]), pose};
    if (solid.form == Form::Hull) return {*rigid::ConvexShape::hull(corners), pose};
    std::array<std::array<std::uint32_t, 3>, 4> faces = {
        {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
    const Vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
    if (dot(normal, corners[3] - corners[0]) < 0.0)
        for (auto& face : faces)
            std::swap(face[0], face[1]);
    auto body = rigid::RigidBody::create(corners, faces);
    return {std::make_shared<const rigid::RigidBody>(*std::move(body)), pose};
}

inline Point random_unit(Random& rng) {
    while (true) {
        const Point p = wide(random_vector(rng));
        const Long size = length(p);
        if (size > 0.1L && size < 1) return (1 / size) * p;
    }
}
inline Point across(Random& rng, const Point& n) {
    while (true) {
        const Point p = random_unit(rng);
        const Point q = p - dot(p, n) * n;
        if (length(q) > 0.3L) return (1 / length(q)) * q;
    }
}

// How both bodies are about the point x, with B on the side of n: one of them has a vertex, an edge or a
// face there.
enum class TouchingFeature : std::uint8_t { Vertex, Edge, Face };
inline std::array<Point, 4> corners_about(Random& rng, const Point& x, const Point& n,
                                          TouchingFeature feature, const Point& edge) {
    const Long size = uniform(rng, 0.02, 0.2);
    const Point e = size * edge;
    const Point f = size * cross(n, edge);
    const Point h = static_cast<Long>(uniform(rng, 0.3, 1.0)) * size * n;
    switch (feature) {
        case TouchingFeature::Vertex:
            return {x, x + h + e, x + h - Long{0.5} * e + f, x + h - Long{0.5} * e - f};
        case TouchingFeature::Edge:
            return {x - e, x + Long{0.8} * e, x + h + f, x + h - f};
        case TouchingFeature::Face:
            break;
    }
    return {x + e, x - Long{0.5} * e + f, x - Long{0.6} * e - f, x + h};
}

// The velocity of a point of B as seen from A.
inline Point velocity(const MotionCase& c, const Point& p, Long t) {
    constexpr Long kStep = 1e-6L;
    return (1 / (2 * kStep)) * (c.relative(t + kStep)(p) - c.relative(t - kStep)(p));
}

// Bodies that touch at `time`, and move into each other there; with gap > 0 they are that far from each
// other then, and move along each other (a near miss, mostly).
inline MotionCase random_motion_case(std::uint64_t seed, double gap = 0.0) {
    for (std::uint64_t attempt = 0;; ++attempt) {
        Random rng(seed * 1'000'003 + attempt);
        RobotDescription description = random_tree(rng, 2 + rng() % 7);
        auto robot = Robot::create(description);
        if (!robot) continue;
        MotionCase c{*robot, {}, {}, 0, {}, 0, {}, {}};
        c.segment = random_segment(rng, *robot, rng() % 3 == 0 ? 1.0 : 0.1);
        c.time = uniform(rng, 0.02, 0.98);
        c.link_b = static_cast<LinkId>(1 + rng() % (robot->links().size() - 1));
        if (rng() % 2 == 0) c.link_a = static_cast<LinkId>(rng() % robot->links().size());
        if (c.link_a == c.link_b) continue;
        const Point p = wide(random_vector(rng, 0.3));  // in the frame of B
        const Point v = velocity(c, p, c.time);
        if (!(length(v) > 0.01L)) continue;
        Point n = random_unit(rng);
        if (gap > 0.0) {
            n = across(rng, (1 / length(v)) * v);
        } else if (!(dot(n, v) < -0.2L * length(v))) {
            continue;
        }
        const ExactPose to_a = c.relative(c.time);
        const Point x = to_a(p);
        const auto kind = rng() % 3;
        const Point edge = across(rng, n);
        const Point turned = rng() % 2 == 0 ? edge + cross(n, edge) : cross(n, edge);
        const Point other = (1 / length(turned)) * turned;
        const TouchingFeature of_a = kind == 0   ? TouchingFeature::Face
                                     : kind == 1 ? TouchingFeature::Vertex
                                                 : TouchingFeature::Edge;
        const TouchingFeature of_b = kind == 0   ? TouchingFeature::Vertex
                                     : kind == 1 ? TouchingFeature::Face
                                                 : TouchingFeature::Edge;
        c.a.corners = corners_about(rng, x - Long{gap} * n, -n, of_a, edge);
        std::array<Point, 4> b = corners_about(rng, x, n, of_b, other);
        constexpr std::array kForms = {Form::Surface, Form::Surface, Form::Hull};
        c.a.form = kForms[rng() % 3];
        c.b.form = kForms[rng() % 3];
        if (rng() % 6 == 0) {
            c.b.form = Form::Ball;
            c.b.radius = static_cast<double>(uniform(rng, 0.01, 0.2));
            b[0] = x + c.b.radius * n;
        }
        for (std::size_t i = 0; i < 4; ++i)
            c.b.corners[i] = to_a.back(b[i]);
        const Geometry on_a = geometry_of(rng, c.a);
        description.links[c.link_b].geometry.push_back(geometry_of(rng, c.b));
        if (c.link_a) {
            description.links[*c.link_a].geometry.push_back(on_a);
        } else {
            c.obstacles.push_back({"obstacle", on_a});
        }
        c.robot = *Robot::create(description);
        return c;
    }
}

// --- Distances -----------------------------------------------------------------------------------

inline Long clamped(Long x) {
    return std::clamp(x, Long{0}, Long{1});
}
inline Long distance_of_segments(const Point& p, const Point& p1, const Point& q, const Point& q1) {
    const Point d = p1 - p;
    const Point e = q1 - q;
    Long least = 1e300L;
    const auto at = [&](Long s) {
        const Long t = clamped(dot(e, p + s * d - q) / norm_sq(e));
        const Long s2 = clamped(dot(d, q + t * e - p) / norm_sq(d));
        least = std::min(least, length(p + s2 * d - q - t * e));
    };
    const Point r = p - q;
    const Long det = norm_sq(d) * norm_sq(e) - dot(d, e) * dot(d, e);
    at(0);
    at(1);
    if (det > 0) at(clamped((dot(d, e) * dot(e, r) - dot(d, r) * norm_sq(e)) / det));
    return least;
}
// Over the inside of the triangle alone: its edges are others' work.
inline Long distance_to_inside(const Point& p, const Point& a, const Point& b, const Point& c) {
    const Point n = cross(b - a, c - a);
    const auto is_inside = [&](const Point& u, const Point& v) {
        return dot(n, cross(v - u, p - u)) >= 0;
    };
    if (!is_inside(a, b) || !is_inside(b, c) || !is_inside(c, a)) return 1e300L;
    return std::fabs(dot(n, p - a)) / length(n);
}

constexpr std::array<std::array<std::size_t, 2>, 6> kEdges = {
    {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};
constexpr std::array<std::array<std::size_t, 3>, 4> kFaces = {
    {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}}};

// The largest gap along normals of faces and crosses of edges: above 0 where they are disjoint.
inline bool are_disjoint(const std::array<Point, 4>& a, const std::array<Point, 4>& b) {
    const auto separates = [&](const Point& n) {
        Long low_a = 1e300L, high_a = -1e300L, low_b = 1e300L, high_b = -1e300L;
        for (std::size_t i = 0; i < 4; ++i) {
            low_a = std::min(low_a, dot(n, a[i]));
            high_a = std::max(high_a, dot(n, a[i]));
            low_b = std::min(low_b, dot(n, b[i]));
            high_b = std::max(high_b, dot(n, b[i]));
        }
        return low_b > high_a || low_a > high_b;
    };
    for (const auto& s : {a, b})
        for (const auto& [i, j, k] : kFaces)
            if (separates(cross(s[j] - s[i], s[k] - s[i]))) return true;
    for (const auto& [i, j] : kEdges)
        for (const auto& [k, l] : kEdges)
            if (separates(cross(a[j] - a[i], b[l] - b[k]))) return true;
    return false;
}

// 0 where the bodies have a point in common.
inline Long distance_at(const MotionCase& c, Long t) {
    const ExactPose to_a = c.relative(t);
    std::array<Point, 4> b;
    for (std::size_t i = 0; i < 4; ++i)
        b[i] = to_a(c.b.corners[i]);
    const std::array<Point, 4>& a = c.a.corners;
    Long least = 1e300L;
    if (c.b.form == Form::Ball) {
        const std::array<Point, 4> dot_at = {b[0], b[0], b[0], b[0]};
        if (!are_disjoint(a, dot_at)) return 0;
        for (const auto& [i, j] : kEdges) {
            const Long s = clamped(dot(b[0] - a[i], a[j] - a[i]) / norm_sq(a[j] - a[i]));
            least = std::min(least, length(a[i] + s * (a[j] - a[i]) - b[0]));
        }
        for (const auto& [i, j, k] : kFaces)
            least = std::min(least, distance_to_inside(b[0], a[i], a[j], a[k]));
        return std::max(Long{0}, least - c.b.radius);
    }
    if (!are_disjoint(a, b)) return 0;
    for (const auto& [i, j] : kEdges)
        for (const auto& [k, l] : kEdges)
            least = std::min(least, distance_of_segments(a[i], a[j], b[k], b[l]));
    for (std::size_t i = 0; i < 4; ++i) {
        for (const auto& [j, k, l] : kFaces) {
            least = std::min(least, distance_to_inside(a[i], b[j], b[k], b[l]));
            least = std::min(least, distance_to_inside(b[i], a[j], a[k], a[l]));
        }
    }
    return least;
}

// By samples, the three least of them refined by golden sections.
inline Long sampled_clearance(const MotionCase& c, int samples) {
    std::vector<std::pair<Long, Long>> found;
    for (int i = 0; i <= samples; ++i) {
        const Long t = static_cast<Long>(i) / samples;
        found.emplace_back(distance_at(c, t), t);
    }
    std::sort(found.begin(), found.end());
    Long least = found.front().first;
    for (std::size_t i = 0; i < 3 && i < found.size(); ++i) {
        Long low = std::max(Long{0}, found[i].second - Long{1} / samples);
        Long high = std::min(Long{1}, found[i].second + Long{1} / samples);
        for (int k = 0; k < 40; ++k) {
            const Long third = (high - low) / 3;
            const Long d0 = distance_at(c, low + third);
            const Long d1 = distance_at(c, high - third);
            least = std::min({least, d0, d1});
            (d0 < d1 ? high : low) = d0 < d1 ? high - third : low + third;
        }
    }
    return least;
}

}  // namespace graze::robot::reference
