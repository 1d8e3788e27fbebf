// Rigid bodies from files, in one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"
#include "graze/core/vec3.hpp"
#include "graze/rigid/impact.hpp"
#include "graze/rigid/polyhedron.hpp"

namespace graze::io {

struct BodyOptions {
    // Reverse the faces that are wound clockwise as seen from outside.
    bool orient = false;
    // Each coordinate times this, rounded once; where that mirrors the body its faces are reversed.
    // Finite and not 0.
    Vec3 scale{1.0, 1.0, 1.0};
};

// How the faces of a file became those of a body.
struct BodyFaces {
    std::vector<std::uint32_t> in_file;  // by face of the body: its index in the file
    std::size_t dropped = 0;             // fewer than three distinct vertices
    std::size_t reversed = 0;            // by BodyOptions::orient
};

struct SurfaceFromFile {
    rigid::Polyhedron surface;
    BodyFaces faces;
};
struct BodyFromFile {
    rigid::RigidBody body;
    BodyFaces faces;
    // One line each, for people; empty where there is nothing to report.
    std::vector<std::string> warnings;
};

// Reads OBJ, PLY and STL; polygons stay whole, vertices named twice in a row are dropped.
// Errors: those of read_polygon_mesh() and Polyhedron::build(), with the name of the file.
[[nodiscard]] Expected<SurfaceFromFile> read_surface(const std::filesystem::path& path,
                                                     const BodyOptions& options = {});
// The same as a body that can be searched, with warnings about what was dropped, reversed or is odd
// about the surface (SurfaceReport::text()).
[[nodiscard]] Expected<BodyFromFile> read_body(const std::filesystem::path& path,
                                               const BodyOptions& options = {});

}  // namespace graze::io
