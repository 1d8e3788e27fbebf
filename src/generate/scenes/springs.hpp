// Masses on springs, moved by symplectic Euler: as much physics as a folding sheet needs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generate/scenes/bodies.hpp"

namespace graze::generate {

struct Spring {
    std::array<std::uint32_t, 2> ends{};
    double rest = 0.0;
};

struct SpringWorld {
    std::vector<Vec3> position;
    std::vector<Vec3> velocity;         // per unit of time
    std::vector<std::uint8_t> is_held;  // moved by its velocity alone: no force acts on it
    std::vector<Spring> springs;
    Vec3 gravity;
    double stiffness = 400.0;  // force of a spring by its relative strain, per mass of a vertex
    double damping = 0.02;     // fraction of the velocity that is lost per unit of time
};

// A world with the points, their velocities zero, none held, and a spring on each edge.
[[nodiscard]] SpringWorld spring_world(const std::vector<Vec3>& points,
                                       const std::vector<std::array<std::uint32_t, 2>>& edges);

// One step of length dt. No collisions: things pass through each other.
void advance(SpringWorld& world, double dt);

}  // namespace graze::generate
