// Finds the steps of simulation scenes: pairs of mesh frames that follow one another.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "graze/core/expected.hpp"

namespace graze::bench {

struct MeshStep {
    std::string scene;  // the name of the folder that holds `frames`
    std::filesystem::path start;
    std::filesystem::path end;
};

// Every <scene>/frames/*.ply with the one that follows it, where <scene> is `folder` or lies at
// most 8 folders below it; scenes in sorted order, frames by the length of their name and then by
// name, so that 9 comes before 10. An error: a folder that cannot be read, or no step at all.
[[nodiscard]] Expected<std::vector<MeshStep>> find_mesh_steps(const std::filesystem::path& folder);

}  // namespace graze::bench
