// A mesh in a step, and the files that scripts/gpu_check.sh takes: four little-endian uint64 (vertices,
// faces, loose edges, 0), faces and edges as uint32, then start and end as doubles.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graze/mesh/step.hpp"

namespace device_tests {

struct Scene {
    std::string name;
    graze::MeshTopology mesh;
    std::vector<graze::Vec3> start;
    std::vector<graze::Vec3> end;
};

inline Scene scene_of(std::string name, std::vector<graze::FaceIndices> faces,
                      std::vector<graze::EdgeIndices> edges, std::vector<graze::Vec3> start,
                      std::vector<graze::Vec3> end) {
    auto mesh = graze::make_topology(start.size(), faces, edges);
    if (!mesh) {
        std::printf("%s: %s\n", name.c_str(), mesh.error().message.c_str());
        std::exit(2);
    }
    return {std::move(name), std::move(*mesh), std::move(start), std::move(end)};
}

inline std::optional<Scene> read_scene(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::uint64_t counts[4] = {};
    if (!file.read(reinterpret_cast<char*>(counts), sizeof counts)) return std::nullopt;
    std::vector<graze::FaceIndices> faces(counts[1]);
    std::vector<graze::EdgeIndices> edges(counts[2]);
    std::vector<graze::Vec3> start(counts[0]);
    std::vector<graze::Vec3> end(counts[0]);
    const auto read = [&](auto& values) {
        file.read(reinterpret_cast<char*>(values.data()),
                  static_cast<std::streamsize>(values.size() * sizeof values[0]));
    };
    read(faces);
    read(edges);
    read(start);
    read(end);
    if (!file) return std::nullopt;
    return scene_of(path.substr(path.find_last_of('/') + 1), faces, edges, start, end);
}

}  // namespace device_tests
