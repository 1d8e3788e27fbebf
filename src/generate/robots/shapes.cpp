#include "generate/robots/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "generate/models/makers.hpp"

namespace graze::generate {
namespace {

using LatticePoint = std::array<std::uint32_t, 3>;

// The surface of a box of so many cells along each axis: each vertex is made once.
class BoxLattice {
public:
    BoxLattice(io::PolygonMesh& mesh, const SolidBox& box, const LatticePoint& cells)
        : mesh_(mesh), box_(box), cells_(cells) {}

    void add_faces() {
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (const bool is_high : {false, true})
                add_side(axis, is_high);
    }

private:
    void add_side(std::size_t axis, bool is_high) {
        const std::size_t u = (axis + 1) % 3;
        const std::size_t v = (axis + 2) % 3;
        for (std::uint32_t i = 0; i < cells_[u]; ++i) {
            for (std::uint32_t j = 0; j < cells_[v]; ++j) {
                LatticePoint p{};
                p[axis] = is_high ? cells_[axis] : 0;
                const auto at = [&](std::uint32_t du, std::uint32_t dv) {
                    p[u] = i + du;
                    p[v] = j + dv;
                    return vertex(p);
                };
                const std::uint32_t a = at(0, 0);
                const std::uint32_t b = at(1, 0);
                const std::uint32_t c = at(1, 1);
                const std::uint32_t d = at(0, 1);
                // u x v is the axis: counterclockwise from above.
                if (is_high) {
                    add_polygon(mesh_, {a, b, c, d});
                } else {
                    add_polygon(mesh_, {a, d, c, b});
                }
            }
        }
    }

    std::uint32_t vertex(const LatticePoint& p) {
        const std::uint64_t key =
            (std::uint64_t{p[0]} << 42) | (std::uint64_t{p[1]} << 21) | std::uint64_t{p[2]};
        const auto [found, is_new] =
            known_.try_emplace(key, static_cast<std::uint32_t>(mesh_.positions.size()));
        if (is_new) mesh_.positions.push_back(position(p));
        return found->second;
    }

    // The ends are those of the box itself.
    [[nodiscard]] Vec3 position(const LatticePoint& p) const {
        Vec3 x;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double f = static_cast<double>(p[axis]) / cells_[axis];
            x[axis] = p[axis] == cells_[axis]
                          ? box_.high[axis]
                          : box_.low[axis] + f * (box_.high[axis] - box_.low[axis]);
        }
        return x;
    }

    io::PolygonMesh& mesh_;
    const SolidBox& box_;
    LatticePoint cells_;
    std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

double area_of(const SolidBox& box) {
    const Vec3 size = box.high - box.low;
    return 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
}

}  // namespace

void add_box(io::PolygonMesh& mesh, const SolidBox& box, double cell) {
    LatticePoint cells{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double count = std::round((box.high[axis] - box.low[axis]) / cell);
        cells[axis] = static_cast<std::uint32_t>(std::clamp(count, 1.0, 4096.0));
    }
    BoxLattice(mesh, box, cells).add_faces();
}

io::PolygonMesh boxes_of(const std::vector<SolidBox>& boxes, std::uint32_t triangles) {
    double area = 0.0;
    for (const SolidBox& box : boxes)
        area += area_of(box);
    // Two triangles for each cell.
    const double cell = triangles == 0 ? std::numeric_limits<double>::infinity()
                                       : std::sqrt(2.0 * area / triangles);
    io::PolygonMesh mesh;
    for (const SolidBox& box : boxes)
        add_box(mesh, box, cell);
    return mesh;
}

io::PolygonMesh limb_of(const Limb& limb, std::uint32_t triangles) {
    // 2 sides rings in the wall, and the ends; the wall is about as fine along as around.
    const double cells = std::max(triangles / 2.0, 6.0);
    const auto sides = static_cast<std::uint32_t>(std::clamp(std::sqrt(cells), 6.0, 512.0));
    const auto rings =
        static_cast<std::uint32_t>(std::clamp(std::round(cells / sides) - 1.0, 2.0, 4096.0));
    io::PolygonMesh mesh;
    for (std::uint32_t k = 0; k <= rings; ++k) {
        const double f = static_cast<double>(k) / rings;
        // A parabola: 4/5 of the radius at the ends.
        const double r = limb.radius * (0.8 + 0.8 * f * (1.0 - f));
        const double z = k == rings ? limb.top : limb.bottom + f * (limb.top - limb.bottom);
        for (std::uint32_t i = 0; i < sides; ++i) {
            const CirclePoint p = on_circle(i, sides);
            mesh.positions.push_back({r * p.x, -r * p.z, z});
        }
    }
    for (std::uint32_t k = 0; k < rings; ++k) {
        for (std::uint32_t i = 0; i < sides; ++i) {
            const std::uint32_t a = k * sides + i;
            const std::uint32_t b = k * sides + (i + 1) % sides;
            add_polygon(mesh, {a, b, b + sides, a + sides});
        }
    }
    for (std::uint32_t i = 0; i < sides; ++i)
        mesh.polygons.add_corner(sides - 1 - i);
    mesh.polygons.close();
    for (std::uint32_t i = 0; i < sides; ++i)
        mesh.polygons.add_corner(rings * sides + i);
    mesh.polygons.close();
    return mesh;
}

void add_mesh(io::PolygonMesh& mesh, const io::PolygonMesh& added, double scale,
              const Vec3& shift) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3& x : added.positions)
        mesh.positions.push_back(scale * x + shift);
    for (std::size_t i = 0; i < added.polygons.size(); ++i) {
        for (const std::uint32_t corner : added.polygons[i])
            mesh.polygons.add_corner(first + corner);
        mesh.polygons.close();
    }
}

}  // namespace graze::generate
