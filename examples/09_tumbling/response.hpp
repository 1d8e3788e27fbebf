// How bodies bounce: impulses at the places where they would meet. Nothing here is proved, and
// nothing needs to be: whatever speeds come out, the stepper lets no body into another.
#pragma once

#include <span>
#include <vector>

#include "graze/rigid/stepper.hpp"
#include "scene.hpp"

namespace tumbling {

struct Velocity {
    graze::Vec3 linear;   // [m/s] of the body's origin
    graze::Vec3 angular;  // [rad/s]
};

struct ResponseOptions {
    double restitution = 0.4;
    double friction = 0.3;
    // [m/s] at which bodies part at least, so that gaps open again; more where they had hardly any
    // way left, so that piles do not jam.
    double least_speed = 0.1;
    double least_speed_pressed = 0.6;
    double pressed = 0.05;  // [fraction of the step] that was free
};

// Bodies part at every place where they were in the way of each other.
void bounce(const Scene& scene, std::span<const graze::Pose> poses,
            const std::vector<graze::rigid::Obstruction>& obstructions,
            std::vector<Velocity>& velocities, const ResponseOptions& options = {});

}  // namespace tumbling
