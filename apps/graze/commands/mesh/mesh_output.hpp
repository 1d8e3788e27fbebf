// Meshes that commands write: the form follows from the name of the file.
#pragma once

#include <cstdint>
#include <string>

namespace graze::app {

enum class MeshForm : std::uint8_t { Obj, Ply };

// OBJ for .obj, PLY for .ply (any letter case); OBJ for what is no file ("-", devices, pipes).
// Wrong use, which names `option`: any other ending.
[[nodiscard]] MeshForm mesh_form_of(const std::string& option, const std::string& path);

}  // namespace graze::app
