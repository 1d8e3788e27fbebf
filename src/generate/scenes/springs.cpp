#include "generate/scenes/springs.hpp"

namespace graze::generate {

SpringWorld spring_world(const std::vector<Vec3>& points,
                         const std::vector<std::array<std::uint32_t, 2>>& edges) {
    SpringWorld world;
    world.position = points;
    world.velocity.resize(points.size());
    world.is_held.resize(points.size());
    for (const auto& edge : edges)
        world.springs.push_back({edge, length(points[edge[1]] - points[edge[0]])});
    return world;
}

void advance(SpringWorld& world, double dt) {
    std::vector<Vec3> force(world.position.size(), world.gravity);
    for (const Spring& spring : world.springs) {
        const auto [a, b] = spring.ends;
        const Vec3 along = world.position[b] - world.position[a];
        const double now = length(along);
        if (!(now > 0.0)) continue;  // no direction to pull in
        const double strain = (now - spring.rest) / spring.rest;
        const Vec3 pull = (world.stiffness * strain / now) * along;
        force[a] = force[a] + pull;
        force[b] = force[b] - pull;
    }
    const double kept = 1.0 - world.damping * dt;
    for (std::size_t i = 0; i < force.size(); ++i) {
        if (world.is_held[i] == 0) world.velocity[i] = kept * (world.velocity[i] + dt * force[i]);
        world.position[i] = world.position[i] + dt * world.velocity[i];
    }
}

}  // namespace graze::generate
