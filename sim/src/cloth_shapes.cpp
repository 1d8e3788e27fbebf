#include "graze/sim/cloth_shapes.hpp"

#include <cmath>
#include <numbers>

#include "graze/core/elementary.hpp"

namespace graze::sim {
namespace {

constexpr double kTau = 2.0 * std::numbers::pi;

std::uint32_t index_of(int i) {
    return static_cast<std::uint32_t>(i);
}

// The two faces of a cell with corners a b (below) and c d (above).
void add_cell(std::vector<FaceIndices>& faces, std::uint32_t a, std::uint32_t b, std::uint32_t c,
              std::uint32_t d, bool rising) {
    if (rising) {
        faces.push_back({a, b, d});
        faces.push_back({a, d, c});
    } else {
        faces.push_back({a, b, c});
        faces.push_back({b, d, c});
    }
}

}  // namespace

std::vector<FaceIndices> sheet_faces(int columns, int rows, Diagonals diagonals, bool around) {
    std::vector<FaceIndices> faces;
    const int stride = around ? columns : columns + 1;
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            const int next = around ? (i + 1) % columns : i + 1;
            const bool rising = diagonals == Diagonals::Parallel || (i + j) % 2 == 0;
            add_cell(faces, index_of(j * stride + i), index_of(j * stride + next),
                     index_of((j + 1) * stride + i), index_of((j + 1) * stride + next), rising);
        }
    }
    return faces;
}

SurfaceMesh sheet(const SheetShape& shape) {
    SurfaceMesh mesh;
    for (int j = 0; j <= shape.rows; ++j) {
        for (int i = 0; i <= shape.columns; ++i)
            mesh.positions.push_back({shape.width * (static_cast<double>(i) / shape.columns - 0.5),
                                      shape.height * (static_cast<double>(j) / shape.rows - 0.5),
                                      0.0});
    }
    mesh.faces = sheet_faces(shape.columns, shape.rows, shape.diagonals);
    return mesh;
}

SurfaceMesh tube(const TubeShape& shape) {
    SurfaceMesh mesh;
    for (int j = 0; j <= shape.rows; ++j) {
        const double f = static_cast<double>(j) / shape.rows;
        const double r = shape.bottom + f * (shape.top - shape.bottom);
        for (int i = 0; i < shape.around; ++i) {
            const double phi = kTau * i / shape.around;
            mesh.positions.push_back({r * cosine(phi), r * sine(phi), f * shape.height});
        }
    }
    mesh.faces = sheet_faces(shape.around, shape.rows, Diagonals::Alternating, true);
    return mesh;
}

SurfaceMesh capsule(const CapsuleShape& shape) {
    const Vec3 axis = (1.0 / norm(shape.b - shape.a)) * (shape.b - shape.a);
    const Vec3 other = std::fabs(axis.z) < 0.9 ? Vec3{0.0, 0.0, 1.0} : Vec3{1.0, 0.0, 0.0};
    const Vec3 u = (1.0 / norm(cross(other, axis))) * cross(other, axis);
    const Vec3 v = cross(axis, u);
    SurfaceMesh mesh;
    mesh.positions.push_back(shape.a - shape.radius_a * axis);
    const auto add_ring = [&](const Vec3& centre, double radius, double angle) {
        for (int i = 0; i < shape.around; ++i) {
            const double phi = kTau * i / shape.around;
            mesh.positions.push_back(centre + (radius * sine(angle)) * axis +
                                     (radius * cosine(angle)) * (cosine(phi) * u + sine(phi) * v));
        }
    };
    const double quarter = 0.25 * kTau;
    for (int r = 1; r <= shape.rings; ++r)
        add_ring(shape.a, shape.radius_a, quarter * (static_cast<double>(r) / shape.rings - 1.0));
    for (int r = 0; r < shape.rings; ++r)
        add_ring(shape.b, shape.radius_b, quarter * r / shape.rings);
    const std::uint32_t last = index_of(static_cast<int>(mesh.positions.size()));
    mesh.positions.push_back(shape.b + shape.radius_b * axis);
    const int rows = 2 * shape.rings - 1;
    for (const FaceIndices& f : sheet_faces(shape.around, rows, Diagonals::Alternating, true))
        mesh.faces.push_back({f[0] + 1, f[1] + 1, f[2] + 1});
    for (int i = 0; i < shape.around; ++i) {
        const int next = (i + 1) % shape.around;
        mesh.faces.push_back({0, index_of(1 + next), index_of(1 + i)});
        const int top = 1 + rows * shape.around;
        mesh.faces.push_back({last, index_of(top + i), index_of(top + next)});
    }
    return mesh;
}

SurfaceMesh plate(double radius, double thickness, int around) {
    SurfaceMesh mesh;
    for (const double z : {0.0, -thickness}) {
        for (int i = 0; i < around; ++i) {
            const double phi = kTau * i / around;
            mesh.positions.push_back({radius * cosine(phi), radius * sine(phi), z});
        }
    }
    const std::uint32_t n = index_of(around);
    mesh.positions.push_back({0.0, 0.0, 0.0});
    mesh.positions.push_back({0.0, 0.0, -thickness});
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t next = (i + 1) % n;
        mesh.faces.push_back({2 * n, i, next});
        mesh.faces.push_back({2 * n + 1, n + next, n + i});
        add_cell(mesh.faces, n + i, n + next, i, next, i % 2 == 0);
    }
    return mesh;
}

}  // namespace graze::sim
