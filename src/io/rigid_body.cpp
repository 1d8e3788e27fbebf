#include "graze/io/rigid_body.hpp"

#include <utility>

#include "graze/io/polygon_mesh.hpp"
#include "graze/surface/defects.hpp"
#include "graze/surface/faces.hpp"

namespace graze::io {
namespace {

std::vector<std::string> body_warnings(const std::string& file, const SurfaceFromFile& read) {
    std::vector<std::string> warnings;
    if (read.faces.dropped > 0) {
        warnings.push_back(file + ": " + std::to_string(read.faces.dropped) +
                           " faces without area were dropped");
    }
    if (read.faces.reversed > 0) {
        warnings.push_back(file + ": " + std::to_string(read.faces.reversed) +
                           " faces were reversed");
    }
    if (const std::string text = read.surface.report().text(); !text.empty())
        warnings.push_back(file + ": " + text);
    return warnings;
}

void scale_mesh(PolygonMesh& mesh, const Vec3& scale) {
    for (Vec3& x : mesh.positions)
        x = {scale.x * x.x, scale.y * x.y, scale.z * x.z};
    const bool mirrors = ((scale.x < 0.0) != (scale.y < 0.0)) != (scale.z < 0.0);
    if (!mirrors) return;
    PolygonList reversed;
    for (std::size_t i = 0; i < mesh.polygons.size(); ++i) {
        const auto corners = mesh.polygons[i];
        for (std::size_t k = corners.size(); k > 0; --k)
            reversed.add_corner(corners[k - 1]);
        reversed.close();
    }
    mesh.polygons = std::move(reversed);
}

}  // namespace

Expected<SurfaceFromFile> read_surface(const std::filesystem::path& path,
                                       const BodyOptions& options) {
    auto mesh = read_polygon_mesh(path);
    if (!mesh) return mesh.error();
    if (!(options.scale == Vec3{1.0, 1.0, 1.0})) scale_mesh(*mesh, options.scale);
    const std::vector<std::size_t> ends = face_ends(mesh->corner_counts());
    CleanFaces clean = without_doubled_corners({ends, mesh->corners()});
    auto body = rigid::Polyhedron::build(mesh->positions, clean.corner_counts, clean.corners);
    if (!body) return located(path.string(), body.error());
    BodyFaces faces{std::move(clean.kept), clean.dropped, 0};
    if (!options.orient) return SurfaceFromFile{std::move(*body), std::move(faces)};
    faces.reversed = body->wrong_faces().size();
    return SurfaceFromFile{body->oriented(), std::move(faces)};
}

Expected<BodyFromFile> read_body(const std::filesystem::path& path, const BodyOptions& options) {
    auto read = read_surface(path, options);
    if (!read) return read.error();
    std::vector<std::string> warnings = body_warnings(path.string(), *read);
    return BodyFromFile{rigid::RigidBody(std::move(read->surface)), std::move(read->faces),
                        std::move(warnings)};
}

}  // namespace graze::io
