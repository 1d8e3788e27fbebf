#include "mesh_output.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/options.hpp"
#include "cli/places.hpp"

namespace graze::app {

MeshForm mesh_form_of(const std::string& option, const std::string& path) {
    if (output_place_of(path).kind != PlaceKind::File) return MeshForm::Obj;
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    });
    if (ending == ".obj") return MeshForm::Obj;
    if (ending == ".ply") return MeshForm::Ply;
    fail_usage(option + " must end in .obj or .ply, not as '" + path + "' does");
}

}  // namespace graze::app
