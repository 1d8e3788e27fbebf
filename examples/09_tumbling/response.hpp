// How bodies bounce: impulses at the positions where they would meet, for all collisions of a pair
// that come nearly at one time and are not too improper, together. Nothing here is proved, and
// nothing needs to be: whatever velocities come out, the stepper lets no body into another.
#pragma once

#include <span>
#include <vector>

#include "graze/rigid/impulse.hpp"
#include "scene.hpp"

namespace tumbling {

struct ResponseOptions {
    graze::rigid::ResponseGroup group{};
    double restitution = 0.4;
    double friction = 0.3;
    // [m/s] at which bodies separate at least, so that gaps open again; more where they had hardly
    // any free path left, so that piles do not jam.
    double least_speed = 0.1;
    double least_speed_pressed = 0.6;
    double pressed = 0.05;  // [fraction of the step] that was free
};

// Bodies separate at every position where they were in the way of each other. Returns how many
// contacts answered.
std::size_t bounce(const Scene& scene, std::span<const graze::Pose> poses,
                   const std::vector<graze::rigid::Obstruction>& obstructions,
                   std::vector<graze::rigid::BodyVelocity>& velocities,
                   const ResponseOptions& options = {});

}  // namespace tumbling
