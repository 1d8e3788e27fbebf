#include <algorithm>
#include <array>
#include <utility>

#include "graze/sim/scene.hpp"

namespace graze::sim {
namespace {

template <class Material>
std::uint32_t material_number(std::vector<Material>& materials, const Material& material) {
    const auto found = std::find(materials.begin(), materials.end(), material);
    if (found != materials.end()) return static_cast<std::uint32_t>(found - materials.begin());
    materials.push_back(material);
    return static_cast<std::uint32_t>(materials.size() - 1);
}

double volume(const std::vector<Vec3>& x, const std::array<std::uint32_t, 4>& t) {
    return dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), x[t[3]] - x[t[0]]) / 6.0;
}

double area(const std::vector<Vec3>& x, const FaceIndices& f) {
    return 0.5 * norm(cross(x[f[1]] - x[f[0]], x[f[2]] - x[f[0]]));
}

std::uint32_t opposite(const FaceIndices& face, std::uint32_t a, std::uint32_t b) {
    for (const std::uint32_t v : face)
        if (v != a && v != b) return v;
    return a;
}

// Lumped: each vertex has an equal fraction of its elements' masses.
template <class Vertices>
void add_mass(std::vector<double>& mass, const Vertices& vertices, double of_element) {
    for (const std::uint32_t v : vertices)
        mass[v] += of_element / static_cast<double>(vertices.size());
}

}  // namespace

int SceneSize::elements(int count, int least) const noexcept {
    return std::max(least, static_cast<int>(resolution * count + 0.5));
}

std::vector<FaceIndices> boundary_faces(std::span<const std::array<std::uint32_t, 4>> tetrahedra) {
    // Outward for tetrahedra of positive volume.
    constexpr std::array<FaceIndices, 4> kSides = {{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    struct Side {
        FaceIndices sorted;
        FaceIndices face;
    };
    std::vector<Side> sides;
    sides.reserve(4 * tetrahedra.size());
    for (const auto& t : tetrahedra)
        for (const FaceIndices& side : kSides) {
            const FaceIndices face = {t[side[0]], t[side[1]], t[side[2]]};
            FaceIndices sorted = face;
            std::sort(sorted.begin(), sorted.end());
            sides.push_back({sorted, face});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::pair(a.sorted, a.face) < std::pair(b.sorted, b.face);
    });
    std::vector<FaceIndices> faces;
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t last = i;
        while (last < sides.size() && sides[last].sorted == sides[i].sorted)
            ++last;
        if (last - i == 1) faces.push_back(sides[i].face);
        i = last;
    }
    return faces;
}

ModelBuilder::ModelBuilder(std::string name) {
    model_.name = std::move(name);
}

std::uint32_t ModelBuilder::add_vertices(std::span<const Vec3> positions, double radius,
                                         bool is_fixed) {
    const auto first = static_cast<std::uint32_t>(model_.rest.size());
    model_.rest.insert(model_.rest.end(), positions.begin(), positions.end());
    const std::size_t count = model_.rest.size();
    model_.mass.resize(count, 0.0);
    model_.body.resize(count, bodies_++);
    model_.fixed.resize(count, is_fixed ? 1 : 0);
    model_.radius.resize(count, radius);
    return first;
}

std::uint32_t ModelBuilder::add_elastic(const TetrahedralMesh& mesh,
                                        const ElasticMaterial& material) {
    const std::uint32_t first = add_vertices(mesh.positions, 0.0, false);
    const std::uint32_t number = material_number(model_.elastic_materials, material);
    for (const auto& t : mesh.tetrahedra) {
        const Tetrahedron tet{{t[0] + first, t[1] + first, t[2] + first, t[3] + first}, number};
        model_.tetrahedra.push_back(tet);
        add_mass(model_.mass, tet.v, material.density * volume(model_.rest, tet.v));
    }
    for (const FaceIndices& f : boundary_faces(mesh.tetrahedra))
        faces_.push_back({f[0] + first, f[1] + first, f[2] + first});
    return first;
}

std::uint32_t ModelBuilder::add_obstacle(const SurfaceMesh& mesh) {
    const std::uint32_t first = add_vertices(mesh.positions, 0.0, true);
    for (const FaceIndices& f : mesh.faces)
        faces_.push_back({f[0] + first, f[1] + first, f[2] + first});
    return first;
}

std::uint32_t ModelBuilder::add_cloth(const SurfaceMesh& mesh, const ClothMaterial& material,
                                      double radius) {
    const std::uint32_t first = add_vertices(mesh.positions, radius, false);
    const std::uint32_t number = material_number(model_.cloth_materials, material);
    std::vector<FaceIndices> faces;
    for (const FaceIndices& f : mesh.faces) {
        faces.push_back({f[0] + first, f[1] + first, f[2] + first});
        model_.cloth_triangles.push_back({faces.back(), number});
        add_mass(model_.mass, faces.back(),
                 material.area_density * area(model_.rest, faces.back()));
    }
    for_each_edge(sorted_sides(faces), [&](std::span<const FaceSide> sides) {
        if (sides.size() != 2) return;
        const auto a = static_cast<std::uint32_t>(sides[0].key >> 32);
        const auto b = static_cast<std::uint32_t>(sides[0].key);
        model_.hinges.push_back(
            {{a, b, opposite(faces[sides[0].face], a, b), opposite(faces[sides[1].face], a, b)},
             number});
    });
    faces_.insert(faces_.end(), faces.begin(), faces.end());
    return first;
}

std::uint32_t ModelBuilder::add_strand(std::span<const Vec3> points, const StrandMaterial& material,
                                       double radius) {
    const std::uint32_t first = add_vertices(points, radius, false);
    const std::uint32_t number = material_number(model_.strand_materials, material);
    const auto count = static_cast<std::uint32_t>(points.size());
    for (std::uint32_t i = 0; i + 1 < count; ++i) {
        const EdgeIndices edge = {first + i, first + i + 1};
        model_.strand_edges.push_back({edge, number});
        loose_edges_.push_back(edge);
        add_mass(model_.mass, edge, material.length_density * norm(points[i + 1] - points[i]));
        if (i > 0) model_.strand_bends.push_back({{edge[0] - 1, edge[0], edge[1]}, number});
    }
    return first;
}

Model ModelBuilder::finish() {
    const auto is_zero = [](double radius) { return radius == 0.0; };
    if (std::all_of(model_.radius.begin(), model_.radius.end(), is_zero)) model_.radius.clear();
    // Indices are those of the vertices that were added: no error.
    model_.surface = *make_topology(model_.rest.size(), faces_, loose_edges_);
    // Vertices without an edge are inside of bodies, not points that collide.
    model_.surface.points.clear();
    return std::move(model_);
}

}  // namespace graze::sim
