// The bodies that tumble, and the hollow box around them.
#pragma once

#include <cstdint>
#include <vector>

#include "graze/rigid/impact.hpp"
#include "graze/rigid/impulse.hpp"
#include "graze/rigid/step.hpp"

namespace tumbling {

struct Scene {
    std::vector<graze::rigid::RigidBody> bodies;  // the box first
    // [1/kg], [1/(kg m^2)]; the inertia is the same about every axis: a simplification of the
    // response, which has no part in whether bodies meet.
    std::vector<graze::rigid::BodyMass> masses;
    std::vector<graze::Pose> start;
};

// [m] Inner half length of the box.
inline constexpr double kHalfBox = 4.0;

// Cars, tori, combs and cubes on a grid in the box, turned at random.
[[nodiscard]] Scene make_scene(std::uint64_t seed);

}  // namespace tumbling
