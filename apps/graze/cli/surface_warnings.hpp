// What a user should know about the meshes of a command: one wording for all commands.
#pragma once

#include <string>
#include <vector>

#include "graze/surface/defects.hpp"

namespace graze::app {

// Which defects matter to a command.
struct SurfaceConcerns {
    bool repeated_vertices = false;
    bool degenerate_faces = false;
    bool duplicate_faces = false;
};

// One line for the file, or none: what it has of that. `advice` follows repeated vertices.
[[nodiscard]] std::vector<std::string> defect_warnings(const std::string& file,
                                                       const SurfaceDefects& defects,
                                                       const SurfaceConcerns& concerns,
                                                       const std::string& advice = {});

}  // namespace graze::app
