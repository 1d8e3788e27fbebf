// The meshes that a URDF file names.
#pragma once

#include <filesystem>
#include <string>

#include "graze/io/rigid_body.hpp"
#include "graze/urdf/urdf.hpp"

namespace graze::urdf {

// `folder` is that of the file that names it. Errors name the mesh as the file does.
[[nodiscard]] Expected<io::BodyFromFile> read_mesh_file(const std::string& uri,
                                                        const std::filesystem::path& folder,
                                                        const UrdfOptions& options,
                                                        const io::BodyOptions& body);

}  // namespace graze::urdf
