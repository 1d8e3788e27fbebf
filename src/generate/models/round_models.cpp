// Models of circles: torus, sphere, screw thread and the hole that it fits.
#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "generate/models/makers.hpp"
#include "graze/core/assert.hpp"
#include "graze/core/elementary.hpp"

namespace graze::generate {
namespace {

Vec3 on_unit_sphere(const Vec3& v) {
    return (1.0 / norm(v)) * v;
}

// --- Sphere --------------------------------------------------------------------------------------

using Triangle = std::array<std::uint32_t, 3>;

// The middle of each edge is made once, by the first of its two triangles.
class Midpoints {
public:
    explicit Midpoints(std::vector<Vec3>& positions) : positions_(positions) {}

    std::uint32_t of(std::uint32_t a, std::uint32_t b) {
        const std::uint64_t key = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
        const auto [found, is_new] =
            known_.try_emplace(key, static_cast<std::uint32_t>(positions_.size()));
        if (is_new) positions_.push_back(on_unit_sphere(positions_[a] + positions_[b]));
        return found->second;
    }

private:
    std::vector<Vec3>& positions_;
    std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

std::vector<Triangle> cut_in_four(const std::vector<Triangle>& triangles,
                                  std::vector<Vec3>& positions, StopPoll& stop) {
    Midpoints middle(positions);
    std::vector<Triangle> finer;
    finer.reserve(4 * triangles.size());
    for (const auto& [a, b, c] : triangles) {
        if (stop()) break;
        const std::uint32_t ab = middle.of(a, b);
        const std::uint32_t bc = middle.of(b, c);
        const std::uint32_t ca = middle.of(c, a);
        finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    return finer;
}

// --- Threads -------------------------------------------------------------------------------------

// Rows of `around` points upwards, each at a height, widened by `wider`.
std::uint32_t add_thread_rows(io::PolygonMesh& mesh, const ThreadShape& shape, double wider,
                              StopPoll& stop) {
    const auto rows = static_cast<std::uint32_t>(std::ceil(shape.along * shape.turns)) + 1;
    for (std::uint32_t k = 0; k < rows; ++k) {
        const double y = shape.lead * shape.turns * k / (rows - 1);
        for (std::uint32_t i = 0; i < shape.around && !stop(); ++i) {
            const double phase = kTurn * (y / shape.lead - double(i) / shape.around);
            const double r = shape.radius + wider + shape.depth * cosine(phase);
            const CirclePoint p = on_circle(i, shape.around);
            mesh.positions.push_back({r * p.x, y, r * p.z});
        }
    }
    return rows;
}

// The wall between the rows, cut along the thread; `inwards` for a hole.
void add_thread_wall(io::PolygonMesh& mesh, std::uint32_t around, std::uint32_t rows, bool inwards,
                     StopPoll& stop) {
    for (std::uint32_t k = 0; k + 1 < rows; ++k) {
        for (std::uint32_t i = 0; i < around && !stop(); ++i) {
            const std::uint32_t a = k * around + i;
            const std::uint32_t b = k * around + (i + 1) % around;
            const std::uint32_t c = b + around;
            const std::uint32_t d = a + around;
            if (inwards) {
                add_polygon(mesh, {a, c, b});
                add_polygon(mesh, {a, d, c});
            } else {
                add_polygon(mesh, {a, b, c});
                add_polygon(mesh, {a, c, d});
            }
        }
    }
}

// Flat rings between the ends of the hole and the outer wall, and that wall.
void add_block(io::PolygonMesh& mesh, std::uint32_t n, std::uint32_t top, std::uint32_t outer) {
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        add_polygon(mesh, {outer + i, outer + j, outer + n + j, outer + n + i});
        add_polygon(mesh, {i, j, outer + j, outer + i});
        add_polygon(mesh, {top + j, top + i, outer + n + i, outer + n + j});
    }
}

}  // namespace

io::PolygonMesh torus(std::uint32_t rings, std::uint32_t sides, double major, double minor) {
    StopPoll never;
    return make_torus(rings, sides, major, minor, never);
}

io::PolygonMesh make_torus(std::uint32_t rings, std::uint32_t sides, double major, double minor,
                           StopPoll& stop) {
    GRAZE_ASSERT(rings >= 3 && sides >= 3 && 0.0 < minor && minor < major);
    io::PolygonMesh mesh;
    for (std::uint32_t i = 0; i < rings; ++i) {
        const CirclePoint ring = on_circle(i, rings);
        for (std::uint32_t k = 0; k < sides && !stop(); ++k) {
            const double angle = kTurn * k / sides;
            const double r = major + minor * cosine(angle);
            mesh.positions.push_back({r * ring.x, minor * sine(angle), r * ring.z});
        }
    }
    for (std::uint32_t i = 0; i < rings; ++i) {
        const std::uint32_t here = i * sides;
        const std::uint32_t next = (i + 1) % rings * sides;
        for (std::uint32_t k = 0; k < sides && !stop(); ++k) {
            const std::uint32_t l = (k + 1) % sides;
            add_polygon(mesh, {here + k, next + k, next + l, here + l});
        }
    }
    return mesh;
}

io::PolygonMesh torus_of(std::uint32_t faces) {
    StopPoll never;
    return make_torus_of(faces, never);
}

// Four rings for three sides, as the usual torus has.
io::PolygonMesh make_torus_of(std::uint32_t faces, StopPoll& stop) {
    const auto sides = static_cast<std::uint32_t>(std::round(std::sqrt(0.75 * faces)));
    const std::uint32_t k = std::max(sides, 3U);
    return make_torus(std::max((faces + k / 2) / k, 3U), k, kUsualMajor, kUsualMinor, stop);
}

io::PolygonMesh sphere(std::uint32_t levels) {
    StopPoll never;
    return make_sphere(levels, never);
}

io::PolygonMesh make_sphere(std::uint32_t levels, StopPoll& stop) {
    GRAZE_ASSERT(levels <= 10);
    const double g = 0.5 + 0.5 * std::sqrt(5.0);
    io::PolygonMesh mesh;
    for (const Vec3& v : {Vec3{-1, g, 0},
                          {1, g, 0},
                          {-1, -g, 0},
                          {1, -g, 0},
                          {0, -1, g},
                          {0, 1, g},
                          {0, -1, -g},
                          {0, 1, -g},
                          {g, 0, -1},
                          {g, 0, 1},
                          {-g, 0, -1},
                          {-g, 0, 1}})
        mesh.positions.push_back(on_unit_sphere(v));
    std::vector<Triangle> triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                       {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                       {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                       {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (std::uint32_t level = 0; level < levels; ++level)
        triangles = cut_in_four(triangles, mesh.positions, stop);
    for (const auto& [a, b, c] : triangles) {
        if (stop()) break;
        add_polygon(mesh, {a, b, c});
    }
    return mesh;
}

// A function of two variables is within (h^2 |f_xx| + 2 h k |f_xy| + k^2 |f_yy|) / 8 of its linear
// interpolation in a triangle with legs h and k. Here |f_..| <= depth for both phases, whose steps
// are 2 pi / around and 2 pi / along; and a chord is within r (1 - cos(pi / around)) of its arc.
double ThreadShape::sampling_error() const noexcept {
    const double h = kTurn / around;
    const double k = kTurn / along;
    const double sagitta = (radius + depth) * (1.0 - cosine(0.5 * h));
    return sagitta + depth * (h + k) * (h + k) / 8.0;
}

io::PolygonMesh screw_thread(const ThreadShape& shape) {
    StopPoll never;
    return make_thread(shape, never);
}

io::PolygonMesh make_thread(const ThreadShape& shape, StopPoll& stop) {
    GRAZE_ASSERT(shape.around >= 3 && shape.along >= 1 && shape.depth < shape.radius);
    io::PolygonMesh mesh;
    const std::uint32_t n = shape.around;
    const std::uint32_t rows = add_thread_rows(mesh, shape, 0.0, stop);
    add_thread_wall(mesh, n, rows, false, stop);
    for (std::uint32_t i = n; i-- > 0;)
        mesh.polygons.add_corner(i);
    mesh.polygons.close();
    for (std::uint32_t i = 0; i < n; ++i)
        mesh.polygons.add_corner((rows - 1) * n + i);
    mesh.polygons.close();
    return mesh;
}

io::PolygonMesh threaded_hole(const ThreadShape& shape, double clearance) {
    StopPoll never;
    return make_hole(shape, clearance, never);
}

io::PolygonMesh make_hole(const ThreadShape& shape, double clearance, StopPoll& stop) {
    GRAZE_ASSERT(shape.around >= 3 && shape.along >= 1 && shape.depth < shape.radius);
    GRAZE_ASSERT(clearance >= 0.0);
    io::PolygonMesh mesh;
    const std::uint32_t n = shape.around;
    const std::uint32_t rows = add_thread_rows(mesh, shape, clearance, stop);
    add_thread_wall(mesh, n, rows, true, stop);
    const auto outer = static_cast<std::uint32_t>(mesh.positions.size());
    const double radius = 1.5 * (shape.radius + shape.depth + clearance);
    for (const double y : {0.0, shape.lead * shape.turns}) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const CirclePoint p = on_circle(i, n);
            mesh.positions.push_back({radius * p.x, y, radius * p.z});
        }
    }
    add_block(mesh, n, (rows - 1) * n, outer);
    return mesh;
}

}  // namespace graze::generate
