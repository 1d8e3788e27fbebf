// A scene as the search sees it: bodies, and the pairs of them that are checked.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "graze/robot/check.hpp"
#include "robot/body.hpp"
#include "robot/path.hpp"

namespace graze::robot::detail {

// Of which link, or obstacle, a body is a geometry.
struct BodyOwner {
    std::uint32_t owner = 0;
    std::uint32_t geometry = 0;
};

// B, a body of the robot, as seen from A: an obstacle, or a body of another link.
struct BodyPair {
    bool is_environment = false;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t path = 0;
};

// A body of the robot against every obstacle: the pair with obstacle a is pairs[first_pair + a].
struct EnvironmentGroup {
    std::uint32_t body = 0;
    std::uint32_t first_pair = 0;
};

// Boxes around all obstacles, in the world.
struct ObstacleIndex {
    // A node of an obstacle, below which there are few leaves.
    struct Part {
        std::uint32_t obstacle = 0;
        std::uint32_t node = 0;
        friend auto operator<=>(const Part&, const Part&) = default;
    };

    ObstacleIndex() = default;
    explicit ObstacleIndex(std::span<const Body> obstacles);

    BoxIndex whole;    // one box per obstacle
    BoxIndex fine;     // one per part
    BoxIndex samples;  // one around the sample of each component
    std::vector<Part> parts;
    std::vector<std::uint32_t> sample_owners;  // obstacles
    double reach = 0.0;                        // no corner of a box is farther from the origin
};

struct SceneModel {
    Robot robot;
    Mechanism mechanism;
    std::vector<Obstacle> obstacles;
    std::vector<Body> obstacle_bodies;  // one per obstacle
    std::vector<Body> bodies;
    std::vector<BodyOwner> owners;  // of `bodies`
    std::vector<Path> paths;
    std::vector<BodyPair> pairs;
    std::vector<EnvironmentGroup> environment;
    ObstacleIndex obstacle_index;
    bool are_all_usable = true;  // the bodies of all pairs
    std::vector<LinkPair> allowed;
    double margin = 0.0;

    [[nodiscard]] const Body& body_a(const BodyPair& pair) const noexcept {
        return pair.is_environment ? obstacle_bodies[pair.a] : bodies[pair.a];
    }
    [[nodiscard]] const Body& body_b(const BodyPair& pair) const noexcept { return bodies[pair.b]; }
};

}  // namespace graze::robot::detail
