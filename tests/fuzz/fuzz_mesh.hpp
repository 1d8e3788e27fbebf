// What every mesh that a reader gives out must be.
#pragma once

#include "fuzz_input.hpp"
#include "graze/io/mesh_file.hpp"
#include "graze/surface/triangulation.hpp"
#include "io/mesh_reader.hpp"

namespace graze::io::fuzz {

inline void require_mesh(const PolygonMesh& mesh) {
    require(!mesh.positions.empty(), "there is a vertex");
    for (const Vec3& position : mesh.positions)
        require(is_finite(position), "coordinates are finite");
    for (std::size_t i = 0; i < mesh.polygons.size(); ++i) {
        require(mesh.polygons[i].size() >= 3, "faces have three corners or more");
        for (const std::uint32_t corner : mesh.polygons[i])
            require(corner < mesh.positions.size(), "corners are vertices");
    }
    for (const auto& edge : mesh.edges) {
        require(edge[0] < mesh.positions.size() && edge[1] < mesh.positions.size(),
                "edges join vertices");
    }
}

inline void require_triangles(const PolygonMesh& mesh) {
    const auto triangles = triangulate(mesh.polygons.faces(), mesh.positions);
    if (!triangles) {
        require(triangles.error().message.starts_with("face "), "an error names the face");
        return;
    }
    std::size_t expected = 0;
    for (std::size_t i = 0; i < mesh.polygons.size(); ++i)
        expected += mesh.polygons[i].size() - 2;
    require(triangles->size() == expected, "n corners give n - 2 triangles");
    for (const auto& triangle : *triangles)
        for (const std::uint32_t corner : triangle)
            require(corner < mesh.positions.size(), "corners are vertices");
}

}  // namespace graze::io::fuzz
