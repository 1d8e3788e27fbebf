// Ways to find the first impact of two rigid bodies, of which the first rests: ours and others'.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graze/rigid/polyhedron.hpp"
#include "graze/rigid/step.hpp"

namespace graze::bench {

// The time of the first impact as the method sees it; nothing where it sees none. Bodies are set up
// before; what depends on the step is part of the call, but for what `prepare` does.
struct Peer {
    std::string name;
    std::function<std::optional<double>(const rigid::PairStep&)> first_impact;
    std::function<void(const rigid::PairStep&)> prepare = [](const rigid::PairStep&) {};
};

// FCL: meshes with trees of OBBRSS, the screw as its own kind of motion.
std::vector<Peer> fcl_peers(const rigid::Polyhedron& a, const rigid::Polyhedron& b, bool are_cubes);

// Bullet: every convex part of A against every one of B. A part is a list of vertices. The turn is
// the same; the origin of B goes straight instead of along the screw. A second peer moves the
// origin
// of B to the axis of the screw before each step, where both are the same motion.
using ConvexParts = std::vector<std::vector<Vec3>>;
std::vector<Peer> bullet_peers(const ConvexParts& a, const ConvexParts& b);

}  // namespace graze::bench
