#include "graze/sim/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "graze/core/elementary.hpp"

namespace graze::sim {
namespace {

constexpr std::uint32_t kUnused = 0xffff'ffffU;
// Of a solid before cells are left out: their tetrahedra take 10 GB.
constexpr double kMostGridVertices = 1e8;

// The six ways from one vertex of a cell to the opposite one along its edges; even permutations of the
// axes give positive tetrahedra.
struct KuhnPath {
    std::array<std::size_t, 3> axes;
    bool is_even;
};
constexpr std::array<KuhnPath, 6> kKuhn = {{{{0, 1, 2}, true},
                                            {{1, 2, 0}, true},
                                            {{2, 0, 1}, true},
                                            {{0, 2, 1}, false},
                                            {{1, 0, 2}, false},
                                            {{2, 1, 0}, false}}};

// Vertices of a grid, numbered when they are first used.
class GridVertices {
public:
    GridVertices(const std::array<int, 3>& cells, bool is_ring) : cells_(cells), is_ring_(is_ring) {
        const double count = (cells[0] + 1.0) * (cells[1] + 1.0) * (cells[2] + 1.0);
        if (count > kMostGridVertices)
            throw std::length_error("a solid has more than 10^8 vertices of its grid");
        number_.assign(static_cast<std::size_t>(count), kUnused);
    }
    std::uint32_t at(std::array<int, 3> index, std::vector<Vec3>& parameters) {
        if (is_ring_) index[2] %= cells_[2];
        // Below kMostGridVertices: products of int fit.
        const auto slot = static_cast<std::size_t>(
            (index[2] * (cells_[1] + 1) + index[1]) * (cells_[0] + 1) + index[0]);
        if (number_[slot] == kUnused) {
            number_[slot] = static_cast<std::uint32_t>(parameters.size());
            parameters.push_back(parameter(index));
        }
        return number_[slot];
    }

private:
    [[nodiscard]] Vec3 parameter(const std::array<int, 3>& index) const {
        Vec3 p;
        for (std::size_t k = 0; k < 3; ++k)
            p[k] = -1.0 + 2.0 * index[k] / cells_[k];
        return p;
    }
    std::array<int, 3> cells_;
    bool is_ring_;
    std::vector<std::uint32_t> number_;
};

// From the square or cube of half size 1 towards the disc or ball of radius 1: at 1 boundary points
// lie on it; a little less keeps the elements at the old edges from being flat.
constexpr double kRoundness = 0.85;
Vec3 rounded(const Vec3& p) {
    const double most = norm_max(p);
    if (most == 0.0) return p;
    const double factor = most / norm(p);
    return (1.0 - kRoundness + kRoundness * factor) * p;
}

Vec3 nearest_on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 e = b - a;
    const double s = std::clamp(dot(p - a, e) / norm_sq(e), 0.0, 1.0);
    return a + s * e;
}

// All points within a radius of a segment.
struct Limb {
    Vec3 a;
    Vec3 b;
    double radius;
};
constexpr std::array<Limb, 9> kFigure = {{
    {{0, 0, 0.52}, {0, 0, 0.60}, 0.40},              // head
    {{0, 0, -0.25}, {0, 0, 0.05}, 0.30},             // body
    {{-0.24, 0, 0.75}, {-0.34, 0, 0.95}, 0.10},      // ears
    {{0.24, 0, 0.75}, {0.34, 0, 0.95}, 0.10},        //
    {{-0.20, 0, 0.05}, {-0.62, 0.08, -0.25}, 0.12},  // arms
    {{0.20, 0, 0.05}, {0.62, 0.08, -0.25}, 0.12},    //
    {{-0.17, 0, -0.4}, {-0.24, 0.05, -0.90}, 0.14},  // legs
    {{0.17, 0, -0.4}, {0.24, 0.05, -0.90}, 0.14},    //
    {{0, -0.2, -0.4}, {0.1, -0.68, -0.5}, 0.11},     // tail
}};
// It looks along +x.
constexpr std::array<Limb, 7> kHead = {{
    {{-0.25, 0, 0.10}, {0.0, 0, 0.10}, 0.52},           // skull
    {{0.0, 0, 0.0}, {0.62, 0, -0.28}, 0.30},            // snout
    {{-0.1, 0.40, 0.45}, {0.12, 0.66, 0.80}, 0.12},     // horns
    {{-0.1, -0.40, 0.45}, {0.12, -0.66, 0.80}, 0.12},   //
    {{-0.3, 0.45, 0.15}, {-0.42, 0.80, 0.10}, 0.13},    // ears
    {{-0.3, -0.45, 0.15}, {-0.42, -0.80, 0.10}, 0.13},  //
    {{-0.5, 0, -0.2}, {-0.75, 0, -0.6}, 0.34},          // neck
}};

// The distance of p to the surface of the nearest limb, negative inside, and the direction out of it.
struct FromLimbs {
    double distance = 10.0;
    Vec3 outward{};
};
FromLimbs from_limbs(std::span<const Limb> limbs, const Vec3& p) {
    FromLimbs least;
    for (const Limb& limb : limbs) {
        const Vec3 away = p - nearest_on_segment(p, limb.a, limb.b);
        const double distance = norm(away) - limb.radius;
        if (distance < least.distance) least = {distance, away};
    }
    const double length = norm(least.outward);
    if (length > 0.0) least.outward = (1.0 / length) * least.outward;
    return least;
}

// Limbs within [-1.1, 1.1]^3 as cubes of about 1 / cells of a length of 2.
TetrahedralMesh solid_limbs(std::span<const Limb> limbs, int cells) {
    const auto inside = [&](const Vec3& p) { return from_limbs(limbs, 1.1 * p).distance < 0.0; };
    const double h = 2.0 / cells;
    const int count = static_cast<int>(std::ceil(2.2 / h));
    return grid_tetrahedra(
        {count, count, count}, false, [](const Vec3& p) { return 1.1 * p; }, inside);
}

double six_volumes(const std::vector<Vec3>& x, const std::array<std::uint32_t, 4>& t) {
    return dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]);
}

// Boundary vertices of cubes go to the surface of the limbs, as far as no tetrahedron loses more than
// most of its volume.
void round_off(TetrahedralMesh& mesh, std::span<const Limb> limbs) {
    constexpr double kLeastOfVolume = 0.2;
    const double least = kLeastOfVolume * six_volumes(mesh.positions, mesh.tetrahedra.front());
    std::vector<std::vector<std::uint32_t>> around(mesh.positions.size());
    for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t)
        for (const std::uint32_t v : mesh.tetrahedra[t])
            around[v].push_back(static_cast<std::uint32_t>(t));
    std::vector<std::uint8_t> is_outside(mesh.positions.size(), 0);
    for (const FaceIndices& face : boundary_faces(mesh.tetrahedra))
        for (const std::uint32_t v : face)
            is_outside[v] = 1;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        if (is_outside[v] == 0) continue;
        const Vec3 from = mesh.positions[v];
        const FromLimbs at = from_limbs(limbs, from);
        const auto is_good = [&] {
            return std::all_of(around[v].begin(), around[v].end(), [&](std::uint32_t t) {
                return six_volumes(mesh.positions, mesh.tetrahedra[t]) >= least;
            });
        };
        for (double fraction = 1.0; fraction > 0.1; fraction *= 0.75) {
            mesh.positions[v] = from - (fraction * at.distance) * at.outward;
            if (is_good()) break;
            mesh.positions[v] = from;
        }
    }
}

// With all tetrahedra of positive volume.
TetrahedralMesh oriented(TetrahedralMesh mesh) {
    for (auto& t : mesh.tetrahedra)
        if (six_volumes(mesh.positions, t) < 0.0) std::swap(t[2], t[3]);
    return mesh;
}

void add_quad(SurfaceMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c,
              std::uint32_t d) {
    mesh.faces.push_back({a, b, c});
    mesh.faces.push_back({a, c, d});
}

}  // namespace

TetrahedralMesh grid_tetrahedra(const std::array<int, 3>& cells, bool is_ring,
                                const std::function<Vec3(const Vec3&)>& map,
                                const std::function<bool(const Vec3&)>& has_cell) {
    TetrahedralMesh mesh;
    GridVertices vertices(cells, is_ring);
    for (int k = 0; k < cells[2]; ++k)
        for (int j = 0; j < cells[1]; ++j)
            for (int i = 0; i < cells[0]; ++i) {
                const Vec3 centre = {-1.0 + (2.0 * i + 1.0) / cells[0],
                                     -1.0 + (2.0 * j + 1.0) / cells[1],
                                     -1.0 + (2.0 * k + 1.0) / cells[2]};
                if (has_cell && !has_cell(centre)) continue;
                for (const KuhnPath& path : kKuhn) {
                    std::array<int, 3> index = {i, j, k};
                    std::array<std::uint32_t, 4> t{};
                    t[0] = vertices.at(index, mesh.positions);
                    for (std::size_t step = 0; step < 3; ++step) {
                        ++index[path.axes[step]];
                        t[step + 1] = vertices.at(index, mesh.positions);
                    }
                    if (!path.is_even) std::swap(t[2], t[3]);
                    mesh.tetrahedra.push_back(t);
                }
            }
    for (Vec3& p : mesh.positions)
        p = map(p);
    return mesh;
}

TetrahedralMesh solid_block(const Vec3& half_size, const std::array<int, 3>& cells) {
    return grid_tetrahedra(cells, false, [&](const Vec3& p) {
        return Vec3{half_size.x * p.x, half_size.y * p.y, half_size.z * p.z};
    });
}

TetrahedralMesh solid_ball(double radius, int cells) {
    return grid_tetrahedra({cells, cells, cells}, false,
                           [&](const Vec3& p) { return radius * rounded(p); });
}

TetrahedralMesh solid_torus(double major, double minor, int around, int across) {
    return grid_tetrahedra({across, across, around}, true, [&](const Vec3& p) {
        const Vec3 section = minor * rounded({p.x, p.y, 0.0});
        // Radius, height and angle are a right-handed frame in the order radius, angle, height.
        const double angle = -std::numbers::pi * p.z;
        const double r = major + section.x;
        return Vec3{r * cosine(angle), r * sine(angle), section.y};
    });
}

TetrahedralMesh solid_figure(int cells) {
    TetrahedralMesh mesh = solid_limbs(kFigure, cells);
    round_off(mesh, kFigure);
    double low = 0.0;
    for (const Vec3& p : mesh.positions)
        low = std::min(low, p.z);
    for (Vec3& p : mesh.positions)
        p.z += -1.0 - low;
    return mesh;
}

TetrahedralMesh solid_head(int cells) {
    TetrahedralMesh mesh = solid_limbs(kHead, cells);
    round_off(mesh, kHead);
    return mesh;
}

TetrahedralMesh solid_spike(double half_width, double height) {
    const double w = half_width;
    return oriented(
        {{{0, 0, 0}, {-w, -w, height}, {w, -w, height}, {w, w, height}, {-w, w, height}},
         {{1, 2, 3, 0}, {1, 3, 4, 0}}});
}

TetrahedralMesh solid_wedge(double half_length, double half_width, double height) {
    const double w = half_width;
    const double l = half_length;
    return oriented({{{0, -l, 0},
                      {0, l, 0},
                      {-w, -l, height},
                      {w, -l, height},
                      {w, l, height},
                      {-w, l, height}},
                     {{0, 2, 3, 5}, {0, 3, 4, 5}, {0, 4, 1, 5}}});
}

TetrahedralMesh refined(TetrahedralMesh mesh, int times) {
    for (int i = 0; i < times; ++i) {
        std::map<EdgeIndices, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto next = static_cast<std::uint32_t>(mesh.positions.size());
            const auto [at, is_new] = middles.try_emplace({std::min(a, b), std::max(a, b)}, next);
            if (is_new) mesh.positions.push_back(0.5 * (mesh.positions[a] + mesh.positions[b]));
            return at->second;
        };
        std::vector<std::array<std::uint32_t, 4>> parts;
        for (const auto& [a, b, c, d] : mesh.tetrahedra) {
            const std::uint32_t ab = middle(a, b);
            const std::uint32_t ac = middle(a, c);
            const std::uint32_t ad = middle(a, d);
            const std::uint32_t bc = middle(b, c);
            const std::uint32_t bd = middle(b, d);
            const std::uint32_t cd = middle(c, d);
            // The corners, and the octahedron between them around its diagonal from ac to bd.
            parts.insert(parts.end(), {{a, ab, ac, ad},
                                       {ab, b, bc, bd},
                                       {ac, bc, c, cd},
                                       {ad, bd, cd, d},
                                       {ab, bd, ac, ad},
                                       {ab, bc, ac, bd},
                                       {ad, bd, ac, cd},
                                       {bc, cd, ac, bd}});
        }
        mesh.tetrahedra = std::move(parts);
        mesh = oriented(std::move(mesh));
    }
    return mesh;
}

SurfaceMesh plane_surface(double half_x, double half_y, int cells_x, int cells_y) {
    SurfaceMesh mesh;
    for (int j = 0; j <= cells_y; ++j)
        for (int i = 0; i <= cells_x; ++i)
            mesh.positions.push_back(
                {half_x * (2.0 * i / cells_x - 1.0), half_y * (2.0 * j / cells_y - 1.0), 0.0});
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * (cells_x + 1) + i); };
    for (int j = 0; j < cells_y; ++j)
        for (int i = 0; i < cells_x; ++i)
            add_quad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    return mesh;
}

SurfaceMesh cone_surface(double radius, double height, int around, int up) {
    SurfaceMesh mesh;
    for (int j = 0; j < up; ++j) {
        const double f = static_cast<double>(j) / up;
        for (int i = 0; i < around; ++i) {
            const double angle = 2.0 * std::numbers::pi * i / around;
            const double r = radius * (1.0 - f);
            mesh.positions.push_back({r * cosine(angle), r * sine(angle), f * height});
        }
    }
    const auto tip = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back({0.0, 0.0, height});
    mesh.positions.push_back({0.0, 0.0, 0.0});
    const auto at = [&](int i, int j) {
        return static_cast<std::uint32_t>(j * around + i % around);
    };
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j + 1 < up; ++j)
            add_quad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        mesh.faces.push_back({at(i, up - 1), at(i + 1, up - 1), tip});
        mesh.faces.push_back({at(i + 1, 0), at(i, 0), tip + 1});
    }
    return mesh;
}

SurfaceMesh surface_of(const TetrahedralMesh& mesh) {
    SurfaceMesh surface;
    surface.faces = boundary_faces(mesh.tetrahedra);
    std::vector<std::uint32_t> number(mesh.positions.size(), kUnused);
    for (const FaceIndices& face : surface.faces)
        for (const std::uint32_t v : face)
            number[v] = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] == kUnused) continue;
        number[v] = static_cast<std::uint32_t>(surface.positions.size());
        surface.positions.push_back(mesh.positions[v]);
    }
    for (FaceIndices& face : surface.faces)
        for (std::uint32_t& v : face)
            v = number[v];
    return surface;
}

SurfaceMesh ball_surface(double radius, int cells) {
    return surface_of(solid_ball(radius, cells));
}

SurfaceMesh block_surface(const Vec3& half_size, int cells) {
    return surface_of(solid_block(half_size, {cells, cells, cells}));
}

Vec3 placed(const Vec3& p, const Placement& placement) {
    const double c = cosine(placement.angle);
    const double s = sine(placement.angle);
    const Vec3 q = placement.scale * p;
    const Vec3 rotated = c * q + s * cross(placement.axis, q) +
                         ((1.0 - c) * dot(placement.axis, q)) * placement.axis;
    return rotated + placement.translation;
}

}  // namespace graze::sim
