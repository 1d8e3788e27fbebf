// What moves and what it falls on: two sheets of cloth in a closed box with an obstacle.
#pragma once

#include <cstdint>
#include <vector>

#include "graze/core/vec3.hpp"
#include "graze/mesh/topology.hpp"

namespace falling_cloth {

struct Spring {
    std::uint32_t a;
    std::uint32_t b;
    double length;     // at rest [m]
    double stiffness;  // [N / m]
};

struct Scene {
    graze::MeshTopology mesh;  // of everything, one vertex list
    std::vector<graze::Vec3> start;
    std::vector<std::uint8_t> fixed;  // by vertex: obstacle and box
    std::vector<Spring> springs;
};

// The sheets are a metre wide, of mass 1 a vertex. The seed crumples them a little.
[[nodiscard]] Scene make_scene(std::uint64_t seed);

}  // namespace falling_cloth
