#include "generate/scenes/bodies.hpp"

#include <cmath>
#include <map>

#include "graze/io/mesh_file.hpp"

namespace graze::generate {
namespace {

void add_quad(Body& body, const std::array<std::uint32_t, 4>& q) {
    body.faces.push_back({q[0], q[1], q[2]});
    body.faces.push_back({q[0], q[2], q[3]});
}

std::vector<double> lines(const Span& span, std::uint32_t cells) {
    std::vector<double> values;
    for (std::uint32_t i = 0; i <= cells; ++i) {
        const double s = static_cast<double>(i) / static_cast<double>(cells);
        values.push_back(span.low + s * (span.high - span.low));
    }
    return values;
}

}  // namespace

Body block(const Level& bottom, const Level& top) {
    Body body;
    for (const Level& level : {bottom, top}) {
        body.points.push_back({level.x.low, level.y, level.z.low});
        body.points.push_back({level.x.high, level.y, level.z.low});
        body.points.push_back({level.x.high, level.y, level.z.high});
        body.points.push_back({level.x.low, level.y, level.z.high});
    }
    add_quad(body, {0, 1, 2, 3});
    add_quad(body, {4, 7, 6, 5});
    for (std::uint32_t i = 0; i < 4; ++i)
        add_quad(body, {i, 4 + i, 4 + (i + 1) % 4, (i + 1) % 4});
    return body;
}

Body spike(const Vec3& tip, double half_width, double height) {
    const double y = tip.y + height;
    Body body;
    body.points = {tip,
                   {tip.x - half_width, y, tip.z - half_width},
                   {tip.x + half_width, y, tip.z - half_width},
                   {tip.x + half_width, y, tip.z + half_width},
                   {tip.x - half_width, y, tip.z + half_width}};
    body.faces = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}};
    add_quad(body, {1, 2, 3, 4});
    return body;
}

Body ridge(const Vec3& ridge_start, double length, double half_width, double height) {
    const Vec3& r = ridge_start;
    const double y = r.y + height;
    Body body;
    for (const double z : {r.z, r.z + length}) {
        body.points.push_back({r.x, r.y, z});
        body.points.push_back({r.x - half_width, y, z});
        body.points.push_back({r.x + half_width, y, z});
    }
    body.faces = {{0, 1, 2}, {3, 5, 4}};
    add_quad(body, {0, 3, 4, 1});
    add_quad(body, {0, 2, 5, 3});
    add_quad(body, {1, 4, 5, 2});
    return body;
}

Body terrain(const std::vector<double>& xs, const std::vector<double>& zs) {
    Body body;
    for (const double x : xs) {
        for (const double z : zs)
            body.points.push_back({x, 0.0, z});
    }
    const auto columns = static_cast<std::uint32_t>(zs.size());
    for (std::uint32_t i = 0; i + 1 < xs.size(); ++i) {
        for (std::uint32_t k = 0; k + 1 < columns; ++k) {
            const std::uint32_t a = i * columns + k;
            const std::uint32_t b = a + columns;
            if ((i + k) % 2 == 0) {
                add_quad(body, {a, a + 1, b + 1, b});
            } else {
                add_quad(body, {b, a, a + 1, b + 1});
            }
        }
    }
    return body;
}

Body sheet(const Span& x, const Span& z, std::uint32_t cells_x, std::uint32_t cells_z) {
    return terrain(lines(x, cells_x), lines(z, cells_z));
}

Body octahedron(double radius) {
    Body body;
    body.points = {{radius, 0, 0},  {0, radius, 0},  {0, 0, radius},
                   {-radius, 0, 0}, {0, -radius, 0}, {0, 0, -radius}};
    body.faces = {{0, 1, 2}, {0, 2, 4}, {0, 4, 5}, {0, 5, 1},
                  {3, 2, 1}, {3, 4, 2}, {3, 5, 4}, {3, 1, 5}};
    return body;
}

Body tetrahedron(double radius) {
    Body body;
    body.points = {{radius, radius, radius},
                   {radius, -radius, -radius},
                   {-radius, radius, -radius},
                   {-radius, -radius, radius}};
    body.faces = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    return body;
}

Body ball(double radius, std::uint32_t cells) {
    const Body coarse = octahedron(1.0);
    Body body;
    // Points are named by their integer coordinates on the octahedron, so that faces share them.
    std::map<std::array<int, 3>, std::uint32_t> known;
    const auto point_at = [&](const std::array<std::uint32_t, 3>& face, std::uint32_t i,
                              std::uint32_t k) {
        const Vec3 at = static_cast<double>(cells - i - k) * coarse.points[face[0]] +
                        static_cast<double>(i) * coarse.points[face[1]] +
                        static_cast<double>(k) * coarse.points[face[2]];
        const std::array<int, 3> key = {static_cast<int>(at.x), static_cast<int>(at.y),
                                        static_cast<int>(at.z)};
        const auto [found, is_new] =
            known.try_emplace(key, static_cast<std::uint32_t>(body.points.size()));
        if (is_new) body.points.push_back((radius / length(at)) * at);
        return found->second;
    };
    for (const auto& face : coarse.faces) {
        for (std::uint32_t i = 0; i < cells; ++i) {
            for (std::uint32_t k = 0; i + k < cells; ++k) {
                const std::uint32_t a = point_at(face, i, k);
                const std::uint32_t b = point_at(face, i + 1, k);
                const std::uint32_t c = point_at(face, i, k + 1);
                body.faces.push_back({a, b, c});
                if (i + k + 1 < cells) body.faces.push_back({b, point_at(face, i + 1, k + 1), c});
            }
        }
    }
    return body;
}

Quaternion operator*(const Quaternion& a, const Quaternion& b) noexcept {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// v + 2 (w u x v + u x (u x v)) / |q|^2 for q = w + u.
Vec3 rotated(const Quaternion& q, const Vec3& v) noexcept {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 uv = cross(u, v);
    const double scale = 2.0 / (q.w * q.w + norm_sq(u));
    return v + scale * (q.w * uv + cross(u, uv));
}

Quaternion random_rotation(Random& random, double size) noexcept {
    const double x = size * random.uniform();
    const double y = size * random.uniform();
    return {1.0, x, y, size * random.uniform()};
}

double length(const Vec3& v) noexcept {
    return std::sqrt(norm_sq(v));
}

std::uint32_t add_body(QueryScene& scene, const Body& body, bool bends) {
    const auto first = static_cast<std::uint32_t>(scene.body.size());
    const auto number = static_cast<std::uint32_t>(scene.bends.size());
    scene.bends.push_back(bends ? 1 : 0);
    scene.body.insert(scene.body.end(), body.points.size(), number);
    for (const auto& face : body.faces)
        scene.faces.push_back({face[0] + first, face[1] + first, face[2] + first});
    return first;
}

void finish_topology(QueryScene& scene) {
    scene.edges = io::box_edges(scene.faces, {});
}

}  // namespace graze::generate
